import CopalModel

/// A row of a store in memory, of which a condition is true or false.
struct MemorySubject: ConditionSubject {
  let key: Int64
  private let row: PackedRow
  private let source: MemorySource

  init(_ key: Int64, _ row: PackedRow, _ source: MemorySource) {
    self.key = key
    self.row = row
    self.source = source
  }

  var entity: Int { row.entity }

  func value(_ slot: Int) -> PropertyValue {
    source.schema.value(row.base, slot, of: source.schema.entities[row.entity])
  }

  func related(_ slot: Int) -> MemorySubject? {
    let (schema, contents) = (source.schema, source.contents)
    guard case .integer(let key) = value(slot),
      let reference = schema.entities[row.entity].reference(ofSlot: slot),
      let found = contents.tables[reference.destinationRoot].rows[key],
      schema.isEntity(found.entity, kindOf: reference.destination)
    else { return nil }
    return MemorySubject(key, found, source)
  }

  func members(_ relationship: Int) -> [MemorySubject] {
    let (schema, contents) = (source.schema, source.contents)
    let relationship = schema.relationships[row.entity][relationship]
    let layout = schema.entities[relationship.destination]
    let rows = contents.tables[layout.root].rows
    return contents.related(to: key, relationship.storage, layout).compactMap { related in
      guard let found = rows[related.key], schema.isEntity(found.entity, kindOf: layout.index)
      else { return nil }
      return MemorySubject(related.key, found, source)
    }
  }
}

/// The contents whose rows are asked. A class, so that a row costs one reference.
final class MemorySource: Sendable {
  let schema: StoreSchema
  let contents: MemoryContents

  init(_ schema: StoreSchema, _ contents: MemoryContents) {
    self.schema = schema
    self.contents = contents
  }
}
