import CopalModel
import Foundation
import Testing

@Suite("Expressions of conditions from texts")
struct PredicateFormatExpressionTests {
  private static let books = FetchExpression.property("books")
  private static let price = FetchExpression.property("price")
  private static let expensive = FetchCollection(
    books, where: .comparison(price, .greater, value(3)))

  /// An expression in the text `… == 1`.
  private static func one(
    _ text: String, _ arguments: any PredicateArgument..., means expression: FetchExpression,
    prints printed: String? = nil
  ) -> FormatCase {
    var found = FormatCase(
      text + " == 1", means: equal(expression, value(1)),
      prints: printed.map { $0 + " == 1" })
    found = FormatCase(copy: found, arguments: arguments.map(\.formatArgument))
    return found
  }

  static let pathCases: [FormatCase] = [
    one("a.b.c", means: .property("a.b.c")),
    one("SELF.a", means: .property("a"), prints: "a"),
    one("self.a.b", means: .property("a.b"), prints: "a.b"),
    one("SELF . a", means: .property("a"), prints: "a"),
    one("a . b", means: .property("a.b"), prints: "a.b"),
    one("#in", means: .property("in")),
    one("#Any.all", means: .property("Any.all")),
    one("a.in", means: .property("a.in")),
    one("a.#in", means: .property("a.in"), prints: "a.in"),
    one("#a", means: .property("a"), prints: "a"),
    one("größe", means: .property("größe")),
    one("_x1", means: .property("_x1")),
    one("%K", "a.b", means: .property("a.b"), prints: "a.b"),
    one("%K", "in", means: .property("in"), prints: "#in"),
    one("%K.b", "a", means: .property("a.b"), prints: "a.b"),
    one("a.%K.c", "b", means: .property("a.b.c"), prints: "a.b.c"),
    one("SELF.%K", "b", means: .property("b"), prints: "b"),
    one("$limit", means: .variable("limit")),
    one("SELF", means: .object),
    one("as:(SELF, \"Book\").pages", means: .subentityProperty(entity: "Book", property: "pages")),
    one("property:(SELF, \"no name\")", means: .property("no name")),
    one(
      "property:(as:(SELF, \"Book\"), \"no name\")",
      means: .subentityProperty(entity: "Book", property: "no name")),
    one("variable:(\"no name\")", means: .variable("no name")),
  ]

  /// The objects of a group, in a condition on groups.
  private static let group = FetchCollection(.object)

  static let groupCases: [FormatCase] = [
    one("SELF.@count", means: .aggregate(.count, group, of: nil)),
    one("SELF.@sum.price", means: .aggregate(.sum, group, of: price)),
    one("SELF.@avg.maker.age", means: .aggregate(.average, group, of: .property("maker.age"))),
    one("SELF.@min.price", means: .aggregate(.min, group, of: price)),
    one("SELF.@distinctCount.price", means: .aggregate(.distinctCount, group, of: price)),
    one("SELF.@valueCount.price", means: .aggregate(.count, group, of: price)),
    one(
      "SELF . @valuecount.%K", "price", means: .aggregate(.count, group, of: price),
      prints: "SELF.@valueCount.price"),
    one(
      "sum:(SELF, $x, $x.price * 2)",
      means: .aggregate(.sum, group, of: .call(.multiply, [price, value(2)]))),
    one(
      "valueCount:(SELF, $x, $x.price * 2)",
      means: .aggregate(.count, group, of: .call(.multiply, [price, value(2)]))),
    one(
      "distinctCount:(books, $x, $x.price * 2)",
      means: .aggregate(
        .distinctCount, FetchCollection(books), of: .call(.multiply, [price, value(2)]))),
    one(
      "books.@distinctCount.price",
      means: .aggregate(.distinctCount, FetchCollection(books), of: price)),
  ]

