/// The entity of an object.
extension ManagedObject {
  /// Whether the object is one of an entity or of a subentity of it.
  ///
  /// The comparison with the object's own entity nearly always decides.
  @inline(__always)
  final func isObject(of entity: Int) -> Bool { runtime.index == entity || inherits(from: entity) }

  // Not inlined: otherwise the compiler counts a reference to the runtime in every call, which
  // takes longer than the rest of reading a to-one relationship.
  @inline(never)
  private final func inherits(from entity: Int) -> Bool { runtime.isKind(of: entity) }
}
