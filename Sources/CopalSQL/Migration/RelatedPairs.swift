import CopalEssentials
import CopalModel
import CopalStore

/// The pairs of objects of a relationship that a store has, seen from one end: a table and its
/// columns, under the names that they have at the moment of a query.
public struct RelatedPairs: Sendable, Equatable {
  /// The table: that of the objects with the column of a to-one relationship, or a table of links.
  var table: String
  /// The column with the keys of the objects at this end.
  var near: Keys
  /// The column with the keys of the objects at the other end.
  var far: Keys
  /// The column with the position of the far object in the list of the near one.
  var position: String?
  /// The column with the position of the near object in the list of the far one.
  var inversePosition: String?
  /// The column of a to-one relationship; nil for a table of links, whose rows are the pairs.
  var reference: String?
  /// Whether the table has the reverse of each pair, too.
  var isSymmetric = false

  /// A column with keys.
  struct Keys: Sendable, Equatable {
    var column: String
    /// What is added to the keys when their rows go into another table.
    var added: Int64 = 0
  }

  /// The pairs, seen from the other end.
  var reversed: RelatedPairs {
    var pairs = self
    (pairs.near, pairs.far) = (far, near)
    (pairs.position, pairs.inversePosition) = (inversePosition, position)
    return pairs
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
  private init(columnOf mapping: TableMapping, _ slot: Int) {
    let column = mapping.columnNames[slot]
    let position = mapping.layout.reference(ofSlot: slot)?.positionSlot
    table = mapping.tableName
    near = Keys(column: mapping.keyName)
    far = Keys(column: column)
    inversePosition = position.map { mapping.columnNames[$0] }
    reference = column
  }

  /// The pairs of a table of links.
  private init(_ links: LinkMapping, from end: LinkTable.End) {
    table = links.names.table
    near = Keys(column: links.names.owner)
    far = Keys(column: links.names.member)
    position = links.position == nil ? nil : links.names.position
    inversePosition = links.inversePosition == nil ? nil : links.names.inversePosition
    isSymmetric = links.links.isSymmetric
    if end == .member { self = reversed }
  }

  /// The pairs with the names that a migration has given to the table and its columns.
  func renamed(_ names: NamesNow) -> RelatedPairs {
    func column(_ name: String) -> String { names.column(name, of: table) }
    var pairs = self
    pairs.table = names.table(table)
    pairs.near.column = column(near.column)
    pairs.far.column = column(far.column)
    pairs.position = position.map(column)
    pairs.inversePosition = inversePosition.map(column)
    pairs.reference = reference.map(column)
    return pairs
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

/// Which rows of an old table are objects that an end of a relationship can have.
public struct RelatedRows: Sendable, Equatable {
  var table: String
  var key: String
  /// The column with the names of entities, and the names that are allowed; nil when all rows are.
  var entities: Entities?

  struct Entities: Sendable, Equatable {
    var column: String
    var names: [String]
  }

  /// The rows of some entities of an old family.
  ///
  /// - Parameter root: the root of the family; there may be no entities.
  init(_ formers: [Int], of root: Int, _ pair: SchemaPair) {
    let mapping = pair.oldMapping(root)
    let isAll = Set(pair.formersWithRows(ofRoot: root)).isSubset(of: formers)
    table = mapping.tableName
    key = mapping.keyName
    entities =
      isAll
      ? nil
      : mapping.entityColumnName.map {
        Entities(column: $0, names: formers.map { pair.old.entities[$0].name }.inOrder())
      }
  }

  /// All rows of a table of the new model.
  init(allOf mapping: TableMapping) {
    table = mapping.tableName
    key = mapping.keyName
    entities = nil
  }

  /// The rows under the names that a migration has given.
  func renamed(_ names: NamesNow) -> RelatedRows {
    var rows = self
    rows.table = names.table(table)
    return rows
  }
}
