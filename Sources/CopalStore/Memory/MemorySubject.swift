import CopalModel

/// A row of a store in memory, of which a condition is true or false.
struct MemorySubject: ConditionSubject {
  let key: Int64
  private let row: PackedRow
  private let schema: StoreSchema
  private let tables: [MemoryTable]

  init(_ key: Int64, _ row: PackedRow, _ schema: StoreSchema, _ tables: [MemoryTable]) {
    self.key = key
    self.row = row
    self.schema = schema
    self.tables = tables
  }

  var entity: Int { row.entity }

  func value(_ slot: Int) -> PropertyValue { schema.entities[row.entity].value(row.base, slot) }

  func related(_ slot: Int) -> MemorySubject? {
    guard case .integer(let key) = value(slot),
      let reference = schema.entities[row.entity].reference(ofSlot: slot),
      let found = tables[reference.destinationRoot].rows[key],
      schema.isEntity(found.entity, kindOf: reference.destination)
    else { return nil }
    return MemorySubject(key, found, schema, tables)
  }
}
