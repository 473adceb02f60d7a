import CopalModel
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

@testable import CopalSQLite

@Suite("Indexes with directions")
struct IndexDirectionTests {
  private let test: TestStore

  init() throws { test = try TestStore(.sqlite) }

  private func tester(_ indexes: [IndexDescription]) throws -> StoreTester {
    try test.storeTester(
      StoreModels.schema([
        EntityDescription(
          "Entry",
          attributes: [
            AttributeDescription("date", .date, isOptional: true),
            AttributeDescription("name", .string, isOptional: true),
          ], indexes: indexes)
      ]))
  }

  private var definitions: [String] {
    get throws {
      try test.sqlite3("SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL")
        .split(separator: "\n").map(String.init)
    }
  }

  static let orders: [(indexes: [IndexDescription], keys: [FetchSortKey], sorts: Bool)] = [
    (
      [IndexDescription(["date", "name"], descending: ["date"])],
      [.descending("date"), .ascending("name")], false
    ),
    ([IndexDescription(["date"], descending: ["date"])], [.descending("date")], false),
    (
      [IndexDescription(["date", "name"], descending: ["name"])],
      [.ascending("date"), .descending("name")], false
    ),
    (
      [IndexDescription(["date", "name"])], [.descending("date"), .ascending("name")], true
    ),
  ]

  @Test("a fetch that sorts so is in the order of the index, and sorts nothing", arguments: orders)
  func fetch(indexes: [IndexDescription], keys: [FetchSortKey], sorts: Bool) throws {
    let tester = try tester(indexes)
    for number in 0..<40 {
      try tester.insert(
        [
          "date": number % 7 == 0
            ? .null : .date(Date(timeIntervalSinceReferenceDate: Double(number % 5))),
          "name": .string("\(number % 3)"),
        ], into: "Entry")
    }
    let query = try tester.query(nil, sortedBy: keys, of: "Entry")
    let plan = try tester.session.explain(query)
    #expect(plan.steps.joined().contains("USE TEMP B-TREE") == sorts, "\(plan)")
    let plain = try self.plainOrder(tester, keys)
    #expect(try tester.session.fetchKeys(query) == plain)
  }

  private func plainOrder(_ tester: StoreTester, _ keys: [FetchSortKey]) throws -> [Int64] {
    let memory = try StoreTester(MemoryStore(tester.schema))
    for key in try tester.keys(of: "Entry") {
      let row = try tester.row(key, of: "Entry")
      try memory.insert(["date": row["date"], "name": row["name"]], into: "Entry")
    }
    return try memory.session.fetchKeys(memory.query(nil, sortedBy: keys, of: "Entry"))
  }

  @Test("a change of the direction is made at opening, and the objects stay")
  func opening() throws {
    let first = try tester([IndexDescription(["date", "name"])])
    let key = try first.insert(["name": "a"], into: "Entry")
    #expect(
      try definitions == [
        #"CREATE INDEX "copal_index_Entry(date,name)" ON "Entry" ("date", "name")"#
      ])
    let second = try tester([IndexDescription(["date", "name"], descending: ["date"])])
    let descending = [
      #"CREATE INDEX "copal_index_Entry(date desc,name)" ON "Entry" ("date" DESC, "name")"#
    ]
    #expect(try definitions == descending)
    #expect(try second.row(key, of: "Entry")["name"] == "a")
    _ = try tester([IndexDescription(["date", "name"], descending: ["date"])])
    #expect(try definitions == descending)
    _ = try tester([])
    #expect(try definitions == [])
  }

  @Test("an index that another program has made in another direction is not taken for the model's")
  func otherProgram() throws {
    _ = try tester([IndexDescription(["date"], descending: ["date"])])
    _ = try test.sqlite3(
      #"DROP INDEX "copal_index_Entry(date desc)"; CREATE INDEX "copal_index_Entry(date desc)" ON Entry (date)"#
    )
    #expect(throws: PersistenceError.self) {
      try tester([IndexDescription(["date"], descending: ["date"])])
    }
  }
}
