import CopalModel
import CopalStore
import CopalTestTools
import Foundation
import Testing

@Suite("The errors of texts of conditions in Docs/Errors.md")
struct FormatErrorPageTests {
  /// For each code, a text that throws it.
  private static let texts: [(PredicateFormatError.Code, String, [FormatArgument])] = [
    (.unexpected, "name BEGINWITH 'U'", []),
    (.unexpectedEnd, "price > 12 AND", []),
    (.unterminatedString, "name == 'Woad", []),
    (.invalidEscape, #"name == "C:\woad""#, []),
    (.invalidNumber, "grams > 1_000", []),
    (.outOfRange, "grams > 9223372036854775808", []),
    (.invalidName, "name == 🎨", []),
    (.invalidValue, "added > CAST('2024-02-30T00:00:00Z', 'NSDate')", []),
    (.invalidOption, "name CONTAINS[x] 'mer'", []),
    (.invalidPlaceholder, "name == %s", []),
    (.missingArgument, "price > %@ AND name == %@", [.value(.decimal(12))]),
    (.extraArgument, "name == '%@'", [.value("Woad")]),
    (.argumentKind, "name IN %@", [.value("Woad")]),
    (.unknownFunction, "lenght:(name) > 3", []),
    (.argumentCount, "abs:(price, cost) > 3", []),
    (.unknownType, "CAST(price, 'NSDat') == added", []),
    (.unknownAggregate, "pigments.@summ.price > 30", []),
    (.unsupported, "SUBQUERY(paintings, $p, $p.year < 1480) > 0", []),
    (.misplacedList, "name == {'Woad', 'Ochre'}", []),
    (.misplacedCondition, "isToxic == (price > 12)", []),
    (.tooDeep, String(repeating: "(", count: 101) + "a == 1", []),
    (.tooLong, "name == '" + String(repeating: "x", count: 1 << 20) + "'", []),
  ]

  @Test("a heading of a code has the sentence of an error with this code")
  func everyCode() throws {
    #expect(Self.texts.map(\.0) == PredicateFormatError.Code.all)
    let all = try Self.texts.map { code, text, arguments in
      let error = try #require(throws: PredicateFormatError.self) {
        _ = try FetchPredicate(format: text, arguments: arguments)
      }
      #expect(error.code == code, "\(error)")
      return "\(error)"
    }
    #expect(try ErrorPage.missing(Self.texts.map(\.0.rawValue), of: all) == [])
  }
}
