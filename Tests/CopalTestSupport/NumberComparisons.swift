public import CopalModel
import Foundation

/// Two numbers of any types, and how Python compares them: `Scripts/make-number-cases`.
public struct NumberComparison: Sendable, CustomStringConvertible {
  public let a: PropertyValue
  public let b: PropertyValue
  /// `<`, `=` or `>` by the exact values; `?` for NaN.
  public let exact: String
  /// The same, where a double beside a decimal is the decimal that is written there.
  public let written: String
  public let description: String

  public static func all() throws -> [NumberComparison] {
    try References.lines("NumberComparisons.txt").map { line in
      let words = line.split(separator: " ").map(String.init)
      return NumberComparison(
        a: try value(words[0]), b: try value(words[1]), exact: words[2], written: words[3],
        description: line)
    }
  }

  /// Whether an operator is true for two numbers with this order.
  public static func isTrue(_ comparison: FetchPredicate.Operator, _ order: String) -> Bool {
    switch comparison {
    case .equal: order == "="
    case .notEqual: order != "="
    case .less: order == "<"
    case .lessOrEqual: order == "<" || order == "="
    case .greater: order == ">"
    case .greaterOrEqual: order == ">" || order == "="
    }
  }

  private struct NotANumber: Error { let text: String }

  private static func value(_ text: String) throws -> PropertyValue {
    let number = String(text.dropFirst())
    let value: PropertyValue? =
      switch text.first {
      case "i": Int64(number).map { .integer($0) }
      case "r": Double(number).map { .double($0) }
      default: DecimalText.written(number).map { .decimal($0) }
      }
    guard let value else { throw NotANumber(text: text) }
    return value
  }
}
