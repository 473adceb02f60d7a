import CopalModel
import CopalSQL
import CopalStore

/// The rows of a file for the search for conflicts, read one by one.
final class StoredConflicts: ConflictSource {
  private let session: SQLiteSession
  private var ownerStatements: [Constraint: EntityTable.Prepared] = [:]

  private struct Constraint: Hashable {
    let entity: Int
    let slots: [Int]
  }

  init(_ session: SQLiteSession) { self.session = session }

  func id(_ key: Int64, in layout: EntityLayout) -> ManagedObjectID { session.id(key, layout) }

  func conflict(_ key: Int64, readAt version: Int64, in layout: EntityLayout) throws
    -> PersistenceError?
  {
    let table = session.table(layout.index)
    let sql = table.select.version()
    let statement = try session.connection.statement(sql.text)
    defer { statement.reset() }
    try statement.bind(sql.bindings, key: key)
    guard try statement.step() else {
      return .conflict(id(key, in: layout), expected: version, found: nil)
    }
    guard let found = session.version(of: statement, 0) else {
      return session.invalidVersion(statement, 0, of: key, table)
    }
    return found == version ? nil : .conflict(id(key, in: layout), expected: version, found: found)
  }

  func owners(_ constraint: [Int], of row: PackedRow, but key: Int64, in layout: EntityLayout)
    throws -> [Int64]
  {
    let prepared = try statement(constraint, session.table(layout.index))
    defer {
      prepared.statement.reset()
      prepared.statement.clearBindings()
    }
    try prepared.statement.bind(
      prepared.bindings, row: row.base, key: key, version: 0, newVersion: 0)
    var owners: [Int64] = []
    while try prepared.statement.step() { owners.append(prepared.statement.integer(0)) }
    return owners
  }

  private func statement(_ constraint: [Int], _ table: EntityTable) throws -> EntityTable.Prepared {
    let key = Constraint(entity: table.layout.index, slots: constraint)
    if let known = ownerStatements[key] { return known }
    let made = try table.prepare(table.select.owner(of: constraint))
    ownerStatements[key] = made
    return made
  }
}
