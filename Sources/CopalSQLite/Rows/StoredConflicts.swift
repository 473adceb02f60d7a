import CopalModel
import CopalSQL
import CopalStore

/// The rows of a file for the search for conflicts.
final class StoredConflicts: ConflictSource {
  private let session: SQLiteSession
  private let changes: ChangeSet
  private var ownerStatements: [EntityLayout.UniqueConstraint: EntityTable.Prepared] = [:]
  private var groupStatements: [EntityLayout.UniqueConstraint: EntityTable.Prepared] = [:]
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
    return owners + (try markedOwners(constraint, of: row, but: key, in: layout))
  }

  /// The owners that are in no index of a constraint.
  private func markedOwners(
    _ constraint: EntityLayout.UniqueConstraint, of row: PackedRow, but key: Int64,
    in layout: EntityLayout
  ) throws -> [Int64] {
    guard !constraint.ignoring.isEmpty, let values = layout.uniqueValues(of: row, constraint) else {
      return []
    }
    return try marked(constraint)[values].filter { $0 != key }
  }

  /// The number of rows for which one statement looks, and the number from which on it does.
  private static let (groupSize, leastGroup) = (50, 16)

  func firstOwners(
    _ constraint: EntityLayout.UniqueConstraint, of rows: [(key: Int64, row: PackedRow)],
    in layout: EntityLayout, where isAccepted: (Int64) -> Bool
  ) throws -> [Int64?] {
    var owners = [Int64?](repeating: nil, count: rows.count)
    var next = 0
    while next < rows.count {
      let group = rows[next..<min(next + Self.groupSize, rows.count)]
      if group.count >= Self.leastGroup {
        for (place, owner) in try self.owners(constraint, of: group)
        where owners[next + place] == nil && owner != rows[next + place].key && isAccepted(owner) {
          owners[next + place] = owner
        }
        for place in group.indices where owners[place] == nil && !constraint.ignoring.isEmpty {
          let (key, row) = rows[place]
          owners[place] = try markedOwners(constraint, of: row, but: key, in: layout)
            .first(where: isAccepted)
        }
      } else {
        for place in group.indices {
          owners[place] = try self.owners(
            constraint, of: rows[place].row, but: rows[place].key, in: layout
          ).first(where: isAccepted)
        }
      }
      next = group.endIndex
    }
    return owners
  }

  /// The keys of the rows with the values of one of some rows, behind its place.
  private func owners(
    _ constraint: EntityLayout.UniqueConstraint, of rows: ArraySlice<(key: Int64, row: PackedRow)>
  ) throws -> [(place: Int, owner: Int64)] {
    let prepared = try groupStatement(constraint)
    defer {
      prepared.statement.reset()
      prepared.statement.clearPlaceholders()
    }
    var position: Int32 = 0
    for (key, row) in rows {
      try prepared.statement.setPlaceholders(
        prepared.placeholders, after: position, row: row.base, key: key, version: 0, newVersion: 0)
      position += Int32(prepared.placeholders.count)
    }
    var owners: [(place: Int, owner: Int64)] = []
    while try prepared.statement.step() {
      owners.append((Int(prepared.statement.integer(0)), prepared.statement.integer(1)))
    }
    return owners
  }

  /// The rows that are in no index of a constraint, with values that the changes write.
  private func marked(_ constraint: EntityLayout.UniqueConstraint) throws -> MarkedRows {
    if let known = markedRows[constraint] { return known }
    var wanted: Set<UniqueValues> = []
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

  private func groupStatement(_ constraint: EntityLayout.UniqueConstraint) throws
    -> EntityTable.Prepared
  {
    if let known = groupStatements[constraint] { return known }
    let table = session.table(constraint.declaringEntity)
    let made = try table.prepare(
      table.select.owners(of: constraint, rowCount: Self.groupSize),
      row: table.select.owners(of: constraint, rowCount: 1))
    groupStatements[constraint] = made
    return made
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
