import CopalModel
public import CopalStore

/// Makes the SELECT statements for an entity's table.
public struct SelectTranslator {
  let dialect: any SQLDialect
  let mapping: TableMapping
  /// `SELECT` the columns of the entity `FROM` the table. Kept, because every fetch of rows begins
  /// with it.
  private let rowHead: SQLFragment
  /// The same with the columns of the entity's subentities.
  private let familyHead: SQLFragment
  /// The unique constraints whose index has a condition that names entities.
  private let constraintsOfEntities: [EntityLayout.UniqueConstraint]

  /// A translator for a table and a dialect.
  public init(_ mapping: TableMapping, _ dialect: any SQLDialect) {
    self.mapping = mapping
    constraintsOfEntities = mapping.constraintsOfEntities
    self.dialect = dialect
    func head(_ columns: [SQLFragment]) -> SQLFragment {
      let sql: SQLFragment = "SELECT " + columns.joined(by: ", ") + " FROM " + mapping.table
      return .dialectWord(sql.statement(in: dialect).text)
    }
    rowHead = head(mapping.rowColumns(withSubentities: false))
    familyHead =
      mapping.subentities.isEmpty ? rowHead : head(mapping.rowColumns(withSubentities: true))
  }

  /// The statement of every query of a shape. ``PlaceholderValue/value(in:_:)`` gives the value for
  /// each placeholder.
  ///
  /// A row has the key, the version, and then every stored slot. With subentities, it has the name
  /// of its entity after the version, and the slots of the subentities after those of the entity. A
  /// count counts at most the limit, and not the objects before the offset.
  ///
  /// - Parameter stale: which rows may have derived columns that do not hold. A statement with
  ///   ``SQLStatement/usesDerivedColumns`` that was made for none is right only while there is
  ///   none.
  public func statement(
    _ shape: QueryShape, _ plan: ReadingPlan? = nil, _ stale: StaleRows = .some
  ) -> SQLStatement {
    let sql: SQLFragment
    switch shape.result {
    case .rows:
      sql = (shape.includesSubentities ? familyHead : rowHead) + tail(shape, plan, stale)
    case .keys: sql = "SELECT " + mapping.key + " FROM " + mapping.table + tail(shape, plan, stale)
    case .count where shape.hasLimit || shape.hasOffset:
      let part =
        "SELECT 1 FROM " + mapping.table + condition(shape, nil, stale) + limit(shape)
      sql = "SELECT count(*) FROM " + dialect.from(part)
    case .count: sql = "SELECT count(*) FROM " + mapping.table + condition(shape, nil, stale)
    }
    return sql.statement(in: dialect)
  }

  /// The complete rows of some keys, if they are rows of the entity or of a subentity. The
  /// statement has `keyCount` placeholders.
  public func rows(keyCount: Int) -> SQLStatement {
    let head = familyHead + " WHERE " + mapping.key
    let keys = [SQLFragment](repeating: .key, count: keyCount).joined(by: ", ")
    let sql: SQLFragment = keyCount == 1 ? head + " = " + keys : head + " IN (" + keys + ")"
    // The row of a key is found without the index of entities.
    let condition = mapping.isEntity(withSubentities: true, dialect.notByIndex)
    return (sql + (condition.map { " AND " + $0 } ?? "")).statement(in: dialect)
  }

  /// All rows of the table in the order of their keys, also those of no entity. Only for a root.
  public func allRows() -> SQLStatement {
    let sql: SQLFragment = familyHead + dialect.withoutIndexes + " ORDER BY " + mapping.key
    return sql.statement(in: dialect)
  }

  /// The keys of the rows of one entity between two keys, which are bound, in their order.
  public func keys(ofEntity entity: Int) -> SQLStatement {
    let sql: SQLFragment =
      "SELECT " + mapping.key + " FROM " + mapping.table + " WHERE "
      + mapping.entity(isOneOf: [entity]) + " AND " + mapping.key + " BETWEEN "
      + .key + " AND " + .key + " ORDER BY " + mapping.key
    return sql.statement(in: dialect)
  }

