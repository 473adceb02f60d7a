import CopalEssentials
import CopalModel
import CopalStore

/// The related objects that the rows of a batch name.
///
/// While the rows are packed, an object that is looked up by a unique attribute has a placeholder
/// in place of its key. Then all objects are looked up together, in the rows of the batch itself
/// and in the store, and the placeholders are replaced.
struct BatchReferences {
  private let context: ManagedObjectContext
  private let runtime: EntityRuntime
  private var lookups: [Lookup] = []
  /// What a placeholder stands for, by its number.
  private var wanted: [Wanted] = []
  /// The slots of to-one relationships that rows have set.
  private(set) var slots: Set<Int> = []
  /// The links of the rows.
  private var links: [RowLink] = []
  /// The rows that set a list, by the position of the relationship.
  private var listedRows: [Int: [Int]] = [:]
  /// The number of objects that were appended to ordered lists.
  private var appendedCount: Int64 = 0
  /// The relationships that rows have set, by their position.
  private(set) var relationships: [Int: RelationshipRuntime] = [:]

  private struct Lookup {
    let relationship: RelationshipRuntime
    let attribute: String
    /// The slot of the attribute in the destination.
    let slot: Int
    let rules: BatchRules
    /// The numbers of the placeholders.
    var places: [DistinctValue: Int] = [:]
  }

  private struct Wanted {
    let lookup: Int
    let value: PropertyValue
    /// The first row that names the object.
    let row: Int
  }

  private struct RowLink {
    let row: Int
    let relationship: RelationshipRuntime
    let member: Int64
    let position: Int64?
  }

  /// Placeholders are less than the temporary keys of rows and of new objects.
  private static let first: Int64 = -(1 << 60)

  /// The number of rows of the batch before these.
  private let firstRow: Int

  init(_ runtime: EntityRuntime, _ context: ManagedObjectContext, firstRow: Int = 0) {
    self.runtime = runtime
    self.firstRow = firstRow
    self.context = context
  }

  /// Whether rows have set relationships.
  var isEmpty: Bool { relationships.isEmpty }

  // MARK: While rows are packed

  /// Sets a relationship of a row.
  ///
  /// - Returns: for a to-one relationship the key or a placeholder, nil for none, and the position
  ///   in an ordered list.
  mutating func set(_ assignment: BatchAssignment, _ relationship: RelationshipRuntime, row: Int)
    throws -> (slot: Int, key: Int64?, position: Int64?)?
  {
    try check(assignment, relationship)
    relationships[relationship.ordinal] = relationship
    guard let slot = relationship.slot else {
      try link(assignment, relationship, row)
      return nil
    }
    slots.insert(slot)
    guard case .constant(let value) = assignment.value else {
      throw notAssignable(relationship, "gets a calculated value", "give it a constant")
    }
    let key: Int64? =
      switch (assignment.related, value) {
      case (_, .null): nil
      case (nil, .object(let id)): try self.key(of: id, relationship)
      case (.object(let attribute), _): try placeholder(attribute, value, relationship, row)
      default:
        throw notAssignable(
          relationship, "gets \(value.kind) in place of an object", "give it an object or its id")
      }
    if key == nil, !relationship.description.isOptional {
      throw error(.required, relationship)
    }
    guard relationship.positionSlot != nil, key != nil else { return (slot, key, nil) }
    appendedCount += 1
    return (slot, key, ListPosition.end + appendedCount * ListPosition.step)
  }

  private func check(_ assignment: BatchAssignment, _ relationship: RelationshipRuntime) throws {
    if relationship.slot != nil {
      if case .slot = relationship.inverse {
        throw notAssignable(relationship, "is one-to-one, so a batch cannot set it")
      }
      if case .objects = assignment.related {
        throw notAssignable(relationship, "is to-one, and gets several objects", "give it one")
      }
      if case .objectsWhere = assignment.related {
        throw notAssignable(relationship, "is to-one, and gets several objects", "give it one")
      }
      return
    }
    if relationship.links == nil {
      throw notAssignable(
        relationship, "is the other end of a to-one relationship",
        "set that relationship of the other objects")
    }
  }

