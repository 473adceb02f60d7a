/// Releasing objects. Observers hear of the lists that lose their members.
extension ContextState {
  /// Releases the objects that are not referenced elsewhere, when enough objects were added since
  /// the last time.
  ///
  /// The threshold doubles with what stays, so that the cost per object is constant.
  func sweepIfDue() {
    if cohorts.isSweepDue || allMaps.contains(where: \.isSweepDue) { sweep() }
  }

  /// The same for one entity, after a look-up or a fetch.
  func sweepIfDue(_ entity: Int) {
    if maps[entity].isSweepDue { noteObservedOrders { maps[entity].sweep() } }
    if cohorts.isSweepDue { sweep() }
  }

  /// Releases the objects that are not referenced elsewhere.
  ///
  /// - Parameter visit: is called for each of the others; see ``IdentityMap/sweep(_:)``.
  func sweep(_ visit: (ManagedObject) -> Void = { _ in }) {
    noteObservedOrders { for map in allMaps { map.sweep(visit) } }
    cohorts.sweep(allMaps)
    relationships.sweep { entity, key in key > 0 && maps[entity].object(key) != nil }
  }
}
