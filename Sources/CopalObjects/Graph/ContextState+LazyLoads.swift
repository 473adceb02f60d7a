extension ContextState {
  /// Runs a read that the program has asked for: it is no lazy load.
  func askedFor<R>(_ read: () throws -> R) rethrows -> R {
    guard let lazyLoads else { return try read() }
    return try lazyLoads.askedFor(read)
  }
}

extension ManagedObject {
  /// Runs a read that the program has asked for: it is no lazy load.
  final func askedFor<R>(_ read: () throws -> R) rethrows -> R {
    guard let state = core.state() else { return try read() }
    return try state.askedFor(read)
  }
}
