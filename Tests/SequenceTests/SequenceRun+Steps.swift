import Copal
import CopalTestSupport
import Foundation

/// What each operation does to a context and to its plain model.
extension SequenceRun {
  func step(_ kind: Operation.Kind, in context: RunningContext, _ random: inout SplitMix) throws {
    context.plain.hasFired = false
    switch kind {
    case .insert: try insert(context, &random)
    case .set: try set(context, &random, isPrimitive: false)
    case .setPrimitive: try set(context, &random, isPrimitive: true)
    case .setAgain: try setAgain(context, &random)
    case .setTaken: try setTaken(context, &random)
    case .touch: touch(context, &random)
    case .befriend: befriend(context, &random)
    case .delete: delete(context, &random)
    case .read: try read(context, &random)
    case .fulfill: try fulfill(context, &random)
    case .object: try object(context, &random)
    case .existingObject: try existingObject(context, &random)
    case .objects: try objects(context, &random)
    case .fetch: try fetch(context, &random)
    case .count: try count(context, &random)
    case .fetchIDs: try fetchIDs(context, &random)
    case .refresh: try refresh(context, &random, mergesChanges: false)
    case .merge: try refresh(context, &random, mergesChanges: true)
    case .refreshAll:
      note(context, "refresh all objects")
      context.real.refreshAllObjects()
      // Objects that are not referenced elsewhere are released, and not turned into faults first.
      prune(context)
      context.plain.refreshAllObjects()
    case .rollback:
      note(context, "roll back")
      context.real.rollback()
      context.plain.rollback()
    case .reset:
      note(context, "reset")
      context.real.reset()
      context.plain.reset()
    case .save: try save(context)
    case .release: release(context, &random)
    case .look: try look(context)
    case .setMetadata: setMetadata(context, &random)
    }
    try pairDrawers(context)
  }

  /// One of the objects that the test references; sometimes one that its context has released.
  private func pick(
    _ context: RunningContext, _ random: inout SplitMix,
    where isWanted: (Pair) -> Bool = { _ in true }
  ) -> Pair? {
    let allowsGone = Int.random(in: 0..<12, using: &random) == 0
    return context.held.filter { (allowsGone || !$0.plain.isGone) && isWanted($0) }
      .randomElement(using: &random)
  }

  // MARK: Metadata

  private func setMetadata(_ context: RunningContext, _ random: inout SplitMix) {
    let name = ["token", "anchor", "é"].randomElement(using: &random) ?? "token"
    let value: MetadataValue? =
      [nil, 1, "one", .boolean(true), .double(0.5), .data(Data([1, 2]))]
      .randomElement(using: &random) ?? nil
    note(context, "set metadata \(name)")
    // Canonically equivalent names are one name.
    context.real.metadata[name == "é" ? "e\u{301}" : name] = value
    context.plain.metadata.updateValue(value.map { "\($0)" }, forKey: name)
  }

  // MARK: Objects

  private func insert(_ context: RunningContext, _ random: inout SplitMix) throws {
    let isStudy = Int.random(in: 0..<3, using: &random) > 0
    let real: ManagedObject? =
      if isStudy {
        // The initializer asks for the class that serves the entity.
        sequence.stage.profile == .hooks
          ? HabitualStudy(context: context.real) : Study(context: context.real)
      } else if Bool.random(using: &random) {
        Drawer(context: context.real)
      } else {
        try? context.real.insert("Drawer")
      }
    guard let real else { return }
    let plain = context.plain.insert(isStudy ? "Study" : "Drawer")
    let pair = context.pair(real, plain, isHeld: true)
    note(context, "insert \(plain.entity.name) \(pair.name)")
    // Most objects get their required values.
    if isStudy, Int.random(in: 0..<8, using: &random) > 0 {
      let title = plain.entity.attribute("title")
      try set(
        pair, title, title.choices.randomElement(using: &random) ?? .none, false, context, &random)
    }
  }

