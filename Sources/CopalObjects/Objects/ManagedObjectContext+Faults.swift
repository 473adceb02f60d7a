extension ManagedObjectContext {
  func makeFault(_ runtime: EntityRuntime, key: Int64, cohort: UInt32) -> ManagedObject {
    NewObjects(state, core).fault(key, runtime, cohort)
  }

  /// Makes faults neighbors, so that one statement reads many of them.
  func makeCohort(
    of faults: some Collection<ManagedObject>, size: Int, origin: CohortOrigin? = nil
  ) {
    guard faults.count > 1 || state.keepsOrigins && !faults.isEmpty else { return }
    let number = state.cohorts.add(Cohort(keys: faults.map(\.key), size: size, origin: origin))
    for fault in faults { fault.cohort = number }
  }
}