  static let collectionCases: [FormatCase] = [
    one("books.@count", means: .aggregate(.count, FetchCollection(books), of: nil)),
    one(
      "books[SIZE]", means: .aggregate(.count, FetchCollection(books), of: nil),
      prints: "books.@count"),
    one(
      "%K.@count", "books", means: .aggregate(.count, FetchCollection(books), of: nil),
      prints: "books.@count"),
    one(
      "maker.books.@count",
      means: .aggregate(.count, FetchCollection(.property("maker.books")), of: nil)),
    one("books.@sum.price", means: .aggregate(.sum, FetchCollection(books), of: price)),
    one("books.@avg.price", means: .aggregate(.average, FetchCollection(books), of: price)),
    one(
      "books.@average.price", means: .aggregate(.average, FetchCollection(books), of: price),
      prints: "books.@avg.price"),
    one("books.@min.price", means: .aggregate(.min, FetchCollection(books), of: price)),
    one(
      "books.@max.maker.age",
      means: .aggregate(.max, FetchCollection(books), of: .property("maker.age"))),
    one(
      "books.@sum.%K", "price", means: .aggregate(.sum, FetchCollection(books), of: price),
      prints: "books.@sum.price"),
    one(
      "as:(SELF, \"Shop\").books.@count",
      means: .aggregate(
        .count, FetchCollection(.subentityProperty(entity: "Shop", property: "books")), of: nil)),
    one("SUBQUERY(books, $x, $x.price > 3).@count", means: .aggregate(.count, expensive, of: nil)),
    one(
      "subquery( books , $book , $book.price > 3 ).@count",
      means: .aggregate(.count, expensive, of: nil),
      prints: "SUBQUERY(books, $x, $x.price > 3).@count"),
    one(
      "SUBQUERY(books, $x, $x.price > %@)[SIZE]", 3, means: .aggregate(.count, expensive, of: nil),
      prints: "SUBQUERY(books, $x, $x.price > 3).@count"),
    one(
      "SUBQUERY(%K, $x, $x.%K > %@).@sum.%K", "books", "price", 3, "a",
      means: .aggregate(.sum, expensive, of: a),
      prints: "SUBQUERY(books, $x, $x.price > 3).@sum.a"),
    one(
      "SUBQUERY(books, $x, $x.price > limit).@max.a",
      means: .aggregate(
        .max,
        FetchCollection(
          books, where: .comparison(price, .greater, .outer(1, .property("limit")))), of: a)),
    one(
      "SUBQUERY(books, $x, $x == SELF OR $x.maker == SELF.maker).@count",
      means: .aggregate(
        .count,
        FetchCollection(
          books,
          where: .or([
            equal(.object, .outer(1, .object)),
            equal(.property("maker"), .outer(1, .property("maker"))),
          ])), of: nil),
      prints: "SUBQUERY(books, $x, $x == SELF OR $x.maker == maker).@count"),
    one(
      "SUBQUERY(books, $x, SUBQUERY($x.pages, $y, $y.a == $x.a AND $y.a == a).@count > 1).@count",
      means: .aggregate(
        .count,
        FetchCollection(
          books,
          where: .comparison(
            .aggregate(
              .count,
              FetchCollection(
                .property("pages"),
                where: .and([equal(a, .outer(1, a)), equal(a, .outer(2, a))])), of: nil),
            .greater, value(1))), of: nil)),
    one(
      "SUBQUERY(books, $x, $x IN authors).@count",
      means: .aggregate(
        .count,
        FetchCollection(
          books,
          where: .exists(
            FetchCollection(
              .outer(1, .property("authors")), where: equal(.object, .outer(1, .object))))),
        of: nil)),
    one(
      "SUBQUERY(books, $x, favorite IN $x.authors).@count",
      means: .aggregate(
        .count,
        FetchCollection(
          books,
          where: .exists(
            FetchCollection(
              .property("authors"), where: equal(.object, .outer(2, .property("favorite")))))),
        of: nil)),
    one(
      "SUBQUERY(books, $x, iskind:($x, \"Novel\") AND as:($x, \"Novel\").a > $y).@count",
      means: .aggregate(
        .count,
        FetchCollection(
          books,
          where: .and([
            .isKind("Novel"),
            .comparison(
              .subentityProperty(entity: "Novel", property: "a"), .greater, .variable("y")),
          ])), of: nil)),
    one(
      "SUBQUERY(books, $x, $x.a == variable:(\"x\")).@count",
      means: .aggregate(
        .count, FetchCollection(books, where: equal(a, .variable("x"))), of: nil)),
    one(
      "sum:(books, $x, $x.price * rate)",
      means: .aggregate(
        .sum, FetchCollection(books),
        of: .call(.multiply, [price, .outer(1, .property("rate"))]))),
    one(
      "average:(books, $x, -$x.price, $x.price > 3)",
      means: .aggregate(.average, expensive, of: .call(.negate, [price]))),
    one(
      "max:(books, $x, $x.price)", means: .aggregate(.max, FetchCollection(books), of: price),
      prints: "books.@max.price"),
  ]

