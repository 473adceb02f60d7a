import CopalModel

/// What the handler of Core Data's batch insert returns: true at the end.
// A conformance, and no unavailable overload of insertAll: with two overloads, the compiler reports
// other mistakes in a closure in worse words.
@available(
  *, unavailable,
  message: "return .insert in place of Core Data's false, and .end in place of its true"
)
extension BatchStep: ExpressibleByBooleanLiteral {
  /// Core Data's result of a handler.
  public init(booleanLiteral value: Bool) { misuse("unavailable") }
}
