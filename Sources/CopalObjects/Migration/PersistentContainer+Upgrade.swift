import CopalModel
public import CopalStore

extension PersistentContainer {
  /// Encodes the older values of all versioned attributes again, with the current versions of their
  /// transformers.
  ///
  /// A value that is read is upgraded in memory anyway, and stored when it is set. Use this
  /// function to upgrade the file as a whole, for example before a version of the program that
  /// cannot decode the oldest form:
  ///
  /// ```swift
  /// let plan = try await container.upgradeTransformables(dryRun: true)
  /// print(plan.upgradedCount, "values to upgrade")
  /// try await container.upgradeTransformables { read, all in print("\(read) of \(all)") }
  /// ```
  ///
  /// It works on a background thread, in batches of 1,000 objects with a save for each, so that
  /// other contexts can save in between. After an interruption, the next call goes on with the
  /// values that are still old. No hook of a save is called and no rule is checked, because the
  /// values of the properties do not change. The versions of the rows are raised, as for any save.
  ///
  /// - Parameters:
  ///   - dryRun: whether nothing is written. The values are decoded and encoded, so that the result
  ///     has all failures.
  ///   - progress: is called on the background thread after each batch, with the number of objects
  ///     that were read and the number of all.
  /// - Returns: the counts and the failures.
  /// - Throws: what prevents reading or writing the store. The batches before it stay upgraded.
  @discardableResult
  public func upgradeTransformables(
    dryRun: Bool = false, progress: (@Sendable (_ read: Int, _ all: Int) -> Void)? = nil
  ) async throws -> TransformableUpgrade {
    try await perform { context in
      let entities = context.state.container.entities.filter { runtime in
        runtime.root == runtime.index
          && runtime.entities.contains {
            context.state.container.entities[$0].versionSlots.contains { $0 != nil }
          }
      }
      let results = try entities.map {
        try context.fetchBatches(FetchRequest<ManagedObject>(entityName: $0.layout.name))
      }
      let count = results.reduce(0) { $0 + $1.count }
      var upgrade = TransformableUpgrade()
      for objects in results {
        try objects.forEachBatch { batch in
          try context.upgrade(batch, dryRun: dryRun, &upgrade)
          progress?(upgrade.readCount, count)
        }
      }
      return upgrade
    }
  }
}

extension ManagedObjectContext {
  /// Upgrades the values of some objects, and saves them together.
  fileprivate func upgrade(
    _ objects: [ManagedObject], dryRun: Bool, _ upgrade: inout TransformableUpgrade
  ) throws {
    upgrade.readCount += objects.count
    var changed: ContiguousArray<ManagedObject> = []
    for object in objects where object.upgradeValues(&upgrade) { changed.append(object) }
    if changed.isEmpty { return }
    if dryRun { return rollback() }
    do {
      try saveEncoded(changed)
    } catch let error as PersistenceError where error.code == .saveFailed {
      // Another context has changed one of them: each one by itself, with its newest row.
      for object in changed { try upgradeAgain(object, &upgrade) }
    }
    rollback()
  }

  private func upgradeAgain(_ object: ManagedObject, _ upgrade: inout TransformableUpgrade) throws {
    do {
      try refresh(object, mergeChanges: true)
      try saveEncoded([object])
    } catch let error as PersistenceError
      where error.code == .saveFailed || error.code == .objectMissing
    {
      upgrade.failures.append(error)
      upgrade.upgradedCount -= 1
    }
  }
}

extension ManagedObject {
  /// Sets each older value again, so that a save encodes it.
  ///
  /// - Returns: whether there was one.
  fileprivate final func upgradeValues(_ upgrade: inout TransformableUpgrade) -> Bool {
    var found = false
    for slot in runtime.transformableSlots {
      guard let versionSlot = runtime.versionSlots[slot], let base,
        let transformer = runtime.transformers[slot], let current = transformer.version,
        transformer.allowsEncoding, rowHasValue(slot)
      else { continue }
      let version = BoundTransformer.version(base, versionSlot)
      if let version, version > current {
        upgrade.newerCount += 1
        continue
      }
      if version == current { continue }
      do {
        let value = try keptDecodedValue(slot)
        _ = try transformer.encodedForm(value)
        writeDecoded(slot, value, isPrimitive: false)
        upgrade.upgradedCount += 1
        found = true
      } catch {
        upgrade.failures.append(
          error as? PersistenceError
            ?? self.error(
              .encodeFailed, slot, found: transformer.name.rawValue, causes: [error]))
      }
    }
    return found
  }
}

/// What ``PersistentContainer/upgradeTransformables(dryRun:progress:)`` has done, or would do.
public struct TransformableUpgrade: Sendable {
  /// The number of objects that were read.
  public internal(set) var readCount = 0
  /// The number of values that were encoded again with the current version of their transformer.
  public internal(set) var upgradedCount = 0
  /// The number of values of a newer version, which are kept byte for byte.
  public internal(set) var newerCount = 0
  /// The values that could not be upgraded, each with its object and the error of its transformer.
  /// They are kept byte for byte.
  public internal(set) var failures: [PersistenceError] = []

  /// An upgrade that has read nothing.
  public init() {}
}
