/// What a closure that fills an object says about it.
public enum BatchStep: Sendable {
  /// The object is to be inserted, and the closure is called again.
  case insert
  /// There are no more objects. That of this call is not inserted.
  case end
}
