import CopalEssentials
import CopalModel
import CopalStore

/// Makes the SQL statements that create and change the tables of entities and of links.
public struct SchemaTranslator {
  let dialect: any SQLDialect

  /// A translator for a dialect.
  public init(_ dialect: any SQLDialect) { self.dialect = dialect }

  /// The statement that creates the table of a root and its subentities.
  ///
  /// - Parameter family: the mapping of the root, and those of its subentities.
  public func createTable(_ family: [TableMapping]) -> SQLStatement {
    guard let root = family.first else { return SQLStatement(text: "", values: [], types: []) }
    let columns = family.flatMap { mapping in
      mapping.layout.ownColumns.map { definition($0.slot, mapping) }
    }
    let derived = derivedColumns(family).map { ", " + $0.definition }
    return (head(root) + (columns.map { ", " + $0 } + derived).joined(by: "") + ")")
      .statement(in: dialect)
  }

  /// A column that Copal derives, or the one that marks rows.
  private struct DerivedDefinition {
    let name: String
    let type: String
    var definition: SQLFragment { .identifier(name) + " " + .dialectWord(type) + rest }
    var rest: SQLFragment = ""
  }

  /// The derived columns of a table, and the column that marks rows. A row of another program is
  /// marked by the default.
  private func derivedColumns(_ family: [TableMapping]) -> [DerivedDefinition] {
    guard let stale = family.first?.staleName else { return [] }
    let columns = family.flatMap(\.ownDerived).map { derived in
      DerivedDefinition(
        name: derived.name, type: dialect.columnType(derived.column.storage))
    }
    let mark = DerivedDefinition(
      name: stale, type: dialect.columnType(.integer), rest: " DEFAULT 1")
    return columns + [mark]
  }

  /// A derived column of a table, and the statement that adds it.
  public struct DerivedAddition {
    /// The name of the column.
    public let name: String
    /// The type of the column, as the schema of the database has it.
    public let type: String
    /// The statement.
    public let sql: SQLStatement
  }

  /// The derived columns of a table.
  public func addDerivedColumns(_ family: [TableMapping]) -> [DerivedAddition] {
    guard let root = family.first else { return [] }
    return derivedColumns(family).map { column in
      let sql: SQLFragment = "ALTER TABLE " + root.table + " ADD COLUMN " + column.definition
      return DerivedAddition(
        name: column.name, type: column.type, sql: sql.statement(in: dialect))
    }
  }

  /// The statement that removes a derived column.
  public func dropDerivedColumn(_ name: String, of mapping: TableMapping) -> SQLStatement {
    ("ALTER TABLE " + mapping.table + " DROP COLUMN " + .identifier(name)).statement(in: dialect)
  }

  /// The statement that creates the trigger of a table by which another program that changes a
  /// source marks the row. Copal's own connections run no triggers. Nil for a table without derived
  /// columns.
  public func trigger(_ family: [TableMapping]) -> SQLStatement? {
    guard let search = dialect.search, let root = family.first, let stale = root.staleName
    else { return nil }
    let derived = family.flatMap(\.ownDerived)
    var columns: [SQLFragment] = []
    for mapping in family {
      for slot in Set(mapping.ownDerived.flatMap(\.column.sources)).inOrder() {
        columns.append(mapping.column(slot))
      }
    }
    columns += derived.map { .identifier($0.name) }
    return search.trigger(
      .identifier(root.triggerName), afterUpdateOf: columns, on: root.table, key: root.key,
      marking: .identifier(stale)
    ).statement(in: dialect)
  }

  /// The statement that removes a trigger.
  public func dropTrigger(_ name: String) -> SQLStatement {
    ("DROP TRIGGER " + .identifier(name)).statement(in: dialect)
  }

  /// The beginning of the statement that creates the table: the columns that every table has.
  public func tableHead(_ mapping: TableMapping) -> String {
    keyAndVersion(mapping).statement(in: dialect).text
  }

  private func head(_ mapping: TableMapping) -> SQLFragment {
    let head = keyAndVersion(mapping)
    guard let entity = mapping.entityColumn else { return head }
    return head + ", " + definition(ofEntityColumn: entity)
  }

  private func keyAndVersion(_ mapping: TableMapping) -> SQLFragment {
    "CREATE TABLE " + mapping.table + " (" + mapping.key + " "
      + .dialectWord(dialect.keyColumnType) + ", " + mapping.version + " "
      + .dialectWord(dialect.columnType(.integer)) + " NOT NULL"
  }

  func definition(ofEntityColumn column: SQLFragment) -> SQLFragment {
    column + " " + .dialectWord(dialect.columnType(.text)) + " NOT NULL"
  }

  /// The statement that adds a column, which is NULL in every row.
  public func addColumn(_ slot: Int, _ mapping: TableMapping) -> SQLStatement {
    let sql: SQLFragment =
      "ALTER TABLE " + mapping.table + " ADD COLUMN " + definition(slot, mapping)
    return sql.statement(in: dialect)
  }

