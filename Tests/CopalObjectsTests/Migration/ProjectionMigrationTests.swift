import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("Projections in migrations, and versions of their functions")
struct ProjectionMigrationTests {
  private let store: TestStore

  init() throws { store = try TestStore() }

  private func container(
    _ project: String?, version: Int, projectionVersion: Int = 1
  ) throws -> PersistentContainer {
    let projections = project.map { ", \"project\": \($0)" } ?? ""
    let json = """
      { "copal": 1, "model": "Palette", "version": \(version), "entities": {
        "Foil": { "codegen": "none", "attributes": {
          "name": "string",
          "edition": { "type": "transformable?", "transformer": "EditionTransformer",
            "class": "Edition", "storage": "text", "versioned": true\(projections) } } } } }
      """
    return try PersistentContainer(
      model: ModelBinding(name: "Palette", json: json, classes: []), store: store.configuration(),
      transformers: [EditionTransformer(projectionVersion: projectionVersion)])
  }

  private func insert(_ name: String, _ count: Int, _ container: PersistentContainer) throws {
    let context = container.makeContext()
    let foil = try context.insert("Foil")
    try foil.setValue(name, forKey: "name")
    let edition = Edition(
      count: count, isSigned: count > 5, made: Date(timeIntervalSinceReferenceDate: 0))
    try foil.setValue(edition, forKey: "edition")
    try context.save()
  }

  private func names(_ format: String, _ container: PersistentContainer) throws -> [String] {
    let request = FetchRequest<ManagedObject>(
      entityName: "Foil", predicate: try FetchPredicate(format: format),
      sortKeys: [.ascending("name")])
    return try container.makeContext().fetch(request).map {
      try $0.value(of: "name", as: String.self) ?? ""
    }
  }

  @Test("projections are added to a store in place, and removed from it")
  func addedAndRemoved() throws {
    do {
      let plain = try container(nil, version: 1)
      try insert("a", 3, plain)
      try insert("b", 9, plain)
    }
    do {
      let projecting = try container(#"{ "count": "integer" }"#, version: 2)
      #expect(try names("edition.count > 4", projecting) == ["b"])
      try insert("c", 7, projecting)
      #expect(try names("edition.count > 4", projecting) == ["b", "c"])
    }
    do {
      let other = try container(#"{ "isSigned": "boolean" }"#, version: 3)
      #expect(try names("edition.isSigned == TRUE", other) == ["b", "c"])
      #expect(try other.check() == [])
    }
    let plain = try container(nil, version: 4)
    #expect(try names("edition != nil", plain) == ["a", "b", "c"])
    #expect(
      try store.sqlite3(
        "SELECT count(*) FROM pragma_table_info('Foil') WHERE name LIKE 'copal_project%' OR name = 'copal_stale'"
      ) == "0")
    #expect(
      try store.sqlite3(
        "SELECT name, value FROM copal_metadata WHERE name IN ('folding', 'requires')")
        == "requires|")
  }

