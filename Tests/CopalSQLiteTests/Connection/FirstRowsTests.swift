import CopalModel
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

@Suite("The first rows of a sorted fetch with a limit")
struct FirstRowsTests {
  private let test: TestStore
  private let tester: StoreTester

  init() throws {
    test = try TestStore()
    tester = try test.storeTester(
      StoreModels.schema([
        EntityDescription(
          "Item",
          attributes: [
            AttributeDescription("name", .string, isOptional: true),
            AttributeDescription("count", .integer64, isOptional: true),
            AttributeDescription("weight", .double, isOptional: true),
            AttributeDescription("flag", .boolean, isOptional: true),
            AttributeDescription("mark", .uuid, isOptional: true),
            AttributeDescription("price", .decimal, isOptional: true),
            AttributeDescription("rank", .integer64),
            AttributeDescription("place", .integer64),
          ],
          indexes: [IndexDescription(["rank", "place"])])
      ]))
  }

  private func insert(_ values: [[String: PropertyValue]]) throws {
    try tester.commit { changes in
      for values in values {
        try changes.insert("Item", ["rank": 0, "place": 0].merging(values) { $1 })
      }
    }
  }

  /// What a fetch does: the rows of the result, and its statement behind the name of the table.
  private func fetch(
    sortedBy keys: [FetchSortKey], limit: Int? = nil, offset: Int = 0,
    where predicate: FetchPredicate? = nil
  ) throws -> (keys: [Int64], sql: String) {
    var rows: [StoredRow] = []
    let statements = try test.recorder.statements {
      rows = try tester.rows(predicate, sortedBy: keys, limit: limit, offset: offset)
    }
    let sql = try #require(statements.last)
    return (rows.map(\.key), sql.components(separatedBy: #" FROM "Item""#).last ?? "")
  }

  @Test(
    "Where no index has the order, the statement has none, and the session keeps the first rows")
  func statements() throws {
    try insert([["name": "b"], ["name": "a"], [:]])
    let name = FetchSortKey.ascending("name")
    let isFlagged = FetchPredicate.comparison(.property("flag"), .equal, .constant(true))
    #expect(try fetch(sortedBy: [name], limit: 2) == ([3, 2], ""))
    #expect(try fetch(sortedBy: [name], limit: 1, offset: 1) == ([2], ""))
    #expect(
      try fetch(sortedBy: [name], limit: 2, where: isFlagged) == ([], #" WHERE "flag" = ?"#))
    #expect(try fetch(sortedBy: [name, .descending("rank")], limit: 2).sql == "")
  }

  @Test(
    "SQLite sorts where an index has the order, without a limit, and what a row has in another form"
  )
  func sortedBySQLite() throws {
    let cases: [([FetchSortKey], Int?, String)] = [
      ([.ascending("name")], nil, #" ORDER BY "name", "copal_id""#),
      ([.ascending("name")], 1001, #" ORDER BY "name", "copal_id" LIMIT ?"#),
      ([.ascending("rank")], 2, #" ORDER BY "rank", "copal_id" LIMIT ?"#),
      // The index gives places in their order where the rank is known.
      ([.ascending("place")], 2, #" ORDER BY "place", "copal_id" LIMIT ?"#),
      (
        [FetchSortKey.ascending("name").natural], 2,
        #" ORDER BY copal_natural("name"), "copal_id" LIMIT ?"#
      ),
    ]
    for (keys, limit, sql) in cases { #expect(try fetch(sortedBy: keys, limit: limit).sql == sql) }
    #expect(try fetch(sortedBy: [.ascending("price")], limit: 2).sql.contains("ORDER BY"))
    #expect(
      try fetch(sortedBy: [.ascending("name"), .ascending("price")], limit: 2).sql
        .contains("ORDER BY"))
  }

  @Test("They are those of SQLite's order: 500 random orders of 150 rows, with few values, and nil")
  func random() throws {
    var random = SplitMix(seed: 57)
    let values: [String: [PropertyValue]] = [
      "name": ["", "a", "a\0", "a\0b", "aaaaaaaa", "aaaaaaaab", "aaaaaaaac", "é", "e\u{301}", "Z"],
      "count": [.integer(.min), .integer(.max), -1, 0, 1, 256, 255],
      "weight": [
        0.0, -0.0, .double(.infinity), .double(-.infinity), -1.5, 1.5,
        .double(.leastNonzeroMagnitude),
      ],
      "flag": [true, false],
      "mark": (0..<4).map {
        .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, $0, 0, 0, 0, 0, 0, 0, 255)))
      },
    ]
    try insert(
      (0..<150).map { _ in
        values.compactMapValues { list in
          Int.random(in: 0..<8, using: &random) == 0 ? nil : list.randomElement(using: &random)
        }
      })
    for _ in 0..<500 {
      let keys = (0...Int.random(in: 0...2, using: &random)).compactMap { _ in
        values.keys.sorted().randomElement(using: &random).map { name in
          let key = FetchSortKey(name, isAscending: .random(using: &random))
          return switch Int.random(in: 0..<3, using: &random) {
          case 0: key.nilsFirst
          case 1: key.nilsLast
          default: key
          }
        }
      }
      let limit = Int.random(in: 1...160, using: &random)
      let offset = Int.random(in: 0...3, using: &random)
      let found = try fetch(sortedBy: keys, limit: limit, offset: offset)
      #expect(found.sql == "")
      #expect(
        try found.keys == tester.keys(sortedBy: keys, limit: limit, offset: offset),
        "\(keys) \(limit)")
    }
  }

  @Test(
    "A value or a version that Copal cannot have written is placed where SQLite places it",
    arguments: [
      ("count", "'x'"), ("count", "1.5"), ("name", "5"), ("name", "x'61'"), ("weight", "'heavy'"),
      ("flag", "7"), ("mark", "x'00'"),
    ])
  func otherPrograms(column: String, value: String) throws {
    try insert((0..<5).map { ["name": .string("\($0)"), "count": .integer($0), "weight": 1.0] })
    #expect(try test.sqlite3("UPDATE Item SET \(column) = \(value) WHERE copal_id = 3") == "")
    for key in [FetchSortKey.ascending(column), .descending(column), .descending("name")] {
      let found = try fetch(sortedBy: [key], limit: 4)
      #expect(try found.keys == tester.keys(sortedBy: [key], limit: 4))
    }
  }

  @Test("A row with an invalid version is reported if it is one of the first, and only then")
  func invalidVersion() throws {
    try insert([["name": "a"], ["name": "b"], ["name": "c"]])
    #expect(try test.sqlite3("UPDATE Item SET copal_version = -5 WHERE copal_id = 2") == "")
    #expect(try fetch(sortedBy: [.ascending("name")], limit: 1).keys == [1])
    #expect(throws: PersistenceError.self) { try fetch(sortedBy: [.ascending("name")], limit: 2) }
  }

  @Test("explain says that the rows are sorted while they are read")
  func explained() throws {
    let explanation = try tester.session.explain(
      tester.query(sortedBy: [.ascending("name")], limit: 2))
    #expect(explanation.steps == ["SCAN Item"])
    #expect(
      explanation.inMemory == [
        "No index has the order: the rows are read in any order, and the first of it are kept."
      ])
  }
}
