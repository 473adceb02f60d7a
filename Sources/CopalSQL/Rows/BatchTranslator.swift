import CopalModel
public import CopalStore

/// Makes the SQL statements of a batch for an entity's table.
public struct BatchTranslator {
  private let dialect: any SQLDialect
  private let mapping: TableMapping
  private let select: SelectTranslator

  /// A translator for a table and a dialect.
  public init(_ mapping: TableMapping, _ dialect: any SQLDialect) {
    self.mapping = mapping
    self.dialect = dialect
    select = SelectTranslator(mapping, dialect)
  }

  /// The next version of a row. A version that Copal cannot have written becomes the first one.
  private var nextVersion: SQLFragment {
    Self.nextVersion(mapping.version)
  }

  fileprivate static func nextVersion(_ version: SQLFragment) -> SQLFragment {
    "CASE WHEN " + version + " < " + .integer(RowVersion.range.upperBound) + " THEN "
      + version + " + 1 ELSE " + .integer(RowVersion.first) + " END"
  }

  private var raisesVersion: SQLFragment { mapping.version + " = " + nextVersion }

  /// Deletes the rows of a query.
  public func delete(_ shape: QueryShape) -> SQLStatement {
    ("DELETE FROM " + mapping.table + select.condition(shape)).statement(in: dialect)
  }

  // MARK: Updates

  /// Gives the rows of a query new values, and raises their versions. There are no calculated
  /// values.
  public func update(_ shape: QueryShape, _ assignments: [BatchChange.Assignment]) -> SQLStatement {
    let values = assignments.map { assignment -> SQLFragment in
      let column = mapping.column(assignment.slot) + " = "
      return switch assignment.value {
      case .parameter(let number):
        column + mapping.parameter(number, of: assignment.slot)
      case .null, .calculated: column + "NULL"
      }
    }
    let derived = assignments.flatMap { assignment -> [SQLFragment] in
      let source: SQLFragment =
        if case .parameter(let number) = assignment.value {
          mapping.parameter(number, of: assignment.slot)
        } else {
          "NULL"
        }
      return mapping.derivedCells(dialect) { $0 == assignment.slot ? source : nil }
        .map(\.assignment)
    }
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET "
      + ([raisesVersion] + values + derived).joined(by: ", ")
    return (sql + select.condition(shape)).statement(in: dialect)
  }

  /// The key, the name of the entity, and calculated values of the rows of a query. The name is
  /// null for a table of one entity.
  public func values(_ shape: QueryShape, _ calculations: [QueryCalculation]) -> SQLStatement {
    let values = calculations.map { calculation in
      ConditionTranslator.named(mapping, dialect, QueryNesting.form { $0.of(calculation) })
        .sql(calculation)
    }
    let columns = [mapping.key, mapping.entityColumn ?? "NULL"] + values
    let sql: SQLFragment = "SELECT " + columns.joined(by: ", ") + " FROM " + mapping.table
    return (sql + select.condition(shape)).statement(in: dialect)
  }

  /// Gives one row new values, and raises its version. The first placeholders are those of the
  /// values; those of the sources of derived columns follow: ``derivedSources(of:)``.
  public func set(_ slots: [Int]) -> SQLStatement {
    let values = slots.map { mapping.column($0) + " = " + mapping.given($0) }
    let derived = slots.flatMap { slot in
      mapping.derivedCells(dialect) { $0 == slot ? mapping.given(slot) : nil }.map(\.assignment)
    }
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET " + (values + derived + [raisesVersion]).joined(by: ", ")
      + " WHERE " + mapping.key + " = " + .key
    return sql.statement(in: dialect)
  }

  /// For each derived column that ``set(_:)`` writes, the place of its source among the slots.
  public func derivedSources(of slots: [Int]) -> [Int] {
    slots.indices.flatMap { place in
      mapping.derived.filter { $0.column.source == slots[place] }.map { _ in place }
    }
  }

  /// Raises the version of one row. Where it has derived columns, they do not hold any more: a
  /// program has changed the row by itself.
  public func touch() -> SQLStatement {
    let stale = mapping.staleName.map { [.identifier($0) + " = 1"] } ?? []
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET " + ([raisesVersion] + stale).joined(by: ", ") + " WHERE "
      + mapping.key + " = " + .key
    return sql.statement(in: dialect)
  }

