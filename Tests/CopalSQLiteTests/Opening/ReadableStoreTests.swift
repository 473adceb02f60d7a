import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Stores in other programs")
struct ReadableStoreTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  @Test("a store has readable tables and values")
  func values() throws {
    let tester = try test.storeTester(StoreModels.sampler())
    let uuid = try #require(UUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F10"))
    let url = try #require(URL(string: "https://example.com/a%20b"))
    try tester.insert([
      "small": -7, "whole": .integer(.max), "single": 0.5, "real": 0.1, "amount": .decimal(12.5),
      "price": .decimal(12.5), "flag": true, "flag2": false,
      "instant": .date(Date(timeIntervalSinceReferenceDate: 86400.25)), "text": "好看的颜色呀!^_^",
      "bytes": .binary(Data([0, 255])), "mark": .uuid(uuid), "link": .uri(url),
    ])
    try tester.insert([:])
    let values: [(column: String, value: String, storage: String)] = [
      ("copal_id", "1", "integer"), ("copal_version", "1", "integer"), ("small", "-7", "integer"),
      ("whole", "9223372036854775807", "integer"), ("single", "0.5", "real"),
      ("real", "0.1", "real"), ("amount", "'12.5'", "text"), ("price", "1250", "integer"),
      ("flag", "1", "integer"), ("flag2", "0", "integer"), ("instant", "86400.25", "real"),
      ("text", "'好看的颜色呀!^_^'", "text"), ("bytes", "X'00FF'", "blob"),
      ("mark", "X'0102030405060708090A0B0C0D0E0F10'", "blob"),
      ("link", "'https://example.com/a%20b'", "text"), ("text2", "NULL", "null"),
    ]
    for (column, value, storage) in values {
      let sql = "SELECT quote(\(column)), typeof(\(column)) FROM Sample WHERE copal_id = 1"
      #expect(try test.sqlite3(sql) == "\(value)|\(storage)", "\(column)")
    }
    let date = "SELECT datetime(instant + 978307200, 'unixepoch') FROM Sample WHERE copal_id = 1"
    #expect(try test.sqlite3(date) == "2001-01-02 00:00:00")
    #expect(try test.sqlite3("SELECT * FROM copal_keys") == "Sample|2")
    #expect(
      try test.sqlite3("SELECT name FROM copal_metadata ORDER BY name")
        == "accepts\nidentifier\nmodel\nrequires\nschemaHash\nversion\nwriter")
    #expect(
      try test.sqlite3("PRAGMA journal_mode; PRAGMA user_version; PRAGMA application_id")
        == "wal\n1\n1131376748")
  }

  @Test("another tool can check a store and sort by every column")
  func tools() throws {
    let layout = try #require(try StoreModels.sampler().entities.first)
    let tester = try test.storeTester(StoreModels.sampler())
    var random = RandomPredicates(seed: 7, layout)
    try tester.commit { changes in
      for _ in 0..<200 { try changes.insert("Sample", random.object()) }
    }
    #expect(try test.sqlite3("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
    for name in layout.attributes.map(\.name) + ["copal_id", "copal_version"] {
      let keys = try test.sqlite3("SELECT copal_id FROM Sample ORDER BY \"\(name)\" DESC, copal_id")
      #expect(keys.split(separator: "\n").count == 200, "\(name)")
    }
    #expect(try test.sqlite3("REINDEX; VACUUM; PRAGMA integrity_check") == "ok")
    #expect(try test.storeTester(StoreModels.sampler()).keys().count == 200)
  }

  @Test("a store keeps texts byte for byte, also with a NUL")
  func texts() throws {
    let tester = try test.storeTester(StoreModels.sampler())
    for text in SampleValues.texts where text.utf8.count < 10_000 {
      let key = try tester.insert(["text": .string(text)])
      let hex = text.utf8.map { String(format: "%02X", $0) }.joined()
      #expect(
        try test.sqlite3("SELECT hex(CAST(text AS BLOB)) FROM Sample WHERE copal_id = \(key)")
          == hex)
    }
  }

  // MARK: Values of other programs

  @Test("a value of another storage class is reported with its column, and kept")
  func typeMismatches() throws {
    let tester = try test.storeTester(StoreModels.sampler())
    let key = try tester.insert(["text": "mine"])
    let cases: [(String, String, TypeMismatch)] = [
      ("small", "'abc'", .text), ("whole", "1.5", .real), ("flag", "X'01'", .blob),
      ("price", "'x'", .text), ("real", "'abc'", .text), ("instant", "X'01'", .blob),
      ("amount", "X'31'", .blob), ("text2", "X'41'", .blob), ("bytes", "'abc'", .text),
      ("bytes2", "7", .integer), ("mark", "'0102'", .text), ("link", "X'41'", .blob),
    ]
    for (column, sql, found) in cases {
      _ = try test.sqlite3("UPDATE Sample SET \(column) = \(sql) WHERE copal_id = \(key)")
      let row = try tester.row(key)
      #expect(row.row.hasTypeMismatch)
      #expect(row.typeMismatch(column) == found, "\(column)")
      #expect(row[column] == .null)
    }
    // A save of another value does not change them.
    try tester.update(tester.row(key), ["text": "yours"])
    #expect(try tester.row(key)["text"] == "yours")
    for (column, sql, _) in cases {
      let same = "SELECT \(column) IS \(sql) FROM Sample WHERE copal_id = \(key)"
      #expect(try test.sqlite3(same) == "1", "\(column)")
    }
    // Setting a value of the right type removes the mismatch.
    try tester.update(tester.row(key), ["small": 3])
    #expect(try tester.row(key)["small"] == 3)
    #expect(try tester.row(key).typeMismatch("small") == nil)
  }

  @Test("a NULL in a required attribute is reported")
  func foreignNull() throws {
    let schema = try StoreModels.schema([
      EntityDescription("Pigment", attributes: [AttributeDescription("name", .string)])
    ])
    let tester = try test.storeTester(schema)
    let key = try tester.insert(["name": "Smalt"])
    _ = try test.sqlite3("UPDATE Pigment SET name = NULL")
    #expect(try tester.row(key).typeMismatch("name") == .null)
  }

  @Test("a store assigns keys after those that another program has assigned")
  func foreignKeys() throws {
    let tester = try test.storeTester(StoreModels.sampler())
    try tester.insert([:])
    _ = try test.sqlite3(
      """
      INSERT INTO Sample (copal_id, copal_version, copal_entity, text) \
      VALUES (1000, 1, 'Sample', 'x')
      """)
    #expect(try tester.insert([:]) == 1001)
    #expect(try tester.row(1000)["text"] == "x")
    #expect(try tester.keys() == [1, 1000, 1001])
  }

  @Test("a save after the greatest possible key throws")
  func maxKey() throws {
    let tester = try test.storeTester(StoreModels.sampler())
    let sql = """
      INSERT INTO Sample (copal_id, copal_version, copal_entity) \
      VALUES (9223372036854775807, 1, 'Sample')
      """
    _ = try test.sqlite3(sql)
    let error = #expect(throws: PersistenceError.self) { try tester.insert([:]) }
    #expect(error?.code == .keysExhausted)
    #expect(error?.entity == "Sample")
    #expect(try tester.keys() == [.max])
    _ = try test.sqlite3(
      "INSERT INTO copal_keys VALUES ('Sample', 9223372036854775807); DELETE FROM Sample")
    #expect(throws: PersistenceError.self) { try tester.insert([:]) }
  }

  @Test(
    "rows with invalid keys or versions are refused, and the error names them",
    arguments: [
      ("-1, 1", "copal_id", "-1"), ("0, 1", "copal_id", "0"),
      ("5, -1", "copal_version", "-1"), ("5, 'x'", "copal_version", "TEXT"),
      ("5, 1.5", "copal_version", "REAL"), ("5, x''", "copal_version", "BLOB"),
      ("5, 9223372036854775807", "copal_version", "9223372036854775807"),
    ])
  func impossibleKeys(values: String, attribute: String, found: String) throws {
    let tester = try test.storeTester(StoreModels.sampler())
    _ = try test.sqlite3(
      """
      INSERT INTO Sample (copal_id, copal_version, copal_entity) VALUES (\(values), 'Sample')
      """)
    let key = Int64(values.prefix { $0 != "," }) ?? 0
    for read in [
      { _ = try tester.rows() }, { _ = try tester.row(key) },
      { _ = try tester.session.fetchRow(key, entity: 0) },
    ] {
      let error = try #require(throws: PersistenceError.self) { try read() }
      #expect(error.code == .typeMismatch)
      #expect([error.property, error.found] == [attribute, found])
      #expect(error.objectID?.key == (attribute == "copal_version" ? 5 : nil))
    }
    if attribute == "copal_id" { #expect(throws: PersistenceError.self) { try tester.keys() } }
  }

  @Test("a fetch gives the other rows of a result when one row has an invalid version")
  func oneForeignVersion() throws {
    let tester = try test.storeTester(StoreModels.sampler())
    for _ in 0..<5 { try tester.insert([:]) }
    _ = try test.sqlite3("UPDATE Sample SET copal_version = -1 WHERE copal_id = 3")
    for read in [
      { try tester.session.fetch(tester.query(), into: $0) },
      { try tester.session.fetchRows([1, 2, 3, 4, 5], entity: 0, into: $0) },
    ] as [(any RowReceiver) throws -> Void] {
      let receiver = RowCollector(tester.schema)
      try read(receiver)
      #expect(receiver.rows.map(\.key) == [1, 2, 4, 5])
      #expect(receiver.failures.map { $0.objectID?.key } == [3])
    }
  }

  @Test("a missing column is an error, and is not read as a text with its name")
  func missingColumn() throws {
    let tester = try test.storeTester(StoreModels.sampler())
    let key = try tester.insert(["text": "x"])
    _ = try test.sqlite3("ALTER TABLE Sample DROP COLUMN text")
    let error = #expect(throws: PersistenceError.self) { try tester.row(key) }
    #expect(error?.code == .backend)
    #expect(error?.found == "no such column: text")
  }

  @Test(
    "a large save gives rows the right keys also when another tool has rebuilt the table",
    arguments: [
      "copal_id INTEGER PRIMARY KEY", "copal_id INTEGER PRIMARY KEY AUTOINCREMENT",
      "copal_id INT PRIMARY KEY", "copal_id INTEGER",
    ])
  func rebuilt(key: String) throws {
    let schema = try StoreModels.wide(3)
    let first = try test.storeTester(schema).insert(["a0": 0])
    _ = try test.sqlite3(
      """
      CREATE TABLE n (\(key), copal_version INTEGER NOT NULL, a0 INTEGER, a1 TEXT, a2 REAL);
      INSERT INTO n SELECT * FROM Wide; INSERT INTO n (copal_id, copal_version) VALUES (5000, 1);
      DELETE FROM n WHERE copal_id = 5000; DROP TABLE Wide; ALTER TABLE n RENAME TO Wide
      """)
    let tester = try test.storeTester(schema)
    for round in 0..<2 {
      var changes = Changes(schema)
      for number in 0..<150 { try changes.insert("Wide", ["a0": .integer(Int64(number))]) }
      let keys = try #require(try tester.commit(changeSet: changes.set).insertedKeys.first)
      #expect(Set(keys).count == 150 && !keys.contains(first))
      for (number, key) in keys.enumerated() {
        #expect(try tester.row(key)["a0"] == .integer(Int64(number)), "round \(round)")
      }
    }
    #expect(try tester.rows().count == 301)
  }

  @Test("a save updates a row that another tool has duplicated")
  func duplicated() throws {
    let schema = try StoreModels.wide(3)
    let key = try test.storeTester(schema).insert(["a0": 1])
    _ = try test.sqlite3(
      """
      CREATE TABLE n (copal_id INTEGER, copal_version INTEGER NOT NULL, a0 INTEGER, a1 TEXT, a2 REAL);
      INSERT INTO n SELECT * FROM Wide; INSERT INTO n SELECT * FROM Wide;
      DROP TABLE Wide; ALTER TABLE n RENAME TO Wide
      """)
    let tester = try test.storeTester(schema)
    try tester.update(tester.row(key), ["a0": 2])
    #expect(try test.sqlite3("SELECT a0, copal_version FROM Wide") == "2|2\n2|2")
  }

  @Test("a store runs no trigger of the file, and reads no view in place of a table")
  func crafted() throws {
    let schema = try StoreModels.sampler()
    let key = try test.storeTester(schema).insert(["text": "x"])
    _ = try test.sqlite3(
      """
      CREATE TABLE loot (text);
      CREATE TRIGGER t1 AFTER INSERT ON Sample BEGIN INSERT INTO loot VALUES (NEW.text); END;
      CREATE TRIGGER t2 AFTER UPDATE ON Sample BEGIN DELETE FROM Sample; END
      """)
    let tester = try test.storeTester(schema)
    try tester.update(tester.row(key), ["text": "y"])
    try tester.insert(["text": "z"])
    #expect(try test.sqlite3("SELECT count(*) FROM loot") == "0")
    #expect(try tester.keys() == [1, 2])
    _ = try test.sqlite3(
      "ALTER TABLE Sample RENAME TO Real; CREATE VIEW Sample AS SELECT * FROM Real")
    let error = #expect(throws: PersistenceError.self) { try tester.rows() }
    #expect(error?.code == .backend)
    #expect(throws: PersistenceError.self) { try test.open(schema) }
  }

  @Test("a file with flipped bytes gives rows or a typed error")
  func flips() throws {
    let schema = try StoreModels.sampler()
    let layout = try #require(schema.entities.first)
    var objects = RandomPredicates(seed: 10, layout)
    do {
      let tester = try test.storeTester(schema)
      try tester.commit { changes in
        for _ in 0..<50 { try changes.insert("Sample", objects.object()) }
      }
    }
    _ = try test.sqlite3("PRAGMA wal_checkpoint(TRUNCATE)")
    let good = try Data(contentsOf: test.file)
    var random = SplitMix(seed: 10)
    var refused = 0
    for round in 0..<300 {
      let test = try TestStore()
      test.allowsDamage()
      var bad = good
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        bad[Int.random(in: 0..<bad.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if round % 10 == 0 { bad = bad.prefix(Int.random(in: 0..<bad.count, using: &random)) }
      try bad.write(to: test.file)
      do {
        let tester = try test.storeTester(schema)
        for row in try tester.rows() { _ = row.values }
        try tester.insert(["text": "x"])
      } catch is PersistenceError {
        refused += 1
      }
    }
    #expect(refused > 0)
  }
}
