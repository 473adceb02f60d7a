import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("SQL of the program", .modelAsIs)
struct RawSQLTests {
  private let test: TestStore
  private let container: PersistentContainer
  private let context: ManagedObjectContext

  init() throws {
    test = try TestStore()
    container = try test.atelier()
    context = container.makeContext()
    for (name, price, density) in [
      ("Ochre", "8.50", "1.5"), ("Umber", "12.00", "0.25"), ("White", "20.25", nil),
    ] {
      let pigment = Pigment(context: context, name: name)
      pigment.price = try #require(Decimal(string: price))
      pigment.density = density.flatMap { Decimal(string: $0) }
    }
    try context.save()
  }

  private func code(_ sql: RawSQL) -> PersistenceError.Code? {
    #expect(throws: PersistenceError.self) { try context.fetchRows(sql: sql) }?.code
  }

  private func unsafeCode(_ sql: RawSQL) -> PersistenceError.Code? {
    #expect(throws: PersistenceError.self) { try context.executeUnsafe(sql: sql) }?.code
  }

  // MARK: Reading

  @Test("the tables of JSON functions can be read, and no table that writes")
  func tablesOfFunctions() throws {
    for _ in 0..<2 {
      let rows = try context.fetchRows(sql: "SELECT value FROM json_each(\("[3, 4]"))")
      #expect(rows.map { $0["value"] } == [3, 4])
      #expect(try context.fetchRows(sql: "SELECT key FROM json_tree('[1]')").count == 2)
    }
    #expect(code("SELECT * FROM pragma_optimize(0xfffe)") == .sqlNotAllowed)
  }

  @Test("a kept statement has the columns that the table has now")
  func newColumn() throws {
    let sql: RawSQL = "SELECT p.*, 7 AS last FROM Pigment AS p LIMIT 1"
    let before = try context.fetchRows(sql: sql)
    _ = try test.sqlite3("ALTER TABLE Pigment ADD COLUMN other INTEGER DEFAULT 5")
    let after = try context.fetchRows(sql: sql)
    #expect(before.first?["last"] == 7 && after.first?["last"] == 7)
    #expect(after.first?["other"] == 5)
  }

