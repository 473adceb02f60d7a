import CopalModel
import CopalStore

/// The statements about pairs of objects of relationships.
extension MigrationTranslator {
  // MARK: Tables of links

  /// Adds a column with positions to a table of links.
  public func addPosition(_ column: String, of links: LinkMapping) -> SQLStatement {
    statement(
      "ALTER TABLE " + links.table + " ADD COLUMN " + .identifier(column) + " "
        + .dialectWord(dialect.columnType(.integer)))
  }

  /// Removes a column with positions.
  public func dropPosition(_ column: String, of links: LinkMapping) -> SQLStatement {
    statement("ALTER TABLE " + links.table + " DROP COLUMN " + .identifier(column))
  }

  /// Gives the links of a table positions, by the age of the objects.
  public func order(_ order: RelationshipChanges.Order) -> SQLStatement {
    statement(
      "UPDATE " + order.links.table + " SET " + .identifier(order.column) + " = "
        + .position(ofKey: .identifier(order.key)))
  }

  // MARK: Pairs

  /// Leaves out pairs.
  public func omit(_ omission: RelationshipChanges.Omission) -> SQLStatement {
    let pairs = omission.pairs
    let (near, far) = (pairs.column(pairs.near.column), pairs.column(pairs.far.column))
    var condition = pairs.isPair
    switch omission.reason {
    case .nearHasNoEnd:
      if let rows = omission.near { condition += " AND NOT " + rows.exist(for: near) }
    case .far(let rows):
      condition += " AND " + rows.exist(for: far)
      if let rows = omission.near { condition += " AND " + rows.exist(for: near) }
    case .farIsMissing(let rows):
      condition += " AND NOT " + rows.exist(for: far)
      if let rows = omission.near { condition += " AND " + rows.exist(for: near) }
    }
    let table = SQLFragment.identifier(pairs.table)
    guard let reference = pairs.reference else {
      return statement("DELETE FROM " + table + " WHERE " + condition)
    }
    let columns = [reference] + [pairs.position, pairs.inversePosition].compactMap { $0 }
    return statement(
      "UPDATE " + table + " SET "
        + columns.map { .identifier($0) + " = NULL" }.joined(by: ", ") + " WHERE " + condition)
  }

  /// Puts pairs into a column or a table of links.
  public func fill(_ fill: RelationshipChanges.Fill) -> SQLStatement {
    switch fill.target {
    case .column(let mapping, let slot): statement(update(mapping, slot, with: fill))
    case .links(let links): statement(insert(fill, into: links))
    }
  }

  private func update(
    _ mapping: TableMapping, _ slot: Int, with fill: RelationshipChanges.Fill
  ) -> SQLFragment {
    let pairs = fill.pairs
    var columns = [mapping.column(slot) + " = copal_found.copal_far"]
    let position = mapping.layout.reference(ofSlot: slot)?.positionSlot
    if let position {
      columns.append(mapping.column(position) + " = copal_found.copal_position")
    }
    let isByAge = pairs.position == nil && (position == nil || pairs.inversePosition == nil)
    return "UPDATE " + mapping.table + " SET " + columns.joined(by: ", ") + " FROM ("
      + (isByAge ? oldest(fill) : first(fill))
      + ") AS copal_found WHERE copal_found.copal_near = "
      + mapping.table + "." + mapping.key
  }

  /// The oldest far object of each near one: no list of pairs has to be sorted.
  private func oldest(_ fill: RelationshipChanges.Fill) -> SQLFragment {
    let pairs = fill.pairs
    let near = pairs.near.sql
    return "SELECT " + near + " AS copal_near, min(" + pairs.far.sql + ") AS copal_far, "
      + .position(ofKey: near) + " AS copal_position FROM " + .identifier(pairs.table) + " WHERE "
      + fill.condition + " GROUP BY " + .identifier(pairs.near.column)
  }

  /// The far object that is the first by its position.
  private func first(_ fill: RelationshipChanges.Fill) -> SQLFragment {
    let pairs = fill.pairs
    let near = pairs.near.sql
    let position: SQLFragment =
      pairs.inversePosition.map { SQLFragment.identifier($0) } ?? .position(ofKey: near)
    return "SELECT copal_near, copal_far, copal_position FROM (SELECT " + near + " AS copal_near, "
      + pairs.far.sql + " AS copal_far, " + position
      + " AS copal_position, row_number() OVER (PARTITION BY "
      + .identifier(pairs.near.column) + " ORDER BY " + pairs.order
      + ") AS copal_number FROM " + .identifier(pairs.table) + " WHERE " + fill.condition
      + ") AS copal_pairs WHERE copal_number = 1"
  }

