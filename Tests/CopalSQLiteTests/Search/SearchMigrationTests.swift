import CopalModel
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

@Suite("Search in migrations, and versions of the folding")
struct SearchMigrationTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private static let both: FetchPredicate.TextOptions = [.caseInsensitive, .diacriticInsensitive]

  private static func beginsWith(_ text: String, _ name: String = "name") -> FetchPredicate {
    .text(.property(name), .hasPrefix(both), .constant(.string(text)))
  }

  /// The names of what the file has for derived columns.
  private func derived() throws -> [String] {
    let sql = """
      SELECT name FROM pragma_table_info('Paint') WHERE name LIKE 'copal_%' AND name NOT IN
      ('copal_id', 'copal_version', 'copal_entity')
      UNION ALL SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'Paint'
      """
    return try test.sqlite3(sql).split(separator: "\n").map(String.init).sorted()
  }

  private func fill(_ tester: StoreTester) throws {
    for name in ["Érable", "ERAF", "zinc"] {
      try tester.insert(["name": .string(name), "note": .string(name)], into: "Paint")
    }
    try tester.insert(["name": "Era", "base": "Öl"], into: "Glaze")
  }

  @Test("search is added to a store in place, and removed from it")
  func addedAndRemoved() throws {
    try fill(try test.storeTester(SearchModels.schema(search: false)))
    #expect(try derived() == [])
    let searching = try test.storeTester(SearchModels.schema(version: 2))
    #expect(
      try derived() == [
        "copal_case_name", "copal_gone_Paint", "copal_gone_Paint.key", "copal_search_base",
        "copal_search_name", "copal_search_note",
        "copal_stale", "copal_stale_Paint",
      ])
    #expect(try searching.keys(Self.beginsWith("era"), of: "Paint") == [1, 2, 4])
    #expect(try searching.keys(Self.beginsWith("o", "base"), of: "Glaze") == [4])
    #expect(try searching.wrongDerivedValues(test) == [])
    let plain = try test.storeTester(SearchModels.schema(search: false, version: 3))
    #expect(try derived() == [])
    #expect(try plain.keys(Self.beginsWith("era"), of: "Paint") == [1, 2, 4])
    #expect(
      try test.sqlite3(
        "SELECT name, value FROM copal_metadata WHERE name IN ('folding', 'requires')")
        == "requires|")
  }

  @Test("a program with the model without search stops at its next statement")
  func notHarmless() throws {
    let plain = try test.storeTester(SearchModels.schema(search: false))
    try fill(plain)
    _ = try test.storeTester(SearchModels.schema(version: 2))
    #expect(throws: PersistenceError.self) { try plain.insert(["name": "x"], into: "Paint") }
    #expect(throws: PersistenceError.self) { try plain.keys(of: "Paint") }
  }

  @Test("a renamed attribute keeps its search, and a form is added and removed")
  func renamed() throws {
    try fill(try test.storeTester(SearchModels.schema()))
    let renamed = try test.storeTester(
      SearchModels.schema(version: 2) { entities in
        entities[0].attributes[0].name = "title"
        entities[0].attributes[0].renamedFrom = ["name"]
        entities[0].attributes[0].search = [.normalized]
        entities[0].attributes[1].search = [.normalized, .caseInsensitive]
      })
    #expect(
      try derived() == [
        "copal_case_note", "copal_gone_Paint", "copal_gone_Paint.key", "copal_search_base",
        "copal_search_note", "copal_search_title", "copal_stale", "copal_stale_Paint",
      ])
    #expect(try renamed.keys(Self.beginsWith("era", "title"), of: "Paint") == [1, 2, 4])
    #expect(try renamed.wrongDerivedValues(test) == [])
  }

  @Test("attributes that change their names have the forms of their own texts")
  func swapped() throws {
    let tester = try test.storeTester(
      SearchModels.schema { entities in
        entities[0].attributes[0].search = [.normalized]
        entities[0].attributes[1].search = [.normalized]
      })
    try tester.insert(["name": "Érable", "note": "Zinc"], into: "Paint")
    let swapped = try test.storeTester(
      SearchModels.schema(version: 2) { entities in
        for place in 0...1 { entities[0].attributes[place].search = [.normalized] }
        entities[0].attributes[0].name = "title"
        entities[0].attributes[0].renamedFrom = ["note"]
        entities[0].attributes[1].name = "note"
        entities[0].attributes[1].renamedFrom = ["name"]
        entities[0].attributes[1].isOptional = true
        entities[0].attributes[0].isOptional = true
      })
    #expect(try swapped.keys(Self.beginsWith("era", "note"), of: "Paint") == [1])
    #expect(try swapped.keys(Self.beginsWith("zi", "title"), of: "Paint") == [1])
    #expect(try swapped.wrongDerivedValues(test) == [])
  }

  @Test("a program without the transformers of projections finds equal values, too")
  func withoutTransformers() throws {
    func schema(_ unique: String, version: Int) throws -> StoreSchema {
      StoreSchema(
        try ManagedObjectModel(
          json: """
            { "copal": 1, "model": "M", "version": \(version), "entities": { "Paint": {
              "attributes": {
                "name": { "type": "string", "search": "normalized" },
                "sheet": { "type": "transformable?", "transformer": "Sheet", "class": "String",
                  "storage": "text", "project": { "size": "integer" } }
              }\(unique) } } }
            """, file: "M.model.json"))
    }
    let tester = try test.storeTester(schema("", version: 1))
    for name in ["Érable", "eraBLE", "zinc"] {
      try tester.insert(["name": .string(name)], into: "Paint")
    }
    let unique = #", "unique": [{ "attribute": "name", "ignoring": ["case", "diacritics"] }]"#
    let error = #expect(throws: PersistenceError.self) {
      try test.open(schema(unique, version: 2))
    }
    #expect(error?.code == .modelDiffers)
    #expect(try tester.keys(of: "Paint") == [1, 2, 3])
  }

  @Test("a column that another program drops, and a trigger, come back with the right values")
  func dropped() throws {
    try fill(try test.storeTester(SearchModels.schema()))
    _ = try test.sqlite3(
      """
      DROP TRIGGER copal_stale_Paint; DROP INDEX "copal_index_Paint(copal_search_note)";
      ALTER TABLE Paint DROP COLUMN copal_search_note; UPDATE Paint SET name = 'era' WHERE copal_id = 3
      """)
    let tester = try test.storeTester(SearchModels.schema())
    #expect(try tester.keys(Self.beginsWith("era"), of: "Paint") == [1, 2, 3, 4])
    #expect(try tester.keys(Self.beginsWith("e", "note"), of: "Paint") == [1, 2])
    #expect(
      try test.sqlite3("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == "4")
    #expect(try tester.wrongDerivedValues(test) == [])
  }

  // MARK: Versions of the folding

  /// Tables that do not know the letters of Deseret.
  private static let older = VersionedFolding(
    version: UnicodeVersion([13, 0, 0]), unknown: ["\u{10400}", "\u{10428}"])

  private func options(_ folding: VersionedFolding) -> SQLiteStore.Options {
    var options = SQLiteStore.Options()
    options.folding = folding
    return options
  }

  @Test("a newer program makes the values of an older folding again, and the older one is stopped")
  func olderFolding() throws {
    let schema = try SearchModels.schema()
    let old = try test.storeTester(schema, options(Self.older))
    try old.insert(["name": "\u{10400}x"], into: "Paint")
    #expect(try old.keys(Self.beginsWith("\u{10428}X"), of: "Paint") == [])
    let new = try test.storeTester(schema)
    #expect(try new.keys(Self.beginsWith("\u{10428}X"), of: "Paint") == [1])
    #expect(
      try test.sqlite3("SELECT value FROM copal_metadata WHERE name = 'requires'")
        == "folding 14.0.0")
    // The older program has the store open.
    for work in [
      { _ = try old.insert(["name": "y"], into: "Paint") }, { _ = try old.keys(of: "Paint") },
    ] {
      do {
        try work()
        Issue.record("the older program goes on")
      } catch let error as PersistenceError {
        #expect(error.code == .newerFormat)
        #expect(error.found == "the feature 'folding 14.0.0'")
      }
    }
    do {
      _ = try test.storeTester(schema, options(Self.older))
      Issue.record("the older program opens the store")
    } catch let error as PersistenceError {
      #expect(error.code == .newerFormat)
    }
    try new.insert(["name": "z"], into: "Paint")
  }

  @Test("progress is told while forms are made, and never more rows than there are")
  func progress() throws {
    let old = try test.storeTester(SearchModels.schema(), options(Self.older))
    try old.commit { changes in
      for number in 0..<500 { try changes.insert("Paint", ["name": .string("n\(number)")]) }
    }
    let reported = Locked<[MigrationProgress]>([])
    func reports(opening schema: StoreSchema) throws -> [MigrationProgress] {
      reported.withLock { $0 = [] }
      let request = OpeningRequest(schema) { report in reported.withLock { $0.append(report) } }
      _ = try test.configuration().open(request)
      return reported.withLock { $0 }
    }
    // A newer folding, then another form, then nothing.
    let newer = try reports(opening: SearchModels.schema())
    let form = try reports(
      opening: SearchModels.schema(version: 2) {
        $0[0].attributes[1].search = [.normalized, .caseInsensitive]
      })
    for found in [newer, form] {
      #expect(found.last == MigrationProgress(completedRows: 500, totalRows: 500))
      #expect(found.allSatisfy { $0.completedRows <= $0.totalRows })
    }
    let again = try reports(
      opening: SearchModels.schema(version: 2) {
        $0[0].attributes[1].search = [.normalized, .caseInsensitive]
      })
    #expect(again == [])
  }

  @Test("a migration of a store with an older folding makes all values again")
  func olderFoldingMigrated() throws {
    let old = try test.storeTester(SearchModels.schema(), options(Self.older))
    try old.insert(["name": "\u{10400}x"], into: "Paint")
    try old.insert(["name": "\u{10400}x"], into: "Maker")
    let new = try test.storeTester(
      SearchModels.schema(version: 2) {
        $0[0].attributes.append(AttributeDescription("shade", .string, isOptional: true))
      })
    #expect(try new.keys(Self.beginsWith("\u{10428}X"), of: "Paint") == [1])
    #expect(try new.keys(Self.beginsWith("\u{10428}X"), of: "Maker") == [1])
    #expect(try new.wrongDerivedValues(test) == [])
  }
}
