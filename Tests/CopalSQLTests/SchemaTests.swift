import CopalModel
import CopalSQL
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("SQL of tables and indexes")
struct SchemaTests {
  @Test(
    "a table has a column for each stored attribute, with the attribute's name",
    arguments: [
      (
        "Painter",
        """
        CREATE TABLE "Painter" ("copal_id" INTEGER PRIMARY KEY, "copal_version" INTEGER NOT NULL, \
        "name" TEXT, "email" TEXT, "born" REAL, "joined" REAL, "website" TEXT, "portrait" BLOB, \
        "prizes" INTEGER)
        """
      ),
      (
        "Painting",
        """
        CREATE TABLE "Painting" ("copal_id" INTEGER PRIMARY KEY, "copal_version" INTEGER NOT NULL, \
        "id" BLOB, "title" TEXT, "finished" REAL, "widthMillimetres" INTEGER, \
        "heightMillimetres" INTEGER, "views" INTEGER, "strokes" INTEGER, "weightKilograms" REAL, \
        "palette" BLOB)
        """
      ),
      (
        "Pigment",
        """
        CREATE TABLE "Pigment" ("copal_id" INTEGER PRIMARY KEY, "copal_version" INTEGER NOT NULL, \
        "name" TEXT, "code" TEXT, "color" BLOB, "price" INTEGER, "density" TEXT, "opacity" REAL, \
        "isLightfast" INTEGER, "origin" TEXT, "spectrum" BLOB, "introduced" REAL)
        """
      ),
    ])
  func tables(entity: String, sql: String) throws {
    let mapping = try TableMapping.atelier(entity)
    #expect(SchemaTranslator(SQLiteDialect()).createTable([mapping]).text == sql)
  }

  @Test(
    "a table has an index for each unique constraint and each index of the model",
    arguments: [
      (
        "Painter",
        [
          #"CREATE INDEX IF NOT EXISTS "copal_index_Painter(name)" ON "Painter" ("name")"#,
          #"CREATE INDEX IF NOT EXISTS "copal_index_Painter(born,name)" ON "Painter" ("born", "name")"#,
        ]
      ),
      (
        "Pigment",
        [
          #"CREATE UNIQUE INDEX IF NOT EXISTS "copal_unique_Pigment(name)" ON "Pigment" ("name")"#,
          #"CREATE UNIQUE INDEX IF NOT EXISTS "copal_unique_Pigment(code)" ON "Pigment" ("code")"#,
          #"CREATE INDEX IF NOT EXISTS "copal_index_Pigment(price,name)" ON "Pigment" ("price", "name")"#,
        ]
      ),
    ])
  func indexes(entity: String, sql: [String]) throws {
    let mapping = try TableMapping.atelier(entity)
    #expect(SchemaTranslator(SQLiteDialect()).indexes(mapping).map(\.creation) == sql)
  }

  @Test("every index has a unique name, also when names of the model have underscores")
  func indexNames() throws {
    let schema = try StoreModels.schema([
      EntityDescription(
        "A",
        attributes: ["b", "c", "b_c"].map { AttributeDescription($0, .string, isOptional: true) },
        uniqueConstraints: [["b_c"], ["b", "c"]], indexes: [IndexDescription(["b_c"])]),
      EntityDescription(
        "A_b", attributes: [AttributeDescription("c", .string, isOptional: true)],
        uniqueConstraints: [["c"]], indexes: [IndexDescription(["c"])]),
    ])
    let statements = schema.entities.flatMap {
      SchemaTranslator(SQLiteDialect()).indexes(TableMapping($0, in: schema))
    }
    let names = statements.map { $0.creation.split(separator: "\"")[1] }
    #expect(names.count == 5)
    #expect(Set(names).count == names.count)
  }

  @Test("every name in SQL is quoted")
  func quoting() {
    for name in ["a", "a\"b", "\"", "a;b", "a'b", "Order", "a\\b", "]", "`", "a\u{301}", ""] {
      let quoted = SQLiteDialect().quote(name)
      #expect(quoted.hasPrefix("\"") && quoted.hasSuffix("\""))
      let inside = quoted.dropFirst().dropLast()
      #expect(!inside.replacing("\"\"", with: "").contains("\""))
      #expect(inside.replacing("\"\"", with: "\"") == name)
    }
  }
}

extension TableMapping {
  /// The table of an entity of the atelier.
  static func atelier(_ entity: String) throws -> TableMapping {
    let schema = try StoreModels.atelier()
    return TableMapping(try #require(schema.layout(entity)), in: schema)
  }
}
