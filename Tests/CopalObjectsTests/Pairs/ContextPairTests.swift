import Copal
import CopalTestSupport
import Foundation
import Testing

/// Features that are right alone, two at a time, in the contexts of one container.
@Suite("Pairs of features in contexts", .modelAsIs)
struct ContextPairTests {
  private struct Stop: Error {}

  /// A way in which a context gets what others have saved, and keeps what it has changed itself.
  enum Notice: String, CaseIterable, Sendable {
    case refresh, merge

    func take(_ object: ManagedObject, _ context: ManagedObjectContext) throws {
      switch self {
      case .refresh: try context.refresh(object, mergeChanges: true)
      case .merge: context.mergeChanges()
      }
    }
  }

  // MARK: Refresh and merge, with search and unique values

  @Test(
    "a search finds a text that a refresh or a merge has brought, and then the unsaved one",
    arguments: bothStores, Notice.allCases)
  func search(_ kind: StoreKind, _ notice: Notice) throws {
    for entity in Workroom.family {
      let room = try Workroom(kind)
      let (mine, work) = (room.mine, try room.work(entity))
      func found() throws -> [[String?]] {
        try ["chr", "umb", "IENN", "ndig"].map { try Workroom.titles($0, mine) }
      }
      try Workroom.Property.title.set(1, of: room.other(work))
      try room.theirs.save()
      try work.setValue(5, forKey: "count")
      try notice.take(work, mine)
      #expect(try found() == [[], ["Úmber"], [], []])
      try work.setValue("Índigo", forKey: "title")
      try Workroom.Property.title.set(2, of: room.other(work))
      try room.theirs.save()
      try notice.take(work, mine)
      #expect(try found() == [[], [], [], ["Índigo"]])
      switch notice {
      case .refresh:
        try mine.save()
        #expect(try found() == [[], [], [], ["Índigo"]])
        #expect(try room.found() == [])
      case .merge:
        #expect(try Workroom.codes { try mine.save() } == [.conflict])
        mine.rollback()
        #expect(try found() == [[], [], ["Sienna"], []])
        #expect(try room.found() == [2])
      }
      try room.expectWhole(files: 1)
    }
  }

  @Test(
    "a code that a refresh or a merge has brought is taken, and the one before is free",
    arguments: bothStores, Notice.allCases)
  func unique(_ kind: StoreKind, _ notice: Notice) throws {
    for entity in Workroom.family {
      let room = try Workroom(kind)
      let (mine, work) = (room.mine, try room.work(entity, code: "a"))
      // Others swap: the code of mine goes to another object.
      try room.other(work).setValue("b", forKey: "code")
      try room.theirs.insert("Work").setValue("A", forKey: "code")
      try room.theirs.save()
      try work.setValue(5, forKey: "count")
      try notice.take(work, mine)
      #expect(try work.value(of: "code") == "b")
      #expect(work.validationErrors().isEmpty)
      for taken in ["Á", "B"] {
        let new = try mine.insert("Sculpture")
        try new.setValue(taken, forKey: "code")
        #expect(try Workroom.codes { try mine.save() } == [.uniqueConflict], "\(taken)")
        mine.delete(new)
      }
      try mine.save()
      try work.setValue("c", forKey: "code")
      try mine.save()
      try mine.insert("Sculpture").setValue("B", forKey: "code")
      try mine.save()
      let codes = try room.container.makeContext().fetch(
        FetchRequest<ManagedObject>(entityName: "Work")
      ).map { try $0.value(of: "code", as: String.self) ?? "" }
      #expect(codes.sorted() == ["A", "B", "c"])
      try room.expectWhole(files: 1)
    }
  }

  // MARK: Policies, with search, large values, values that change in place and families

  /// The number of the value that each policy keeps; nil for the one that is an error.
  static let policies: [(name: String, policy: MergePolicy, kept: Int?)] = [
    ("error", .error, nil), ("store", .mergeByPropertyStoreTrump, 2),
    ("object", .mergeByPropertyObjectTrump, 1), ("overwrite", .overwrite, 1),
    ("rollback", .rollback, 2),
  ]

