import Copal
import CopalModel
import Foundation
import Testing

/// A typed closure, and the text that means the same condition.
struct ClosureCase: Sendable, CustomTestStringConvertible {
  let text: String
  let arguments: [FormatArgument]
  /// What the closure returned.
  let closure: FetchPredicate
  /// How the condition is printed; nil when it is the text of the case.
  let printed: String?
  var testDescription: String { text }

  /// Compares the two as trees, and as they are printed.
  func check() throws {
    let read = try FetchPredicate(format: text, arguments: arguments)
    #expect(read == closure)
    #expect(read.format == closure.format)
    if let printed {
      #expect(closure.format == printed)
    } else if arguments.isEmpty {
      #expect(closure.format == text)
    }
    #expect(try FetchPredicate(format: closure.format) == closure)
  }
}

/// A list of cases. Each call is one statement, so that the compiler needs little time.
struct ClosureCases: Sendable {
  private(set) var all: [ClosureCase] = []

  init(_ fill: (inout ClosureCases) -> Void) { fill(&self) }

  /// A closure about objects of a class, and its text.
  mutating func same<Object: QueryableObject>(
    _ type: Object.Type, _ text: String, _ arguments: (any PredicateArgument)?...,
    prints printed: String? = nil, _ closure: (QueryProperties<Object>) -> FetchPredicate
  ) {
    all.append(
      ClosureCase(
        text: text, arguments: arguments.map { $0?.formatArgument ?? .value(.null) },
        closure: closure(QueryProperties()), printed: printed))
  }
}
