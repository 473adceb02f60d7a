import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("The check of a container")
struct StoreCheckPartTests {
  /// One thing that another program does to a store, and what a check says of it.
  struct Fault: Sendable, CustomTestStringConvertible {
    let sql: String
    let part: StoreCheckParts
    let problems: [String]
    var breaksReferences = false
    var testDescription: String { sql }

    init(
      _ sql: String, _ part: StoreCheckParts, _ problems: String..., breaksReferences: Bool = false
    ) {
      (self.sql, self.part, self.problems) = (sql, part, problems)
      self.breaksReferences = breaksReferences
    }

    /// A value in a column of the second item.
    static func item(_ column: String, _ value: String, _ words: String) -> Fault {
      Fault(
        "UPDATE Item SET \(column) = \(value) WHERE copal_id = 2", .values,
        "Item.\(column) of Item p2 \(words)")
    }

    static let types: [Fault] = [
      .item("name", "x'4141'", "contains BLOB instead of TEXT"),
      .item("small", "'three'", "contains TEXT instead of INTEGER"),
      .item("large", "1.5", "contains REAL instead of INTEGER"),
      .item("rating", "'good'", "contains TEXT instead of REAL"),
      .item("made", "x'00'", "contains BLOB instead of REAL"),
      .item("price", "'2.00 €'", "contains TEXT instead of INTEGER"),
      .item("key", "'0102'", "contains TEXT instead of BLOB"),
      .item("bytes", "7", "contains INTEGER instead of BLOB"),
      .item("scan", "'scan.png'", "contains TEXT that is no name of a file"),
      .item("name", "NULL", "is required and has no value"),
      .item("kind", "NULL", "is required and has no value"),
    ]

    static let forms: [Fault] = [
      .item("name", "CAST(x'61ff' AS TEXT)", "cannot be read: it must be UTF-8 text"),
      .item("isNew", "2", "cannot be read: it must be a value of type boolean"),
      .item("key", "x'0102'", "cannot be read: it must be a value of type uuid"),
      .item("site", "'a b'", "cannot be read: it must be a value of type uri"),
      .item("ratio", "1e300", "cannot be read: it must be a value of type float"),
      .item(
        "weight", "'1.50'",
        "cannot be read: it must be a decimal without extra zeros (1.5, not 1.50)"),
      .item(
        "weight", "'heavy'",
        "cannot be read: it must be a decimal without extra zeros (1.5, not 1.50)"),
      .item("medium", "2147483648", "is out of the range of integer32 (-2147483648 to 2147483647)"),
      .item("small", "-32769", "is out of the range of integer16 (-32768 to 32767)"),
    ]

    static let rules: [Fault] = [
      .item("name", "'x'", "has 1 character, fewer than its minimum of 2"),
      .item("name", "'12345678901'", "has 11 characters, more than its maximum of 10"),
      .item("mail", "'nobody'", "does not match the pattern /[^@ ]+@[^@ ]+/"),
      .item("kind", "'damp'", "has a raw value that none of its cases has"),
      .item("small", "-1", "is below its minimum of 0"),
      .item("small", "151", "is above its maximum of 150"),
      .item("price", "99", "is below its minimum of 1"),
      .item("rating", "5.5", "is above its maximum of 5.0"),
      .item("made", "1e12", "is above its maximum of 2100-01-01T00:00:00Z"),
      .item("bytes", "x'0102030405'", "has 5 bytes, more than its maximum of 4"),
      Fault(
        "UPDATE Animal SET tricks = -1 WHERE copal_id = 1", .values,
        "Dog.tricks of Dog p1 is below its minimum of 0"),
      Fault(
        "UPDATE Box SET keeper = NULL WHERE copal_id = 1", .values,
        "Box.keeper of Box p1 is required and has no value"),
      Fault(
        "UPDATE Item SET box = NULL WHERE copal_id = 3", .values,
        "Box.items of Box p2 has fewer objects than its minimum of 1"),
      Fault(
        "UPDATE Item SET box = 1 WHERE copal_id = 4", .values,
        "Box.items of Box p1 has more objects than its maximum of 2"),
    ]

    static let rows: [Fault] = [
      Fault(
        "UPDATE Animal SET copal_entity = 'Horse' WHERE copal_id = 2", .values,
        "Animal.copal_entity of Animal p2 is another text instead of Dog, Cat"),
      Fault(
        "UPDATE Animal SET copal_entity = 'Animal' WHERE copal_id = 2", .values,
        "Animal.copal_entity of Animal p2 is another text instead of Dog, Cat"),
      Fault(
        "UPDATE Item SET copal_version = -7 WHERE copal_id = 4", .values,
        "Item.copal_version of Item p4 is -7 instead of a number from 0 to 9223372036854775806"),
      Fault(
        "UPDATE Item SET copal_id = -4 WHERE copal_id = 4", .values,
        "A row of Item has the key -4, which no object can have"),
    ]

