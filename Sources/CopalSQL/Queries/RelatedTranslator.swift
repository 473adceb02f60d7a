import CopalModel
public import CopalStore

/// Makes the SELECT statements for the objects of to-many relationships. A row has the key, the
/// version and, if they are wanted, every stored slot of the object, as a fetch of its entity with
/// subentities returns them. The key of the owner and, in an ordered relationship, the position
/// come last, if they are not among these slots.
public struct RelatedTranslator {
  private let dialect: any SQLDialect
  private let mapping: TableMapping

  /// A translator for the table of the objects, and a dialect.
  public init(_ mapping: TableMapping, _ dialect: any SQLDialect) {
    self.mapping = mapping
    self.dialect = dialect
  }

  /// The owners whose objects a statement reads.
  public enum Owners: Sendable, Hashable {
    /// Owners with some keys: a placeholder for each.
    case keys(count: Int)
    /// All owners between two keys, which are bound. A database finds these without a list of keys.
    case range
  }

  /// The objects whose rows have the key of one of some owners in a slot, by owner and in their
  /// order.
  public func related(bySlot slot: Int, position: Int?, of owners: Owners, keysOnly: Bool = false)
    -> SQLStatement
  {
    let owner = mapping.column(slot)
    let place = position.map(mapping.column)
    let columns = ofObject(keysOnly) + (keysOnly ? [owner] + (place.map { [$0] } ?? []) : [])
    let sql: SQLFragment =
      "SELECT " + columns.joined(by: ", ") + " FROM " + mapping.table + " WHERE " + owner
      + isOne(of: owners) + isMember("") + order([owner], place, [mapping.key])
    return sql.statement(in: dialect)
  }

  /// The objects that are linked to one of some objects at an end, by the key of these and in their
  /// order.
  public func linked(
    _ links: LinkMapping, from end: LinkTable.End, of owners: Owners, keysOnly: Bool = false
  ) -> SQLStatement {
    func ofLink(_ column: SQLFragment) -> SQLFragment { links.table + "." + column }
    func ofRow(_ column: SQLFragment) -> SQLFragment { mapping.table + "." + column }
    let owner = ofLink(links.column(at: end))
    let member = ofLink(links.column(at: end.other))
    let place = links.position(from: end).map(ofLink)
    let columns = ofObject(keysOnly).map(ofRow) + [owner] + (place.map { [$0] } ?? [])
    let sql: SQLFragment =
      "SELECT " + columns.joined(by: ", ") + " FROM " + links.table + " JOIN " + mapping.table
      + " ON " + ofRow(mapping.key) + " = " + member + " WHERE " + owner + isOne(of: owners)
      + isMember(mapping.table + ".") + order([owner], place, [member])
    return sql.statement(in: dialect)
  }

  private func ofObject(_ keysOnly: Bool) -> [SQLFragment] {
    keysOnly ? [mapping.key, mapping.version] : mapping.rowColumns(withSubentities: true)
  }

  /// The condition that a row is one of the entity or of a subentity. The rows are found by their
  /// owners, not by the index of entities, which a database without statistics would prefer for a
  /// list or a range of owners.
  private func isMember(_ qualifier: SQLFragment) -> SQLFragment {
    mapping.isEntity(withSubentities: true, dialect.notByIndex + qualifier).map { " AND " + $0 }
      ?? ""
  }

  /// The keys of the rows of the entity itself that have a key in a slot.
  public func referrers(bySlot slot: Int) -> SQLStatement {
    let entity =
      mapping.isEntity(withSubentities: false, dialect.notByIndex).map { " AND " + $0 } ?? ""
    let sql: SQLFragment =
      "SELECT " + mapping.key + " FROM " + mapping.table + " WHERE " + mapping.column(slot) + " = "
      + .key + entity + " ORDER BY " + mapping.key
    return sql.statement(in: dialect)
  }

  /// The greatest position of the rows that have a key in a slot.
  public func greatestPosition(bySlot slot: Int, position: Int) -> SQLStatement {
    let sql: SQLFragment =
      "SELECT max(" + mapping.column(position) + ") FROM " + mapping.table + " WHERE "
      + mapping.column(slot) + " = " + .key
    return sql.statement(in: dialect)
  }

  private func isOne(of owners: Owners) -> SQLFragment {
    switch owners {
    case .keys(count: 1): return " = " + .key
    case .keys(let count):
      let keys = [SQLFragment](repeating: .key, count: count)
      return " IN (" + keys.joined(by: ", ") + ")"
    case .range: return " BETWEEN " + .key + " AND " + .key
    }
  }

  private func order(_ owner: [SQLFragment], _ place: SQLFragment?, _ key: [SQLFragment])
    -> SQLFragment
  {
    let positions = place.map { [dialect.sorted($0, isAscending: true)] } ?? []
    return " ORDER BY " + (owner + positions + key).joined(by: ", ")
  }
}
