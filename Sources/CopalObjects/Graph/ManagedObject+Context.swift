public import CopalModel

/// An object and its context.
extension ManagedObject {
  /// The context that the object belongs to. Nil when the context has been released or reset, or
  /// has removed the object: after its deletion has been saved, or after a rollback of its
  /// insertion.
  public final var managedObjectContext: ManagedObjectContext? {
    flags.contains(.gone) ? nil : core.handle
  }

  /// For generated code: an id that does not change while the object is in its context. It is the
  /// same before and after the first save, also when the instance has been released in between. An
  /// instance keeps it after its deletion has been saved.
  public final var _copalStableID: ManagedObjectID {
    if flags.contains(.gone), let kept = cells?.stableKey {
      return ManagedObjectID(runtime.identity, kept)
    }
    guard key > 0,
      let first = core.state()?.temporaryKey(of: key, root: runtime.root)
    else { return objectID }
    return ManagedObjectID(runtime.identity, first)
  }
}
