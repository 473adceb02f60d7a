import Copal

extension Room {
  /// Sets what other modules only read.
  public func enter(from other: Room) {
    visits += 1
    next = other
  }
}
