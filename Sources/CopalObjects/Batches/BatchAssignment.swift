public import CopalModel

/// A new value for an attribute in a batch: a constant, or a value that is calculated for each object from its stored values.
///
/// ```swift
/// try context.updateAll(Pigment.self, where: { $0.price < 5 }) {
///   $0.price.set(to: $0.price * 2)
///   $0.code.set(to: nil)
/// }
/// ```
public struct BatchAssignment: Sendable, Hashable {
  /// The name of the attribute.
  public var property: String
  /// The new value.
  public var value: FetchExpression

  /// A new value for the attribute of that name.
  public init(_ property: String, _ value: FetchExpression) {
    self.property = property
    self.value = value
  }
}

/// Collects the assignments of a closure.
@resultBuilder
public enum BatchAssignments {
  /// One assignment.
  public static func buildExpression(_ assignment: BatchAssignment) -> [BatchAssignment] {
    [assignment]
  }
  /// Some assignments.
  public static func buildExpression(_ assignments: [BatchAssignment]) -> [BatchAssignment] {
    assignments
  }
  /// One after the other.
  public static func buildBlock(_ parts: [BatchAssignment]...) -> [BatchAssignment] {
    parts.flatMap(\.self)
  }
  /// Those of an `if` without an `else`.
  public static func buildOptional(_ part: [BatchAssignment]?) -> [BatchAssignment] { part ?? [] }
  /// Those of an `if`.
  public static func buildEither(first: [BatchAssignment]) -> [BatchAssignment] { first }
  /// Those of an `else`.
  public static func buildEither(second: [BatchAssignment]) -> [BatchAssignment] { second }
  /// Those of a loop.
  public static func buildArray(_ parts: [[BatchAssignment]]) -> [BatchAssignment] {
    parts.flatMap(\.self)
  }
}

extension QueryAttribute {
  /// Gives the attribute a value in a batch; nil for none.
  public func set(to value: V?) -> BatchAssignment {
    BatchAssignment(_name, .constant(value.map { $0.value } ?? .null))
  }

  /// Gives the attribute a value that is calculated for each object.
  public func set(to value: some QueryExpression<V>) -> BatchAssignment {
    BatchAssignment(_name, value._expression)
  }
}

extension RequiredQueryAttribute {
  /// Gives the attribute a value in a batch.
  public func set(to value: V) -> BatchAssignment {
    BatchAssignment(_name, .constant(value.value))
  }

  /// Gives the attribute a value that is calculated for each object. The batch is refused where it is nil.
  public func set(to value: some QueryExpression<V>) -> BatchAssignment {
    BatchAssignment(_name, value._expression)
  }
}
