/// A condition on objects, as a value. Typed queries build it; a program can also build it itself. It has the same
/// meaning in SQL and in memory.
///
/// ```swift
/// let predicate: FetchPredicate = .and([
///   .comparison(.attribute("name"), .equal, .constant("Ultramarine")),
///   .comparison(.attribute("price"), .less, .constant(.decimal(20))),
/// ])
/// ```
///
/// The meaning is Swift's, and a condition is either true or false: nil equals nil, differs from every value, and
/// is neither less nor greater than anything. Strings compare by their UTF-8 bytes.
///
/// A fetch throws `request.unknownProperty` for a name that the model does not have, `request.notQueryable` for a
/// transient attribute and for a comparison of a transformable with a value, and `request.tooComplex` when `and`
/// and `or` are nested more than 25 deep. A list of conditions may have any length.
public indirect enum FetchPredicate: Sendable, Hashable {
  /// True for every object, or for none.
  case constant(Bool)
  /// Whether the comparison of the two expressions holds.
  case comparison(Expression, Operator, Expression)
  /// Whether the expression is one of the values.
  case isIn(Expression, [PropertyValue])
  /// Whether all conditions are true. True for an empty list.
  case and([FetchPredicate])
  /// Whether at least one condition is true. False for an empty list.
  case or([FetchPredicate])
  /// Whether the condition is false.
  case not(FetchPredicate)

  /// One side of a comparison.
  public enum Expression: Sendable, Hashable {
    /// An attribute of the object, by name.
    case attribute(String)
    /// A value: `.null`, or one of the type of the attribute that it is compared with. A whole number may be
    /// used with a float, double or decimal attribute. Another type makes the fetch throw
    /// `request.predicateType`.
    case constant(PropertyValue)
  }

  /// How a comparison compares its two sides.
  public enum Operator: Sendable, Hashable, CaseIterable {
    /// `==`, `!=`, `<`, `<=`, `>` and `>=`.
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }
}

extension FetchPredicate.Operator {
  /// The opposite operator: between two values that are not nil, it is true where this one is false.
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

  /// The operator that has the same result after the two sides have been exchanged.
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