  /// An index of a table: for a unique constraint, for an index of the model, or for one of Copal's
  /// own.
  public struct Index: Sendable {
    /// The name that the index has unless another index has it.
    public let name: String
    /// The names of the columns of the index, the most significant first.
    public let columns: [String]
    /// The names of the columns whose values are in descending order.
    public let descending: Set<String>
    /// Whether the index is for a unique constraint.
    public let isUnique: Bool
    /// The condition of the rows that the index has; nil for an index of all rows.
    public let condition: String?
    /// What the index is, without its name: the statement that creates it, from its table on, after
    /// a word for a unique one. Two indexes with the same shape serve alike.
    public let shape: IndexShape
    private let dialect: any SQLDialect

    init(
      _ name: String, _ columns: [String], descending: Set<String> = [], isUnique: Bool,
      condition: SQLFragment?, on place: SQLFragment, _ dialect: any SQLDialect
    ) {
      self.name = name
      self.columns = columns
      self.descending = descending
      self.isUnique = isUnique
      self.condition = condition.map { $0.statement(in: dialect).text }
      self.dialect = dialect
      let text = place.statement(in: dialect).text
      shape = IndexShape(
        isUnique: isUnique, text: text + (self.condition.map { " WHERE " + $0 } ?? ""))
    }

    /// The statement that creates the index if there is no index of its name.
    public var creation: String { text("IF NOT EXISTS ", name) }
    /// The statement as the database keeps it in its schema, without `IF NOT EXISTS`.
    public var definition: String { text("", name) }

    /// The statement that creates the index with another name.
    public func creation(named name: String) -> String { text("", name) }

    private func text(_ condition: String, _ name: String) -> String {
      (isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ") + condition + dialect.quote(name)
        + shape.text
    }

    /// Whether the index has only the rows that meet a condition.
    public var isPartial: Bool { condition != nil }
  }

  /// What an index is, without its name.
  public struct IndexShape: Sendable, Hashable {
    /// Whether two rows cannot have the same values.
    public let isUnique: Bool
    /// What follows the name in the statement that creates the index: the table, the columns, and
    /// the condition.
    public let text: String

    /// The shape with a text.
    public init(isUnique: Bool, text: String) {
      self.isUnique = isUnique
      self.text = text
    }
  }

  /// Whether a condition means that of an index. Earlier versions of Copal have written other
  /// texts: another column of the constraint that is not null, and the entities in another order.
  public func hasCondition(_ text: String, _ index: Index, _ mapping: TableMapping) -> Bool {
    guard let condition = index.condition, text != condition else { return text == index.condition }
    let own = mapping.layout.ownColumns.map { mapping.columnNames[$0.slot] }
    let notNull = index.columns.filter(own.contains).map { column in
      (SQLFragment.identifier(column) + " IS NOT NULL").statement(in: dialect).text
    }
    if notNull.contains(condition) { return notNull.contains(text) }
    func parts(_ text: String) -> [Substring] {
      text.split(separator: ")", maxSplits: 1, omittingEmptySubsequences: false)[0]
        .split(separator: "(", maxSplits: 1).flatMap { $0.split(separator: ", ").inOrder() }
    }
    return text.hasSuffix(")") && parts(text) == parts(condition)
  }

  /// The indexes of what an entity declares itself: first those for its unique constraints, then
  /// those of the model, then one for each to-one relationship, by which the objects of its inverse
  /// are found, in their order if they have one. In a table of several entities, the root has one
  /// more, by which the rows of an entity are found.
  public func indexes(_ mapping: TableMapping) -> [Index] {
    let layout = mapping.layout
    let references = layout.ownReferences
      .map { EntityLayout.Index([$0.slot] + ($0.positionSlot.map { [$0] } ?? [])) }
      .filter { !layout.ownIndexes.contains($0) }
    return layout.ownUniqueConstraints.map { constraint in
      let columns = mapping.columnNames(of: constraint)
      return index(
        mapping.indexName(ofUnique: columns), columns, isUnique: true, mapping,
        condition: mapping.condition(of: constraint))
    }
      + (layout.ownIndexes.filter { hasColumns($0, layout) } + references)
      .map { index($0, isUnique: false, mapping) } + entityIndex(mapping) + derivedIndexes(mapping)
  }

  /// Whether the table has all columns of an index. A database without derived columns has none for
  /// a projection.
  private func hasColumns(_ index: EntityLayout.Index, _ layout: EntityLayout) -> Bool {
    dialect.search != nil || !index.slots.contains { layout.projection(ofSlot: $0) != nil }
  }

