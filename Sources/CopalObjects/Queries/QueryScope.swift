public import CopalModel

/// Whose properties a typed query names: those of the objects that are fetched, or of the objects
/// of a to-many relationship in a closure. Generated code passes it on.
///
/// ```swift
/// try context.fetch(Painter.self) { painter in
///   painter.pigments.contains { pigment in pigment.price > painter.budget }
/// }
/// ```
@frozen
public struct QueryScope: Sendable {
  /// The number of closures of collections around the properties.
  @usableFromInline let level: Int

  /// The scope of the objects that are fetched.
  @inlinable
  public init() { level = 0 }

  init(level: Int) { self.level = level }

  /// An expression about the objects of the scope.
  ///
  /// Inside the closures of collections, a negative number of levels is that of the scope itself.
  /// ``CollectionClosure`` replaces it.
  func expression(_ expression: FetchExpression) -> FetchExpression {
    level == 0 ? expression : .outer(-level, expression)
  }

  /// For generated code: whether an object of the scope is one of an entity.
  public func isKind(_ entity: String) -> FetchPredicate {
    level == 0
      ? .isKind(entity)
      : .comparison(.outer(-level, .object), .equal, .constant(.string(entity)))
  }
}
