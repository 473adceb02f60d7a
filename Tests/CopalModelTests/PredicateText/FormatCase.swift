import CopalModel
import Foundation
import Testing

/// A text with its arguments, and the condition that it means.
struct FormatCase: Sendable, CustomTestStringConvertible {
  let text: String
  let arguments: [FormatArgument]
  let predicate: FetchPredicate
  /// The condition as a text; nil when it is the text of the case.
  let printed: String?
  var testDescription: String { text }

  init(
    _ text: String, _ arguments: any PredicateArgument..., means predicate: FetchPredicate,
    prints printed: String? = nil
  ) {
    self.text = text
    self.arguments = arguments.map(\.formatArgument)
    self.predicate = predicate
    self.printed = printed
  }

  func check() throws {
    let found = try FetchPredicate(format: text, arguments: arguments)
    #expect(found == predicate, "\(text): \(found)")
    let printed = found.format
    #expect(printed == self.printed ?? text)
    #expect(try FetchPredicate(format: printed) == predicate, "\(printed)")
  }
}

/// Short forms of expressions.
let a = FetchExpression.property("a")
let b = FetchExpression.property("b")

func value(_ value: PropertyValue) -> FetchExpression { .constant(value) }

func equal(_ x: FetchExpression, _ y: FetchExpression) -> FetchPredicate {
  .comparison(x, .equal, y)
}

extension FetchPredicate.TextOptions {
  static let both: Self = [.caseInsensitive, .diacriticInsensitive]
}
