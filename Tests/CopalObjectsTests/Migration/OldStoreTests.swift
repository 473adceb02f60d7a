import Copal
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// A store that an earlier commit, or a release, wrote with its own code. `Fixtures/Stores` has it, with its model
/// and with the program that made it.
enum OldStore: String, CaseIterable, Sendable {
  /// Families have a table, and no value is in a file yet.
  case families = "eb456f57"
  /// Large values are in files, and each external attribute has an index of their names at once.
  case files = "287786f1"
  /// The last one before migrations had words.
  case last = "799a285"
  /// The first release.
  case version090 = "0.9.0"

  var folder: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/Stores/\(rawValue)", directoryHint: .isDirectory)
  }

  var model: ModelBinding {
    get throws {
      ModelBinding(
        try ManagedObjectModel(contentsOf: folder.appending(path: "Gallery.model.json")))
    }
  }

  /// The palette has its large values in files.
  var hasFiles: Bool { self != .families }

  /// A newer model: a renamed entity and a renamed attribute, a removed one, two of another type,
  /// one that is required now, and two more unique constraints.
  var newerModel: ModelBinding {
    get throws {
      ModelBinding(try ManagedObjectModel(json: newerJSON, file: "Gallery.model.json"))
    }
  }

  private var newerJSON: String {
    let external = hasFiles ? #", "external": 1000"# : ""
    let technique =
      [.last, .version090].contains(self)
      ? #""technique": { "type": "string?", "cases": ["oil", "tempera"] }, "# : ""
    return """
      {
        "copal": 1,
        "model": "Gallery",
        "version": 2,
        "entities": {
          "Maker": {
            "renamedFrom": "Artist",
            "attributes": { "name": "string", "born": { "type": "integer16", "fill": 1600 } },
            "relationships": {
              "works": { "type": "[Work]", "inverse": "artists", "ordered": true },
              "teacher": { "type": "Maker?", "inverse": "pupils" },
              "pupils": { "type": "[Maker]", "inverse": "teacher", "ordered": true }
            },
            "unique": ["name", ["born", "name"]]
          },
          "Work": {
            "abstract": true,
            "removed": ["note"],
            "attributes": {
              "caption": { "type": "string", "renamedFrom": "title" }, "inventory": "integer32?"
            },
            "relationships": { "artists": { "type": "[Maker]", "inverse": "works" } },
            "indexes": ["caption"]
          },
          "Painting": {
            "parent": "Work",
            "attributes": {
              "small": "integer16", "middle": "integer32?", "large": "integer64?",
              "count": "integer?", "ratio": "float",
              "width": { "type": "integer16?", "conversion": "nearest" },
              "price": { "type": "decimal?", "scale": 2 }, "exact": "decimal?",
              "sold": "boolean?", \(technique)"made": "date?",
              "label": { "type": "integer32?", "conversion": "nil" },
              "code": "uuid?", "page": "uri?", "palette": { "type": "binary?"\(external) },
              "mood": {
                "type": "transformable?", "class": "String", "transformer": "MoodTransformer",
                "storage": "text"
              }
            },
            "relationships": { "owner": "Maker?" },
            "unique": ["code"]
          },
          "Print": {
            "parent": "Work",
            "abstract": true,
            "attributes": { "zone": "string?", "area": "string?" },
            "unique": [["zone", "area"], "inventory"]
          },
          "Woodcut": { "parent": "Print" },
          "Etching": { "parent": "Print" }
        }
      }
      """
  }
}

/// As in the programs that made the stores.
private struct MoodTransformer: AttributeTransformer {
  func encode(_ mood: String) -> String { "mood:" + mood }
  func decode(_ stored: String) -> String { String(stored.dropFirst(5)) }
}

