import Copal
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Fetching by value among many unsaved objects")
struct PendingIndexTests {
  // More objects than a fetch examines without an index.
  @Test(
    "a fetch by value finds new, changed and deleted objects by their current values",
    arguments: bothStores)
  func sequences(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    var random = SplitMix(seed: kind == .memory ? 3 : 4)
    let names = ["Anna", "Berthe", "Émile", "E\u{301}mile", "anna", "Zoë", ""]
    let emails: [String?] = [nil, "a@b", "b@c"]
    var painters = (0..<60).map { Painter(context: context, name: names[$0 % 6]) }
    try context.save()
    for round in 0..<600 {
      let painter = painters[Int.random(in: 0..<painters.count, using: &random)]
      switch Int.random(in: 0..<12, using: &random) {
      case 0: context.delete(painter)
      case 1: try context.refresh(painter, mergeChanges: false)
      case 2 where painter.hasChanges: try painter.setPrimitiveValue(Int16(3), forKey: "prizes")
      case 3...5:
        painters.append(
          Painter(context: context, name: names[Int.random(in: 0..<6, using: &random)]))
      default:
        painter.name = names[Int.random(in: 0..<7, using: &random)]
        painter.email = emails[Int.random(in: 0..<3, using: &random)]
        painter.prizes = Int16.random(in: 0...3, using: &random)
      }
      if round % 150 == 149 { context.rollback() }
      let (name, email) = (
        names[Int.random(in: 0..<7, using: &random)], emails[Int.random(in: 0..<3, using: &random)]
      )
      func expect(
        _ condition: @escaping (Painter.Properties) -> FetchPredicate, _ isFound: (Painter) -> Bool
      ) throws {
        let found = try context.fetch(Painter.self, where: condition)
        let expected = Set(
          painters.filter { !$0.isDeleted && $0.managedObjectContext != nil && isFound($0) })
        #expect(Set(found) == expected && found.count == expected.count, "round \(round)")
        #expect(try context.count(Painter.self, where: condition) == expected.count)
      }
      func same(_ a: String?, _ b: String?) -> Bool {
        a.map { Array($0.utf8) } == b.map { Array($0.utf8) }
      }
      try expect({ $0.name == name }) { same($0.name, name) }
      try expect({ $0.email == email && $0.name != name }) {
        same($0.email, email) && !same($0.name, name)
      }
      try expect({ $0.prizes.isIn([1, 3]) && $0.name == name }) {
        [1, 3].contains($0.prizes) && same($0.name, name)
      }
    }
  }

  @Test(
    "a loop that fetches, inserts what is absent and saves at the end finds every object",
    .modelAsIs)
  func findOrCreate() throws {
    let store = try TestStore()
    let container = try store.atelier()
    let filling = container.makeContext()
    for number in stride(from: 0, to: 500, by: 3) {
      _ = Painter(context: filling, name: "\(number)")
    }
    try filling.save()
    let context = container.makeContext()
    var objects: [Int: Painter] = [:]
    for number in (0..<1000).map({ $0 * 7 % 500 }) {
      var found: [Painter] = []
      let statements = try store.recorder.statements {
        found = try context.fetch(Painter.self) { $0.name == "\(number)" }
      }
      // One statement, for any number of unsaved objects.
      #expect(statements.filter { $0.contains("FROM \"Painter\"") }.count == 1)
      #expect(found.count <= 1)
      let painter = found.first ?? Painter(context: context, name: "\(number)")
      #expect(objects[number] == nil || objects[number] === painter)
      objects[number] = painter
    }
    try context.save()
    #expect(try context.count(Painter.self) == 500)
  }