  static let functionCases: [FormatCase] = [
    one("a + b", means: .call(.add, [a, b])),
    one("a - b", means: .call(.subtract, [a, b])),
    one("a * b", means: .call(.multiply, [a, b])),
    one("a / b", means: .call(.divide, [a, b])),
    one("a %% b", means: .call(.remainder, [a, b]), prints: "modulus:by:(a, b)"),
    one("a + b * 2", means: .call(.add, [a, .call(.multiply, [b, value(2)])])),
    one("(a + b) * 2", means: .call(.multiply, [.call(.add, [a, b]), value(2)])),
    one("a - b - 2", means: .call(.subtract, [.call(.subtract, [a, b]), value(2)])),
    one("a - (b - 2)", means: .call(.subtract, [a, .call(.subtract, [b, value(2)])])),
    one("a -b", means: .call(.subtract, [a, b]), prints: "a - b"),
    one("a-1", means: .call(.subtract, [a, value(1)]), prints: "a - 1"),
    one("a - -1", means: .call(.subtract, [a, value(-1)])),
    one("-a", means: .call(.negate, [a])),
    one("--a", means: .call(.negate, [.call(.negate, [a])])),
    one("-(1)", means: .call(.negate, [value(1)])),
    one("-(a + b)", means: .call(.negate, [.call(.add, [a, b])])),
    one("-a * b", means: .call(.multiply, [.call(.negate, [a]), b])),
    one("a ?? b", means: .call(.ifNil, [a, b]), prints: "ifnil:(a, b)"),
    one(
      "a ?? b ?? 0", means: .call(.ifNil, [a, .call(.ifNil, [b, value(0)])]),
      prints: "ifnil:(a, ifnil:(b, 0))"),
    one(
      "a + 1 ?? b", means: .call(.ifNil, [.call(.add, [a, value(1)]), b]),
      prints: "ifnil:(a + 1, b)"),
    one("abs:(a)", means: .call(.absolute, [a])),
    one("abs(a)", means: .call(.absolute, [a]), prints: "abs:(a)"),
    one("ceiling:(a)", means: .call(.ceiling, [a])),
    one("floor:(a)", means: .call(.floor, [a])),
    one("trunc:(a)", means: .call(.truncate, [a])),
    one("sqrt:(a)", means: .call(.squareRoot, [a])),
    one("lowercase:(a)", means: .call(.lowercased, [a])),
    one("UPPERCASE:( a )", means: .call(.uppercased, [a]), prints: "uppercase:(a)"),
    one("length:(a)", means: .call(.length, [a])),
    one("foldcase:(a)", means: .call(.foldCase, [a])),
    one("folddiacritics:(a)", means: .call(.foldDiacritics, [a])),
    one("fold:(a)", means: .call(.fold, [a])),
    one("now()", means: .call(.now, [])),
    one("add:to:(a, b)", means: .call(.add, [a, b]), prints: "a + b"),
    one("from:subtract:(a, b)", means: .call(.subtract, [a, b]), prints: "a - b"),
    one("multiply:by:(a, b)", means: .call(.multiply, [a, b]), prints: "a * b"),
    one("divide:by:(a, b)", means: .call(.divide, [a, b]), prints: "a / b"),
    one("modulus:by:(a, b)", means: .call(.remainder, [a, b])),
    one("CAST(a, \"NSNumber\")", means: .call(.toDouble, [a])),
    one("CAST(a, 'double')", means: .call(.toDouble, [a]), prints: "CAST(a, \"NSNumber\")"),
    one("CAST(a, \"NSString\")", means: .call(.toString, [a])),
    one("CAST(a, \"NSDate\")", means: .call(.toDate, [a])),
    one("CAST(a, \"NSDecimalNumber\")", means: .call(.toDecimal, [a])),
    one("CAST(a, \"integer\")", means: .call(.toInteger, [a])),
    one("CAST(now(), \"NSNumber\")", means: .call(.toDouble, [.call(.now, [])])),
    one("todouble:(\"12\")", means: .call(.toDouble, [value("12")])),
    one("todate:(5)", means: .call(.toDate, [value(5)])),
    one("TERNARY(a == 1, b, 2)", means: .conditional(equal(a, value(1)), b, value(2))),
    one(
      "ternary(a == %@, b, %@)", 1, 2, means: .conditional(equal(a, value(1)), b, value(2)),
      prints: "TERNARY(a == 1, b, 2)"),
    one("cast", means: .property("cast")),
    one("sum + count", means: .call(.add, [.property("sum"), .property("count")])),
    one("((a) + (1))", means: .call(.add, [a, value(1)]), prints: "a + 1"),
  ]

