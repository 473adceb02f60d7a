import CopalModel
import CopalStore

/// The pairs of objects of a relationship that a store has, seen from one end: a table and its
/// columns, under the names that they have at the moment of a query.
public struct RelatedPairs: Sendable, Hashable {
  /// The table: that of the objects with the column of a to-one relationship, or a table of links.
  var table: String
  /// The column with the keys of the objects at this end.
  var near: String
  /// The column with the keys of the objects at the other end.
  var far: String
  /// The column with the position of the far object in the list of the near one.
  var position: String?
  /// The column with the position of the near object in the list of the far one.
  var inversePosition: String?
  /// The column of a to-one relationship; nil for a table of links, whose rows are the pairs.
  var reference: String?

  /// The pairs, seen from the other end.
  var reversed: RelatedPairs {
    RelatedPairs(
      table: table, near: far, far: near, position: inversePosition, inversePosition: position,
      reference: reference)
  }

  /// The pairs of an end of a relationship of a stored model, under the names of the file.
  init?(_ end: ModelMapping.RelationshipEnd, in old: StoreSchema) {
    guard let layout = old.relationship(end.place.name, of: end.place.entity) else { return nil }
    switch layout.storage {
    case .slot(let slot):
      self.init(columnOf: TableMapping(old.entities[end.place.entity], in: old), slot)
    case .inverseSlot(let slot, _):
      self.init(columnOf: TableMapping(old.entities[layout.destination], in: old), slot)
      self = reversed
    case .links(let table, let side):
      self.init(LinkMapping(old.linkTables[table], in: old), from: side)
    }
    if end.isReversed { self = reversed }
  }

  /// The pairs of a to-one relationship.
  init(columnOf mapping: TableMapping, _ slot: Int) {
    let column = mapping.columnNames[slot]
    let position = mapping.layout.reference(ofSlot: slot)?.positionSlot
    self.init(
      table: mapping.tableName, near: mapping.keyName, far: column, position: nil,
      inversePosition: position.map { mapping.columnNames[$0] }, reference: column)
  }

  /// The pairs of a table of links.
  init(_ links: LinkMapping, from end: LinkTable.End) {
    self.init(
      table: links.names.table, near: links.names.owner, far: links.names.member,
      position: links.position == nil ? nil : links.names.position,
      inversePosition: links.inversePosition == nil ? nil : links.names.inversePosition,
      reference: nil)
    if end == .member { self = reversed }
  }

  private init(
    table: String, near: String, far: String, position: String?, inversePosition: String?,
    reference: String?
  ) {
    self.table = table
    self.near = near
    self.far = far
    self.position = position
    self.inversePosition = inversePosition
    self.reference = reference
  }

  /// The pairs with the names that a migration has given to the table and its columns.
  func renamed(_ names: NamesNow) -> RelatedPairs {
    func column(_ name: String) -> String { names.column(name, of: table) }
    return RelatedPairs(
      table: names.table(table), near: column(near), far: column(far),
      position: position.map(column), inversePosition: inversePosition.map(column),
      reference: reference.map(column))
  }
}

/// The names that a migration gives to the tables of a store and their columns, before it reads
/// rows: new ones, or such of its own where they are needed no longer.
struct NamesNow {
  /// By the old names of the tables.
  var tables: [String: String] = [:]
  /// By the old names of the tables, then those of the columns.
  var columns: [String: [String: String]] = [:]

  func table(_ old: String) -> String { tables[old] ?? old }

  func column(_ old: String, of table: String) -> String { columns[table]?[old] ?? old }
}

/// Which rows of a table are objects that a relationship can lead to.
public struct RelatedRows: Sendable, Hashable {
  var table: String
  var key: String
  /// The column with the names of entities, and the names that are allowed; nil when all rows are.
  var entities: Entities?

  struct Entities: Sendable, Hashable {
    var column: String
    var names: [String]
  }

  /// The rows of an entity of the new model, as the migration leaves them.
  init(_ entity: Int, in new: StoreSchema) {
    let mapping = TableMapping(new.entities[entity], in: new)
    let isAll = entity == mapping.layout.root
    self.init(
      table: mapping.tableName, key: mapping.keyName,
      entities: isAll
        ? nil
        : mapping.entityColumnName.map { column in
          Entities(column: column, names: new.kinds(of: entity).map { new.entities[$0].name })
        })
  }

  /// The rows that will be of an entity, in the tables of the old model; nil if there are none.
  init?(_ entity: Int, before pair: SchemaPair) {
    let kinds = pair.new.kinds(of: entity).compactMap { pair.before(pair.new.entities[$0]) }
    guard let first = kinds.first else { return nil }
    let root = TableMapping(pair.old.entities[first.root], in: pair.old)
    let isAll = Set(pair.old.kinds(of: first.root)).isSubset(of: kinds.map(\.index))
    self.init(
      table: root.tableName, key: root.keyName,
      entities: isAll
        ? nil : root.entityColumnName.map { Entities(column: $0, names: kinds.map(\.name)) })
  }

  private init(table: String, key: String, entities: Entities?) {
    self.table = table
    self.key = key
    self.entities = entities
  }

  /// The rows of all entities of the table.
  var ofAllEntities: RelatedRows { RelatedRows(table: table, key: key, entities: nil) }
}
