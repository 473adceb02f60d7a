public import CopalEssentials
import CopalModel
public import CopalStore

/// Makes the queries by which a migration finds what rows refuse.
///
/// A migration asks the tables as it has changed them. A plan asks the old tables, and sees each
/// row as the migration would leave it.
public struct RowCheckTranslator {
  private let dialect: any SQLDialect
  private let schema: StoreSchema
  /// The tables of a plan, by the position of their root in the new schema.
  private var planned: [Int: PlannedTable] = [:]
  /// Whether the tables are those of the old model.
  let isPlan: Bool

  /// A translator for tables as they are.
  public init(_ schema: StoreSchema, _ dialect: any SQLDialect) {
    self.init(schema, dialect, isPlan: false)
  }

  private init(_ schema: StoreSchema, _ dialect: any SQLDialect, isPlan: Bool) {
    self.schema = schema
    self.dialect = dialect
    self.isPlan = isPlan
  }

  /// A translator for a migration that is planned.
  ///
  /// - Parameter now: the instant of `"now"`.
  public init(
    planning changes: TableChanges, _ pair: SchemaPair, _ dialect: any SQLDialect, now: Date
  ) {
    self.init(pair.new, dialect, isPlan: true)
    for change in changes.changed {
      planned[change.root.layout.index] = PlannedTable(
        change, filledBy: changes.relationships, pair, dialect, now: now)
    }
  }

  // MARK: What rows refuse

  /// The keys of the rows without a value, in their order.
  public func rowsWithoutValue(_ check: RowCheck) -> SQLStatement {
    let (mapping, column) = (check.mapping, check.mapping.column(check.slot))
    return statement(
      "SELECT " + mapping.key + " FROM " + rows(mapping, [check.slot]) + " WHERE " + column
        + " IS NULL" + mapping.condition(check.entities, areAll: check.areAll, before: " AND ")
        + " ORDER BY " + mapping.key)
  }

  /// Reads the value of each row with a conversion, which notes the rows that it does not accept.
  public func accept(_ check: RowCheck, conversion: Int) -> SQLStatement {
    let mapping = check.mapping
    let value = dialect.converted(
      mapping.column(check.slot), ofRow: mapping.key, conversion: conversion)
    return statement(
      "SELECT count(" + value + ") FROM " + rows(mapping, [check.slot], byKey: true)
        + mapping.condition(check.entities, areAll: check.areAll, before: " WHERE "))
  }

  /// Calculates what an update of a plan writes; the conversions note the rows that they do not
  /// accept. Nil for an update that converts nothing.
  public func convert(_ update: RowUpdate) -> SQLStatement? {
    let slots = update.assignments.filter(\.converts).map(\.slot)
    guard let first = update.entities.first, !slots.isEmpty else { return nil }
    let mapping = TableMapping(first, in: schema)
    let counts = slots.map { "count(" + mapping.column($0) + ")" }
    return statement(
      "SELECT " + counts.joined(by: ", ") + " FROM " + rows(mapping, slots, byKey: true)
        + mapping.condition(update.entities, areAll: update.areAll, before: " WHERE "))
  }

  /// The groups of rows with equal values of a unique index: for each group its first and its last
  /// key, and the number of its rows.
  public func duplicates(_ index: SchemaTranslator.Index, _ mapping: TableMapping) -> SQLStatement {
    let columns = index.columns.map { SQLFragment.identifier($0) }
    let slots = index.columns.compactMap { mapping.columnNames.firstIndex(of: $0) }
    let condition = columns.map { $0 + " IS NOT NULL" }.joined(by: " AND ")
    let entities = mapping.isEntity(withSubentities: true).map { " AND " + $0 } ?? ""
    return statement(
      "SELECT min(" + mapping.key + "), max(" + mapping.key + "), count(*) FROM "
        + rows(mapping, slots) + " WHERE " + condition + entities + " GROUP BY "
        + columns.joined(by: ", ") + " HAVING count(*) > 1 ORDER BY 1")
  }

  // MARK: Numbers

  /// The number of rows of some entities.
  public func rowCount(_ check: RowCheck) -> SQLStatement {
    rowCount(check.entities, areAll: check.areAll, check.mapping)
  }

  /// The number of rows that an update writes.
  public func rowCount(_ update: RowUpdate) -> SQLStatement? {
    update.entities.first.map {
      rowCount(update.entities, areAll: update.areAll, TableMapping($0, in: schema))
    }
  }

  private func rowCount(_ entities: [EntityLayout], areAll: Bool, _ mapping: TableMapping)
    -> SQLStatement
  {
    statement(
      "SELECT count(*) FROM " + rows(mapping, [])
        + mapping.condition(entities, areAll: areAll, before: " WHERE "))
  }

  /// The number of rows of exactly the entity.
  public func objectCount(_ mapping: TableMapping) -> SQLStatement {
    rowCount([mapping.layout], areAll: false, mapping)
  }

  /// The number of values in the columns of some slots: one row, with a column for each.
  public func valueCounts(_ slots: [Int], _ mapping: TableMapping) -> SQLStatement {
    let counts = slots.map { "count(" + mapping.column($0) + ")" }.joined(by: ", ")
    let entities = mapping.isEntity(withSubentities: true).map { " WHERE " + $0 } ?? ""
    return statement("SELECT " + counts + " FROM " + mapping.table + entities)
  }