  /// Whether the first rows of a sorted query with a limit are found by the index of its first sort
  /// key.
  public func sortsByIndex(_ shape: QueryShape) -> Bool {
    guard shape.hasLimit, let first = shape.sortKeys.first else { return false }
    return first.isOrderOfValues && mapping.layout.completeLeadingSlots.contains(first.slot)
      && !findsByConstraint(shape)
      && shape.condition?.indexUse(of: mapping) ?? .nothing == .nothing
  }

  /// Whether no index has the order of a sorted query with a limit, and a row itself has all that
  /// is needed to sort it.
  public func canSortRows(_ shape: QueryShape) -> Bool {
    guard shape.result == .rows, shape.hasLimit, let first = shape.sortKeys.first,
      first.related == nil, !mapping.layout.indexedSlots.contains(first.slot)
    else { return false }
    return shape.sortKeys.allSatisfy { key in
      key.related == nil && key.textOrder == .bytes
        && mapping.layout.storedSlots.contains(key.slot) && !mapping.layout.isDecimalText(key.slot)
        && !mapping.layout.externalSlots.contains(key.slot)
    }
  }

  /// Whether the rows of a query are found by an index other than that of entities, if no plan says
  /// so. Then that one is not used: a database that has no statistics often prefers the wrong one.
  public func usesOtherIndex(_ shape: QueryShape) -> Bool {
    if sortsByIndex(shape) || findsByConstraint(shape) { return true }
    return switch shape.condition?.indexUse(of: mapping) ?? .nothing {
    case .values: true
    // In the order of keys, a database would rather read the whole table than a range.
    case .range: shape.result == .count || !shape.sortKeys.isEmpty
    case .nothing: false
    }
  }

  /// Whether the rows of a query without an order are a range of an index on a derived column. In
  /// the order of keys, a database would rather read the whole table.
  public func findsRangeByDerived(_ shape: QueryShape) -> Bool {
    guard mapping.staleName != nil, let condition = shape.condition else { return false }
    return condition.derivedUse(of: mapping) == .range
      && condition.indexUse(of: mapping) == .range
  }

  /// Whether the rows of a query are found by derived columns with an index, where some rows are
  /// marked. Two indexes find them, one for each part of the condition, so they have no order. In
  /// the order of keys, a database would rather read the whole table.
  public func findsByDerivedAndMarks(_ shape: QueryShape) -> Bool {
    guard mapping.staleName != nil, let condition = shape.condition else { return false }
    return condition.derivedUse(of: mapping) != .nothing
      || condition.comparesProjection(of: mapping.layout)
        && condition.indexUse(of: mapping) == .values
  }

  /// Whether a query with a condition is for the values of a unique constraint whose index has a
  /// condition that names entities. The index finds these few rows, so there is no other way to
  /// choose.
  public func findsByConstraint(_ shape: QueryShape) -> Bool { constraintOfEntities(shape) != nil }

  private func constraintOfEntities(_ shape: QueryShape) -> EntityLayout.UniqueConstraint? {
    guard !constraintsOfEntities.isEmpty, let condition = shape.condition else { return nil }
    let known = condition.knownSlots
    return constraintsOfEntities.first { $0.slots.allSatisfy(known.contains) }
  }

  /// The keys of other rows that have the values of the current row in a unique constraint.
  public func owner(of constraint: EntityLayout.UniqueConstraint) -> SQLStatement {
    let sql: SQLFragment =
      "SELECT " + mapping.key + " FROM " + mapping.table + " WHERE "
      + same(constraint, as: values(of: constraint)) + " AND " + mapping.key + " <> "
      + .key
    return sql.statement(in: dialect)
  }

  /// The keys of the rows that have the values of one of several rows in a unique constraint,
  /// behind the number of that row. Its placeholders are the values of the rows, one row after the
  /// other. A row whose values are null finds nothing.
  public func owners(of constraint: EntityLayout.UniqueConstraint, rowCount: Int) -> SQLStatement {
    let values = values(of: constraint)
    let rows = (0..<rowCount).map { row -> SQLFragment in
      "(" + ([.number(row)] + values).joined(by: ", ") + ")"
    }
    let names = values.indices.map { SQLFragment.identifier("copal_value\($0)") }
    let sql: SQLFragment =
      "WITH copal_rows(" + (["copal_row"] + names).joined(by: ", ") + ") AS (VALUES "
      + rows.joined(by: ", ") + ") SELECT copal_row, " + mapping.key
      + " FROM copal_rows CROSS JOIN " + mapping.table + " WHERE " + same(constraint, as: names)
    return sql.statement(in: dialect)
  }