  /// The indexes of derived columns, and one of the rows whose columns do not hold.
  private func derivedIndexes(_ mapping: TableMapping) -> [Index] {
    guard let stale = mapping.staleName else { return [] }
    let marks =
      mapping.layout.root == mapping.layout.index
      ? [
        index(
          mapping.indexName(of: [stale]), [stale], isUnique: false, mapping,
          condition: .identifier(stale) + " IS NOT NULL")
      ] : []
    // The unique index of such a column finds its rows as well.
    let unique = mapping.layout.ownUniqueConstraints.map(mapping.columnNames(of:))
    // A projection has an index only if the model says so.
    let own = mapping.ownDerived.filter { $0.column.isFolded && !unique.contains([$0.name]) }
    return own.map { derived in
      index(mapping.indexName(of: [derived.name]), [derived.name], isUnique: false, mapping)
    } + marks
  }

  /// The indexes by which a row is found that has the name of a file: one for each attribute that
  /// an entity declares itself and whose large values are in files.
  ///
  /// They are no part of ``indexes(_:)``: a table has them once files are to be removed, so that a
  /// table without large values pays nothing for them.
  public func fileIndexes(_ mapping: TableMapping) -> [Index] {
    mapping.layout.ownExternalSlots.compactMap { slot in
      dialect.isFileName(mapping.column(slot)).map { condition in
        index(
          mapping.fileIndexName(slot), [mapping.columnNames[slot]], isUnique: false, mapping,
          condition: condition)
      }
    }
  }

  private func entityIndex(_ mapping: TableMapping) -> [Index] {
    guard mapping.layout.root == mapping.layout.index, let column = mapping.entityColumnName,
      let name = mapping.entityIndexName
    else { return [] }
    return [index(name, [column], isUnique: false, mapping)]
  }

  private func index(
    _ index: EntityLayout.Index, isUnique: Bool, _ mapping: TableMapping,
    condition: SQLFragment? = nil
  ) -> Index {
    let names = index.slots.map { mapping.columnNames[$0] }
    return self.index(
      mapping.indexName(index, isUnique: isUnique), names,
      descending: Set(index.descending.map { mapping.columnNames[$0] }), isUnique: isUnique,
      mapping, condition: condition)
  }

  private func index(
    _ name: String, _ columns: [String], descending: Set<String> = [], isUnique: Bool,
    _ mapping: TableMapping, condition: SQLFragment? = nil
  ) -> Index {
    let list = columns.map {
      dialect.sorted(.identifier($0), isAscending: !descending.contains($0))
    }
    return Index(
      name, columns, descending: descending, isUnique: isUnique, condition: condition,
      on: " ON " + mapping.table + " (" + list.joined(by: ", ") + ")", dialect)
  }

  private func definition(_ slot: Int, _ mapping: TableMapping) -> SQLFragment {
    let column = mapping.column(slot) + " " + .dialectWord(columnType(slot, mapping.layout))
    guard let table = mapping.referencedTable(slot) else { return column }
    return column + reference(to: table, mapping.key)
  }

  private func columnType(_ slot: Int, _ layout: EntityLayout) -> String {
    let storage = layout.storage(slot)
    return if case .attribute(let attribute) = layout.slots[slot] {
      dialect.columnType(of: attribute, storage)
    } else {
      dialect.columnType(storage)
    }
  }

  /// The clause of a column whose values are keys of a table. It is checked at the end of a
  /// transaction, so that the order of inserts does not matter.
  private func reference(to table: String, _ key: SQLFragment) -> SQLFragment {
    " REFERENCES " + .identifier(table) + " (" + key + ") DEFERRABLE INITIALLY DEFERRED"
  }

  // MARK: Tables of links

  /// The statement that creates a table of links.
  public func createTable(_ links: LinkMapping) -> SQLStatement {
    let integer = SQLFragment.dialectWord(dialect.columnType(.integer))
    var columns: [SQLFragment] = [
      links.owner + " " + integer + " NOT NULL" + reference(to: links.ownerTable, links.key),
      links.member + " " + integer + " NOT NULL" + reference(to: links.memberTable, links.key),
    ]
    columns += links.positions.map { $0 + " " + integer }
    columns.append("PRIMARY KEY (" + links.owner + ", " + links.member + ")")
    let sql: SQLFragment =
      "CREATE TABLE " + links.table + " (" + columns.joined(by: ", ") + ")"
    return (sql + dialect.keptByPrimaryKey).statement(in: dialect)
  }

  /// The indexes of a table of links: one for the way back, and one for the order of the members.
  public func indexes(_ links: LinkMapping) -> [Index] {
    let names = links.names
    let back =
      [names.member] + (links.inversePosition == nil ? [] : [names.inversePosition]) + [names.owner]
    let order = links.position == nil ? [] : [[names.owner, names.position, names.member]]
    return order.map { index(names.orderIndex, $0, links) } + [
      index(names.inverseIndex, back, links)
    ]
  }

  private func index(_ name: String, _ columns: [String], _ links: LinkMapping) -> Index {
    Index(
      name, columns, isUnique: false, condition: nil,
      on: " ON " + links.table + " ("
        + columns.map { dialect.sorted(.identifier($0), isAscending: true) }.joined(by: ", ") + ")",
      dialect)
  }
}
