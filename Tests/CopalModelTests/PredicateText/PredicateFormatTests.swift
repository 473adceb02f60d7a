import CopalModel
import Foundation
import Testing

@Suite("Conditions from texts")
struct PredicateFormatTests {
  private static let store = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  private static let id = ManagedObjectID(store: store, entityName: "Author", key: 3)
  private static let idText =
    #"CAST("copal://01020304-0506-0708-090A-0B0C0D0E0F10/Author/p3", "NSManagedObjectID")"#
  private static let authors = FetchExpression.property("authors")

  static let operatorCases: [FormatCase] = [
    FormatCase("a == 1", means: equal(a, value(1))),
    FormatCase("a = 1", means: equal(a, value(1)), prints: "a == 1"),
    FormatCase("a=1", means: equal(a, value(1)), prints: "a == 1"),
    FormatCase("a != 1", means: .comparison(a, .notEqual, value(1))),
    FormatCase("a <> 1", means: .comparison(a, .notEqual, value(1)), prints: "a != 1"),
    FormatCase("a < b", means: .comparison(a, .less, b)),
    FormatCase("a <= b", means: .comparison(a, .lessOrEqual, b)),
    FormatCase("a =< b", means: .comparison(a, .lessOrEqual, b), prints: "a <= b"),
    FormatCase("a > b", means: .comparison(a, .greater, b)),
    FormatCase("a >= b", means: .comparison(a, .greaterOrEqual, b)),
    FormatCase("a => b", means: .comparison(a, .greaterOrEqual, b), prints: "a >= b"),
    FormatCase("1 == a", means: equal(value(1), a)),
    FormatCase("a == nil", means: equal(a, value(.null))),
    FormatCase("a == NULL", means: equal(a, value(.null)), prints: "a == nil"),
    FormatCase("a ==[c] nil", means: equal(a, value(.null)), prints: "a == nil"),
    FormatCase("a ==[c] b", means: .text(a, .equal(.caseInsensitive), b)),
    FormatCase("a ==[d] b", means: .text(a, .equal(.diacriticInsensitive), b)),
    FormatCase("a ==[cd] b", means: .text(a, .equal(.both), b)),
    FormatCase("a =[dc] b", means: .text(a, .equal(.both), b), prints: "a ==[cd] b"),
    FormatCase("a == [ CDL ] b", means: .text(a, .equal(.both), b), prints: "a ==[cd] b"),
    FormatCase("a ==[n] b", means: .text(a, .equal([]), b)),
    FormatCase("a ==[l] b", means: equal(a, b), prints: "a == b"),
    FormatCase("a !=[c] b", means: .not(.text(a, .equal(.caseInsensitive), b))),
    FormatCase("a !=[n] b", means: .not(.text(a, .equal([]), b))),
    FormatCase("a !=[c] nil", means: .comparison(a, .notEqual, value(.null)), prints: "a != nil"),
    FormatCase(
      "a <[c] b", means: .comparison(.call(.foldCase, [a]), .less, .call(.foldCase, [b])),
      prints: "foldcase:(a) < foldcase:(b)"),
    FormatCase(
      "a >=[d] b",
      means: .comparison(.call(.foldDiacritics, [a]), .greaterOrEqual, .call(.foldDiacritics, [b])),
      prints: "folddiacritics:(a) >= folddiacritics:(b)"),
    FormatCase(
      "a >[cd] b", means: .comparison(.call(.fold, [a]), .greater, .call(.fold, [b])),
      prints: "fold:(a) > fold:(b)"),
    FormatCase("a <[n] b", means: .comparison(a, .less, b), prints: "a < b"),
    FormatCase(#"a CONTAINS "x""#, means: .text(a, .contains([]), value("x"))),
    FormatCase(
      "a contains[cd] 'x'", means: .text(a, .contains(.both), value("x")),
      prints: #"a CONTAINS[cd] "x""#),
    FormatCase(#"a BEGINSWITH "x""#, means: .text(a, .hasPrefix([]), value("x"))),
    FormatCase(#"a BEGINSWITH[c] "x""#, means: .text(a, .hasPrefix(.caseInsensitive), value("x"))),
    FormatCase(
      #"a ENDSWITH[d] "x""#, means: .text(a, .hasSuffix(.diacriticInsensitive), value("x"))),
    FormatCase(#"a LIKE "x*?""#, means: .text(a, .like([]), value("x*?"))),
    FormatCase(
      #"a like[c] "x""#, means: .text(a, .like(.caseInsensitive), value("x")),
      prints: #"a LIKE[c] "x""#),
    FormatCase(#"a MATCHES "P.*""#, means: .text(a, .matches, value("P.*"))),
    FormatCase(
      #"a MATCHES[c] "P.*""#, means: .text(a, .matches, value("(?i)P.*")),
      prints: #"a MATCHES "(?i)P.*""#),
    FormatCase("a MATCHES b", means: .text(a, .matches, b)),
    FormatCase(
      "a BETWEEN {1, b}",
      means: .and([.comparison(a, .greaterOrEqual, value(1)), .comparison(a, .lessOrEqual, b)]),
      prints: "a >= 1 AND a <= b"),
    FormatCase(
      "a BETWEEN %@", [1, 2],
      means: .and([
        .comparison(a, .greaterOrEqual, value(1)), .comparison(a, .lessOrEqual, value(2)),
      ]), prints: "a >= 1 AND a <= 2"),
    FormatCase("a IN {1, 2}", means: .isIn(a, [1, 2])),
    FormatCase("a IN {}", means: .isIn(a, [])),
    FormatCase(
      "a IN { nil,'x' , -1.5 }", means: .isIn(a, [.null, "x", -1.5]),
      prints: #"a IN {nil, "x", -1.5}"#),
    FormatCase("a IN %@", ["x", "y"], means: .isIn(a, ["x", "y"]), prints: #"a IN {"x", "y"}"#),
    FormatCase("a IN %@", Set([7]), means: .isIn(a, [7]), prints: "a IN {7}"),
    FormatCase("a IN $names", means: .isInVariable(a, "names")),
    FormatCase("a IN {b}", means: equal(a, b), prints: "a == b"),
    FormatCase(
      "a IN {1, b}", means: .or([equal(a, value(1)), equal(a, b)]), prints: "a == 1 OR a == b"),
    FormatCase("a IN {%@, %@}", 1, 2, means: .isIn(a, [1, 2]), prints: "a IN {1, 2}"),
    FormatCase(
      "a IN[c] {'x', nil}",
      means: .or([.text(a, .equal(.caseInsensitive), value("x")), equal(a, value(.null))]),
      prints: #"a ==[c] "x" OR a == nil"#),
    FormatCase("a IN[c] {}", means: .isIn(a, []), prints: "a IN {}"),
    FormatCase("%@ CONTAINS a", ["x"], means: .isIn(a, ["x"]), prints: #"a IN {"x"}"#),
    FormatCase(
      "%@ IN authors", id,
      means: .exists(FetchCollection(authors, where: equal(.object, value(.object(id))))),
      prints: "\(idText) IN authors"),
    FormatCase(
      "authors CONTAINS %@", id,
      means: .exists(FetchCollection(authors, where: equal(.object, value(.object(id))))),
      prints: "\(idText) IN authors"),
    FormatCase(
      "favorite IN authors",
      means: .exists(
        FetchCollection(authors, where: equal(.object, .outer(1, .property("favorite")))))),
    FormatCase(
      "SELF IN authors",
      means: .exists(FetchCollection(authors, where: equal(.object, .outer(1, .object))))),
    FormatCase(
      "authors CONTAINS SELF",
      means: .exists(FetchCollection(authors, where: equal(.object, .outer(1, .object)))),
      prints: "SELF IN authors"),
    FormatCase(
      "$who IN authors",
      means: .exists(FetchCollection(authors, where: equal(.object, .variable("who"))))),
    FormatCase(
      "SELF == %@", id, means: equal(.object, value(.object(id))),
      prints: "SELF == \(idText)"),
    FormatCase(
      "SELF IN %@", [id], means: .isIn(.object, [.object(id)]),
      prints: "SELF IN {\(idText)}"),
  ]

  static let combinationCases: [FormatCase] = [
    FormatCase("TRUEPREDICATE", means: .constant(true)),
    FormatCase("falsepredicate", means: .constant(false), prints: "FALSEPREDICATE"),
    FormatCase("a == 1 AND b == 2", means: .and([equal(a, value(1)), equal(b, value(2))])),
    FormatCase(
      "a == 1 && b == 2 and a == b",
      means: .and([equal(a, value(1)), equal(b, value(2)), equal(a, b)]),
      prints: "a == 1 AND b == 2 AND a == b"),
    FormatCase(
      "a == 1 || b == 2 OR a == b",
      means: .or([equal(a, value(1)), equal(b, value(2)), equal(a, b)]),
      prints: "a == 1 OR b == 2 OR a == b"),
    FormatCase(
      "a == 1 OR b == 2 AND a == b",
      means: .or([equal(a, value(1)), .and([equal(b, value(2)), equal(a, b)])]),
      prints: "a == 1 OR (b == 2 AND a == b)"),
    FormatCase(
      "(a == 1 OR b == 2) AND a == b",
      means: .and([.or([equal(a, value(1)), equal(b, value(2))]), equal(a, b)])),
    FormatCase(
      "(a == 1 AND b == 2) AND a == b",
      means: .and([.and([equal(a, value(1)), equal(b, value(2))]), equal(a, b)])),
    FormatCase("NOT a == 1", means: .not(equal(a, value(1)))),
    FormatCase("!(a == 1)", means: .not(equal(a, value(1))), prints: "NOT a == 1"),
    FormatCase("NOT NOT a == 1", means: .not(.not(equal(a, value(1))))),
    FormatCase(
      "NOT a == 1 AND b == 2", means: .and([.not(equal(a, value(1))), equal(b, value(2))])),
    FormatCase(
      "NOT (a == 1 AND b == 2)", means: .not(.and([equal(a, value(1)), equal(b, value(2))]))),
    FormatCase("((a == 1))", means: equal(a, value(1)), prints: "a == 1"),
    FormatCase(
      "ANY a.b > 3", means: .quantified(.any, .comparison(.property("a.b"), .greater, value(3)))),
    FormatCase(
      "SOME a.b > 3", means: .quantified(.any, .comparison(.property("a.b"), .greater, value(3))),
      prints: "ANY a.b > 3"),
    FormatCase("ALL a.b == 3", means: .quantified(.all, equal(.property("a.b"), value(3)))),
    FormatCase("NONE a.b == 3", means: .not(.quantified(.any, equal(.property("a.b"), value(3))))),
    FormatCase(
      "NOT ANY a.b == 3", means: .not(.quantified(.any, equal(.property("a.b"), value(3)))),
      prints: "NONE a.b == 3"),
    FormatCase(
      "NOT ALL a.b == 3", means: .not(.quantified(.all, equal(.property("a.b"), value(3))))),
    FormatCase("ANY a.b IN {1, 2}", means: .quantified(.any, .isIn(.property("a.b"), [1, 2]))),
    FormatCase(
      "ANY a.b IN $list", means: .quantified(.any, .isInVariable(.property("a.b"), "list"))),
    FormatCase(
      "ANY a.b CONTAINS[c] \"x\"",
      means: .quantified(.any, .text(.property("a.b"), .contains(.caseInsensitive), value("x")))),
    FormatCase(
      "ANY a.b !=[c] \"x\"",
      means: .not(.quantified(.all, .text(.property("a.b"), .equal(.caseInsensitive), value("x")))),
      prints: "NOT ALL a.b ==[c] \"x\""),
    FormatCase(
      "ALL a.b BETWEEN {1, 2}",
      means: .and([
        .quantified(.all, .comparison(.property("a.b"), .greaterOrEqual, value(1))),
        .quantified(.all, .comparison(.property("a.b"), .lessOrEqual, value(2))),
      ]), prints: "ALL a.b >= 1 AND ALL a.b <= 2"),
    FormatCase(
      "ANY %K == %@ AND a == 1", "a.b", 3,
      means: .and([.quantified(.any, equal(.property("a.b"), value(3))), equal(a, value(1))]),
      prints: "ANY a.b == 3 AND a == 1"),
    FormatCase("iskind:(SELF, \"Book\")", means: .isKind("Book")),
    FormatCase("exists:(authors)", means: .exists(FetchCollection(authors))),
    FormatCase(
      "exists:(authors, $x, $x.a == b)",
      means: .exists(FetchCollection(authors, where: equal(a, .outer(1, b))))),
  ]

  @Test("operators", arguments: operatorCases)
  func operators(test: FormatCase) throws { try test.check() }

  @Test("conditions of conditions", arguments: combinationCases)
  func combinations(test: FormatCase) throws { try test.check() }

  @Test("arguments of variadic calls, and nil")
  func variadic() throws {
    let name: String? = nil
    let predicate = try FetchPredicate(format: "a == %@ AND b == %@ AND a == %@", nil, name, 3)
    #expect(
      predicate == .and([equal(a, value(.null)), equal(b, value(.null)), equal(a, value(3))]))
    let format = try PredicateFormat("%K == %@ AND b > %d AND a < %f")
    #expect(format.argumentCount == 4)
    #expect(
      try format.predicate("maker.name", true, 7, 1.5)
        == .and([
          equal(.property("maker.name"), value(true)), .comparison(b, .greater, value(7)),
          .comparison(a, .less, value(1.5)),
        ]))
  }

  @Test("two texts that differ only in the bytes of an accent are two formats")
  func canonicalEquivalence() throws {
    for text in ["\u{E9}", "e\u{301}", "\u{E9}"] {
      let predicate = try FetchPredicate(format: "a == '\(text)'")
      guard case .comparison(_, _, .constant(.string(let found))) = predicate else {
        Issue.record("\(predicate)")
        continue
      }
      #expect(Array(found.utf8) == Array(text.utf8))
    }
  }
}
