import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Unique constraints that ignore something, beside marked rows. These are in no index of such a
/// constraint, so SQLite does not notice that a row which is written has their values. All of this
/// is only done while a table has marked rows.
extension SQLiteSession {
  /// Refuses a save that gives an object the values of another, one of which is marked.
  ///
  /// - Parameter marked: the roots whose tables have marked rows.
  func checkUniqueForms(_ changes: ChangeSet, _ marked: Set<Int>) throws {
    let mayRepeat = changes.entities.contains { change in
      let layout = store.schema.entities[change.entity]
      return marked.contains(layout.root) && !layout.constraintsIgnoring.isEmpty
        && !(change.inserts.isEmpty && change.updates.isEmpty)
    }
    if !mayRepeat { return }
    let search = ConflictSearch(store.schema, StoredConflicts(self, changes))
    if let first = try search.uniqueConflicts(of: changes).first {
      throw Refusal(entity: store.schema.entities[first.entity].name)
    }
  }

  /// Makes the columns of the rows that a save has updated, where they do not hold.
  func deriveUpdated(_ changes: ChangeSet, _ marked: Set<Int>) throws {
    for change in changes.entities where !change.updates.isEmpty {
      let root = store.schema.entities[change.entity].root
      if marked.contains(root) { try derive(change.updates.map(\.key), root) }
    }
  }

  private func derive(_ keys: [Int64], _ root: Int) throws {
    guard table(root).mapping.canDerive,
      let sql = DerivedTranslator(SQLiteDialect()).deriveMarked(family(root))
    else { return }
    for key in keys { try connection.run(sql, key: key) }
  }

  /// Makes the columns of the rows that a batch has written, where they do not hold, and refuses
  /// the
  /// batch if another row has their values in a constraint.
  ///
  /// - Parameters:
  ///   - written: the constraints, with the keys of the rows whose values were written.
  ///   - entity: the entity of the batch.
  func refuseRepeated(
    _ written: [(constraint: EntityLayout.UniqueConstraint, keys: Set<Int64>)], entity: Int
  ) throws {
    let layout = store.schema.entities[entity]
    let keys = written.reduce(into: Set<Int64>()) { $0.formUnion($1.keys) }
    try derive(keys.inOrder(), layout.root)
    for (constraint, keys) in written where try isRepeated(constraint, keys) {
      let isOwn = layout.uniqueConstraints.contains(constraint)
      throw BatchRefusals([
        BatchRefusal(
          .unique(constraint.slots), entity: isOwn ? entity : constraint.declaringEntity)
      ])
    }
  }

  /// Whether another row has the values of one of some rows in a constraint.
  private func isRepeated(_ constraint: EntityLayout.UniqueConstraint, _ keys: Set<Int64>) throws
    -> Bool
  {
    let table = table(constraint.declaringEntity)
    let translator = DerivedTranslator(SQLiteDialect())
    let ofCurrent = translator.duplicates(constraint, table.mapping, isOfKey: true)
    let sql = translator.values(constraint, table.mapping)
    var wanted: [UniqueValues: Int64] = [:]
    for key in keys {
      if let ofCurrent, try !connection.integers(ofCurrent, key: key).isEmpty { return true }
      let statement = try connection.statement(sql.text)
      defer { statement.reset() }
      try statement.setPlaceholders(sql.values, key: key)
      guard try statement.step(), let values = statement.uniqueValues(constraint, table.layout)
      else { continue }
      if wanted.updateValue(key, forKey: values) != nil { return true }
    }
    let marked = try MarkedRows(constraint, among: Set(wanted.keys), in: self)
    return wanted.contains { values, key in marked[values].contains { $0 != key } }
  }
}

extension EntityLayout {
  /// The unique constraints in which something is ignored.
  var constraintsIgnoring: [UniqueConstraint] {
    uniqueConstraints.filter { !$0.ignoring.isEmpty }
  }
}
