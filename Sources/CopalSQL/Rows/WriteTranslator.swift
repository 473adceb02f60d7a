public import CopalStore

/// Makes the SQL statements of a save for an entity's table.
public struct WriteTranslator {
  private let dialect: any SQLDialect
  private let mapping: TableMapping

  /// A translator for a table and a dialect.
  public init(_ mapping: TableMapping, _ dialect: any SQLDialect) {
    self.mapping = mapping
    self.dialect = dialect
  }

  /// The statement that inserts a row with a given key.
  public func insert() -> SQLStatement {
    insert(columns: [mapping.key], values: [.key], rowCount: 1)
  }

  /// The statement that inserts some rows. The database gives them the keys after the greatest one.
  ///
  /// It is faster than inserts with given keys: a database does not search for a key that it makes
  /// itself.
  public func append(rowCount: Int) -> SQLStatement {
    insert(columns: [], values: [], rowCount: rowCount)
  }

  /// The statement that inserts rows with some columns, the version, the entity and the slots.
  private func insert(columns: [SQLFragment], values: [SQLFragment], rowCount: Int) -> SQLStatement
  {
    var columns = columns + [mapping.version]
    var values = values + [.newVersion]
    if let entity = mapping.entityColumn {
      columns.append(entity)
      values.append(.literal(mapping.layout.name))
    }
    columns += mapping.columns
    values += mapping.layout.columns.map { mapping.value(of: $0.slot) }
    if let stale = mapping.staleName {
      let derived = mapping.derivedCells(of: { _ in true })
      columns += derived.map(\.column) + [.identifier(stale)]
      values += derived.map(\.value) + [mapping.markOfWritten]
    }
    let row: SQLFragment = "(" + values.joined(by: ", ") + ")"
    let rows = [SQLFragment](repeating: row, count: rowCount).joined(by: ", ")
    let sql: SQLFragment =
      dialect.insertInto + mapping.table + " (" + columns.joined(by: ", ") + ") VALUES " + rows
    return sql.statement(in: dialect)
  }

  /// The statement that updates the changed columns of a row, if the row still has the version that
  /// was read, and is still one of the entity.
  public func update(_ changed: SlotSet) -> SQLStatement {
    (set(changed) + ifUnchanged + isEntity).statement(in: dialect)
  }

  /// The statement that gives the rows between two keys the same values, if they still have one
  /// version. The first key, the last one and the version are bound after the values.
  public func updateRange(_ changed: SlotSet) -> SQLStatement {
    (set(changed) + isInRange + isEntity).statement(in: dialect)
  }

  private func set(_ changed: SlotSet) -> SQLFragment {
    let assignments =
      [mapping.version + " = " + .newVersion]
      + changed.map { mapping.column($0) + " = " + mapping.value(of: $0) }
      + mapping.derivedCells(of: changed.contains).map(\.assignment)
      + mapping.marks(changed.contains)
    return "UPDATE " + mapping.table + " SET " + assignments.joined(by: ", ")
  }

  /// The statement that sets some columns of a row to NULL, so that other rows of the save can have
  /// their values.
  public func clearUniqueValues(_ slots: [Int]) -> SQLStatement {
    let derived = mapping.derived(from: slots.contains).map { SQLFragment.identifier($0.name) }
    let assignments = (slots.map { mapping.column($0) } + derived).map { $0 + " = NULL" }
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET " + assignments.joined(by: ", ") + " WHERE " + mapping.key
      + " = " + .key
    return sql.statement(in: dialect)
  }

  /// The statement that deletes a row, if the row still has the version that was read, and is still
  /// one of the entity or of a subentity.
  public func delete() -> SQLStatement {
    let sql: SQLFragment = "DELETE FROM " + mapping.table + ifUnchanged + isMember
    return sql.statement(in: dialect)
  }

  /// The statement that deletes some rows which still have one version: the version is bound first,
  /// then the keys.
  public func delete(rowCount: Int) -> SQLStatement {
    let keys = [SQLFragment](repeating: .key, count: rowCount).joined(by: ", ")
    let sql: SQLFragment =
      "DELETE FROM " + mapping.table + " WHERE " + mapping.version + " = " + .version
      + " AND " + mapping.key + " IN (" + keys + ")" + isMember
    return sql.statement(in: dialect)
  }

  /// The statement that deletes the rows between two keys which still have one version: the first
  /// key and the last one are bound, then the version.
  public func deleteRange() -> SQLStatement {
    let sql: SQLFragment = "DELETE FROM " + mapping.table + isInRange + isMember
    return sql.statement(in: dialect)
  }

  private var isInRange: SQLFragment {
    " WHERE " + mapping.key + " BETWEEN " + .key + " AND " + .key + " AND "
      + mapping.version + " = " + .version
  }

  private var ifUnchanged: SQLFragment {
    " WHERE " + mapping.key + " = " + .key + " AND " + mapping.version + " = "
      + .version
  }

  // Another program may have changed the entity of a row, or given its key to a row of another
  // entity. Such a row does not have the columns of the object that is written.

  private var isEntity: SQLFragment { isOne(withSubentities: false) }

  private var isMember: SQLFragment { isOne(withSubentities: true) }

  /// The row is found by its key, not by the index of entities.
  private func isOne(withSubentities: Bool) -> SQLFragment {
    mapping.isEntity(withSubentities: withSubentities, dialect.notByIndex).map { " AND " + $0 }
      ?? ""
  }
}

extension TableMapping {
  /// A derived column of a row that is written, and its value.
  struct DerivedCell {
    let column: SQLFragment
    let value: SQLFragment

    var assignment: SQLFragment { column + " = " + value }
  }

  /// The derived columns of slots whose values a row has that is written. The program makes their
  /// values, so a database needs no function for it.
  func derivedCells(of slots: (Int) -> Bool) -> [DerivedCell] {
    derived(from: slots).filter { canDerive || $0.column.isFolded }.map { derived in
      DerivedCell(
        column: .identifier(derived.name),
        value: value(of: derived.column))
    }
  }

  /// The mark of a row that is written whole: NULL, unless the program cannot make all of its
  /// derived values.
  var markOfWritten: SQLFragment { canDerive ? "NULL" : .number(1) }

  /// The assignment that marks a row of which some slots are written, where the program cannot make
  /// the derived values.
  func marks(_ slots: (Int) -> Bool) -> [SQLFragment] {
    guard !canDerive, let staleName, derived(from: slots).contains(where: { !$0.column.isFolded })
    else { return [] }
    return [.identifier(staleName) + " = 1"]
  }

  /// The derived columns of the slots that get values. A mark stays: another source may have made
  /// it necessary.
  ///
  /// - Parameter value: returns what a slot gets; nil for one that gets nothing.
  func derivedCells(_ dialect: any SQLDialect, _ value: (Int) -> SQLFragment?) -> [DerivedCell] {
    derived.compactMap { derived in
      guard value(derived.column.source) != nil, canDerive || derived.column.isFolded else {
        return nil
      }
      return DerivedCell(
        column: .identifier(derived.name),
        value: self.derived(
          derived.column.function, of: derived.column.source, dialect, given: value))
    }
  }
}
