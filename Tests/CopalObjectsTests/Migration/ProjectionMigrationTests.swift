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
    #expect((error?.firstCause ?? error)?.code == .newerFormat)
    #expect(throws: PersistenceError.self) {
      _ = try reader.count(FetchRequest<ManagedObject>(entityName: "Foil"))
    }
    let refused = #expect(throws: PersistenceError.self) { try container(project, version: 1) }
    #expect(refused?.code == .newerFormat)
    #expect(refused?.found?.contains("projection Foil.edition.count 2") == true)
  }
}