  private mutating func link(
    _ assignment: BatchAssignment, _ relationship: RelationshipRuntime, _ row: Int
  ) throws {
    let keys: [Int64] =
      switch assignment.related {
      case .objects(let ids): try ids.map { try key(of: $0, relationship) }
      case .objectsWhere(let attribute, let values):
        try values.map { try placeholder(attribute, $0, relationship, row) }
      default:
        throw notAssignable(relationship, "is to-many, and gets one value", "give it a list")
      }
    var seen: Set<Int64> = []
    let unique = keys.filter { seen.insert($0).inserted }
    if let limits = relationship.countLimits, !limits.contains(unique.count) {
      let isTooFew = unique.count < limits.lowerBound
      throw error(
        isTooFew ? .tooFewObjects : .tooManyObjects, relationship, found: "\(unique.count)",
        expected: "\(isTooFew ? limits.lowerBound : limits.upperBound)")
    }
    // The last list of a row counts.
    let start = links.lastIndex { $0.row != row }.map { $0 + 1 } ?? 0
    links[start...].removeAll { $0.relationship === relationship }
    listedRows[relationship.ordinal, default: []].append(row)
    for (place, key) in unique.enumerated() {
      links.append(
        RowLink(
          row: row, relationship: relationship, member: key,
          position: relationship.isOrdered ? Int64(place + 1) * ListPosition.step : nil))
    }
  }

  private func key(of id: ManagedObjectID, _ relationship: RelationshipRuntime) throws -> Int64 {
    let entity = try context.runtime(for: id)
    guard entity.isKind(of: relationship.destination),
      let key = context.state.key(of: id, root: relationship.destinationRoot)
    else {
      throw notAssignable(
        relationship, "gets an object of \(entity.layout.name)",
        "give it one of \(relationship.description.destination)")
    }
    guard key > 0 else {
      throw notAssignable(
        relationship, "gets an object that has not been saved", "save that object first")
    }
    return key
  }

  private mutating func placeholder(
    _ attribute: String, _ value: PropertyValue, _ relationship: RelationshipRuntime, _ row: Int
  ) throws -> Int64 {
    let lookup = try lookup(attribute, relationship)
    let value = try lookups[lookup].rules.converted(value, lookups[lookup].slot, nil)
    let distinct = DistinctValue(value)
    if let known = lookups[lookup].places[distinct] { return Self.first - Int64(known) }
    let number = wanted.count
    lookups[lookup].places[distinct] = number
    wanted.append(Wanted(lookup: lookup, value: value, row: row))
    return Self.first - Int64(number)
  }

  private mutating func lookup(_ attribute: String, _ relationship: RelationshipRuntime) throws
    -> Int
  {
    if let known = lookups.firstIndex(where: {
      $0.relationship === relationship && $0.attribute == attribute
    }) {
      return known
    }
    let destination = context.state.container.entities[relationship.destination]
    let rules = BatchRules(destination)
    let slot = try rules.slot(attribute)
    guard
      destination.layout.uniqueConstraints.contains(where: {
        $0.slots == [slot] && $0.ignoring.isEmpty
      })
    else {
      throw PersistenceError(
        .batchNoConstraint, entity: destination.layout.name, found: attribute,
        expected: destination.layout.uniqueConstraints.filter {
          $0.slots.count == 1 && $0.ignoring.isEmpty
        }
        .map { destination.layout.attributes[$0.slots[0]].name }.joined(separator: "; ")
        .nilIfEmpty)
    }
    lookups.append(
      Lookup(relationship: relationship, attribute: attribute, slot: slot, rules: rules))
    return lookups.count - 1
  }

  // MARK: Looking up

  /// The keys in place of the placeholders: of stored objects, or temporary ones of rows.
  ///
  /// - Parameters:
  ///   - rows: the rows that the batch inserts, with their temporary keys.
  ///   - failures: receives an error for each object that is nowhere.
  func resolved(among rows: [(key: Int64, row: PackedRow)], _ failures: inout BatchFailures) throws
    -> [Int64]
  {
    var keys = [Int64](repeating: 0, count: wanted.count)
    for (number, lookup) in lookups.enumerated() {
      if runtime.isKind(of: lookup.relationship.destination) {
        for (key, row) in rows {
          let value = runtime.layout.value(row.base, lookup.slot)
          if let place = lookup.places[DistinctValue(value)] { keys[place] = key }
          withExtendedLifetime(row) {}
        }
      }
      try lookUp(number, lookup, &keys)
    }
    for (place, wanted) in wanted.enumerated() where keys[place] == 0 {
      let lookup = lookups[wanted.lookup]
      failures.add(
        PersistenceError(
          .batchMissingObject, entity: runtime.layout.name,
          property: lookup.relationship.description.name,
          expected: "\(lookup.relationship.description.destination).\(lookup.attribute)",
          row: firstRow + wanted.row + 1))
    }
    return keys
  }

