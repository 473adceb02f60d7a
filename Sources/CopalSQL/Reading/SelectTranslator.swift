import CopalModel
public import CopalStore

/// Makes the SELECT statements for an entity's table.
public struct SelectTranslator {
  private let dialect: any SQLDialect
  private let mapping: TableMapping
  /// `SELECT` the columns of the entity `FROM` the table. Kept, because every fetch of rows begins with it.
  private let rowHead: SQLFragment
  /// The same with the columns of the entity's subentities.
  private let familyHead: SQLFragment

  /// A translator for a table and a dialect.
  public init(_ mapping: TableMapping, _ dialect: any SQLDialect) {
    self.mapping = mapping
    self.dialect = dialect
    func head(_ columns: [SQLFragment]) -> SQLFragment {
      let sql: SQLFragment = "SELECT " + columns.joined(by: ", ") + " FROM " + mapping.table
      return .dialectWord(sql.statement(in: dialect).text)
    }
    rowHead = head(mapping.rowColumns(withSubentities: false))
    familyHead =
      mapping.subentities.isEmpty ? rowHead : head(mapping.rowColumns(withSubentities: true))
  }

  /// The statement of every query of a shape. ``SQLBinding/value(in:_:)`` gives the value for each
  /// placeholder.
  ///
  /// A row has the key, the version, and then every stored slot. With subentities, it has the name of its entity after the
  /// version, and the slots of the subentities after those of the entity. A count counts at most the limit, and not the objects
  /// before the offset.
  public func statement(_ shape: QueryShape, _ plan: RangePlan? = nil) -> SQLStatement {
    let sql: SQLFragment
    switch shape.result {
    case .rows:
      sql = (shape.includesSubentities ? familyHead : rowHead) + tail(shape, plan)
    case .keys: sql = "SELECT " + mapping.key + " FROM " + mapping.table + tail(shape, plan)
    case .count where shape.hasLimit || shape.hasOffset:
      let part = "SELECT 1 FROM " + mapping.table + condition(shape) + limit(shape)
      sql = "SELECT count(*) FROM (" + part + ")"
    case .count: sql = "SELECT count(*) FROM " + mapping.table + condition(shape)
    }
    return sql.statement(in: dialect)
  }

  /// The complete rows of some keys, if they are rows of the entity or of a subentity. The statement has `keyCount`
  /// placeholders.
  public func rows(keyCount: Int) -> SQLStatement {
    let head = familyHead + " WHERE " + mapping.key
    let keys = [SQLFragment](repeating: .binding(.key), count: keyCount).joined(by: ", ")
    let sql: SQLFragment = keyCount == 1 ? head + " = " + keys : head + " IN (" + keys + ")"
    let condition = mapping.isEntity(withSubentities: true).map { " AND " + $0 } ?? ""
    return (sql + condition).statement(in: dialect)
  }

  /// The keys of other rows that have the values of the current row in a unique constraint.
  public func owner(of constraint: EntityLayout.UniqueConstraint) -> SQLStatement {
    let same = constraint.slots.map { mapping.column($0) + " = " + .binding(.slot($0)) }
    let condition = mapping.condition(of: constraint).map { [$0] } ?? []
    let sql: SQLFragment =
      "SELECT " + mapping.key + " FROM " + mapping.table + " WHERE "
      + (same + condition).joined(by: " AND ") + " AND " + mapping.key + " <> " + .binding(.key)
    return sql.statement(in: dialect)
  }

  /// The version of the row of the current object, if it is a row of the entity itself.
  public func version() -> SQLStatement {
    let condition = mapping.isEntity(withSubentities: false).map { " AND " + $0 } ?? ""
    let sql: SQLFragment =
      "SELECT " + mapping.version + " FROM " + mapping.table + " WHERE " + mapping.key + " = "
      + .binding(.key)
    return (sql + condition).statement(in: dialect)
  }

  /// The greatest key in the table; NULL for an empty table.
  public func maxKey() -> SQLStatement {
    let sql: SQLFragment = "SELECT max(" + mapping.key + ") FROM " + mapping.table
    return sql.statement(in: dialect)
  }

  private func tail(_ shape: QueryShape, _ plan: RangePlan?) -> SQLFragment {
    let tail = condition(shape) + order(shape, plan) + limit(shape)
    return plan == .byKey ? dialect.withoutIndexes + tail : tail
  }

  private func condition(_ shape: QueryShape) -> SQLFragment {
    let entity = mapping.isEntity(withSubentities: shape.includesSubentities)
    let condition = shape.condition.map { ConditionTranslator(mapping, dialect).sql($0) }
    let parts = [entity, condition].compactMap { $0 }
    return parts.isEmpty ? "" : " WHERE " + parts.joined(by: " AND ")
  }

  private func order(_ shape: QueryShape, _ plan: RangePlan?) -> SQLFragment {
    if plan == .byIndex { return " ORDER BY " + dialect.sortedLast(mapping.key) }

    let keys = shape.sortKeys.map { key in
      let column = mapping.column(key.slot)
      let isText = mapping.layout.storage(key.slot) == .text
      let isDecimal = mapping.layout.attributes[key.slot].type == .decimal
      let ordered =
        isText ? isDecimal ? dialect.decimalOrder(column) : dialect.bytewise(column) : column
      return dialect.sorted(ordered, isAscending: key.isAscending)
    }
    return " ORDER BY " + (keys + [mapping.key]).joined(by: ", ")
  }

  private func limit(_ shape: QueryShape) -> SQLFragment {
    guard shape.hasLimit || shape.hasOffset else { return "" }
    return dialect.limit(hasLimit: shape.hasLimit, hasOffset: shape.hasOffset)
  }
}

extension TableMapping {
  /// What a statement reads of a row: the key, the version, and then the stored slots. With subentities, the name of the
  /// row's entity comes after the version, and the slots of the subentities are the last ones.
  func rowColumns(withSubentities: Bool) -> [SQLFragment] {
    guard withSubentities, !subentities.isEmpty, let entityColumn else {
      return [key, version] + columns
    }
    return [key, version, entityColumn] + allColumns
  }
}
