public import CopalModel

/// A value of an object in a typed query: an attribute, for example.
///
/// It has what all values have in common. Texts have [tests of their
/// own](Fetching.md#texts-in-conditions).
public protocol QueryExpression<Value>: Sendable {
  /// The type of the value, without the Optional.
  associatedtype Value: ValueConvertible
  /// The value in a condition.
  // Underscored, so that no member hides the name of an attribute.
  var _expression: FetchExpression { get }
}

extension QueryAttribute: QueryExpression {
  /// The attribute in a condition.
  public var _expression: FetchExpression { _scope.expression(.property(_name)) }
  /// The type of the attribute.
  public typealias Value = V
}

extension RequiredQueryAttribute: QueryExpression {
  /// The attribute in a condition.
  public var _expression: FetchExpression { _scope.expression(.property(_name)) }
  /// The type of the attribute.
  public typealias Value = V
}

extension QueryPathAttribute: QueryExpression {
  /// The attribute in a condition.
  public var _expression: FetchExpression { expression }
  /// The type of the attribute.
  public typealias Value = V
}

/// Ranges of values.
///
/// ```swift
/// try context.fetch(Pigment.self) { $0.price.isIn(5..<20) && $0.density.isIn(2.5...) }
/// ```
///
/// An object without a value is in no range. A range uses an index of the attribute.
extension QueryExpression where Value: Comparable {
  /// Whether the value is in a range that includes both ends.
  public func isIn(_ range: ClosedRange<Value>) -> FetchPredicate {
    .and([compared(.greaterOrEqual, range.lowerBound), compared(.lessOrEqual, range.upperBound)])
  }

  /// Whether the value is in a range that does not include its upper end.
  public func isIn(_ range: Range<Value>) -> FetchPredicate {
    .and([compared(.greaterOrEqual, range.lowerBound), compared(.less, range.upperBound)])
  }

  /// Whether the value is the bound of the range or greater.
  public func isIn(_ range: PartialRangeFrom<Value>) -> FetchPredicate {
    compared(.greaterOrEqual, range.lowerBound)
  }

  /// Whether the value is less than the bound of the range.
  public func isIn(_ range: PartialRangeUpTo<Value>) -> FetchPredicate {
    compared(.less, range.upperBound)
  }

  /// Whether the value is the bound of the range or less.
  public func isIn(_ range: PartialRangeThrough<Value>) -> FetchPredicate {
    compared(.lessOrEqual, range.upperBound)
  }

  private func compared(_ comparison: FetchPredicate.Operator, _ value: Value) -> FetchPredicate {
    .comparison(_expression, comparison, .constant(value.value))
  }
}
