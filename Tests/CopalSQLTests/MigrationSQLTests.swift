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
    let changes = TableChanges(
      SchemaPair(ModelMapping(from: try model(old), to: schema.model), to: schema))
    let translator = MigrationTranslator(schema, SQLiteDialect(), now: now)
    var statements = changes.renames.map(translator.renameTable)
    for change in changes.changed {
      statements += change.columns.renames.map { translator.renameColumn($0, of: change.root) }
      statements += change.columns.added.map {
        SchemaTranslator(SQLiteDialect()).addColumn($0.slot, $0.mapping)
      }
      statements += [translator.renameEntities(change), translator.deleteRows(change)].compactMap(
        \.self)
      statements += change.columns.updates.compactMap {
        translator.update($0) ?? translator.update($0, from: 0, through: 9)
      }
      statements += change.columns.dropped.map { translator.dropColumn($0, of: change.root) }
    }
    return statements + changes.dropped.map(translator.dropTable)
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
        #"UPDATE "Book" NOT INDEXED SET "pages" = copal_convert("copal_old_pages", "copal_id", ?), "note" = ? WHERE "copal_id" > ? AND "copal_id" <= ?"#,
        #"ALTER TABLE "Book" DROP COLUMN "copal_old_pages""#,
        #"ALTER TABLE "Book" DROP COLUMN "copal_old_shelf""#,
        #"DROP TABLE "copal_old_Tag""#,
      ]
    ),
    (
      #""Book": { "attributes": { "mark": "uuid?" } }"#,
      #""Book": { "attributes": { "mark": { "type": "uuid", "default": "new" } } }"#,
      [
        #"UPDATE "Book" NOT INDEXED SET "mark" = coalesce("mark", copal_new_uuid()) WHERE "copal_id" > ? AND "copal_id" <= ?"#
      ]
    ),
    (
      #""Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer" } }, "Video": { "parent": "Asset" }"#,
      #""Asset": {}, "Image": { "renamedFrom": "Photo", "parent": "Asset", "attributes": { "width": "double" } }"#,
      [
        #"ALTER TABLE "Asset" RENAME COLUMN "width" TO "copal_old_width""#,
        #"ALTER TABLE "Asset" ADD COLUMN "width" REAL"#,
        #"UPDATE "Asset" SET "copal_entity" = CASE "copal_entity" WHEN 'Photo' THEN 'Image' END WHERE "copal_entity" IN ('Photo')"#,
        #"DELETE FROM "Asset" WHERE "copal_entity" IN ('Video')"#,
        #"UPDATE "Asset" SET "width" = copal_convert("copal_old_width", "copal_id", ?) WHERE "copal_entity" = 'Image'"#,
        #"ALTER TABLE "Asset" DROP COLUMN "copal_old_width""#,
      ]
    ),
  ]

  @Test("a change of a model is these statements", arguments: cases)
  func statements(old: String, new: String, sql: [String]) throws {
    #expect(try Self.statements(old, new).map(\.text) == sql)
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
        #"CREATE TABLE "copal_ids" ("former" TEXT NOT NULL, "last" INTEGER NOT NULL, "entity" TEXT, "added" INTEGER NOT NULL, PRIMARY KEY ("former", "last"))"#,
      ])
    #expect(translator.creation.flatMap(\.values) == [])
  }
}
