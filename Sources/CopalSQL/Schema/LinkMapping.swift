public import CopalStore

/// A table of links: its names, as data. A ``StoreNaming`` makes them.
public final class LinkMapping: Sendable {
  /// The table of links.
  public let links: LinkTable
  /// The names of the table, its columns and its indexes.
  public let names: LinkNames
  let ownerTable: String
  let memberTable: String
  let key: SQLFragment

  /// The mapping of a table of links with the names of a naming.
  public init(
    _ links: LinkTable, in schema: StoreSchema, _ naming: any StoreNaming = CopalNaming()
  ) {
    self.links = links
    names = naming.links(links, in: schema)
    ownerTable = naming.table(of: schema.entities[schema.entities[links.owner].root])
    memberTable = naming.table(of: schema.entities[schema.entities[links.member].root])
    key = .identifier(naming.key)
  }

  /// The columns of the table, each with its place in the primary key, counted from 1.
  public var integerColumns: [(name: String, keyPosition: Int64?)] {
    [(names.owner, 1), (names.member, 2)]
      + (position == nil ? [] : [(names.position, nil)])
      + (inversePosition == nil ? [] : [(names.inversePosition, nil)])
  }

  /// The columns with keys, each with the table of the objects.
  public var references: [(column: String, table: String)] {
    [(names.owner, ownerTable), (names.member, memberTable)]
  }

  var table: SQLFragment { .identifier(names.table) }
  var owner: SQLFragment { .identifier(names.owner) }
  var member: SQLFragment { .identifier(names.member) }

  /// The column with the positions of members; nil where they have no order.
  var position: SQLFragment? { links.isOrdered ? .identifier(names.position) : nil }

  /// The column with the positions of owners; nil where they have no order. The reverse of a link
  /// in a symmetric table is a row of its own.
  var inversePosition: SQLFragment? {
    links.isInverseOrdered && !links.isSymmetric ? .identifier(names.inversePosition) : nil
  }

  var positions: [SQLFragment] { [position, inversePosition].compactMap { $0 } }

  /// The column with the keys at an end.
  func column(at end: LinkTable.End) -> SQLFragment { end == .owner ? owner : member }

  /// The column with the positions in the lists of the objects at an end.
  func position(from end: LinkTable.End) -> SQLFragment? {
    end == .owner ? position : inversePosition
  }
}
