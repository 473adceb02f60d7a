public import CopalEssentials
public import CopalModel
public import CopalObjects
public import CopalStore

#if canImport(FoundationInternationalization)
  public import FoundationInternationalization
#else
  public import Foundation
#endif

extension FetchRequest where Object: QueryableObject {
  /// A request with Foundation's types: the condition of a `#Predicate`, and the order of sort
  /// descriptors.
  ///
  /// ```swift
  /// var request = try FetchRequest(
  ///   predicate: #Predicate<Pigment> { $0.price < 20 }, sortDescriptors: [SortDescriptor(\.name)])
  /// request.limit = 20
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: the condition; nil for all objects.
  ///   - sortDescriptors: the order, the most significant key first; without them, the order of
  ///     insertion.
  /// - Throws: ``PersistenceError`` with a code of `predicate.…` for what has no form in a store.
  public init(
    predicate: FoundationPredicate<Object>?, sortDescriptors: [SortDescriptor<Object>] = []
  ) throws {
    self.init(
      predicate: try predicate.map { try FetchPredicate($0) },
      sortKeys: try sortDescriptors.map { try FetchSortKey($0) })
  }
}

/// Foundation's predicate about one object. In a ``FetchRequest``, `Predicate` is the type of
/// Copal's condition.
///
/// ```swift
/// let cheap: FoundationPredicate<Pigment> = #Predicate { $0.price < 20 }
/// ```
public typealias FoundationPredicate<Object> = Predicate<Object>

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