  private func set(
    _ context: RunningContext, _ random: inout SplitMix, isPrimitive: Bool
  ) throws {
    guard let pair = pick(context, &random),
      let attribute = pair.plain.entity.attributes.randomElement(using: &random),
      let value = attribute.choices.randomElement(using: &random)
    else { return }
    try set(pair, attribute, value, isPrimitive, context, &random)
  }

  private func set(
    _ pair: Pair, _ attribute: PlainAttribute, _ value: PlainValue, _ isPrimitive: Bool,
    _ context: RunningContext, _ random: inout SplitMix
  ) throws {
    guard let real = pair.real else { return }
    note(context, "\(pair.name).\(attribute.name) = \(value)\(isPrimitive ? " (primitive)" : "")")
    if isPrimitive {
      try real.setPrimitiveValue(value.any, forKey: attribute.name)
    } else if Bool.random(using: &random) {
      try attribute.write(real, value)
    } else {
      try real.setValue(value.any, forKey: attribute.name)
    }
    context.plain.set(pair.plain, attribute.name, value, isPrimitive: isPrimitive)
  }

  /// Sets an attribute to what it is, or to what it was.
  private func setAgain(_ context: RunningContext, _ random: inout SplitMix) throws {
    guard let pair = pick(context, &random, where: { !$0.plain.isFault }),
      let attribute = pair.plain.entity.attributes.randomElement(using: &random)
    else { return }
    let value =
      Bool.random(using: &random)
      ? context.plain.value(of: pair.plain, attribute.name)
      : context.plain.committedValue(of: pair.plain, attribute.name)
    if value == .unreadable { return }
    try set(pair, attribute, value, false, context, &random)
  }

  /// Sets unique attributes to what a row in the store has.
  private func setTaken(_ context: RunningContext, _ random: inout SplitMix) throws {
    guard let pair = pick(context, &random),
      let names = pair.plain.entity.unique.randomElement(using: &random),
      let row = world.store.rows[pair.plain.entity.name]?.sorted(by: { $0.key < $1.key })
        .randomElement(using: &random)?.value
    else { return }
    for name in names {
      try set(pair, pair.plain.entity.attribute(name), row[name], false, context, &random)
    }
  }

  private func touch(_ context: RunningContext, _ random: inout SplitMix) {
    guard let pair = pick(context, &random), let real = pair.real,
      let attribute = pair.plain.entity.attributes.randomElement(using: &random)
    else { return }
    note(context, "\(pair.name) did change \(attribute.name)")
    real.didChangeValue(forKey: attribute.name)
    context.plain.touch(pair.plain)
  }

  /// Gives a study another one that its hooks change.
  private func befriend(_ context: RunningContext, _ random: inout SplitMix) {
    guard let pair = pick(context, &random, where: { $0.real is HabitualStudy }),
      let other = pick(context, &random, where: { $0.real is HabitualStudy })
    else { return }
    note(context, "\(pair.name).friend = \(other.name)")
    (pair.real as? HabitualStudy)?.friend = other.real as? HabitualStudy
    pair.plain.friend = other.plain
  }

  private func delete(_ context: RunningContext, _ random: inout SplitMix) {
    guard let pair = pick(context, &random), let real = pair.real else { return }
    note(context, "delete \(pair.name)")
    context.real.delete(real)
    context.plain.delete(pair.plain)
  }

  private func read(_ context: RunningContext, _ random: inout SplitMix) throws {
    guard let pair = pick(context, &random), let real = pair.real,
      let attribute = pair.plain.entity.attributes.randomElement(using: &random)
    else { return }
    note(context, "read \(pair.name).\(attribute.name)")
    let isThere =
      pair.plain.transients[attribute.name] ?? pair.plain.pending[attribute.name] != nil
    if Bool.random(using: &random) {
      let found = attribute.read(real)
      if !isThere { context.plain.fire(pair.plain) }
      try require(
        found == shown(pair.plain, attribute, context),
        "\(pair.name).\(attribute.name) is \(found) instead of \(shown(pair.plain, attribute, context))"
      )
    } else {
      let found = outcome { PlainValue(try real.value(forKey: attribute.name)) }
      if !isThere { context.plain.fire(pair.plain) }
      let expected = valueByName(pair.plain, attribute, context)
      try require(
        found == expected, "\(pair.name)[\(attribute.name)] is \(found) instead of \(expected)")
    }
  }