  /// The values of the current row in a unique constraint, as its index has them.
  private func values(of constraint: EntityLayout.UniqueConstraint) -> [SQLFragment] {
    constraint.slots.map { slot in
      constraint.ignoring[slot].map { .value(.derived(slot, .folded($0)), .text) }
        ?? mapping.value(of: slot)
    }
  }

  /// The condition for the rows that have some values in a unique constraint.
  private func same(_ constraint: EntityLayout.UniqueConstraint, as values: [SQLFragment])
    -> SQLFragment
  {
    let same = zip(mapping.columnNames(of: constraint), values).map {
      SQLFragment.identifier($0) + " = " + $1
    }
    return (same + (mapping.condition(of: constraint).map { [$0] } ?? [])).joined(by: " AND ")
  }

  /// The version of the row of the current object, if it is a row of the entity itself.
  public func version() -> SQLStatement {
    let condition = mapping.isEntity(withSubentities: false).map { " AND " + $0 } ?? ""
    let sql: SQLFragment =
      "SELECT " + mapping.version + " FROM " + mapping.table + " WHERE " + mapping.key + " = "
      + .key
    return (sql + condition).statement(in: dialect)
  }

  /// The first key of the table after a key: one row, or none behind the last one.
  public func nextKey(after key: Int64) -> SQLStatement {
    let sql: SQLFragment =
      "SELECT " + mapping.key + " FROM " + mapping.table + dialect.withoutIndexes + " WHERE "
      + mapping.key + " > " + .integer(key) + " ORDER BY " + mapping.key + " LIMIT 1"
    return sql.statement(in: dialect)
  }

  /// The greatest key in the table; NULL for an empty table.
  public func maxKey() -> SQLStatement {
    let sql: SQLFragment = "SELECT max(" + mapping.key + ") FROM " + mapping.table
    return sql.statement(in: dialect)
  }

  private func tail(_ shape: QueryShape, _ plan: ReadingPlan?, _ stale: StaleRows) -> SQLFragment {
    if plan == .unsorted { return condition(shape, plan, stale) }
    let tail = condition(shape, plan, stale) + order(shape, plan, stale) + limit(shape)
    return plan == .byKey ? dialect.withoutIndexes + tail : tail
  }

  /// The condition of a query, with the one for the rows of its entity: also in a statement that
  /// changes rows.
  func condition(
    _ shape: QueryShape, _ plan: ReadingPlan? = nil, _ stale: StaleRows = .some
  ) -> SQLFragment {
    let ordering = ConditionTranslator(mapping, dialect, .nested, stale)
    let ofOrder = ordering.conditionOfOrder(shape.sortKeys)
    let condition = shape.condition.map { condition in
      var translator = ConditionTranslator(
        mapping, dialect, QueryNesting.form { $0.of(condition) }, stale)
      if shape.hasLimit, shape.sortKeys.first?.textOrder == .alphabetical {
        translator.orderedSlot = ordering.slotOfOrder(shape.sortKeys)
      }
      return translator.sql(condition)
    }
    let parts = entityConditions(shape, plan) + [condition, ofOrder].compactMap { $0 }
    return parts.isEmpty ? "" : " WHERE " + parts.joined(by: " AND ")
  }

