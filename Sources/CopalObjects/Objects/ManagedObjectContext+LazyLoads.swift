extension ManagedObjectContext {
  /// Runs the body, and throws at its end when something was read lazily in it. Use it in tests,
  /// and around loops that must need few statements.
  ///
  /// ```swift
  /// try context.forbiddingLazyLoads {
  ///   for painter in try context.fetch(Painter.fetchRequest().prefetching(\.paintings)) {
  ///     print(painter.name, painter.paintings.count)
  ///   }
  /// }
  /// ```
  ///
  /// A lazy load is a read of the store that a property causes: the values of a fault, the object
  /// of a to-one relationship that is a fault, the objects of a to-many relationship, or their
  /// number. It happens as always. A fetch, its prefetching, `load()`, `fulfill(_:)`,
  /// `existingObject(with:)`, `refresh(_:mergeChanges:)`, and what a deletion or a save reads
  /// itself, are no lazy loads.
  ///
  /// Calls nest: a lazy load in the inner body is also one in the outer body.
  ///
  /// - Parameters:
  ///   - trap: whether the first lazy load ends the program at once, so that a debugger or a crash
  ///     log shows where it is.
  ///   - body: what must not read lazily.
  /// - Throws: what the body throws. Else, after a lazy load, `object.lazyLoads`, whose `causes`
  ///   name each relationship that was read, the number of its objects, and the fetch that made
  ///   these.
  public func forbiddingLazyLoads<R>(trap: Bool = false, _ body: () throws -> R) throws -> R {
    let outer = state.lazyLoads
    let loads = LazyLoads(traps: trap || outer?.traps == true)
    state.lazyLoads = loads
    defer {
      outer?.add(loads)
      state.lazyLoads = outer
    }
    let result = try body()
    if let error = loads.error { throw error }
    return result
  }
}
