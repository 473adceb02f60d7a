import CopalModel

/// What a part of a predicate is in a condition.
indirect enum Term {
  /// A value of the program, which does not depend on the object. It may be an Optional.
  case constant(Any)
  /// A value of the object, or one that is calculated.
  case value(FetchExpression)
  /// A Boolean.
  case condition(FetchPredicate)
  /// An object.
  case object(ObjectTerm)
  /// The objects of a to-many relationship.
  case objects(FetchCollection)
  /// A range between two values.
  case range(FetchExpression, FetchExpression, includesUpper: Bool)
  /// An Optional: the term where the condition is true, and nil where it is false.
  case optional(FetchPredicate, Term)
}

/// An object in a predicate: one of those that are fetched or of a collection, or an object at the
/// end of a path.
struct ObjectTerm {
  /// The number of collections around the object's variable.
  let level: Int
  var base: Base

  enum Base {
    /// The object of the variable.
    case itself
    /// The object at the end of a path of to-one relationships.
    case path(String)
    /// The object of the variable, as one of a subentity.
    case subentity(String)
    /// The object of a to-one relationship of a subentity.
    case reference(entity: String, property: String)
  }
}

extension Term {
  /// The value of the program; nil for another term.
  var constant: Any? {
    if case .constant(let value) = self { return value }
    return nil
  }

  /// The same without the Optional, where the value is not nil.
  var unwrapped: Term {
    switch self {
    case .optional(_, let term): term
    case .constant(let value): Self.content(of: value).map(Term.constant) ?? self
    default: self
    }
  }

  /// The value in an Optional; nil for nil. Another value is its own content.
  static func content(of value: Any) -> Any? {
    guard let optional = value as? any OptionalValue else { return value }
    return optional.content.flatMap(content)
  }
}

/// An Optional of any type.
protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  var content: Any? { get }
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }
  var content: Any? { self }
}

extension FetchPredicate {
  /// Whether an expression has a value.
  static func hasValue(_ expression: FetchExpression) -> FetchPredicate {
    .comparison(expression, .notEqual, .constant(.null))
  }

  /// Whether the condition is false wherever the other one is.
  func implies(_ other: FetchPredicate) -> Bool {
    guard case .comparison(let value, .notEqual, .constant(.null)) = other else {
      return other == .constant(true) || self == other
    }
    switch self {
    case .comparison(let a, .equal, .constant(let b)): return !b.isNull && a.isNil(with: value)
    case .comparison(_, .equal, _), .comparison(_, .notEqual, _): return self == other
    case .comparison(let a, _, let b): return a.isNil(with: value) || b.isNil(with: value)
    case .text(let a, _, let b): return a.isNil(with: value) || b.isNil(with: value)
    case .isIn(let a, _): return a.isNil(with: value)
    case .and(let parts): return parts.contains { $0.implies(other) }
    default: return false
    }
  }
}

extension FetchExpression {
  /// Whether the expression is nil wherever the other one is: it is calculated from it, or a
  /// property of the object of it.
  func isNil(with other: FetchExpression) -> Bool {
    if self == other || isProperty(of: other) { return true }
    guard case .call(let function, let arguments) = self, function != .ifNil else { return false }
    return arguments.contains { $0.isNil(with: other) }
  }

  private func isProperty(of object: FetchExpression) -> Bool {
    switch (self, object) {
    case (.property(let name), .property(let path)): name.hasPrefix(path + ".")
    case (.outer(let a, let name), .outer(let b, let path)): a == b && name.isProperty(of: path)
    default: false
    }
  }
}
