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

  @Test(
    "an order of texts is a function, and the place of nil a key of its own",
    arguments: [
      (FetchSortKey.ascending("text").natural, #"copal_natural("text")"#),
      (.descending("text").alphabetical, #"copal_alphabetical("text") DESC"#),
      (
        .ascending("text").caseInsensitive.nilsLast,
        #"copal_case_insensitive("text") IS NULL, copal_case_insensitive("text")"#
      ),
      (.descending("whole").nilsFirst, #""whole" IS NULL DESC, "whole" DESC"#),
      (.ascending("whole").nilsFirst, #""whole""#),
      (.descending("whole").nilsLast, #""whole" DESC"#),
    ])
  func orders(key: FetchSortKey, sql: String) throws {
    let schema = try StoreModels.sampler()
    let layout = try #require(schema.entities.first)
    let query = try PredicateBinder(layout).bind(
      FetchRequest<Never>(entityName: "Sample", sortKeys: [key]))
    let statement = SelectTranslator(TableMapping(layout, in: schema), SQLiteDialect())
      .statement(query.shape(.keys))
    #expect(
      statement.text == #"SELECT "copal_id" FROM "Sample" ORDER BY \#(sql), "copal_id""#)
  }

  @Test("a fetch reads whole rows, in the order of insertion")
  func rows() throws {
    let sql = try translator().statement(StoreQuery(entity: 0).shape(.rows))
    #expect(
      sql.text == """
        SELECT "copal_id", "copal_version", "name", "email", "born", "joined", "website", \
        "portrait", "prizes" FROM "Painter" ORDER BY "copal_id"
        """)
    #expect(sql.values == [])
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
        StoreQuery(entity: 2, condition: .compare(0, .equal), parameters: ["x"], limit: 1),
        #"WHERE "name" = ? ORDER BY "copal_id" LIMIT ?"#, [.text("x"), .integer(1)]
      ),
    ] as [(StoreQuery, String, [PlaceholderValue])])
  func keys(query: StoreQuery, clauses: String, values: [PlaceholderValue]) throws {
    let sql = try translator("Pigment").statement(query.shape(.keys))
    #expect(sql.text == #"SELECT "copal_id" FROM "Pigment" "# + clauses)
    let layout = try TableMapping.atelier("Pigment").layout
    #expect(sql.values.map { $0.value(in: query, layout) } == values)
  }

  @Test("a fetch reads a range by the index and sorts it, or reads by key without the index")
  func plans() throws {
    let query = StoreQuery(entity: 0, condition: .compare(0, .greater), parameters: ["x"], limit: 3)
    let (rows, keys) = (query.shape(.rows), query.shape(.keys))
    let columns =
      #""copal_id", "copal_version", "name", "email", "born", "joined", "website", "portrait", "prizes""#
    let byIndex = #"FROM "Painter" WHERE "name" > ? ORDER BY +"copal_id" LIMIT ?"#
    let byKey = #"FROM "Painter" NOT INDEXED WHERE "name" > ? ORDER BY "copal_id" LIMIT ?"#
    let translator = try translator()
    #expect(translator.statement(rows, .byIndex).text == "SELECT \(columns) \(byIndex)")
    #expect(translator.statement(rows, .byKey).text == "SELECT \(columns) \(byKey)")
    #expect(translator.statement(keys, .byIndex).text == #"SELECT "copal_id" "# + byIndex)
    #expect(translator.statement(keys, .byKey).text == #"SELECT "copal_id" "# + byKey)
    for plan in [ReadingPlan.byIndex, .byKey] {
      #expect(
        translator.statement(keys, plan).values == [.parameter(0, .value(slot: 0)), .limit])
    }
  }

  /// Painter has the indexes (name) and (born, name); its slots are name 0, email 1, born 2, prizes
  /// 6.
  @Test(
    "a fetch chooses a plan only for a range of an index's first attribute",
    arguments: [
      (nil, nil), (.compare(0, .equal), nil), (.compare(0, .greater), .compare(0, .greater)),
      // Required, so its column is never null, and the condition's rule for null does not matter.
      (.compare(0, .less, resultForNull: true), .compare(0, .less, resultForNull: true)),
      (.compare(2, .less, resultForNull: true), nil),
      (.compare(0, .notEqual, resultForNull: true), nil),
      (.compare(6, .greater), nil), (.isNull(.slot(2), isNegated: false), nil),
      (.isIn(.slot(0), parameters: 0..<1, isNegated: false, resultForNull: false), nil),
      (
        .and([
          .compare(6, .equal), .compare(2, .greaterOrEqual, 1),
          .isNull(.slot(1), isNegated: true), .compare(2, .less, 2),
        ]),
        .and([.compare(2, .greaterOrEqual, 1), .compare(2, .less, 2)])
      ),
      (.and([.compare(2, .greater), .compare(0, .equal, 1)]), nil),
      (.and([.compare(2, .greater), .compare(0, .greater, 1)]), nil),
      (.or([.compare(0, .greater), .compare(0, .less, 1)]), nil),
      // The key finds its row without an index.
      (
        .and([
          .compare(0, .greater),
          .holds(.key, .equal, .parameter(1), resultForNull: false),
        ]), nil
      ),
      (
        .and([
          .compare(0, .greater),
          .isIn(.key, parameters: 1..<3, isNegated: false, resultForNull: false),
        ]), nil
      ),
      (
        .and([
          .compare(0, .greater),
          .holds(.key, .notEqual, .parameter(1), resultForNull: true),
        ]), .compare(0, .greater)
      ),
    ] as [(QueryCondition?, QueryCondition?)])
  func choices(condition: QueryCondition?, range: QueryCondition?) throws {
    let layout = try TableMapping.atelier("Painter").layout
    var query = StoreQuery(entity: 0, condition: condition)
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
      entity: 0, condition: .compare(0, .greater), parameters: ["x"], limit: limit,
      offset: offset)
    let choice = try #require(RangeChoice(query, try TableMapping.atelier("Painter").layout))
    #expect(choice.threshold(rowCount: rowCount) == threshold)
  }

  @Test("a count reads no values, and a limited count stops at its limit")
  func count() throws {
    #expect(
      try translator().statement(StoreQuery(entity: 0).shape(.count)).text
        == #"SELECT count(*) FROM "Painter""#)
    #expect(
      try translator().statement(StoreQuery(entity: 0, limit: 3, offset: 1).shape(.count)).text
        == #"SELECT count(*) FROM (SELECT 1 FROM "Painter" LIMIT ? OFFSET ?)"#)
  }

  @Test("a statement reads the rows of given keys")
  func keyed() throws {
    let one = try translator().rows(keyCount: 1)
    #expect(one.text.hasSuffix(#"FROM "Painter" WHERE "copal_id" = ?"#))
    let three = try translator().rows(keyCount: 3)
    #expect(three.text.hasSuffix(#"FROM "Painter" WHERE "copal_id" IN (?, ?, ?)"#))
    #expect(three.values == [.key, .key, .key])
  }

  @Test("a statement finds the owner of a unique value, the version of a row, and the greatest key")
  func small() throws {
    let pigment = try TableMapping.atelier("Pigment")
    let constraint = EntityLayout.UniqueConstraint([0, 1], declaringEntity: pigment.layout.index)
    #expect(
      SelectTranslator(pigment, SQLiteDialect()).owner(of: constraint).text == """
        SELECT "copal_id" FROM "Pigment" WHERE "name" = ? AND "code" = ? AND "copal_id" <> ?
        """)
    #expect(
      try translator().version().text
        == #"SELECT "copal_version" FROM "Painter" WHERE "copal_id" = ?"#)
    #expect(try translator().maxKey().text == #"SELECT max("copal_id") FROM "Painter""#)
  }
}

extension QueryCondition {
  /// A comparison of a slot with a parameter.
  fileprivate static func compare(
    _ slot: Int, _ comparison: FetchPredicate.Operator, _ parameter: Int = 0,
    resultForNull: Bool = false
  ) -> QueryCondition {
    .holds(.slot(slot), comparison, .parameter(parameter), resultForNull: resultForNull)
  }
}
