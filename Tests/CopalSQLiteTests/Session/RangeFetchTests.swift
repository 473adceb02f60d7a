import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Fetches of a range without an order")
struct RangeFetchTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private static func schema() throws -> StoreSchema {
    try StoreModels.schema([
      EntityDescription(
        "Item",
        attributes: [
          AttributeDescription("count", .integer64),
          AttributeDescription("code", .string, isOptional: true),
          AttributeDescription("weight", .float, isOptional: true),
          AttributeDescription("note", .string, isOptional: true),
        ],
        uniqueConstraints: [["code"]],
        indexes: [IndexDescription(["count"]), IndexDescription(["weight", "note"])])
    ])
  }

  /// Items whose count is a number below `rows`, each once, in no order.
  private func fill(_ tester: StoreTester, rows: Int) throws {
    try tester.commit { changes in
      for number in 0..<rows {
        let count = Int64(number * 7919 % rows)
        try changes.insert(
          "Item",
          [
            "count": .integer(count), "code": .string("c\(count)"),
            "weight": number % 5 == 0 ? .null : .double(Double(count) / 4),
            "note": .string("\(count % 10)"),
          ])
      }
    }
  }

  private func compare(
    _ name: String, _ comparison: FetchPredicate.Operator, _ value: PropertyValue
  )
    -> FetchPredicate
  {
    .comparison(.property(name), comparison, .constant(value))
  }

  private struct Trace {
    var probes: Int
    var plan: String
  }

  /// The SQL of the fetch of a condition.
  private func trace(_ tester: StoreTester, _ predicate: FetchPredicate, limit: Int? = nil) throws
    -> Trace
  {
    let statements = try test.recorder.statements {
      _ = try tester.keys(predicate, limit: limit)
    }
    let fetch = try #require(statements.last)
    return Trace(
      probes: statements.count - 1, plan: try test.sqlite3("EXPLAIN QUERY PLAN \(fetch)"))
  }

  @Test("a fetch of a small range uses the index, a fetch of a large range reads by key")
  func plans() throws {
    let tester = try test.storeTester(Self.schema())
    try fill(tester, rows: 2000)
    let (byIndex, byKey) = ("INDEX copal_index_Item(count)", "SCAN Item")
    let cases: [(FetchPredicate, Int?, String)] = [
      (compare("count", .greaterOrEqual, 1990), nil, byIndex),
      (compare("count", .less, 100), nil, byIndex), (compare("count", .less, 130), nil, byKey),
      (compare("count", .greater, 0), nil, byKey),
      (.and([compare("count", .greater, 5), compare("count", .less, 9)]), nil, byIndex),
      (.and([compare("count", .greater, 5), compare("count", .less, 1900)]), nil, byKey),
      (.and([compare("count", .less, 50), compare("note", .equal, "3")]), nil, byIndex),
      // With a limit, the first objects of a large range are found quickly by key.
      (compare("count", .less, 100), 1000, byIndex), (compare("count", .less, 100), 10, byKey),
      (compare("count", .less, 20), 10, byIndex),
    ]
    for (predicate, limit, expected) in cases {
      let trace = try trace(tester, predicate, limit: limit)
      #expect(trace.probes == 2)
      #expect(trace.plan.contains(expected), "\(predicate): \(trace.plan)")
      #expect(trace.plan.contains("TEMP B-TREE") == (expected == byIndex), "\(trace.plan)")
    }
    // The index of a unique constraint is used too, and an index of several attributes for its
    // first one.
    #expect(
      try trace(tester, compare("code", .greater, "c99")).plan.contains(
        "INDEX copal_unique_Item(code)"))
    #expect(
      try trace(tester, compare("weight", .less, 2)).plan.contains(
        "INDEX copal_index_Item(weight,note)"))
  }

  @Test(
    "a fetch counts nothing when there is no choice: for one value, with an order, in a small table"
  )
  func noChoice() throws {
    let tester = try test.storeTester(Self.schema())
    try fill(tester, rows: 2000)
    for predicate in [
      compare("count", .equal, 7), compare("note", .less, "5"), .constant(true),
      .isIn(.property("count"), [1, 2, 3]),
      .and([compare("count", .greater, 7), compare("code", .equal, "c9")]),
    ] { #expect(try trace(tester, predicate).probes == 0) }
    let ordered = try test.recorder.statements {
      _ = try tester.keys(compare("count", .less, 9), sortedBy: [.ascending("count")])
    }
    #expect(ordered.count == 1)
    // In a small table the plan does not matter, so only its greatest key is read.
    let other = try TestStore()
    let small = try other.storeTester(Self.schema())
    try fill(small, rows: 900)
    let statements = try other.recorder.statements {
      _ = try small.keys(compare("count", .less, 9))
    }
    #expect(statements.count == 2 && statements[0].contains("max("))
  }

  @Test(
    "a fetch of a range gives the same objects in the same order with both plans: 500 ranges",
    arguments: [1, 2])
  func agreement(seed: UInt64) throws {
    let tester = try test.storeTester(Self.schema())
    let memory = try StoreTester(MemoryStore(Self.schema()))
    for tester in [tester, memory] { try fill(tester, rows: 1500) }
    var random = SplitMix(seed: seed)
    func part() -> FetchPredicate {
      let comparison = FetchPredicate.Operator.allCases[Int.random(in: 0..<6, using: &random)]
      let number = Int64.random(in: -10...1510, using: &random)
      return switch Int.random(in: 0..<4, using: &random) {
      case 0: compare("weight", comparison, .double(Double(number) / 4))
      case 1: compare("code", comparison, .string("c\(number)"))
      default: compare("count", comparison, .integer(number))
      }
    }
    for _ in 0..<250 {
      let predicate: FetchPredicate =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .and([part(), part()])
        case 1: .not(part())
        case 2: .and([part(), compare("note", .less, "5")])
        default: part()
        }
      let limit = Bool.random(using: &random) ? nil : Int.random(in: 0...50, using: &random)
      let offset = Bool.random(using: &random) ? 0 : Int.random(in: 0...20, using: &random)
      let keys = try memory.keys(predicate, limit: limit, offset: offset)
      #expect(try tester.keys(predicate, limit: limit, offset: offset) == keys, "\(predicate)")
      let receiver = RowCollector(tester.schema)
      try tester.session.fetch(
        tester.query(predicate, limit: limit, offset: offset), into: receiver)
      #expect(receiver.rows.map(\.key) == keys)
      #expect(
        try tester.session.count(tester.query(predicate, limit: limit, offset: offset))
          == keys.count)
    }
  }
}
