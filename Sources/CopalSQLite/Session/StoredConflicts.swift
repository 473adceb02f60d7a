import CopalModel
import CopalSQL
import CopalStore

/// The rows of a file for the search for conflicts, read one by one.
final class StoredConflicts: ConflictSource {
  private let session: SQLiteSession
  private let changes: ChangeSet
  private var ownerStatements: [EntityLayout.UniqueConstraint: EntityTable.Prepared] = [:]
  private var markedRows: [EntityLayout.UniqueConstraint: MarkedRows] = [:]

  /// - Parameter changes: the changes whose conflicts are searched for.
  init(_ session: SQLiteSession, _ changes: ChangeSet) {
    self.session = session
    self.changes = changes
  }

  func row(_ key: Int64, of layout: EntityLayout) throws -> PackedRow? {
    try session.fetchRow(key, entity: layout.index)
  }

  func owners(
    _ constraint: EntityLayout.UniqueConstraint, of row: PackedRow, but key: Int64,
    in layout: EntityLayout
  ) throws -> [Int64] {
    let prepared = try statement(constraint)
    defer {
      prepared.statement.reset()
      prepared.statement.clearPlaceholders()
    }
    try prepared.statement.setPlaceholders(
      prepared.placeholders, row: row.base, key: key, version: 0, newVersion: 0)
    var owners: [Int64] = []
    while try prepared.statement.step() { owners.append(prepared.statement.integer(0)) }
    if constraint.ignoring.isEmpty { return owners }
    guard let values = layout.uniqueValues(of: row, constraint) else { return owners }
    return owners + (try marked(constraint)[values].filter { $0 != key })
  }

  /// The rows that are in no index of a constraint, with values that the changes write.
  private func marked(_ constraint: EntityLayout.UniqueConstraint) throws -> MarkedRows {
    if let known = markedRows[constraint] { return known }
    var wanted: Set<[[UInt8]]> = []
    for change in changes.entities {
      let layout = session.store.schema.entities[change.entity]
      guard layout.uniqueConstraints.contains(constraint) else { continue }
      for row in change.inserts.lazy.map(\.row) + change.updates.lazy.map(\.row) {
        if let values = layout.uniqueValues(of: row, constraint) { wanted.insert(values) }
      }
    }
    let made = try MarkedRows(constraint, among: wanted, in: session)
    markedRows[constraint] = made
    return made
  }

  func referrers(to key: Int64, _ reference: EntityLayout.Reference, in layout: EntityLayout) throws
    -> [Int64]
  {
    let table = session.table(layout.index)
    let sql = RelatedTranslator(table.mapping, SQLiteDialect()).referrers(bySlot: reference.slot)
    return try session.connection.integers(sql, key: key)
  }

  func linked(to key: Int64, _ table: Int, at end: LinkTable.End) throws -> [Int64] {
    try session.links(table).linked(to: key, at: end)
  }

  private func statement(_ constraint: EntityLayout.UniqueConstraint) throws
    -> EntityTable.Prepared
  {
    if let known = ownerStatements[constraint] { return known }
    // The slots of the declaring entity are the first ones of every subentity.
    let table = session.table(constraint.declaringEntity)
    let made = try table.prepare(table.select.owner(of: constraint))
    ownerStatements[constraint] = made
    return made
  }
}
