import CopalSQL
import CopalStore

/// What an upsert must know of the rows of a table that are in no index of its constraint, while
/// the
/// table has marked rows.
struct UpsertOutside {
  private let upsert: BatchChange.Upsert
  private let layout: EntityLayout
  /// Whether the rows that are written are marked as well.
  private let marks: Bool
  private var rows: MarkedRows
  /// The constraints, with the keys of the rows whose values were written.
  private(set) var written: [(constraint: EntityLayout.UniqueConstraint, keys: Set<Int64>)]

  init(_ upsert: BatchChange.Upsert, _ session: SQLiteSession) throws {
    self.upsert = upsert
    let table = session.table(upsert.entity)
    let layout = table.layout
    self.layout = layout
    marks = !table.mapping.canDerive
    let wanted =
      upsert.constraint.ignoring.isEmpty
      ? [] : Set(upsert.rows.compactMap { layout.uniqueValues(of: $0.row, upsert.constraint) })
    rows = try MarkedRows(upsert.constraint, among: wanted, in: session)
    written = layout.constraintsIgnoring.map { ($0, []) }
  }

  /// The key of the row outside of the index that an upsert finds; nil for none.
  func find(_ row: BatchChange.Row) -> Int64? {
    upsert.constraint.ignoring.isEmpty
      ? nil : layout.uniqueValues(of: row.row, upsert.constraint).flatMap { rows[$0].first }
  }

  /// Notes that a row was written.
  mutating func note(_ key: Int64, _ row: BatchChange.Row, isNew: Bool) {
    for place in written.indices
    where isNew || written[place].constraint.slots.contains(where: row.given.contains) {
      written[place].keys.insert(key)
    }
    if isNew, marks, let values = layout.uniqueValues(of: row.row, upsert.constraint) {
      rows.add(key, values)
    }
  }
}
