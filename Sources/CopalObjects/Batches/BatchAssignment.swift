public import CopalModel

/// A new value for an attribute in a batch: a constant, or a value that is calculated for each
/// object from its stored values.
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
  /// How the objects of a relationship are named; nil for an attribute, and for a to-one
  /// relationship whose object is the value.
  public var related: BatchRelated?
  /// Whether the value is the stored form of a transformable, and the version of its transformer.
  package var storedForm: StoredFormMark?

  /// Marks the value of an assignment as the stored form of a transformable.
  package struct StoredFormMark: Sendable, Hashable {
    package var version: Int?
  }

  /// The stored form of a transformable, for a tool that reads it from a file.
  package init(_ property: String, storedForm: PropertyValue, version: Int?) {
    (self.property, value, related) = (property, .constant(storedForm), nil)
    self.storedForm = StoredFormMark(version: version)
  }

  /// A new value for the attribute of that name.
  @inlinable
  public init(_ property: String, _ value: FetchExpression) {
    self.property = property
    self.value = value
    related = nil
  }
}

/// A part of the closure with the assignments of a batch: one assignment, or those of a statement.
public protocol BatchAssignmentPart {
  /// The assignments.
  var _assignments: [BatchAssignment] { get }
}

extension BatchAssignment: BatchAssignmentPart {
  /// The assignment.
  public var _assignments: [BatchAssignment] { [self] }
}

extension Array: BatchAssignmentPart where Element == BatchAssignment {
  /// The assignments.
  public var _assignments: [BatchAssignment] { self }
}

/// Collects the assignments of a closure.
@resultBuilder
public enum BatchAssignments {
  /// One assignment.
  public static func buildExpression(_ assignment: BatchAssignment) -> BatchAssignment {
    assignment
  }
  /// Some assignments.
  public static func buildExpression(_ assignments: [BatchAssignment]) -> [BatchAssignment] {
    assignments
  }
  // A closure is called for each row of an insert, so the usual one makes one array and nothing
  // else.
  /// One after the other.
  @inlinable
  public static func buildBlock(_ assignments: BatchAssignment...) -> [BatchAssignment] {
    assignments
  }
  /// One after the other, with those of statements such as `if` between them.
  public static func buildBlock<each Part: BatchAssignmentPart>(_ parts: repeat each Part)
    -> [BatchAssignment]
  {
    var all: [BatchAssignment] = []
    repeat all += (each parts)._assignments
    return all
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
  @inlinable
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
  @inlinable
  public func set(to value: V) -> BatchAssignment {
    BatchAssignment(_name, .constant(value.value))
  }

  /// Gives the attribute a value that is calculated for each object. The batch is refused where it
  /// is nil.
  public func set(to value: some QueryExpression<V>) -> BatchAssignment {
    BatchAssignment(_name, value._expression)
  }
}
