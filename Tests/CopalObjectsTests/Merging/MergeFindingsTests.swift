import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// What random merges beside a plain model have found.
@Suite("Findings of random merges", .modelAsIs)
struct MergeFindingsTests {
  /// Two contexts with a card, a box and a tag, all saved.
  private struct World {
    let container: PersistentContainer
    let mine: ManagedObjectContext
    let others: ManagedObjectContext
    let card: ManagedObject
    let box: ManagedObject
    let tag: ManagedObject

    init(_ kind: StoreKind) throws {
      container = try PersistentContainer(
        model: MergeWorker.binding.get(), store: TestStore(kind).configuration())
      (mine, others) = (container.makeContext(), container.makeContext())
      for context in [mine, others] { context.automaticallyMergesChanges = true }
      card = try mine.insert("Card")
      box = try mine.insert("Box")
      tag = try mine.insert("Tag")
      try mine.save()
    }

    func theirs(_ object: ManagedObject) throws -> ManagedObject {
      try others.existingObject(with: object.objectID)
    }

    static func tags(of card: ManagedObject) throws -> ToMany<ManagedObject> {
      try #require(try card.value(forKey: "tags") as? ToMany<ManagedObject>)
    }
  }

  @Test("a link that was added and removed here stays, when others add it", arguments: bothStores)
  func addedAndRemoved(_ kind: StoreKind) throws {
    let world = try World(kind)
    let tags = try World.tags(of: world.card)
    // One end has been read, and knows that nothing is stored.
    #expect(tags.count == 0 && tags.map { $0 }.isEmpty)
    tags.insert(world.tag)
    tags.remove(world.tag)
    try World.tags(of: world.theirs(world.card)).insert(world.theirs(world.tag))
    try world.others.save()
    try world.mine.save()
    world.mine.mergeChanges()
    #expect(tags.map { $0 } == [world.tag])
    let fresh = world.container.makeContext()
    #expect(try World.tags(of: fresh.existingObject(with: world.card.objectID)).count == 1)
  }

  @Test("a link that a policy drops leaves the list of a new object", arguments: bothStores)
  func dropped(_ kind: StoreKind) throws {
    let world = try World(kind)
    world.mine.mergePolicy = .mergeByPropertyStoreTrump
    let new = try world.mine.insert("Card")
    try World.tags(of: new).insert(world.tag)
    world.others.delete(try world.theirs(world.tag))
    try world.others.save()
    let report = try world.mine.save()
    #expect(report.resolved.map(\.outcome) == [.released])
    #expect(try World.tags(of: new).map { $0 }.isEmpty)
  }

  @Test("a link of which both ends are gone is dropped once", arguments: bothStores)
  func bothEnds(_ kind: StoreKind) throws {
    let world = try World(kind)
    world.mine.mergePolicy = .rollback
    try World.tags(of: world.card).insert(world.tag)
    for object in [world.card, world.tag] { world.others.delete(try world.theirs(object)) }
    try world.others.save()
    try world.mine.save()
    #expect(!world.mine.hasChanges)
  }

  @Test(
    "an object that others have deleted and inserted again is there after its save",
    arguments: bothStores)
  func insertedAgain(_ kind: StoreKind) throws {
    let world = try World(kind)
    let third = world.container.makeContext()
    (world.mine.mergePolicy, third.mergePolicy) = (.overwrite, .overwrite)
    try third.existingObject(with: world.box.objectID).setValue(2, forKey: "a")
    try world.box.setValue(1, forKey: "a")
    world.others.delete(try world.theirs(world.box))
    try world.others.save()
    world.mine.mergeChanges()
    #expect(world.box.isMissingInStore && world.box.isDeleted)
    try third.save()
    try world.mine.save()
    #expect(!world.box.isMissingInStore && !world.box.isDeleted)
    #expect(try world.box.value(of: "a") == 1)
  }

  @Test("a rollback does not give a row that others have deleted since", arguments: bothStores)
  func deletedSince(_ kind: StoreKind) throws {
    let world = try World(kind)
    let theirs = try world.theirs(world.box)
    try theirs.setValue(2, forKey: "a")
    try world.others.save()
    try world.box.setValue(1, forKey: "a")
    world.mine.mergeChanges()
    world.others.delete(theirs)
    try world.others.save()
    #expect(throws: PersistenceError.self) { try world.mine.save() }
    world.mine.rollback()
    #expect(world.box.isDeleted && world.box.managedObjectContext == nil)
  }

  @Test("an unsaved link goes with an object that others have deleted", arguments: bothStores)
  func linkToDeleted(_ kind: StoreKind) throws {
    let container = try Society.container(TestStore(kind))
    let (mine, others) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    let (tag, work) = (try mine.insert("Tag"), try mine.insert("Work"))
    try mine.save()
    // The inverse of the relationship is not in the model, so that the work is not changed.
    let examples = try #require(try tag.value(forKey: "examples") as? ToMany<ManagedObject>)
    examples.insert(work)
    others.delete(try others.existingObject(with: work.objectID))
    try others.save()
    mine.mergeChanges()
    #expect(work.managedObjectContext == nil && examples.map { $0 }.isEmpty)
    #expect(examples.count == 0)
  }