  /// The same, where nothing else has been refused.
  func resolved(among rows: [(key: Int64, row: PackedRow)]) throws -> [Int64] {
    var failures = BatchFailures()
    let keys = try resolved(among: rows, &failures)
    try failures.throwIfAny()
    return keys
  }

  /// Finds the objects of one look-up that are in the store: with one statement, or a few for very
  /// many.
  private func lookUp(_ number: Int, _ lookup: Lookup, _ keys: inout [Int64]) throws {
    let rest = lookup.places.values.filter { keys[$0] == 0 }.inOrder()
    for part in rest.parts(of: FaultHandler.greatestCount) {
      var request = ValueRequest(
        entityName: lookup.relationship.description.destination,
        columns: [
          .init("objectID", .object), .init(lookup.attribute, .property(lookup.attribute)),
        ],
        predicate: .isIn(.property(lookup.attribute), part.map { wanted[$0].value }))
      request.includesPendingChanges = false
      for row in try context.fetchValues(request) {
        guard case .object(let id) = row[0], let place = lookup.places[DistinctValue(row[1])] else {
          continue
        }
        keys[place] = id.key
      }
    }
  }

  // MARK: Rows and links

  /// A row with keys in place of placeholders.
  func replaced(_ row: PackedRow, _ keys: [Int64]) -> PackedRow {
    var result = row
    for slot in slots {
      guard let key = result.integer(slot), let number = Self.number(key) else { continue }
      result = result.referring(to: keys[number], at: slot, runtime.layout)
    }
    return result
  }

  private static func number(_ key: Int64) -> Int? { key <= first ? Int(first - key) : nil }

  /// The links, by table.
  ///
  /// - Parameter rowKeys: the keys of the rows, temporary or stored.
  func linkChanges(_ rowKeys: [Int64], _ keys: [Int64]) -> [LinkChanges] {
    var changes: [Int: LinkChanges] = [:]
    let lastRows = relationships.keys.reduce(into: [Int: Set<Int>]()) { result, ordinal in
      result[ordinal] = Set(owners(ofLists: ordinal, rowKeys).values)
    }
    let tables = context.state.container.schema.linkTables
    // The places of the rows in the lists of their members.
    var appended: Int64 = 0
    for link in links {
      guard let (table, end) = link.relationship.links,
        lastRows[link.relationship.ordinal]?.contains(link.row) == true
      else { continue }
      let member = Self.number(link.member).map { keys[$0] } ?? link.member
      let isInverseOrdered =
        if case .toMany(_, let isOrdered) = link.relationship.inverse { isOrdered } else { false }
      appended += 1
      var new = Link(
        owner: rowKeys[link.row], member: member, position: link.position,
        inversePosition: isInverseOrdered ? ListPosition.end + appended * ListPosition.step : nil)
      if end == .member { new = new.reversed }
      if tables[table].isSymmetric, new.owner > new.member { new = new.reversed }
      changes[table, default: LinkChanges(table: table)].added.append(new)
    }
    return changes.inOrder { $0.key < $1.key }.map(\.value)
  }

  /// The keys of the objects whose lists of a relationship the rows set, each with the last row
  /// that does.
  func owners(ofLists ordinal: Int, _ rowKeys: [Int64]) -> [Int64: Int] {
    Dictionary(
      (listedRows[ordinal] ?? []).map { (rowKeys[$0], $0) }, uniquingKeysWith: { max($0, $1) })
  }

  // MARK: Limits

  /// Owners whose numbers of members a batch changes, and the relationship that they have.
  typealias LimitedOwners = (entity: Int, relationship: RelationshipRuntime, keys: Set<Int64>)

  /// Whether the model limits the number of objects at the other end of a relationship.
  var hasLimits: Bool { relationships.values.contains(where: \.inverseHasLimits) }

