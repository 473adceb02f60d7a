import CopalModel
import CopalTestTools
import Foundation
import Testing

@Suite("Parsing of names, types, decimals and dates")
struct ParsingTests {
  @Test(
    "a name in a model is a Swift identifier of any script",
    arguments: [
      ("name", true), ("_name", true), ("name2", true), ("größe", true), ("色", true), ("Ω", true),
      ("", false), ("2nd", false), ("full name", false), ("a-b", false), ("a.b", false),
      ("e\u{301}", false), ("🎨", false), ("\u{301}a", false), ("a\u{200B}", false), ("$a", false),
    ])
  func identifiers(name: String, isValid: Bool) {
    #expect(SwiftIdentifier.isValid(name) == isValid)
  }

  @Test(
    "the class of an attribute is a Swift type, and is written in canonical form",
    arguments: [
      ("Color", "Color"), ("CoreUI.Color", "CoreUI.Color"), ("[ Color ]", "[Color]"),
      ("[String:Color]", "[String: Color]"), ("Set< Color >", "Set<Color>"),
      ("[Color?]", "[Color?]"), ("[[String: [Color??]]]", "[[String: [Color??]]]"),
      ("Pair<Color,Int>.Left<A>", "Pair<Color, Int>.Left<A>"), ("Any", "Any"), ("色", "色"),
      ("", nil), ("Color?", nil), ("[Color", nil), ("Color]", nil), ("(Int, Int)", nil),
      ("() -> Int", nil), ("any P", nil), ("A & B", nil), ("Color.Type", nil), ("class", nil),
      ("[A: B: C]", nil), ("A<>", nil), ("A.", nil), (".A", nil), ("Color; exit(1)", nil),
      ("Color // x", nil), ("Color\n", nil), ("`class`", nil),
      (String(repeating: "[", count: 900), nil), (String(repeating: "A<", count: 400), nil),
    ] as [(String, String?)])
  func types(text: String, normalized: String?) {
    #expect(SwiftTypeText.normalized(text) == normalized)
  }

  @Test(
    "a decimal in a model is read exactly or refused",
    arguments: [
      ("0", "0"), ("-0", "0"), ("12.50", "12.5"), ("-3", "-3"), ("1e3", "1000"),
      ("1.5e-3", "0.0015"),
      ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
      ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
      ("-0.0000000000000000000000000000000000001", "-0.0000000000000000000000000000000000001"),
      ("10000000000000000000", "10000000000000000000"),
      ("1.0000000000000000000000000000000000000", "1"),
      ("123456789012345678901234567890123456789", nil), ("1e166", nil), ("4e165", nil),
      ("1e-129", nil), ("1e128", "1" + String(repeating: "0", count: 128)),
      ("3.14notanumber", nil), ("e", nil), ("0x10", nil), ("1,5", nil), ("", nil), (" 1", nil),
      ("+1", nil), (".5", nil), ("١", nil), ("1e99999999999999999999", nil),
    ] as [(String, String?)])
  func decimals(text: String, expected: String?) {
    #expect(DecimalLiteral(text)?.decimal.map { "\($0)" } == expected)
  }

  @Test("random decimals of up to 38 digits are equal after writing and reading")
  func randomDecimals() {
    var random = SplitMix(seed: 38)
    for _ in 0..<2000 {
      let length = Int.random(in: 1...38, using: &random)
      let digits = (0..<length).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
      let exponent = Int.random(in: -128...(127 - 38), using: &random)
      let text = "\(Int(digits.prefix(1)) == 0 ? "1" : "")\(digits.prefix(37))"
      guard let decimal = DecimalLiteral("\(text)e\(exponent)")?.decimal else {
        Issue.record("\(text)e\(exponent) is not read")
        continue
      }
      let again = DecimalLiteral("\(decimal)")
      #expect(again == DecimalLiteral("\(text)e\(exponent)"))
      #expect(again?.decimal == decimal)
    }
  }

  @Test(
    "a decimal fits a scale when the scaled number is a 64-bit integer",
    arguments: [
      ("12.50", 2, true), ("12.345", 2, false), ("12.340", 2, true), ("0", 18, true),
      ("9.223372036854775807", 18, true), ("9.223372036854775808", 18, false),
      ("-9.223372036854775808", 18, true), ("92233720368547758.07", 2, true), ("1e17", 2, false),
    ])
  func scales(text: String, scale: Int, fits: Bool) {
    #expect(DecimalLiteral(text)?.fits(scale: scale) == fits)
  }

  @Test(
    "a date in a model is ISO 8601 with a time zone",
    arguments: [
      ("2001-01-01T00:00:00Z", 0), ("2001-01-01T00:00:00.25Z", 0.25),
      ("2001-01-01T02:00:00+02:00", 0), ("2000-12-31T22:30:00-01:30", 0),
      ("1970-01-01T00:00:00Z", -978_307_200), ("2024-02-29T12:00:00Z", 730_900_800),
      ("0001-01-01T00:00:00Z", -63_113_904_000), ("9999-12-31T23:59:59Z", 252_423_993_599),
      ("2023-02-29T00:00:00Z", nil), ("1900-02-29T00:00:00Z", nil), ("2024-13-01T00:00:00Z", nil),
      ("2024-01-01T24:00:00Z", nil), ("2024-01-01T00:00:60Z", nil), ("2024-01-01", nil),
      ("2024-01-01T00:00:00", nil), ("2024-01-01 00:00:00Z", nil), ("2024-01-01T00:00:00.Z", nil),
      ("2024-01-01T00:00:00Z ", nil), ("0000-01-01T00:00:00Z", nil), ("now", nil), ("", nil),
      ("2024-01-01T00:00:00+24:00", nil), ("+2024-1-1T00:00:00Z", nil),
    ] as [(String, Double?)])
  func dates(text: String, seconds: Double?) {
    #expect(DateText.date(from: text)?.timeIntervalSinceReferenceDate == seconds)
  }

  @Test("random dates are equal bit for bit after writing and reading")
  func randomDates() {
    var random = SplitMix(seed: 2001)
    for index in 0..<2000 {
      let range = index % 2 == 0 ? -63_113_904_000.0...252_423_993_599 : -2.0...2.0
      let date = Date(timeIntervalSinceReferenceDate: .random(in: range, using: &random))
      let written = DateText.text(for: date)
      #expect(written.flatMap { DateText.date(from: $0) } == date)
    }
    #expect(DateText.text(for: Date(timeIntervalSinceReferenceDate: .infinity)) == nil)
    #expect(DateText.text(for: Date(timeIntervalSinceReferenceDate: 1e300)) == nil)
  }
}
