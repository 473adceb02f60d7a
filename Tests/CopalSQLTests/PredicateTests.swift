import CopalModel
import CopalSQL
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

private typealias P = FetchPredicate

/// A predicate, its condition in SQL, and the values of its placeholders.
struct Translation: Sendable, CustomTestStringConvertible {
  let predicate: FetchPredicate
  let sql: String
  let values: [PlaceholderValue]

  init(_ predicate: FetchPredicate, _ sql: String, _ values: PlaceholderValue...) {
    self.predicate = predicate
    self.sql = sql
    self.values = values
  }

  var testDescription: String { sql }
}

private func compare(_ name: String, _ comparison: P.Operator, _ value: PropertyValue) -> P {
  .comparison(.property(name), comparison, .constant(value))
}

private func slots(_ name: String, _ comparison: P.Operator, _ other: String) -> P {
  .comparison(.property(name), comparison, .property(other))
}

private func decimal(_ text: String) -> PropertyValue {
  DecimalText.parse(text).map(PropertyValue.decimal) ?? .null
}

@Suite("Predicates in SQL")
struct PredicateTests {
  private func check(_ translation: Translation) throws {
    let schema = try StoreModels.sampler()
    let layout = try #require(schema.entities.first)
    let query = try PredicateBinder(layout).bind(
      FetchRequest<Never>(entityName: "Sample", predicate: translation.predicate))
    let sql = SelectTranslator(TableMapping(layout, in: schema), SQLiteDialect())
      .statement(query.shape(.keys))
    #expect(
      sql.text == #"SELECT "copal_id" FROM "Sample" WHERE \#(translation.sql) ORDER BY "copal_id""#)
    #expect(sql.values.map { $0.value(in: query, layout) } == translation.values)
  }

