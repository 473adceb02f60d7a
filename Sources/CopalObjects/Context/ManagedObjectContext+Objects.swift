extension ManagedObjectContext {
  /// The objects that the next save deletes.
  public var deletedObjects: Set<ManagedObject> {
    state.readAllDeletions()
    return Set(
      state.changed.objects.filter { $0.flags.contains(.deleted) && !$0.flags.contains(.gone) })
  }

  /// The objects that the context has now: those that the program still holds, and those with
  /// changes. The cost is linear in the number of objects.
  public var registeredObjects: Set<ManagedObject> {
    state.readAllDeletions()
    state.sweep()
    var objects: Set<ManagedObject> = []
    state.forEachRegistered { objects.insert($0) }
    return objects.union(insertedObjects)
  }
}
