import CopalModel
import CopalSQL
import CopalStore

/// The marked rows that have some values in a unique constraint that ignores something. Their
/// derived columns do not hold, so they are in no index of it.
struct MarkedRows {
  private var keys: [UniqueValues: [Int64]] = [:]

  /// Reads the rows.
  ///
  /// - Parameter wanted: the values. Others are not kept, because there can be very many rows.
  init(
    _ constraint: EntityLayout.UniqueConstraint, among wanted: Set<UniqueValues>,
    in session: SQLiteSession
  ) throws {
    if wanted.isEmpty { return }
    let table = session.table(constraint.declaringEntity)
    let sql = DerivedTranslator(SQLiteDialect()).markedValues(constraint, table.mapping)
    let statement = try session.connection.statement(sql.text)
    defer { statement.reset() }
    try statement.setPlaceholders(sql.values)
    while try statement.step() {
      guard let values = statement.uniqueValues(constraint, table.layout), wanted.contains(values)
      else { continue }
      add(statement.integer(0), values)
    }
  }

  /// The keys of the rows with some values.
  subscript(values: UniqueValues) -> [Int64] { keys[values] ?? [] }

  /// Adds a row that is written.
  mutating func add(_ key: Int64, _ values: UniqueValues) { keys[values, default: []].append(key) }
}

extension Statement {
  /// The values in a unique constraint, which stand behind the key, in the form of
  /// `EntityLayout.uniqueValues(of:_:)`. Nil where one of them is null, or has another type: such a
  /// value equals none that Copal writes.
  func uniqueValues(
    _ constraint: EntityLayout.UniqueConstraint, _ layout: EntityLayout
  ) -> UniqueValues? {
    var values = UniqueValues()
    for (place, slot) in constraint.slots.enumerated() {
      let column = Int32(place + 1)
      switch (storageClass(column), layout.storage(slot)) {
      case (.integer, .integer): values.append(integer(column))
      case (.real, .real): values.append(real(column))
      case (.text, .text): withText(column) { values.append(UnsafeRawBufferPointer($0)) }
      case (.blob, .blob): withBlob(column) { values.append($0) }
      default: return nil
      }
    }
    return values
  }
}
