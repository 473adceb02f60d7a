import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Testing

/// Rows of a family whose entity another program has written or changed.
@Suite("Entities of rows that another program has written")
struct FamilyRowTests {
  private let test: TestStore
  private let schema: StoreSchema
  private let tester: StoreTester

  init() throws {
    test = try TestStore()
    schema = try FamilyChange.schema(
      #"""
      "Album": {
        "relationships": { "items": { "type": "[Asset]", "inverse": "album" }, "cover": { "type": "Media?" } }
      },
      "Asset": {
        "abstract": true, "attributes": { "name": "string?" },
        "relationships": { "album": { "type": "Album?", "inverse": "items" } }
      },
      "Link": { "parent": "Asset", "attributes": { "width": "string?" } },
      "Media": { "parent": "Asset", "abstract": true },
      "Photo": { "parent": "Media", "attributes": { "width": "integer64?", "code": "string?" }, "unique": [["code"]] },
      "Scan": { "parent": "Photo" }
      """#)
    tester = try test.storeTester(schema)
    try tester.insert([:], into: "Album")
    for entity in ["Photo", "Link", "Scan"] {
      try tester.insert(["name": .string(entity), "album": 1], into: entity)
    }
  }

  // MARK: Values that are no entity of a row

  /// What stands in the column of a Photo's entity, and how the error names it.
  static let wrongNames: [(sql: String, found: String)] =
    [
      "'Movie'", "'Media'", "'Asset'", "'Album'", "'photo'", "'PHOTO'", "'Photo '", "''",
      "'Foto'';--'",
      "5",
    ].map { ($0, "another text") } + [("x'50686F746F'", "BLOB"), ("x''", "BLOB")]

  @Test(
    "a row whose entity column has no entity of the family is reported, and is none of any subentity",
    arguments: wrongNames)
  func wrongName(sql: String, found: String) throws {
    _ = try test.sqlite3("UPDATE Asset SET copal_entity = \(sql) WHERE copal_id = 1")
    func expectFailure(_ failures: [PersistenceError]) {
      #expect(failures.map(\.code) == [.typeMismatch])
      #expect(failures.first?.property == "copal_entity" && failures.first?.found == found)
      #expect(failures.first?.expected == "Link, Photo, Scan")
    }
    let all = RowCollector(schema)
    try tester.session.fetch(tester.query(of: "Asset"), into: all)
    #expect(all.rows.map(\.key) == [2, 3])
    expectFailure(all.failures)
    let some = RowCollector(schema)
    try tester.session.fetchRows([1, 2, 3], entity: tester.layout("Asset").index, into: some)
    #expect(some.rows.map(\.key) == [2, 3])
    expectFailure(some.failures)
    let one = #expect(throws: PersistenceError.self) {
      try tester.session.fetchRow(1, entity: tester.layout("Asset").index)
    }
    expectFailure([one].compactMap(\.self))
    #expect(try tester.members("items", of: "Album", 1) == [-1, 2, 3])
    for (entity, keys) in [("Media", [3]), ("Photo", [3]), ("Scan", [3]), ("Link", [2])]
      as [(String, [Int64])]
    {
      if sql == "'Media'", entity == "Media" { continue }
      #expect(try tester.rows(of: entity).map(\.key) == keys, "\(entity)")
      #expect(try tester.session.count(tester.query(of: entity)) == keys.count)
      #expect(try tester.session.fetchRow(1, entity: tester.layout(entity).index) == nil)
    }
  }

  @Test("a row without an entity, in a table that another tool has rebuilt, is reported")
  func nullName() throws {
    let other = try TestStore()
    _ = try other.open(schema)
    _ = try other.sqlite3(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, '"copal_entity" TEXT NOT NULL', '"copal_entity" TEXT')
        WHERE name = 'Asset'
      """)
    _ = try other.sqlite3("INSERT INTO Asset (copal_id, copal_version) VALUES (1, 1)")
    let rebuilt = try other.storeTester(schema)
    let error = #expect(throws: PersistenceError.self) { try rebuilt.rows(of: "Asset") }
    #expect(error?.code == .typeMismatch && error?.found == "NULL")
    #expect(try rebuilt.rows(of: "Media").isEmpty)
  }

  // MARK: Rows that have become those of another entity

  /// What another program does to the Photo with the key 1.
  static let replacements = [
    "UPDATE Asset SET copal_entity = 'Link' WHERE copal_id = 1",
    "UPDATE Asset SET copal_entity = 'Scan' WHERE copal_id = 1",
    """
    DELETE FROM Asset WHERE copal_id = 1;
    INSERT INTO Asset (copal_id, copal_version, copal_entity) VALUES (1, 1, 'Link')
    """,
  ]

  @Test(
    "a change of an object whose row is one of another entity now is a conflict, and writes nothing",
    arguments: replacements)
  func replaced(sql: String) throws {
    let photo = try tester.row(1, of: "Photo")
    _ = try test.sqlite3(sql)
    let before = try test.sqlite3("SELECT * FROM Asset")
    let change = #expect(throws: StoreTester.Refused.self) {
      try tester.update(photo, ["width": 7, "code": "A"])
    }
    #expect(change?.conflicts.map(\.word) == ["deleted"])
    #expect(try test.sqlite3("SELECT * FROM Asset") == before)
    // A Scan is a Photo, too.
    if sql.contains("Scan") {
      try tester.commit { $0.delete(photo) }
      return
    }
    let deletion = #expect(throws: StoreTester.Refused.self) {
      try tester.commit { $0.delete(photo) }
    }
    #expect(deletion?.conflicts.map(\.word) == ["deleted"])
    #expect(try test.sqlite3("SELECT * FROM Asset") == before)
  }

  @Test("a change of many objects with one statement leaves out no row of another entity unnoticed")
  func replacedInRange() throws {
    let photos = try tester.commit { changes in
      for _ in 0..<40 { try changes.insert("Photo", [:]) }
    }.insertedKeys.joined().map { try tester.row($0, of: "Photo") }
    _ = try test.sqlite3("UPDATE Asset SET copal_entity = 'Link' WHERE copal_id = 20")
    let before = try test.sqlite3("SELECT * FROM Asset")
    for body in [
      { (changes: inout Changes) in for photo in photos { try changes.update(photo, ["width": 7]) }
      },
      { (changes: inout Changes) in for photo in photos { changes.delete(photo) } },
    ] {
      let refused = #expect(throws: StoreTester.Refused.self) { try tester.commit(body) }
      #expect(refused?.conflicts.map(\.key) == [20])
      #expect(try test.sqlite3("SELECT * FROM Asset") == before)
    }
  }
}
