import CopalModel
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

/// Texts that are found by their parts, with trigrams and without.
@Suite("Parts of texts")
struct SubstringTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private static let both: FetchPredicate.TextOptions = [.caseInsensitive, .diacriticInsensitive]

  private static func contains(
    _ part: String, _ name: String = "note", _ options: FetchPredicate.TextOptions = both
  ) -> FetchPredicate {
    .text(.property(name), .contains(options), .constant(.string(part)))
  }

  private func insert(_ notes: [String], into entity: String = "Paint", _ tester: StoreTester)
    throws
  {
    for note in notes { try tester.insert(["note": .string(note)], into: entity) }
  }

  @Test("a new table has a table of trigrams, and triggers for keys that others remove")
  func tables() throws {
    _ = try test.storeTester(SearchModels.schema())
    #expect(
      try test.sqlite3(
        """
        SELECT sql FROM sqlite_schema WHERE name IN ('copal_substring_Paint.note',
        'copal_substring_Glaze.base', 'copal_gone', 'copal_gone_Paint', 'copal_gone_Paint.key')
        ORDER BY name
        """)
          == """
          CREATE TABLE "copal_gone" (entity TEXT NOT NULL, key INTEGER NOT NULL)
          CREATE TRIGGER "copal_gone_Paint" AFTER DELETE ON "Paint" BEGIN INSERT INTO "copal_gone" (entity, key) VALUES ('Paint', OLD."copal_id"); END
          CREATE TRIGGER "copal_gone_Paint.key" AFTER UPDATE OF "copal_id", rowid, oid, _rowid_ ON "Paint" WHEN NEW."copal_id" IS NOT OLD."copal_id" BEGIN INSERT INTO "copal_gone" (entity, key) VALUES ('Paint', OLD."copal_id"); UPDATE "Paint" SET "copal_stale" = 1 WHERE "copal_id" = NEW."copal_id"; END
          CREATE VIRTUAL TABLE "copal_substring_Glaze.base" USING fts5(text, tokenize='trigram case_sensitive 1')
          CREATE VIRTUAL TABLE "copal_substring_Paint.note" USING fts5(text, tokenize='trigram case_sensitive 1')
          """)
  }

  /// What a condition becomes while no row is stale.
  @Test(
    "a test for a part is answered by trigrams, or by the index of normalized texts",
    arguments: [
      (
        contains("kre", "name"), "Maker",
        #"("copal_id" IN (SELECT "copal_id" FROM "Maker" WHERE copal_contains("copal_search_name", ?, 'cd')))"#
      ),
      (
        contains("kre", "name", .caseInsensitive), "Maker",
        #"("copal_id" IN (SELECT "copal_id" FROM "Maker" WHERE copal_contains("copal_search_name", ?, 'cd')) AND copal_contains("name", ?, 'c'))"#
      ),
      (
        .text(.property("name"), .like(.diacriticInsensitive), .constant("*kre*")), "Maker",
        #"copal_like("name", ?, 'd')"#
      ),
      (
        contains("kre"), "Paint",
        #"("copal_id" IN (SELECT rowid FROM "copal_substring_Paint.note" WHERE "copal_substring_Paint.note" MATCH copal_trigram_query(?, '') UNION ALL SELECT "copal_id" FROM "Paint" WHERE copal_trigram_query(?, '') = '""' AND copal_contains("copal_search_note", ?, 'cd')) AND copal_contains("copal_search_note", ?, 'cd'))"#
      ),
      (
        .text(.property("note"), .like(.caseInsensitive), .constant("*kre*")), "Paint",
        #"("copal_id" IN (SELECT rowid FROM "copal_substring_Paint.note" WHERE "copal_substring_Paint.note" MATCH copal_trigram_query(?, 'like') UNION ALL SELECT "copal_id" FROM "Paint" WHERE copal_trigram_query(?, 'like') = '""' AND copal_like("note", ?, 'c')) AND copal_like("note", ?, 'c'))"#
      ),
    ])
  func statements(condition: FetchPredicate, entity: String, sql: String) throws {
    let tester = try test.storeTester(SearchModels.schema())
    let explanation = try tester.session.explain(tester.query(condition, of: entity))
    #expect(explanation.statement?.contains(sql) == true, "\(explanation.statement ?? "")")
  }

  @Test("the rows are found by trigrams, and by a scan of the index for a short part")
  func plans() throws {
    let tester = try test.storeTester(SearchModels.schema())
    try insert(["Zinnober"], tester)
    func steps(_ query: StoreQuery) throws -> [String] { try tester.session.explain(query).steps }
    let byTrigrams = try steps(tester.query(Self.contains("nno"), of: "Paint"))
    #expect(
      byTrigrams == [
        "SEARCH Paint USING INTEGER PRIMARY KEY (rowid=?)", "LIST SUBQUERY 2", "COMPOUND QUERY",
        "LEFT-MOST SUBQUERY",
        "SCAN copal_substring_Paint.note VIRTUAL TABLE INDEX 0:M1", "UNION ALL",
        "SCAN Paint USING COVERING INDEX copal_index_Paint(copal_search_note)",
      ])
    let byIndex = try steps(tester.query(Self.contains("nno", "name"), of: "Maker"))
    #expect(
      byIndex == [
        "SEARCH Maker USING INTEGER PRIMARY KEY (rowid=?)", "LIST SUBQUERY 1",
        "SCAN Maker USING COVERING INDEX copal_index_Maker(copal_search_name)",
      ])
    // In the order of the index, a limit ends the search.
    #expect(
      try tester.session.explain(
        tester.query(
          Self.contains("nno", "name"), sortedBy: [.ascending("name").alphabetical], limit: 5,
          of: "Maker")
      ).steps == ["SCAN Maker USING INDEX copal_index_Maker(copal_search_name)"])
  }

  @Test(
    "what is found",
    arguments: [
      (contains("ZINN"), [1, 2]), (contains("nober, r"), [2]), (contains("inno"), [1, 2]),
      (contains("in"), [1, 2, 4, 6]), (contains("\u{FC}n"), [3, 5]), (contains("grün"), [3, 5]),
      (contains("Grün", "note", .caseInsensitive), [3]),
      (contains("grun", "note", .caseInsensitive), [5]),
      (contains("Grün", "note", .diacriticInsensitive), [3]),
      (contains("\"kobalt\""), [6]), (contains("a\0b"), [7]), (contains("a b"), [8]),
      (contains("b end"), [7, 8]), (contains("\0"), [7]), (contains("漢字で"), [9]),
      (contains(""), 1...9),
      (.text(.property("note"), .hasSuffix(both), .constant("ROT")), [2]),
      (.text(.property("note"), .like(both), .constant("z*rot")), [2]),
      (.text(.property("note"), .like(both), .constant("??nn?ber*")), [1, 2]),
      (.text(.property("note"), .like(both), .constant("*\\\"*")), [6]),
      (.text(.property("note"), .like(both), .constant("*")), 1...9),
      (.not(contains("inno")), 3...9),
    ] as [(FetchPredicate, any Sequence<Int64> & Sendable)])
  func found(condition: FetchPredicate, keys: any Sequence<Int64> & Sendable) throws {
    let schema = try SearchModels.schema()
    for tester in [try test.storeTester(schema), try StoreTester(MemoryStore(schema))] {
      try insert(
        [
          "Zinnober", "zinnober, rot", "Grün", "tinte", "grun", "ein \"Kobalt\"", "a\0b end",
          "a b end", "漢字で",
        ], tester)
      #expect(try tester.keys(condition, of: "Paint") == Array(keys))
    }
  }

  @Test("what another program has written is found by each test for a part")
  func foreignWrites() throws {
    let tester = try test.storeTester(SearchModels.schema())
    try insert(["Zinnober"], tester)
    for options in RandomTexts.options {
      for test in [
        FetchPredicate.TextTest.contains(options), .hasSuffix(options), .like(options),
      ] {
        for name in ["note", "name"] {
          let isPattern = if case .like = test { true } else { false }
          let query = try tester.query(
            .text(.property(name), test, .constant(isPattern ? "*innob?r" : "innober")),
            of: "Paint")
          _ = try tester.session.fetchKeys(query)
          _ = try self.test.sqlite3(
            "INSERT INTO Paint (copal_id, copal_version, copal_entity, note, name) VALUES (9, 1, 'Paint', 'innober', 'innober')"
          )
          let found: [Int64] = name == "note" ? [1, 9] : [9]
          #expect(try tester.session.fetchKeys(query) == found, "\(test) \(name)")
          _ = try self.test.sqlite3("DELETE FROM Paint WHERE copal_id = 9")
        }
      }
    }
  }

  @Test("each way to write keeps the trigrams")
  func writes() throws {
    let tester = try test.storeTester(SearchModels.schema())
    try insert(["rot", "blau", "gelb"], tester)
    try tester.insert(["note": "grau", "base": "Kalk"], into: "Glaze")
    _ = try tester.updateAll(
      Self.contains("blau"), of: "Paint", set: ["note": .constant("Ultramarin")])
    _ = try tester.updateAll(
      Self.contains("gel"), of: "Paint", set: ["note": .call(.uppercased, [.property("note")])])
    _ = try tester.updateAll(Self.contains("grau"), of: "Glaze", set: ["base": .constant(.null)])
    #expect(
      try test.sqlite3(#"SELECT rowid, text FROM "copal_substring_Paint.note""#)
        == "1|rot\n2|ultramarin\n3|gelb\n4|grau")
    #expect(try test.sqlite3(#"SELECT rowid FROM "copal_substring_Glaze.base""#) == "")
    _ = try tester.session.executeUnsafe(
      RawStatement([
        .text("DELETE FROM "), .table(entity: try tester.layout("Paint").index),
        .text(" WHERE copal_id < 3"),
      ]))
    #expect(try test.sqlite3(#"SELECT rowid FROM "copal_substring_Paint.note""#) == "3\n4")
    _ = try tester.deleteAll(of: "Paint")
    #expect(try test.sqlite3(#"SELECT rowid FROM "copal_substring_Paint.note""#) == "")
    #expect(try tester.wrongDerivedValues(test) == [])
  }

  @Test("the text of a row that another program deletes leaves the store with the next commit")
  func foreignDeletes() throws {
    let tester = try test.storeTester(SearchModels.schema())
    try insert(["geheim", "offen"], tester)
    _ = try test.sqlite3("DELETE FROM Paint WHERE copal_id = 1")
    #expect(try test.sqlite3("SELECT entity, key FROM copal_gone") == "Paint|1")
    #expect(try tester.keys(Self.contains("heim"), of: "Paint") == [])
    // Another row gets the key.
    _ = try test.sqlite3(
      "INSERT INTO Paint (copal_id, copal_version, copal_entity, note) VALUES (1, 1, 'Paint', 'daheim')"
    )
    #expect(try tester.keys(Self.contains("heim"), of: "Paint") == [1])
    #expect(try tester.keys(Self.contains("geheim"), of: "Paint") == [])
    try insert(["neu"], tester)
    #expect(
      try test.sqlite3(#"SELECT rowid, text FROM "copal_substring_Paint.note""#)
        == "1|daheim\n2|offen\n3|neu")
    #expect(try test.sqlite3("SELECT count(*) FROM copal_gone") == "0")
  }

  /// What another program does with keys, and the keys of the rows that have the part then.
  static let changesOfKeys: [(sql: String, found: [Int64])] = [
    ("UPDATE Paint SET copal_id = 9 WHERE copal_id = 1", [2, 9]),
    ("UPDATE Paint SET rowid = 9 WHERE copal_id = 1", [2, 9]),
    ("UPDATE Paint SET _rowid_ = copal_id + 10", [11, 12]),
    ("UPDATE Paint SET OID = 9, note = note WHERE copal_id = 1", [2, 9]),
    ("UPDATE Paint SET copal_id = 9, note = 'other' WHERE copal_id = 1", [2]),
    ("UPDATE Paint SET copal_id = 9, note = 'innober' WHERE copal_id = 3", [1, 2, 9]),
    ("UPDATE OR REPLACE Paint SET copal_id = 3 WHERE copal_id = 1", [2, 3]),
    ("UPDATE OR REPLACE Paint SET copal_id = 1 WHERE copal_id = 3", [2]),
    (
      """
      UPDATE Paint SET copal_id = 9 WHERE copal_id = 1; UPDATE Paint SET copal_id = 1 WHERE copal_id = 3;
      UPDATE Paint SET copal_id = 3 WHERE copal_id = 9
      """, [2, 3]
    ),
    (
      "UPDATE Paint SET copal_id = 9 WHERE copal_id = 1; UPDATE Paint SET copal_id = 1 WHERE copal_id = 9",
      [1, 2]
    ),
    (
      "UPDATE Paint SET copal_id = 9 WHERE copal_id = 1; DELETE FROM Paint WHERE copal_id = 9", [2]
    ),
    ("PRAGMA recursive_triggers = ON; UPDATE Paint SET copal_id = 9 WHERE copal_id = 1", [2, 9]),
  ]

  @Test(
    "a row whose key another program changes is found by its parts, and the old key has none",
    arguments: changesOfKeys)
  func foreignKeys(sql: String, found: [Int64]) throws {
    let tester = try test.storeTester(SearchModels.schema())
    try insert(["Zinnober", "zinnober, rot", "grün"], tester)
    let conditions: [FetchPredicate] = [
      Self.contains("NNO"), .text(.property("note"), .like(Self.both), .constant("*inno*")),
      .or([
        .text(.property("note"), .hasSuffix(Self.both), .constant("nober")),
        .text(.property("note"), .hasSuffix(.caseInsensitive), .constant("ober, ROT")),
      ]),
    ]
    func expectFound(_ words: Comment) throws {
      for condition in conditions {
        #expect(try tester.keys(condition, of: "Paint") == found, words)
      }
    }
    _ = try test.sqlite3(sql)
    try expectFound("while the rows are marked")
    try insert(["new"], tester)
    try expectFound("after the next commit")
    #expect(try test.sqlite3("SELECT count(*) FROM Paint WHERE copal_stale IS NOT NULL") == "0")
    #expect(
      try test.sqlite3(
        #"SELECT rowid FROM "copal_substring_Paint.note" EXCEPT SELECT copal_id FROM Paint"#) == "")
    #expect(try tester.wrongDerivedValues(test) == [])
    #expect(try tester.session.wrongDerivedValues() == [])
  }

  @Test(
    "a store of a release without the trigger for keys gets it when it is opened, and finds every row",
    arguments: [1, 2])
  func storeOfFormerRelease(version: Int) throws {
    try insert(["Zinnober", "grün"], try test.storeTester(SearchModels.schema()))
    // What the release 0.9.0 has made, and a change that its triggers do not see.
    _ = try test.sqlite3(
      #"DROP TRIGGER "copal_gone_Paint.key"; UPDATE Paint SET copal_id = 9 WHERE copal_id = 1"#)
    // With another version, the store is migrated.
    let tester = try test.storeTester(
      SearchModels.schema(version: version) { entities in
        if version == 1 { return }
        entities[0].attributes.append(AttributeDescription("place", .string, isOptional: true))
      })
    #expect(try tester.keys(Self.contains("nno"), of: "Paint") == [9])
    _ = try test.sqlite3("UPDATE Paint SET copal_id = 10 WHERE copal_id = 9")
    #expect(try tester.keys(Self.contains("nno"), of: "Paint") == [10])
    #expect(try tester.wrongDerivedValues(test) == [])
  }

  static let damages =
    [
      #"DROP TABLE "copal_substring_Paint.note""#,
      #"DELETE FROM "copal_substring_Paint.note_data" WHERE id > 10"#,
    ]
    + ["data", "idx", "content", "docsize", "config"].map {
      #"DROP TABLE "copal_substring_Paint.note_\#($0)""#
    }

  @Test(
    "what another program removes or damages of the trigrams is an error of its own, until a rebuild",
    arguments: damages)
  func damage(statement: String) throws {
    func isRefused(_ body: () throws -> Void) -> Bool {
      do {
        try body()
        return false
      } catch {
        return (error as? PersistenceError)?.code == .searchNeedsRebuild
      }
    }
    var tester = try test.storeTester(SearchModels.schema())
    try insert(["Zinnober", "Zinn"], tester)
    // It has not written yet.
    let second = try tester.store.makeSession()
    _ = try test.sqlite3(statement)
    let query = try tester.query(Self.contains("nnober"), of: "Paint")
    let readsFail = isRefused { _ = try tester.session.fetchKeys(query) }
    let writesFail = isRefused { try insert(["zinnoberrot"], tester) }
    #expect(readsFail || writesFail)
    // Nothing else needs it.
    let more: [Int64] = writesFail ? [] : [3]
    #expect(try tester.keys(of: "Paint") == [1, 2] + more)
    try second.deriveAll()
    #expect(try second.fetchKeys(query) == [1] + more)
    let key = try tester.insert(["note": "zinnoberrot"], into: "Paint")
    #expect(try tester.session.fetchKeys(query) == [1] + more + [key])
    // An opening makes it as well.
    _ = try test.sqlite3(statement)
    if statement.hasPrefix("DROP") {
      tester = try test.storeTester(SearchModels.schema())
      #expect(try tester.session.fetchKeys(query) == [1] + more + [key])
    }
    try second.deriveAll()
    #expect(try tester.wrongDerivedValues(test) == [])
  }

  @Test("without the table of deleted rows a save is refused, until a rebuild")
  func withoutGone() throws {
    let tester = try test.storeTester(SearchModels.schema())
    try insert(["Zinnober"], tester)
    _ = try test.sqlite3("DROP TABLE copal_gone")
    let error = #expect(throws: PersistenceError.self) { try insert(["Zinn"], tester) }
    #expect(error?.code == .searchNeedsRebuild)
    try tester.session.deriveAll()
    try insert(["Zinn"], tester)
    _ = try test.sqlite3("DELETE FROM Paint WHERE copal_id = 1")
    #expect(try tester.keys(Self.contains("inn"), of: "Paint").count == 1)
  }

  @Test("a check finds a text that a table of trigrams does not have as it should")
  func check() throws {
    let tester = try test.storeTester(SearchModels.schema())
    try insert(["Zinnober", "Zinn"], tester)
    #expect(try tester.session.wrongDerivedValues() == [])
    _ = try test.sqlite3(#"DELETE FROM "copal_substring_Paint.note" WHERE rowid = 2"#)
    let wrong = try tester.session.wrongDerivedValues()
    #expect(wrong.map(\.key) == [2])
    try tester.session.deriveAll()
    #expect(try tester.session.wrongDerivedValues() == [])
  }

  @Test("a text of a megabyte is found by its parts, and a long part finds it")
  func longTexts() throws {
    let schema = try SearchModels.schema()
    let long = String(repeating: "Ölfarbe und Tempera, ", count: 50_000) + "Krapplack"
    for tester in [try test.storeTester(schema), try StoreTester(MemoryStore(schema))] {
      try insert([long, "Krapp"], tester)
      func keys(_ part: String) throws -> [Int64] {
        try tester.keys(Self.contains(part), of: "Paint")
      }
      #expect(try keys("krappLACK") == [1])
      #expect(try keys(String(long.suffix(500_000))) == [1])
      #expect(try keys(String(long.suffix(500_000)) + "x") == [])
      #expect(
        try tester.keys(
          .text(.property("note"), .equal(Self.both), .constant(.string(long.uppercased()))),
          of: "Paint") == [1])
      #expect(
        try tester.keys(
          .text(
            .property("note"), .hasPrefix(Self.both), .constant(.string(String(long.dropLast())))),
          of: "Paint") == [1])
    }
  }

  @Test("triggers of a file do not run beside those of the connection, also with their names")
  func hostileSchema() throws {
    var tester = try test.storeTester(SearchModels.schema())
    try tester.insert(["name": "Kremer"], into: "Maker")
    _ = try test.sqlite3(
      """
      CREATE TRIGGER "copal_substring_Paint.note insert" AFTER INSERT ON Paint BEGIN DELETE FROM Maker; END;
      CREATE TRIGGER other AFTER INSERT ON "Paint" BEGIN DELETE FROM Maker; END
      """)
    tester = try test.storeTester(SearchModels.schema())
    try insert(["Zinnober"], tester)
    #expect(try tester.keys(of: "Maker") == [1])
    #expect(try tester.keys(Self.contains("nnob"), of: "Paint") == [1])
  }

  @Test("another program can drop every table of Copal's")
  func droppable() throws {
    let tester = try test.storeTester(SearchModels.schema())
    try insert(["Zinnober"], tester)
    // The other tables whose names begin so belong to those of FTS5.
    let names = try test.sqlite3(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'copal%'
      AND (name NOT LIKE 'copal_substring%' OR sql LIKE 'CREATE VIRTUAL%')
      """
    ).split(separator: "\n")
    #expect(names.count >= 6)
    for name in names { #expect(try test.sqlite3("DROP TABLE \"\(name)\"") == "", "\(name)") }
    #expect(
      try test.sqlite3(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name LIKE 'copal%'")
        == "0")
    #expect(
      try test.sqlite3(
        "SELECT note FROM Paint; UPDATE Paint SET note = 'x'; DROP TRIGGER copal_gone_Paint; DELETE FROM Paint"
      )
        == "Zinnober")
    test.allowsDamage()
  }

  @Test("substring is added to a store in place, and removed from it")
  func migration() throws {
    func schema(_ forms: Set<AttributeDescription.SearchForm>, _ version: Int) throws -> StoreSchema
    {
      try SearchModels.schema(version: version) { $0[2].attributes[0].search = forms }
    }
    let maker = #"SELECT count(*) FROM sqlite_schema WHERE name LIKE 'copal_substring_Maker.name%'"#
    var tester = try test.storeTester(schema([.normalized], 1))
    for name in ["Krémer", "Kreide"] { try tester.insert(["name": .string(name)], into: "Maker") }
    #expect(try test.sqlite3(maker) == "0")
    tester = try test.storeTester(schema([.normalized, .substring], 2))
    #expect(try test.sqlite3(maker) == "6")
    #expect(try tester.keys(Self.contains("REM", "name"), of: "Maker") == [1])
    #expect(try tester.wrongDerivedValues(test) == [])
    tester = try test.storeTester(schema([.normalized], 3))
    #expect(try test.sqlite3(maker) == "0")
    #expect(try tester.keys(Self.contains("REM", "name"), of: "Maker") == [1])
    tester = try test.storeTester(SearchModels.schema(search: false, version: 4))
    #expect(
      try test.sqlite3(
        "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'copal_substring%' OR name LIKE 'copal_gone%'"
      ) == "0")
  }
}