    static let references: [Fault] = [
      Fault(
        "UPDATE Item SET box = 9 WHERE copal_id = 1", .references,
        "Item.box of Item p1 refers to Box p9, which does not exist", breaksReferences: true),
      Fault(
        "UPDATE Item SET box = 'first' WHERE copal_id = 1", .references,
        "Item.box of Item p1 contains a value that is no key", breaksReferences: true),
      Fault(
        "UPDATE Box SET keeper = 2 WHERE copal_id = 1", .references,
        "Box.keeper of Box p1 refers to Cat p2, which is of another entity"),
      Fault(
        #"INSERT INTO "copal_links_Item.friends" VALUES (3, 9)"#, .references,
        "Item.friends of Item p3 refers to Item p9, which does not exist", breaksReferences: true),
    ]

    static let others: [Fault] = [
      Fault(
        "UPDATE Box SET label = 'Quitten' WHERE copal_id = 1; UPDATE Box SET copal_stale = NULL",
        .search, "Box.label of Box p1 has another value than the store keeps for searches"),
      Fault(
        "UPDATE Box SET label = 'birnen' WHERE copal_id = 1", .uniqueness,
        "Box.label of Box p2 has the unique value of Box p1"),
      Fault(
        #"DROP INDEX "copal_index_Item(box)""#, .schema,
        "The tables differ from the model: the index 'copal_index_Item(box)' is missing"),
      Fault(
        "DROP TRIGGER copal_stale_Box", .schema,
        "The tables differ from the model: the derived columns of Box, or their trigger, are not complete"
      ),
    ]

    static let all = types + forms + rules + rows + references + others
  }

  @Test("finds one fault, and nothing else, by the part that looks for it", arguments: Fault.all)
  func faults(_ fault: Fault) throws {
    let house = try Warehouse()
    #expect(try house.container.check(.everything) == [])
    #expect(try house.test.sqlite3(fault.sql) == "")
    if fault.breaksReferences { house.test.expectsBrokenReferences() }
    let before = try house.test.sqlite3(".dump")
    #expect(try house.container.check(.everything).map(\.description) == fault.problems)
    #expect(try house.container.check(fault.part).map(\.description) == fault.problems)
    #expect(try house.test.sqlite3(".dump") == before)
  }

