import CopalModel
import CopalSQL
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("The statements of a migration")
struct MigrationSQLTests {
  private static let now = Date(timeIntervalSinceReferenceDate: 7)

  private static func model(_ entities: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      json: #"{ "copal": 1, "model": "Test", "entities": { \#(entities) } }"#,
      file: "Test.model.json")
  }

  /// The statements of all phases but those of indexes, with the values of their placeholders. Rows
  /// are written from the key 0 through 9.
  private static func statements(_ old: String, _ new: String) throws -> [SQLStatement] {
    let schema = StoreSchema(try model(new))
    let pair = SchemaPair(ModelMapping(from: try model(old), to: schema.model), to: schema)
    let changes = TableChanges(pair, try RowMoves(pair, Numbers()))
    let translator = MigrationTranslator(changes, SQLiteDialect(), now: now)
    var statements = changes.renames.map(translator.renameTable)
    for change in changes.tables {
      statements += change.columns.renames.map { translator.renameColumn($0, of: change.root) }
      statements += change.columns.added.map {
        SchemaTranslator(SQLiteDialect()).addColumn($0.slot, $0.mapping)
      }
      statements += change.columns.updates.compactMap {
        translator.update($0) ?? translator.update($0, 1...9)
      }
      statements += change.columns.moves.map { translator.move($0, into: change, through: nil) }
    }
    statements += changes.relationships.fills.map(translator.fill)
    for change in changes.tables {
      statements += change.columns.dropped.map { translator.dropColumn($0, of: change.root) }
      statements += [
        translator.deleteRows(change, through: 9), translator.renameEntities(change, through: 9),
      ].compactMap(\.self)
    }
    return statements + changes.dropped.map(translator.dropTable)
  }

  /// Each family has given the keys 1 to 9, and the entities with the longer names have more rows.
  private struct Numbers: FamilyNumbers {
    func lastKey(of root: EntityLayout) -> Int64 { 9 }
    func lastKey(named root: String) -> Int64 { 0 }
    func isFree(_ name: String, for root: EntityLayout) -> Bool { true }
    func rowCount(of entities: [EntityLayout]) -> Int {
      entities.reduce(0) { $0 + $1.name.count }
    }
    func tooGreatKeys(of root: EntityLayout) -> any Error { PersistenceError(.modelDiffers) }
  }

  static let cases: [(old: String, new: String, sql: [String])] = [
    (
      #""Book": { "attributes": { "title": "string" } }"#,
      #""Volume": { "renamedFrom": "Book", "attributes": { "name": { "type": "string", "renamedFrom": "title" } } }"#,
      [
        #"ALTER TABLE "Book" RENAME TO "Volume""#,
        #"ALTER TABLE "Volume" RENAME COLUMN "title" TO "name""#,
      ]
    ),
    (
      #""Book": { "attributes": { "a": "string", "c": "string" } }"#,
      #""Book": { "attributes": { "b": { "type": "string", "renamedFrom": "a" }, "a": { "type": "string", "renamedFrom": "c" } } }"#,
      [
        #"ALTER TABLE "Book" RENAME COLUMN "a" TO "b""#,
        #"ALTER TABLE "Book" RENAME COLUMN "c" TO "a""#,
      ]
    ),
    (
      #""book": { "attributes": { "A": "string" } }"#,
      #""Book": { "renamedFrom": "book", "attributes": { "a": { "type": "string", "renamedFrom": "A" } } }"#,
      [
        #"ALTER TABLE "book" RENAME TO "copal_renamed_0""#,
        #"ALTER TABLE "copal_renamed_0" RENAME TO "Book""#,
        #"ALTER TABLE "Book" RENAME COLUMN "A" TO "copal_renamed_0""#,
        #"ALTER TABLE "Book" RENAME COLUMN "copal_renamed_0" TO "a""#,
      ]
    ),
    (
      #""Book": { "attributes": { "pages": "integer", "shelf": "string" } }, "Tag": {}"#,
      #""Book": { "removed": ["shelf"], "attributes": { "pages": "string", "note": { "type": "string", "default": "x" } } }"#,
      [
        #"ALTER TABLE "Tag" RENAME TO "copal_old_Tag""#,
        #"ALTER TABLE "Book" RENAME COLUMN "pages" TO "copal_old_pages""#,
        #"ALTER TABLE "Book" RENAME COLUMN "shelf" TO "copal_old_shelf""#,
        #"ALTER TABLE "Book" ADD COLUMN "pages" TEXT"#,
        #"ALTER TABLE "Book" ADD COLUMN "note" TEXT"#,
        #"UPDATE "Book" NOT INDEXED SET "pages" = copal_convert("copal_old_pages", "copal_id", ?), "note" = ? WHERE "copal_id" BETWEEN ? AND ?"#,
        #"ALTER TABLE "Book" DROP COLUMN "copal_old_pages""#,
        #"ALTER TABLE "Book" DROP COLUMN "copal_old_shelf""#,
        #"DROP TABLE "copal_old_Tag""#,
      ]
    ),
    (
      #""Book": { "attributes": { "mark": "uuid?" } }"#,
      #""Book": { "attributes": { "mark": { "type": "uuid", "default": "new" } } }"#,
      [
        #"UPDATE "Book" NOT INDEXED SET "mark" = coalesce("mark", copal_new_uuid()) WHERE "copal_id" BETWEEN ? AND ?"#
      ]
    ),
    (
      #""Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer" } }, "Video": { "parent": "Asset" }"#,
      #""Asset": {}, "Image": { "renamedFrom": "Photo", "parent": "Asset", "attributes": { "width": "double" } }"#,
      [
        #"ALTER TABLE "Asset" RENAME COLUMN "width" TO "copal_old_width""#,
        #"ALTER TABLE "Asset" ADD COLUMN "width" REAL"#,
        #"UPDATE "Asset" SET "width" = copal_convert("copal_old_width", "copal_id", ?) WHERE "copal_entity" = 'Photo'"#,
        #"ALTER TABLE "Asset" DROP COLUMN "copal_old_width""#,
        #"DELETE FROM "Asset" WHERE "copal_entity" IN ('Video')"#,
        #"UPDATE "Asset" SET "copal_entity" = CASE "copal_entity" WHEN 'Photo' THEN 'Image' END WHERE "copal_entity" IN ('Photo')"#,
      ]
    ),
  ]

  /// Properties and entities that move in and between families.
  static let moves: [(old: String, new: String, sql: [String])] = [
    // Attributes of siblings become one of the parent: a column serves, and the others are copied.
    (
      #""Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer" } }, "Video": { "parent": "Asset", "attributes": { "width": "integer" } }"#,
      #""Asset": { "attributes": { "width": "integer?" } }, "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" }"#,
      [
        #"ALTER TABLE "Asset" RENAME COLUMN "Photo.width" TO "width""#,
        #"ALTER TABLE "Asset" RENAME COLUMN "Video.width" TO "copal_old_Video.width""#,
        #"UPDATE "Asset" SET "width" = "copal_old_Video.width" WHERE "copal_entity" = 'Video'"#,
        #"ALTER TABLE "Asset" DROP COLUMN "copal_old_Video.width""#,
      ]
    ),
    // An attribute moves to a subentity: the others have no value any more.
    (
      #""Asset": { "attributes": { "width": "integer?" } }, "Photo": { "parent": "Asset" }"#,
      #""Asset": { "removed": ["width"] }, "Photo": { "parent": "Asset", "attributes": { "width": "integer?" } }"#,
      [#"UPDATE "Asset" SET "width" = NULL WHERE "copal_entity" = 'Asset'"#]
    ),
    // A root gets a parent that the store has: the rows get keys that none of both has had.
    (
      #""Asset": { "attributes": { "a": "string" } }, "Photo": { "attributes": { "b": "string" } }, "Tag": { "relationships": { "photo": { "type": "Photo?" } } }"#,
      #""Asset": { "attributes": { "a": "string?" } }, "Photo": { "parent": "Asset", "attributes": { "b": "string" } }, "Tag": { "relationships": { "photo": { "type": "Photo?" } } }"#,
      [
        #"ALTER TABLE "Photo" RENAME TO "copal_old_Photo""#,
        #"ALTER TABLE "Asset" ADD COLUMN "b" TEXT"#,
        #"INSERT INTO "Asset" ("copal_id", "copal_version", "copal_entity", "b") SELECT "copal_id" + ?, "copal_version", 'Photo', "b" FROM "copal_old_Photo" ORDER BY "copal_id""#,
        #"ALTER TABLE "Tag" RENAME COLUMN "photo" TO "copal_old_photo""#,
        #"ALTER TABLE "Tag" ADD COLUMN "photo" INTEGER REFERENCES "Asset" ("copal_id") DEFERRABLE INITIALLY DEFERRED"#,
        #"UPDATE "Tag" NOT INDEXED SET "photo" = "copal_old_photo" + ? WHERE "copal_id" BETWEEN ? AND ?"#,
        #"ALTER TABLE "Tag" DROP COLUMN "copal_old_photo""#,
        #"DROP TABLE "copal_old_Photo""#,
      ]
    ),
    // A child leaves its family, and keeps its keys.
    (
      #""Asset": { "attributes": { "a": "string" } }, "Photo": { "parent": "Asset", "attributes": { "b": "string" } }"#,
      #""Asset": { "attributes": { "a": "string" } }, "Photo": { "attributes": { "a": "string", "b": "string" } }"#,
      [
        #"ALTER TABLE "Asset" RENAME COLUMN "b" TO "copal_old_b""#,
        #"INSERT INTO "Photo" ("copal_id", "copal_version", "a", "b") SELECT "copal_id", "copal_version", "a", "copal_old_b" FROM "Asset" WHERE "copal_entity" = 'Photo' ORDER BY "copal_id""#,
        #"ALTER TABLE "Asset" DROP COLUMN "copal_old_b""#,
        #"DELETE FROM "Asset" WHERE "copal_entity" IN ('Photo')"#,
      ]
    ),
    // Two roots become one entity: the table with the most rows stays.
    (
      #""Author": { "attributes": { "name": "string" } }, "Redactor": { "attributes": { "title": "string", "since": "integer?" } }"#,
      #""Party": { "merges": ["Author", "Redactor"], "attributes": { "name": { "type": "string", "renamedFrom": "title" }, "since": "integer?" } }"#,
      [
        #"ALTER TABLE "Redactor" RENAME TO "Party""#,
        #"ALTER TABLE "Author" RENAME TO "copal_old_Author""#,
        #"ALTER TABLE "Party" RENAME COLUMN "title" TO "name""#,
        #"INSERT INTO "Party" ("copal_id", "copal_version", "name") SELECT "copal_id" + ?, "copal_version", "name" FROM "copal_old_Author" ORDER BY "copal_id""#,
        #"DROP TABLE "copal_old_Author""#,
      ]
    ),
    // A subentity is merged into its parent.
    (
      #""Asset": { "attributes": { "a": "string" } }, "Photo": { "parent": "Asset", "attributes": { "b": "string" } }, "Film": { "parent": "Asset" }"#,
      #""Asset": { "merges": ["Photo"], "attributes": { "a": "string", "b": "string?" } }, "Film": { "parent": "Asset" }"#,
      [
        #"UPDATE "Asset" SET "copal_entity" = CASE "copal_entity" WHEN 'Photo' THEN 'Asset' END WHERE "copal_entity" IN ('Photo')"#
      ]
    ),
    // Links follow the objects at their ends.
    (
      #""Asset": {}, "Photo": { "relationships": { "tags": { "type": "[Tag]", "inverse": "photos" } } }, "Tag": { "relationships": { "photos": { "type": "[Photo]", "inverse": "tags" } } }"#,
      #""Asset": {}, "Photo": { "parent": "Asset", "relationships": { "tags": { "type": "[Tag]", "inverse": "photos" } } }, "Tag": { "relationships": { "photos": { "type": "[Photo]", "inverse": "tags" } } }"#,
      [
        #"ALTER TABLE "Photo" RENAME TO "copal_old_Photo""#,
        #"ALTER TABLE "copal_links_Photo.tags" RENAME TO "copal_old_copal_links_Photo.tags""#,
        #"INSERT INTO "Asset" ("copal_id", "copal_version", "copal_entity") SELECT "copal_id" + ?, "copal_version", 'Photo' FROM "copal_old_Photo" ORDER BY "copal_id""#,
        #"INSERT INTO "copal_links_Photo.tags" ("owner", "member") SELECT ("owner" + ?), "member" FROM "copal_old_copal_links_Photo.tags" WHERE "member" IS NOT NULL ORDER BY 1, 2"#,
        #"DROP TABLE "copal_old_copal_links_Photo.tags""#,
        #"DROP TABLE "copal_old_Photo""#,
      ]
    ),
  ]

  @Test("a change of a model is these statements", arguments: cases + moves)
  func statements(old: String, new: String, sql: [String]) throws {
    #expect(try Self.statements(old, new).map(\.text) == sql)
  }

  /// Another program has given a row the greatest key.
  private struct GreatKeys: FamilyNumbers {
    struct TooGreat: Error {}

    func lastKey(of root: EntityLayout) -> Int64 { root.name == "Photo" ? .max : 5 }
    func lastKey(named root: String) -> Int64 { 0 }
    func isFree(_ name: String, for root: EntityLayout) -> Bool { true }
    func rowCount(of entities: [EntityLayout]) -> Int { 1 }
    func tooGreatKeys(of root: EntityLayout) -> any Error { TooGreat() }
  }

  @Test("rows whose keys are too great do not get other keys")
  func greatKeys() throws {
    let new = StoreSchema(
      try Self.model(#""Asset": {}, "Photo": { "parent": "Asset" }"#))
    let pair = SchemaPair(
      ModelMapping(from: try Self.model(#""Asset": {}, "Photo": {}"#), to: new.model), to: new)
    #expect(throws: GreatKeys.TooGreat.self) { try RowMoves(pair, GreatKeys()) }
  }

  @Test(
    "a value for existing rows is in its stored form",
    arguments: [
      (#""string", "default": "x""#, .text("x")),
      (#""decimal", "scale": 2, "default": "12.5""#, .integer(1250)),
      (#""decimal", "default": "12.5""#, .text("12.5")), (#""boolean", "fill": true"#, .integer(1)),
      (#""binary", "fill": "AQ==""#, .blob([1])), (#""date", "default": "now""#, .real(7)),
    ] as [(String, PlaceholderValue)])
  func values(attribute: String, stored: PlaceholderValue) throws {
    let statements = try Self.statements(
      #""Book": {}"#, #""Book": { "attributes": { "a": { "type": \#(attribute) } } }"#)
    #expect(statements.last?.values.first == stored)
  }

  @Test("the tables of the history have no placeholder in their definitions")
  func history() {
    let translator = HistoryTranslator(SQLiteDialect())
    #expect(
      translator.creation.map(\.text) == [
        #"CREATE TABLE "copal_migrations" ("number" INTEGER NOT NULL, "schemaHash" TEXT NOT NULL, "version" INTEGER NOT NULL, "date" REAL NOT NULL, "writer" TEXT NOT NULL, "plan" TEXT NOT NULL, PRIMARY KEY ("number"))"#,
        #"CREATE TABLE "copal_ids" ("former" TEXT NOT NULL, "last" INTEGER NOT NULL, "entity" TEXT, "added" INTEGER NOT NULL, UNIQUE ("former", "last", "entity", "added"))"#,
      ])
    #expect(translator.creation.flatMap(\.values) == [])
  }
}
