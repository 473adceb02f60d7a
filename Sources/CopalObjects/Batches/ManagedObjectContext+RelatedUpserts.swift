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
    var (rows, stored): ([Int64: PackedRow], [UniqueValues: Int64]) = ([:], [:])
    for (key, row) in try self.stored(packer.rows, runtime, constraint) {
      guard let values = runtime.layout.uniqueValues(of: row, constraint) else { continue }
      (rows[key], stored[values]) = (row, key)
    }
    var plan = UpsertPlan(runtime.layout, constraint, stored: stored, raisesEachTime: false)
    for row in packer.rows where try plan.add(row, stored: { rows[$0] }) != nil {
      throw PersistenceError(
        .uniqueConflict, entity: runtime.layout.name,
        property: constraint.slots.map { runtime.layout.attributes[$0].name }
          .joined(separator: ", "))
    }
    let references = packer.references
    let keys = try references.resolved(
      among: zip(plan.rowKeys, packer.rows).map { ($0, $1.row) })
    var change = ChangeSet.EntityChanges(entity: runtime.index)
    change.inserts = plan.inserts.map {
      ChangeSet.Insert(key: $0.key, row: references.replaced($0.row, keys))
    }
    change.updates = plan.updates.map { update in
      var update = update
      update.row = references.replaced(update.row, keys)
      return update
    }
    let receipt = try commitBatch(change, of: packer, keys, runtime, firstRow: nil) {
      try links(references, plan, keys, runtime)
    }
    func ids(_ keys: [Int64]) -> [ManagedObjectID] {
      keys.map { ManagedObjectID(runtime.identity, $0) }
    }
    return UpsertResult(
      inserted: ids(receipt.insertedKeys.first ?? []), updated: ids(plan.updates.map(\.key)))
  }

  /// The stored rows that have the values of some rows in a unique constraint.
  private func stored(
    _ rows: [BatchChange.Row], _ runtime: EntityRuntime,
    _ constraint: EntityLayout.UniqueConstraint
  ) throws -> [(key: Int64, row: PackedRow)] {
    let layout = runtime.layout
    let first = constraint.slots[0]
    let attribute = layout.attributes[first].name
    let declaring = state.container.entities[constraint.declaringEntity]
    // A value that equals what the store takes for equal is looked up once.
    let values = Dictionary(
      rows.map { layout.value($0.row.base, first) }.filter { !$0.isNull }
        .map { (DistinctValue($0), $0) }, uniquingKeysWith: { first, _ in first }
    ).values
    var keys: [Int64] = []
    for part in Array(values).parts(of: FaultHandler.greatestCount) {
      var predicate = FetchPredicate.isIn(.property(attribute), Array(part))
      if let options = constraint.ignoring[first] {
        predicate = .or(
          part.map { .text(.property(attribute), .equal(options), .constant($0)) })
      }
      var request = ValueRequest(
        entityName: declaring.layout.name, columns: [.init("objectID", .object)],
        predicate: predicate)
      request.includesPendingChanges = false
      for row in try fetchValues(request) {
        if case .object(let id) = row[0] { keys.append(id.key) }
      }
    }
    return try state.session.opened().rows(
      keys[...], of: state.container.entities[declaring.root].index)
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
      let stored = try state.session.opened().links(
        of: owners.inOrder(), relationship.ordinal, of: runtime.index, failing: false)
      let links = state.container.schema.linkTables[table]
      let place =
        changes.firstIndex { $0.table == table }
        ?? {
          changes.append(LinkChanges(table: table))
          return changes.count - 1
        }()
      let kept = Set(changes[place].added.map { LinkEnds($0) })
      for pair in stored {
        let link = links.link(of: pair.owner, at: end, to: pair.member)
        if !kept.contains(LinkEnds(link)) { changes[place].removed.append(link) }
      }
    }
    return changes
  }
}
