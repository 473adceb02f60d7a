import CopalModel
import CopalSQL
import CopalSQLite
import CopalStore
import CopalTestSupport
import Testing

@Suite("SQL for relationships")
struct RelationshipSQLTests {
  private let schema: StoreSchema
  private let dialect = SQLiteDialect()

  init() throws { schema = try StoreModels.gallery() }

  private func mapping(_ entity: String) throws -> TableMapping {
    TableMapping(try #require(schema.layout(entity)), in: schema)
  }

  private func links(_ relationship: String) throws -> LinkMapping {
    let table = try #require(
      schema.linkTables.first { $0.relationship.name == relationship })
    return LinkMapping(table, in: schema)
  }

  @Test(
    "a to-one relationship is a column with its name; the position in an ordered list is a hidden one"
  )
  func toOne() throws {
    let painting = try mapping("Painting")
    #expect(
      SchemaTranslator(dialect).createTable([painting]).text == """
        CREATE TABLE "Painting" ("copal_id" INTEGER PRIMARY KEY, "copal_version" INTEGER NOT NULL, \
        "title" TEXT, "painter" INTEGER REFERENCES "Painter" ("copal_id") DEFERRABLE INITIALLY DEFERRED, \
        "copal_order_painter" INTEGER)
        """)
    #expect(
      SchemaTranslator(dialect).indexes(painting).map(\.creation) == [
        #"CREATE INDEX IF NOT EXISTS "copal_index_Painting(painter,copal_order_painter)" ON "Painting" ("painter", "copal_order_painter")"#
      ])
  }

  @Test("a relationship whose objects may be missing has no REFERENCES")
  func dangling() throws {
    let schema = try StoreModels.gallery { entities in
      entities[0].relationships[0].deleteRule = .noAction
    }
    let mapping = TableMapping(try #require(schema.layout("Painting")), in: schema)
    let sql = SchemaTranslator(dialect).createTable([mapping]).text
    #expect(!sql.contains("REFERENCES"))
    #expect(sql.contains(#""painter" INTEGER, "copal_order_painter" INTEGER"#))
  }

  @Test("a many-to-many relationship is a table of links, named after the lesser of its two ends")
  func manyToMany() throws {
    let links = try links("pigments")
    #expect(
      SchemaTranslator(dialect).createTable(links).text == """
        CREATE TABLE "copal_links_Painting.pigments" \
        ("owner" INTEGER NOT NULL REFERENCES "Painting" ("copal_id") DEFERRABLE INITIALLY DEFERRED, \
        "member" INTEGER NOT NULL REFERENCES "Pigment" ("copal_id") DEFERRABLE INITIALLY DEFERRED, \
        "position" INTEGER, PRIMARY KEY ("owner", "member")) WITHOUT ROWID
        """)
    #expect(
      SchemaTranslator(dialect).indexes(links).map(\.creation) == [
        #"CREATE INDEX IF NOT EXISTS "copal_index_Painting.pigments(owner)" ON "copal_links_Painting.pigments" ("owner", "position", "member")"#,
        #"CREATE INDEX IF NOT EXISTS "copal_index_Painting.pigments(member)" ON "copal_links_Painting.pigments" ("member", "owner")"#,
      ])
  }

  @Test("the table does not depend on the order of the entities in the model file")
  func orderOfEntities() throws {
    let reversed = try StoreModels.gallery { $0.reverse() }
    func definitions(_ schema: StoreSchema) -> Set<String> {
      Set(
        schema.linkTables.map {
          SchemaTranslator(dialect).createTable(LinkMapping($0, in: schema)).text
        })
    }
    #expect(definitions(schema) == definitions(reversed))
    #expect(schema.hash == reversed.hash)
  }

  @Test("the objects of some owners are read with one statement, in their order")
  func related() throws {
    let painting = try mapping("Painting")
    let reference = try #require(painting.layout.references.first)
    #expect(
      RelatedTranslator(painting, dialect).related(
        bySlot: reference.slot, position: reference.positionSlot, of: .keys(count: 2)
      ).text == """
        SELECT "copal_id", "copal_version", "title", "painter", "copal_order_painter" \
        FROM "Painting" WHERE "painter" IN (?, ?) \
        ORDER BY "painter", "copal_order_painter", "copal_id"
        """)
    #expect(
      RelatedTranslator(painting, dialect).related(
        bySlot: reference.slot, position: nil, of: .keys(count: 1), keysOnly: true
      ).text == """
        SELECT "copal_id", "copal_version", "painter" FROM "Painting" WHERE "painter" = ? \
        ORDER BY "painter", "copal_id"
        """)
    #expect(
      RelatedTranslator(painting, dialect).related(
        bySlot: reference.slot, position: nil, of: .range, keysOnly: true
      ).text == """
        SELECT "copal_id", "copal_version", "painter" FROM "Painting" WHERE "painter" BETWEEN ? AND ? \
        ORDER BY "painter", "copal_id"
        """)
    let translator = RelatedTranslator(try mapping("Pigment"), dialect)
    let links = try links("pigments")
    #expect(
      translator.linked(links, from: .owner, of: .keys(count: 1)).text == """
        SELECT "Pigment"."copal_id", "Pigment"."copal_version", "Pigment"."name", \
        "copal_links_Painting.pigments"."owner", "copal_links_Painting.pigments"."position" \
        FROM "copal_links_Painting.pigments" JOIN "Pigment" \
        ON "Pigment"."copal_id" = "copal_links_Painting.pigments"."member" \
        WHERE "copal_links_Painting.pigments"."owner" = ? \
        ORDER BY "copal_links_Painting.pigments"."owner", "copal_links_Painting.pigments"."position", \
        "copal_links_Painting.pigments"."member"
        """)
  }

  @Test("links are added, moved and removed by their two keys")
  func writing() throws {
    let ordered = LinkTranslator(try links("pigments"), dialect)
    #expect(
      ordered.add().text == """
        INSERT INTO "copal_links_Painting.pigments" ("owner", "member", "position") VALUES (?, ?, ?) \
        ON CONFLICT ("owner", "member") DO NOTHING
        """)
    #expect(
      ordered.move()?.text == """
        UPDATE "copal_links_Painting.pigments" SET "position" = coalesce(?, "position") \
        WHERE "owner" = ? AND "member" = ?
        """)
    let unordered = LinkTranslator(try links("friends"), dialect)
    #expect(
      unordered.add().text == """
        INSERT INTO "copal_links_Painter.friends" ("owner", "member") VALUES (?, ?) \
        ON CONFLICT ("owner", "member") DO NOTHING
        """)
    #expect(unordered.move() == nil)
    #expect(
      unordered.remove().text
        == #"DELETE FROM "copal_links_Painter.friends" WHERE "owner" = ? AND "member" = ?"#)
    #expect(
      unordered.removeAll(at: .member).text
        == #"DELETE FROM "copal_links_Painter.friends" WHERE "member" = ?"#)
  }

  @Test(
    "a schema knows where each relationship is kept",
    arguments: [
      ("Painter", "paintings", RelationshipLayout.Storage.inverseSlot(1, position: 2)),
      ("Painter", "friends", .links(0, .owner)),
      ("Painting", "painter", .slot(1)),
      ("Painting", "pigments", .links(1, .owner)),
      ("Pigment", "paintings", .links(1, .member)),
    ])
  func storage(entity: String, name: String, storage: RelationshipLayout.Storage) throws {
    let index = try #require(schema.model.entityIndex(entity))
    #expect(try #require(schema.relationship(name, of: index)).storage == storage)
  }
}