  @Test("a newer function makes its values again, and a program with the older one is stopped")
  func newerFunction() throws {
    let project = #"{ "count": "integer" }"#
    let old = try container(project, version: 1)
    try insert("a", 3, old)
    try insert("b", 9, old)
    let reader = old.makeContext()
    #expect(try names("edition.count == 9", old) == ["b"])
    let new = try container(project, version: 1, projectionVersion: 2)
    #expect(try names("edition.count == 18", new) == ["b"])
    #expect(try new.check() == [])
    let error = #expect(throws: PersistenceError.self) { try insert("c", 1, old) }
    let cause = error?.firstCause ?? error
    #expect(cause?.code == .newerFormat)
    #expect(
      cause?.found == "the feature 'projection Foil.edition.count 2 EditionTransformer'",
      "\(cause?.found ?? "")")
    #expect(throws: PersistenceError.self) {
      _ = try reader.count(FetchRequest<ManagedObject>(entityName: "Foil"))
    }
    let refused = #expect(throws: PersistenceError.self) { try container(project, version: 1) }
    #expect(refused?.code == .newerFormat)
    #expect(refused?.found?.contains("projection Foil.edition.count 2") == true)
  }

  // MARK: What a review found

  /// A transformer of texts whose projections are given.
  private struct NoteTransformer: ProjectingTransformer {
    let name: TransformerName
    let projections: [Projection<String>]
    var version: Int?
    func encode(_ value: String) -> String { value.lowercased() }
    func decode(_ stored: String) -> String { stored }
    func decode(_ stored: String, version: Int?) -> String { stored + "\(version ?? 0)" }
  }

  private static let count = Projection<String>("count") { $0.count }

  private func notes(
    _ attributes: String, _ transformers: [any AttributeTransformer], version: Int = 1
  ) throws -> PersistentContainer {
    let json = """
      { "copal": 1, "model": "Notes", "version": \(version), "entities": {
        "Note": { "codegen": "none", "attributes": { "name": "string", \(attributes) } } } }
      """
    return try PersistentContainer(
      model: ModelBinding(name: "Notes", json: json, classes: []), store: store.configuration(),
      transformers: transformers)
  }

  private static func text(_ project: String, transformer: String = "T", more: String = "")
    -> String
  {
    """
    { "type": "transformable?", "transformer": "\(transformer)", "class": "String", "storage": "text",
      "project": \(project)\(more) }
    """
  }

  private func insertNote(_ values: [String: Any], _ container: PersistentContainer) throws {
    let context = container.makeContext()
    let note = try context.insert("Note")
    for (name, value) in values { try note.setValue(value, forKey: name) }
    try context.save()
  }

  private func found(_ format: String, _ container: PersistentContainer) throws -> [String] {
    let request = FetchRequest<ManagedObject>(
      entityName: "Note", predicate: try FetchPredicate(format: format),
      sortKeys: [.ascending("name")])
    return try container.makeContext().fetch(request).map {
      try $0.value(of: "name", as: String.self) ?? ""
    }
  }

  @Test("a projection gets another type, and its column with it")
  func otherType() throws {
    do {
      let size = Projection<String>("size") { "\($0.count)" }
      let texts = try notes(
        "\"text\": \(Self.text(#"{ "size": "string" }"#))",
        [NoteTransformer(name: "T", projections: [size])])
      try insertNote(["name": "a", "text": "123456789"], texts)
      try insertNote(["name": "b", "text": "1234567890"], texts)
      #expect(try found("text.size > '5'", texts) == ["a"])
    }
    let size = Projection<String>("size") { Double($0.count) }
    let numbers = try notes(
      "\"text\": \(Self.text(#"{ "size": "double" }"#))",
      [NoteTransformer(name: "T", projections: [size])], version: 2)
    #expect(try found("text.size > 9", numbers) == ["b"])
    #expect(
      try store.sqlite3(
        "SELECT type, typeof(\"copal_project_text.size\") FROM Note, pragma_table_info('Note') AS c WHERE c.name LIKE 'copal_project%' LIMIT 1"
      ) == "REAL|real")
    #expect(try numbers.check() == [])
  }

  @Test("an attribute is renamed, and a new one takes its name: each has its own projections")
  func takenName() throws {
    let transformers = [NoteTransformer(name: "T", projections: [Self.count])]
    let count = #"{ "count": "integer" }"#
    do {
      let old = try notes(
        "\"front\": \(Self.text(count)), \"back\": \(Self.text(count))", transformers)
      try insertNote(["name": "a", "front": "1", "back": "333"], old)
    }
    let renamed = try notes(
      """
      "front": \(Self.text(count, more: #", "renamedFrom": "back""#)),
      "middle": \(Self.text(count, more: #", "renamedFrom": "front""#))
      """, transformers, version: 2)
    #expect(try found("front.count == 3 AND middle.count == 1", renamed) == ["a"])
    #expect(try renamed.check() == [])
  }

  @Test("another transformer makes the projections again")
  func otherTransformer() throws {
    let double = Projection<String>("count") { $0.count * 2 }
    let count = #"{ "count": "integer" }"#
    do {
      let first = try notes(
        "\"text\": \(Self.text(count))", [NoteTransformer(name: "T", projections: [Self.count])])
      try insertNote(["name": "a", "text": "333"], first)
    }
    let second = try notes(
      "\"text\": \(Self.text(count, transformer: "U"))",
      [NoteTransformer(name: "U", projections: [double])])
    #expect(try found("text.count == 6", second) == ["a"])
    #expect(try second.check() == [])
  }

  @Test("a save that changes only the version of a value projects it again")
  func onlyVersion() throws {
    let text = Self.text(#"{ "count": "integer" }"#, more: #", "versioned": true"#)
    do {
      let first = try notes(
        "\"text\": \(text)", [NoteTransformer(name: "T", projections: [Self.count], version: 1)])
      try insertNote(["name": "a", "text": "333"], first)
    }
    let second = try notes(
      "\"text\": \(text)", [NoteTransformer(name: "T", projections: [Self.count], version: 2)])
    // A value of version 1 has its version behind it.
    try second.rebuildSearch()
    #expect(try found("text.count == 4", second) == ["a"])
    let context = second.makeContext()
    let note = try #require(
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Note")).first)
    try note.setValue("333", forKey: "text")
    try context.save()
    #expect(try found("text.count == 3", second) == ["a"])
    #expect(try second.check() == [])
  }

  @Test("a program with an older transformer leaves the mark of a newer value")
  func newerValue() throws {
    let text = Self.text(#"{ "count": "integer" }"#, more: #", "versioned": true"#)
    let older = try notes(
      "\"text\": \(text)", [NoteTransformer(name: "T", projections: [Self.count], version: 1)])
    try insertNote(["name": "a", "text": "333"], older)
    older.readFailureHandler = { _ in }
    _ = try store.sqlite3(
      "INSERT INTO Note (copal_version, name, text, copal_transformerVersion_text) VALUES (1, 'b', '22', 2)"
    )
    try insertNote(["name": "c", "text": "1"], older)
    #expect(try found("text.count > 0", older) == ["a", "c"])
    #expect(try store.sqlite3("SELECT name FROM Note WHERE copal_stale = 1") == "b")
    let newer = try notes(
      "\"text\": \(text)", [NoteTransformer(name: "T", projections: [Self.count], version: 2)])
    #expect(try found("text.count == 2", newer) == ["b"])
    try insertNote(["name": "d"], newer)
    #expect(try store.sqlite3("SELECT count(*) FROM Note WHERE copal_stale = 1") == "0")
    #expect(try found("text.count == 2", newer) == ["b"])
  }

  @Test("an unsaved value is projected as a save would store it")
  func changedByTransformer() throws {
    let isLower = Projection<String>("first") { $0.first.map(String.init) }
    let container = try notes(
      "\"text\": \(Self.text(#"{ "first": "string" }"#))",
      [NoteTransformer(name: "T", projections: [isLower])])
    let context = container.makeContext()
    let note = try context.insert("Note")
    try note.setValue("a", forKey: "name")
    try note.setValue("XYZ", forKey: "text")
    let request = FetchRequest<ManagedObject>(
      entityName: "Note", predicate: try FetchPredicate(format: "text.first == 'x'"))
    #expect(try context.fetch(request).count == 1)
    try context.save()
    #expect(try context.fetch(request).count == 1)
    #expect(try found("text.first == 'x'", container) == ["a"])
  }

  @Test("a statement of a program may call the function with any arguments")
  func rawFunction() throws {
    let container = try notes(
      "\"text\": \(Self.text(#"{ "count": "integer" }"#))",
      [NoteTransformer(name: "T", projections: [Self.count])])
    let context = container.makeContext()
    try insertNote(["name": "a", "text": "x"], container)
    for (entity, slot) in [(99, 0), (-1, 0), (0, 99), (0, -1)] {
      #expect(throws: PersistenceError.self) {
        try context.executeUnsafe(
          sql:
            "UPDATE Note SET name = copal_project(\(entity), \(slot), 'x', NULL) WHERE 1 = 1 OR copal_project(\(entity), \(slot), 'x', NULL)"
        )
      }
    }
  }
}