  /// The objects whose numbers of members the batch changes, where the model limits them: by the
  /// relationship that they have.
  ///
  /// - Parameters:
  ///   - rows: the rows with their keys.
  ///   - keys: the keys in place of the placeholders.
  func limitedOwners(_ rows: [PackedRow], _ keys: [Int64]) -> [LimitedOwners] {
    var found: [LimitedOwners] = []
    for relationship in relationships.values.inOrder(by: { $0.ordinal < $1.ordinal })
    where relationship.inverseHasLimits {
      guard case .toMany(let ordinal, _) = relationship.inverse else { continue }
      let owners =
        if let slot = relationship.slot {
          Set(rows.lazy.compactMap { $0.integer(slot) }.filter { $0 > 0 })
        } else {
          Set(
            links.lazy.filter { $0.relationship === relationship }
              .map { Self.number($0.member).map { keys[$0] } ?? $0.member }.filter { $0 > 0 })
        }
      let entity = relationship.inverseEntity
      found.append(
        (entity, context.state.container.entities[entity].relationships[ordinal], owners))
    }
    return found
  }

  // MARK: All objects of a condition

  /// Sets a to-one relationship of all objects that a batch finds.
  mutating func setAll(_ assignment: BatchAssignment, _ relationship: RelationshipRuntime) throws
    -> (slot: Int, key: Int64?, position: Int64?)
  {
    if relationship.deletesOrphans {
      throw notAssignable(relationship, "has the owner of objects that are deleted without one")
    }
    guard let new = try set(assignment, relationship, row: 0) else {
      throw notAssignable(relationship, "is to-many, and only a batch that inserts can set it")
    }
    if let key = new.key, key > 0 { try checkExists(key, relationship) }
    return new
  }

  private func checkExists(_ key: Int64, _ relationship: RelationshipRuntime) throws {
    let found = try context.state.session.opened().fetchRow(key, entity: relationship.destination)
    if found != nil { return }
    let identity = context.state.container.entities[relationship.destination].identity
    throw PersistenceError(
      .missingReference, entity: runtime.layout.name, property: relationship.description.name,
      otherID: ManagedObjectID(identity, key))
  }

  /// What a store writes for a to-one relationship of all objects: the key, and a position at the
  /// end of an ordered list.
  func bound(
    _ new: (slot: Int, key: Int64?, position: Int64?), _ keys: [Int64],
    _ parameters: inout [PropertyValue]
  ) -> [BatchChange.Assignment] {
    func assignment(_ slot: Int, _ number: Int64?) -> BatchChange.Assignment {
      guard let number else { return BatchChange.Assignment(slot: slot, .null) }
      parameters.append(.integer(number))
      return BatchChange.Assignment(slot: slot, .parameter(parameters.count - 1))
    }
    let key = new.key.map { key in Self.number(key).map { keys[$0] } ?? key }
    let position = relationships.values.first { $0.slot == new.slot }?.positionSlot
    return [assignment(new.slot, key)] + (position.map { [assignment($0, new.position)] } ?? [])
  }

  /// The owners whose members a batch changes for the objects that meet a condition, where the
  /// model limits their numbers: the former ones, and the new one.
  func limitedOwners(
    ofObjects condition: FetchPredicate?, includesSubentities: Bool,
    _ related: [(slot: Int, key: Int64?, position: Int64?)], _ keys: [Int64]
  ) throws -> [LimitedOwners] {
    var all = limitedOwners([], keys)
    for relationship in relationships.values where relationship.inverseHasLimits {
      guard case .toMany(let ordinal, _) = relationship.inverse,
        let place = all.firstIndex(where: {
          $0.entity == relationship.inverseEntity && $0.relationship.ordinal == ordinal
        })
      else { continue }
      var request = ValueRequest(
        entityName: runtime.layout.name,
        columns: [.init("owner", .property(relationship.description.name))], predicate: condition)
      (request.isDistinct, request.includesPendingChanges) = (true, false)
      request.includesSubentities = includesSubentities
      for row in try context.fetchValues(request) {
        if case .object(let id) = row[0] { all[place].keys.insert(id.key) }
      }
      let new = related.first { $0.slot == relationship.slot }?.key
      if let new { all[place].keys.insert(Self.number(new).map { keys[$0] } ?? new) }
    }
    return all
  }

  // MARK: Errors

  private func notAssignable(
    _ relationship: RelationshipRuntime, _ found: String,
    _ expected: String = "fetch the objects and change them"
  ) -> PersistenceError {
    error(.batchNotAssignable, relationship, found: found, expected: expected)
  }

  private func error(
    _ code: PersistenceError.Code, _ relationship: RelationshipRuntime, found: String? = nil,
    expected: String? = nil
  ) -> PersistenceError {
    PersistenceError(
      code, entity: runtime.layout.name, property: relationship.description.name, found: found,
      expected: expected)
  }
}

extension String {
  fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}
