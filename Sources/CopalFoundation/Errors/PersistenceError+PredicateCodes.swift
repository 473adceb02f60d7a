import CopalModel
public import CopalStore

/// Conditions written with `#Predicate`, and orders written with `SortDescriptor`.
extension PersistenceError.Code {
  /// A `#Predicate` has a part that cannot become a condition of a store.
  public static let predicateUnsupported = Self("predicate.unsupported") {
    "\($0.foundText) has no form in a store: \($0.expectedText)"
  }
  /// A `#Predicate` or a `SortDescriptor` names a property that the model does not have.
  public static let predicateKeyPath = Self("predicate.keyPath") {
    "a property of \($0.entity ?? "a class") of the type \($0.foundText) is not one that a store has: \($0.expectedText)"
  }
  /// A `#Predicate` contains a value of a type that no attribute has.
  public static let predicateValue = Self("predicate.value") {
    "a #Predicate contains a value of the type \($0.foundText), which no condition can compare: convert it before the predicate, or compare another attribute"
  }
}