@Suite("Stores that earlier commits and releases wrote", .modelAsIs)
struct OldStoreTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  /// A copy of the store in the folder of the test.
  private func copy(_ store: OldStore) throws {
    let source = store.folder.appending(path: "Gallery.sqlite")
    try FileManager.default.copyItem(at: source, to: test.file)
    if store.hasFiles {
      try FileManager.default.copyItem(
        atPath: source.path(percentEncoded: false) + "-files",
        toPath: test.file.path(percentEncoded: false) + "-files")
    }
  }

  private func open(
    _ model: ModelBinding, _ configuration: StoreConfiguration? = nil,
    migration: StoreMigration = .automatic
  ) throws -> PersistentContainer {
    try PersistentContainer(
      model: model, store: configuration ?? test.configuration(),
      transformers: [MoodTransformer()], migration: migration)
  }

  @Test("has its values, links and files with its own model", arguments: OldStore.allCases)
  func sameModel(store: OldStore) throws {
    try copy(store)
    for _ in 0..<2 {
      let container = try open(store.model, migration: .never)
      let gallery = Gallery(container, artist: "Artist", title: "title")
      try gallery.expectLinks()
      try gallery.expectValues(store)
      try expectOldValues(gallery)
      #expect(try container.check().isEmpty)
    }
    let migrations = "SELECT count(*) FROM sqlite_schema WHERE name = 'copal_migrations'"
    // A release makes the table with the store.
    #expect(try test.sqlite3(migrations) == (store == .version090 ? "1" : "0"))
    try expectChanges(open(store.model), artist: "Artist", title: "title")
  }

  @Test("has its values, links and files with a newer model", arguments: OldStore.allCases)
  func newerModel(store: OldStore) throws {
    try copy(store)
    var contents: [Substring]?
    for _ in 0..<2 {
      let container = try open(store.newerModel)
      let gallery = Gallery(container, artist: "Maker", title: "caption")
      try gallery.expectLinks()
      try gallery.expectValues(store)
      try expectNewValues(gallery)
      #expect(try container.check().isEmpty)
      // The second opening changes nothing.
      let dump = try test.sqlite3(".dump").split(separator: "\n")
      #expect(contents == nil || contents == dump)
      contents = dump
    }
    try expectTables(of: store.newerModel)
    try expectChanges(open(store.newerModel), artist: "Maker", title: "caption")
    try expectBackup(store)
  }

  // MARK: Values

  /// What the newer model has in another way.
  private func expectOldValues(_ gallery: Gallery) throws {
    #expect(try gallery.values("born", of: "Artist") == [1632, 1622, nil] as [Int16?])
    #expect(
      try gallery.values("note", of: "Work")
        == ["To be cleaned", "", nil, nil, nil, nil, "Changed"] as [String?])
    #expect(try gallery.values("width", of: "Painting") == [2.5, 3.5, nil] as [Double?])
    #expect(try gallery.values("label", of: "Painting") == ["12", "unknown", nil] as [String?])
  }

  private func expectNewValues(_ gallery: Gallery) throws {
    #expect(try gallery.values("born", of: "Maker") == [1632, 1622, 1600] as [Int16?])
    #expect(try gallery.values("width", of: "Painting") == [2, 4, nil] as [Int16?])
    #expect(try gallery.values("label", of: "Painting") == [12, nil, nil] as [Int32?])
    let work = try #require(try gallery.objects("Work").first)
    #expect(throws: PersistenceError.self) { try work.value(forKey: "note") }
  }

  // MARK: The file

  private func expectTables(of model: ModelBinding) throws {
    #expect(try test.sqlite3("SELECT number, version FROM copal_migrations") == "1|1\n2|2")
    let fresh = try TestStore()
    _ = try open(model, fresh.configuration())
    let hash = "SELECT value FROM copal_metadata WHERE name = 'schemaHash'"
    #expect(try test.sqlite3(hash) == fresh.sqlite3(hash))
    #expect(
      try test.sqlite3("SELECT schemaHash FROM copal_migrations WHERE number = 2")
        == fresh.sqlite3(hash))
    // Columns in any order, references, and each index without its name. Not the index and the
    // table of the names of files, which are made where files are to be removed.
    let shape = """
      SELECT t.name, c.name, c.type, c.pk FROM sqlite_schema t, pragma_table_xinfo(t.name) c
        WHERE t.type = 'table' AND t.name <> 'copal_unreferencedFiles' ORDER BY 1, 2;
      SELECT t.name, f."from", f."table", f."to", f.on_delete
        FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table' ORDER BY 1, 2;
      SELECT tbl_name, substr(sql, instr(sql, ' ON ')), substr(sql, 1, 13) FROM sqlite_schema
        WHERE type = 'index' AND sql IS NOT NULL AND name NOT LIKE 'copal_files%' ORDER BY 1, 2;
      """
    let tables = try test.sqlite3(shape)
    #expect(try tables == fresh.sqlite3(shape))
    #expect(tables.contains("Maker") && !tables.contains("Artist"))
  }

  private func expectBackup(_ store: OldStore) throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: test.folder.path(percentEncoded: false))
    let copies = names.filter { $0.contains("-before-") && !$0.hasSuffix("-wal") }
      .filter { !$0.hasSuffix("-shm") }.sorted()
    let name = "Atelier.sqlite-before-2"
    #expect(copies == (store.hasFiles ? [name, name + "-files"] : [name]))
    let container = try open(
      store.model, .sqlite(at: test.folder.appending(path: name)), migration: .never)
    let gallery = Gallery(container, artist: "Artist", title: "title")
    try gallery.expectLinks()
    try gallery.expectValues(store)
    try expectOldValues(gallery)
  }

  /// New objects get new keys, and obey the unique constraints; old objects change and are deleted.
  private func expectChanges(_ container: PersistentContainer, artist: String, title: String)
    throws
  {
    let context = container.makeContext()
    func insert(_ entity: String, _ values: [String: Any]) throws -> ManagedObject {
      let object = try context.insert(entity)
      for (name, value) in values { try object.setValue(value, forKey: name) }
      return object
    }
    let etching = try insert("Etching", [title: "New", "zone": "A", "area": "2", "inventory": 9])
    try context.save()
    // A deleted etching had the key 8.
    #expect(etching.objectID.key == 9)
    for values in [["zone": "A", "area": "1"], ["inventory": 2]] as [[String: Any]] {
      let equal = try insert("Woodcut", values.merging([title: "Equal"]) { old, _ in old })
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.causes.compactMap { ($0 as? PersistenceError)?.code } == [.uniqueConflict])
      context.delete(equal)
    }
    let gallery = Gallery(container, artist: artist, title: title)
    for painting in try gallery.objects("Painting") {
      let painting = try context.existingObject(with: painting.objectID)
      try painting.setValue(Data(repeating: 9, count: 2000), forKey: "palette")
    }
    try context.save()
    let palette = Data(repeating: 9, count: 2000)
    #expect(
      try Gallery(container, artist: artist, title: title).values("palette", of: "Painting")
        == [palette, palette, palette])
    let makers = try context.fetch(FetchRequest<ManagedObject>(entityName: artist))
    for maker in makers { context.delete(maker) }
    try context.save()
    #expect(try container.check().isEmpty)
  }
}

