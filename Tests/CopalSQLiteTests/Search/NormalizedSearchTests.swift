import CopalModel
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

@Suite("Normalized search")
struct NormalizedSearchTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private static let both: FetchPredicate.TextOptions = [.caseInsensitive, .diacriticInsensitive]

  @Test("a new table has a column for each form, a mark, indexes and one trigger")
  func table() throws {
    _ = try test.storeTester(SearchModels.schema())
    #expect(
      try test.sqlite3("SELECT sql FROM sqlite_schema WHERE name = 'Maker'")
        == #"CREATE TABLE "Maker" ("copal_id" INTEGER PRIMARY KEY, "copal_version" INTEGER NOT NULL, "name" TEXT, "copal_search_name" TEXT, "copal_stale" INTEGER DEFAULT 1)"#
    )
    #expect(
      try test.sqlite3(
        "SELECT sql FROM sqlite_schema WHERE tbl_name = 'Maker' AND type <> 'table' ORDER BY name")
          == """
          CREATE INDEX "copal_index_Maker(copal_search_name)" ON "Maker" ("copal_search_name")
          CREATE INDEX "copal_index_Maker(copal_stale)" ON "Maker" ("copal_stale") WHERE "copal_stale" IS NOT NULL
          CREATE TRIGGER "copal_stale_Maker" AFTER UPDATE OF "name", "copal_search_name" ON "Maker" BEGIN UPDATE "Maker" SET "copal_stale" = 1 WHERE "copal_id" = NEW."copal_id"; END
          """)
    #expect(
      try test.sqlite3("SELECT value FROM copal_metadata WHERE name IN ('folding', 'requires')")
        == "folding 14.0.0\nfolding 14.0.0")
  }

  /// What a condition on `name` becomes while no row is stale, and the step that finds the rows.
  private static let conditions: [(condition: FetchPredicate, sql: String, step: String)] = [
    (
      FetchPredicate.text(.property("name"), .equal(both), .constant("Kremer")),
      #"("copal_search_name" = copal_folded(?, 'cd'))"#,
      "SEARCH Maker USING INDEX copal_index_Maker(copal_search_name) (copal_search_name=?)"
    ),
    (
      .text(.property("name"), .equal(.caseInsensitive), .constant("Kremer")),
      #"("copal_search_name" = copal_folded(?, 'cd') AND copal_equal("name", ?, 'c'))"#,
      "SEARCH Maker USING INDEX copal_index_Maker(copal_search_name) (copal_search_name=?)"
    ),
    (
      .text(.property("name"), .hasPrefix(both), .constant("Kr")),
      #"("copal_search_name" >= copal_folded(?, 'cd') AND "copal_search_name" < copal_folded_end(?, 'cd') AND copal_has_prefix("copal_search_name", ?, 'cd'))"#,
      "SEARCH Maker USING INDEX copal_index_Maker(copal_search_name) (copal_search_name>? AND copal_search_name<?)"
    ),
    (
      .comparison(.call(.fold, [.property("name")]), .less, .constant("k")),
      #"("copal_search_name" < ?)"#,
      "SEARCH Maker USING INDEX copal_index_Maker(copal_search_name) (copal_search_name<?)"
    ),
  ]

  @Test("a condition that ignores something is answered by the index", arguments: conditions)
  func plans(condition: FetchPredicate, sql: String, step: String) throws {
    let tester = try test.storeTester(SearchModels.schema())
    try tester.insert(["name": "Krémer"], into: "Maker")
    let explanation = try tester.session.explain(tester.query(condition, of: "Maker"))
    #expect(explanation.statement?.contains(sql) == true, "\(explanation.statement ?? "")")
    #expect(explanation.steps.first == step)
  }

  @Test("beside a stale row, the index finds the other rows", arguments: conditions)
  func plansBesideStale(condition: FetchPredicate, sql: String, step: String) throws {
    let tester = try test.storeTester(SearchModels.schema())
    try tester.insert(["name": "Krémer"], into: "Maker")
    _ = try test.sqlite3("INSERT INTO Maker (copal_version, name) VALUES (1, 'KREMER')")
    let query = try tester.query(condition, of: "Maker")
    let keys = try tester.session.fetchKeys(query)
    #expect(keys.allSatisfy { $0 < 3 })
    let explanation = try tester.session.explain(query)
    #expect(explanation.usesIndexes, "\(explanation)")
    #expect(explanation.steps.contains { $0.hasPrefix(step.prefix { $0 != "(" }) })
    #expect(explanation.steps.contains { $0.contains("(copal_stale)") })
  }

  @Test("the order without case and diacritics is the order of the index")
  func order() throws {
    let tester = try test.storeTester(SearchModels.schema())
    for name in ["Zoe", "élan", "Ada", "ELAN", "b"] {
      try tester.insert(["name": .string(name)], into: "Maker")
    }
    let query = try tester.query(sortedBy: [.ascending("name").alphabetical], limit: 3, of: "Maker")
    #expect(try tester.session.fetchKeys(query) == [3, 5, 2])
    let explanation = try tester.session.explain(query)
    #expect(
      explanation.steps == ["SCAN Maker USING INDEX copal_index_Maker(copal_search_name)"])
  }

  @Test("a search is one statement, and after another program has written, one look more")
  func statements() throws {
    let tester = try test.storeTester(SearchModels.schema())
    for name in ["Kremer", "Schmincke"] {
      try tester.insert(["name": .string(name)], into: "Maker")
    }
    let query = try tester.query(
      .text(.property("name"), .hasPrefix(Self.both), .constant("kre")), of: "Maker")
    #expect(try tester.session.fetchKeys(query) == [1])
    let again = try test.recorder.statements { _ = try tester.session.fetchKeys(query) }
    #expect(again.count == 1)
    _ = try test.sqlite3("UPDATE Maker SET name = 'Krefeld' WHERE copal_id = 2")
    #expect(try tester.session.fetchKeys(query) == [1, 2])
    #expect(try tester.session.count(query) == 2)
    #expect(try test.sqlite3("SELECT copal_id, copal_stale FROM Maker") == "1|\n2|1")
    // The next commit derives it.
    try tester.insert(["name": "Lukas"], into: "Maker")
    #expect(
      try test.sqlite3("SELECT copal_id, copal_stale, copal_search_name FROM Maker")
        == "1||kremer\n2||krefeld\n3||lukas")
    #expect(try tester.session.fetchKeys(query) == [1, 2])
  }

  @Test("a condition of many levels is refused or has the same result, also beside a stale row")
  func nesting() throws {
    let twin = try TestStore()
    let indexed = try test.storeTester(SearchModels.schema())
    let plain = try twin.storeTester(SearchModels.schema(search: false))
    for tester in [indexed, plain] { try tester.insert(["name": "Éa", "price": 1], into: "Paint") }
    func nested(_ depth: Int) -> FetchPredicate {
      var condition = FetchPredicate.text(
        .property("name"), .hasPrefix(Self.both), .constant("e"))
      for level in 0..<depth {
        let other = FetchPredicate.text(
          .property("name"), .equal(.caseInsensitive), .constant(.string("\(level)")))
        condition = level % 2 == 0 ? .or([condition, other]) : .and([condition, .not(other)])
      }
      return condition
    }
    func result(_ tester: StoreTester, _ depth: Int) throws -> [Int64]? {
      do {
        return try tester.keys(nested(depth), of: "Paint")
      } catch let error as PersistenceError where error.code == .tooComplex {
        return nil
      }
    }
    for isStale in [false, true] {
      if isStale {
        for store in [test, twin] { _ = try store.sqlite3("UPDATE Paint SET name = 'Eb'") }
      }
      for depth in 0..<40 {
        #expect(try result(indexed, depth) == result(plain, depth), "\(depth), \(isStale)")
      }
    }
    #expect(try result(indexed, 10) == [1])
  }

  @Test("batches keep the columns: literal and calculated values, and inserts or updates")
  func batches() throws {
    let schema = try SearchModels.schema { $0[2].uniqueConstraints = [["name"]] }
    let tester = try test.storeTester(schema)
    try tester.insert(["name": "Ölfarbe"], into: "Maker")
    try tester.insert(["name": "Über", "note": "ALT", "price": 1], into: "Paint")
    try tester.insert(["name": "Éclat", "note": "x", "price": 2], into: "Glaze")
    _ = try tester.updateAll(
      .comparison(.property("price"), .equal, .constant(2)), of: "Paint",
      set: ["note": .constant("Grün")])
    _ = try tester.updateAll(
      of: "Paint", set: ["name": .call(.uppercased, [.property("name")])])
    _ = try tester.upsertAll([["name": "Ölfarbe"], ["name": "Ã"]], on: ["name"], of: "Maker")
    #expect(
      try test.sqlite3("SELECT copal_id, copal_search_name, copal_stale FROM Maker")
        == "1|olfarbe|\n2|a|")
    #expect(
      try test.sqlite3(
        "SELECT copal_id, copal_search_name, copal_case_name, copal_search_note, copal_stale FROM Paint"
      ) == "1|uber|u\u{308}ber|alt|\n2|eclat|e\u{301}clat|grun|")
    #expect(try tester.wrongDerivedValues(test) == [])
  }

  @Test("SQL of the program marks the rows that it changes, and the next commit derives them")
  func rawSQL() throws {
    let tester = try test.storeTester(SearchModels.schema())
    for name in ["Kremer", "Lukas"] {
      try tester.insert(["name": .string(name)], into: "Maker")
    }
    let maker = try tester.layout("Maker").index
    let query = try tester.query(
      .text(.property("name"), .hasPrefix(Self.both), .constant("z")), of: "Maker")
    #expect(try tester.session.fetchKeys(query) == [])
    _ = try tester.session.executeUnsafe(
      RawStatement([
        .text("UPDATE "), .table(entity: maker), .text(" SET name = 'Zoë' WHERE copal_id = 2"),
      ]))
    #expect(try tester.session.fetchKeys(query) == [2])
    _ = try tester.session.executeUnsafe(
      RawStatement([
        .text("INSERT INTO "), .table(entity: maker),
        .text(" (copal_version, name) VALUES (1, 'zinc')"),
      ]))
    #expect(try tester.session.fetchKeys(query) == [2, 3])
    for text in ["copal_stale = NULL", "copal_search_name = ''"] {
      #expect(throws: PersistenceError.self) {
        try tester.session.executeUnsafe(
          RawStatement([.text("UPDATE "), .table(entity: maker), .text(" SET \(text)")]))
      }
    }
    try tester.insert(["name": "new"], into: "Maker")
    #expect(try test.sqlite3("SELECT count(*) FROM Maker WHERE copal_stale IS NOT NULL") == "0")
    #expect(try tester.wrongDerivedValues(test) == [])
  }

  @Test("a row is stale again after the transaction is undone that has derived it")
  func undoneTransactions() throws {
    let tester = try test.storeTester(SearchModels.schema())
    let session = tester.session
    try tester.insert(["name": "Kremer"], into: "Maker")
    let query = try tester.query(
      .text(.property("name"), .hasPrefix(Self.both), .constant("z")), of: "Maker")
    #expect(try session.fetchKeys(query) == [])
    _ = try test.sqlite3("UPDATE Maker SET name = 'Zinc' WHERE copal_id = 1")
    for isInner in [false, true] {
      if isInner { try session.beginTransaction() }
      try session.beginTransaction()
      // The commit derives the row, and the search finds that no row is stale.
      try tester.insert(["name": "other"], into: "Maker")
      #expect(try session.fetchKeys(query) == [1])
      session.rollBackTransaction()
      #expect(try session.fetchKeys(query) == [1], "inner: \(isInner)")
      #expect(try session.count(query) == 1)
      if isInner { session.rollBackTransaction() }
      #expect(try session.fetchKeys(query) == [1], "inner: \(isInner)")
    }
    // The same with SQL of the program.
    try session.beginTransaction()
    _ = try session.executeUnsafe(
      RawStatement([
        .text("UPDATE "), .table(entity: try tester.layout("Maker").index),
        .text(" SET name = 'other'"),
      ]))
    #expect(try session.fetchKeys(query) == [])
    session.rollBackTransaction()
    #expect(try session.fetchKeys(query) == [1])
    #expect(try test.sqlite3("SELECT name, copal_stale FROM Maker") == "Zinc|1")
  }
}
