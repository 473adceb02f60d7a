import CopalModel
import Foundation
import Testing

@Suite("Errors of texts of conditions")
struct PredicateFormatErrorTests {
  /// A text, what is wrong with it, and the column.
  static let errorCases: [(String, PredicateFormatError.Code, Int)] = [
    ("", .unexpectedEnd, 1), ("   ", .unexpectedEnd, 4), ("a", .unexpectedEnd, 2),
    ("a ==", .unexpectedEnd, 5), ("a == 1 AND", .unexpectedEnd, 11), ("(a == 1", .unexpectedEnd, 8),
    ("NOT", .unexpectedEnd, 4), ("a IN {1", .unexpectedEnd, 8), ("abs:(a", .unexpectedEnd, 7),
    ("a == 1)", .unexpected, 7), ("a == 1 b == 2", .unexpected, 8), ("== 1", .unexpected, 1),
    ("a == == 1", .unexpected, 6), ("a < b < c", .unexpected, 7), ("a b", .unexpected, 3),
    ("a == 1 AND OR", .unexpected, 12), ("a ; b", .unexpected, 3), ("a == ü ° b", .invalidName, 8),
    ("a == in", .unexpected, 6), ("a == AND", .unexpected, 6), ("a = \u{0} b", .unexpected, 5),
    ("a & b", .unsupported, 3), ("a | b", .unsupported, 3), ("a ^ b", .unsupported, 3),
    ("~a == 1", .unsupported, 1), ("a << 1 == 2", .unsupported, 3),
    ("a >> 1 == 2", .unsupported, 3), ("a ? b", .unexpected, 3),
    ("a := 1", .unexpected, 3), ("{1, 2} == a", .misplacedList, 8), ("a == {1}", .misplacedList, 3),
    ("a + {1} == 2", .misplacedList, 3), ("a IN {{1}}", .misplacedList, 7),
    ("a IN {1,}", .unexpected, 9), ("a IN (1, 2)", .unexpected, 8), ("a IN {1 2}", .unexpected, 9),
    ("a == 'x", .unterminatedString, 6), ("a == \"x'", .unterminatedString, 6),
    ("a == 'x\\", .unterminatedString, 6), ("a == 'x\\'", .unterminatedString, 6),
    (#"a == "\q""#, .invalidEscape, 7), (#"a == "\x4""#, .invalidEscape, 7),
    (#"a == "\uD800""#, .invalidEscape, 7), (#"a == "\U00110000""#, .invalidEscape, 7),
    (#"a == "\u+041""#, .invalidEscape, 7), (#"a == "\xé""#, .invalidEscape, 7),
    ("a == 12abc", .invalidNumber, 6), ("a == 0x", .invalidNumber, 6),
    ("a == 0b12", .invalidNumber, 6),
    ("a == 1e", .invalidNumber, 6), ("a == 1_000", .invalidNumber, 6),
    ("a == 9223372036854775808", .outOfRange, 6), ("a == -9223372036854775809", .outOfRange, 7),
    ("a == 0xFFFFFFFFFFFFFFFF", .outOfRange, 6), ("a == 1e999", .outOfRange, 6),
    ("a == 1.", .unexpected, 7), ("a == .5", .unexpected, 6),
    ("e\u{301} == 1", .invalidName, 1), ("# == 1", .invalidName, 1), ("$ == 1", .invalidName, 1),
    ("a.@ == 1", .invalidName, 3), ("$1 == 1", .invalidName, 1),
    ("a == %s", .invalidPlaceholder, 6), ("a == %", .invalidPlaceholder, 6),
    ("a == %x", .invalidPlaceholder, 6), ("a == %.2f", .invalidPlaceholder, 6),
    ("a == %1$@", .invalidPlaceholder, 6), ("a == %Kx", .invalidPlaceholder, 6),
    ("a % b == 1", .invalidPlaceholder, 3), ("%@", .unexpectedEnd, 3),
    ("a ==[x] b", .invalidOption, 6), ("a ==[cn] b", .invalidOption, 6),
    ("a ==[] b", .unexpected, 6),
    ("a ==[c b", .unexpected, 8), ("a BETWEEN[c] {1, 2}", .invalidOption, 11),
    ("a BETWEEN {1}", .unexpected, 3), ("a BETWEEN 1", .unexpected, 3),
    ("a MATCHES[d] 'x'", .unsupported, 3), ("a MATCHES[c] b", .unsupported, 3),
    ("'x' IN 'xyz'", .unsupported, 5), ("'x' IN name", .unsupported, 5),
    ("a IN 3", .unsupported, 3),
    ("a IN 'abc'", .unsupported, 3), ("a IN nil", .unsupported, 3),
    ("a IN[c] $list", .unsupported, 3),
    ("a IN[c] b", .unsupported, 3),
    ("ANY a.b BETWEEN {1, 2}", .unsupported, 1), ("NONE a.b BETWEEN {1, 2}", .unsupported, 1),
    ("ANY a IN b", .unsupported, 1), ("ANY (ANY a.b == 1)", .unsupported, 1),
    ("ANY a", .unexpectedEnd, 6), ("ANY NOT a == 1", .unexpected, 5),
    ("a ** 2 == 4", .unsupported, 3), ("FUNCTION(a, 'x') == 1", .unsupported, 1),
    ("random() == 1", .unsupported, 1), ("median:({1}) == 1", .unsupported, 1),
    ("count:(a) == 1", .unsupported, 1), ("sum:(a) == 1", .unsupported, 1),
    ("lenght:(a) == 1", .unknownFunction, 1), ("foo(a) == 1", .unknownFunction, 1),
    ("add:too:(a, b) == 1", .unknownFunction, 1), ("abs: == 1", .unexpected, 6),
    ("abs:() == 1", .argumentCount, 6), ("abs:(a, b) == 1", .argumentCount, 6),
    ("add:to:(a) == 1", .argumentCount, 9), ("now(1) == 1", .argumentCount, 5),
    ("CAST(a, 'NSDat') == 1", .unknownType, 9), ("CAST(a) == 1", .unexpected, 7),
    ("CAST(a, b) == 1", .unexpected, 9), ("CAST('x', 'NSDate') == 1", .invalidValue, 1),
    ("CAST('2024-02-30T00:00:00Z', 'NSDate') == a", .invalidValue, 1),
    ("CAST('1e', 'NSDecimalNumber') == a", .invalidValue, 1),
    ("CAST('x', 'NSUUID') == a", .invalidValue, 1), ("CAST('x', 'object') == a", .invalidValue, 1),
    ("CAST('1.5', 'integer') == a", .invalidValue, 1),
    ("CAST('€', 'NSData') == a", .invalidValue, 1),
    ("CAST(a, 'NSUUID') == b", .unsupported, 1),
    ("TERNARY(a, b, c) == 1", .unexpected, 10), ("TERNARY(a == 1, b) == 1", .unexpected, 18),
    ("a.@cont == 1", .unknownAggregate, 3),
    ("a.@distinctUnionOfObjects.b == 1", .unknownAggregate, 3),
    ("a.@sum == 1", .unexpected, 8), ("@count == 1", .unexpected, 1),
    ("SUBQUERY(books, $x, $x.@count == 1).@count == 1", .unexpected, 24),
    ("SUBQUERY(books, $x, SELF.@count == 1).@count == 1", .unexpected, 26),
    ("books.@valueCount.price == 1", .unknownAggregate, 7),
    ("valueCount:(books, $x, $x.price) == 1", .unsupported, 1),
    ("SUBQUERY(books, $x, sum:(SELF, $y, $y.price) == 1).@count == 1", .unsupported, 26),
    ("a.@count.b == 1", .unexpected, 9), ("a.@sum.@max.b == 1", .unexpected, 8),
    ("a.@sum.b.@max.c == 1", .unsupported, 3),
    ("a.b. == 1", .unexpected, 6), ("a..b == 1", .unexpected, 3), ("a.'x' == 1", .unexpected, 3),
    ("a[0] == 1", .unsupported, 2), ("a[FIRST] == 1", .unsupported, 2),
    ("a[SIZE == 1", .unexpected, 8),
    ("SUBQUERY(a, $x, $x.b == 1) == 1", .unsupported, 1),
    ("SUBQUERY(a, x, x.b == 1).@count > 0", .unexpected, 13),
    ("SUBQUERY(a, $x.y, a == 1).@count > 0", .unexpected, 13),
    ("SUBQUERY(3, $x, $x.b == 1).@count > 0", .unsupported, 10),
    ("SUBQUERY(a, $x, $x.b).@count > 0", .unexpected, 21),
    ("SUBQUERY(a, $x, $x.b == 1).b > 0", .unexpected, 28),
    ("$x.a == 1", .unsupported, 1), ("SUBQUERY(a, $x, $y.b == 1).@count > 0", .unsupported, 17),
    ("a == (b == 1)", .misplacedCondition, 6), ("(a == 1) == b", .misplacedCondition, 1),
    ("-(a == 1) == b", .misplacedCondition, 2), ("(a == 1) + 1 == b", .misplacedCondition, 1),
    ("a AND b == 1", .unexpected, 3), ("NOT a", .unexpectedEnd, 6), ("(a) AND (b)", .unexpected, 5),
    ("TRUE", .unexpectedEnd, 5), ("iskind:(\"Book\")", .unexpected, 9),
    ("SUBQUERY(a, $x, iskind:(SELF, 'B')).@count > 0", .unsupported, 17),
    ("as:(SELF, 'B') == 1", .unexpected, 16), ("variable:(x) == 1", .unexpected, 11),
    ("name BEGINWITH 'x'", .unexpected, 6), ("name CONTAIN 'x'", .unexpected, 6),
    ("a == 1 ADN b == 2", .unexpected, 8),
  ]

  @Test("an error names its place", arguments: errorCases)
  func place(text: String, code: PredicateFormatError.Code, column: Int) throws {
    let error = try #require(throws: PredicateFormatError.self) {
      // Some texts have placeholders, and need no arguments to be wrong.
      _ = try PredicateFormat(text)
    }
    #expect(error.code == code, "\(error)")
    #expect(error.column == column, "\(error)")
    #expect(error.line == 1)
    #expect(PredicateFormatError.Code.all.contains(error.code))
    // Before another line, the same place is on the second line.
    let second = try #require(throws: PredicateFormatError.self) {
      _ = try PredicateFormat("1 == 1 AND\n" + text)
    }
    if second.code == code, !["ADN", "BEGINWITH"].contains(error.found) {
      #expect(second.line == 2)
      #expect(second.column == column, "\(second)")
    }
  }

  /// A text, its arguments, what is wrong, the number of the argument, and the column.
  static let argumentCases: [(String, [FormatArgument], PredicateFormatError.Code, Int, Int)] = [
    ("a == %@", [], .missingArgument, 1, 6),
    ("a == %@ AND b == %@", [.value(1)], .missingArgument, 2, 18),
    ("a == 1", [.value(1)], .extraArgument, 1, 7),
    ("a == '%@'", [.value(1)], .extraArgument, 1, 10),
    ("a == %@", [.list([1])], .argumentKind, 1, 6),
    ("a + %@ == 1", [.list([1])], .argumentKind, 1, 5),
    ("a == %@", [.keyPath("b")], .argumentKind, 1, 6),
    ("a IN %@", [.keyPath("b")], .argumentKind, 1, 6),
    ("a == %d", [.keyPath("b")], .argumentKind, 1, 6),
    ("%K == 1", [.keyPath("a b")], .argumentKind, 1, 1),
    ("%K == 1", [.value(1)], .argumentKind, 1, 1),
    ("%K == 1", [.value(.null)], .argumentKind, 1, 1),
    ("%K == 1", [.value("a b")], .argumentKind, 1, 1),
    ("%K == 1", [.value("a.")], .argumentKind, 1, 1),
    ("%K == 1", [.value("")], .argumentKind, 1, 1),
    ("%K == 1", [.value("a == 1 OR b")], .argumentKind, 1, 1),
    ("%K == 1", [.value("a.@count")], .argumentKind, 1, 1),
    ("a.%K == 1", [.value(".b")], .argumentKind, 1, 3),
    ("SUBQUERY(a, $x, $x.%K == 1).@count > 0", [.value("-")], .argumentKind, 1, 20),
    ("a == %d", [.value("1")], .argumentKind, 1, 6),
    ("a == %d", [.value(1.5)], .argumentKind, 1, 6),
    ("a == %d", [.value(.null)], .argumentKind, 1, 6),
    ("a == %lld", [.list([1])], .argumentKind, 1, 6),
    ("a == %f", [.value(1)], .argumentKind, 1, 6),
    ("a IN %@", [.value("x")], .argumentKind, 1, 6),
    ("a IN %@", [.value(.null)], .argumentKind, 1, 6),
    ("%@ IN b", [.list([1])], .argumentKind, 1, 1),
    ("a LIKE %@", [.list([1])], .argumentKind, 1, 8),
    ("%@ IN name", [.value("x")], .unsupported, 0, 4),
    ("a IN {%@}", [.list([1])], .argumentKind, 1, 7),
    ("a BETWEEN %@", [.list([1])], .argumentKind, 1, 11),
    ("a BETWEEN %@", [.value(1)], .argumentKind, 1, 11),
    ("a MATCHES[c] %@", [.value(1)], .unsupported, 0, 3),
    ("CAST(%@, 'NSDate') == a", [.value("yesterday")], .invalidValue, 0, 1),
  ]

  @Test("an error of an argument names its number", arguments: argumentCases)
  func argument(
    text: String, arguments: [FormatArgument], code: PredicateFormatError.Code, number: Int,
    column: Int
  ) throws {
    let error = try #require(throws: PredicateFormatError.self) {
      _ = try FetchPredicate(format: text, arguments: arguments)
    }
    #expect(error.code == code, "\(error)")
    #expect(error.argument ?? 0 == number, "\(error)")
    #expect(error.column == column, "\(error)")
    #expect(!"\(error)".contains("yesterday"))
  }