  @Test("finds rows with the same unique values, also where the index is missing")
  func uniqueness() throws {
    let house = try Warehouse()
    let sql = """
      DROP INDEX "copal_unique_Item(code)"; UPDATE Item SET code = 'c'; \
      DROP INDEX "copal_unique_Item(place,shelf)"; UPDATE Item SET place = 1 WHERE copal_id < 3
      """
    #expect(try house.test.sqlite3(sql) == "")
    let found = try house.container.check(.uniqueness)
    #expect(
      found.map(\.description) == [
        "Item.code of Item p4 has the unique value of Item p1, as 2 other objects have",
        "Item.shelf, place of Item p2 has the unique value of Item p1",
      ])
    #expect(found.map(\.kind) == [.repeatedValue, .repeatedValue])
    #expect(found.map { $0.otherID?.description.last } == ["1", "1"])
    // NULL is never the same.
    _ = try house.test.sqlite3("UPDATE Item SET code = NULL, shelf = NULL")
    #expect(try house.container.check(.uniqueness) == [])
  }

  @Test("finds files that are missing or have another size, and no file without a row")
  func files() throws {
    let house = try Warehouse()
    let file = try house.largeFile()
    let manager = FileManager.default
    let bytes = try #require(manager.contents(atPath: file))
    #expect(bytes.count == 50_000)
    #expect(manager.createFile(atPath: file + "0", contents: Data([1])))
    #expect(try house.container.check(.everything) == [])
    #expect(manager.createFile(atPath: file, contents: bytes.dropLast()))
    let name = "Item.scan of Item p1"
    var found = try house.container.check(.files)
    #expect(found.map(\.description) == ["The file with \(name) has 49999 bytes instead of 50000"])
    #expect(try house.container.check(.everything) == found)
    try manager.removeItem(atPath: file)
    found = try house.container.check(.files)
    #expect(found.map(\.description) == ["The file with \(name) does not exist"])
    #expect(try house.container.check(.everything) == found)
    try manager.createDirectory(atPath: file, withIntermediateDirectories: false)
    #expect(try house.container.check(.files).map(\.kind) == [.wrongFile])
    #expect(try house.container.check([.values, .references]) == [])
  }

  @Test("checks the length of a value in a file without reading the file")
  func lengthInFile() throws {
    let house = try Warehouse()
    let file = try house.largeFile()
    let name = try #require(file.split(separator: "/").last)
    let longer = name.prefix(33) + "200000"
    _ = try house.test.sqlite3("UPDATE Item SET scan = '\(longer)' WHERE copal_id = 1")
    #expect(
      try house.container.check(.values).map(\.description) == [
        "Item.scan of Item p1 has 200000 bytes, more than its maximum of 100000"
      ])
  }

  @Test("SQLite's own check is a part")
  func integrity() throws {
    let house = try Warehouse()
    house.test.allowsDamage()
    // An index that says of itself that it is of another column.
    let sql = """
      PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = \
      replace(sql, '("code")', '("mail")') WHERE name = 'copal_unique_Item(code)'; \
      PRAGMA schema_version = 1000
      """
    #expect(try house.test.sqlite3(sql) == "")
    let found = try house.container.check(.integrity)
    #expect(!found.isEmpty && found.allSatisfy { $0.kind == .damaged })
    #expect(found.allSatisfy { $0.objectID == nil && $0.entityName == nil && $0.detail != nil })
    #expect(try house.container.check().isEmpty)
  }

  @Test("returns the first problems up to the limit, the same each time")
  func limit() throws {
    let house = try Warehouse()
    house.test.expectsBrokenReferences()
    _ = try house.test.sqlite3("UPDATE Item SET box = 9, small = -1, kind = NULL")
    let all = try house.container.check(.everything)
    #expect(
      all.map(\.kind)
        == Array(repeating: .missingObject, count: 4)
        + Array(repeating: [.missingValue, .brokenRule], count: 4).flatMap(\.self)
        + [.tooFewObjects, .tooFewObjects])
    #expect(all.compactMap(\.rule) == Array(repeating: .belowMinimum, count: 4))
    for limit in 0...all.count {
      #expect(try house.container.check(.everything, limit: limit) == Array(all.prefix(limit)))
    }
  }

  @Test("a context finds the object of a problem")
  func object() throws {
    let house = try Warehouse()
    _ = try house.test.sqlite3("UPDATE Animal SET call = NULL WHERE copal_id = 2")
    let problem = try #require(try house.container.check(.values).first)
    #expect(problem.kind == .missingValue)
    #expect(problem.entityName == "Animal" && problem.propertyName == "call")
    let context = house.container.makeContext()
    let cat = try context.existingObject(with: try #require(problem.objectID))
    #expect(cat.entityName == "Cat")
    try cat.setValue("Tom", forKey: "call")
    try context.save()
    #expect(try house.container.check(.everything) == [])
  }

  @Test("says what it looks at, and how many rows it has read")
  func progress() throws {
    let house = try Warehouse()
    var reports: [StoreCheckProgress] = []
    _ = try house.container.check(.everything) { reports.append($0) }
    #expect(
      reports.map(\.parts) == [
        .integrity, .schema, .references, .search, .uniqueness, [.values, .files],
        [.values, .files], [.values, .files],
      ])
    #expect(reports.compactMap(\.entityName) == ["Item", "Box", "Animal"])
    #expect(reports.map(\.rowCount) == [0, 0, 0, 0, 0, 0, 4, 6])
  }

  @Test("ends with CancellationError when the task is canceled", arguments: bothStores)
  func cancellation(_ kind: StoreKind) async throws {
    let house = try Warehouse(kind)
    let container = house.container
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try container.check(.everything)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let during = Task {
      try container.check(.everything) { progress in
        if progress.parts.contains(.values) { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await during.value }
    #expect(try container.check(.everything) == [])
  }

  @Test("reads the rows of a family once, with no object", .modelAsIs)
  func statements() throws {
    let house = try Warehouse()
    let statements = try house.test.recorder.statements {
      _ = try house.container.check([.values, .files])
    }.filter { $0.contains(#"FROM "Animal""#) && !$0.contains("Box") }
    #expect(statements.count == 1, "\(statements)")
  }

  @Test("a store without faults has no problem", arguments: bothStores)
  func sound(_ kind: StoreKind) throws {
    #expect(try Warehouse(kind).container.check(.everything) == [])
    let test = try TestStore(kind)
    let container = try test.atelier()
    let context = container.makeContext()
    for number in 0..<20 {
      let painter = Painter(context: context)
      painter.name = "Painter \(number)"
      let painting = Painting(context: context)
      (painting.widthMillimetres, painting.heightMillimetres) = (10, 20)
      let pigment = Pigment(context: context)
      pigment.name = "Pigment \(number)"
      pigment.density = 1.25
    }
    try context.save()
    #expect(try container.check(.everything) == [])
  }
}
