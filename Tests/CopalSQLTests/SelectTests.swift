import CopalModel
import CopalSQL
import CopalSQLite
import CopalStore
import CopalTestSupport
import Testing

@Suite("SQL of a fetch")
struct SelectTests {
  private func translator(_ entity: String = "Painter") throws -> SelectTranslator {
    SelectTranslator(try .atelier(entity), SQLiteDialect())
  }

  @Test("a fetch reads whole rows, in the order of insertion")
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
    "a fetch of ids reads sorted keys with limit and offset",
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
        StoreQuery(entity: 2, predicate: .compare(0, .equal, "x", resultForNull: false), limit: 1),
        #"WHERE "name" = ? ORDER BY "copal_id" LIMIT ?"#, [.text("x"), .integer(1)]
      ),
    ] as [(StoreQuery, String, [SQLBinding])])
  func keys(query: StoreQuery, clauses: String, bindings: [SQLBinding]) throws {
    let sql = try translator("Pigment").keys(query)
    #expect(sql.text == #"SELECT "copal_id" FROM "Pigment" "# + clauses)
    #expect(sql.bindings == bindings)
  }

  @Test("a fetch reads a range by the index and sorts it, or reads by key without the index")
  func plans() throws {
    let query = StoreQuery(
      entity: 0, predicate: .compare(0, .greater, "x", resultForNull: false), limit: 3)
    let columns =
      #""copal_id", "copal_version", "name", "email", "born", "joined", "website", "portrait", "prizes""#
    let byIndex = #"FROM "Painter" WHERE "name" > ? ORDER BY +"copal_id" LIMIT ?"#
    let byKey = #"FROM "Painter" NOT INDEXED WHERE "name" > ? ORDER BY "copal_id" LIMIT ?"#
    let translator = try translator()
    #expect(translator.rows(query, .byIndex).text == "SELECT \(columns) \(byIndex)")
    #expect(translator.rows(query, .byKey).text == "SELECT \(columns) \(byKey)")
    #expect(translator.keys(query, .byIndex).text == #"SELECT "copal_id" "# + byIndex)
    #expect(translator.keys(query, .byKey).text == #"SELECT "copal_id" "# + byKey)
    for plan in [RangePlan.byIndex, .byKey] {
      #expect(translator.keys(query, plan).bindings == [.text("x"), .integer(3)])
    }
  }

  private typealias B = BoundPredicate

  /// Painter has the indexes (name) and (born, name); its slots are name 0, email 1, born 2, prizes 6.
  @Test(
    "a fetch chooses a plan only for a range of an index's first attribute",
    arguments: [
      (nil, nil), (.compare(0, .equal, "x", resultForNull: false), nil),
      (
        .compare(0, .greater, "x", resultForNull: false),
        .compare(0, .greater, "x", resultForNull: false)
      ),
      // Required, so its column is never null, and the condition's rule for null does not matter.
      (.compare(0, .less, "x", resultForNull: true), .compare(0, .less, "x", resultForNull: true)),
      (.compare(2, .less, 0.0, resultForNull: true), nil),
      (.compare(0, .notEqual, "x", resultForNull: true), nil),
      (.compare(6, .greater, 3, resultForNull: false), nil), (.isNull(2), nil),
      (.isIn(0, ["x"], isNegated: false, resultForNull: false), nil),
      (
        .and([
          .compare(6, .equal, 3, resultForNull: false),
          .compare(2, .greaterOrEqual, 0.0, resultForNull: false),
          .isNotNull(1), .compare(2, .less, 9.0, resultForNull: false),
        ]),
        .and([
          .compare(2, .greaterOrEqual, 0.0, resultForNull: false),
          .compare(2, .less, 9.0, resultForNull: false),
        ])
      ),
      (
        .and([
          .compare(2, .greater, 0.0, resultForNull: false),
          .compare(0, .equal, "x", resultForNull: false),
        ]), nil
      ),
      (
        .and([
          .compare(2, .greater, 0.0, resultForNull: false),
          .compare(0, .greater, "x", resultForNull: false),
        ]), nil
      ),
      (
        .or([
          .compare(0, .greater, "x", resultForNull: false),
          .compare(0, .less, "b", resultForNull: false),
        ]), nil
      ),
    ] as [(BoundPredicate?, BoundPredicate?)])
  func choices(predicate: BoundPredicate?, range: BoundPredicate?) throws {
    let layout = try TableMapping.atelier("Painter").layout
    var query = StoreQuery(entity: 0, predicate: predicate)
    #expect(RangeChoice(query, layout)?.range == range)
    query.sortKeys = [BoundSortKey(slot: 1, isAscending: true)]
    #expect(RangeChoice(query, layout) == nil)
  }

  @Test(
    "a fetch uses the index for a small range, and with a limit only for a smaller one",
    arguments: [
      (999, nil, 0, nil), (1000, nil, 0, 62), (100_000, nil, 0, 6250), (100_000, 20, 0, 707),
      (100_000, 1, 0, 158), (100_000, 0, 0, 0), (100_000, 20, 80, 1581),
      (100_000, 1_000_000, 0, 6250), (.max, nil, 0, 576_460_752_303_423_488),
      (.max, Int.max / 4, Int.max / 4, 576_460_752_303_423_488), (.min, 1, 0, nil),
    ] as [(Int64, Int?, Int, Int?)])
  func thresholds(rowCount: Int64, limit: Int?, offset: Int, threshold: Int?) throws {
    let query = StoreQuery(
      entity: 0, predicate: .compare(0, .greater, "x", resultForNull: false), limit: limit,
      offset: offset)
    let choice = try #require(RangeChoice(query, try TableMapping.atelier("Painter").layout))
    #expect(choice.threshold(rowCount: rowCount) == threshold)
  }

  @Test("a count reads no values, and a limited count stops at its limit")
  func count() throws {
    #expect(
      try translator().count(StoreQuery(entity: 0)).text == #"SELECT count(*) FROM "Painter""#)
    #expect(
      try translator().count(StoreQuery(entity: 0, limit: 3, offset: 1)).text
        == #"SELECT count(*) FROM (SELECT 1 FROM "Painter" LIMIT ? OFFSET ?)"#)
  }

  @Test("a statement reads the rows of given keys")
  func keyed() throws {
    let one = try translator().rows(keyCount: 1)
    #expect(one.text.hasSuffix(#"FROM "Painter" WHERE "copal_id" = ?"#))
    let three = try translator().rows(keyCount: 3)
    #expect(three.text.hasSuffix(#"FROM "Painter" WHERE "copal_id" IN (?, ?, ?)"#))
    #expect(three.bindings == [.key, .key, .key])
  }

  @Test("a statement finds the owner of a unique value, the version of a row, and the greatest key")
  func small() throws {
    #expect(
      try translator("Pigment").owner(of: [0, 1]).text == """
        SELECT "copal_id" FROM "Pigment" WHERE "name" = ? AND "code" = ? AND "copal_id" <> ?
        """)
    #expect(
      try translator().version().text
        == #"SELECT "copal_version" FROM "Painter" WHERE "copal_id" = ?"#)
    #expect(try translator().maxKey().text == #"SELECT max("copal_id") FROM "Painter""#)
  }
}