  @Test(
    "a predicate compares with constants, and nil differs from each",
    arguments: [
      Translation(compare("text", .equal, "x"), #""text" = ?"#, .text("x")),
      Translation(compare("text", .notEqual, "x"), #"("text" <> ? OR "text" IS NULL)"#, .text("x")),
      Translation(compare("whole", .less, 3), #""whole" < ?"#, .integer(3)),
      Translation(compare("whole", .lessOrEqual, 3), #""whole" <= ?"#, .integer(3)),
      Translation(compare("whole", .greater, 3), #""whole" > ?"#, .integer(3)),
      Translation(compare("whole", .greaterOrEqual, 3), #""whole" >= ?"#, .integer(3)),
      Translation(compare("flag", .equal, true), #""flag" = ?"#, .integer(1)),
      Translation(compare("real", .less, 3), #""real" < ?"#, .real(3)),
      Translation(
        compare("instant", .less, .date(Date(timeIntervalSinceReferenceDate: 8))),
        #""instant" < ?"#, .real(8)),
      Translation(
        compare("bytes", .equal, .binary(Data([1, 2]))), #""bytes" = ?"#, .blob([1, 2])),
      Translation(
        .comparison(.constant(3), .less, .property("whole")), #""whole" > ?"#, .integer(3)),
    ])
  func constants(translation: Translation) throws { try check(translation) }

  @Test(
    "a predicate tests for nil with IS NULL, and nil has no order",
    arguments: [
      Translation(compare("text", .equal, .null), #""text" IS NULL"#),
      Translation(compare("text", .notEqual, .null), #""text" IS NOT NULL"#),
      Translation(compare("text", .less, .null), "0"),
      Translation(compare("text", .greaterOrEqual, .null), "0"),
      Translation(.not(compare("text", .less, .null)), "1"),
      Translation(.not(compare("text", .equal, .null)), #""text" IS NOT NULL"#),
    ])
  func nils(translation: Translation) throws { try check(translation) }

  @Test(
    "a negated predicate has no NOT: each comparison is negated, with a rule for nil",
    arguments: [
      Translation(
        .not(compare("whole", .less, 3)), #"("whole" >= ? OR "whole" IS NULL)"#, .integer(3)),
      Translation(.not(compare("whole", .notEqual, 3)), #""whole" = ?"#, .integer(3)),
      Translation(.not(.not(compare("whole", .less, 3))), #""whole" < ?"#, .integer(3)),
      Translation(
        .not(.and([compare("whole", .equal, 1), compare("text", .equal, .null)])),
        #"(("whole" <> ? OR "whole" IS NULL) OR "text" IS NOT NULL)"#, .integer(1)),
      Translation(
        .not(.or([compare("whole", .less, 1), .constant(true)])),
        #"(("whole" >= ? OR "whole" IS NULL) AND 0)"#, .integer(1)),
    ])
  func negations(translation: Translation) throws { try check(translation) }

  @Test(
    "many conditions are joined as a balanced tree",
    arguments: [
      Translation(.and([]), "1"), Translation(.or([]), "0"), Translation(.not(.and([])), "0"),
      Translation(.constant(false), "0"),
      Translation(.and([.or([compare("flag", .equal, true)])]), #""flag" = ?"#, .integer(1)),
      Translation(
        .or((1...4).map { compare("whole", .less, .integer($0)) }),
        #"(("whole" < ? OR "whole" < ?) OR ("whole" < ? OR "whole" < ?))"#,
        .integer(1), .integer(2), .integer(3), .integer(4)),
      Translation(
        .and([.constant(true), .and([.constant(false), .not(.or([.constant(true)]))])]),
        "(1 AND (0 AND 0))"),
    ])
  func lists(translation: Translation) throws { try check(translation) }

  @Test(
    "several equalities of one attribute become an IN list",
    arguments: [
      Translation(
        .or((1...4).map { compare("whole", .equal, .integer($0)) }), #""whole" IN (?, ?, ?, ?)"#,
        .integer(1), .integer(2), .integer(3), .integer(4)),
      Translation(
        .or([
          compare("whole", .equal, 1), compare("text", .equal, "x"),
          .isIn(.property("whole"), [2, .null]), compare("whole", .less, 0),
        ]),
        #"(("whole" IN (?, ?) OR "whole" IS NULL) OR ("text" = ? OR "whole" < ?))"#,
        .integer(1), .integer(2), .text("x"), .integer(0)),
      Translation(
        .not(.or([compare("text", .equal, "a"), compare("text", .equal, "b")])),
        #"("text" NOT IN (?, ?) OR "text" IS NULL)"#, .text("a"), .text("b")),
      Translation(
        .and([
          compare("text", .notEqual, "a"), .not(.isIn(.property("text"), ["b", .null])),
        ]), #""text" NOT IN (?, ?)"#, .text("a"), .text("b")),
      // Joined by the other operator, the conditions stay separate.
      Translation(
        .and([compare("whole", .equal, 1), compare("whole", .equal, 2)]),
        #"("whole" = ? AND "whole" = ?)"#, .integer(1), .integer(2)),
      Translation(
        .or([compare("whole", .equal, 1), compare("whole2", .equal, 2)]),
        #"("whole" = ? OR "whole2" = ?)"#, .integer(1), .integer(2)),
    ])
  func equalities(translation: Translation) throws { try check(translation) }

  /// The doubles on both sides of a tenth whose nearest float is that of a tenth.
  private static let tenth = (least: 0.09999999776482582, greatest: 0.10000000521540642)

  @Test(
    "a comparison with a float uses the range of doubles that are read as it",
    arguments: [
      Translation(
        compare("single", .equal, .double(Double(Float(0.1)))), #""single" BETWEEN ? AND ?"#,
        .real(tenth.least.nextUp), .real(tenth.greatest.nextDown)),
      Translation(
        compare("single", .notEqual, .double(Double(Float(0.1)))),
        #"("single" NOT BETWEEN ? AND ? OR "single" IS NULL)"#,
        .real(tenth.least.nextUp), .real(tenth.greatest.nextDown)),
      Translation(
        compare("single", .less, .double(Double(Float(0.1)))), #""single" < ?"#,
        .real(tenth.least.nextUp)),
      Translation(
        compare("single", .lessOrEqual, .double(Double(Float(0.1)))), #""single" <= ?"#,
        .real(tenth.greatest.nextDown)),
      // A number that is not a float equals nothing, and is between two floats.
      Translation(compare("single", .equal, 0.1), #""single" BETWEEN ? AND ?"#, .real(1), .real(0)),
      Translation(compare("single", .less, 0.1), #""single" < ?"#, .real(tenth.least.nextUp)),
      Translation(
        compare("single", .greaterOrEqual, 0.1), #""single" >= ?"#, .real(tenth.least.nextUp)),
      Translation(
        compare("single", .greater, 0.1), #""single" > ?"#,
        .real(FloatRounding.doubles(nearest: Float(0.1).nextDown).upperBound)),
      Translation(compare("single", .less, 1e300), #""single" < ?"#, .real(.infinity)),
      Translation(
        .isIn(.property("single"), [1.0, .null]),
        #"(("single" BETWEEN ? AND ?) OR "single" IS NULL)"#,
        .real(1 - 0x1p-25), .real(1 + 0x1p-24)),
      Translation(
        .not(.isIn(.property("single"), [1.0, 0.1])),
        #"(NOT ("single" BETWEEN ? AND ? OR "single" BETWEEN ? AND ?) OR "single" IS NULL)"#,
        .real(1 - 0x1p-25), .real(1 + 0x1p-24), .real(1), .real(0)),
      Translation(slots("single", .less, "real"), #"copal_float("single") < "real""#),
      Translation(slots("real", .equal, "single"), #""real" IS copal_float("single")"#),
    ])
  func floats(translation: Translation) throws { try check(translation) }

  @Test("a very long list of floats is compared with the rounded column")
  func manyFloats() throws {
    let values = (0...100).map { PropertyValue.double(Double($0)) }
    let list = [String](repeating: "?", count: 101).joined(separator: ", ")
    let schema = try StoreModels.sampler()
    let layout = try #require(schema.entities.first)
    let query = try PredicateBinder(layout).bind(
      FetchRequest<Never>(entityName: "Sample", predicate: .isIn(.property("single"), values)))
    let sql = SelectTranslator(TableMapping(layout, in: schema), SQLiteDialect()).statement(
      query.shape(.keys))
    #expect(sql.text.contains(#"WHERE copal_float("single") IN (\#(list))"#))
  }

  @Test(
    "predicates of one shape have the same SQL, with a value for each placeholder: 140,000 pairs")
  func shapes() throws {
    let schema = try StoreModels.sampler()
    let layout = try #require(schema.entities.first)
    let translator = SelectTranslator(TableMapping(layout, in: schema), SQLiteDialect())
    let tester = try StoreTester(MemoryStore(schema))
    var random = RandomPredicates(seed: 31, layout, objects: try (1...3).map { try tester.id($0) })
    var fitting = 0
    for number in 0..<40 {
      let queries = try (0..<60).map { index in
        try tester.query(
          random.predicate(depth: index % 2),
          sortedBy: number % 3 == 0
            ? [FetchSortKey(layout.attributes[0].name, isAscending: number % 2 == 0)] : [],
          limit: number % 4 == 0 ? index + 1 : nil, offset: number % 5 == 0 ? index + 1 : 0)
      }
      let statements = queries.map { translator.statement($0.shape(.rows)) }
      for (query, sql) in zip(queries, statements) {
        #expect(sql.text.count { $0 == "?" } == sql.values.count, "\(number): \(query)")
        let values = sql.values.map { $0.value(in: query, layout) }
        #expect(!values.contains { !$0.isConstant }, "\(number): \(query)")
        let shape = query.shape(.rows)
        for (other, otherSQL) in zip(queries, statements) where other.shape(.rows) == shape {
          fitting += other == query ? 0 : 1
          #expect(otherSQL == sql, "\(number): \(query)")
          #expect(other.shape(.rows).hashValue == shape.hashValue)
        }
      }
    }
    #expect(fitting > 300, "too few are of one shape: \(fitting)")
  }

  @Test(
    "predicates that differ in more than constants have different shapes",
    arguments: [
      compare("whole", .less, 1), compare("whole", .greater, 1), compare("real", .less, 1),
      .not(compare("whole", .less, 1)), compare("whole", .equal, .null),
      .isIn(.property("whole"), [1]), .isIn(.property("whole"), [1, 2]),
      .not(.isIn(.property("whole"), [1])), .isIn(.property("whole"), [1, .null]),
      .and([compare("whole", .less, 1), compare("real", .less, 1)]),
      .or([compare("whole", .less, 1), compare("real", .less, 1)]),
      .and([compare("whole", .less, 1), compare("whole", .less, 2), compare("real", .less, 1)]),
      slots("whole", .less, "whole2"), slots("whole", .equal, "whole2"), .constant(true),
      .constant(false),
    ] as [FetchPredicate])
  func otherShapes(predicate: FetchPredicate) throws {
    let tester = try StoreTester(MemoryStore(StoreModels.sampler()))
    let shape = try tester.query(compare("whole", .less, 2)).shape(.keys)
    let other = try tester.query(predicate).shape(.keys)
    #expect((shape == other) == (predicate == compare("whole", .less, 1)))
    #expect((shape.hashValue == other.hashValue) == (shape == other))
    #expect(try tester.query().shape(.keys) != shape)
  }

  @Test(
    "a predicate compares the object by its key, so that the database finds it by the primary key")
  func objects() throws {
    let test = try TestStore()
    let tester = try test.storeTester(StoreModels.sampler())
    let object = FetchExpression.constant(.object(try tester.id(3)))
    let translations: [(FetchPredicate, String, String)] = [
      (.comparison(.object, .equal, object), #""copal_id" = ?"#, "SEARCH Sample"),
      (
        .isIn(.object, try (3...5).map { .object(try tester.id($0)) }),
        #""copal_id" IN (?, ?, ?)"#, "SEARCH Sample"
      ),
      (.comparison(.object, .notEqual, object), #""copal_id" <> ?"#, "SCAN Sample"),
    ]
    for (predicate, condition, plan) in translations {
      let statements = try test.recorder.statements { _ = try tester.keys(predicate) }
      #expect(
        statements == [
          #"SELECT "copal_id" FROM "Sample" WHERE \#(condition) ORDER BY "copal_id""#
        ])
      let explained = try test.sqlite3("EXPLAIN QUERY PLAN \(statements[0])")
      #expect(explained.contains(plan), "\(explained)")
      #expect(explained.contains("INTEGER PRIMARY KEY (rowid=?)") == (plan != "SCAN Sample"))
    }
  }

  @Test(
    "a predicate tests texts by functions, and a prefix by a range",
    arguments: [
      Translation(
        .text(.property("text"), .contains([]), .constant("x")), #"copal_contains("text", ?)"#,
        .text("x")),
      Translation(
        .text(
          .property("text"), .contains([.caseInsensitive, .diacriticInsensitive]), .constant("x")),
        #"copal_contains("text", ?, 'cd')"#, .text("x")),
      Translation(
        .not(.text(.property("text"), .hasSuffix(.caseInsensitive), .constant("x"))),
        #"(NOT copal_has_suffix("text", ?, 'c') OR "text" IS NULL)"#, .text("x")),
      Translation(
        .text(.property("text"), .like(.diacriticInsensitive), .constant("x*")),
        #"copal_like("text", ?, 'd')"#, .text("x*")),
      Translation(
        .text(.property("text"), .matches, .constant("x+")), #"copal_matches("text", ?)"#,
        .text("x+")),
      Translation(
        .text(.property("text"), .hasPrefix(.caseInsensitive), .constant("x")),
        #"copal_has_prefix("text", ?, 'c')"#, .text("x")),
      Translation(
        .text(.property("text"), .hasPrefix([]), .constant("Ul")),
        #"("text" >= ? AND "text" < ?)"#, .text("Ul"), .text("Um")),
      Translation(
        .not(.text(.property("text"), .hasPrefix([]), .constant("Ul"))),
        #"(("text" < ? OR "text" IS NULL) OR ("text" >= ? OR "text" IS NULL))"#, .text("Ul"),
        .text("Um")),
      Translation(
        .text(.property("text"), .hasPrefix([]), .constant("a\u{D7FF}")),
        #"("text" >= ? AND "text" < ?)"#, .text("a\u{D7FF}"), .text("a\u{E000}")),
      Translation(
        .text(.property("text"), .hasPrefix([]), .constant("a\u{10FFFF}")),
        #"("text" >= ? AND "text" < ?)"#, .text("a\u{10FFFF}"), .text("b")),
      Translation(
        .text(.property("text"), .hasPrefix([]), .constant("\u{10FFFF}")), #""text" >= ?"#,
        .text("\u{10FFFF}")),
      Translation(
        .text(.property("text"), .hasPrefix([]), .constant("")), #""text" >= ?"#, .text("")),
      Translation(.text(.property("text"), .equal([]), .constant("x")), #""text" = ?"#, .text("x")),
      Translation(
        .text(.property("text"), .equal(.caseInsensitive), .constant("x")),
        #"copal_equal("text", ?, 'c')"#, .text("x")),
      Translation(
        .not(.text(.property("text"), .contains([]), .property("text2"))),
        #"(NOT copal_contains("text", "text2") OR "text" IS NULL OR "text2" IS NULL)"#),
      Translation(
        .text(.constant("abc"), .contains([]), .property("text")),
        #"copal_contains(?, "text")"#, .text("abc")),
      Translation(.text(.property("text"), .contains([]), .constant(.null)), "0"),
      Translation(.not(.text(.property("text"), .contains([]), .constant(.null))), "1"),
      Translation(.text(.constant("ABC"), .contains(.caseInsensitive), .constant("b")), "1"),
    ])
  func texts(translation: Translation) throws { try check(translation) }

  @Test("a prefix is found by an index, also beside other conditions")
  func prefixPlan() throws {
    let test = try TestStore()
    let tester = try test.storeTester(
      StoreModels.schema([
        EntityDescription(
          "Sample",
          attributes: [
            AttributeDescription("text", .string, isOptional: true),
            AttributeDescription("whole", .integer64),
          ], indexes: [IndexDescription(["text"])])
      ]))
    let prefix = FetchPredicate.text(.property("text"), .hasPrefix([]), .constant("Ul"))
    for (predicate, plan) in [
      (prefix, "(text>? AND text<?)"),
      (.and([compare("whole", .less, 3), prefix]), "(text>? AND text<?)"),
    ] {
      let statements = try test.recorder.statements { _ = try tester.keys(predicate) }
      let explained = try test.sqlite3("EXPLAIN QUERY PLAN \(statements.last ?? "")")
      #expect(explained.contains(plan), "\(statements)\n\(explained)")
    }
  }

  @Test(
    "a predicate can search in a list of values that includes nil",
    arguments: [
      Translation(
        .isIn(.property("whole"), [1, 2]), #""whole" IN (?, ?)"#, .integer(1), .integer(2)),
      Translation(
        .isIn(.property("whole"), [1, .null]), #"("whole" IN (?) OR "whole" IS NULL)"#,
        .integer(1)),
      Translation(
        .not(.isIn(.property("whole"), [1])), #"("whole" NOT IN (?) OR "whole" IS NULL)"#,
        .integer(1)),
      Translation(
        .not(.isIn(.property("whole"), [1, .null])), #""whole" NOT IN (?)"#, .integer(1)),
      Translation(.isIn(.property("whole"), []), "0"),
      Translation(.isIn(.property("whole"), [.null]), #""whole" IS NULL"#),
      Translation(.not(.isIn(.property("whole"), [.null])), #""whole" IS NOT NULL"#),
      Translation(.not(.isIn(.property("whole"), [])), "1"),
      Translation(.isIn(.constant(1), [1, 2]), "1"),
      Translation(.isIn(.property("real"), [.double(.nan)]), "0"),
      Translation(
        .isIn(.property("price"), [decimal("1.234"), decimal("1.2")]), #""price" IN (?)"#,
        .integer(120)),
    ])
  func memberships(translation: Translation) throws { try check(translation) }

  @Test(
    "a predicate compares two attributes; two nils are equal",
    arguments: [
      Translation(slots("real", .equal, "real2"), #""real" IS "real2""#),
      Translation(slots("real", .notEqual, "real2"), #""real" IS NOT "real2""#),
      Translation(.not(slots("real", .equal, "real2")), #""real" IS NOT "real2""#),
      Translation(slots("real", .less, "real2"), #""real" < "real2""#),
      Translation(
        .not(slots("real", .less, "real2")),
        #"("real" >= "real2" OR "real" IS NULL OR "real2" IS NULL)"#),
      Translation(
        slots("amount", .less, "amount2"), #""amount" COLLATE copal_decimal < "amount2""#),
      Translation(slots("price", .less, "price2"), #""price" < "price2""#),
    ])
  func attributes(translation: Translation) throws { try check(translation) }

  @Test(
    "a predicate compares decimals by number, as canonical text or scaled integers",
    arguments: [
      Translation(compare("amount", .equal, decimal("1.10")), #""amount" = ?"#, .text("1.1")),
      Translation(
        compare("amount", .less, decimal("10")), #""amount" COLLATE copal_decimal < ?"#,
        .text("10")),
      Translation(compare("price", .less, decimal("1.5")), #""price" < ?"#, .integer(150)),
      Translation(compare("price", .less, 2), #""price" < ?"#, .integer(200)),
      // Between two prices: the comparison uses the one that gives the same result.
      Translation(compare("price", .less, decimal("1.234")), #""price" <= ?"#, .integer(123)),
      Translation(
        compare("price", .lessOrEqual, decimal("1.234")), #""price" <= ?"#, .integer(123)),
      Translation(compare("price", .greater, decimal("1.234")), #""price" > ?"#, .integer(123)),
      Translation(
        compare("price", .greaterOrEqual, decimal("-1.234")), #""price" > ?"#, .integer(-124)),
      Translation(compare("price", .equal, decimal("1.234")), "0"),
      Translation(compare("price", .notEqual, decimal("1.234")), "1"),
      // Beyond every price.
      Translation(
        compare("price", .less, decimal("99999999999999999999")), #""price" IS NOT NULL"#),
      Translation(compare("price", .greater, decimal("99999999999999999999")), "0"),
      Translation(
        compare("price", .greater, decimal("-99999999999999999999")), #""price" IS NOT NULL"#),
      Translation(.not(compare("price", .greater, decimal("99999999999999999999"))), "1"),
      Translation(
        .not(compare("price", .greater, decimal("-99999999999999999999"))), #""price" IS NULL"#),
    ])
  func decimals(translation: Translation) throws { try check(translation) }

  // Not arguments of the test: Foundation's Date traps when one like this is printed.
  @Test("a comparison with NaN finds nothing")
  func notANumber() throws {
    let values: [(String, PropertyValue)] = [
      ("real", .double(.nan)), ("single", .double(.nan)), ("amount", .decimal(.nan)),
      ("price", .decimal(.nan)), ("instant", .date(Date(timeIntervalSinceReferenceDate: .nan))),
    ]
    for (name, value) in values {
      for comparison in P.Operator.allCases {
        let holds = comparison == .notEqual
        try check(Translation(compare(name, comparison, value), holds ? "1" : "0"))
        try check(Translation(.not(compare(name, comparison, value)), holds ? "0" : "1"))
      }
      try check(Translation(.isIn(.property(name), [value]), "0"))
    }
  }

  @Test(
    "the text of a statement never contains a constant",
    arguments: SampleValues.texts + ["' OR 1=1 --", "\"; DROP TABLE \"Sample\"", "?1", ":a", "$x"])
  func injection(text: String) throws {
    try check(Translation(compare("text", .equal, .string(text)), #""text" = ?"#, .text(text)))
    try check(
      Translation(.isIn(.property("text"), [.string(text)]), #""text" IN (?)"#, .text(text)))
    let layout = try #require(try StoreModels.sampler().entities.first)
    let error = #expect(throws: PersistenceError.self) {
      try PredicateBinder(layout).bind(
        FetchRequest<Never>(entityName: "Sample", predicate: compare(text, .equal, 1)))
    }
    #expect(error?.code == .unknownProperty)
  }
}

extension PlaceholderValue {
  fileprivate var isConstant: Bool {
    switch self {
    case .integer, .real, .text, .blob: true
    case .null, .values, .parameter, .list, .limit, .offset, .slot, .derived, .key, .version,
      .newVersion:
      false
    }
  }
}
