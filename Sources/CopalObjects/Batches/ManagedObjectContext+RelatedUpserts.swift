import CopalEssentials
import CopalModel
import CopalStore

/// Upserts that set relationships: the stored objects are looked up together, and the rows become
/// the changes of one commit.
extension ManagedObjectContext {
  func upsertRelated(
    _ packer: BatchPacker, _ runtime: EntityRuntime, _ constraint: EntityLayout.UniqueConstraint
  ) throws -> UpsertResult {
    try prepareForBatch(runtime, [runtime.index])
    let former = state.begin(.batchUpsert, runtime)
    defer { former?.end() }
    var plan = UpsertPlan(runtime.layout, constraint)
    for (key, row) in try stored(packer.rows, runtime, constraint) { plan.addStored(key, row) }
    for row in packer.rows {
      guard plan.add(row) else {
        throw PersistenceError(
          .uniqueConflict, entity: runtime.layout.name,
          property: constraint.slots.map { runtime.layout.attributes[$0].name }
            .joined(separator: ", "))
      }
    }
    var failures = BatchFailures()
    let keys = try packer.references.resolved(
      among: zip(plan.rowKeys, packer.rows).map { ($0, $1.row) }, &failures)
    try failures.throwIfAny()
    let references = packer.references
    var change = ChangeSet.EntityChanges(entity: runtime.index)
    change.inserts = plan.inserts.map {
      ChangeSet.Insert(key: $0.key, row: references.replaced($0.row, keys))
    }
    change.updates = plan.updates.map { update in
      var update = update
      update.row = references.replaced(update.row, keys)
      return update
    }
    let owners = references.limitedOwners(
      change.inserts.map(\.row) + change.updates.flatMap { [$0.row, $0.before] }, keys)
    return try checkingLimits(of: owners) {
      var changes = ChangeSet([change], author: state.author, contextName: state.name)
      changes.links = try links(references, plan, keys, runtime)
      let receipt = try commitBatch(changes, runtime, references, rows: nil)
      func ids(_ keys: [Int64]) -> [ManagedObjectID] {
        keys.map { ManagedObjectID(runtime.identity, $0) }
      }
      return UpsertResult(
        inserted: ids(receipt.insertedKeys.first ?? []), updated: ids(plan.updatedKeys))
    }
  }

  /// The stored rows that have the values of some rows in a unique constraint.
  private func stored(
    _ rows: [BatchChange.Row], _ runtime: EntityRuntime,
    _ constraint: EntityLayout.UniqueConstraint
  ) throws -> [(Int64, PackedRow)] {
    let layout = runtime.layout
    let first = constraint.slots[0]
    let attribute = layout.attributes[first].name
    let declaring = state.container.entities[constraint.declaringEntity]
    let values = Set(
      rows.map { row in DistinctOf(layout.value(row.row.base, first)) }.filter { !$0.value.isNull })
    var keys: [Int64] = []
    var rest = Array(values)[...]
    while !rest.isEmpty {
      let part = rest.prefix(FaultHandler.greatestCount)
      rest = rest.dropFirst(part.count)
      var predicate = FetchPredicate.isIn(.property(attribute), part.map(\.value))
      if let options = constraint.ignoring[first] {
        predicate = .or(
          part.map { .text(.property(attribute), .equal(options), .constant($0.value)) })
      }
      var request = ValueRequest(
        entityName: declaring.layout.name, columns: [.init("objectID", .object)],
        predicate: predicate)
      request.includesPendingChanges = false
      for row in try fetchValues(request) {
        if case .object(let id) = row[0] { keys.append(id.key) }
      }
    }
    let receiver = KeyedRows()
    try state.session.opened().fetchRows(
      keys[...], entity: state.container.entities[declaring.root].index, into: receiver)
    if let failure = receiver.failure { throw failure }
    return receiver.rows
  }

  /// The links of the rows. A stored object gets the list that is given: other links of it are
  /// removed.
  private func links(
    _ references: BatchReferences, _ plan: UpsertPlan, _ keys: [Int64], _ runtime: EntityRuntime
  ) throws -> [LinkChanges] {
    var changes = references.linkChanges(plan.rowKeys, keys)
    for relationship in references.relationships.values {
      guard let (table, end) = relationship.links else { continue }
      let owners = references.owners(ofLists: relationship.ordinal, plan.rowKeys).keys.filter {
        $0 > 0
      }
      if owners.isEmpty { continue }
      let members = LinkedMembers()
      try state.session.opened().fetchRelated(
        RelatedQuery(
          entity: runtime.index, relationship: relationship.ordinal, owners: owners.inOrder(),
          wantsKeysOnly: true), into: members)
      let links = state.container.schema.linkTables[table]
      let place =
        changes.firstIndex { $0.table == table }
        ?? {
          changes.append(LinkChanges(table: table))
          return changes.count - 1
        }()
      let kept = Set(changes[place].added.map { Pair($0.owner, $0.member) })
      for (owner, member) in members.pairs {
        let link = links.link(of: owner, at: end, to: member)
        if !kept.contains(Pair(link.owner, link.member)) { changes[place].removed.append(link) }
      }
    }
    return changes
  }
}