/// The objects of a store, in the order of their keys.
private struct Gallery {
  private let context: ManagedObjectContext
  /// The name of the entity of artists, and that of the attribute with the title of a work.
  private let artist: String
  private let title: String

  init(_ container: PersistentContainer, artist: String, title: String) {
    context = container.makeContext()
    self.artist = artist
    self.title = title
  }

  func objects(_ entity: String) throws -> [ManagedObject] {
    try context.fetch(FetchRequest<ManagedObject>(entityName: entity))
      .sorted { $0.objectID.key < $1.objectID.key }
  }

  func values<V>(_ name: String, of entity: String, as type: V.Type = V.self) throws -> [V?] {
    try objects(entity).map { try $0.value(of: name, as: V.self) }
  }

  private func keys(_ list: OrderedToMany<ManagedObject>?) -> [Int64]? {
    list.map { $0.map(\.objectID.key) }
  }

  func expectLinks() throws {
    let artists = try objects(artist)
    #expect(artists.map(\.objectID.key) == [1, 2, 3])
    #expect(
      try values("name", of: artist) == ["Jan Vermeer", "Carel Fabritius", "Rembrandt"])
    // The order of a list is not that of the keys.
    #expect(
      try values("pupils", of: artist).map(keys) == [[], [], [2, 1]])
    #expect(try values("works", of: artist).map(keys) == [[4, 1, 2], [2], []])
    for (artist, teacher) in zip(artists, [3, 3, nil] as [Int64?]) {
      let found = try artist.value(of: "teacher", as: ManagedObject.self)
      #expect(found?.objectID.key == teacher)
    }
    let works = try objects("Work")
    #expect(
      works.map(\.entityName) == [
        "Painting", "Painting", "Painting", "Woodcut", "Woodcut", "Etching", "Etching",
      ])
    #expect(works.map(\.objectID.key) == [1, 2, 3, 4, 5, 6, 7])
    let makers: [Set<Int64>] = [[1], [1, 2], [], [1], [], [], []]
    for (work, makers) in zip(works, makers) {
      let found = try #require(try work.value(of: "artists", as: ToMany<ManagedObject>.self))
      #expect(Set(found.map(\.objectID.key)) == makers)
    }
    let owner = try objects("Painting").map { try $0.value(of: "owner", as: ManagedObject.self) }
    #expect(owner.map { $0?.objectID.key } == [nil, nil, 3])
  }

  /// The values of each type that both models have.
  func expectValues(_ store: OldStore) throws {
    #expect(
      try values(title, of: "Work") == [
        "View of Delft", "", "it's \"x\"\ne\u{301} 🎨", "Woodcut 1", "Woodcut 2", "Etching 1",
        "Etching 2",
      ])
    #expect(
      try values("inventory", of: "Work")
        == [1, 2_147_483_647, nil, 1, 2, 3, nil] as [Int32?])
    #expect(try values("small", of: "Painting") == [-32_768, 32_767, 0] as [Int16?])
    #expect(
      try values("middle", of: "Painting") == [-2_147_483_648, 2_147_483_647, nil] as [Int32?])
    #expect(
      try values("large", of: "Painting")
        == [-9_223_372_036_854_775_808, 9_223_372_036_854_775_807, nil] as [Int64?])
    #expect(
      try values("count", of: "Painting")
        == [-9_223_372_036_854_775_808, 9_223_372_036_854_775_807, nil] as [Int?])
    #expect(
      try values("ratio", of: "Painting") == [-3.4028235e38, .leastNonzeroMagnitude, 0] as [Float?])
    #expect(
      try values("price", of: "Painting") == [
        Decimal(string: "-92233720368547758.08"), Decimal(string: "92233720368547758.07"), nil,
      ])
    #expect(
      try values("exact", of: "Painting") == [
        Decimal(string: "-0.00000000000000000000000000000000000001"),
        Decimal(string: "12345678901234567890123456789012345678"), nil,
      ])
    #expect(try values("sold", of: "Painting") == [false, true, nil])
    #expect(
      try values("made", of: "Painting") == [
        Date(timeIntervalSinceReferenceDate: -1_000_000_000.25),
        Date(timeIntervalSinceReferenceDate: 700_000_000.1), nil,
      ])
    #expect(
      try values("code", of: "Painting") == [
        UUID(uuidString: "00000000-0000-0000-0000-000000000000"),
        UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), nil,
      ])
    #expect(
      try values("page", of: "Painting") == [
        URL(string: "https://example.com/a?b=c%20d#e"), URL(string: "https://example.com"), nil,
      ])
    #expect(
      try values("palette", of: "Painting")
        == [Data((0..<5000).map { UInt8($0 % 251) }), Data(), nil])
    #expect(try values("mood", of: "Painting") == ["calm", "", nil])
    if store == .last {
      #expect(try values("technique", of: "Painting") == [nil, "oil", nil])
    }
    #expect(try values("zone", of: "Print") == ["A", "B", nil, nil])
    #expect(try values("area", of: "Print") == ["1", nil, "1", nil])
  }
}
