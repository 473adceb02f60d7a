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

  func row(_ key: Int64, of layout: EntityLayout) throws -> PackedRow? {
    try session.fetchRow(key, entity: layout.index)
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