  @Test("paths and variables", arguments: pathCases)
  func paths(test: FormatCase) throws { try test.check() }

  @Test("groups", arguments: groupCases)
  func groups(test: FormatCase) throws { try test.check() }

  @Test("collections", arguments: collectionCases)
  func collections(test: FormatCase) throws { try test.check() }

  @Test("arithmetic and functions", arguments: functionCases)
  func functions(test: FormatCase) throws { try test.check() }

  static let literalCases: [(String, PropertyValue, String?)] = [
    ("0", 0, nil), ("-7", -7, nil), ("- 7", -7, "-7"), ("0x1F", 31, "31"), ("0XfF", 255, "255"),
    ("0b101", 5, "5"), ("0o17", 15, "15"), ("007", 7, "7"),
    ("9223372036854775807", .integer(.max), nil), ("-9223372036854775808", .integer(.min), nil),
    ("1.5", 1.5, nil), ("-1.5", -1.5, nil), ("1e3", 1000.0, "1000.0"), ("1.5E-3", 0.0015, "0.0015"),
    ("1e+100", 1e100, nil), ("5e-324", .double(.leastNonzeroMagnitude), nil), ("-0.0", -0.0, nil),
    ("TRUE", true, nil), ("yes", true, "TRUE"), ("FALSE", false, nil), ("No", false, "FALSE"),
    ("nil", .null, nil), ("NULL", .null, "nil"),
    (#""x""#, "x", nil), ("'x'", "x", #""x""#), (#""""#, "", nil), (#"'"'"#, #"""#, #""\"""#),
    (#""it's""#, "it's", nil), (#"'a\'b'"#, "a'b", #""a'b""#),
    (#""\n\t\r\\\0""#, "\n\t\r\\\0", nil),
    (#""\x41\u00e9\U0001F3A8""#, "A\u{E9}🎨", "\"A\u{E9}🎨\""),
    (#""\u200B\u0007""#, "\u{200B}\u{7}", nil),
    (#""\U000E0001""#, "\u{E0001}", nil), (#""100%@ %K %d""#, "100%@ %K %d", nil),
    (#"CAST("12.5", "NSDecimalNumber")"#, .decimal(12.5), nil),
    // As people and other programs write decimals.
    (#"CAST("+0.5", "decimal")"#, .decimal(0.5), #"CAST("0.5", "NSDecimalNumber")"#),
    (#"CAST(".05e1", "decimal")"#, .decimal(0.5), #"CAST("0.5", "NSDecimalNumber")"#),
    (#"CAST("-5.", "decimal")"#, .decimal(-5), #"CAST("-5", "NSDecimalNumber")"#),
    (#"CAST("50E-2", "decimal")"#, .decimal(0.5), #"CAST("0.5", "NSDecimalNumber")"#),
    (#"CAST("12.50", "decimal")"#, .decimal(12.5), #"CAST("12.5", "NSDecimalNumber")"#),
    (#"CAST("infinity", "NSNumber")"#, .double(.infinity), #"CAST("inf", "NSNumber")"#),
    (#"CAST("12", "integer")"#, 12, "12"), (#"CAST("12", "NSString")"#, "12", #""12""#),
    (
      #"CAST("2001-01-01T00:00:00Z", "NSDate")"#, .date(Date(timeIntervalSinceReferenceDate: 0)),
      nil
    ),
    (
      #"CAST("2000-12-31T23:59:59.75Z", "date")"#,
      .date(Date(timeIntervalSinceReferenceDate: -0.25)),
      #"CAST("2000-12-31T23:59:59.75Z", "NSDate")"#
    ),
    ("CAST(1e+300, \"NSDate\")", .date(Date(timeIntervalSinceReferenceDate: 1e300)), nil),
    (
      "CAST(86400, \"NSDate\")", .date(Date(timeIntervalSinceReferenceDate: 86400)),
      "CAST(\"2001-01-02T00:00:00Z\", \"NSDate\")"
    ),
    (#"CAST("AQL/", "NSData")"#, .binary(Data([1, 2, 255])), nil),
    (
      #"CAST("01020304-0506-0708-090A-0B0C0D0E0F10", "NSUUID")"#,
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))), nil
    ),
    (
      #"CAST("https://example.org/a%20b?c=d#e", "NSURL")"#,
      .uri(URL(string: "https://example.org/a%20b?c=d#e") ?? URL(fileURLWithPath: "/")), nil
    ),
  ]

  @Test("literals", arguments: literalCases)
  func literals(text: String, found: PropertyValue, printed: String?) throws {
    try FormatCase(
      "a < \(text)", means: .comparison(a, .less, value(found)),
      prints: printed.map { "a < \($0)" }
    ).check()
    try FormatCase(
      "a IN {\(text), 1}", means: .isIn(a, [found, 1]),
      prints: printed.map { "a IN {\($0), 1}" }
    ).check()
    // As an argument, a value has the same text.
    let argument = try FetchPredicate(format: "a < %@", found)
    #expect(argument.format == "a < \(printed ?? text)")
  }

  @Test("what has no text of its own prints as what has the same meaning")
  func canonical() throws {
    let cases: [(FetchPredicate, String)] = [
      (.and([]), "TRUEPREDICATE"), (.or([]), "FALSEPREDICATE"),
      (.or([.and([equal(a, b)])]), "a == b"),
      (.not(.and([.text(a, .equal(.caseInsensitive), value("x"))])), "a !=[c] \"x\""),
      (.not(.or([.quantified(.any, equal(a, value(1)))])), "NONE a == 1"),
      (.quantified(.all, .text(a, .contains([]), value(.null))), "ALL a CONTAINS nil"),
      (.text(a, .equal(.caseInsensitive), value(.null)), "FALSEPREDICATE"),
      (equal(.outer(1, a), .outer(-1, b)), "a == b"),
      (equal(.outer(.max, a), .outer(.min, b)), "a == b"),
      (
        .exists(FetchCollection(a, where: equal(b, .outer(1, .call(.add, [a, b]))))),
        "exists:(a, $x, $x.b == a + b)"
      ),
      (
        .exists(FetchCollection(a, where: equal(.object, value("x")))),
        "exists:(a, $x, $x == \"x\")"
      ),
      (.exists(FetchCollection(a, where: equal(.object, b))), "exists:(a, $x, $x == $x.b)"),
      (
        .comparison(.property(""), .equal, .property("a b")),
        "property:(SELF, \"\") == property:(SELF, \"a b\")"
      ),
    ]
    for (predicate, text) in cases {
      #expect(predicate.format == text)
      #expect(try FetchPredicate(format: text).format == text)
    }
  }
}

extension FormatCase {
  init(copy other: FormatCase, arguments: [FormatArgument]) {
    text = other.text
    self.arguments = arguments
    predicate = other.predicate
    printed = other.printed
  }
}
