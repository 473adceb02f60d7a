extension ContextState {
  /// The origin of the objects of a relationship of some owners.
  func origin(_ relationship: RelationshipRuntime, of runtime: EntityRuntime, _ owner: Int64?)
    -> CohortOrigin
  {
    let object = owner.flatMap { maps[runtime.index].object($0) }
    return .following(
      relationship, of: runtime, from: object.flatMap { cohorts.cohort(of: $0) })
  }

  /// The number of a cohort of faults to which a to-one relationship of an object and of its
  /// neighbors leads; 0 for none.
  func cohort(of keys: [Int64], followedBy slot: Int?, from owner: ManagedObject) -> UInt32 {
    if keys.count < 2, !keepsOrigins { return 0 }
    let origin = slot.map { slot in
      CohortOrigin.following(
        owner.runtime.relationship(ofSlot: slot), of: owner.runtime,
        from: cohorts.cohort(of: owner))
    }
    return cohorts.add(Cohort(keys: keys, size: keys.count, origin: origin))
  }

  /// The number of a cohort of objects that were read for their owners; 0 for none.
  func cohort(of objects: [ManagedObject], _ origin: CohortOrigin) -> UInt32 {
    if objects.count < 2, !keepsOrigins || objects.isEmpty { return 0 }
    return cohorts.add(Cohort(keys: objects.map(\.key), size: 100, origin: origin))
  }

  /// Sets the cohort of objects that have its number and were read for their owners.
  func noteCohort(_ number: UInt32, of keys: [Int64], in map: IdentityMap, _ origin: CohortOrigin) {
    if keys.count >= 2 || keepsOrigins && !keys.isEmpty {
      cohorts.set(number, Cohort(keys: keys, size: 100, origin: origin))
    } else if let object = keys.first.flatMap(map.object), object.cohort == number {
      object.cohort = 0
    }
  }

  /// Whether a single object needs a cohort, too, because its origin may be reported.
  var keepsOrigins: Bool { lazyLoads != nil || session.statements != nil }
}
