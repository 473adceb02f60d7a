import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// The table of `Docs/Conflicts.md`: what each policy does with each conflict.
@Suite("Merge policies", .modelAsIs)
struct MergePolicyTests {
  static let text = """
    { "copal": 1, "model": "Policies", "entities": {
      "Item": {
        "attributes": {
          "code": "string?", "name": "string?", "count": { "type": "integer", "default": 0, "maximum": 100 },
          "stamp": { "type": "uuid", "default": "new" } },
        "relationships": {
          "shelf": { "type": "Shelf?", "inverse": "items" },
          "partner": { "type": "Item?", "inverse": "partnerOf" },
          "partnerOf": { "type": "Item?", "inverse": "partner" },
          "tags": { "type": "[Tag]", "inverse": "items" },
          "parts": { "type": "[Part]", "inverse": "item", "delete": "cascade" } },
        "unique": ["code"] },
      "Part": {
        "attributes": { "name": "string?" },
        "relationships": { "item": { "type": "Item", "inverse": "parts" } } },
      "Shelf": {
        "attributes": { "name": "string?" },
        "relationships": {
          "items": { "type": "[Item]", "ordered": true, "inverse": "shelf" },
          "locks": { "type": "[Lock]", "inverse": "shelf", "delete": "deny" },
          "boxes": { "type": "[Box]", "inverse": "shelf", "maximum": 2 } } },
      "Lock": { "relationships": { "shelf": { "type": "Shelf?", "inverse": "locks" } } },
      "Box": { "relationships": { "shelf": { "type": "Shelf?", "inverse": "boxes" } } },
      "Tag": {
        "attributes": { "name": "string?" },
        "relationships": { "items": { "type": "[Item]", "inverse": "tags" } } } } }
    """

  enum Policy: String, CaseIterable, Sendable {
    case error, store, object, overwrite, rollback

    var value: MergePolicy {
      switch self {
      case .error: .error
      case .store: .mergeByPropertyStoreTrump
      case .object: .mergeByPropertyObjectTrump
      case .overwrite: .overwrite
      case .rollback: .rollback
      }
    }
  }

  struct World {
    let container: PersistentContainer
    let mine: ManagedObjectContext
    let theirs: ManagedObjectContext

    init(_ kind: StoreKind, _ policy: MergePolicy) throws {
      let test = try TestStore(kind)
      // Many writers, on a machine that does other things: SQLite gives its lock to anyone.
      let options = SQLiteStore.Options(busyTimeoutSeconds: 60)
      container = try PersistentContainer(
        model: ModelBinding(ManagedObjectModel(json: MergePolicyTests.text, file: "Policies")),
        store: test.configuration(options))
      (mine, theirs) = (container.makeContext(), container.makeContext())
      mine.mergePolicy = policy
    }

    /// An object that both contexts have read.
    func both(_ entity: String, _ values: [String: Any] = [:]) throws -> (
      ManagedObject, ManagedObject
    ) {
      let object = try mine.insert(entity)
      for (name, value) in values { try object.setValue(value, forKey: name) }
      try mine.save()
      let other = try theirs.existingObject(with: object.objectID)
      // Both have read its lists, too.
      _ = try (object.shown(), other.shown())
      return (object, other)
    }

    /// What the save throws: the codes of its causes.
    func save() throws -> [PersistenceError.Code] {
      do {
        let report = try mine.save()
        #expect(!mine.hasChanges, "nothing is left")
        #expect(try mine.rowDifferences(from: container) == [])
        #expect(report.resolved.isEmpty == false)
        return []
      } catch let error as PersistenceError where error.code == .saveFailed {
        return error.causeCodes
      }
    }

    /// A value as a new context reads it.
    func stored(_ object: ManagedObject, _ name: String) throws -> String {
      let fresh = container.makeContext()
      guard let found = try? fresh.existingObject(with: object.objectID) else { return "gone" }
      return try found.shown()[name] ?? "?"
    }
  }

  private func forEach(
    _ policy: Policy, _ body: (World) throws -> Void
  ) throws {
    for kind in bothStores { try body(World(kind, policy.value)) }
  }

  // MARK: Changed on both sides

  @Test("changed there: other properties", arguments: Policy.allCases)
  func otherProperties(_ policy: Policy) throws {
    try forEach(policy) { world in
      let (mine, theirs) = try world.both("Item", ["name": "a", "count": 1])
      try theirs.setValue("b", forKey: "name")
      try world.theirs.save()
      try mine.setValue(2, forKey: "count")
      let codes = try world.save()
      let (name, count) = (try world.stored(mine, "name"), try world.stored(mine, "count"))
      switch policy {
      case .error: #expect(codes == [.conflict] && name == "b" && count == "1")
      case .store, .object: #expect(codes == [] && name == "b" && count == "2")
      case .overwrite: #expect(codes == [] && name == "a" && count == "2")
      case .rollback: #expect(codes == [] && name == "b" && count == "1")
      }
    }
  }