  private func refresh(
    _ context: RunningContext, _ random: inout SplitMix, mergesChanges: Bool
  ) throws {
    guard let pair = pick(context, &random), let real = pair.real else { return }
    note(context, "refresh \(pair.name)\(mergesChanges ? ", merging changes" : "")")
    let found = outcome { try context.real.refresh(real, mergeChanges: mergesChanges) }
    let expected = outcome {
      try context.plain.refresh(pair.plain, mergesChanges: mergesChanges)
    }
    try compare(found, expected)
  }

  private func fulfill(_ context: RunningContext, _ random: inout SplitMix) throws {
    guard let pair = pick(context, &random), let real = pair.real else { return }
    if Bool.random(using: &random) {
      note(context, "fulfill \(pair.name)")
      let found = outcome { try context.real.fulfill(real) }
      context.plain.fire(pair.plain)
      try compare(
        found,
        pair.plain.isFault && pair.plain.isMissing
          ? .failure(.objectMissing) : .success(Nothing()))
    } else {
      let all = context.held.filter { $0.plain.entity.name == pair.plain.entity.name }
      note(context, "fulfill \(all.map(\.name).joined(separator: ", "))")
      let found = outcome { try context.real.fulfill(all.compactMap(\.real)) }
      let faults = all.filter { $0.plain.isFault && !$0.plain.isGone }
      for fault in faults { context.plain.fire(fault.plain) }
      try compare(
        found,
        faults.contains { $0.plain.isMissing } ? .failure(.objectMissing) : .success(Nothing()))
    }
  }

  // MARK: Lifetimes

  private func release(_ context: RunningContext, _ random: inout SplitMix) {
    for pair in context.held where Int.random(in: 0..<3, using: &random) == 0 {
      note(context, "release \(pair.name)")
      pair.held = nil
    }
  }

  /// Reads all objects of the context, which makes it release those that are not referenced
  /// elsewhere.
  private func look(_ context: RunningContext) throws {
    note(context, "look at the registered objects")
    let found = context.real.registeredObjects
    prune(context)
    for object in found {
      guard let pair = context.pair(object) else {
        throw Difference("a registered object that nobody knows: \(object)")
      }
      try require(!pair.plain.isGone, "\(pair.name) is registered, and gone")
    }
    for pair in context.pairs
    where !pair.plain.isGone && (pair.held != nil || pair.plain.hasChanges) {
      try require(
        pair.real.map(found.contains) == true, "\(pair.name) is not among the registered objects")
    }
  }

  /// Removes the objects that the context has released because they were not referenced elsewhere.
  func prune(_ context: RunningContext) {
    context.pairs.removeAll { pair in
      guard pair.real == nil else { return false }
      context.plain.objects.removeAll { $0 === pair.plain }
      return true
    }
  }

  /// Pairs the drawers that hooks have made with their plain models.
  private func pairDrawers(_ context: RunningContext) throws {
    for pair in context.pairs {
      guard let study = pair.real as? HabitualStudy else { continue }
      try require(
        study.drawers.count == pair.plain.drawers.count,
        "the hooks of \(pair.name) made \(study.drawers.count) drawers instead of \(pair.plain.drawers.count)"
      )
      for (real, plain) in zip(study.drawers, pair.plain.drawers) where context.pair(real) == nil {
        context.pair(real, plain, isHeld: true)
      }
      (study.drawers, pair.plain.drawers) = ([], [])
    }
  }
}