  /// The names of files in the column of a slot, of the rows of a query.
  public func fileNames(_ slot: Int, _ shape: QueryShape) -> SQLStatement {
    let column = mapping.column(slot)
    let isName = dialect.isFileName(column) ?? dialect.truth(false)
    let tail = select.condition(shape)
    let sql: SQLFragment =
      "SELECT CASE WHEN " + isName + " THEN " + column + " END FROM " + mapping.table + tail
    return sql.statement(in: dialect)
  }

  // MARK: Inserts

  /// Inserts a row with its key, or gives the row with the same values in a unique constraint the
  /// given values. Nothing is written where that row belongs to another entity.
  ///
  /// - Parameters:
  ///   - isByKey: whether the row with the same values is the one with the key. It is for a row
  ///   that
  ///     is in no index of the constraint.
  ///   - returnsKey: whether the result is the key of the row. For a result, a database can make a
  ///     temporary table for each row.
  public func upsert(
    on constraint: EntityLayout.UniqueConstraint, given: SlotSet, isByKey: Bool = false,
    returnsKey: Bool
  ) -> SQLStatement {
    var columns = [mapping.key, mapping.version]
    var values: [SQLFragment] = [.key, .newVersion]
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
    let index = mapping.columnNames(of: constraint).map { .identifier($0) }.joined(by: ", ")
    let ofIndex = mapping.condition(of: constraint).map { " WHERE " + $0 } ?? ""
    let (target, condition) = isByKey ? (mapping.key, "") : (index, ofIndex)
    let isEntity = mapping.isEntity(withSubentities: false, mapping.table + ".").map {
      " WHERE " + $0
    }
    // In one piece without other values: the placeholders of an insert take all from a row.
    let version: SQLFragment =
      mapping.version + " = " + mapping.table + "." + mapping.version + " + 1"
    // The stored value can be another one only where something is ignored.
    let slots = given.filter {
      !constraint.slots.contains($0) || constraint.ignoresDifferences(in: $0)
    }
    let derived = mapping.derived(from: slots.contains).map { SQLFragment.identifier($0.name) }
    let changed = (slots.map { mapping.column($0) } + derived).map { $0 + " = excluded." + $0 }
    let sql: SQLFragment =
      dialect.insertInto + mapping.table + " (" + columns.joined(by: ", ") + ") VALUES ("
      + values.joined(by: ", ") + ") ON CONFLICT (" + target + ")" + condition
      + " DO UPDATE SET " + ([version] + changed).joined(by: ", ") + (isEntity ?? "")
      + (returnsKey ? " RETURNING " + mapping.key : "")
    return sql.statement(in: dialect)
  }
}

/// Makes the SQL statements that follow the delete rules. The keys of the deleted objects are in a
/// temporary table, each with its root and with the level at which a cascade has reached it.
public struct DeletionTranslator {
  private let dialect: any SQLDialect
  private let schema: StoreSchema
  private let naming: any StoreNaming

  /// A translator for a schema, a dialect and the names of a naming.
  public init(
    _ schema: StoreSchema, _ dialect: any SQLDialect, _ naming: any StoreNaming = CopalNaming()
  ) {
    self.schema = schema
    self.dialect = dialect
    self.naming = naming
  }

  private var marks: SQLFragment { .identifier("copal_batch") }
  private var markedRoot: SQLFragment { .identifier("root") }
  private var markedKey: SQLFragment { .identifier("key") }
  private var markedLevel: SQLFragment { .identifier("level") }

  private func mapping(_ entity: Int) -> TableMapping {
    TableMapping(schema.entities[entity], in: schema, naming)
  }

  /// Makes the temporary table if there is none, and empties it.
  public func begin() -> [SQLStatement] {
    let columns = [markedRoot, markedLevel, markedKey].map {
      $0 + " " + .dialectWord(dialect.columnType(.integer)) + " NOT NULL, "
    }
    let create: SQLFragment =
      "CREATE TEMPORARY TABLE IF NOT EXISTS " + marks + " (" + columns.joined(by: "")
      + "PRIMARY KEY ("
      + markedRoot + ", " + markedLevel + ", " + markedKey + "), UNIQUE (" + markedRoot + ", "
      + markedKey + "))" + dialect.keptByPrimaryKey
    return [create.statement(in: dialect), end()]
  }

