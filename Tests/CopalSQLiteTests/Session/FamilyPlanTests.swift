import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Testing

/// The plans of SQLite in a table with so many rows that the index of entities is not always the
/// best way.
@Suite("The plans of statements in a large table of a family")
struct FamilyPlanTests {
  private let test: TestStore
  private let tester: StoreTester

  init() throws {
    test = try TestStore()
    tester = try test.storeTester(
      FamilyChange.schema(
        #"""
        "Item": {
          "attributes": { "title": "string?", "shelf": "integer64?", "code": "string?" }, "unique": [["code"]]
        },
        "Book": {
          "parent": "Item", "attributes": { "isbn": "string?", "pages": "integer64?" },
          "unique": [["isbn"], ["title"], ["title", "shelf"]], "indexes": ["pages"]
        },
        "EBook": { "parent": "Book" },
        "Photo": { "parent": "Item" }
        """#))
    try tester.commit { changes in
      for number in 0..<12_000 {
        let name = PropertyValue.string("\(number)")
        if number % 3 == 0 {
          try changes.insert("Photo", ["title": name, "code": name])
        } else {
          try changes.insert(
            number % 3 == 1 ? "Book" : "EBook",
            ["title": name, "isbn": name, "shelf": 1, "pages": .integer(Int64(number))])
        }
      }
    }
  }

  /// The plan of the last statement of a body.
  private func plan(_ body: () throws -> Void) throws -> String {
    let statements = try test.recorder.statements(of: body)
    let sql = try #require(statements.last { $0.hasPrefix("SELECT") && $0.contains("\"Item\"") })
    return try test.sqlite3("EXPLAIN QUERY PLAN " + sql.replacing("?", with: "1"))
  }

  private static func equals(_ name: String, _ value: PropertyValue) -> FetchPredicate {
    .comparison(.property(name), .equal, .constant(value))
  }

  static let lookups: [(entity: String, predicate: FetchPredicate, index: String)] = [
    ("Book", equals("isbn", "7"), "copal_unique_Book(isbn)"),
    ("Book", equals("title", "7"), "copal_unique_Book(title)"),
    ("EBook", equals("title", "8"), "copal_unique_Book(title)"),
    ("Book", equals("code", "8"), "copal_unique_Item(code)"),
    ("Item", equals("code", "8"), "copal_unique_Item(code)"),
    ("Book", .and([equals("title", "7"), equals("shelf", 1)]), "copal_unique_Book(shelf,title)"),
    ("Book", .isIn(.property("title"), ["7", "8"]), "copal_unique_Book(title)"),
    ("EBook", .isIn(.property("title"), ["7", "8"]), "copal_unique_Book(title)"),
    ("Book", .isIn(.property("isbn"), ["7", "8"]), "copal_unique_Book(isbn)"),
    (
      "Book", .and([.isIn(.property("title"), ["7", "8"]), equals("shelf", 1)]),
      "copal_unique_Book(shelf,title)"
    ),
    (
      "Item",
      .comparison(
        .subentityProperty(entity: "Book", property: "isbn"), .equal, .constant("7")),
      "copal_unique_Book(isbn)"
    ),
    (
      "Item",
      .comparison(
        .subentityProperty(entity: "Book", property: "title"), .equal, .constant("7")),
      "copal_unique_Book(title)"
    ),
    (
      "Item",
      .comparison(
        .subentityProperty(entity: "Book", property: "pages"), .equal, .constant(7)),
      "copal_index_Book(pages)"
    ),
    (
      "Item",
      .comparison(
        .subentityProperty(entity: "Book", property: "pages"), .greater, .constant(11_990)),
      "copal_index_Book(pages)"
    ),
    (
      "Book", .comparison(.property("pages"), .greater, .constant(11_990)),
      "copal_index_Book(pages)"
    ),
  ]

  @Test("values in a unique constraint or an index are found by it", arguments: lookups.indices)
  func lookup(number: Int) throws {
    let (entity, predicate, index) = Self.lookups[number]
    let query = try tester.query(predicate, of: entity)
    for includesSubentities in entity == "Book" ? [true, false] : [true] {
      var query = query
      query = StoreQuery(
        entity: query.entity, condition: query.condition, parameters: query.parameters,
        includesSubentities: includesSubentities)
      let rows = try plan {
        try tester.session.fetch(query, into: RowCollector(tester.schema))
      }
      let keys = try plan { _ = try tester.session.fetchKeys(query) }
      let count = try plan { _ = try tester.session.count(query) }
      for plan in [rows, keys, count] {
        #expect(
          plan.contains("USING INDEX \(index)") || plan.contains("USING COVERING INDEX \(index)"),
          "\(plan)")
      }
    }
  }
}