  @Test("names are quoted, values are bound, and rows have named columns")
  func rows() throws {
    var rows: [SQLRow] = []
    let statements = try test.recorder.statements {
      rows = try context.fetchRows(
        sql: """
          SELECT \(column: \Pigment.name), \(column: \Pigment.price), length(p.\(column: \Pigment.name)) AS size
          FROM \(table: Pigment.self) AS p
          WHERE \(column: \Pigment.price) > \(8.5, as: \Pigment.price) ORDER BY \(key: Pigment.self) DESC
          """)
    }
    #expect(
      statements == [
        """
        SELECT "name", "price", length(p."name") AS size
        FROM "Pigment" AS p
        WHERE "price" > ? ORDER BY "copal_id" DESC
        """
      ])
    #expect(rows.count == 2 && rows[0].columns == ["name", "price", "size"])
    #expect(rows.map { $0["name"] } == ["White", "Umber"])
    #expect(rows[0].values == ["White", 2025, 5])
    #expect(try rows[0].value(of: "price", as: \Pigment.price) == 20.25)
    #expect(try rows[0].value(of: "size", as: Int.self) == 5)
    #expect(rows[0]["missing"] == nil)
    #expect(rows[0].description.hasPrefix("name: "))
  }

  @Test("a value of every type is bound, and compares equal with what is stored")
  func types() throws {
    let painting = Painting(context: context, widthMillimetres: 10, heightMillimetres: 20)
    painting.finished = Date(timeIntervalSinceReferenceDate: 12_345.678)
    painting.weightKilograms = 0.1
    painting.views = .max
    let painter = Painter(context: context, name: "Rosa")
    painter.website = URL(string: "https://example.com/a?b=c")
    painter.portrait = Data([0, 1, 255])
    try context.save()
    let count = try context.fetchRows(
      sql: """
        SELECT count(*) AS n FROM \(table: Painting.self), \(table: Painter.self) AS r
        WHERE \(column: \Painting.finished) = \(painting.finished)
        AND \(column: \Painting.id) = \(painting.id) AND \(column: \Painting.views) = \(painting.views)
        AND \(column: \Painting.weightKilograms) = \(painting.weightKilograms)
        AND \(column: \Painter.website) = \(painter.website) AND \(column: \Painter.portrait) = \(painter.portrait)
        AND \(column: \Painter.joined) = \(painter.joined)
        AND \(column: \Painting.title) = \("Untitled") AND \(column: \Painter.email) IS \(nil)
        AND r.\(key: Painter.self) = \(painter) AND r.\(key: Painter.self) = \(painter.objectID)
        AND \(column: \Painter.prizes) IN (\([3, 0, 4])) AND \(true) = 1 AND \(false) = 0 AND \(1.5) = 1.5
        """)
    #expect(try count.first?.value(of: "n", as: Int.self) == 1)
    let pigments = try context.fetchRows(
      sql: """
        SELECT name, price, density, isLightfast, origin FROM \(table: Pigment.self)
        WHERE \(column: \Pigment.price) = \(12, as: \Pigment.price)
        AND \(column: \Pigment.density) = \(Decimal(string: "0.25")) AND \(column: \Pigment.isLightfast) = \(true)
        """)
    let row = try #require(pigments.first)
    #expect(try row.value(of: "price", as: \Pigment.price) == 12)
    #expect(try row.value(of: "density", as: Decimal.self) == Decimal(string: "0.25"))
    #expect(try row.value(of: "density", as: \Pigment.density) == Decimal(string: "0.25"))
    #expect(try row.value(of: "isLightfast", as: Bool.self) == true)
    #expect(
      try row.value(of: "origin", as: URL.self) == URL(string: "https://example.com/pigments"))
    let stored = try context.fetchRows(sql: "SELECT finished, id, weightKilograms FROM Painting")[0]
    #expect(try stored.value(of: "finished", as: Date.self) == painting.finished)
    #expect(try stored.value(of: "id", as: UUID.self) == painting.id)
    #expect(try stored.value(of: "weightKilograms", as: Float.self) == painting.weightKilograms)
  }

  @Test(
    "a hostile text stays a value",
    arguments: [
      "'; DROP TABLE Pigment; --", "\"", "?", "?1", ":name", "a\0b", "", "\u{1F3A8}",
      String(repeating: "x'", count: 500_000), "') OR 1=1 --", "%", "\\",
    ])
  func hostile(text: String) throws {
    let rows = try context.fetchRows(
      sql: "SELECT \(text) AS text, name FROM \(table: Pigment.self) WHERE name = \(text)")
    #expect(rows.isEmpty)
    let same = try context.fetchRows(sql: "SELECT \(text) AS text, \(Data(text.utf8)) AS bytes")
    #expect(same.first?["text"] == .string(text))
    #expect(same.first?["bytes"] == .binary(Data(text.utf8)))
    #expect(
      try context.executeUnsafe(sql: "UPDATE Pigment SET name = \(text + "!") WHERE name = 'Ochre'")
        == 1)
    #expect(try context.fetch(Pigment.self).map(\.name) == [text + "!", "Umber", "White"])
  }

  @Test("parts of a statement are put together, with their values")
  func parts() throws {
    var condition: RawSQL = "price > \(9, as: \Pigment.price)"
    condition += " AND name <> \("White")"
    let order: RawSQL = " ORDER BY name"
    let sql: RawSQL = "SELECT name FROM \(table: "Pigment") WHERE \(sql: condition)"
    #expect(try context.fetchRows(sql: sql + order).map { $0["name"] } == ["Umber"])
    let names: Set<String> = ["Ochre", "White"]
    let found = try context.fetchRows(
      sql:
        "SELECT \(column: "name", of: "Pigment") FROM Pigment WHERE name IN (\(names)) ORDER BY 1")
    #expect(found.map { $0["name"] } == ["Ochre", "White"])
    let none = try context.fetchRows(sql: "SELECT 1 WHERE 1 IN (\([Int]()))")
    #expect(none.isEmpty)
    let price: PropertyValue = .decimal(12)
    let named = try context.fetchRows(
      sql: "SELECT name FROM Pigment WHERE price = \(price, as: "price", of: "Pigment")")
    #expect(named.map { $0["name"] } == ["Umber"])
  }

  @Test("names, values and columns that do not match the model are errors")
  func names() throws {
    #expect(code("SELECT 1 FROM \(table: "Pigmant")") == .unknownEntity)
    #expect(code("SELECT 1 FROM \(table: ManagedObject.self)") == .unknownEntity)
    #expect(code("SELECT \(column: "prise", of: "Pigment") FROM Pigment") == .unknownProperty)
    #expect(code("SELECT \(column: \Pigment.isFault) FROM Pigment") == .unknownProperty)
    #expect(code("SELECT \(column: "swatch", of: "Pigment") FROM Pigment") == .notQueryable)
    #expect(code("SELECT \(1.234, as: \Pigment.price)") == .scaleExceeded)
    #expect(code("SELECT \("a", as: "price", of: "Pigment")") == .predicateType)
    #expect(code("SELECT \(Pigment(context: context, name: "New"))") == .objectUnsaved)
    let row = try #require(context.fetchRows(sql: "SELECT name, price FROM Pigment").first)
    for body in [
      { _ = try row.value(of: "nothing", as: Int.self) },
      { _ = try row.value(of: "name", as: Int.self) },
      { _ = try row.value(of: "price", as: UUID.self) },
      { _ = try row.value(of: "price", as: Bool.self) },
      { _ = try row.value(of: "name", as: \Pigment.price) },
    ] {
      let error = #expect(throws: PersistenceError.self) { try body() }
      #expect(error?.code == .sqlWrongColumn)
    }
  }

  // MARK: What is refused

  @Test("a statement for reading that does anything else is refused")
  func refused() throws {
    let refused: [(RawSQL, String)] = [
      ("INSERT INTO Pigment (name) VALUES ('x')", "INSERT"),
      ("UPDATE Pigment SET name = 'x'", "UPDATE"),
      ("DELETE FROM Pigment", "DELETE"),
      ("WITH x AS (SELECT 1) DELETE FROM Pigment WHERE copal_id IN x", "DELETE"),
      ("REPLACE INTO Pigment (name) VALUES ('x')", "INSERT"),
      ("UPDATE Pigment SET name = 'x' RETURNING name", "UPDATE"),
      ("CREATE TABLE t (a)", "a change of the schema"),
      ("CREATE TEMP TABLE t (a)", "a change of the schema"),
      ("DROP TABLE Pigment", "a change of the schema"),
      ("ALTER TABLE Pigment ADD x", "ALTER TABLE"),
      ("CREATE INDEX i ON Pigment (name)", "a change of the schema"),
      ("CREATE TRIGGER t AFTER DELETE ON Pigment BEGIN SELECT 1; END", "a change of the schema"),
      ("CREATE VIEW v AS SELECT 1", "a change of the schema"),
      ("CREATE VIRTUAL TABLE v USING fts5(a)", "a change of the schema"),
      ("PRAGMA journal_mode = DELETE", "PRAGMA"), ("PRAGMA user_version", "PRAGMA"),
      ("ATTACH 'other.sqlite' AS other", "ATTACH"), ("DETACH other", "DETACH"),
      ("BEGIN", "BEGIN, COMMIT or ROLLBACK"), ("COMMIT", "BEGIN, COMMIT or ROLLBACK"),
      ("ROLLBACK", "BEGIN, COMMIT or ROLLBACK"),
      ("SAVEPOINT s", "SAVEPOINT, RELEASE or ROLLBACK TO"),
      ("ANALYZE", "a change of the schema"), ("REINDEX", "REINDEX"),
      ("VACUUM", "a change of the whole store"),
      ("VACUUM INTO 'x.sqlite'", "a change of the whole store"),
      ("SELECT load_extension('x')", "the function load_extension"),
    ]
    for (sql, found) in refused {
      let error = #expect(throws: PersistenceError.self) { try context.fetchRows(sql: sql) }
      #expect(
        error?.code == .sqlNotAllowed && error?.found == found,
        "\(sql) \(String(describing: error))")
    }
    #expect(try context.fetch(Pigment.self).count == 3)
    // The authorizer is not there any more.
    _ = Pigment(context: context, name: "Sienna")
    try context.save()
    #expect(try context.deleteAll(Pigment.self) { $0.name == "Sienna" } == 1)
  }

  @Test("a text is one statement that SQLite accepts, and its comments are no statements")
  func text() throws {
    #expect(try context.fetchRows(sql: "SELECT 1 AS a; -- a comment").count == 1)
    #expect(try context.fetchRows(sql: " /* a */ SELECT 1 AS a /* b */ ; ; \n ").count == 1)
    #expect(code("SELECT 1; SELECT 2") == .sqlSeveralStatements)
    #expect(code("SELECT 1; DROP TABLE Pigment") == .sqlSeveralStatements)
    #expect(code("SELECT 1;; nonsense") == .sqlSeveralStatements)
    let empty: [RawSQL] = ["", " ", ";", "-- nothing", "/* nothing", "SELECT 1\0"]
    for sql in empty { #expect(code(sql) == .sqlInvalid) }
    #expect(code("SELECT ?") == .sqlInvalid)
    #expect(code("SELECT :a, \(1)") == .sqlInvalid)
    #expect(code("SELECT ?1, \(1)") == .sqlInvalid)
    #expect(code("SELECT 1 -- \(1)") == .sqlInvalid)
    #expect(code("SELECT '\(1)'") == .sqlInvalid)
    let error = #expect(throws: PersistenceError.self) {
      try context.fetchRows(sql: "SELECT name FORM \(table: Pigment.self)")
    }
    #expect(error?.code == .sqlInvalid)
    #expect(error?.found == #"near ""Pigment"": syntax error, at '"Pigment"' (character 18)"#)
    #expect(code("SELECT nothing FROM Pigment") == .sqlInvalid)
    #expect(code("SELECT * FROM Nothing") == .sqlInvalid)
    #expect(code("SELECT abs(-9223372036854775808)") == .sqlFailed)
  }

  @Test("a store without SQL says so")
  func noSQL() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    for body in [
      { _ = try context.fetchRows(sql: "SELECT 1") },
      { _ = try context.fetch(Pigment.self, sql: "SELECT 1") },
      { _ = try context.executeUnsafe(sql: "DELETE FROM Pigment") },
    ] {
      let error = #expect(throws: PersistenceError.self) { try body() }
      #expect(error?.code == .noSQL)
    }
  }

  @Test("it sees saved values, and in a read transaction one state")
  func states() throws {
    let other = container.makeContext()
    func count() throws -> Int? {
      try other.fetchRows(sql: "SELECT count(*) AS n FROM Pigment")[0].value(
        of: "n", as: Int.self)
    }
    _ = Pigment(context: context, name: "Sienna")
    #expect(try context.fetchRows(sql: "SELECT 1 FROM Pigment").count == 3)
    try other.readTransaction {
      #expect(try count() == 3)
      try context.save()
      #expect(try count() == 3)
    }
    #expect(try count() == 4)
    try context.transaction {
      try context.deleteAll(Pigment.self)
      #expect(try context.fetchRows(sql: "SELECT 1 FROM Pigment").isEmpty)
      #expect(try count() == 4)
    }
    #expect(try count() == 0)
  }

  // MARK: Objects

  @Test("a statement of keys gives objects, in its order")
  func objects() throws {
    let pigments = try context.fetch(Pigment.self)
    pigments[0].price = 1
    context.delete(pigments[1])
    let found = try context.fetch(
      Pigment.self,
      sql: """
        SELECT \(key: Pigment.self) FROM \(table: Pigment.self)
        WHERE price > \(0, as: \Pigment.price) ORDER BY name DESC
        """)
    #expect(
      found.map(\.name) == ["White", "Ochre"] && found[1] === pigments[0] && found[1].price == 1)
    context.rollback()
    let twice = try context.fetch("Pigment", sql: "SELECT 2 UNION ALL SELECT 1 UNION ALL SELECT 2")
    #expect(twice == [pigments[1], pigments[0], pigments[1]])
    let fresh = container.makeContext()
    let recursive = try fresh.fetch(
      Pigment.self,
      sql:
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n"
    )
    #expect(
      recursive.map(\.name) == ["Ochre", "Umber", "White"] && recursive.allSatisfy { !$0.isFault })
  }

  @Test("a result that is no list of keys is refused")
  func noKeys() throws {
    _ = Painter(context: context, name: "Rosa")
    try context.save()
    func code(_ sql: RawSQL) -> PersistenceError? {
      let error = #expect(throws: PersistenceError.self) {
        try context.fetch(Pigment.self, sql: sql)
      }
      #expect(error?.code == .sqlNoKey && error?.entity == "Pigment")
      return error
    }
    #expect(code("SELECT copal_id, name FROM Pigment")?.found == "2 columns")
    #expect(code("SELECT name FROM Pigment")?.found == "string")
    #expect(code("SELECT NULL")?.found == "null")
    #expect(code("SELECT -1")?.found == "integer")
    #expect(code("SELECT 99")?.found == "the number 99")
    // Later, the key can be that of an object.
    #expect(try context.fetch(Pigment.self).count == 3)
    #expect(code("SELECT copal_id FROM Pigment UNION ALL SELECT 4")?.found == "the number 4")
    _ = Pigment(context: context, name: "Sienna")
    try context.save()
    #expect(try context.fetch(Pigment.self, sql: "SELECT 4").map(\.name) == ["Sienna"])
  }

  @Test("the keys of objects of another entity of the same table are refused")
  func family() throws {
    let files = try NegativeFiles()
    let color = ColorNegative(context: files.context, title: "Color")
    let plain = Negative(context: files.context, title: "Plain")
    try files.context.save()
    let all = try files.context.fetch(
      Negative.self, sql: "SELECT copal_id FROM Negative ORDER BY title")
    #expect(all == [color, plain])
    let error = #expect(throws: PersistenceError.self) {
      try files.context.fetch(
        ColorNegative.self,
        sql: "SELECT \(key: ColorNegative.self) FROM \(table: ColorNegative.self)")
    }
    #expect(error?.code == .sqlNoKey)
    let some = try files.context.fetch(
      ColorNegative.self,
      sql: "SELECT copal_id FROM \(table: ColorNegative.self) WHERE copal_entity = 'ColorNegative'")
    #expect(some == [color])
    #expect(
      try files.context.fetchRows(sql: "SELECT \(column: \ColorNegative.title) FROM Negative").count
        == 2)
  }

  @Test("relationships are columns of keys, and tables of links")
  func relationships() throws {
    let context = try TestStore().container(.gallery, transformers: []).makeContext()
    let (berthe, rosa) = (Artist(context: context, name: "B"), Artist(context: context, name: "R"))
    for (title, artist) in [("1", berthe), ("2", rosa), ("3", berthe)] {
      Work(context: context, title: title).artist = artist
    }
    try context.save()
    let works = try context.fetch(
      Work.self,
      sql: """
        SELECT w.\(key: Work.self) FROM \(table: Work.self) AS w JOIN \(table: Artist.self) AS a
        ON a.\(key: Artist.self) = w.\(column: \Work.artist)
        WHERE w.\(column: \Work.artist) = \(berthe) AND a.name = \("B") ORDER BY title DESC
        """)
    #expect(works.map(\.title) == ["3", "1"])
    let some = try context.fetch(
      Work.self,
      sql: "SELECT \(column: \Work.objectID) FROM Work WHERE copal_id IN (\(works.map(\.objectID)))"
    )
    #expect(Set(some) == Set(works))
    let error = #expect(throws: PersistenceError.self) {
      try context.fetchRows(sql: "SELECT \(column: \Artist.works) FROM Artist")
    }
    #expect(error?.code == .notQueryable)

    let depot = try TestStore().container(.depot, transformers: []).makeContext()
    let book = Book(context: depot, name: "B")
    let sheets = (Int64(1)...3).map { Sheet(context: depot, number: $0) }
    for sheet in sheets.dropLast() { book.plates.append(sheet) }
    try depot.save()
    let table = try #require(
      depot.fetchRows(sql: "SELECT name FROM sqlite_schema WHERE name LIKE \("copal_links_%")")
        .compactMap { try $0.value(of: "name", as: String.self) }.first { $0.contains("plate") })
    #expect(table == "copal_links_Book.plates")
    #expect(
      try depot.executeUnsafe(
        sql: "DELETE FROM \"copal_links_Book.plates\" WHERE member = \(sheets[0])") == 1)
    #expect(book.plates.map(\.number) == [2] && sheets[0].plateOf.isEmpty)
    // A link to no object is refused.
    let broken = #expect(throws: PersistenceError.self) {
      try depot.executeUnsafe(sql: "UPDATE \"copal_links_Book.plates\" SET member = 99")
    }
    #expect(broken?.code == .sqlFailed)
    #expect(book.plates.map(\.number) == [2])
  }

  @Test("a long list of values is bound, and one that is too long is an error")
  func manyValues() throws {
    #expect(
      try context.fetchRows(sql: "SELECT 1 WHERE 7 IN (\(Array(1...20_000)))").count == 1)
    #expect(code("SELECT 1 WHERE 7 IN (\(Array(1...300_000)))") == .tooComplex)
  }

  // MARK: Writing

  @Test("a statement writes rows, raises versions, and objects are read again")
  func writes() throws {
    let other = container.makeContext()
    let pigments = try context.fetch(Pigment.self)
    let held = try other.fetch(Pigment.self)
    held[0].code = "PY1"
    #expect(
      try context.executeUnsafe(
        sql: "UPDATE Pigment SET name = upper(name) WHERE price > \(9, as: \Pigment.price)") == 2)
    #expect(pigments.map(\.name) == ["Ochre", "UMBER", "WHITE"])
    // The other context notices the change at its next call.
    #expect(try other.fetch(Pigment.self).count == 3)
    #expect(held.map(\.name) == ["Ochre", "UMBER", "WHITE"])
    try other.save()
    held[1].code = "PY2"
    #expect(try context.executeUnsafe(sql: "UPDATE Pigment SET price = price + 1") == 3)
    let conflict = #expect(throws: PersistenceError.self) { try other.save() }
    #expect(conflict?.code == .conflict || conflict?.causeCodes == [.conflict])
    #expect(try context.executeUnsafe(sql: "DELETE FROM Pigment WHERE name = \("Ochre")") == 1)
    #expect(
      try context.executeUnsafe(
        sql: """
          INSERT INTO Pigment (copal_version, name, price, opacity, isLightfast, origin, spectrum)
          VALUES (1, \("Sienna"), \(3, as: \Pigment.price), 1, \(true), \(URL(string: "a:b")), \(Data()))
          """) == 1)
    let names = try context.fetch(Pigment.self).map { "\($0.name) \($0.price)" }
    #expect(names == ["UMBER 12.01", "WHITE 20.26", "Sienna 3"])
    // The key is noted: it is not used again.
    try context.deleteAll(Pigment.self) { $0.name == "Sienna" }
    let next = Pigment(context: context, name: "Next")
    try context.save()
    #expect(next.objectID.key == 5)
  }

  @Test(
    "a statement that writes something else than rows of objects is refused, and nothing is written"
  )
  func refusedWrites() throws {
    let statements: [RawSQL] = [
      "DELETE FROM copal_keys", "UPDATE copal_metadata SET value = 1", "DELETE FROM sqlite_schema",
      "UPDATE Pigment SET copal_id = 9", "UPDATE Pigment SET copal_version = 1",
      "INSERT INTO Pigment (copal_id, copal_version, name) VALUES (9223372036854775807, 1, 'x')",
      "UPDATE Pigment SET rowid = 9", "CREATE TABLE t (a)",
      "DROP TABLE Pigment",
      "PRAGMA user_version = 3", "VACUUM", "ATTACH 'x' AS y", "BEGIN", "ROLLBACK", "SAVEPOINT a",
      "SELECT 1", "EXPLAIN DELETE FROM Pigment", "ANALYZE", "REINDEX",
      "ALTER TABLE Pigment RENAME TO x",
    ]
    for sql in statements {
      let code = unsafeCode(sql)
      #expect(code == .sqlNotAllowed || code == .sqlInvalid, "\(sql): \(String(describing: code))")
    }
    #expect(unsafeCode("DELETE FROM Pigment; DELETE FROM Painter") == .sqlSeveralStatements)
    #expect(unsafeCode("UPDATE Pigment SET name = 'same'") == .sqlFailed)
    #expect(unsafeCode("UPDATE Pigment SET name = abs(-9223372036854775808)") == .sqlFailed)
    #expect(try context.fetch(Pigment.self).map(\.name) == ["Ochre", "Umber", "White"])
    let pigment = Pigment(context: context, name: "New")
    let error = #expect(throws: PersistenceError.self) {
      try context.executeUnsafe(sql: "DELETE FROM Painter")
    }
    #expect(error?.code == .batchPendingChanges && error?.found == "Pigment")
    #expect(pigment.isInserted)
  }

  @Test("in a transaction that throws, a statement is undone")
  func transaction() throws {
    struct Stop: Error {}
    let test = test
    let pigments = try context.fetch(Pigment.self)
    let other = container.makeContext()
    let held = try other.fetch(Pigment.self)
    var sienna: Pigment?
    #expect(throws: Stop.self) {
      try context.transaction {
        try context.executeUnsafe(sql: "DELETE FROM Pigment WHERE name = 'White'")
        try context.executeUnsafe(sql: "UPDATE Pigment SET name = upper(name)")
        try context.executeUnsafe(
          sql: """
            INSERT INTO Pigment (copal_version, name, price, opacity, isLightfast, origin, spectrum)
            VALUES (1, 'Sienna', 3, 1, 1, 'a:b', x'')
            """)
        #expect(try context.fetch(Pigment.self).map(\.name) == ["OCHRE", "UMBER", "Sienna"])
        sienna = try context.fetch(Pigment.self) { $0.name == "Sienna" }.first
        // The row of a held object is missing.
        #expect(pigments[2].name == "" && pigments[2].isMissingInStore)
        #expect(test.takeReadFailures().map(\.code) == [.objectMissing])
        throw Stop()
      }
    }
    #expect(sienna?.managedObjectContext == nil)
    #expect(pigments.map(\.name) == ["Ochre", "Umber", "White"] && !pigments[2].isMissingInStore)
    #expect(held.map(\.name) == ["Ochre", "Umber", "White"])
    let next = Pigment(context: context, name: "Next")
    try context.save()
    #expect(next.objectID != sienna?.objectID)
  }
}
