import CopalModel
import CopalStore

/// The names of entities and properties, for what was committed.
struct CommitNames: Sendable {
  let schema: StoreSchema
  let entities: [EntityRuntime]

  /// The relationship of the objects at an end of a table of links.
  func relationship(ofLinks table: Int, at end: LinkTable.End) -> RelationshipRuntime? {
    entities[schema.linkTables[table].entity(at: end)].relationships.first {
      $0.links.map { $0.table == table && $0.end == end } ?? false
    }
  }
}

extension EntityRuntime {
  /// The name of the property to which a slot belongs.
  func propertyName(_ slot: Int) -> String { layout.attributes[propertySlots[slot]].name }
}