  private func insert(
    _ fill: RelationshipChanges.Fill, into links: LinkMapping
  ) -> SQLFragment {
    let pairs = fill.pairs
    func position(_ column: String?, _ key: SQLFragment) -> SQLFragment {
      column.map { SQLFragment.identifier($0) } ?? .position(ofKey: key)
    }
    let (near, far) = (pairs.near.sql, pairs.far.sql)
    let table = SQLFragment.identifier(pairs.table)
    var columns = [links.owner, links.member]
    // A link of a relationship that is its own inverse has a row for each direction.
    if links.links.isSymmetric, !pairs.isSymmetric {
      let both: SQLFragment =
        "SELECT " + near + " AS copal_near, " + far + " AS copal_far FROM " + table + " WHERE "
        + fill.condition + " UNION SELECT " + far + ", " + near + " FROM " + table + " WHERE "
        + fill.condition
      var values: [SQLFragment] = ["copal_near", "copal_far"]
      if let column = links.position {
        columns.append(column)
        values.append(.position(ofKey: "copal_far"))
      }
      return "INSERT INTO " + links.table + " (" + columns.joined(by: ", ") + ") SELECT "
        + values.joined(by: ", ") + " FROM (" + both + ") AS copal_pairs"
    }
    var values = [near, far]
    if let column = links.position {
      columns.append(column)
      values.append(position(pairs.position, far))
    }
    if let column = links.inversePosition {
      columns.append(column)
      values.append(position(pairs.inversePosition, near))
    }
    return "INSERT INTO " + links.table + " (" + columns.joined(by: ", ") + ") SELECT "
      + values.joined(by: ", ") + " FROM " + table + " WHERE " + fill.condition + " ORDER BY 1, 2"
  }

  /// Takes out the objects of a one-to-one relationship whose other end has another object.
  public func settle(_ half: RelationshipChanges.Half) -> SQLStatement {
    let column = half.mapping.column(half.slot)
    var columns = [column + " = NULL"]
    if let position = half.mapping.layout.reference(ofSlot: half.slot)?.positionSlot {
      columns.append(half.mapping.column(position) + " = NULL")
    }
    return statement(
      "UPDATE " + half.mapping.table + " SET " + columns.joined(by: ", ") + " WHERE "
        + half.isOneSided)
  }
}

extension RelationshipChanges.Half {
  /// The condition for the rows that have an object whose other end has not them.
  var isOneSided: SQLFragment {
    let (table, column) = (mapping.table, mapping.column(slot))
    return column + " IS NOT NULL AND NOT EXISTS (SELECT 1 FROM " + other.table
      + " AS copal_other WHERE copal_other." + other.key + " = " + table + "." + column
      + " AND copal_other." + other.column(otherSlot) + " = " + table + "." + mapping.key + ")"
  }
}

extension RelationshipChanges.Fill {
  /// The condition for the pairs that are taken.
  fileprivate var condition: SQLFragment {
    var condition = pairs.isPair
    if let near { condition += " AND " + near.exist(for: pairs.column(pairs.near.column)) }
    if let far { condition += " AND " + far.exist(for: pairs.column(pairs.far.column)) }
    return condition
  }
}

extension RelatedPairs {
  /// A column, with the name of the table before it.
  func column(_ name: String) -> SQLFragment { .identifier(table) + "." + .identifier(name) }

  /// The condition for the rows that are pairs.
  var isPair: SQLFragment {
    .identifier(reference ?? far.column) + " IS NOT NULL"
  }

  /// The order of the far objects of a near one: by their positions, then by their age.
  var order: SQLFragment {
    (position.map { SQLFragment.identifier($0) + ", " } ?? "") + .identifier(far.column)
  }
}

extension RelatedPairs.Keys {
  /// The keys that the rows have from now on.
  fileprivate var sql: SQLFragment {
    added == 0 ? .identifier(column) : "(" + SQLFragment.identifier(column).adding(added) + ")"
  }
}

extension RelatedRows {
  /// The condition that a key is that of such a row.
  func exist(for key: SQLFragment) -> SQLFragment {
    var condition: SQLFragment = "copal_other." + .identifier(self.key) + " = " + key
    if let entities {
      condition +=
        " AND copal_other." + .identifier(entities.column) + " IN ("
        + entities.names.map { .literal($0) }.joined(by: ", ") + ")"
    }
    return "EXISTS (SELECT 1 FROM " + .identifier(table) + " AS copal_other WHERE " + condition
      + ")"
  }
}

extension SQLFragment {
  /// The position of an object by its age: in the order of the keys. Beyond 2^41 objects have the
  /// same position, and then the key decides in any list.
  static func position(ofKey key: SQLFragment) -> SQLFragment {
    "CASE WHEN " + key + " < 2199023255552 THEN " + key + " ELSE 2199023255552 END * 1048576"
  }
}
