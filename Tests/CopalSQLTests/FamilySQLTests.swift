import CopalModel
import CopalSQL
import CopalSQLite
import CopalStore
import Testing

/// The statements for an entity with subentities: one table for the family, with the columns of all
/// of them.
@Suite("SQL of a family")
struct FamilySQLTests {
  private let dialect = SQLiteDialect()
  private let schema: StoreSchema

  init() throws {
    schema = StoreSchema(
      try ManagedObjectModel(
        json: #"""
          {
            "copal": 1, "model": "Attachments",
            "entities": {
              "Album": {
                "relationships": {
                  "items": { "type": "[Attachment]", "inverse": "album", "ordered": true }
                }
              },
              "Attachment": {
                "abstract": true,
                "attributes": { "name": "string", "added": "date?" },
                "relationships": { "album": { "type": "Album?", "inverse": "items" } },
                "unique": [["name"]],
                "indexes": [["added"]]
              },
              "Link": { "parent": "Attachment", "attributes": { "url": "uri" }, "unique": [["url"], ["added"]] },
              "Media": { "parent": "Attachment", "attributes": { "bytes": "binary?" } },
              "Photo": { "parent": "Media", "attributes": { "width": "integer32", "caption": "string?" } },
              "Video": {
                "parent": "Media", "attributes": { "Width": "integer32", "seconds": "double" },
                "indexes": [["seconds"]]
              }
            }
          }
          """#, file: "Attachments.model.json"))
  }

  private func mapping(_ entity: String) throws -> TableMapping {
    TableMapping(try #require(schema.layout(entity)), in: schema)
  }

  private func family(_ entity: String) throws -> [TableMapping] {
    let layout = try #require(schema.layout(entity))
    return schema.kinds(of: layout.index).map { TableMapping(schema.entities[$0], in: schema) }
  }

  @Test("one table has the columns of every entity, and says which entity a row has")
  func table() throws {
    #expect(
      SchemaTranslator(dialect).createTable(try family("Attachment")).text == """
        CREATE TABLE "Attachment" ("copal_id" INTEGER PRIMARY KEY, "copal_version" INTEGER NOT NULL, \
        "copal_entity" TEXT NOT NULL, "name" TEXT, "added" REAL, \
        "album" INTEGER REFERENCES "Album" ("copal_id") DEFERRABLE INITIALLY DEFERRED, \
        "copal_order_album" INTEGER, "url" TEXT, "bytes" BLOB, "Photo.width" INTEGER, "caption" TEXT, \
        "Video.Width" INTEGER, "seconds" REAL)
        """)
    #expect(
      try family("Attachment").flatMap { mapping in
        SchemaTranslator(dialect).indexes(mapping).map(\.definition)
      } == [
        #"CREATE UNIQUE INDEX "copal_unique_Attachment(name)" ON "Attachment" ("name")"#,
        #"CREATE INDEX "copal_index_Attachment(added)" ON "Attachment" ("added")"#,
        #"CREATE INDEX "copal_index_Attachment(album,copal_order_album)" ON "Attachment" ("album", "copal_order_album")"#,
        #"CREATE INDEX "copal_index_Attachment(copal_entity)" ON "Attachment" ("copal_entity")"#,
        #"CREATE UNIQUE INDEX "copal_unique_Link(url)" ON "Attachment" ("url") WHERE "url" IS NOT NULL"#,
        #"CREATE UNIQUE INDEX "copal_unique_Link(added)" ON "Attachment" ("added") WHERE "copal_entity" = 'Link'"#,
        #"CREATE INDEX "copal_index_Video(seconds)" ON "Attachment" ("seconds")"#,
      ])
  }

  @Test(
    "a fetch of a parent reads the columns of its subentities, that of a child has a condition",
    arguments: [
      (
        "Attachment", true,
        """
        SELECT "copal_id", "copal_version", "copal_entity", "name", "added", "album", \
        "copal_order_album", "url", "bytes", "Photo.width", "caption", "Video.Width", "seconds" \
        FROM "Attachment" ORDER BY "copal_id"
        """
      ),
      (
        "Media", true,
        """
        SELECT "copal_id", "copal_version", "copal_entity", "name", "added", "album", \
        "copal_order_album", "bytes", "Photo.width", "caption", "Video.Width", "seconds" \
        FROM "Attachment" WHERE "copal_entity" IN ('Media', 'Photo', 'Video') ORDER BY "copal_id"
        """
      ),
      (
        "Media", false,
        """
        SELECT "copal_id", "copal_version", "name", "added", "album", "copal_order_album", "bytes" \
        FROM "Attachment" WHERE "copal_entity" = 'Media' ORDER BY "copal_id"
        """
      ),
      (
        "Photo", true,
        """
        SELECT "copal_id", "copal_version", "name", "added", "album", "copal_order_album", "bytes", \
        "Photo.width", "caption" FROM "Attachment" WHERE "copal_entity" = 'Photo' ORDER BY "copal_id"
        """
      ),
    ])
  func fetch(entity: String, includesSubentities: Bool, sql: String) throws {
    let mapping = try mapping(entity)
    let query = StoreQuery(entity: mapping.layout.index, includesSubentities: includesSubentities)
    #expect(SelectTranslator(mapping, dialect).statement(query.shape(.rows)).text == sql)
  }

  @Test("a condition of a child comes after that of its entity")
  func condition() throws {
    let mapping = try mapping("Photo")
    let query = try PredicateBinder(mapping.layout).bind(
      FetchRequest<Never>(
        predicate: .or([
          .comparison(.property("width"), .greater, .constant(.integer(100))),
          .comparison(.property("name"), .equal, .constant(.string("Delft"))),
        ]), limit: 3))
    #expect(
      SelectTranslator(mapping, dialect).statement(query.shape(.count)).text == """
        SELECT count(*) FROM (SELECT 1 FROM "Attachment" WHERE "copal_entity" = 'Photo' \
        AND ("Photo.width" > ? OR "name" = ?) LIMIT ?)
        """)
  }

  @Test("the rows of some keys are those of the entity and its subentities")
  func rows() throws {
    #expect(
      SelectTranslator(try mapping("Media"), dialect).rows(keyCount: 2).text.hasSuffix(
        #"WHERE "copal_id" IN (?, ?) AND +"copal_entity" IN ('Media', 'Photo', 'Video')"#))
    #expect(
      SelectTranslator(try mapping("Attachment"), dialect).rows(keyCount: 1).text.hasSuffix(
        #"FROM "Attachment" WHERE "copal_id" = ?"#))
  }

  @Test("an insert says its entity, and has no columns of other entities")
  func insert() throws {
    let sql = WriteTranslator(try mapping("Link"), dialect).insert()
    #expect(
      sql.text == """
        INSERT OR FAIL INTO "Attachment" ("copal_id", "copal_version", "copal_entity", "name", "added", \
        "album", "copal_order_album", "url") VALUES (?, ?, 'Link', ?, ?, ?, ?, ?)
        """)
    #expect(sql.values == [.key, .newVersion, .slot(0), .slot(1), .slot(2), .slot(3), .slot(4)])
  }

  @Test(
    "an update is of a row of the entity, a deletion of one of the entity or a subentity",
    arguments: [
      ("Photo", " AND +\"copal_entity\" = 'Photo'", " AND +\"copal_entity\" = 'Photo'"),
      (
        "Media", " AND +\"copal_entity\" = 'Media'",
        " AND +\"copal_entity\" IN ('Media', 'Photo', 'Video')"
      ),
      ("Attachment", " AND +\"copal_entity\" = 'Attachment'", ""),
      ("Album", "", ""),
    ])
  func write(entity: String, ofUpdate: String, ofDeletion: String) throws {
    let mapping = try mapping(entity)
    let write = WriteTranslator(mapping, dialect)
    let table = entity == "Album" ? "Album" : "Attachment"
    let isUnchanged = #" WHERE "copal_id" = ? AND "copal_version" = ?"#
    let isInRange = #" WHERE "copal_id" BETWEEN ? AND ? AND "copal_version" = ?"#
    let none = SlotSet(count: mapping.layout.slotCount)
    let update = #"UPDATE "\#(table)" SET "copal_version" = ?"#
    let deletion = #"DELETE FROM "\#(table)""#
    #expect(write.update(none).text == update + isUnchanged + ofUpdate)
    #expect(write.updateRange(none).text == update + isInRange + ofUpdate)
    #expect(write.delete().text == deletion + isUnchanged + ofDeletion)
    #expect(write.deleteRange().text == deletion + isInRange + ofDeletion)
    #expect(
      write.delete(rowCount: 2).text
        == deletion + #" WHERE "copal_version" = ? AND "copal_id" IN (?, ?)"# + ofDeletion)
  }

  @Test("the owner of a unique value has an entity for which the constraint is")
  func owners() throws {
    let link = try mapping("Link")
    let sql = link.layout.uniqueConstraints.map {
      SelectTranslator(link, dialect).owner(of: $0).text
    }
    #expect(
      sql == [
        #"SELECT "copal_id" FROM "Attachment" WHERE "name" = ? AND "copal_id" <> ?"#,
        #"SELECT "copal_id" FROM "Attachment" WHERE "url" = ? AND "url" IS NOT NULL AND "copal_id" <> ?"#,
        #"SELECT "copal_id" FROM "Attachment" WHERE "added" = ? AND "copal_entity" = 'Link' AND "copal_id" <> ?"#,
      ])
  }

  @Test("the objects of a relationship to a parent are read with the columns of its subentities")
  func related() throws {
    let media = try mapping("Media")
    let reference = try #require(media.layout.references.first)
    #expect(
      RelatedTranslator(media, dialect).related(
        bySlot: reference.slot, position: reference.positionSlot, of: .keys(count: 1)
      ).text == """
        SELECT "copal_id", "copal_version", "copal_entity", "name", "added", "album", \
        "copal_order_album", "bytes", "Photo.width", "caption", "Video.Width", "seconds" \
        FROM "Attachment" WHERE "album" = ? AND +"copal_entity" IN ('Media', 'Photo', 'Video') \
        ORDER BY "album", "copal_order_album", "copal_id"
        """)
    #expect(
      RelatedTranslator(media, dialect).referrers(bySlot: reference.slot).text == """
        SELECT "copal_id" FROM "Attachment" WHERE "album" = ? AND +"copal_entity" = 'Media' \
        ORDER BY "copal_id"
        """)
  }

  @Test("a quote in the name of an entity cannot end the text")
  func quotes() {
    #expect(dialect.quote(text: "a'b") == "'a''b'")
  }
}