  // MARK: Parts

  /// The rows of a table, as they are or as they would be.
  ///
  /// - Parameters:
  ///   - slots: the slots of the mapping that are read. Others are not calculated.
  ///   - byKey: whether the table is read by its key, without an index.
  private func rows(_ mapping: TableMapping, _ slots: [Int], byKey: Bool = false) -> SQLFragment {
    let ending = byKey ? dialect.withoutIndexes : ""
    guard let table = planned[mapping.layout.root] else { return mapping.table + ending }
    return table.rows(of: Set(slots.map { mapping.columnNames[$0] }), ending)
  }

  func statement(_ sql: SQLFragment) -> SQLStatement { sql.statement(in: dialect) }
}

/// The old table of a plan, with its rows as the migration would leave them.
private struct PlannedTable {
  private let change: TableChange
  private let pair: SchemaPair
  private let dialect: any SQLDialect
  private let now: Date
  /// The columns that have been there, by the names of the new ones.
  private let oldNames: [String: String]

  /// The pairs that would fill columns, by the names of these.
  private let fills: [String: RelatedPairs]

  init(
    _ change: TableChange, filledBy relationships: RelationshipChanges, _ pair: SchemaPair,
    _ dialect: any SQLDialect, now: Date
  ) {
    self.change = change
    var fills: [String: RelatedPairs] = [:]
    for fill in relationships.fills {
      if case .column(let mapping, let slot) = fill.target,
        mapping.tableName == change.root.tableName
      {
        fills[mapping.columnNames[slot]] = fill.oldPairs
      }
    }
    self.fills = fills
    self.pair = pair
    self.dialect = dialect
    self.now = now
    oldNames = Dictionary(
      change.columns.kept.map { ($0.column.mapping.columnNames[$0.column.slot], $0.oldName) },
      uniquingKeysWith: { first, _ in first })
  }

  /// A table expression with the key, the name of the entity, and some columns.
  ///
  /// - Parameter ending: what follows the name of the old table.
  func rows(of names: Set<String>, _ ending: SQLFragment) -> SQLFragment {
    var columns = [change.old.key + " AS " + change.root.key]
    if let entity = change.root.entityColumn { columns.append(entityNow + " AS " + entity) }
    for mapping in change.family {
      for slot in mapping.layout.ownColumns.map(\.slot)
      where names.contains(mapping.columnNames[slot]) {
        columns.append(value(slot, mapping) + " AS " + mapping.column(slot))
      }
    }
    return "(SELECT " + columns.joined(by: ", ") + " FROM " + change.old.table + ending
      + keptEntities + ") AS " + change.root.table
  }

  /// The new name of the entity of a row.
  private var entityNow: SQLFragment {
    guard let column = change.old.entityColumn else {
      return .literal(change.entityOfRows ?? change.root.layout.name)
    }
    if change.renamedEntities.isEmpty { return column }
    return change.newName(of: column) + " ELSE " + column + " END"
  }

  /// The condition for the rows of entities that the model still has.
  private var keptEntities: SQLFragment {
    guard let column = change.old.entityColumn, !change.removedEntities.isEmpty else { return "" }
    return " WHERE " + column + " NOT IN ("
      + change.removedEntities.map { .literal($0) }.joined(by: ", ") + ")"
  }

  /// What the column of a slot would have.
  private func value(_ slot: Int, _ mapping: TableMapping) -> SQLFragment {
    let name = mapping.columnNames[slot]
    if let pairs = fills[name] { return firstObject(pairs) }
    let old: SQLFragment = oldNames[name].map { .identifier($0) } ?? "NULL"
    var value = old
    for update in change.columns.updates {
      for assignment in update.assignments
      where assignment.slot == slot && assignment.declaringEntity == mapping.layout.index {
        let new = assignment.value(of: old, in: mapping, dialect, now: now)
        let entities = update.entities.compactMap { pair.before($0)?.index }
        if update.areAll || change.old.entityColumn == nil {
          value = new
        } else {
          value =
            "CASE WHEN " + change.old.entity(isOneOf: entities) + " THEN " + new + " ELSE " + value
            + " END"
        }
      }
    }
    return value
  }
}

extension PlannedTable {
  /// The first far object of a row's pairs.
  private func firstObject(_ pairs: RelatedPairs) -> SQLFragment {
    let outer = change.old.table + "." + change.old.key
    let name: SQLFragment = "copal_pairs."
    let order =
      (pairs.position.map { name + .identifier($0) + ", " } ?? "") + name + .identifier(pairs.far)
    return "(SELECT " + name + .identifier(pairs.far) + " FROM " + .identifier(pairs.table)
      + " AS copal_pairs WHERE " + name + .identifier(pairs.near) + " = " + outer + " AND " + name
      + .identifier(pairs.far) + " IS NOT NULL ORDER BY " + order + " LIMIT 1)"
  }
}

extension RowUpdate.Assignment {
  /// Whether a value is read and becomes another one.
  fileprivate var converts: Bool {
    if case .converted = source { true } else { false }
  }
}

extension TableMapping {
  /// The condition for the rows of some entities; empty for all rows of the table.
  func condition(_ entities: [EntityLayout], areAll: Bool, before word: SQLFragment) -> SQLFragment
  {
    if areAll { return "" }
    return isOne(of: entities.map(\.index)).map { word + $0 } ?? ""
  }
}
