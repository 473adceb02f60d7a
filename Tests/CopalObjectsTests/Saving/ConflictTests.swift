import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Conflicts")
struct ConflictTests {
  struct Pair {
    let container: PersistentContainer
    let mine: ManagedObjectContext
    let other: ManagedObjectContext
    let painter: Painter
    let theirs: Painter
  }

  private func pair(_ kind: StoreKind) throws -> Pair {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painter = Painter(context: mine, name: "Rosa")
    try mine.save()
    let theirs = try other.existingObject(with: painter.objectID, as: Painter.self)
    return Pair(container: container, mine: mine, other: other, painter: painter, theirs: theirs)
  }

  @Test(
    "a save over another context's save throws both versions and keeps the changes",
    arguments: bothStores)
  func update(_ kind: StoreKind) throws {
    let world = try pair(kind)
    world.theirs.name = "Theirs"
    try world.other.save()
    world.painter.prizes = 3
    let new = Painter(context: world.mine, name: "New")
    let error = #expect(throws: PersistenceError.self) { try world.mine.save() }
    #expect(error?.code == .saveFailed && error?.causeCodes == [.conflict])
    #expect(error?.firstCause?.objectID == world.painter.objectID)
    #expect(error?.firstCause?.expected == "1" && error?.firstCause?.found == "2")
    #expect(world.painter.prizes == 3 && world.painter.isUpdated && new.isInserted)
    #expect(try world.container.makeContext().fetch(Painter.self).map(\.name) == ["Theirs"])
  }

  @Test(
    "after refresh(mergeChanges: true) a save overwrites the other context's values",
    arguments: bothStores)
  func resolved(_ kind: StoreKind) throws {
    let world = try pair(kind)
    (world.theirs.name, world.theirs.email) = ("Theirs", "theirs@example.com")
    try world.other.save()
    (world.painter.name, world.painter.prizes) = ("Mine", 3)
    #expect(throws: PersistenceError.self) { try world.mine.save() }
    try world.mine.refresh(world.painter, mergeChanges: true)
    try world.mine.save()
    let found = try #require(try world.container.makeContext().fetch(Painter.self).first)
    #expect(found.name == "Mine" && found.prizes == 3 && found.email == "theirs@example.com")
  }

  @Test("after a rollback the object has the other context's values", arguments: bothStores)
  func givingIn(_ kind: StoreKind) throws {
    let world = try pair(kind)
    world.theirs.name = "Theirs"
    try world.other.save()
    world.painter.name = "Mine"
    #expect(throws: PersistenceError.self) { try world.mine.save() }
    world.mine.rollback()
    world.mine.refreshAllObjects()
    #expect(world.painter.name == "Theirs")
    world.painter.prizes = 1
    try world.mine.save()
  }

  @Test("deleting an object that another context has changed is a conflict", arguments: bothStores)
  func deleteOverUpdate(_ kind: StoreKind) throws {
    let world = try pair(kind)
    world.theirs.name = "Theirs"
    try world.other.save()
    world.mine.delete(world.painter)
    let error = #expect(throws: PersistenceError.self) { try world.mine.save() }
    #expect(error?.causeCodes == [.conflict] && world.painter.isDeleted)
    try world.mine.refresh(world.painter, mergeChanges: true)
    try world.mine.save()
    #expect(try world.other.count(Painter.self) == 0)
  }

  @Test(
    "changing an object that another context has deleted is a conflict until it is deleted here",
    arguments: bothStores)
  func updateOverDelete(_ kind: StoreKind) throws {
    let world = try pair(kind)
    world.other.delete(world.theirs)
    try world.other.save()
    world.painter.name = "Mine"
    let error = #expect(throws: PersistenceError.self) { try world.mine.save() }
    #expect(error?.causeCodes == [.deletedElsewhere])
    #expect(error?.firstCause?.expected == "1" && error?.firstCause?.found == nil)
    #expect(world.painter.name == "Mine")
    #expect(throws: PersistenceError.self) { try world.mine.save() }
    world.mine.delete(world.painter)
    try world.mine.save()
    #expect(!world.mine.hasChanges && world.painter.isDeleted)
  }