  @Test(
    "each policy keeps one of two texts, large values and values that change in place, and nothing of the other",
    arguments: bothStores, policies.indices)
  func policy(_ kind: StoreKind, _ index: Int) throws {
    let (name, policy, kept) = Self.policies[index]
    for entity in Workroom.family {
      for property in Workroom.Property.allCases {
        let room = try Workroom(kind)
        room.mine.mergePolicy = policy
        let work = try room.work(entity)
        try property.set(2, of: room.other(work))
        try room.theirs.save()
        try property.set(1, of: work)
        let story: Comment = "\(name), \(property) of \(entity)"
        let codes = try Workroom.codes { try room.mine.save() }
        #expect(codes == (kept == nil ? [.conflict] : []), story)
        #expect(try property.number(of: work) == kept ?? 1, story)
        #expect(try room.stored(property, work) == kept ?? 2, story)
        for other in Workroom.Property.allCases where other != property {
          #expect(try room.stored(other, work) == 0, story)
        }
        #expect(try room.found() == [property == .title ? kept ?? 2 : 0], story)
        try room.expectWhole(files: 1)
      }
    }
  }

  @Test(
    "a new object that becomes the stored one leaves one file, with the large value that the policy keeps",
    arguments: bothStores, policies.indices)
  func becoming(_ kind: StoreKind, _ index: Int) throws {
    let (name, policy, kept) = Self.policies[index]
    let room = try Workroom(kind)
    let stored = try room.work(code: "a")
    for property in Workroom.Property.allCases { try property.set(2, of: stored) }
    try room.mine.save()
    let context = room.container.makeContext()
    context.mergePolicy = policy
    let new = try context.insert("Work")
    try new.setValue("Á", forKey: "code")
    for property in Workroom.Property.allCases { try property.set(1, of: new) }
    let codes = try Workroom.codes { try context.save() }
    #expect(codes == (kept == nil ? [.uniqueConflict] : []), "\(name)")
    for property in Workroom.Property.allCases {
      #expect(try room.stored(property, stored) == kept ?? 2, "\(name), \(property)")
    }
    #expect(try room.found() == [kept ?? 2], "\(name)")
    #expect(
      try room.container.makeContext().count(FetchRequest<ManagedObject>(entityName: "Work")) == 1)
    try room.expectWhole(files: 1)
  }

  // MARK: Transactions, with search, values that change in place and families

  @Test(
    "a transaction that is undone leaves the family, its texts and its values in place as they were",
    arguments: bothStores, [0, 1])
  func undone(_ kind: StoreKind, _ index: Int) throws {
    let (entity, other) = (Workroom.family[index], Workroom.family[1 - index])
    let room = try Workroom(kind)
    let work = try room.work(entity, code: "a")
    var lost: ManagedObjectID?
    #expect(throws: Stop.self) {
      try room.mine.transaction {
        for property in Workroom.Property.allCases { try property.set(1, of: work) }
        let new = try room.mine.insert(other)
        try new.setValue("b", forKey: "code")
        try Workroom.Property.scan.set(2, of: new)
        try room.mine.save()
        lost = new.objectID
        #expect(try Workroom.titles("umb", room.mine) == ["Úmber"])
        // In place, and not saved.
        try Workroom.Property.tones.set(2, of: work)
        throw Stop()
      }
    }
    #expect(!room.mine.hasChanges)
    for property in Workroom.Property.allCases {
      #expect(try property.number(of: work) == 0, "\(property)")
      #expect(try room.stored(property, work) == 0, "\(property)")
    }
    #expect(try Workroom.titles("umb", room.mine) == [])
    #expect(try room.found() == [0])
    try room.expectWhole(files: 1)
    // The id of an object that was undone is not that of another one of the family.
    let next = try room.mine.insert(entity)
    try next.setValue("b", forKey: "code")
    try Workroom.Property.tones.set(1, of: work)
    try room.mine.save()
    let gone = try #require(lost)
    #expect(next.objectID != gone)
    #expect(try Workroom.codes { _ = try room.mine.existingObject(with: gone) } == [.objectMissing])
    #expect(try room.stored(.tones, work) == 1)
  }

  @Test(
    "a value that has changed in place is an unsaved change for a transaction and for a batch",
    arguments: bothStores)
  func pending(_ kind: StoreKind) throws {
    let room = try Workroom(kind)
    let work = try room.work(code: "a")
    let ways: [(PersistenceError.Code, () throws -> Void)] = [
      (.transactionPendingChanges, { try room.mine.transaction { throw Stop() } }),
      (
        .batchPendingChanges,
        { try room.mine.updateAll("Work", set: [BatchAssignment("count", .constant(5))]) }
      ),
      (.batchPendingChanges, { _ = try room.mine.deleteAll("Work") }),
      (
        .batchPendingChanges,
        { _ = try room.mine.upsertAll("Work", [["code": "a", "count": 5]], on: ["code"]) }
      ),
    ]
    for (code, way) in ways {
      try Workroom.Property.tones.set(1, of: work)
      #expect(try Workroom.codes(way) == [code])
      #expect(try Workroom.Property.tones.number(of: work) == 1)
      #expect(try room.stored(.tones, work) == 0)
    }
    try room.mine.save()
    #expect(try room.stored(.tones, work) == 1)
    #expect(try work.value(of: "count") == 0)
  }

  // MARK: Lists, with large values and values that change in place

  @Test(
    "a list that is deleted takes the large values of its members along, and an undone deletion none",
    arguments: bothStores, [false, true])
  func cascade(_ kind: StoreKind, _ isBatch: Bool) throws {
    let room = try Workroom(kind)
    let studio = try room.mine.insert("Studio")
    for number in 0..<3 {
      let work = try room.work(Workroom.family[number % 2])
      try Workroom.Property.scan.set(number, of: work)
      try work.setValue(studio, forKey: "studio")
    }
    try room.mine.save()
    func scans() throws -> [Int?] {
      let context = room.container.makeContext()
      let studio = try context.existingObject(with: studio.objectID)
      let works = try #require(try studio.value(forKey: "works") as? OrderedToMany<ManagedObject>)
      return try works.map { try Workroom.Property.scan.number(of: $0) }
    }
    try room.expectWhole(files: 3)
    func delete(_ context: ManagedObjectContext) throws {
      if isBatch {
        #expect(try context.deleteAll("Studio") == 1)
      } else {
        context.delete(try context.existingObject(with: studio.objectID))
        try context.save()
      }
    }
    // Whether the members are in memory or not.
    for context in [room.mine, room.container.makeContext()] {
      #expect(throws: Stop.self) {
        try context.transaction {
          try delete(context)
          #expect(try context.count(FetchRequest<ManagedObject>(entityName: "Work")) == 0)
          throw Stop()
        }
      }
      #expect(try scans() == [0, 1, 2])
      try room.expectWhole(files: 3)
    }
    try delete(room.container.makeContext())
    try room.expectWhole(files: 0)
    #expect(try room.found() == [])
  }

  @Test(
    "a member that changes in place keeps its change when others change the order of its list",
    arguments: bothStores)
  func inPlace(_ kind: StoreKind) throws {
    let room = try Workroom(kind)
    let studio = try room.mine.insert("Studio")
    let works = try (0..<3).map { _ in try room.work() }
    try studio.setValue(works, forKey: "works")
    try room.mine.save()
    func order(_ studio: ManagedObject) throws -> [ManagedObjectID] {
      let list = try #require(try studio.value(forKey: "works") as? OrderedToMany<ManagedObject>)
      return list.map(\.objectID)
    }
    #expect(try order(studio) == works.map(\.objectID))
    try Workroom.Property.tones.set(1, of: works[1])
    let theirs = try works.map { try room.other($0) }
    try room.other(studio).setValue([theirs[1], theirs[2]], forKey: "works")
    try room.theirs.save()
    room.mine.mergeChanges()
    let expected = [works[1].objectID, works[2].objectID]
    #expect(try order(studio) == expected)
    #expect(try Workroom.Property.tones.number(of: works[1]) == 1)
    try room.mine.save()
    #expect(try works.map { try room.stored(.tones, $0) } == [0, 1, 0])
    let fresh = room.container.makeContext()
    #expect(try order(fresh.existingObject(with: studio.objectID)) == expected)
    try room.expectWhole(files: 3)
  }

  @Test(
    "copy x transformable: a value that changes in place changes in one of the two",
    arguments: bothStores)
  func copiedTones(_ kind: StoreKind) throws {
    let room = try Workroom(kind)
    let work = try room.work()
    let copy = try room.mine.copy(of: work)
    #expect(try Workroom.Property.tones.number(of: copy) == 0)
    try Workroom.Property.tones.set(1, of: copy)
    try room.mine.save()
    #expect(try room.stored(.tones, work) == 0)
    #expect(try room.stored(.tones, copy) == 1)
    try Workroom.Property.tones.set(2, of: work)
    try room.mine.save()
    #expect(try room.stored(.tones, work) == 2)
    #expect(try room.stored(.tones, copy) == 1)
  }
}
