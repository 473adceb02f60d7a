public import CopalModel

/// What the closure of a condition returns: a ``FetchPredicate``, or a Boolean attribute alone.
///
/// ```swift
/// try context.fetch(Pigment.self) { $0.isLightfast }
/// try context.count(Pigment.self) { !$0.isLightfast && $0.price < 20 }
/// ```
///
/// Only the types of Copal conform to it.
public protocol FetchCondition {
  /// The condition as a value.
  // Underscored, so that it is not a second name of a predicate.
  var _predicate: FetchPredicate { get }
}

extension FetchPredicate: FetchCondition {
  /// The condition itself.
  public var _predicate: FetchPredicate { self }
}

extension RequiredQueryAttribute: FetchCondition where V == Bool {
  /// Whether the attribute is true.
  public var _predicate: FetchPredicate { self == true }
}

// Nil is neither, so a person says what it means.
@available(*, unavailable, message: "it can be nil; write == true, or != false")
extension QueryAttribute: FetchCondition where V == Bool {
  /// Not there: nil is neither true nor false.
  public var _predicate: FetchPredicate { misuse("unavailable") }
}

@available(*, unavailable, message: "it can be nil; write == true, or != false")
extension QueryPathAttribute: FetchCondition where V == Bool {
  /// Not there: nil is neither true nor false.
  public var _predicate: FetchPredicate { misuse("unavailable") }
}

// So that `.true` can be the whole closure, or a branch of it.
extension FetchCondition where Self == FetchPredicate {
  /// The condition that every object meets.
  public static var `true`: FetchPredicate { .constant(true) }
  /// The condition that no object meets.
  public static var `false`: FetchPredicate { .constant(false) }
}

// Not one generic function for each: with a mistake in a long condition, the compiler would try so
// many types that it gives up.
extension FetchPredicate {
  /// Whether the attribute and a condition are true.
  @_disfavoredOverload
  public static func && (a: RequiredQueryAttribute<Bool>, b: FetchPredicate) -> FetchPredicate {
    a._predicate && b
  }

  /// Whether a condition and the attribute are true.
  @_disfavoredOverload
  public static func && (a: FetchPredicate, b: RequiredQueryAttribute<Bool>) -> FetchPredicate {
    a && b._predicate
  }

  /// Whether the attribute or a condition is true.
  @_disfavoredOverload
  public static func || (a: RequiredQueryAttribute<Bool>, b: FetchPredicate) -> FetchPredicate {
    a._predicate || b
  }

  /// Whether a condition or the attribute is true.
  @_disfavoredOverload
  public static func || (a: FetchPredicate, b: RequiredQueryAttribute<Bool>) -> FetchPredicate {
    a || b._predicate
  }
}

extension RequiredQueryAttribute where V == Bool {
  /// Whether both attributes are true.
  @_disfavoredOverload
  public static func && (a: Self, b: Self) -> FetchPredicate { a._predicate && b._predicate }

  /// Whether at least one of the attributes is true.
  @_disfavoredOverload
  public static func || (a: Self, b: Self) -> FetchPredicate { a._predicate || b._predicate }

  /// Whether the attribute is false.
  public static prefix func ! (a: Self) -> FetchPredicate { !a._predicate }
}
