import CopalModel
import CopalSQL
import CopalSQLite
import CopalStore
import CopalTestSupport
import Testing

@Suite("The statements of a fetch")
struct SelectTests {
  private func translator(_ entity: String = "Painter") throws -> SelectTranslator {
    SelectTranslator(try .atelier(entity), SQLiteDialect())
  }

  @Test("read whole rows, in the order of their insertion")
  func rows() throws {
    let sql = try translator().rows(StoreQuery(entity: 0))
    #expect(
      sql.text == """
        SELECT "copal_id", "copal_version", "name", "email", "born", "joined", "website", \
        "portrait", "prizes" FROM "Painter" ORDER BY "copal_id"
        """)
    #expect(sql.bindings == [])
  }

  @Test(
    "read keys in an order and in part",
    arguments: [
      (StoreQuery(entity: 2), #"ORDER BY "copal_id""#, []),
      (
        StoreQuery(entity: 2, sortKeys: [BoundSortKey(slot: 0, isAscending: true)]),
        #"ORDER BY "name", "copal_id""#, []
      ),
      (
        StoreQuery(
          entity: 2,
          sortKeys: [
            BoundSortKey(slot: 4, isAscending: false), BoundSortKey(slot: 3, isAscending: true),
          ]),
        #"ORDER BY "density" COLLATE copal_decimal DESC, "price", "copal_id""#, []
      ),
      (
        StoreQuery(entity: 2, limit: 20), #"ORDER BY "copal_id" LIMIT ?"#,
        [.integer(20)]
      ),
      (
        StoreQuery(entity: 2, limit: 20, offset: 5), #"ORDER BY "copal_id" LIMIT ? OFFSET ?"#,
        [.integer(20), .integer(5)]
      ),
      (
        StoreQuery(entity: 2, offset: 5), #"ORDER BY "copal_id" LIMIT ? OFFSET ?"#,
        [.integer(-1), .integer(5)]
      ),
      (
        StoreQuery(entity: 2, predicate: .compare(0, .equal, "x", orNull: false), limit: 1),
        #"WHERE "name" = ? ORDER BY "copal_id" LIMIT ?"#, [.text("x"), .integer(1)]
      ),
    ] as [(StoreQuery, String, [SQLBinding])])
  func keys(query: StoreQuery, clauses: String, bindings: [SQLBinding]) throws {
    let sql = try translator("Pigment").keys(query)
    #expect(sql.text == #"SELECT "copal_id" FROM "Pigment" "# + clauses)
    #expect(sql.bindings == bindings)
  }

  @Test("count without reading, and count a part where only a part is wanted")
  func count() throws {
    #expect(
      try translator().count(StoreQuery(entity: 0)).text == #"SELECT count(*) FROM "Painter""#)
    #expect(
      try translator().count(StoreQuery(entity: 0, limit: 3, offset: 1)).text
        == #"SELECT count(*) FROM (SELECT 1 FROM "Painter" LIMIT ? OFFSET ?)"#)
  }

  @Test("read the rows of keys")
  func keyed() throws {
    let one = try translator().rows(keyCount: 1)
    #expect(one.text.hasSuffix(#"FROM "Painter" WHERE "copal_id" = ?"#))
    let three = try translator().rows(keyCount: 3)
    #expect(three.text.hasSuffix(#"FROM "Painter" WHERE "copal_id" IN (?, ?, ?)"#))
    #expect(three.bindings == [.key, .key, .key])
  }

  @Test("find who has a unique value, the version of a row, and the greatest key")
  func small() throws {
    #expect(
      try translator("Pigment").owner(of: [0, 1]).text == """
        SELECT "copal_id" FROM "Pigment" WHERE "name" = ? AND "code" = ? AND "copal_id" <> ?
        """)
    #expect(
      try translator().version().text
        == #"SELECT "copal_version" FROM "Painter" WHERE "copal_id" = ?"#)
    #expect(try translator().greatestKey().text == #"SELECT max("copal_id") FROM "Painter""#)
  }
}
