import CopalSQL
import CopalSQLite
import CopalStore
import CopalTestSupport
import Testing

@Suite("SQL of a save")
struct WriteTests {
  private func translator(_ entity: String) throws -> WriteTranslator {
    WriteTranslator(try .atelier(entity), SQLiteDialect())
  }

  @Test("an insert has the whole row with its key and version")
  func insert() throws {
    let sql = try translator("Painter").insert()
    #expect(
      sql.text == """
        INSERT OR FAIL INTO "Painter" ("copal_id", "copal_version", "name", "email", "born", "joined", \
        "website", "portrait", "prizes") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    #expect(
      sql.values == [
        .key, .newVersion, .slot(0), .slot(1), .slot(2), .slot(3), .slot(4), .slot(5), .slot(6),
      ])
  }

  @Test("one statement inserts many rows with consecutive keys")
  func append() throws {
    let sql = try translator("Painter").append(rowCount: 2)
    #expect(
      sql.text == """
        INSERT OR FAIL INTO "Painter" ("copal_version", "name", "email", "born", "joined", \
        "website", "portrait", "prizes") VALUES (?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let row: [PlaceholderValue] =
      [.newVersion, .slot(0), .slot(1), .slot(2), .slot(3), .slot(4), .slot(5), .slot(6)]
    #expect(sql.values == row + row)
  }

  @Test("an update sets only the changed columns, of a row with the expected version")
  func update() throws {
    let sql = try translator("Painter").update(SlotSet([6, 0], count: 7))
    #expect(
      sql.text == """
        UPDATE "Painter" SET "copal_version" = ?, "name" = ?, "prizes" = ? \
        WHERE "copal_id" = ? AND "copal_version" = ?
        """)
    #expect(sql.values == [.newVersion, .slot(0), .slot(6), .key, .version])
  }

  @Test("an update of consecutive keys gives the rows that have one version the same values")
  func updateRange() throws {
    let sql = try translator("Painter").updateRange(SlotSet([6, 0], count: 7))
    #expect(
      sql.text == """
        UPDATE "Painter" SET "copal_version" = ?, "name" = ?, "prizes" = ? \
        WHERE "copal_id" BETWEEN ? AND ? AND "copal_version" = ?
        """)
    #expect(sql.values == [.newVersion, .slot(0), .slot(6), .key, .key, .version])
  }

  @Test("a delete removes a row with the expected version")
  func delete() throws {
    let sql = try translator("Painter").delete()
    #expect(
      sql.text == #"DELETE FROM "Painter" WHERE "copal_id" = ? AND "copal_version" = ?"#)
    #expect(sql.values == [.key, .version])
  }

  @Test("a delete of many rows removes those that have one version")
  func deleteMany() throws {
    let sql = try translator("Painter").delete(rowCount: 3)
    #expect(
      sql.text == """
        DELETE FROM "Painter" WHERE "copal_version" = ? AND "copal_id" IN (?, ?, ?)
        """)
    #expect(sql.values == [.version, .key, .key, .key])
  }

  @Test("a delete of consecutive keys removes those that have one version")
  func deleteRange() throws {
    let sql = try translator("Painter").deleteRange()
    #expect(
      sql.text == """
        DELETE FROM "Painter" WHERE "copal_id" BETWEEN ? AND ? AND "copal_version" = ?
        """)
    #expect(sql.values == [.key, .key, .version])
  }

  @Test("a statement clears unique values before other rows get them")
  func clearUniqueValues() throws {
    let sql = try translator("Pigment").clearUniqueValues([0, 1])
    #expect(
      sql.text == #"UPDATE "Pigment" SET "name" = NULL, "code" = NULL WHERE "copal_id" = ?"#)
  }
}
