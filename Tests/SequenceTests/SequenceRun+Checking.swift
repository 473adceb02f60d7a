import Copal
import CopalTestSupport

/// Comparing a context with its plain model.
extension SequenceRun {
  /// Compares everything that can be seen without changing anything: faults stay faults.
  func check(_ context: RunningContext, _ random: inout SplitMix) throws {
    prune(context)
    // One read may have filled neighbors. The plain model does not say which.
    try fillFaults(context) { _ in
      context.plain.hasFired && self.sequence.stage.profile == .plain
    }
    context.plain.hasFired = false
    for plain in context.plain.changed {
      try require(
        context.pair(plain)?.real != nil, "an object with changes was released: \(plain.id)")
    }
    for pair in context.pairs {
      guard let real = pair.real else { continue }
      try check(real, pair, context, &random)
    }
    try checkChanges(context)
    try checkMetadata(context)
    let problems = ObjectInvariants(context.real).problems(known: context.pairs.compactMap(\.real))
    try require(problems.isEmpty, problems.joined(separator: "; "))
  }

  private func checkMetadata(_ context: RunningContext) throws {
    var expected = context.plain.world.store.metadata
    for (name, value) in context.plain.metadata { expected[name] = value }
    let found = try context.real.metadata.values().mapValues { "\($0)" }
    try require(found == expected, "the metadata is \(found) instead of \(expected)")
    let token = context.real.metadata["token"].map { "\($0)" }
    try require(token == expected["token"], "the token is \(token ?? "nil")")
  }

  /// Follows the faults that the context has filled, if it was allowed to.
  func fillFaults(_ context: RunningContext, where mayBeFilled: (PlainObject) -> Bool) throws {
    for pair in context.pairs where pair.plain.isFault {
      guard let real = pair.real else { continue }
      if real.isFault {
        // The row of a neighbor was asked for, and there is none.
        if real.isMissingInStore, mayBeFilled(pair.plain),
          context.plain.storedRow(of: pair.plain) == nil
        {
          pair.plain.isMissing = true
        }
        continue
      }
      guard mayBeFilled(pair.plain), let row = context.plain.storedRow(of: pair.plain) else {
        throw Difference("\(pair.name) was filled, and nobody has asked for it")
      }
      context.plain.fill(pair.plain, row)
    }
  }

  // MARK: One object

  private func check(
    _ real: ManagedObject, _ pair: Pair, _ context: RunningContext, _ random: inout SplitMix
  ) throws {
    let plain = pair.plain
    try require(
      real.isFault == plain.isFault,
      "\(pair.name) is \(real.isFault ? "" : "not ")a fault")
    for (name, found, expected) in [
      ("isInserted", real.isInserted, plain.isInserted),
      ("isUpdated", real.isUpdated, plain.isUpdated),
      ("isDeleted", real.isDeleted, plain.isDeleted),
      ("hasChanges", real.hasChanges, plain.hasChanges),
      (
        "hasPersistentChangedValues", real.hasPersistentChangedValues,
        context.plain.hasPersistentChanges(plain)
      ),
      ("without context", real.managedObjectContext == nil, plain.isGone),
    ] {
      try require(found == expected, "\(pair.name): \(name) is \(found)")
    }
    if let key = plain.key {
      try require(
        try real.objectID == permanentID(plain.entity.name, key),
        "\(pair.name) has the id \(real.objectID)")
    } else {
      try require(real.objectID.isTemporary, "\(pair.name) has the id \(real.objectID)")
    }
    // Looking at the values of a fault would fill it.
    if plain.isFault, !plain.isMissing { return }
    try checkValues(real, pair, context, &random)
    let (changed, expectedChanges) = (
      real.changedValues().mapValues { PlainValue($0) }, context.plain.changedValues(plain)
    )
    try require(
      changed == expectedChanges,
      "\(pair.name).changedValues() is \(changed) instead of \(expectedChanges)")
    let committed = real.committedValues().mapValues { PlainValue($0) }
    try require(
      committed == context.plain.committedValues(plain),
      "\(pair.name).committedValues() is \(committed) instead of \(context.plain.committedValues(plain))"
    )
    try require(
      ObjectInvariants.version(of: real) == plain.row?.version,
      "\(pair.name) is at version \(String(describing: ObjectInvariants.version(of: real))) instead of \(String(describing: plain.row?.version))"
    )
  }

  private func checkValues(
    _ real: ManagedObject, _ pair: Pair, _ context: RunningContext, _ random: inout SplitMix
  ) throws {
    // A transformable that was read is remembered, so that it is not always read.
    let looksClosely = Int.random(in: 0..<3, using: &random) > 0
    for attribute in pair.plain.entity.attributes where looksClosely || !attribute.isTransformable {
      let found = attribute.read(real)
      let expected = shown(pair.plain, attribute, context)
      try require(
        found == expected, "\(pair.name).\(attribute.name) is \(found) instead of \(expected)")
      let foundByName = outcome { PlainValue(try real.value(forKey: attribute.name)) }
      let expectedByName = valueByName(pair.plain, attribute, context)
      try require(
        foundByName == expectedByName,
        "\(pair.name)[\(attribute.name)] is \(foundByName) instead of \(expectedByName)")
    }
  }

  /// What a property shows.
  func shown(
    _ plain: PlainObject, _ attribute: PlainAttribute, _ context: RunningContext
  ) -> PlainValue {
    let value = context.plain.value(of: plain, attribute.name)
    return value == .none || value == .unreadable ? attribute.zero : value
  }

  /// What access by name gives.
  func valueByName(
    _ plain: PlainObject, _ attribute: PlainAttribute, _ context: RunningContext
  ) -> Outcome<PlainValue> {
    if let value = plain.transients[attribute.name] ?? plain.pending[attribute.name] {
      return .success(value)
    }
    if plain.isFault { return .failure(.objectMissing) }
    let value = context.plain.value(of: plain, attribute.name)
    return value == .unreadable ? .failure(.decodeFailed) : .success(value)
  }

  // MARK: The context

  private func checkChanges(_ context: RunningContext) throws {
    let plain = context.plain
    try require(
      context.real.hasChanges == !(plain.changed.isEmpty && plain.metadata.isEmpty),
      "the context \(context.real.hasChanges ? "has changes" : "has no changes")")
    try compare(
      "insertedObjects", context.real.insertedObjects,
      plain.objects.filter { $0.isInserted && !$0.isDeleted }, context)
    try compare(
      "updatedObjects", context.real.updatedObjects, plain.objects.filter(\.isUpdated), context)
    try compare(
      "deletedObjects", context.real.deletedObjects, plain.objects.filter(\.isDeleting), context)
  }

  private func compare(
    _ name: String, _ found: Set<ManagedObject>, _ expected: [PlainObject],
    _ context: RunningContext
  ) throws {
    let expectedObjects = Set(expected.compactMap { context.pair($0)?.real })
    try require(found == expectedObjects, "\(name) is \(found) instead of \(expectedObjects)")
  }
}
