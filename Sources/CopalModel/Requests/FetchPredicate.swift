/// A condition on objects: a value, built by typed queries or by hand, that means the same in SQL
/// and in memory.
///
/// ```swift
/// let predicate: FetchPredicate = .and([
///   .comparison(.attribute("name"), .equal, .constant("Ultramarine")),
///   .comparison(.attribute("price"), .less, .constant(.decimal(20))),
/// ])
/// ```
///
/// The meaning is Swift's, in two values: `nil` equals `nil`, differs from everything else, and is
/// neither less nor greater than anything. Strings compare by their UTF-8 bytes.
public indirect enum FetchPredicate: Sendable, Hashable {
  /// Always or never true.
  case constant(Bool)
  case comparison(Expression, Operator, Expression)
  /// Whether the expression is one of the values.
  case isIn(Expression, [PropertyValue])
  case and([FetchPredicate])
  case or([FetchPredicate])
  case not(FetchPredicate)

  /// What a comparison compares.
  public enum Expression: Sendable, Hashable {
    /// An attribute of the object, by name.
    case attribute(String)
    case constant(PropertyValue)
  }

  public enum Operator: Sendable, Hashable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }
}

extension FetchPredicate.Operator {
  /// The operator that is true where this one is false, between two values that are not `nil`.
  public var negated: Self {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    }
  }

  /// The operator that says the same with its sides exchanged.
  public var mirrored: Self {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}
