import CopalModel

/// A row of a store in memory, of which a condition is true or false.
struct MemorySubject: ConditionSubject {
  let key: Int64
  private let row: PackedRow
  private let schema: StoreSchema
  private let contents: MemoryContents

  init(_ key: Int64, _ row: PackedRow, schema: StoreSchema, contents: MemoryContents) {
    self.key = key
    self.row = row
    self.schema = schema
    self.contents = contents
  }

  var entity: Int { row.entity }

  func value(_ slot: Int) -> PropertyValue {
    schema.value(row.base, slot, of: schema.entities[row.entity])
  }

  func related(_ slot: Int) -> MemorySubject? {
    guard case .integer(let key) = value(slot),
      let reference = schema.entities[row.entity].reference(ofSlot: slot),
      let found = contents.tables[reference.destinationRoot].rows[key],
      schema.isEntity(found.entity, kindOf: reference.destination)
    else { return nil }
    return MemorySubject(key, found, schema: schema, contents: contents)
  }

  func members(_ relationship: Int) -> [MemorySubject] {
    let relationship = schema.relationships[row.entity][relationship]
    let layout = schema.entities[relationship.destination]
    let rows = contents.tables[layout.root].rows
    return contents.related(to: key, relationship.storage, layout).compactMap { related in
      guard let found = rows[related.key], schema.isEntity(found.entity, kindOf: layout.index)
      else { return nil }
      return MemorySubject(related.key, found, schema: schema, contents: contents)
    }
  }
}