  /// Empties the temporary table.
  public func end() -> SQLStatement { ("DELETE FROM " + marks).statement(in: dialect) }

  private func number(_ number: Int) -> SQLFragment { .integer(Int64(number)) }

  /// Marks the objects of a query.
  public func mark(_ shape: QueryShape) -> SQLStatement {
    let mapping = mapping(shape.entity)
    let sql: SQLFragment =
      insertMarks + "SELECT " + number(mapping.layout.root) + ", 0, " + mapping.key + " FROM "
      + mapping.table + SelectTranslator(mapping, dialect).condition(shape)
    return sql.statement(in: dialect)
  }

  private var insertMarks: SQLFragment {
    "INSERT INTO " + marks + " (" + markedRoot + ", " + markedLevel + ", " + markedKey + ") "
  }

  /// The keys of the deleted objects of a root; at one level, or at all of them.
  private func marked(_ root: Int, level: Int? = nil) -> SQLFragment {
    let part = level.map { " AND " + markedLevel + " = " + number($0) }
    return "(SELECT " + markedKey + " FROM " + marks + " WHERE " + markedRoot + " = "
      + number(root) + (part ?? "") + ")"
  }

  /// Where a relationship is kept: a table with the keys of the objects of both ends.
  private struct Pairs {
    let table: SQLFragment
    /// The column with the key of the deleted object.
    let own: SQLFragment
    /// The column with the key of the other object.
    let other: SQLFragment
  }

  private func pairs(_ edge: DeletionPlan.Edge) -> Pairs {
    let (owner, other) = (mapping(edge.layout.declaringEntity), mapping(edge.layout.destination))
    switch edge.layout.storage {
    case .slot(let slot):
      return Pairs(table: owner.table, own: owner.key, other: owner.column(slot))
    case .inverseSlot(let slot, _):
      return Pairs(table: other.table, own: other.column(slot), other: other.key)
    case .links(let table, let end):
      let links = LinkMapping(schema.linkTables[table], in: schema, naming)
      return Pairs(
        table: links.table, own: links.column(at: end), other: links.column(at: end.other))
    }
  }

  /// Marks the objects to which a relationship cascades from those of a level.
  public func cascade(_ edge: DeletionPlan.Edge, from level: Int) -> SQLStatement {
    let pairs = pairs(edge)
    let sql: SQLFragment =
      insertMarks + "SELECT " + number(edge.destinationRoot) + ", " + number(level + 1) + ", "
      + pairs.other + " FROM " + pairs.table + " WHERE " + pairs.own + " IN "
      + marked(edge.root, level: level) + " AND " + pairs.other
      + " IS NOT NULL ON CONFLICT DO NOTHING"
    return sql.statement(in: dialect)
  }

  /// A deleted object that a relationship keeps from being deleted, and the number of objects in
  /// the relationship: one row, or none.
  public func denied(_ edge: DeletionPlan.Edge) -> SQLStatement {
    let pairs = pairs(edge)
    let sql: SQLFragment =
      "SELECT " + pairs.own + ", count(*) FROM " + pairs.table + remain(edge, pairs) + " GROUP BY "
      + pairs.own + " ORDER BY " + pairs.own + " LIMIT 1"
    return sql.statement(in: dialect)
  }

  /// An object that is not deleted, and would lose the one that it must have: one row, or none.
  public func required(_ edge: DeletionPlan.Edge) -> SQLStatement {
    let other = mapping(edge.layout.destination)
    let sql: SQLFragment =
      "SELECT min(" + other.key + ") FROM " + other.table + refersToMarked(edge)
    return sql.statement(in: dialect)
  }

