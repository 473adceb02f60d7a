import CopalModel
public import CopalStore

/// Makes the SELECT statements for an entity's table.
public struct SelectTranslator {
  private let dialect: any SQLDialect
  private let mapping: TableMapping
  /// `SELECT` all columns `FROM` the table. Kept, because every fetch of rows begins with it.
  private let rowHead: SQLFragment

  /// A translator for a table and a dialect.
  public init(_ mapping: TableMapping, _ dialect: any SQLDialect) {
    self.mapping = mapping
    self.dialect = dialect
    let columns = ([mapping.key, mapping.version] + mapping.columns).joined(by: ", ")
    let head: SQLFragment = "SELECT " + columns + " FROM " + mapping.table
    rowHead = .dialectWord(head.statement(in: dialect).text)
  }

  /// The statement of every query of a shape. ``SQLBinding/value(in:_:)`` gives the value for each
  /// placeholder.
  ///
  /// A row has the key, the version, and then every stored slot. A count counts at most the limit, and not the objects
  /// before the offset.
  public func statement(_ shape: QueryShape, _ plan: RangePlan? = nil) -> SQLStatement {
    let sql: SQLFragment
    switch shape.result {
    case .rows: sql = rowHead + tail(shape, plan)
    case .keys: sql = "SELECT " + mapping.key + " FROM " + mapping.table + tail(shape, plan)
    case .count where shape.hasLimit || shape.hasOffset:
      let part = "SELECT 1 FROM " + mapping.table + condition(shape) + limit(shape)
      sql = "SELECT count(*) FROM (" + part + ")"
    case .count: sql = "SELECT count(*) FROM " + mapping.table + condition(shape)
    }
    return sql.statement(in: dialect)
  }

  /// The complete rows of some keys. The statement has `keyCount` placeholders.
  public func rows(keyCount: Int) -> SQLStatement {
    let head = rowHead + " WHERE " + mapping.key
    let keys = [SQLFragment](repeating: .binding(.key), count: keyCount).joined(by: ", ")
    let sql: SQLFragment = keyCount == 1 ? head + " = " + keys : head + " IN (" + keys + ")"
    return sql.statement(in: dialect)
  }

  /// The keys of other rows that have the values of the current row in the slots of a unique constraint.
  public func owner(of slots: [Int]) -> SQLStatement {
    let same = slots.map { mapping.column($0) + " = " + .binding(.slot($0)) }.joined(by: " AND ")
    let sql: SQLFragment =
      "SELECT " + mapping.key + " FROM " + mapping.table + " WHERE " + same + " AND " + mapping.key
      + " <> " + .binding(.key)
    return sql.statement(in: dialect)
  }

  /// The version of the row of the current object.
  public func version() -> SQLStatement {
    let sql: SQLFragment =
      "SELECT " + mapping.version + " FROM " + mapping.table + " WHERE " + mapping.key + " = "
      + .binding(.key)
    return sql.statement(in: dialect)
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
    guard let condition = shape.condition else { return "" }
    return " WHERE " + ConditionTranslator(mapping, dialect).sql(condition)
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
