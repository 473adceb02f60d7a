public import CopalEssentials
public import CopalModel
public import CopalObjects
import CopalStore

#if canImport(FoundationInternationalization)
  public import FoundationInternationalization
#else
  public import Foundation
#endif

/// Fetching with Foundation's `#Predicate` and `SortDescriptor`.
extension ManagedObjectContext {
  /// The objects of a class that meet a predicate.
  ///
  /// ```swift
  /// let pigments = try context.fetch(
  ///   #Predicate<Pigment> { $0.price < 20 }, sortBy: [SortDescriptor(\.price)])
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: the condition.
  ///   - sortDescriptors: the order, the most significant key first; without them, the order of
  ///     insertion.
  ///   - limit: the greatest number of objects; nil for no limit.
  ///   - offset: the number of objects to leave out at the start.
  /// - Throws: ``PersistenceError`` with a code of `predicate.…` for what has no form in a store,
  ///   and as `fetch(_:)` with a request.
  public func fetch<T: QueryableObject>(
    _ predicate: Predicate<T>, sortBy sortDescriptors: [SortDescriptor<T>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws -> [T] {
    try fetch(request(predicate, sortDescriptors, limit: limit, offset: offset))
  }

  /// The ids of the objects of a class that meet a predicate.
  ///
  /// ```swift
  /// let ids = try context.fetchIDs(#Predicate<Pigment> { $0.price < 20 })
  /// ```
  ///
  /// - Throws: as ``fetch(_:sortBy:limit:offset:)``.
  public func fetchIDs<T: QueryableObject>(
    _ predicate: Predicate<T>, sortBy sortDescriptors: [SortDescriptor<T>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws -> [ManagedObjectID] {
    try fetchIDs(request(predicate, sortDescriptors, limit: limit, offset: offset))
  }

  /// The number of objects of a class that meet a predicate.
  ///
  /// ```swift
  /// let cheap = try context.count(#Predicate<Pigment> { $0.price < 20 })
  /// ```
  ///
  /// - Throws: as ``fetch(_:sortBy:limit:offset:)``.
  public func count<T: QueryableObject>(_ predicate: Predicate<T>) throws -> Int {
    try count(request(predicate))
  }

  /// The first object of a class that meets a predicate; nil when there is none. Reads at most one
  /// row.
  ///
  /// ```swift
  /// let cheapest = try context.first(
  ///   #Predicate<Pigment> { $0.isLightfast }, sortBy: [SortDescriptor(\.price)])
  /// ```
  ///
  /// - Throws: as ``fetch(_:sortBy:limit:offset:)``.
  public func first<T: QueryableObject>(
    _ predicate: Predicate<T>, sortBy sortDescriptors: [SortDescriptor<T>] = []
  ) throws -> T? {
    try first(request(predicate, sortDescriptors))
  }

  /// The only object of a class that meets a predicate; nil when there is none. Reads at most two
  /// rows.
  ///
  /// ```swift
  /// let woad = try context.one(#Predicate<Pigment> { $0.name == "Woad" })
  /// ```
  ///
  /// - Throws: `request.severalObjects` when there are two or more, and as
  ///   ``fetch(_:sortBy:limit:offset:)``.
  public func one<T: QueryableObject>(_ predicate: Predicate<T>) throws -> T? {
    try one(request(predicate))
  }

  /// Whether there is an object of a class that meets a predicate. Reads at most one key, and makes
  /// no object.
  ///
  /// ```swift
  /// if try !context.exists(#Predicate<Pigment> { $0.name == "Woad" }) {
  ///   Pigment(context: context, name: "Woad")
  /// }
  /// ```
  ///
  /// - Throws: as ``fetch(_:sortBy:limit:offset:)``.
  public func exists<T: QueryableObject>(_ predicate: Predicate<T>) throws -> Bool {
    try exists(request(predicate))
  }

  private func request<T: QueryableObject>(
    _ predicate: Predicate<T>, _ sortDescriptors: [SortDescriptor<T>] = [], limit: Int? = nil,
    offset: Int = 0
  ) throws -> FetchRequest<T> {
    var request = try FetchRequest(predicate: predicate, sortDescriptors: sortDescriptors)
    (request.limit, request.offset) = (limit, offset)
    return request
  }
}