  /// A text, and the sentence of its error.
  private static let sentenceCases: [(String, String)] = [
    (
      "name BEGINWITH 'x'",
      """
      1:6: unexpected 'BEGINWITH'; expected an operator, such as ==, < or CONTAINS; did you mean 'BEGINSWITH'? [format.unexpected]
        name BEGINWITH 'x'
             ^
      """
    ),
    (
      "a == 1 AND\n\tlenght:(b) > %@",
      """
      2:2: unknown function 'lenght:'; did you mean 'length'? [format.unknownFunction]
         lenght:(b) > %@
         ^
      """
    ),
    (
      "a == 🎨",
      """
      1:6: '🎨' is not a name; expected letters, digits and _; accented letters as one scalar [format.invalidName]
        a == 🎨
             ^
      """
    ),
    (
      "a.@summ.b > 1",
      """
      1:3: unknown aggregate '@summ'; did you mean '@sum'? [format.unknownAggregate]
        a.@summ.b > 1
          ^
      """
    ),
    (
      "SUBQUERY(a, $x, $x.b == 1) > 0",
      """
      1:1: SUBQUERY without an aggregate is not supported; write .@count > 0 after it, or .@sum and a property [format.unsupported]
        SUBQUERY(a, $x, $x.b == 1) > 0
        ^
      """
    ),
    (
      "a == %@",
      """
      1:6: argument 1 is missing; expected 1 argument, found 0 [format.missingArgument]
        a == %@
             ^
      """
    ),
  ]

  @Test("sentences", arguments: sentenceCases)
  func sentences(text: String, sentence: String) throws {
    let error = try #require(throws: PredicateFormatError.self) {
      _ = try FetchPredicate(format: text)
    }
    #expect("\(error)" == sentence)
  }

  @Test("a long line is cut around the place")
  func longLine() throws {
    let names = (0..<10_000).map { "a\($0) == 1" }.joined(separator: " OR ")
    let error = try #require(throws: PredicateFormatError.self) {
      _ = try PredicateFormat(names + " ? " + names)
    }
    let lines = "\(error)".split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.count < 120 })
    #expect(Array(lines[1])[lines[2].count - 1] == "?")
  }

  @Test("an error that a program makes has a sentence, too")
  func unknownCode() {
    let error = PredicateFormatError("app.other", text: "a", line: 7, column: -3, found: "x")
    #expect("\(error)" == "7:-3: found x [app.other]")
  }
}
