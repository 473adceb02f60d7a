package import CopalEssentials

/// A decimal number exactly as it is written: an integer of digits and a power of ten.
///
/// Foundation's `Decimal(string:)` silently stops at an unknown letter and cuts a number that is
/// too long. A model's numbers are read exactly or not at all.
package struct DecimalLiteral: Equatable {
  package var isNegative: Bool
  /// The digits without zeros at either end; empty for zero.
  package var digits: String
  /// The power of ten by which `digits` is multiplied.
  package var exponent: Int

  /// Reads `-12.50`, `3` or `1.5e-3`; `nil` for anything else.
  package init?(_ text: String) {
    guard text.utf8.count <= 1000, Self.isNumber(text.utf8) else { return nil }
    var mantissa = Substring(text)
    var power = 0
    if let e = mantissa.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      // A larger exponent fits no number type; within the bound, no sum overflows.
      guard let number = Int(written: String(mantissa[mantissa.index(after: e)...])),
        (-1_000_000...1_000_000).contains(number)
      else { return nil }
      power = number
      mantissa = mantissa[..<e]
    }
    isNegative = mantissa.first == "-"
    if isNegative { mantissa.removeFirst() }
    let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    let all = (String(parts[0]) + fraction).drop { $0 == "0" }
    let trailing = all.reversed().prefix { $0 == "0" }.count
    digits = String(all.dropLast(trailing))
    exponent = digits.isEmpty ? 0 : power - fraction.count + trailing
  }

  /// The number of digits after the point.
  package var fractionLength: Int { max(0, -exponent) }

  /// The number as a `Decimal`; `nil` for more than 38 digits, and for one that no decimal is.
  package var decimal: Decimal? {
    guard digits.count <= 38, exponent >= -128 else { return nil }
    guard !digits.isEmpty else { return Decimal(0) }
    guard let mantissa = UInt128(written: digits) else { return nil }
    return DecimalParts.fitting(mantissa, exponent: exponent, isNegative)?.decimal
  }

  /// Whether the number is a 64-bit integer after the point is moved right by `scale` digits.
  package func fits(scale: Int) -> Bool {
    guard fractionLength <= scale, digits.count <= 19 else { return false }
    let zeros = String(repeating: "0", count: digits.isEmpty ? 0 : min(exponent + scale, 20))
    return Int64(written: (isNegative ? "-" : "") + (digits.isEmpty ? "0" : digits) + zeros) != nil
  }
}

extension DecimalLiteral {
  /// Whether the text is a number in JSON's grammar: `-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?`.
  static func isNumber(_ text: some Collection<UInt8>) -> Bool {
    var rest = text[...]
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    func dropDigits() -> Int {
      let count = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let digits = dropDigits()
    guard digits == 1 || (digits > 1 && !startsWithZero) else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard dropDigits() > 0 else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard dropDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
