import Copal
import CopalTestSupport

/// Looking objects up, and fetching.
extension SequenceRun {
  // MARK: By id

  /// The kind of an id for a context.
  private enum Meaning {
    case saved(String, Int64)
    case new(PlainObject)
    case unsaved
  }

  private func randomID(_ context: RunningContext, _ random: inout SplitMix) throws -> (
    id: ManagedObjectID, meaning: Meaning
  ) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...1:
      guard let (id, plain) = context.temporaryIDs.randomElement(using: &random) else { break }
      if let key = plain.key {
        let isDeleted = context.plain.deletedKeys[plain.entity.name]?.contains(key) == true
        return (id, isDeleted ? .unsaved : .saved(plain.entity.name, key))
      }
      return (id, plain.isGone ? .unsaved : .new(plain))
    case 2:
      // A temporary id of another context, which only that context can resolve.
      let others = contexts.filter { $0 !== context }.flatMap(\.temporaryIDs)
      guard let (id, _) = others.randomElement(using: &random) else { break }
      return (id, .unsaved)
    default: break
    }
    let entity = Int.random(in: 0..<3, using: &random) > 0 ? "Study" : "Drawer"
    let key = randomKey(entity, &random)
    return (try permanentID(entity, key), .saved(entity, key))
  }

  /// A key that an object has or had, or that no object will have.
  private func randomKey(_ entity: String, _ random: inout SplitMix) -> Int64 {
    let last = world.store.lastKey[entity] ?? 0
    if last == 0 || Int.random(in: 0..<12, using: &random) == 0 { return 1_000_000 }
    return Int64.random(in: 1...last, using: &random)
  }

  func object(_ context: RunningContext, _ random: inout SplitMix) throws {
    let (id, meaning) = try randomID(context, &random)
    note(
      context, "object(with: \(id.entityName)/\(id.description.split(separator: "/").last ?? ""))")
    let found = outcome { try context.real.object(with: id) }
    let expected: Outcome<PlainObject> =
      switch meaning {
      case .saved(let entity, let key): .success(context.plain.objectOrFault(entity, key))
      case .new(let plain): .success(plain)
      case .unsaved: .failure(.objectUnsaved)
      }
    try match(found, expected, context)
  }

  func existingObject(_ context: RunningContext, _ random: inout SplitMix) throws {
    let (id, meaning) = try randomID(context, &random)
    note(
      context,
      "existingObject(with: \(id.entityName)/\(id.description.split(separator: "/").last ?? ""))")
    let found = outcome { try context.real.existingObject(with: id) }
    let expected: Outcome<PlainObject> =
      switch meaning {
      case .saved(let entity, let key):
        outcome { try context.plain.existingObject(entity, key) }
      case .new(let plain): .success(plain)
      case .unsaved: .failure(.objectUnsaved)
      }
    try match(found, expected, context)
  }

  /// Several objects by id, whose faults become neighbors.
  func objects(_ context: RunningContext, _ random: inout SplitMix) throws {
    // Neighbors are read together. The plain model does not say when, and hooks would show the
    // difference.
    if sequence.stage.profile == .hooks { return }
    let entity = Bool.random(using: &random) ? "Study" : "Drawer"
    let keys = (0..<4).map { _ in randomKey(entity, &random) }
    note(context, "objects(with: \(entity) \(keys))")
    let found = try context.real.objects(with: keys.map { try permanentID(entity, $0) })
    for (real, key) in zip(found, keys) {
      try match(real, context.plain.objectOrFault(entity, key), context, isHeld: true)
    }
  }

  private func match(
    _ found: Outcome<ManagedObject>, _ expected: Outcome<PlainObject>, _ context: RunningContext
  ) throws {
    switch (found, expected) {
    case (.success(let real), .success(let plain)):
      try match(real, plain, context, isHeld: true)
    case (.failure(let code), .failure(let expected)) where code == expected:
      noteOutcome("\(code)")
    default: throw Difference("\(found) instead of \(expected)")
    }
  }

  /// Makes sure that an object is the one that the plain model expects.
  private func match(
    _ real: ManagedObject, _ plain: PlainObject, _ context: RunningContext, isHeld: Bool
  ) throws {
    if let pair = context.pair(plain) {
      try require(pair.real === real, "\(pair.name) is another instance")
      if isHeld { pair.held = real }
      noteOutcome(pair.name)
      return
    }
    if let pair = context.pair(real) {
      throw Difference("\(pair.name) came where an object was expected that was not there yet")
    }
    if let key = plain.key {
      try require(
        try real.objectID == permanentID(plain.entity.name, key),
        "\(real.objectID) instead of \(key)")
    }
    noteOutcome(context.pair(real, plain, isHeld: isHeld).name)
  }

  // MARK: Requests

  private func randomRequest(_ random: inout SplitMix) -> PlainRequest {
    let entity = world.schema.entities[Int.random(in: 0..<3, using: &random) > 0 ? 0 : 1]
    var request = PlainRequest(entity: entity.name)
    if Int.random(in: 0..<4, using: &random) > 0 {
      request.condition = condition(entity, depth: 2, &random)
    }
    let sortable = entity.stored.filter { !$0.isTransformable }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      guard let attribute = sortable.randomElement(using: &random) else { continue }
      request.order.append((attribute.name, Bool.random(using: &random)))
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      request.limit = Int.random(in: 0...3, using: &random)
    }
    if Int.random(in: 0..<5, using: &random) == 0 {
      request.offset = Int.random(in: 0...2, using: &random)
    }
    return request
  }

  private func condition(
    _ entity: PlainEntity, depth: Int, _ random: inout SplitMix
  ) -> Condition {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
    case 5: .not(condition(entity, depth: depth - 1, &random))
    case 6:
      .and(
        condition(entity, depth: depth - 1, &random), condition(entity, depth: depth - 1, &random))
    case 7, 8:
      .or(
        condition(entity, depth: depth - 1, &random), condition(entity, depth: depth - 1, &random))
    case 0 where entity.name == "Study":
      .compareAttributes(
        ["shelf", "place", "rank"].randomElement(using: &random) ?? "rank",
        FetchPredicate.Operator.allCases.randomElement(using: &random) ?? .equal,
        ["shelf", "place", "rank"].randomElement(using: &random) ?? "rank")
    default: leaf(entity, &random)
    }
  }

  private func leaf(_ entity: PlainEntity, _ random: inout SplitMix) -> Condition {
    guard let attribute = entity.stored.randomElement(using: &random) else { return .all }
    if attribute.isTransformable { return .hasValue(attribute.name) }
    if Int.random(in: 0..<4, using: &random) == 0 {
      let list = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        attribute.choices.randomElement(using: &random) ?? .none
      }
      return .isIn(attribute.name, list)
    }
    return .compare(
      attribute.name, FetchPredicate.Operator.allCases.randomElement(using: &random) ?? .equal,
      attribute.choices.randomElement(using: &random) ?? .none)
  }

  func fetch(_ context: RunningContext, _ random: inout SplitMix) throws {
    var request = randomRequest(&random)
    request.returnsFaults = Int.random(in: 0..<4, using: &random) == 0
    request.refreshes = Int.random(in: 0..<5, using: &random) == 0
    // Neighbors of a fault are read with it. Hooks would notice that, so these faults have no
    // neighbors.
    request.batchSize =
      sequence.stage.profile == .hooks ? 1 : Int.random(in: 1...4, using: &random)
    let isHeld = Bool.random(using: &random)
    note(context, "fetch \(request)")
    let found = try context.real.fetch(request.real)
    let expected = context.plain.find(request)
    noteOutcome("")
    try require(
      found.count == expected.count,
      "\(found.map(\.objectID.description)) instead of \(expected.map { name($0, context) })")
    for (real, expected) in zip(found, expected) {
      let plain = take(expected, request, context)
      try match(real, plain, context, isHeld: isHeld)
    }
  }

  private func take(_ found: PlainFound, _ request: PlainRequest, _ context: RunningContext)
    -> PlainObject
  {
    switch found {
    case .row(let key):
      let row = request.returnsFaults ? nil : world.store[request.entity, key]
      return context.plain.register(request.entity, key, row: row)
    case .object(let plain):
      guard let row = context.plain.storedRow(of: plain) else { return plain }
      if request.returnsFaults {
        if request.refreshes, !plain.hasChanges, !plain.isFault {
          context.plain.turnIntoFault(plain)
        }
      } else if plain.isFault {
        context.plain.fill(plain, row)
      } else if request.refreshes, !plain.hasChanges, plain.row?.version != row.version {
        context.plain.rebase(plain, on: row)
      }
      return plain
    }
  }

  private func name(_ found: PlainFound, _ context: RunningContext) -> String {
    switch found {
    case .object(let plain): context.pair(plain)?.name ?? "an unknown one"
    case .row(let key): "row \(key)"
    }
  }

  func count(_ context: RunningContext, _ random: inout SplitMix) throws {
    let request = randomRequest(&random)
    note(context, "count \(request)")
    let found = try context.real.count(request.real)
    let expected = context.plain.find(request)
    try require(
      found == expected.count, "\(found) instead of \(expected.map { name($0, context) })")
  }

  func fetchIDs(_ context: RunningContext, _ random: inout SplitMix) throws {
    let request = randomRequest(&random)
    note(context, "fetch ids \(request)")
    let found = try context.real.fetchIDs(request.real)
    let expected = try context.plain.find(request).map { found in
      switch found {
      case .row(let key): try permanentID(request.entity, key)
      case .object(let plain):
        if let key = plain.key {
          try permanentID(request.entity, key)
        } else if let id = context.pair(plain)?.real?.objectID {
          id
        } else {
          throw Difference("the plain model expects an object that nobody has")
        }
      }
    }
    try require(found == expected, "\(found) instead of \(expected)")
  }
}

extension PlainRequest {
  /// The same request for a context.
  var real: FetchRequest<ManagedObject> {
    var real = FetchRequest<ManagedObject>(
      entityName: entity,
      sortKeys: order.map { FetchSortKey($0.name, isAscending: $0.isAscending) },
      limit: limit, offset: offset, returnsObjectsAsFaults: returnsFaults,
      faultBatchSize: batchSize)
    if case .all = condition {} else { real.predicate = condition.predicate }
    real.refreshesObjects = refreshes
    return real
  }
}

extension PlainRequest: CustomStringConvertible {
  var description: String {
    var words = ["\(entity) where \(condition)"]
    if !order.isEmpty {
      words.append(
        "by " + order.map { "\($0.isAscending ? "" : "-")\($0.name)" }.joined(separator: ", "))
    }
    if let limit { words.append("limit \(limit)") }
    if offset > 0 { words.append("offset \(offset)") }
    if returnsFaults { words.append("as faults by \(batchSize)") }
    if refreshes { words.append("refreshing") }
    return words.joined(separator: " ")
  }
}
