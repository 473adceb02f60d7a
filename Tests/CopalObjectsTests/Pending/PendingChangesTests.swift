import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Fetching with unsaved changes")
struct PendingChangesTests {
  @Test(
    "a fetch evaluates new, changed and deleted objects by their current values",
    arguments: bothStores)
  func judged(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let painters = ["Anna", "Berthe", "Camille"].map { Painter(context: context, name: $0) }
    try context.save()
    painters[0].name = "Zoe"
    context.delete(painters[1])
    _ = Painter(context: context, name: "Dora")
    let late = try context.fetch(Painter.self, sortedBy: \.name.descending) { $0.name > "Berthe" }
    #expect(late.map(\.name) == ["Zoe", "Dora", "Camille"])
    #expect(try context.count(Painter.self) == 3)
    #expect(
      try context.fetch(Painter.self, sortedBy: \.name.ascending, limit: 1, offset: 1).map(\.name)
        == ["Dora"])
    #expect(try context.fetchIDs(Painter.fetchRequest()).count == 3)
  }

  @Test("a change of one entity does not change how another is fetched", .modelAsIs)
  func otherEntity() throws {
    let store = try TestStore()
    let context = try store.atelier().makeContext()
    _ = Painter(context: context, name: "Anna")
    _ = Pigment(context: context, name: "Ochre")
    try context.save()
    _ = Painter(context: context, name: "Berthe")
    let statements = try store.recorder.statements {
      _ = try context.fetch(Pigment.self, limit: 1)
    }
    #expect(statements.count == 1)
  }

  @Test("a fetch finds an object that its own awakeFromFetch changes", arguments: bothStores)
  func restless(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let filling = container.makeContext()
    for name in ["Paul", "Restless", "Emma"] { _ = Apprentice(context: filling, name: name) }
    try filling.save()
    let context = container.makeContext()
    let new = Apprentice(context: context, name: "New")
    let found = try context.fetch(Apprentice.self)
    #expect(found.map(\.name) == ["Paul", "Restless", "Emma", "New"])
    #expect(found[1].skill == 1 && context.updatedObjects == [found[1]])
    #expect(context.insertedObjects == [new])
  }

  // The property: a context with unsaved changes fetches what another context fetches after the
  // save.
  @Test(
    "a fetch with unsaved changes gives the same result as a fetch after the save, in hundreds of random schedules",
    arguments: bothStores)
  func property(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    var random = Schedule(seed: kind == .memory ? 1 : 2)
    var context = container.makeContext()
    for round in 0..<400 {
      if round % 50 == 0 { context = container.makeContext() }
      try random.change(context)
      let requests = (0..<4).map { _ in random.request() }
      let pending = try requests.map { try context.fetch($0) }
      let counts = try requests.map { try context.count($0) }
      let ids = try requests.map { try context.fetchIDs($0) }
      for (found, other) in zip(pending, ids) { #expect(found.map(\.objectID) == other) }
      try context.save()
      let reader = container.makeContext()
      for (index, request) in requests.enumerated() {
        let saved = try reader.fetch(request)
        #expect(
          pending[index].map(\.objectID) == saved.map(\.objectID), "round \(round): \(request)")
        #expect(counts[index] == saved.count)
        let values = { (painter: Painter) in
          [painter.name, painter.email ?? "", "\(painter.prizes)"]
        }
        #expect(pending[index].map(values) == saved.map(values))
      }
    }
  }

  /// Random changes and requests with few different values, so that they often match.
  struct Schedule {
    private var random: SplitMix
    /// The ids of the saved objects before the last changes.
    private var ids: [ManagedObjectID] = []
    private static let names = ["Anna", "Berthe", "Émile", "E\u{301}mile", "anna", "Zoë"]
    private static let emails = [nil, "a@b", "b@c"]

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    private mutating func pick<T>(_ values: [T]) -> T {
      values[Int.random(in: 0..<values.count, using: &random)]
    }

    mutating func change(_ context: ManagedObjectContext) throws {
      let painters = try context.fetch(Painter.self)
      ids = painters.map(\.objectID)
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        if painters.isEmpty || Int.random(in: 0..<4, using: &random) == 0 {
          set(Painter(context: context, name: pick(Self.names)))
          continue
        }
        let painter = pick(painters)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: context.delete(painter)
        case 1: painter.prizes = painter.prizes
        default: set(painter)
        }
      }
      if painters.count > 30 { for painter in painters.suffix(20) { context.delete(painter) } }
    }

    private mutating func set(_ painter: Painter) {
      painter.name = pick(Self.names)
      painter.email = pick(Self.emails)
      painter.prizes = Int16.random(in: 0...3, using: &random)
      painter.born = pick([nil, Date(timeIntervalSinceReferenceDate: 0)])
    }

    mutating func request() -> FetchRequest<Painter> {
      var request = Painter.fetchRequest()
      if Bool.random(using: &random) { request.predicate = predicate(depth: 2) }
      let keys: [FetchSortKey] = [
        .ascending("name"), .descending("name"), .ascending("email"), .descending("email"),
        .ascending("prizes"), .descending("prizes"), .descending("born"),
        .ascending("name").caseInsensitive, .descending("name").alphabetical,
        .ascending("name").natural, .ascending("email").natural.nilsLast,
        .descending("email").nilsFirst, .ascending("born").nilsLast,
      ]
      for _ in 0..<Int.random(in: 0...2, using: &random) { request.sortKeys.append(pick(keys)) }
      if Bool.random(using: &random) { request.limit = Int.random(in: 0...6, using: &random) }
      if Bool.random(using: &random) { request.offset = Int.random(in: 0...4, using: &random) }
      request.returnsObjectsAsFaults = Bool.random(using: &random)
      return request
    }

    private mutating func predicate(depth: Int) -> FetchPredicate {
      switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
      case 5:
        let options: FetchPredicate.TextOptions = pick([
          [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
        ])
        let test: FetchPredicate.TextTest = pick([
          .contains(options), .hasPrefix(options), .hasSuffix(options), .equal(options),
          .like(options), .matches,
        ])
        let texts =
          test == .matches ? ["[A-Z].*", ".*a", ""] : ["A", "anna", "e", "É*", "?@b", ""]
        return .text(.property(pick(["name", "email"])), test, .constant(.string(pick(texts))))
      case 0:
        return .comparison(
          .property("name"), pick(FetchPredicate.Operator.allCases),
          .constant(.string(pick(Self.names))))
      case 1:
        return .comparison(
          .property("email"), pick(FetchPredicate.Operator.allCases),
          .constant(pick(Self.emails).map(PropertyValue.string) ?? .null))
      case 2: return .isIn(.property("prizes"), [1, 3])
      case 3:
        let id = ids.isEmpty ? PropertyValue.null : .object(pick(ids))
        return .comparison(.object, pick([.equal, .notEqual]), .constant(id))
      case 4:
        return .isIn(.object, ids.filter { _ in .random(using: &random) }.map(PropertyValue.object))
      case 6: return .not(predicate(depth: depth - 1))
      case 7: return .and([predicate(depth: depth - 1), predicate(depth: depth - 1)])
      default: return .or([predicate(depth: depth - 1), predicate(depth: depth - 1)])
      }
    }
  }
}
