import CCopalSQLite
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalSQLite

/// An edit of a model, and its effect on an existing store.
struct ModelEdit: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let edit: @Sendable (inout EntityDescription) -> Void

  init(
    _ description: String,
    edit: @escaping @Sendable (inout EntityDescription) -> Void
  ) {
    testDescription = description
    self.edit = edit
  }
}

extension EntityDescription {
  fileprivate mutating func change(
    _ name: String, _ body: (inout AttributeDescription) -> Void
  ) {
    for index in attributes.indices where attributes[index].name == name {
      body(&attributes[index])
    }
  }
}

@Suite("Migrations that need no word")
struct AutomaticMigrationTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private static func pigment() -> EntityDescription {
    EntityDescription(
      "Pigment",
      attributes: [
        AttributeDescription("name", .string),
        AttributeDescription("code", .string, isOptional: true),
        AttributeDescription("weight", .integer32, isOptional: true),
        AttributeDescription("price", .decimal, isOptional: true, scale: 2),
        AttributeDescription("note", .string, isOptional: true, isTransient: true),
      ],
      uniqueConstraints: [["name", "code"]], indexes: [IndexDescription(["weight"])])
  }

  static let edits: [ModelEdit] = [
    ModelEdit("nothing") { _ in },
    ModelEdit("another order") { $0.attributes.reverse() },
    ModelEdit("rules and documentation") {
      $0.change("name") {
        $0.rules = AttributeDescription.Rules(minimumLength: 1)
        $0.documentation = "The name."
      }
    },
    ModelEdit("another class name") { $0.className = "Paint" },
    ModelEdit("a new default") { $0.change("name") { $0.defaultValue = .value("x") } },
    ModelEdit("a new optional attribute") {
      $0.attributes.append(AttributeDescription("origin", .string, isOptional: true))
    },
    ModelEdit("a new required attribute with a default") {
      $0.attributes.append(AttributeDescription("stock", .integer64, defaultValue: .value(0)))
    },
    ModelEdit("a new transient attribute") {
      $0.attributes.append(AttributeDescription("shown", .boolean, isTransient: true))
    },
    ModelEdit("a transient attribute that is stored from now on") {
      $0.change("note") { $0.isTransient = false }
    },
    ModelEdit("a new index") { $0.indexes.append(IndexDescription(["price", "name"])) },
    ModelEdit("an index in descending order") {
      $0.indexes = [IndexDescription(["weight"], descending: ["weight"])]
    },
    ModelEdit("an index that is gone") { $0.indexes = [] },
    ModelEdit("a constraint in another order") { $0.uniqueConstraints = [["code", "name"]] },
  ]

  @Test(
    "an edit that needs no word is migrated", arguments: edits)
  func edit(edit: ModelEdit) throws {
    let old = try test.storeTester(StoreModels.schema([Self.pigment()]))
    let key = try old.insert([
      "name": "Smalt", "code": "PB32", "weight": 7, "price": .decimal(1.5),
    ])
    var entity = Self.pigment()
    edit.edit(&entity)
    let schema = try StoreModels.schema([entity])
    for _ in 0..<2 {
      let new = try test.storeTester(schema)
      #expect(try new.row(key)["name"] == "Smalt")
      #expect(try new.row(key)["weight"] == 7)
      try new.update(new.row(key), ["weight": 7])
      #expect(try test.sqlite3("PRAGMA integrity_check") == "ok")
    }
    let indexes = try test.sqlite3(
      "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'copal_index%'")
    #expect(Int(indexes) == entity.indexes.count)
  }

  @Test("a migration sets the default of a new attribute in existing rows")
  func defaults() throws {
    let old = try test.storeTester(StoreModels.schema([Self.pigment()]))
    for code in 0..<3 { try old.insert(["name": "Smalt", "code": .string("\(code)")]) }
    let instant = Date(timeIntervalSinceReferenceDate: 100.5)
    let uri = try #require(URL(string: "https://example.com/x"))
    let constants: [(String, AttributeType, PropertyValue, String)] = [
      ("a", .integer16, -5, "-5"), ("b", .integer64, .integer(.max), "9223372036854775807"),
      ("c", .float, 0.5, "0.5"), ("d", .double, 1.25, "1.25"),
      ("e", .decimal, .decimal(1.5), "1.5"), ("f", .boolean, true, "1"),
      ("g", .date, .date(instant), "100.5"), ("h", .string, "it's \"x\"", "it's \"x\""),
      ("i", .binary, .binary(Data([1, 2])), "X'0102'"),
      ("j", .uri, .uri(uri), "https://example.com/x"),
      ("k", .string, "", ""), ("l", .binary, .binary(Data()), "X''"),
    ]
    var entity = Self.pigment()
    entity.attributes += constants.map {
      AttributeDescription($0.0, $0.1, defaultValue: .value($0.2))
    }
    entity.attributes += [
      AttributeDescription("cost", .decimal, defaultValue: .value(.decimal(2.5)), scale: 2),
      AttributeDescription("made", .date, defaultValue: .now),
      AttributeDescription("mark", .uuid, defaultValue: .new),
      AttributeDescription("rest", .string, isOptional: true),
      AttributeDescription("hint", .string, isOptional: true, defaultValue: .value("?")),
    ]
    let start = Date()
    let new = try test.storeTester(StoreModels.schema([entity]))
    let rows = try new.rows()
    #expect(rows.count == 3)
    for row in rows {
      #expect(!row.row.hasTypeMismatch)
      for (name, _, value, _) in constants { #expect(row[name] == value, "\(name)") }
      #expect(row["cost"] == .decimal(2.5))
      #expect(row["rest"] == .null)
      #expect(row["hint"] == "?")
      #expect(row.row.version == 1)
      guard case .date(let made) = row["made"] else {
        Issue.record("no date")
        continue
      }
      #expect(abs(made.timeIntervalSince(start)) < 60)
    }
    #expect(Set(rows.map { $0["made"] }).count == 1)
    #expect(Set(rows.map { $0["mark"] }).count == 3)
    let columns = constants.map { $0.1 == .binary ? "quote(\($0.0))" : $0.0 }.joined(
      separator: ", ")
    #expect(
      try test.sqlite3("SELECT \(columns) FROM Pigment LIMIT 1")
        == constants.map(\.3).joined(separator: "|"))
  }

  /// A part of the stored model, and the same part as written by a version that allowed more or had
  /// a defect.
  static let outdated: [(String, String)] = [
    (#""default": "smalt""#, #""default": {}"#),
    (#""default": "smalt""#, #""default": "ultramarine", "maximumLength": 3"#),
    (#""pattern": "[a-z]*""#, #""pattern": "(a)\\1(?=b)""#),
    (#""pattern": "[a-z]*""#, #""pattern": "((((((", "minimum": {}, "accessor": "telepathic""#),
    (#""doc": "A powder.""#, #""class": "Type", "codegen": "magic", "userInfo": 3"#),
    (#""model": "Test""#, #""model": "Test", "imports": ["no module"], "access": "secret""#),
  ]

  @Test(
    "a store opens when its stored model has values that are refused today", arguments: outdated)
  func outdatedModel(now: String, then: String) throws {
    var entity = Self.pigment()
    entity.documentation = "A powder."
    entity.attributes.append(
      AttributeDescription(
        "kind", .string, defaultValue: .value("smalt"),
        rules: AttributeDescription.Rules(pattern: "[a-z]*")))
    let old = try test.storeTester(StoreModels.schema([entity]))
    let key = try old.insert(["name": "Smalt"])
    func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
    let model = "SELECT value FROM copal_metadata WHERE name = 'model'"
    #expect(try test.sqlite3(model).contains(now))
    _ = try test.sqlite3(
      "UPDATE copal_metadata SET value = replace(value, \(quoted(now)), \(quoted(then))) WHERE name = 'model'"
    )
    #expect(try test.sqlite3(model).contains(then))

    entity.attributes.append(AttributeDescription("origin", .string, isOptional: true))
    let new = try test.storeTester(StoreModels.schema([entity]))
    #expect(try new.row(key)["name"] == "Smalt")
    #expect(try new.row(key)["origin"] == .null)
    // From now on the store has the model in the current format.
    #expect(try test.sqlite3(model).contains(now))
  }

  @Test(
    "a store with an unreadable stored model is refused",
    arguments: [
      (#""name": "string""#, #""name": "sting""#), (#""name": "string""#, #""name": {}"#),
      (#""name": "string""#, #""name": { "type": "string", "encrypted": true }"#),
      (#""unique": ["#, #""unique": 3, "doc": ["#), (#""entities": {"#, #""entities": {{"#),
    ])
  func unreadable(now: String, then: String) throws {
    var entity = Self.pigment()
    _ = try test.storeTester(StoreModels.schema([entity]))
    _ = try test.sqlite3(
      "UPDATE copal_metadata SET value = replace(value, '\(now)', '\(then)') WHERE name = 'model'")
    entity.attributes.append(AttributeDescription("origin", .string, isOptional: true))
    let schema = try StoreModels.schema([entity])
    let before = try test.sqlite3(".dump")
    let error = #expect(throws: PersistenceError.self) { try test.open(schema) }
    let code: PersistenceError.Code = then.contains("encrypted") ? .newerFormat : .damagedMetadata
    #expect(error?.code == code && error?.causes.first is ModelError)
    #expect(try test.sqlite3(".dump") == before)
  }

  @Test(
    "a store with a default date in the year 10000 in UTC opens again, also after an edit of the model"
  )
  func sentinel() throws {
    let json = #"""
      { "copal": 1, "model": "Test", "entities": { "Pigment": { "attributes": {
        "name": "string", "gone": {
          "type": "date", "default": "9999-12-31T23:59:59-05:00", "maximum": "9999-12-31T23:59:59-05:00"
        } } } } }
      """#
    let model = try ManagedObjectModel(json: json, file: "Test.model.json")
    // As in generated code.
    let embedded = try ManagedObjectModel(json: model.canonicalJSON, file: "Test.model.json")
    let old = try test.storeTester(StoreSchema(embedded))
    let last = Date(timeIntervalSinceReferenceDate: 252_423_993_599 + 5 * 3600)
    #expect(embedded.entity("Pigment")?.attribute("gone")?.defaultValue == .value(.date(last)))
    let key = try old.insert(["name": "Smalt", "gone": .date(last)])
    var entity = try #require(embedded.entity("Pigment"))
    entity.attributes.append(AttributeDescription("origin", .string, isOptional: true))
    let new = try test.storeTester(StoreModels.schema([entity]))
    #expect(try new.row(key)["gone"] == .date(last))
  }

  @Test("a migration adds new entities, and a removed entity is refused")
  func entities() throws {
    let painter = EntityDescription(
      "Painter", attributes: [AttributeDescription("name", .string)],
      uniqueConstraints: [["name"]], indexes: [])
    _ = try test.open(StoreModels.schema([Self.pigment()]))
    // First, so that every entity has another index than before.
    let both = try test.storeTester(StoreModels.schema([painter, Self.pigment()]))
    #expect(try both.insert(["name": "Vermeer"], into: "Painter") == 1)
    #expect(try both.insert(["name": "Smalt"], into: "Pigment") == 1)
    #expect(try both.row(1, of: "Pigment")["name"] == "Smalt")
    // The former model is accepted, because it can go on. One that is new is not.
    var other = Self.pigment()
    other.attributes.append(AttributeDescription("origin", .string, isOptional: true))
    let schema = try StoreModels.schema([other])
    let error = #expect(throws: PersistenceError.self) { try test.open(schema) }
    #expect(error?.refusals == ["Painter: removed"])
  }

  @Test("a store of another model is erased only with the option for it")
  func erasing() throws {
    let tester = try test.storeTester(StoreModels.schema([Self.pigment()]))
    try tester.insert(["name": "Smalt"])
    let other = try StoreModels.sampler()
    let options = SQLiteStore.Options(erasesWhenModelDiffers: true)
    // A model that can be migrated erases nothing.
    var entity = Self.pigment()
    entity.attributes.append(AttributeDescription("origin", .string, isOptional: true))
    #expect(try test.storeTester(StoreModels.schema([entity]), options).keys() == [1])
    #expect(throws: PersistenceError.self) { try test.open(other) }
    let erased = try test.storeTester(other, options)
    #expect(erased.store.identifier != tester.store.identifier)
    #expect(try erased.keys() == [])
    #expect(try erased.insert(["text": "x"]) == 1)
    // The program that had the file open gets an error.
    let error = #expect(throws: PersistenceError.self) { try tester.insert(["name": "Azurite"]) }
    #expect(error?.code == .fileReplaced)
    // Other files are never erased.
    let elsewhere = try TestStore()
    try Data("precious".utf8).write(to: elsewhere.file)
    #expect(throws: PersistenceError.self) { try elsewhere.open(other, options) }
    #expect(try Data(contentsOf: elsewhere.file) == Data("precious".utf8))
  }

  @Test("a migration runs once when many connections open the store at the same time")
  func race() async throws {
    let tester = try test.storeTester(StoreModels.schema([Self.pigment()]))
    try tester.insert(["name": "Smalt"])
    var entity = Self.pigment()
    entity.attributes.append(AttributeDescription("mark", .uuid, defaultValue: .new))
    let schema = try StoreModels.schema([entity])
    let test = test
    let marks = try await withThrowingTaskGroup(of: PropertyValue.self) { group in
      for _ in 0..<8 { group.addTask { try test.storeTester(schema).row(1)["mark"] } }
      return try await group.reduce(into: Set<PropertyValue>()) { $0.insert($1) }
    }
    #expect(marks.count == 1)
    #expect(!marks.contains(.null))
  }

  @Test("a hop changes the words of derived columns in `requires`, and leaves those of others")
  func requirements() throws {
    let (plain, searching) = try (SearchModels.schema(search: false), SearchModels.schema())
    _ = try test.open(plain)
    _ = try test.sqlite3(
      """
      UPDATE copal_metadata SET value = 'history 3' || char(10) || 'foldings' WHERE name = 'requires'
      """)
    let connection = try Connection(
      path: test.file.path(percentEncoded: false), SQLiteStore.Options(), createsFile: false)
    let metadata = StoreMetadata(connection)
    func required() throws -> [String] { try metadata.read().required }
    #expect(try required() == ["history 3", "foldings"])
    try metadata.updateDerivedMark(searching)
    let folding = "folding \(connection.folding.version)"
    #expect(try required() == [folding, "history 3", "foldings"])
    try metadata.update(searching, searching.modelGuard.mark, accepted: [])
    #expect(try required() == [folding, "history 3", "foldings"])
    try metadata.updateDerivedMark(plain)
    #expect(try required() == ["history 3", "foldings"])
  }

  @Test("a program that opens a store while another one migrates it to the same model is not older")
  func otherProgramMigrates() throws {
    let tester = try test.storeTester(StoreModels.schema([Self.pigment()]))
    try tester.insert(["name": "Smalt"])
    var entity = Self.pigment()
    entity.attributes.append(AttributeDescription("mark", .uuid, defaultValue: .new))
    let schema = try StoreModels.schema([entity])
    let options = SQLiteStore.Options()
    let connection = try Connection(
      path: test.file.path(percentEncoded: false), options, createsFile: false)
    connection.schema = schema
    let other = OtherProgramMigrates { [test] in try test.storeTester(schema).row(1)["mark"] }
    let mark = try other.whenHistoryIsRead(on: connection.handle) {
      _ = try StoreUpgrade(connection, OpeningRequest(schema), options).migrateIfNeeded()
    }
    #expect(mark != .null)
    #expect(try test.storeTester(schema).row(1)["mark"] == mark)
  }
}

/// Another program, which migrates a store after a connection has read the model of the store, and
/// before it reads the history.
private final class OtherProgramMigrates {
  private let migrate: () throws -> PropertyValue?
  private var result: Result<PropertyValue?, any Error>?

  init(_ migrate: @escaping () throws -> PropertyValue?) { self.migrate = migrate }

  func whenHistoryIsRead(
    on handle: OpaquePointer?, _ body: () throws -> Void
  ) throws -> PropertyValue? {
    // Called when a statement is prepared: https://www.sqlite.org/c3ref/set_authorizer.html
    sqlite3_set_authorizer(
      handle,
      { context, action, table, _, _, _ in
        guard let context, let table, action == SQLITE_READ else { return SQLITE_OK }
        let other = Unmanaged<OtherProgramMigrates>.fromOpaque(context).takeUnretainedValue()
        if String(cString: table) == "sqlite_master", other.result == nil {
          other.result = Result { try other.migrate() }
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    try body()
    return try #require(result).get()
  }
}