  @Test("changed there: the same property, and another one of each", arguments: Policy.allCases)
  func sameProperty(_ policy: Policy) throws {
    try forEach(policy) { world in
      let (mine, theirs) = try world.both("Item", ["name": "a", "count": 1])
      try theirs.setValue("theirs", forKey: "name")
      try world.theirs.save()
      try mine.setValue("mine", forKey: "name")
      try mine.setValue(2, forKey: "count")
      let codes = try world.save()
      let values = [try world.stored(mine, "name"), try world.stored(mine, "count")]
      switch policy {
      case .error:
        #expect(codes == [.conflict] && values == ["theirs", "1"])
        #expect(try mine.value(of: "name") == "mine" && mine.hasChanges)
      case .store: #expect(codes == [] && values == ["theirs", "2"])
      case .object, .overwrite: #expect(codes == [] && values == ["mine", "2"])
      case .rollback: #expect(codes == [] && values == ["theirs", "1"])
      }
      if policy != .error { #expect(try mine.value(of: "name") == values[0]) }
    }
  }

  @Test("a to-one relationship, with the lists at its other end", arguments: Policy.allCases)
  func toOne(_ policy: Policy) throws {
    try forEach(policy) { world in
      let shelves = try (0..<3).map { _ in try world.both("Shelf") }
      let (mine, theirs) = try world.both("Item", ["shelf": shelves[0].0])
      for (shelf, _) in shelves {
        try (shelf.value(forKey: "items") as? OrderedToMany<ManagedObject>)?.load()
      }
      try theirs.setValue(shelves[1].1, forKey: "shelf")
      try world.theirs.save()
      try mine.setValue(shelves[2].0, forKey: "shelf")
      let codes = try world.save()
      let shelf = try world.stored(mine, "shelf")
      switch policy {
      case .error: #expect(codes == [.conflict] && shelf == "Shelf2")
      case .store, .rollback: #expect(codes == [] && shelf == "Shelf2")
      case .object, .overwrite: #expect(codes == [] && shelf == "Shelf3")
      }
    }
  }

  @Test("a one-to-one pair stays a pair", arguments: Policy.allCases)
  func pairs(_ policy: Policy) throws {
    try forEach(policy) { world in
      let items = try (0..<4).map { _ in try world.both("Item") }
      try items[0].0.setValue(items[1].0, forKey: "partner")
      try world.mine.save()
      for (_, theirs) in items { try world.theirs.refresh(theirs, mergeChanges: true) }
      try items[0].1.setValue(items[2].1, forKey: "partner")
      try world.theirs.save()
      try items[0].0.setValue(items[3].0, forKey: "partner")
      let codes = try world.save()
      let partner = try world.stored(items[0].0, "partner")
      let back = try items.map { try world.stored($0.0, "partnerOf") }
      switch policy {
      case .error: #expect(codes.contains(.conflict) && partner == "Item3")
      case .store, .rollback:
        #expect(codes == [] && partner == "Item3" && back == ["nil", "nil", "Item1", "nil"])
      case .object, .overwrite:
        #expect(codes == [] && partner == "Item4" && back == ["nil", "nil", "nil", "Item1"])
      }
    }
  }

  // MARK: Deletions

  @Test("deleted there, changed here", arguments: Policy.allCases)
  func deletedThere(_ policy: Policy) throws {
    try forEach(policy) { world in
      let (mine, theirs) = try world.both("Item", ["name": "a", "count": 1])
      let version = theirs.row?.version
      world.theirs.delete(theirs)
      try world.theirs.save()
      try mine.setValue(2, forKey: "count")
      let codes = try world.save()
      let name = try world.stored(mine, "name")
      switch policy {
      case .error: #expect(codes == [.deletedElsewhere] && name == "gone")
      case .store, .object, .rollback:
        #expect(codes == [] && name == "gone")
        #expect(mine.isDeleted && mine.managedObjectContext == nil)
      case .overwrite:
        #expect(codes == [] && name == "a" && !mine.isDeleted)
        // A context that had read the former row finds the conflict.
        let again = try #require(mine.row?.version)
        #expect(again > (version ?? 0) + 1000)
      }
    }
  }

  @Test("deleted here, changed there", arguments: Policy.allCases)
  func deletedHere(_ policy: Policy) throws {
    try forEach(policy) { world in
      let (mine, theirs) = try world.both("Item", ["name": "a"])
      try theirs.setValue("b", forKey: "name")
      try world.theirs.save()
      world.mine.delete(mine)
      let codes = try world.save()
      let name = try world.stored(mine, "name")
      switch policy {
      case .error, .rollback:
        #expect(codes == [.conflict] && name == "b" && mine.isDeleted)
      case .store, .object, .overwrite: #expect(codes == [] && name == "gone")
      }
    }
  }

  @Test("deleted here, deleted there", arguments: Policy.allCases)
  func deletedTwice(_ policy: Policy) throws {
    try forEach(policy) { world in
      let (mine, theirs) = try world.both("Item")
      world.theirs.delete(theirs)
      try world.theirs.save()
      world.mine.delete(mine)
      let codes = try world.save()
      #expect(codes == (policy == .error ? [.deletedElsewhere] : []))
      #expect(try world.stored(mine, "name") == "gone")
    }
  }

  // MARK: Unique values

  @Test("unique: new here, stored there", arguments: Policy.allCases, [false, true])
  func uniqueNew(_ policy: Policy, _ isKnown: Bool) throws {
    try forEach(policy) { world in
      let (_, shelf) = try world.both("Shelf")
      let theirs = try world.theirs.insert("Item")
      for (name, value) in ["code": "x", "name": "theirs"] {
        try theirs.setValue(value, forKey: name)
      }
      try theirs.setValue(shelf, forKey: "shelf")
      try world.theirs.save()
      let known = isKnown ? try world.mine.existingObject(with: theirs.objectID) : nil
      let stamp = try world.stored(theirs, "stamp")
      let mine = try world.mine.insert("Item")
      let temporary = mine.objectID
      try mine.setValue("x", forKey: "code")
      try mine.setValue(5, forKey: "count")
      let part = try world.mine.insert("Part")
      try part.setValue(mine, forKey: "item")
      let tag = try world.mine.insert("Tag")
      try tag.setValue([mine], forKey: "items")
      let codes = try world.save()
      if policy == .error {
        #expect(codes == [.uniqueConflict] && mine.isInserted)
        return
      }
      #expect(codes == [])
      let object = try world.mine.existingObject(with: temporary)
      #expect(object.objectID == theirs.objectID, "its temporary id finds the other")
      if let known {
        #expect(object === known && mine.isDeleted && mine.managedObjectContext == nil)
      } else {
        #expect(object === mine && !mine.isDeleted && !mine.isInserted)
      }
      #expect(
        try world.stored(theirs, "parts") == "Part1" && world.stored(theirs, "tags") == "Tag1")
      let values = try ["name", "count", "shelf", "stamp"].map { try world.stored(theirs, $0) }
      switch policy {
      case .error: break
      case .store, .rollback: #expect(values == ["theirs", "0", "Shelf1", stamp])
      case .object: #expect(values == ["theirs", "5", "Shelf1", stamp])
      case .overwrite: #expect(Array(values[..<3]) == ["nil", "5", "nil"])
      }
      #expect(
        try world.container.makeContext().count(FetchRequest<ManagedObject>(entityName: "Item"))
          == 1)
    }
  }

  @Test("unique: changed here, stored there", arguments: Policy.allCases)
  func uniqueChanged(_ policy: Policy) throws {
    try forEach(policy) { world in
      let (mine, _) = try world.both("Item", ["code": "a", "name": "1"])
      let theirs = try world.theirs.insert("Item")
      try theirs.setValue("x", forKey: "code")
      try world.theirs.save()
      try mine.setValue("x", forKey: "code")
      try mine.setValue("2", forKey: "name")
      let codes = try world.save()
      let values = [try world.stored(mine, "code"), try world.stored(mine, "name")]
      switch policy {
      case .error, .object, .overwrite:
        #expect(codes == [.uniqueConflict] && values == ["a", "1"])
        #expect(try mine.value(of: "code") == "x" && mine.value(of: "name") == "2")
      case .store: #expect(codes == [] && values == ["a", "2"])
      case .rollback: #expect(codes == [] && values == ["a", "1"])
      }
    }
  }

  @Test("unique: two objects of one save", arguments: Policy.allCases)
  func uniqueTwice(_ policy: Policy) throws {
    try forEach(policy) { world in
      let (first, second) = (try world.mine.insert("Item"), try world.mine.insert("Item"))
      for (object, name) in [(first, "first"), (second, "second")] {
        try object.setValue("x", forKey: "code")
        try object.setValue(name, forKey: "name")
        let part = try world.mine.insert("Part")
        try part.setValue(object, forKey: "item")
      }
      let id = second.objectID
      let codes = try world.save()
      let winner = policy == .object || policy == .overwrite ? second : first
      if policy == .error {
        #expect(codes == [.uniqueConflict])
        return
      }
      let loser = winner === first ? second : first
      #expect(codes == [] && loser.isDeleted && loser.managedObjectContext == nil)
      #expect(try world.stored(winner, "name") == (winner === first ? "first" : "second"))
      #expect(try world.stored(winner, "parts") == "Part1 Part2", "children move to it")
      #expect(try world.mine.existingObject(with: id) === winner)
    }
  }

  // MARK: References

  @Test("my to-one leads to a row that was deleted there", arguments: Policy.allCases)
  func missingOptional(_ policy: Policy) throws {
    try forEach(policy) { world in
      let (shelf, theirShelf) = try world.both("Shelf")
      let (mine, _) = try world.both("Item")
      world.theirs.delete(theirShelf)
      try world.theirs.save()
      try mine.setValue(shelf, forKey: "shelf")
      try mine.setValue("kept", forKey: "name")
      let new = try world.mine.insert("Item")
      try new.setValue(shelf, forKey: "shelf")
      let codes = try world.save()
      if policy == .error {
        #expect(codes == [.missingReference, .missingReference])
        return
      }
      #expect(codes == [] && !new.isInserted)
      #expect(try world.stored(mine, "shelf") == "nil" && world.stored(mine, "name") == "kept")
      #expect(try world.stored(new, "shelf") == "nil")
    }
  }

  @Test("the same, required", arguments: Policy.allCases, [false, true])
  func missingRequired(_ policy: Policy, _ isNew: Bool) throws {
    try forEach(policy) { world in
      let (first, _) = try world.both("Item")
      let (item, theirItem) = try world.both("Item")
      let part = isNew ? try world.mine.insert("Part") : try world.both("Part", ["item": first]).0
      world.theirs.delete(theirItem)
      try world.theirs.save()
      try part.setValue(item, forKey: "item")
      let codes = try world.save()
      if policy == .rollback, !isNew {
        #expect(codes == [])
        #expect(try world.stored(part, "item") == "Item1")
      } else {
        #expect(codes == [.missingReference] && part.hasChanges)
      }
    }
  }

  @Test("my link leads to a row that was deleted there", arguments: Policy.allCases)
  func missingLink(_ policy: Policy) throws {
    try forEach(policy) { world in
      let (mine, _) = try world.both("Item")
      let (tag, theirTag) = try world.both("Tag")
      let (other, _) = try world.both("Tag")
      world.theirs.delete(theirTag)
      try world.theirs.save()
      try mine.setValue([tag, other], forKey: "tags")
      let codes = try world.save()
      #expect(codes == (policy == .error ? [.missingReference] : []))
      #expect(try world.stored(mine, "tags") == (policy == .error ? "" : "Tag2"))
    }
  }

  @Test("I delete what a row there refers to since", arguments: Policy.allCases)
  func newcomers(_ policy: Policy) throws {
    try forEach(policy) { world in
      let (shelf, theirShelf) = try world.both("Shelf")
      let (item, theirItem) = try world.both("Item")
      try theirItem.setValue(theirShelf, forKey: "shelf")
      let unread = try world.theirs.insert("Item")
      try unread.setValue(theirShelf, forKey: "shelf")
      try world.theirs.save()
      world.mine.delete(shelf)
      let codes = try world.save()
      if policy == .error || policy == .rollback {
        #expect(codes == [.stillReferenced])
        return
      }
      #expect(codes == [])
      #expect(try world.stored(item, "shelf") == "nil" && world.stored(unread, "shelf") == "nil")
      #expect(try world.stored(shelf, "name") == "gone")
    }
  }

  @Test("the same, by the rule cascade", arguments: Policy.allCases)
  func newcomersByRule(_ policy: Policy) throws {
    try forEach(policy) { world in
      let (item, theirItem) = try world.both("Item")
      let part = try world.theirs.insert("Part")
      try part.setValue(theirItem, forKey: "item")
      try world.theirs.save()
      world.mine.delete(item)
      let codes = try world.save()
      if policy == .error || policy == .rollback {
        #expect(codes == [.stillReferenced])
        world.mine.rollback()
      } else {
        #expect(codes == [])
        #expect(try world.stored(part, "name") == "gone")
      }
    }
  }

  @Test(
    "the same, by the rule deny: it is denied with every policy, whether the list was read or not",
    arguments: Policy.allCases, [true, false])
  func newcomersDenied(_ policy: Policy, _ isRead: Bool) throws {
    try forEach(policy) { world in
      var shelf = try world.mine.insert("Shelf")
      try world.mine.save()
      if !isRead {
        world.mine.reset()
        shelf = try world.mine.existingObject(with: shelf.objectID)
      }
      let theirShelf = try world.theirs.existingObject(with: shelf.objectID)
      if isRead { _ = try shelf.shown() }
      let lock = try world.theirs.insert("Lock")
      try lock.setValue(theirShelf, forKey: "shelf")
      try world.theirs.save()
      world.mine.delete(shelf)
      let error = #expect(throws: PersistenceError.self) { try world.mine.save() }
      #expect(error?.causeCodes == [.deletionDenied])
      let cause = error?.causes.first as? PersistenceError
      #expect(cause?.property == "locks" && cause?.found == "1")
    }
  }

  @Test(
    "an owner whose members are counted, whether they were read or not", arguments: Policy.allCases,
    [(1, true), (1, false), (2, true), (2, false)])
  func counted(_ policy: Policy, _ others: (added: Int, isRead: Bool)) throws {
    let (added, isRead) = others
    try forEach(policy) { world in
      var (shelf, theirShelf) = try world.both("Shelf")
      if !isRead {
        world.mine.reset()
        shelf = try world.mine.existingObject(with: shelf.objectID)
      }
      for _ in 0..<added {
        try world.theirs.insert("Box").setValue(theirShelf, forKey: "shelf")
      }
      try world.theirs.save()
      let box = try world.mine.insert("Box")
      try box.setValue(shelf, forKey: "shelf")
      let codes = try world.save()
      if policy == .error || policy == .rollback {
        #expect(codes == [.conflict])
      } else if added == 2 {
        #expect(codes == [.tooManyObjects] && box.isInserted)
      } else {
        #expect(codes == [])
        #expect(try world.stored(shelf, "boxes") == "Box1 Box2")
      }
    }
  }

  // MARK: Several conflicts together

  @Test("a changed object whose new owner was deleted there", arguments: Policy.allCases)
  func changedAndMissing(_ policy: Policy) throws {
    try forEach(policy) { world in
      let (shelf, theirShelf) = try world.both("Shelf")
      let (item, theirItem) = try world.both("Item", ["name": "a"])
      try theirItem.setValue("b", forKey: "name")
      world.theirs.delete(theirShelf)
      try world.theirs.save()
      try item.setValue(shelf, forKey: "shelf")
      try item.setValue(7, forKey: "count")
      let codes = try world.save()
      let values = try ["name", "count", "shelf"].map { try world.stored(item, $0) }
      switch policy {
      case .error: #expect(Set(codes) == [.conflict, .missingReference])
      case .store, .object: #expect(codes == [] && values == ["b", "7", "nil"])
      case .overwrite: #expect(codes == [] && values == ["a", "7", "nil"])
      case .rollback: #expect(codes == [] && values == ["b", "0", "nil"])
      }
    }
  }

  @Test("their owner wins, and mine was deleted there: theirs stays", arguments: bothStores)
  func winnerStays(_ kind: StoreKind) throws {
    let world = try World(kind, .mergeByPropertyStoreTrump)
    let (first, theirFirst) = try world.both("Shelf")
    let (_, theirSecond) = try world.both("Shelf")
    let (item, theirItem) = try world.both("Item")
    try theirItem.setValue(theirSecond, forKey: "shelf")
    world.theirs.delete(theirFirst)
    try world.theirs.save()
    try item.setValue(first, forKey: "shelf")
    try item.setValue("kept", forKey: "name")
    #expect(try world.save() == [])
    #expect(try world.stored(item, "shelf") == "Shelf2" && world.stored(item, "name") == "kept")
  }

  @Test("a new object becomes a stored one, and its owner was deleted there", arguments: bothStores)
  func becomesWithoutOwner(_ kind: StoreKind) throws {
    let world = try World(kind, .mergeByPropertyObjectTrump)
    let (shelf, theirShelf) = try world.both("Shelf")
    let theirs = try world.theirs.insert("Item")
    try theirs.setValue("x", forKey: "code")
    world.theirs.delete(theirShelf)
    try world.theirs.save()
    let mine = try world.mine.insert("Item")
    for (name, value) in ["code": "x", "name": "mine"] { try mine.setValue(value, forKey: name) }
    try mine.setValue(shelf, forKey: "shelf")
    #expect(try world.save() == [])
    #expect(try world.stored(theirs, "name") == "mine" && world.stored(theirs, "shelf") == "nil")
  }

  @Test("several links to one object that was deleted there", arguments: bothStores)
  func severalLinks(_ kind: StoreKind) throws {
    let world = try World(kind, .mergeByPropertyStoreTrump)
    let items = try (0..<3).map { _ in try world.both("Item") }
    let (tag, theirTag) = try world.both("Tag")
    world.theirs.delete(theirTag)
    try world.theirs.save()
    for (item, _) in items { try item.setValue([tag], forKey: "tags") }
    #expect(try world.save() == [])
    for (item, _) in items { #expect(try world.stored(item, "tags") == "") }
  }

  @Test("an object that leaves takes its links along", arguments: bothStores)
  func leavesWithLinks(_ kind: StoreKind) throws {
    let world = try World(kind, .mergeByPropertyObjectTrump)
    let (item, theirItem) = try world.both("Item")
    let (tag, _) = try world.both("Tag")
    world.theirs.delete(theirItem)
    try world.theirs.save()
    try item.setValue(3, forKey: "count")
    try item.setValue([tag], forKey: "tags")
    #expect(try world.save() == [])
    #expect(item.managedObjectContext == nil)
    #expect(try world.stored(tag, "items") == "")
  }

  @Test("an object that comes back has what this save gives it", arguments: bothStores)
  func comesBack(_ kind: StoreKind) throws {
    let world = try World(kind, .overwrite)
    let (item, theirItem) = try world.both("Item", ["name": "a"])
    let (tag, _) = try world.both("Tag")
    let version = try #require(item.row?.version)
    world.theirs.delete(theirItem)
    try world.theirs.save()
    try item.setValue(2, forKey: "count")
    let shelf = try world.mine.insert("Shelf")
    try item.setValue(shelf, forKey: "shelf")
    let part = try world.mine.insert("Part")
    try part.setValue(item, forKey: "item")
    try item.setValue([tag], forKey: "tags")
    #expect(try world.save() == [])
    let values = try ["name", "count", "shelf", "parts", "tags"].map { try world.stored(item, $0) }
    #expect(values == ["a", "2", "Shelf1", "Part1", "Tag1"])
    // Also a row that refers to a new object.
    #expect(try #require(item.row?.version) > version + 1000)
  }

  @Test("five new objects of one save with one value", arguments: Policy.allCases, [false, true])
  func manyAlike(_ policy: Policy, _ isStored: Bool) throws {
    try forEach(policy) { world in
      if isStored {
        let theirs = try world.theirs.insert("Item")
        try theirs.setValue("x", forKey: "code")
        try world.theirs.save()
      }
      let items = try (0..<5).map { number in
        let item = try world.mine.insert("Item")
        try item.setValue("x", forKey: "code")
        try item.setValue("\(number)", forKey: "name")
        let part = try world.mine.insert("Part")
        try part.setValue(item, forKey: "item")
        return item
      }
      let ids = items.map(\.objectID)
      let codes = try world.save()
      if policy == .error { return #expect(Set(codes) == [.uniqueConflict]) }
      #expect(codes == [])
      let fresh = world.container.makeContext()
      let all = try fresh.fetch(FetchRequest<ManagedObject>(entityName: "Item"))
      #expect(all.count == 1)
      let parts = try all.first?.value(forKey: "parts") as? ToMany<ManagedObject>
      #expect(parts?.count == 5)
      // Each temporary id finds the one that is left.
      for id in ids { #expect(try world.mine.existingObject(with: id).key == all.first?.key) }
      #expect(items.filter { $0.managedObjectContext != nil }.count == 1)
      withExtendedLifetime(fresh) {}
      if !isStored {
        let name: String? = try all.first?.value(of: "name")
        #expect(name == (policy == .store || policy == .rollback ? "0" : "4"))
      }
    }
  }

  @Test("a new object with a partner becomes a stored one with another", arguments: Policy.allCases)
  func pairBecomes(_ policy: Policy) throws {
    try forEach(policy) { world in
      let theirs = try (world.theirs.insert("Item"), world.theirs.insert("Item"))
      try theirs.0.setValue("x", forKey: "code")
      try theirs.0.setValue(theirs.1, forKey: "partner")
      try world.theirs.save()
      let mine = try (world.mine.insert("Item"), world.mine.insert("Item"))
      try mine.0.setValue("x", forKey: "code")
      try mine.0.setValue(mine.1, forKey: "partner")
      let codes = try world.save()
      if policy == .error { return #expect(codes == [.uniqueConflict]) }
      #expect(codes == [])
      let isMine = policy == .object || policy == .overwrite
      #expect(try world.stored(theirs.0, "partner") == (isMine ? "Item3" : "Item2"))
      #expect(try world.stored(theirs.1, "partnerOf") == (isMine ? "nil" : "Item1"))
      #expect(try world.stored(mine.1, "partnerOf") == (isMine ? "Item1" : "nil"))
    }
  }

  @Test("an unchanged partner is not written again by overwrite", arguments: bothStores)
  func unchangedPartner(_ kind: StoreKind) throws {
    let world = try World(kind, .overwrite)
    let items = try (0..<3).map { _ in try world.both("Item") }
    try items[0].0.setValue(items[1].0, forKey: "partner")
    try world.mine.save()
    for (_, theirs) in items { try world.theirs.refresh(theirs, mergeChanges: true) }
    try items[0].1.setValue(items[2].1, forKey: "partner")
    try world.theirs.save()
    try items[0].0.setValue("a", forKey: "name")
    #expect(try world.save() == [])
    #expect(try world.stored(items[0].0, "partner") == "Item3")
    #expect(try world.stored(items[2].0, "partnerOf") == "Item1")
  }

  @Test("children that move to the stored object are counted", arguments: Policy.allCases)
  func countedAfterBecoming(_ policy: Policy) throws {
    try forEach(policy) { world in
      // At most two boxes on a shelf: one there, one of mine, and two more of mine.
      let (shelf, theirShelf) = try world.both("Shelf")
      try world.theirs.insert("Box").setValue(theirShelf, forKey: "shelf")
      try theirShelf.setValue("changed", forKey: "name")
      try world.theirs.save()
      for _ in 0..<2 { try world.mine.insert("Box").setValue(shelf, forKey: "shelf") }
      try shelf.setValue("mine", forKey: "name")
      let codes = try world.save()
      if policy == .error || policy == .rollback {
        #expect(codes == [.conflict])
      } else {
        #expect(codes == [.tooManyObjects])
        #expect(try shelf.value(of: "name") == "mine")
      }
    }
  }

  @Test("a changed object against one that this save writes, too", arguments: Policy.allCases)
  func uniqueAgainstWritten(_ policy: Policy) throws {
    try forEach(policy) { world in
      let (mine, _) = try world.both("Item", ["code": "a", "name": "1"])
      let (other, theirOther) = try world.both("Item", ["code": "b"])
      try theirOther.setValue("x", forKey: "code")
      try world.theirs.save()
      try mine.setValue("x", forKey: "code")
      try mine.setValue("2", forKey: "name")
      try other.setValue("too", forKey: "name")
      let codes = try world.save()
      let values = [try world.stored(mine, "code"), try world.stored(mine, "name")]
      switch policy {
      case .error: #expect(Set(codes) == [.conflict, .uniqueConflict])
      case .store: #expect(codes == [] && values == ["a", "2"])
      case .rollback: #expect(codes == [] && values == ["a", "1"])
      case .object: #expect(codes == [.uniqueConflict])
      // Its whole row, so also its former code: the value is free.
      case .overwrite: #expect(codes == [] && values == ["x", "2"])
      }
    }
  }

  @Test("members that moved away from an owner that was deleted there", arguments: Policy.allCases)
  func countedOwnerGone(_ policy: Policy) throws {
    for kind in bothStores {
      let test = try TestStore(kind)
      let container = try PersistentContainer(
        model: ModelBinding(
          ManagedObjectModel(
            json: """
              { "copal": 1, "model": "Teams", "entities": {
                "Team": { "attributes": { "name": "string?" }, "relationships": {
                  "players": { "type": "[Player]", "inverse": "team", "minimum": 1 } } },
                "Player": { "attributes": { "name": "string?" }, "relationships": {
                  "team": { "type": "Team?", "inverse": "players" } } } } }
              """, file: "Teams")), store: test.configuration())
      let (mine, theirs) = (container.makeContext(), container.makeContext())
      mine.mergePolicy = policy.value
      let (team, other) = (try mine.insert("Team"), try mine.insert("Team"))
      let (player, second) = (try mine.insert("Player"), try mine.insert("Player"))
      try player.setValue(team, forKey: "team")
      try second.setValue(other, forKey: "team")
      try mine.save()
      _ = try (team.shown(), other.shown())
      let theirPlayer = try theirs.existingObject(with: player.objectID)
      try theirPlayer.setValue(theirs.existingObject(with: other.objectID), forKey: "team")
      theirs.delete(try theirs.existingObject(with: team.objectID))
      try theirs.save()
      try player.setValue("changed", forKey: "name")
      if policy == .error {
        #expect(throws: PersistenceError.self) { try mine.save() }
      } else {
        try mine.save()
        let fresh = container.makeContext()
        // By `.overwrite`, its whole row is mine, and my team is gone.
        let team = policy == .overwrite ? "nil" : "Team2"
        #expect(try fresh.existingObject(with: player.objectID).shown()["team"] == team)
      }
    }
  }

  @Test(
    "both sides have done the same: that is no conflict", arguments: bothStores, Policy.allCases)
  func same(_ kind: StoreKind, _ policy: Policy) throws {
    if policy == .error { return }
    let world = try World(kind, policy.value)
    let (mine, theirs) = try world.both("Item", ["name": "a"])
    try theirs.setValue("b", forKey: "name")
    try theirs.setValue(3, forKey: "count")
    try world.theirs.save()
    try mine.setValue("b", forKey: "name")
    #expect(try world.save() == [])
    #expect(try world.stored(mine, "count") == "3" && mine.value(of: "count") == 3)
  }

  @Test("a deep cascade reaches what others have added at each level", arguments: bothStores)
  func deepCascade(_ kind: StoreKind) throws {
    let test = try TestStore(kind)
    let container = try PersistentContainer(
      model: ModelBinding(
        ManagedObjectModel(
          json: """
            { "copal": 1, "model": "Tree", "entities": { "Node": {
              "attributes": { "name": "string?" },
              "relationships": { "parent": { "type": "Node?", "inverse": "children" },
                "children": { "type": "[Node]", "inverse": "parent", "delete": "cascade" } } } } }
            """, file: "Tree")), store: test.configuration())
    let (mine, theirs) = (container.makeContext(), container.makeContext())
    mine.mergePolicy = .mergeByPropertyObjectTrump
    let root = try mine.insert("Node")
    try mine.save()
    _ = try root.shown()
    var parent = try theirs.existingObject(with: root.objectID)
    for _ in 0..<6 {
      let child = try theirs.insert("Node")
      try child.setValue(parent, forKey: "parent")
      parent = child
    }
    try theirs.save()
    mine.delete(root)
    try mine.save()
    #expect(try container.makeContext().count(FetchRequest<ManagedObject>(entityName: "Node")) == 0)
  }

  // MARK: A policy of the program

  @Test("a custom policy gets values, and gives values", arguments: bothStores)
  func custom(_ kind: StoreKind) throws {
    let seen = Locked<[MergeConflict]>([])
    let world = try World(
      kind,
      .custom { conflict in
        seen.withLock { $0.append(conflict) }
        guard case .integer(let mine)? = conflict.mine?["count"],
          case .integer(let base)? = conflict.base?["count"],
          case .integer(let stored)? = conflict.stored?["count"]
        else { return .refuse }
        return .values(["count": .integer(stored + mine - base)])
      })
    let (mine, theirs) = try world.both("Item", ["name": "a", "count": 10])
    try theirs.setValue(13, forKey: "count")
    try theirs.setValue("b", forKey: "name")
    try world.theirs.save()
    try mine.setValue(12, forKey: "count")
    #expect(try world.save() == [])
    #expect(try world.stored(mine, "count") == "15" && world.stored(mine, "name") == "b")
    let conflict = try #require(seen.withLock { $0.first })
    #expect(conflict.kind == .changed && conflict.objectID == mine.objectID)
    #expect(conflict.changedHere == ["count"] && conflict.changedThere == ["count", "name"])
    #expect(conflict.mine?["name"] == "a" && conflict.stored?["name"] == "b")
    // The rules of the model are checked.
    try theirs.refreshFully(world.theirs)
    try theirs.setValue(99, forKey: "count")
    try world.theirs.save()
    try mine.setValue(30, forKey: "count")
    #expect(try world.save() == [.conflict, .aboveMaximum])
    #expect(try mine.value(of: "count") == 30 && world.stored(mine, "count") == "99")
  }

  @Test(
    "values of a custom policy: not for relationships, nor for a unique conflict",
    arguments: bothStores)
  func customRefused(_ kind: StoreKind) throws {
    let answer = Locked<[String: PropertyValue]>(["shelf": .null])
    let world = try World(kind, .custom { _ in .values(answer.withLock { $0 }) })
    let (mine, theirs) = try world.both("Item", ["code": "a"])
    try theirs.setValue(1, forKey: "count")
    try world.theirs.save()
    try mine.setValue(2, forKey: "count")
    #expect(try world.save() == [.conflict, .notAssignable])
    #expect(try mine.value(of: "count") == 2)
    world.mine.rollback()
    answer.withLock { $0 = ["count": .integer(3)] }
    try world.mine.insert("Item").setValue("a", forKey: "code")
    #expect(try world.save() == [.uniqueConflict])
  }

  @Test("a printed report, conflict or list of them has names and no values", arguments: bothStores)
  func printed(_ kind: StoreKind) throws {
    let seen = Locked<[MergeConflict]>([])
    let world = try World(
      kind,
      .custom { conflict in
        seen.withLock { $0.append(conflict) }
        return .keepMine
      })
    let (mine, theirs) = try world.both("Item", ["name": "geheim"])
    try theirs.setValue("geheim 2", forKey: "name")
    try theirs.setValue(7, forKey: "count")
    try world.theirs.save()
    try mine.setValue("geheim 3", forKey: "name")
    let report = try world.mine.save()
    let conflict = try #require(seen.withLock { $0.first })
    let id = mine.objectID
    #expect("\(conflict)" == "\(id): changed; changed here: name; changed there: count, name")
    #expect("\(report)" == "\(id): changed, written")
    #expect("\(report.resolved)" == "[\(id): changed, written]")
    #expect(!String(reflecting: report.resolved).contains("geheim"))
  }

  @Test("what a custom policy throws is a cause of the error", arguments: bothStores)
  func customThrows(_ kind: StoreKind) throws {
    struct Undecided: Error {}
    let world = try World(kind, .custom { _ in throw Undecided() })
    let (mine, theirs) = try world.both("Item")
    try theirs.setValue("b", forKey: "name")
    try world.theirs.save()
    try mine.setValue("a", forKey: "name")
    let error = #expect(throws: PersistenceError.self) { try world.mine.save() }
    #expect(error?.causes.contains { $0 is Undecided } == true)
  }

  // MARK: What a refusal leaves

  @Test("a save that fails in a later attempt leaves everything as it was", arguments: bothStores)
  func refusedLater(_ kind: StoreKind) throws {
    let world = try World(kind, .mergeByPropertyObjectTrump)
    let (first, theirFirst) = try world.both("Item", ["code": "a", "name": "1"])
    let (second, _) = try world.both("Item", ["code": "b", "name": "1"])
    try theirFirst.setValue("theirs", forKey: "name")
    let taken = try world.theirs.insert("Item")
    try taken.setValue("x", forKey: "code")
    try world.theirs.save()
    // The first conflict can be resolved, the second one cannot.
    try first.setValue("mine", forKey: "name")
    try second.setValue("x", forKey: "code")
    let before = try [first, second].map {
      try ($0.shown(), "\($0.changedValues())", $0.row?.version)
    }
    #expect(try world.save() == [.uniqueConflict])
    let after = try [first, second].map {
      try ($0.shown(), "\($0.changedValues())", $0.row?.version)
    }
    for (before, after) in zip(before, after) {
      #expect(before.0 == after.0 && before.1 == after.1 && before.2 == after.2)
    }
    #expect(world.mine.hasChanges)
    // It does not poison the next save.
    try second.setValue("c", forKey: "code")
    #expect(try world.save() == [])
    #expect(try world.stored(first, "name") == "mine" && world.stored(second, "code") == "c")
  }

  @Test("the same when the store fails in the second attempt, and when the task is canceled there")
  func failsLater() throws {
    for policy in [
      MergePolicy.mergeByPropertyObjectTrump, .custom { _ in throw CancellationError() },
    ] {
      let test = try TestStore()
      let container = try PersistentContainer(
        model: ModelBinding(ManagedObjectModel(json: Self.text, file: "Policies")),
        store: test.configuration())
      let (mine, theirs) = (container.makeContext(), container.makeContext())
      mine.mergePolicy = policy
      let item = try mine.insert("Item")
      try item.setValue("a", forKey: "name")
      try mine.insert("Item").setValue("mine", forKey: "name")
      try mine.save()
      try theirs.existingObject(with: item.objectID).setValue("theirs", forKey: "name")
      try theirs.save()
      // The first attempt finds the conflict, and changes no row. The second one breaks an index
      // that
      // another program has made.
      #expect(try test.sqlite3("CREATE UNIQUE INDEX other ON Item (name)") == "")
      try item.setValue("mine", forKey: "name")
      let before = try (item.shown(), "\(item.changedValues())", item.row?.version)
      #expect(throws: (any Error).self) { try mine.save() }
      #expect(
        try (item.shown(), "\(item.changedValues())", item.row?.version) == before
          && mine.hasChanges && item.isUpdated)
      _ = try test.sqlite3("DROP INDEX other")
      mine.mergePolicy = .mergeByPropertyObjectTrump
      try mine.save()
      #expect(try test.sqlite3("SELECT DISTINCT name FROM Item") == "mine" && !mine.hasChanges)
    }
  }

  @Test("in a transaction and by the default of the container", arguments: bothStores)
  func places(_ kind: StoreKind) throws {
    let world = try World(kind, .error)
    world.container.defaultMergePolicy = .mergeByPropertyObjectTrump
    let context = world.container.makeContext()
    let (mine, theirs) = try world.both("Item", ["name": "a"])
    let here = try context.existingObject(with: mine.objectID)
    _ = try here.shown()
    try theirs.setValue("b", forKey: "name")
    try world.theirs.save()
    try context.transaction {
      try here.setValue("c", forKey: "name")
      let report = try context.save()
      #expect(report.resolved.map(\.outcome) == [.written])
    }
    #expect(try world.stored(mine, "name") == "c")
  }

  // MARK: Lost updates

  @Test("64 tasks add to counters: each policy keeps what it promises", arguments: Policy.allCases)
  func lostUpdates(_ policy: Policy) async throws {
    let container = try World(.sqlite, policy.value).container
    container.defaultMergePolicy = policy.value
    let ids = try await container.perform { context in
      let items = try (0..<20).map { _ in try context.insert("Item") }
      for item in items { try item.setValue(-1_000_000, forKey: "count") }
      try context.save()
      return items.map(\.objectID)
    }
    let (tasks, rounds) = (64, 25)
    let succeeded = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var count = 0
          for round in 0..<rounds {
            let id = ids[(task &* 7 &+ round) % ids.count]
            count += try await container.perform { context in
              let item = try context.existingObject(with: id)
              let old: Int = try item.value(of: "count") ?? 0
              try item.setValue(old + 1, forKey: "count")
              do {
                let report = try context.save()
                // Rolled back: it was not counted.
                return report.resolved.contains { $0.outcome == .tookStored } ? 0 : 1
              } catch let error as PersistenceError where error.code == .saveFailed {
                #expect(error.causeCodes == [.conflict])
                return 0
              }
            }
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    let total = try await container.perform { context in
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Item")).reduce(0) {
        $0 + (try $1.value(of: "count") ?? 0) + 1_000_000
      }
    }
    switch policy {
    // No update is lost: what was not refused, or discarded, is there.
    case .error, .store, .rollback: #expect(total == succeeded)
    // The last value wins, so updates can be lost.
    case .object, .overwrite: #expect(total <= succeeded && succeeded > tasks && total > 0)
    }
  }
}

extension ManagedObject {
  fileprivate func refreshFully(_ context: ManagedObjectContext) throws {
    try context.refresh(self, mergeChanges: true)
  }
}

extension ManagedObjectContext {
  /// How objects differ from those of a new context that have the same version. Others may be old,
  /// and so may lists.
  fileprivate func rowDifferences(from container: PersistentContainer) throws -> [String] {
    let fresh = container.makeContext()
    var problems = graphProblems
    for object in registeredObjects where !object.isFault {
      guard let other = try? fresh.existingObject(with: object.objectID),
        other.row?.version == object.row?.version
      else { continue }
      let (mine, theirs) = (try object.shown(), try other.shown())
      let lists = object.runtime.relationships.filter { $0.slot == nil }.map(\.description.name)
      for (name, value) in theirs where mine[name] != value && !lists.contains(name) {
        problems.append("\(object).\(name) is \(mine[name] ?? "-"), stored \(value)")
      }
    }
    return problems
  }
}
