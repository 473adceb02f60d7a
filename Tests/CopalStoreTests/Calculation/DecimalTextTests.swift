import CopalModel
import CopalTestSupport
import Foundation
import Testing

@Suite("Decimals as text")
struct DecimalTextTests {
  @Test(
    "a decimal has one canonical text",
    arguments: [
      ("0", "0"), ("-0", "0"), ("0.0", "0"), ("00", "0"), ("007", "7"), ("1.10", "1.1"),
      ("-1.50", "-1.5"), ("100", "100"), ("100.00", "100"), ("0.001", "0.001"),
      ("10.01", "10.01"), ("-0.10", "-0.1"), ("1000000000000000000000", "1000000000000000000000"),
      (
        "99999999999999999999999999999999999999", "99999999999999999999999999999999999999"
      ),
      ("18446744073709551616", "18446744073709551616"),
      ("0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"),
      ("12345678901234567890.12345678901234567", "12345678901234567890.12345678901234567"),
      (
        "340282366920938463463374607431768211455", "340282366920938463463374607431768211455"
      ),
    ])
  func canonical(text: String, form: String) throws {
    let decimal = try #require(DecimalText.parse(text))
    #expect(DecimalText.string(decimal) == form)
    #expect(DecimalText.parse(form) == decimal)
    #expect(decimal == Decimal(string: text))
  }

  @Test(
    "a text is not a decimal when its form is wrong or it has too many digits",
    arguments: [
      "", "-", "+1", ".5", "5.", "-.5", "1e5", "1E5", "0x10", "1,5", " 1", "1 ", "1.2.3", "--1",
      "1-", "e", "3.14notanumber", "NaN", "inf", "١", "1\0", "1_000",
      "340282366920938463463374607431768211456",
      "1234567890123456789012345678901234567891",
      "1" + String(repeating: "0", count: 200), "0." + String(repeating: "0", count: 128) + "1",
    ])
  func refused(text: String) { #expect(DecimalText.parse(text) == nil) }

  @Test(
    "a decimal text without redundant zeros is canonical: 200,000 texts, and each form of a number")
  func idleZeros() {
    func hasNoRedundantZero(_ text: String) -> Bool {
      Array(text.utf8).withUnsafeBytes { DecimalText.hasNoRedundantZero($0) }
    }
    for text in ["", "007", "1.50", "-0", "0.0", "-0.0", "00", "-00.1", "10.10", "0.00"] {
      #expect(!hasNoRedundantZero(text), "\(text)")
    }
    var random = SplitMix(seed: 15)
    let signs = Array("00000123.-")
    for _ in 0..<200_000 {
      let count = Int.random(in: 0...8, using: &random)
      let text = String((0..<count).map { _ in signs[Int.random(in: 0..<10, using: &random)] })
      guard let decimal = DecimalText.parse(text) else { continue }
      #expect(hasNoRedundantZero(text) == (DecimalText.string(decimal) == text), "\(text)")
    }
  }

  @Test("leading zeros do not change a decimal text: 20,000 texts, most of them not numbers")
  func shortAndLong() {
    var random = SplitMix(seed: 7)
    let signs = Array("0123456789012345678901234567890.-x")
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...18, using: &random)
      let text = String((0..<count).map { _ in signs[Int.random(in: 0..<34, using: &random)] })
      let sign = text.hasPrefix("-") ? "-" : ""
      let rest = text.dropFirst(sign.count)
      // Leading zeros do not make a number of a text that starts with a point or is only a sign.
      if rest.first == "." || rest.isEmpty || rest.first == "-" {
        #expect(DecimalText.parse(text) == nil, "\(text)")
        continue
      }
      // Long enough for the slow path.
      let padded = sign + String(repeating: "0", count: 18) + rest
      #expect(DecimalText.parse(text) == DecimalText.parse(padded), "\(text)")
    }
  }

  @Test("NaN has no decimal text")
  func notANumber() {
    #expect(DecimalText.string(.nan) == "")
    #expect(DecimalText.scaled(.nan, by: 2) == nil)
  }

  /// A decimal of any length and exponent, sometimes at a limit.
  private static func decimal(_ random: inout SplitMix) -> Decimal {
    let digits = Int.random(in: 1...38, using: &random)
    var text = Bool.random(using: &random) ? "-" : ""
    for _ in 0..<digits { text += String(Int.random(in: 0...9, using: &random)) }
    let exponent = Int.random(in: -60...60, using: &random)
    return Decimal(string: text + "e\(exponent)") ?? 0
  }

  @Test("parsing and writing decimals agrees with Foundation for 10,000 numbers")
  func agreement() throws {
    var random = SplitMix(seed: 28)
    for _ in 0..<10_000 {
      let decimal = Self.decimal(&random)
      let text = DecimalText.string(decimal)
      #expect(DecimalText.parse(text) == decimal, "\(decimal)")
      #expect(text == (decimal == 0 ? "0" : decimal.description), "\(decimal)")
      #expect(text.utf8.count <= DecimalText.maximumLength)
      let other = Self.decimal(&random)
      #expect((DecimalText.string(other) == text) == (other == decimal))
    }
  }

  @Test("a decimal is exact as a scaled integer, or refused: 10,000 numbers")
  func scaled() throws {
    var random = SplitMix(seed: 12)
    for _ in 0..<10_000 {
      let scale = Int.random(in: 0...6, using: &random)
      let number = Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
      let decimal = DecimalText.decimal(scaled: number, by: scale)
      #expect(DecimalText.scaled(decimal, by: scale) == number)
      let power = Decimal(sign: .plus, exponent: -scale, significand: 1)
      #expect(decimal == Decimal(number) * power)
      // One digit more than the scale has.
      let finer = decimal + Decimal(sign: .plus, exponent: -scale - 1, significand: 1)
      #expect(DecimalText.scaled(finer, by: scale) == nil)
    }
  }

  @Test(
    "a scaled decimal supports the limits of 64 bits",
    arguments: [
      ("92233720368547758.07", 2, Int64.max), ("-92233720368547758.08", 2, .min),
      ("92233720368547758.08", 2, nil), ("-92233720368547758.09", 2, nil), ("1.234", 2, nil),
      ("9223372036854775807", 0, .max), ("-9223372036854775808", 0, .min), ("0", 6, 0),
      ("100000000000000000000000000000000000000", 0, nil), ("-1.20", 2, -120),
    ] as [(String, Int, Int64?)])
  func edges(text: String, scale: Int, integer: Int64?) throws {
    let decimal = try #require(DecimalText.parse(text))
    #expect(DecimalText.scaled(decimal, by: scale) == integer)
    if let integer { #expect(DecimalText.decimal(scaled: integer, by: scale) == decimal) }
  }
}
