public import CopalEssentials
public import CopalModel
public import CopalObjects

extension FetchPredicate {
  /// The condition that a `#Predicate` stands for.
  ///
  /// ```swift
  /// let limit: Decimal = 20
  /// let cheap = try FetchPredicate(#Predicate<Pigment> { $0.price < limit })
  /// ```
  ///
  /// It is the condition of the closure with the same words.
  /// [FoundationPredicates.md](FoundationPredicates.md) lists what a predicate may contain.
  ///
  /// - Throws: ``PersistenceError`` with the code `predicate.unsupported`, `predicate.keyPath` or
  ///   `predicate.value` for a part that has no form in a store.
  public init<Object: QueryableObject>(_ predicate: Predicate<Object>) throws {
    self = try PredicateTranslation.condition(predicate)
  }
}