  @Test(
    "deleting an object that another context has deleted succeeds, at the latest at the second save",
    arguments: bothStores)
  func deleteOverDelete(_ kind: StoreKind) throws {
    let world = try pair(kind)
    world.other.delete(world.theirs)
    try world.other.save()
    world.mine.delete(world.painter)
    do {
      try world.mine.save()
    } catch let error as PersistenceError {
      #expect(error.causeCodes == [.deletedElsewhere])
      try world.mine.save()
    }
    #expect(!world.mine.hasChanges && world.painter.managedObjectContext == nil)
  }

  @Test("the error of a save names every conflict", arguments: bothStores)
  func several(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painters = (0..<4).map { Painter(context: mine, name: "Painter \($0)") }
    try mine.save()
    for painter in try other.fetch(Painter.self, limit: 3) { painter.prizes = 1 }
    try other.save()
    for painter in painters { painter.prizes = 2 }
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.causeCodes == [.conflict, .conflict, .conflict])
    #expect(
      Set(error?.causes.compactMap { ($0 as? PersistenceError)?.objectID } ?? [])
        == Set(painters.prefix(3).map(\.objectID)))
  }

  @Test("saving after own saves and refreshes is not a conflict", arguments: bothStores)
  func own(_ kind: StoreKind) throws {
    let world = try pair(kind)
    for round in 1...5 {
      world.painter.prizes = Int16(round)
      try world.mine.save()
      world.theirs.email = "\(round)@example.com"
      try world.other.refresh(world.theirs, mergeChanges: true)
      try world.other.save()
      try world.mine.refresh(world.painter, mergeChanges: true)
      #expect(world.painter.email == "\(round)@example.com")
    }
  }

  // Random interleavings compared with a model: a save succeeds exactly when no other context has
  // saved the row since it was read, and then the store has the written values.
  @Test("no update is lost in random schedules of several contexts", arguments: bothStores)
  func schedules(_ kind: StoreKind) throws {
    var random = SplitMix(seed: 16)
    for _ in 0..<60 {
      let container = try TestStore(kind).atelier()
      let contexts = [container.makeContext(), container.makeContext()]
      let id = {
        let painter = Painter(context: contexts[0], name: "Rosa")
        return { painter.objectID }
      }()
      try contexts[0].save()
      let painters = try contexts.map { try $0.existingObject(with: id(), as: Painter.self) }
      var stored = (version: 1, prizes: Int16(0))
      var read = [1, 1]
      var written: Int16 = 0
      for _ in 0..<20 {
        let who = Int.random(in: 0..<2, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          try contexts[who].refresh(painters[who], mergeChanges: Bool.random(using: &random))
          _ = painters[who].name
          read[who] = stored.version
        default:
          written += 1
          painters[who].prizes = written
          let succeeds = read[who] == stored.version
          do {
            try contexts[who].save()
            #expect(succeeds)
            stored = (stored.version + 1, written)
            read[who] = stored.version
          } catch let error as PersistenceError {
            #expect(!succeeds && error.causeCodes == [.conflict])
            #expect(error.firstCause?.found == "\(stored.version)")
          }
        }
        let found = try container.makeContext().fetch(Painter.self)
        #expect(found.map(\.prizes) == [stored.prizes])
      }
    }
  }

  @Test(
    "of many deletions, one of an object that another context has changed is named, and none is done",
    arguments: bothStores, [0, 99, 100, 249])
  func manyDeletions(_ kind: StoreKind, _ position: Int) throws {
    let container = try TestStore(kind).atelier()
    let (mine, theirs) = (container.makeContext(), container.makeContext())
    for number in 0..<250 { _ = Painter(context: theirs, name: "\(number)") }
    try theirs.save()
    let painters = try mine.fetch(Painter.self)
    try theirs.fetch(Painter.self)[position].prizes = 2
    try theirs.save()
    for painter in painters { mine.delete(painter) }
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.causeCodes == [.conflict])
    #expect(error?.firstCause?.objectID == painters[position].objectID)
    #expect(try theirs.count(Painter.self) == 250)
    // The rows have two versions now.
    try mine.refresh(painters[position], mergeChanges: false)
    mine.delete(painters[position])
    try mine.save()
    #expect(try theirs.count(Painter.self) == 0)
  }
}
