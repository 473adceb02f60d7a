import CopalSQL
import CopalSQLite
import CopalStore
import CopalTestSupport
import Testing

@Suite("The statements of a save")
struct WriteTests {
  private func translator(_ entity: String) throws -> WriteTranslator {
    WriteTranslator(try .atelier(entity), SQLiteDialect())
  }

  @Test("insert a whole row with its key and version")
  func insert() throws {
    let sql = try translator("Painter").insert()
    #expect(
      sql.text == """
        INSERT OR FAIL INTO "Painter" ("copal_id", "copal_version", "name", "email", "born", "joined", \
        "website", "portrait", "prizes") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    #expect(
      sql.bindings == [
        .key, .newVersion, .slot(0), .slot(1), .slot(2), .slot(3), .slot(4), .slot(5), .slot(6),
      ])
  }

  @Test("insert many rows in one statement, with the keys that follow")
  func append() throws {
    let sql = try translator("Painter").append(rowCount: 2)
    #expect(
      sql.text == """
        INSERT OR FAIL INTO "Painter" ("copal_version", "name", "email", "born", "joined", \
        "website", "portrait", "prizes") VALUES (?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let row: [SQLBinding] =
      [.newVersion, .slot(0), .slot(1), .slot(2), .slot(3), .slot(4), .slot(5), .slot(6)]
    #expect(sql.bindings == row + row)
  }

  @Test("update the changed columns alone, of a row that nobody else has changed")
  func update() throws {
    let sql = try translator("Painter").update(SlotSet([6, 0], count: 7))
    #expect(
      sql.text == """
        UPDATE "Painter" SET "copal_version" = ?, "name" = ?, "prizes" = ? \
        WHERE "copal_id" = ? AND "copal_version" = ?
        """)
    #expect(sql.bindings == [.newVersion, .slot(0), .slot(6), .key, .version])
  }

  @Test("delete a row that nobody else has changed")
  func delete() throws {
    let sql = try translator("Painter").delete()
    #expect(
      sql.text == #"DELETE FROM "Painter" WHERE "copal_id" = ? AND "copal_version" = ?"#)
    #expect(sql.bindings == [.key, .version])
  }

  @Test("take unique values away before others get them")
  func clearUniqueValues() throws {
    let sql = try translator("Pigment").clearUniqueValues([0, 1])
    #expect(
      sql.text == #"UPDATE "Pigment" SET "name" = NULL, "code" = NULL WHERE "copal_id" = ?"#)
  }
}
