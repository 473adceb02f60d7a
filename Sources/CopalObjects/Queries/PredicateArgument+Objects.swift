public import CopalModel

/// An object is an argument of a condition from a text: it stands for its id.
///
/// ```swift
/// let predicate = try FetchPredicate(format: "maker == %@", maker)
/// ```
extension ManagedObject: PredicateValue {
  /// The id of the object as a value.
  public final var predicateValue: PropertyValue { .object(objectID) }
}

extension ToMany: PredicateArgument {
  /// The ids of the objects, for `IN`.
  public var formatArgument: FormatArgument { .list(map(\.predicateValue)) }
}

extension OrderedToMany: PredicateArgument {
  /// The ids of the objects, for `IN`.
  public var formatArgument: FormatArgument { .list(map(\.predicateValue)) }
}