  /// An object that is not deleted, and would have fewer objects in a relationship than its
  /// minimum, with their number: one row, or none.
  public func tooFew(_ edge: DeletionPlan.Edge, minimum: Int) -> SQLStatement {
    let pairs = pairs(edge)
    let count: SQLFragment =
      "(SELECT count(*) FROM " + pairs.table + " AS rest WHERE rest." + pairs.other + " = owners."
      + pairs.other + " AND rest." + pairs.own + " NOT IN " + marked(edge.root) + ")"
    let owners: SQLFragment =
      "(SELECT DISTINCT " + pairs.other + " FROM " + pairs.table + remain(edge, pairs)
      + ") AS owners"
    let sql: SQLFragment =
      "SELECT owners." + pairs.other + ", " + count + " FROM " + owners + " WHERE " + count + " < "
      + number(minimum) + " ORDER BY owners." + pairs.other + " LIMIT 1"
    return sql.statement(in: dialect)
  }

  /// The pairs of a deleted object and one that is not deleted.
  private func remain(_ edge: DeletionPlan.Edge, _ pairs: Pairs) -> SQLFragment {
    " WHERE " + pairs.own + " IN " + marked(edge.root) + " AND " + pairs.other
      + " IS NOT NULL AND " + pairs.other + " NOT IN " + marked(edge.destinationRoot)
  }

  /// The rows that refer to a deleted object, and are not deleted.
  private func refersToMarked(_ edge: DeletionPlan.Edge) -> SQLFragment {
    let other = mapping(edge.layout.destination)
    guard let back = edge.back else { return " WHERE " + dialect.truth(false) }
    return " WHERE " + other.column(back.slot) + " IN " + marked(edge.root) + " AND " + other.key
      + " NOT IN " + marked(edge.destinationRoot)
  }

  /// Removes the references to deleted objects from other rows, and raises their versions. Nil
  /// where nothing refers to them.
  public func nullify(_ edge: DeletionPlan.Edge) -> SQLStatement? {
    guard let back = edge.back else { return nil }
    let other = mapping(edge.layout.destination)
    let columns = [back.slot, back.positionSlot].compactMap { $0 }.map { other.column($0) }
    let sql: SQLFragment =
      "UPDATE " + other.table + " SET " + columns.map { $0 + " = NULL" }.joined(by: ", ") + ", "
      + other.version + " = " + BatchTranslator.nextVersion(other.version) + refersToMarked(edge)
    return sql.statement(in: dialect)
  }

  /// Raises the versions of the objects that are not deleted, and lose one of the objects of a
  /// relationship with a minimum.
  public func raiseOwners(_ edge: DeletionPlan.Edge) -> SQLStatement {
    let pairs = pairs(edge)
    let other = mapping(edge.layout.destination)
    let sql: SQLFragment =
      "UPDATE " + other.table + " SET " + other.version + " = "
      + BatchTranslator.nextVersion(other.version) + " WHERE " + other.key + " IN (SELECT "
      + pairs.other + " FROM " + pairs.table + remain(edge, pairs) + ")"
    return sql.statement(in: dialect)
  }

  /// Removes the links of deleted objects; nil for a relationship without links.
  public func removeLinks(_ edge: DeletionPlan.Edge) -> [SQLStatement] {
    guard case .links(let table, let end) = edge.layout.storage else { return [] }
    let links = LinkMapping(schema.linkTables[table], in: schema, naming)
    let ends = schema.linkTables[table].isSymmetric ? [end, end.other] : [end]
    return ends.map { end in
      let sql: SQLFragment =
        "DELETE FROM " + links.table + " WHERE " + links.column(at: end) + " IN "
        + marked(edge.root)
      return sql.statement(in: dialect)
    }
  }

  /// The names of files in the column of a slot, of the deleted objects of an entity.
  public func fileNames(_ slot: Int, ofEntity entity: Int) -> SQLStatement {
    let mapping = mapping(entity)
    let column = mapping.column(slot)
    let isName = dialect.isFileName(column) ?? dialect.truth(false)
    let sql: SQLFragment =
      "SELECT " + column + " FROM " + mapping.table + " WHERE " + mapping.key + " IN "
      + marked(mapping.layout.root) + " AND " + isName
    return sql.statement(in: dialect)
  }

  /// Deletes the marked rows of a root.
  public func delete(root: Int) -> SQLStatement {
    let mapping = mapping(root)
    let sql: SQLFragment =
      "DELETE FROM " + mapping.table + " WHERE " + mapping.key + " IN " + marked(root)
    return sql.statement(in: dialect)
  }
}