/// The two ends of a link.
private struct Pair: Hashable {
  let owner: Int64
  let member: Int64
  init(_ owner: Int64, _ member: Int64) { (self.owner, self.member) = (owner, member) }
}

/// A value that equals what the store takes for equal.
private struct DistinctOf: Hashable {
  let value: PropertyValue
  private let distinct: DistinctValue

  init(_ value: PropertyValue) { (self.value, distinct) = (value, DistinctValue(value)) }
  static func == (a: Self, b: Self) -> Bool { a.distinct == b.distinct }
  func hash(into hasher: inout Hasher) { hasher.combine(distinct) }
}

/// What an upsert inserts and updates. The rows are taken one after the other: of two with the same
/// key, the last one wins.
private struct UpsertPlan {
  private(set) var inserts: [(key: Int64, row: PackedRow)] = []
  private(set) var updates: [ChangeSet.Update] = []
  /// The key of each row: of a stored object, or a temporary one.
  private(set) var rowKeys: [Int64] = []
  private let layout: EntityLayout
  private let constraint: EntityLayout.UniqueConstraint
  private var keys: [UniqueValues: Int64] = [:]
  private var stored: [Int64: PackedRow] = [:]
  private var updatePlaces: [Int64: Int] = [:]

  init(_ layout: EntityLayout, _ constraint: EntityLayout.UniqueConstraint) {
    (self.layout, self.constraint) = (layout, constraint)
  }

  /// The keys of the updated objects, each once.
  var updatedKeys: [Int64] { updates.map(\.key) }

  mutating func addStored(_ key: Int64, _ row: PackedRow) {
    guard let values = layout.uniqueValues(of: row, constraint) else { return }
    keys[values] = key
    stored[key] = row
  }

  /// - Returns: false when an object of another entity has the values.
  mutating func add(_ new: BatchChange.Row) -> Bool {
    let values = layout.uniqueValues(of: new.row, constraint)
    guard let values, let key = keys[values] else {
      let key = -Int64(inserts.count + 1)
      inserts.append((key, new.row))
      rowKeys.append(key)
      if let values { keys[values] = key }
      return true
    }
    rowKeys.append(key)
    if key < 0 {
      let place = Int(-key) - 1
      if let row = inserts[place].row.taking(new, layout, version: inserts[place].row.version) {
        inserts[place].row = row
      }
      return true
    }
    guard let before = stored[key], before.entity == layout.index else { return false }
    if let place = updatePlaces[key] {
      let former = updates[place]
      if let row = former.row.taking(new, layout, version: former.row.version) {
        updates[place].row = row
        updates[place].changed = SlotSet(
          Array(former.changed) + Array(new.given), count: layout.slotCount)
      }
      return true
    }
    if let row = before.taking(new, layout, version: RowVersion.next(after: before.version)) {
      updatePlaces[key] = updates.count
      updates.append(ChangeSet.Update(key: key, before: before, row: row, changed: new.given))
    }
    return true
  }
}

extension PackedRow {
  /// A copy of the row with the given values of another one; nil when it is too big.
  fileprivate func taking(_ other: BatchChange.Row, _ layout: EntityLayout, version: Int64)
    -> PackedRow?
  {
    var values = [PropertyValue](repeating: .null, count: layout.slotCount)
    for slot in other.given { values[slot] = layout.value(other.row.base, slot) }
    return withExtendedLifetime(other.row) {
      values.withUnsafeBufferPointer { values in
        values.baseAddress.flatMap {
          repacked(layout, with: $0, changed: other.given, version: version)
        }
      }
    }
  }
}

private final class KeyedRows: RowReceiver {
  private(set) var rows: [(Int64, PackedRow)] = []
  private(set) var failure: PersistenceError?

  func wantsRow(key: Int64, version: Int64) -> Bool { true }
  func receive(key: Int64, row: consuming PackedRow) { rows.append((key, row)) }
  func skip(key: Int64) {}
  func receive(key: Int64, failure: PersistenceError) { self.failure = failure }
}

private final class LinkedMembers: RelatedReceiver {
  private(set) var pairs: [(Int64, Int64)] = []
  private var owner: Int64 = 0

  func beginRow(relatedTo owner: Int64, position: Int64?) { self.owner = owner }
  func wantsRow(key: Int64, version: Int64) -> Bool { false }
  func receive(key: Int64, row: consuming PackedRow) { pairs.append((owner, key)) }
  func skip(key: Int64) { pairs.append((owner, key)) }
  func receive(key: Int64, failure: PersistenceError) {}
}