  /// The conditions for the rows of the entity.
  private func entityConditions(_ shape: QueryShape, _ plan: ReadingPlan?) -> [SQLFragment] {
    func isEntity(_ qualifier: SQLFragment) -> SQLFragment? {
      mapping.isEntity(withSubentities: shape.includesSubentities, qualifier)
    }
    guard let entity = isEntity("") else { return [] }
    // A unique index whose condition names entities is used only if the query has the same
    // condition.
    if let unique = constraintOfEntities(shape), let ofIndex = mapping.condition(of: unique) {
      let isSame =
        shape.includesSubentities && unique.declaringEntity == mapping.layout.index
      return isSame ? [ofIndex] : [ofIndex] + [isEntity(dialect.notByIndex)].compactMap { $0 }
    }
    let isHidden = plan == .byIndex || plan == nil && usesOtherIndex(shape)
    return isHidden ? [isEntity(dialect.notByIndex)].compactMap { $0 } : [entity]
  }

  private func order(_ shape: QueryShape, _ plan: ReadingPlan?, _ stale: StaleRows)
    -> SQLFragment
  {
    if plan == .byIndex { return " ORDER BY " + dialect.sortedLast(mapping.key) }
    let translator = ConditionTranslator(mapping, dialect, .nested, stale)
    let keys = shape.sortKeys.flatMap { key -> [SQLFragment] in
      if let related = key.related { return order(key, by: related) }
      let column = translator.column(key.slot)
      let isText = mapping.layout.storage(key.slot) == .text
      let isDecimal = mapping.layout.attributes[key.slot].type == .decimal
      let ordered =
        key.textOrder != .bytes
        ? translator.derivedOrder(key.textOrder, key.slot)
          ?? dialect.textOrder(key.textOrder, column)
        : isText ? isDecimal ? dialect.decimalOrder(column) : dialect.bytewise(column) : column
      let hidden = plan == .byEntity ? dialect.sortedLast(ordered) : ordered
      let isOptional = mapping.layout.attributes[key.slot].isOptional
      return order(
        column, by: hidden, key.textOrder, isAscending: key.isAscending,
        isNullFirst: isOptional ? key.isNullFirst : key.isAscending)
    }
    return " ORDER BY " + (keys + [mapping.key]).joined(by: ", ")
  }

  /// An order by a value of related objects.
  private func order(_ key: BoundSortKey, by related: QueryCalculation) -> [SQLFragment] {
    let translator = ConditionTranslator(mapping, dialect, QueryNesting.form { $0.of(related) })
    let value = translator.sql(related)
    let ordered =
      key.textOrder == .bytes
      ? translator.comparable(related, value, isOrder: true)
      : dialect.textOrder(key.textOrder, value)
    return order(
      value, by: ordered, key.textOrder, isAscending: key.isAscending, isNullFirst: key.isNullFirst)
  }

  /// An order by a value, and by where its nulls are, if this is another place than the database's.
  ///
  /// - Parameter ordered: the value as it is ordered. A text that cannot be read has no form in an
  ///   order of texts; its place is that of a null.
  func order(
    _ value: SQLFragment, by ordered: SQLFragment, _ textOrder: FetchSortKey.TextOrder,
    isAscending: Bool, isNullFirst: Bool
  ) -> [SQLFragment] {
    let sorted = dialect.sorted(ordered, isAscending: isAscending)
    if isNullFirst == isAscending { return [sorted] }
    if let other = dialect.sorted(ordered, isAscending: isAscending, isNullFirst: isNullFirst) {
      return [other]
    }
    let tested = textOrder == .bytes ? value : ordered
    return [dialect.sorted(tested + " IS NULL", isAscending: !isNullFirst), sorted]
  }

  private func limit(_ shape: QueryShape) -> SQLFragment {
    guard shape.hasLimit || shape.hasOffset else { return "" }
    return dialect.limit(hasLimit: shape.hasLimit, hasOffset: shape.hasOffset)
  }
}

extension TableMapping {
  /// What a statement reads of a row: the key, the version, and then the stored slots. With
  /// subentities, the name of the row's entity comes after the version, and the slots of the
  /// subentities are the last ones.
  func rowColumns(withSubentities: Bool) -> [SQLFragment] {
    guard withSubentities, !subentities.isEmpty, let entityColumn else {
      return [key, version] + columns
    }
    return [key, version, entityColumn] + allColumns
  }
}