  @Test("a link that others have removed, too, is no change any more", arguments: bothStores)
  func sameRemoval(_ kind: StoreKind) throws {
    let world = try World(kind)
    let tags = try World.tags(of: world.card)
    tags.insert(world.tag)
    try world.mine.save()
    tags.remove(world.tag)
    let theirs = try World.tags(of: world.theirs(world.card))
    theirs.remove(try world.theirs(world.tag))
    try world.others.save()
    #expect(world.mine.hasChanges)
    world.mine.mergeChanges()
    #expect(!world.mine.hasChanges && tags.map { $0 }.isEmpty)
  }

  /// Which ends of a link were read before it is removed and added again.
  enum ReadEnds: CaseIterable, Sendable { case none, first, second, both }

  @Test(
    "a link that was removed and added again goes with its object, which others have deleted",
    arguments: bothStores, ReadEnds.allCases)
  func returnedLink(_ kind: StoreKind, _ read: ReadEnds) throws {
    for deletesFirst in [true, false] {
      // The first relationship of each kind of order.
      for (first, second) in [("Card", "Tag"), ("Work", "Tag")] {
        let container =
          try first == "Card"
          ? World(kind).container : Society.container(TestStore(kind))
        let writer = container.makeContext()
        let ends = [try writer.insert(first), try writer.insert(second)]
        try ends[0].setValue([ends[1]], forKey: "tags")
        try writer.save()
        let (mine, others) = (container.makeContext(), container.makeContext())
        mine.automaticallyMergesChanges = true
        let (owner, tag) = (
          try mine.existingObject(with: ends[0].objectID),
          try mine.existingObject(with: ends[1].objectID)
        )
        func keys(_ object: ManagedObject, _ name: String) throws -> [Int64] {
          switch try object.value(forKey: name) {
          case let set as ToMany<ManagedObject>: set.map(\.objectID.key)
          case let list as OrderedToMany<ManagedObject>: list.map(\.objectID.key)
          default: []
          }
        }
        let back = first == "Card" ? "cards" : "works"
        if [.first, .both].contains(read) { _ = try keys(owner, "tags") }
        if [.second, .both].contains(read) { _ = try keys(tag, back) }
        switch try owner.value(forKey: "tags") {
        case let set as ToMany<ManagedObject>:
          set.remove(tag)
          set.insert(tag)
        case let list as OrderedToMany<ManagedObject>:
          list.remove(tag)
          list.append(tag)
        default: Issue.record("no list")
        }
        let (gone, kept) = deletesFirst ? (owner, tag) : (tag, owner)
        others.delete(try others.existingObject(with: gone.objectID))
        try others.save()
        mine.mergeChanges()
        #expect(try keys(kept, deletesFirst ? back : "tags").isEmpty)
        #expect(throws: Never.self, "\(first), \(deletesFirst)") { try mine.save() }
        #expect(!mine.hasChanges && gone.isDeleted)
        #expect(try keys(kept, deletesFirst ? back : "tags").isEmpty)
      }
    }
  }

  @Test(
    "a property that is set back is in conflict no more, and the next merge takes their values",
    arguments: bothStores)
  func setBack(_ kind: StoreKind) throws {
    for savesAgain in [false, true] {
      let world = try World(kind)
      let theirs = try world.theirs(world.card)
      try world.card.setValue(1, forKey: "a")
      try theirs.setValue(2, forKey: "a")
      try world.others.save()
      world.mine.mergeChanges()
      #expect(try world.card.value(of: "a") == 1)
      world.mine.mergeChanges()
      #expect(try world.card.value(of: "a") == 1, "they are in conflict still")
      try world.card.setValue(0, forKey: "a")
      try world.card.setValue(5, forKey: "b")
      if savesAgain {
        try theirs.setValue(3, forKey: "a")
        try world.others.save()
      }
      let changes = world.mine.mergeChanges()
      #expect(changes.refreshed == [world.card])
      #expect(try world.card.value(of: "a") == (savesAgain ? 3 : 2))
      #expect(try world.card.value(of: "b") == 5)
      #expect(world.mine.mergeChanges().isEmpty)
      try world.mine.save()
      let stored = try world.container.makeContext().existingObject(with: world.card.objectID)
      #expect(try stored.value(of: "a") == (savesAgain ? 3 : 2))
      #expect(try stored.value(of: "b") == 5)
    }
  }

  @Test("what is merged from elsewhere is not older than what the container has")
  func elsewhere() throws {
    let test = try TestStore()
    func container() throws -> PersistentContainer {
      try PersistentContainer(model: MergeWorker.binding.get(), store: test.configuration())
    }
    let (here, there) = (try container(), try container())
    let (mine, others) = (here.makeContext(), here.makeContext())
    mine.automaticallyMergesChanges = true
    let box = try mine.insert("Box")
    try mine.save()
    try others.existingObject(with: box.objectID).setValue(1, forKey: "a")
    try others.save()
    let reader = there.runtime.log.addReader()
    let foreign = there.makeContext()
    foreign.delete(try foreign.existingObject(with: box.objectID))
    try foreign.save()
    let commit = try #require(there.runtime.log.take(reader, after: 0).commits.first)
    let changes = try mine.mergeChanges(from: SavedChanges(commit, there.runtime.names))
    #expect(changes.deleted == [box] && box.managedObjectContext == nil)
    #expect(mine.mergeChanges().isEmpty, "the row that was saved before it is merged already")
  }
}
