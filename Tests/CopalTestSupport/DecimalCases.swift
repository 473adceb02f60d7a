import CopalModel
public import Foundation

/// The cases of decimal arithmetic that Python has calculated: `Scripts/make-number-cases`.
public enum DecimalCases {
  /// Two operands and the result of an operation.
  public struct Operation: Sendable, CustomStringConvertible {
    /// `+`, `-`, `*`, `/` or `%`; `?` for a comparison.
    public let name: String
    public let a: Decimal
    public let b: Decimal
    /// Such as `-12e-3`, or `nil`; for a comparison `<`, `=` or `>`.
    public let result: String
    public let description: String
  }

  /// The sum and the average of some values.
  public struct Group: Sendable, CustomStringConvertible {
    public let sum: String
    public let average: String
    public let values: [Decimal]
    public let description: String

    /// Whether an attribute with a scale can have all values.
    public func fits(scale: Int) -> Bool {
      values.allSatisfy { DecimalText.scaled($0, by: scale) != nil }
    }
  }

  public static func operations() throws -> [Operation] {
    try References.lines("DecimalOperations.txt").map { line in
      let words = line.split(separator: " ").map(String.init)
      return Operation(
        name: words[0], a: try decimal(words[1]), b: try decimal(words[2]), result: words[3],
        description: line)
    }
  }

  public static func groups() throws -> [Group] {
    try References.lines("DecimalSums.txt").map { line in
      let words = line.split(separator: " ").map(String.init)
      return Group(
        sum: words[0], average: words[1], values: try words[2...].map(decimal), description: line)
    }
  }

  /// A decimal in the form of the expected results: the shortest whole number, and its power of
  /// ten.
  public static func text(_ decimal: Decimal?) -> String {
    guard let decimal else { return "nil" }
    let parts = DecimalParts(decimal).shortest
    return "\(parts.isNegative ? "-" : "")\(parts.mantissa)e\(parts.exponent)"
  }

  private struct NotADecimal: Error { let text: String }

  private static func decimal(_ text: String) throws -> Decimal {
    let words = text.split(separator: "e")
    let isNegative = words[0].hasPrefix("-")
    guard words.count == 2, let mantissa = UInt128(words[0].drop { $0 == "-" }),
      let exponent = Int32(words[1])
    else { throw NotADecimal(text: text) }
    return DecimalParts(mantissa: mantissa, exponent: exponent, isNegative: isNegative).decimal
  }
}