extension QueryCondition {
  /// What an index other than that of entities, or the key, finds for the condition.
  func indexUse(of mapping: TableMapping) -> IndexUse {
    let layout = mapping.layout
    return switch self {
    case .and(let parts): parts.map { $0.indexUse(of: mapping) }.max() ?? .nothing
    case .isNull(.slot(let slot), isNegated: false):
      layout.completeLeadingSlots.contains(slot) ? .values : .nothing
    case .isIn(.slot(let slot), parameters: _, isNegated: false, resultForNull: let forNull):
      layout.finds(slot, withNull: forNull) ? .values : .nothing
    case .holds(.slot(let slot), .equal, .parameter, let forNull):
      layout.finds(slot, withNull: forNull) ? .values : .nothing
    case .text where derivedUse(of: mapping) != .nothing: derivedUse(of: mapping)
    case .holds where derivedUse(of: mapping) != .nothing: derivedUse(of: mapping)
    case .holds(.slot(let slot), let comparison, .parameter, let forNull):
      comparison != .notEqual && layout.findsRange(slot, withNull: forNull) ? .range : .nothing
    case .isIn(.key, parameters: _, isNegated: false, _): .values
    case .holds(.key, let comparison, .parameter, _):
      comparison == .notEqual ? .nothing : .values
    case .ofKind(let kind, let condition, otherwise: .constant(false)):
      condition.indexUse(of: mapping.mapping(of: kind.entity))
    default: .nothing
    }
  }

  /// What the index of a derived column finds for the condition.
  func derivedUse(of mapping: TableMapping) -> IndexUse {
    func isDerived(_ slot: Int) -> Bool { mapping.derivedName(.normalized, of: slot) != nil }
    guard mapping.staleName != nil else { return .nothing }
    return switch self {
    case .and(let parts): parts.map { $0.derivedUse(of: mapping) }.max() ?? .nothing
    case .text(.slot(let slot), let test, .parameter, isNegated: false)
    where test.isFoundByForm && isDerived(slot):
      if case .equal = test { .values } else { .range }
    case .text(.slot(let slot), let test, .parameter, isNegated: false)
    where test.isFoundByParts && isDerived(slot):
      mapping.trigrams(of: slot) != nil || test.normalized != nil && mapping.hasIndexOfAllRows(slot)
        ? .values : .nothing
    case .holds(let term, let comparison, .parameter, resultForNull: false)
    where comparison != .notEqual && term.foldedSlot.map(isDerived) == true:
      comparison == .equal ? .values : .range
    default: .nothing
    }
  }

  /// The slots that must equal a parameter, or one of some.
  fileprivate var knownSlots: Set<Int> {
    switch self {
    case .and(let parts): parts.reduce(into: []) { $0.formUnion($1.knownSlots) }
    case .holds(.slot(let slot), .equal, .parameter, resultForNull: false),
      .isIn(.slot(let slot), parameters: _, isNegated: false, resultForNull: false):
      [slot]
    default: []
    }
  }
}

extension EntityLayout {
  /// Whether the values of a slot are texts that are ordered as numbers.
  fileprivate func isDecimalText(_ slot: Int) -> Bool {
    attributes[slot].type == .decimal && storage(slot) == .text
  }

  /// Whether an index finds the rows with some values of a slot, and those without a value if they
  /// are wanted.
  fileprivate func finds(_ slot: Int, withNull: Bool) -> Bool {
    leadingSlots.contains(slot) && !(withNull && attributes[slot].isOptional)
  }

  /// The same for a range of values. An index has decimals as texts.
  fileprivate func findsRange(_ slot: Int, withNull: Bool) -> Bool {
    attributes[slot].type != .decimal && finds(slot, withNull: withNull)
  }
}

/// What an index finds for a condition; the better one is the greater one.
enum IndexUse: Comparable {
  case nothing, range, values
}

/// A way to find the rows of a query that a database without statistics would not choose.
public enum ReadingPlan: Sendable {
  /// Finds the rows by an index of their values, and sorts them by key.
  case byIndex
  /// Reads the rows in the order of their keys, and leaves out those that do not meet the
  /// condition.
  case byKey
  /// Finds the rows by the index of entities, and sorts them.
  case byEntity
  /// Reads the rows without an order and a limit: the session keeps the first ones of the order.
  case unsorted
}
