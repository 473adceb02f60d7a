import CopalEssentials
public import CopalModel
public import CopalObjects
import CopalStore

#if canImport(FoundationInternationalization)
  public import FoundationInternationalization
#else
  public import Foundation
#endif

extension FetchSortKey {
  /// The key that a `SortDescriptor` stands for.
  ///
  /// ```swift
  /// let key = try FetchSortKey(SortDescriptor(\Pigment.price, order: .reverse))
  /// ```
  ///
  /// Texts are ordered by their bytes. On Apple's platforms, the comparator `.localized` becomes
  /// `alphabetical`, and `.localizedStandard`, which is the default there, becomes `natural`.
  ///
  /// - Throws: ``PersistenceError`` with the code `predicate.keyPath` for a property that the
  ///   entity does not have, and `predicate.unsupported` for an order by ids.
  public init<Object: QueryableObject>(_ descriptor: SortDescriptor<Object>) throws {
    guard let path = descriptor.keyPath else {
      throw PersistenceError(
        .predicateUnsupported, found: "a SortDescriptor without a key path",
        expected: "use one with a key path")
    }
    guard case .named(let name) = try KeyPathNames.property(path, of: Object.self) else {
      throw PersistenceError(
        .predicateUnsupported, found: "an order by the ids of objects",
        expected: "leave it out: without an order, objects come in the order of their insertion")
    }
    self.init(name, isAscending: descriptor.order == .forward)
    #if canImport(Darwin)
      switch descriptor.stringComparator {
      case .some(.localizedStandard): textOrder = .natural
      case .some(.localized): textOrder = .alphabetical
      default: break
      }
    #endif
  }
}