  @Test("a fetch by value finds a changed object by a value from a refresh", arguments: bothStores)
  func refreshed(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painters = (0..<50).map { Painter(context: mine, name: "\($0)") }
    try mine.save()
    for painter in painters { painter.prizes = 1 }
    #expect(try mine.fetch(Painter.self) { $0.name == "7" } == [painters[7]])
    try other.existingObject(with: painters[7].objectID, as: Painter.self).name = "seven"
    try other.save()
    try mine.refresh(painters[7], mergeChanges: true)
    #expect(try mine.fetch(Painter.self) { $0.name == "seven" } == [painters[7]])
    #expect(try mine.fetch(Painter.self) { $0.name == "7" }.isEmpty)
  }

  @Test(
    "a fetch by value handles an object without a value for a required attribute",
    arguments: bothStores)
  func unset(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    let tool = try context.insert("Tool")
    func find(_ predicate: FetchPredicate) throws -> Bool {
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Tool", predicate: predicate)) == [
        tool
      ]
    }
    let isX = FetchPredicate.comparison(.property("name"), .equal, .constant("x"))
    let isInX = FetchPredicate.isIn(.property("name"), ["x"])
    #expect(try !find(isX) && find(.not(isX)) && !find(isInX) && find(.not(isInX)))
    #expect(try find(.comparison(.property("name"), .notEqual, .constant("x"))))
    let isAfter = FetchPredicate.comparison(.property("name"), .greater, .constant("x"))
    #expect(try !find(isAfter) && find(.not(isAfter)))
  }

  @Test("a fetch finds an object with NaN only by an inequality", arguments: bothStores)
  func notANumber(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let pigment = Pigment(context: context, name: "Ochre")
    pigment.opacity = .nan
    let operators = FetchPredicate.Operator.allCases
    let found = try operators.filter { comparison in
      let predicate = FetchPredicate.comparison(.property("opacity"), comparison, .constant(1.0))
      var request = Pigment.fetchRequest()
      request.predicate = predicate
      let isFound = try context.fetch(request) == [pigment]
      request.predicate = .not(predicate)
      #expect(try (context.fetch(request) == [pigment]) == !isFound, "\(comparison)")
      return isFound
    }
    #expect(found == [.notEqual])
  }

  @Test("a query for nil treats an undecodable transformable as a value", arguments: bothStores)
  func undecodable(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let filling = container.makeContext()
    Sample(context: filling).recipe = Recipe(text: "unreadable")
    try filling.save()
    let context = container.makeContext()
    let sample = try #require(try context.fetch(Sample.self).first)
    sample.label = "changed"
    #expect(try context.count(Sample.self) { $0.recipe == nil } == 0)
    #expect(try context.fetch(Sample.self) { $0.recipe != nil } == [sample])
    sample.recipe = nil
    #expect(try context.fetch(Sample.self) { $0.recipe == nil } == [sample])
  }

  @Test(
    "a fetch does not find a changed object whose row was deleted elsewhere", arguments: bothStores)
  func lostRow(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painters = ["Anna", "Berthe"].map { Painter(context: mine, name: $0) }
    try mine.save()
    other.delete(try other.existingObject(with: painters[0].objectID))
    try other.save()
    for painter in painters { painter.prizes = 5 }
    #expect(try mine.fetch(Painter.self) { $0.prizes == 5 } == [painters[1]])
    #expect(try mine.count(Painter.self) == 1)
    #expect(try mine.fetchIDs(Painter.fetchRequest()) == [painters[1].objectID])
    #expect(painters[0].prizes == 5 && !painters[0].isDeleted)
  }

  @Test("a limited fetch among many changed objects takes few statements")
  func manyChanged() throws {
    let store = try TestStore()
    let context = try store.atelier().makeContext()
    let painters = (0..<200).map { Painter(context: context, name: "\($0)") }
    try context.save()
    for painter in painters.dropLast(3) { painter.prizes = 1 }
    var found: [Painter] = []
    let statements = try store.recorder.statements {
      found = try context.fetch(Painter.self, limit: 2) { $0.prizes == 0 }
    }
    #expect(found == Array(painters[197...198]))
    #expect(statements.filter { $0.contains("LIMIT") }.count <= 9)
  }

  @Test(
    "changes of properties that a fetch does not read cost no statement, and its result is the store's",
    arguments: StoreKind.allCases)
  func otherProperties(kind: StoreKind) throws {
    let store = try TestStore(kind)
    let context = try store.container(.graph).makeContext()
    let makers = (0..<300).map { number in
      let maker = Maker(context: context)
      (maker.label, maker.name) = (number, "\(number)")
      return maker
    }
    try context.save()
    for maker in makers { maker.name? += "!" }
    func first(_ limit: Int) throws -> [Maker] {
      try context.fetch(Maker.self, sortedBy: \.label.ascending, limit: limit)
    }
    var (least, count) = ([] as [Maker], 0)
    let statements = try store.recorder.statements {
      least = try first(1)
      count = try context.count(Maker.self) { $0.label >= 100 }
    }
    #expect(least == [makers[0]] && count == 200)
    // A family may have statements that choose a plan.
    if kind == .sqlite, ModelShape.current == .alone {
      #expect(statements.filter { $0.hasPrefix("SELECT") }.count == 2)
    }
    // What the fetch reads counts again, also a new and a deleted object.
    makers[7].label = -1
    context.delete(makers[8])
    Maker(context: context).label = -2
    #expect(try first(8).map(\.label) == [-2, -1, 0, 1, 2, 3, 4, 5])
    #expect(try context.count(Maker.self) { $0.label >= 0 } == 298)
    #expect(try context.count(Maker.self) { $0.name == "9!" && $0.label > 3 } == 1)
    // A property that is changed later.
    makers[250].label = 100_000
    #expect(
      try context.fetch(Maker.self, sortedBy: \.label.descending, limit: 1) == [makers[250]])
    // One that has lost its changes gets others, and one is written without the accessor.
    try context.refresh(makers[5], mergeChanges: false)
    #expect(try first(1).map(\.label) == [-2])
    makers[5].label = -5
    #expect(try first(1) == [makers[5]])
    try makers[6].setPrimitiveValue(-6, forKey: "label")
    #expect(try first(2) == [makers[6], makers[5]])
    try context.refresh(makers[6], mergeChanges: true)
    makers[6].label = 1000
    #expect(try first(1) == [makers[5]])
    context.rollback()
    #expect(try first(2) == [makers[0], makers[1]])
    makers[9].label = -9
    #expect(try first(1) == [makers[9]])
  }

  @Test("a fetch with several equalities uses the index with the fewest objects")
  func mostSelective() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    for number in 0..<500 { _ = Pigment(context: context, name: "\(number)") }
    let request = Pigment.fetchRequest().filter { $0.isLightfast == true && $0.name == "7" }
    let runtime = try context.runtime(named: "Pigment")
    let query = try PredicateBinder(runtime.layout).bind(request)
    let read = ReadSlots(of: query, context.state.container.schema)
    let pending = context.state.pendingObjects(runtime, query, reading: read)
    #expect(pending?.objects.count == 1)
  }

  final class Seeker: ManagedObject {
    override func awakeFromFetch() {
      _ = try? managedObjectContext?.fetch(Self.named("x"))
    }

    static func named(_ name: String) -> FetchRequest<Seeker> {
      FetchRequest(
        entityName: "Note",
        predicate: .comparison(.property("text"), .equal, .constant(.string(name))))
    }
  }

  /// Counts when it is released.
  final class CountedObject: ManagedObject {
    nonisolated(unsafe) static weak var context: ManagedObjectContext?
    deinit { _ = try? Self.context?.count(FetchRequest<CountedObject>(entityName: "Note")) }
  }

  private func notes(_ objectClass: ManagedObject.Type) throws -> ManagedObjectContext {
    let model = try ManagedObjectModel(
      name: "Notes",
      entities: [
        EntityDescription(
          "Note",
          attributes: [
            AttributeDescription("text", .string, isOptional: true),
            AttributeDescription("mark", .integer, isOptional: true),
          ])
      ])
    return try TestStore(.memory).container(
      ModelBinding(
        model,
        classes: [EntityBinding("Note", objectClass, layoutHash: model.layoutHash(ofEntity: 0))])
    ).makeContext()
  }

  private func insert(_ count: Int, _ context: ManagedObjectContext) throws -> [ManagedObject] {
    try (0..<count).map { number in
      let note = try context.insert("Note")
      try note.setValue("\(number)", forKey: "text")
      return note
    }
  }

  @Test("a fetch inside a hook finds an object by the value that is being set")
  func fetchingHook() throws {
    let context = try notes(Seeker.self)
    let seekers = try insert(40, context)
    try context.save()
    for seeker in seekers { try seeker.setValue(1, forKey: "mark") }
    #expect(try context.fetch(Seeker.named("0")) == [seekers[0]])
    try context.refresh(seekers[7], mergeChanges: false)
    try seekers[7].setValue("seven", forKey: "text")
    #expect(try context.fetch(Seeker.named("seven")) == [seekers[7]])
  }

  @Test("releasing an object of an earlier index has no effect")
  func earlierIndex() throws {
    let context = try notes(CountedObject.self)
    let all = FetchRequest<CountedObject>(entityName: "Note")
    var byText = all
    byText.predicate = .comparison(.property("text"), .equal, .constant("1"))
    var old = try insert(40, context)
    _ = try context.fetch(byText)
    context.reset()
    let new = try insert(5, context)
    _ = try context.count(all)
    try old[0].setValue(nil, forKey: "text")
    CountedObject.context = context
    old = []
    try context.save()
    CountedObject.context = nil
    _ = try context.insert("Note")
    #expect(try context.count(all) == 6 && new.count == 5)
  }

  @Test("with one unsaved object, counts and limited fetches run in the store", .modelAsIs)
  func oneUnsaved() throws {
    let store = try TestStore()
    let container = try store.atelier()
    let filling = container.makeContext()
    for number in 0..<300 { Painter(context: filling, name: "\(number)").prizes = 1 }
    try filling.save()
    let context = container.makeContext()
    let changed = try #require(try context.fetch(Painter.self, limit: 1).first)
    changed.prizes = 2
    var (count, names) = (0, [String]())
    let counting = try store.recorder.statements {
      count = try context.count(Painter.self) { $0.prizes == 1 }
    }
    #expect(count == 299)
    // The second statement shows that the result is larger than the changes, the third reads the
    // changed row.
    #expect(
      counting.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        == ["BEGIN", "SELECT \"copal_id\"", "SELECT \"copal_id\",", "SELECT count(*)", "COMMIT"])
    let limited = try store.recorder.statements {
      names = try context.fetch(Painter.self, limit: 2) { $0.prizes == 1 }.map(\.name)
    }
    #expect(names == ["1", "2"])
    #expect(limited.filter { $0.contains("LIMIT") }.count == 2)
  }
}

@Suite("Memory of unsaved changes")
struct UnsavedMemoryTests {
  final class Counted: ManagedObject {
    nonisolated(unsafe) static var alive = 0
    required init(_copal seed: consuming ObjectSeed) {
      super.init(_copal: seed)
      Self.alive += 1
    }
    deinit { Self.alive -= 1 }
  }

  @Test("objects that are inserted and deleted without a save are released")
  func released() throws {
    let model = try ManagedObjectModel(
      name: "Counted",
      entities: [
        EntityDescription(
          "Note", attributes: [AttributeDescription("text", .string, isOptional: true)])
      ])
    let binding = ModelBinding(
      model,
      classes: [EntityBinding("Note", Counted.self, layoutHash: model.layoutHash(ofEntity: 0))])
    let context = try TestStore(.memory).container(binding).makeContext()
    let kept = try (0..<100).map { _ in try context.insert("Note") }
    for _ in 0..<10_000 { context.delete(try context.insert("Note")) }
    #expect(Counted.alive < 300)
    #expect(context.insertedObjects == Set(kept) && context.hasChanges)
    for object in kept { context.delete(object) }
    #expect(!context.hasChanges)
  }
}
