import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("A store whose tables another tool has changed")
struct ChangedTablesTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  /// - Parameter extra: the name of an entity more, for a model that no other test opens.
  private static func schema(extra: String? = nil) throws -> StoreSchema {
    try StoreModels.schema(
      [
        EntityDescription(
          "Pigment",
          attributes: [
            AttributeDescription("name", .string), AttributeDescription("code", .string),
            AttributeDescription("weight", .integer64, isOptional: true),
            AttributeDescription("density", .double, isOptional: true),
            AttributeDescription("spectrum", .binary, isOptional: true),
          ],
          uniqueConstraints: [["name"], ["code", "weight"]], indexes: [IndexDescription(["weight"])]
        ),
        EntityDescription("Tool", attributes: [AttributeDescription("name", .string)]),
      ] + (extra.map { [EntityDescription($0, attributes: [])] } ?? []))
  }

  /// Fills the store, and lets another tool change it.
  private func change(_ sql: String) throws {
    do {
      let tester = try test.storeTester(Self.schema())
      for number in 0..<Int64(3) {
        try tester.insert(
          ["name": .string("P\(number)"), "code": "P", "weight": .integer(number)],
          into: "Pigment")
      }
    }
    #expect(try test.sqlite3(sql) == "")
  }

  private func refusal() throws -> PersistenceError {
    let before = try test.contents()
    let error = try #require(throws: PersistenceError.self) { try test.open(Self.schema()) }
    #expect(error.path == test.file.path(percentEncoded: false))
    #expect(try test.contents() == before)
    return error
  }

  @Test("its schema is compared when another tool has changed it, and by no further opening")
  func comparison() throws {
    let schema = try Self.schema(extra: "Compared")
    func looks() throws -> Bool {
      _ = test.recorder.take()
      _ = try test.open(schema)
      return test.recorder.take().contains { $0.contains("FROM sqlite_schema WHERE type") }
    }
    #expect(try looks())
    #expect(try !looks())
    for sql in ["CREATE INDEX shelf ON Tool (name)", "VACUUM", "DROP INDEX shelf"] {
      #expect(try test.sqlite3(sql) == "")
      #expect(try looks(), "\(sql)")
      #expect(try !looks(), "\(sql)")
    }
  }

  @Test("it is refused also when SQLite counts no change of its schema")
  func sameSchemaVersion() throws {
    _ = try test.open(Self.schema())
    let version = try test.sqlite3("PRAGMA schema_version")
    // As after an edited dump, or damage: the names would be kept as numbers.
    #expect(
      try test.sqlite3(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, '"name" TEXT', '"name" REAL') WHERE name = 'Tool'
        """) == "")
    #expect(try test.sqlite3("PRAGMA schema_version") == version)
    let error = try refusal()
    #expect(error.code == .damagedSchema)
    #expect(
      error.found
        == "the column name of Tool has the type REAL, whose affinity changes TEXT values")
  }

  /// What another person can do to the tables: the wrong results come later, without an error.
  private static let forgeries = [
    #"UPDATE sqlite_schema SET sql = replace(sql, '"name" TEXT', '"name" TEXT COLLATE NOCASE') WHERE name = 'Tool'"#,
    #"UPDATE sqlite_schema SET sql = sql || ' WHERE 0' WHERE name = 'copal_unique_Pigment(name)'"#,
    "DROP TABLE Tool; CREATE VIEW Tool AS SELECT 1 AS copal_id, 1 AS copal_version, 'x' AS name",
  ]

  @Test("a file cannot say of itself that its tables are the model's", arguments: forgeries)
  func forgedTables(sql: String) throws {
    let schema = try Self.schema()
    _ = try test.open(schema)
    #expect(try test.sqlite3("PRAGMA writable_schema = ON; \(sql)") == "")
    // Earlier versions kept such a hash in the file, which anybody can compute, too.
    var hash = StableHash()
    hash.combine(schema.hash.text)
    for text in try test.sqlite3("SELECT quote(sql) FROM sqlite_schema").split(separator: "\n")
    where text != "NULL" {
      hash.combine(String(text.dropFirst().dropLast()).replacing("''", with: "'"))
    }
    #expect(
      try test.sqlite3(
        "INSERT INTO copal_metadata VALUES ('knownTables', '\(String(hash.value, radix: 16))')")
        == "")
    #expect(try refusal().code == .damagedSchema)
  }

  @Test("it opens at once while another connection writes")
  func comparisonUnderLock() throws {
    _ = try test.open(Self.schema())
    #expect(try test.sqlite3("CREATE INDEX shelf ON Tool (name)") == "")
    let other = try test.otherProgram()
    try other.run("BEGIN IMMEDIATE")
    let begin = ContinuousClock.now
    _ = try test.open(Self.schema(), SQLiteStore.Options(busyTimeoutSeconds: 60))
    #expect(ContinuousClock.now - begin < .seconds(30), "it waits for the lock of another")
    try other.run("ROLLBACK")
  }

  // MARK: Tables and columns

  private static let columns =
    "copal_version INTEGER NOT NULL, name TEXT, code TEXT, weight INTEGER, density REAL, spectrum BLOB"

  @Test(
    "a store with changed tables is refused when it opens, and the error has every difference",
    arguments: [
      ("ALTER TABLE Pigment DROP COLUMN density", ["Pigment has no column density"]),
      (
        "ALTER TABLE Pigment DROP COLUMN density; ALTER TABLE Pigment DROP COLUMN spectrum; DROP TABLE Tool",
        [
          "Pigment has no column density", "Pigment has no column spectrum",
          "the table Tool is missing",
        ]
      ),
      ("ALTER TABLE Tool DROP COLUMN copal_version", ["Tool has no column copal_version"]),
      (
        "DROP TABLE Tool; CREATE VIEW Tool AS SELECT 1 AS copal_id, 1 AS copal_version, 'x' AS name",
        ["Tool is a view, not a table"]
      ),
      (
        "DROP TABLE Tool; CREATE TABLE Tool (copal_id INTEGER PRIMARY KEY, copal_version INTEGER, name AS ('x'))",
        ["the column name of Tool is a generated column, which cannot be written"]
      ),
      (
        "DROP TABLE Tool; CREATE TABLE Tool (copal_id INTEGER PRIMARY KEY, copal_version INTEGER, name TEXT COLLATE NOCASE)",
        ["the column name of Tool has the collation NOCASE, by which different texts can be equal"]
      ),
      (
        "DROP TABLE Tool; CREATE TABLE Tool (copal_id TEXT PRIMARY KEY, copal_version REAL, name NUMERIC)",
        [
          "the column copal_id of Tool has the type TEXT, whose affinity changes INTEGER values",
          "the column copal_version of Tool has the type REAL, whose affinity changes INTEGER values",
          "the column name of Tool has the type NUMERIC, whose affinity changes TEXT values",
        ]
      ),
      (
        "DROP INDEX \"copal_unique_Pigment(name)\"; CREATE INDEX \"copal_unique_Pigment(name)\" ON Pigment (name)",
        [
          "the index 'copal_unique_Pigment(name)' differs from the model's; drop it, so that Copal can create it again"
        ]
      ),
      (
        "DROP INDEX \"copal_unique_Pigment(name)\"; CREATE UNIQUE INDEX \"copal_unique_Pigment(name)\" ON Pigment (name) WHERE code = 'x'",
        [
          "the index 'copal_unique_Pigment(name)' differs from the model's; drop it, so that Copal can create it again"
        ]
      ),
      (
        "DROP INDEX \"copal_unique_Pigment(name)\"; CREATE UNIQUE INDEX \"copal_unique_Pigment(name)\" ON Pigment (name COLLATE NOCASE)",
        [
          "the index 'copal_unique_Pigment(name)' differs from the model's; drop it, so that Copal can create it again"
        ]
      ),
    ])
  func refused(sql: String, lines: [String]) throws {
    try change(sql)
    let error = try refusal()
    #expect(error.code == .damagedSchema)
    #expect(error.found == lines.joined(separator: "\n"))
  }

  @Test(
    "a store with equivalent tables opens",
    arguments: [
      "CREATE TABLE n (copal_id INTEGER PRIMARY KEY, \(columns))",
      "CREATE TABLE n (\(columns), copal_id INT PRIMARY KEY)",
      "CREATE TABLE n (copal_id INTEGER PRIMARY KEY, \(columns)) WITHOUT ROWID",
      "CREATE TABLE n (copal_id INTEGER PRIMARY KEY, \(columns)) STRICT",
      "CREATE TABLE n (copal_id INTEGER PRIMARY KEY DESC, \(columns), more TEXT)",
      "CREATE TABLE n (COPAL_ID BIGINT, copal_version, name, Code VARCHAR(9), weight NUMERIC, density DOUBLE, spectrum)",
    ])
  func served(sql: String) throws {
    try change(
      """
      \(sql);
      INSERT INTO n (copal_id, copal_version, name, code, weight) SELECT copal_id, copal_version, name, code, weight FROM Pigment;
      DROP TABLE Pigment; ALTER TABLE n RENAME TO Pigment
      """)
    let schema = try Self.schema()
    let tester = try test.storeTester(schema)
    #expect(try tester.rows(of: "Pigment").map { $0["name"] } == ["P0", "P1", "P2"])
    var changes = Changes(schema)
    for number in 0..<150 {
      try changes.insert("Pigment", ["name": .string("N\(number)"), "code": "007"])
    }
    #expect(try tester.commit(changeSet: changes.set).insertedKeys == [Array(4...153)])
    try tester.update(tester.row(153, of: "Pigment"), ["density": 1.0, "weight": 3])
    let row = try tester.row(153, of: "Pigment")
    #expect([row["density"], row["weight"], row["code"]] == [1.0, 3, "007"])
    #expect(!row.row.hasTypeMismatch)
    // The indexes were dropped with the old table, and were created again.
    let refused = try #require(throws: StoreTester.Refused.self) {
      try tester.insert(["name": "P1"], into: "Pigment")
    }
    #expect(refused.conflicts.map(\.word) == ["unique"])
  }

  // MARK: Indexes

  @Test("a store gets missing indexes back when it opens")
  func droppedIndexes() throws {
    try change(
      "DROP INDEX \"copal_unique_Pigment(name)\"; DROP INDEX \"copal_index_Pigment(weight)\"")
    let tester = try test.storeTester(Self.schema())
    #expect(
      try test.sqlite3(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
        == "copal_index_Pigment(weight)\ncopal_unique_Pigment(code,weight)\ncopal_unique_Pigment(name)"
    )
    #expect(throws: StoreTester.Refused.self) { try tester.insert(["name": "P1"], into: "Pigment") }
  }

  @Test("a store is refused when a unique index is missing and objects share a value")
  func sharedValues() throws {
    try change(
      """
      DROP INDEX "copal_unique_Pigment(name)"; DROP INDEX "copal_index_Pigment(weight)";
      UPDATE Pigment SET name = 'P0' WHERE copal_id = 3
      """)
    let error = try refusal()
    #expect(error.code == .damagedSchema)
    #expect(
      error.found
        == "the unique index 'copal_unique_Pigment(name)' is missing and cannot be created again, because rows have the same values"
    )
    _ = try test.sqlite3("UPDATE Pigment SET name = 'P2' WHERE copal_id = 3")
    #expect(try test.storeTester(Self.schema()).keys(of: "Pigment") == [1, 2, 3])
  }

  @Test("opening an unchanged store writes nothing")
  func inOrder() throws {
    try change("SELECT 1 WHERE 0")
    _ = test.recorder.take()
    _ = try test.open(Self.schema())
    let statements = test.recorder.take()
    #expect(!statements.contains { $0.hasPrefix("CREATE") || $0.hasPrefix("BEGIN") })
    #expect(!statements.contains { $0.contains("pragma_") })
  }

  // MARK: Last keys

  @Test(
    "a store without a usable table of last keys is refused",
    arguments: [
      ("DROP TABLE copal_keys", "no such table: copal_keys"),
      ("ALTER TABLE copal_keys RENAME COLUMN last TO l", "no such column: last"),
      (
        "DROP TABLE copal_keys; CREATE TABLE copal_keys (entity TEXT, last INTEGER)",
        "ON CONFLICT clause does not match any PRIMARY KEY or UNIQUE constraint"
      ),
    ])
  func lastKeys(sql: String, found: String) throws {
    try change(sql)
    let error = try refusal()
    #expect(error.code == .damagedMetadata && error.found == found)
  }

  @Test(
    "a save throws when the last key is not a valid key",
    arguments: [
      ("'abc'", "TEXT"), ("1.5", "REAL"), ("-1", "-1"),
      ("-9223372036854775808", "-9223372036854775808"),
      ("x'07'", "BLOB"),
    ])
  func foreignLastKey(value: String, found: String) throws {
    try change("UPDATE copal_keys SET last = \(value) WHERE entity = 'Pigment'")
    let tester = try test.storeTester(Self.schema())
    let error = try #require(throws: PersistenceError.self) {
      try tester.insert(["name": "x"], into: "Pigment")
    }
    #expect(error.code == .damagedMetadata)
    #expect(
      error.found == "the last key of Pigment in copal_keys is \(found) instead of a number from 0")
  }

  @Test("a store assigns keys from 1 on when another program has added smaller keys")
  func negativeKeys() throws {
    try change("INSERT INTO Tool VALUES (-7, 1, 'x')")
    #expect(try test.storeTester(Self.schema()).insert(["name": "y"], into: "Tool") == 1)
  }

  // MARK: Keys

  @Test(
    "a fetch reports invalid keys in a table whose key column is not the rowid",
    arguments: [
      ("1.7", "REAL"), ("'2abc'", "TEXT"), ("1e300", "REAL"), ("x'01'", "BLOB"), ("NULL", "NULL"),
      ("0", "0"), ("-5", "-5"), ("''", "TEXT"), ("-9223372036854775808", "-9223372036854775808"),
    ])
  func foreignKeys(key: String, found: String) throws {
    try change(
      """
      DROP TABLE Tool; CREATE TABLE Tool (copal_id INT, copal_version INTEGER, name TEXT);
      INSERT INTO Tool VALUES (1, 1, 'a'), (\(key), 1, 'b'), (2, 1, 'c')
      """)
    let tester = try test.storeTester(Self.schema())
    for read in [
      { _ = try tester.keys(of: "Tool") }, { _ = try tester.rows(of: "Tool") },
    ] {
      let error = try #require(throws: PersistenceError.self) { try read() }
      #expect(error.code == .typeMismatch)
      #expect([error.entity, error.property, error.found] == ["Tool", "copal_id", found])
    }
    // Objects with valid keys are found anyway.
    #expect(try tester.row(1, of: "Tool")["name"] == "a")
    #expect(try tester.row(2, of: "Tool")["name"] == "c")
    if key == "'2abc'" || key == "x'01'" {
      // There is no next key after an invalid one.
      let error = try #require(throws: PersistenceError.self) {
        try tester.insert(["name": "d"], into: "Tool")
      }
      #expect(error.code == .typeMismatch)
    }
  }
}
