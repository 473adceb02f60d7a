import CopalEssentials
public import CopalModel
public import CopalStore

/// The columns of an entity in a table: their names, as data. A ``StoreNaming`` makes them.
///
/// An entity and its subentities are in one table, which has the columns of all of them. A row has
/// values in the columns of its entity.
public final class TableMapping: Sendable {
  /// The layout of the entity.
  public let layout: EntityLayout
  /// The name of the table: that of the entity without a parent.
  public let tableName: String
  /// The name of the column with the key of a row.
  public let keyName: String
  /// The name of the column with the version of a row.
  public let versionName: String
  /// The name of the column with the name of a row's entity; nil for a table of one entity.
  public let entityColumnName: String?
  /// The name of the column of each slot; empty for a slot without a column.
  public let columnNames: [String]
  /// The subentities at every depth, in the order of the schema.
  public let subentities: [Subentity]
  /// The name of the column that marks the rows whose derived columns do not hold; nil for a table
  /// without derived columns.
  public let staleName: String?
  /// Whether the program can make the values of all derived columns of the table: not without the
  /// transformers of its projections.
  public let canDerive: Bool
  /// The derived columns of the entity.
  public let derived: [Derived]
  /// The tables of trigrams of the entity's attributes.
  public let trigrams: [Trigrams]
  private let naming: any StoreNaming
  private let schema: StoreSchema

  /// A subentity: rows of it have further columns.
  public struct Subentity: Sendable {
    /// The layout of the subentity.
    public let layout: EntityLayout
    /// The name of the column of each slot; empty for a slot without a column.
    public let columnNames: [String]
  }

  /// A derived column with its name.
  public struct Derived: Sendable, Equatable {
    /// The column.
    public let column: DerivedColumn
    /// The name of the column.
    public let name: String
  }

  /// The table with the trigrams of an attribute's texts: with their parts of three characters.
  public struct Trigrams: Sendable, Equatable {
    /// The slot of the attribute.
    public let slot: Int
    /// The name of the table.
    public let name: String
    /// The name of the derived column with the texts.
    public let column: String
  }

  /// The mapping of an entity with the names of a naming.
  public init(
    _ layout: EntityLayout, in schema: StoreSchema, _ naming: any StoreNaming = CopalNaming()
  ) {
    self.layout = layout
    self.naming = naming
    self.schema = schema
    tableName = naming.table(of: schema.entities[layout.root])
    keyName = naming.key
    versionName = naming.version
    entityColumnName = schema.descendants[layout.root].isEmpty ? nil : naming.entity
    staleName = schema.hasDerivedColumns(family: layout.root) ? naming.stale : nil
    canDerive = schema.canDerive(family: layout.root)
    let keepsDerived = naming.stale != nil
    derived = (keepsDerived ? layout.derivedColumns : []).map {
      Derived(column: $0, name: naming.column(of: $0, in: layout, of: schema))
    }
    trigrams = (keepsDerived ? layout.substringSlots : []).map { slot in
      let column = DerivedColumn(
        source: slot, declaringEntity: layout.declaringEntities[slot], .normalized)
      return Trigrams(
        slot: slot, name: naming.trigrams(of: slot, in: layout, of: schema),
        column: naming.column(of: column, in: layout, of: schema))
    }
    func columnNames(_ layout: EntityLayout) -> [String] {
      layout.slots.indices.map { slot in
        if layout.storedSlots.contains(slot) {
          return naming.column(of: slot, in: layout, of: schema)
        }
        guard let projection = layout.projection(ofSlot: slot) else { return "" }
        let column = DerivedColumn(
          source: projection.source, declaringEntity: projection.declaringEntity,
          .projected(projection))
        return naming.column(of: column, in: layout, of: schema)
      }
    }
    self.columnNames = columnNames(layout)
    subentities = schema.descendants[layout.index].map { index in
      Subentity(layout: schema.entities[index], columnNames: columnNames(schema.entities[index]))
    }
  }

  /// The columns that the entity adds to those of its parent, and that refer to other objects which
  /// must exist, each with the table of the other object.
  public var ownReferences: [(column: String, table: String)] {
    layout.ownReferences.filter { !$0.mayDangle }.map { reference in
      (columnNames[reference.slot], naming.table(of: schema.entities[reference.destinationRoot]))
    }
  }

  /// The mapping of the entity at the other end of a relationship.
  func mapping(ofDestination entity: Int) -> TableMapping {
    TableMapping(schema.entities[entity], in: schema, naming)
  }

  /// Where the relationship of a collection is kept; nil for one that the schema does not have.
  func storage(of collection: QueryCollection) -> RelationshipLayout.Storage? {
    let relationships = schema.relationships[collection.entity]
    return relationships.indices.contains(collection.relationship)
      ? relationships[collection.relationship].storage : nil
  }

  /// The mapping of the table of links at a position of the schema.
  func links(_ table: Int) -> LinkMapping {
    LinkMapping(schema.linkTables[table], in: schema, naming)
  }

  /// The name of the table to which the column of a slot refers; nil for another column.
  func referencedTable(_ slot: Int) -> String? {
    guard let reference = layout.reference(ofSlot: slot), !reference.mayDangle else { return nil }
    return naming.table(of: schema.entities[reference.destinationRoot])
  }

  package var table: SQLFragment { .identifier(tableName) }
  package var key: SQLFragment { .identifier(keyName) }
  var version: SQLFragment { .identifier(versionName) }
  var entityColumn: SQLFragment? { entityColumnName.map { .identifier($0) } }

  /// The value of a derived column, made in SQL.
  ///
  /// - Parameters:
  ///   - qualifier: the name of the table and a point, or nothing.
  ///   - given: returns what a slot gets in the same statement; nil for the value of the row.
  func derived(
    _ function: DerivedColumn.Function, of source: Int? = nil, _ dialect: any SQLDialect,
    _ qualifier: SQLFragment = "", given: (Int) -> SQLFragment?
  ) -> SQLFragment {
    func value(_ slot: Int) -> SQLFragment { given(slot) ?? qualifier + column(slot) }
    guard let search = dialect.search else { return "NULL" }
    switch function {
    case .folded(let options): return source.map { search.folded(options, value($0)) } ?? "NULL"
    case .projected(let projection):
      return search.projected(
        projection, value(projection.source), version: projection.versionSlot.map(value))
    }
  }

  /// The column of a stored slot.
  func column(_ slot: Int) -> SQLFragment { .identifier(columnNames[slot]) }

  /// The columns of a row of the entity.
  var columns: [SQLFragment] { layout.columns.map { column($0.slot) } }

  /// The columns of a row of the entity or of a subentity: those of the entity, then those that
  /// each subentity adds.
  var allColumns: [SQLFragment] {
    columns
      + subentities.flatMap { subentity in
        subentity.layout.ownColumns.map { .identifier(subentity.columnNames[$0.slot]) }
      }
  }

  // MARK: Derived columns

  /// The derived columns that the entity adds to those of its parent.
  public var ownDerived: [Derived] {
    derived.filter { $0.column.declaringEntity == layout.index }
  }

  /// The name of the column with a function of a slot; nil where there is none.
  func derivedName(_ function: DerivedColumn.Function, of slot: Int) -> String? {
    derived.isEmpty
      ? nil : derived.first { $0.column.source == slot && $0.column.function == function }?.name
  }

  /// The slots with versions of transformers whose projections the entity adds, each with the
  /// version that the program has.
  var ownVersions: [(slot: Int, version: Int)] {
    var versions: [(slot: Int, version: Int)] = []
    for case .projected(let projection) in ownDerived.map(\.column.function) {
      guard let slot = projection.versionSlot, !versions.contains(where: { $0.slot == slot }),
        let version = schema.projector?.transformerVersion(projection)
      else { continue }
      versions.append((slot, version))
    }
    return versions
  }

  /// The derived columns whose values change with some slots.
  func derived(from slots: (Int) -> Bool) -> [Derived] {
    derived.isEmpty ? [] : derived.filter { $0.column.sources.contains(where: slots) }
  }

  /// The tables of trigrams of the attributes that the entity declares itself.
  public var ownTrigrams: [Trigrams] {
    trigrams.filter { layout.declaringEntities[$0.slot] == layout.index }
  }

  /// The table with the trigrams of a slot; nil where there is none.
  func trigrams(of slot: Int) -> Trigrams? {
    trigrams.isEmpty ? nil : trigrams.first { $0.slot == slot }
  }

  /// The name of the table with the keys of rows that other programs have deleted.
  public var goneName: String { naming.gone }

  /// The name of the trigger by which other programs note the keys of deleted rows.
  public var goneTriggerName: String { naming.goneTrigger(of: schema.entities[layout.root]) }

  /// The name of the trigger by which other programs note the former keys of rows that get others.
  public var keyTriggerName: String { naming.keyTrigger(of: schema.entities[layout.root]) }

  /// The condition of the rows whose derived columns hold; nil for a table without any.
  package var isCurrent: SQLFragment? { staleName.map { .identifier($0) + " IS NULL" } }

  /// The name of the trigger by which other programs mark the rows.
  public var triggerName: String { naming.trigger(of: schema.entities[layout.root]) }

  /// The name of an index, unique or not. A column in descending order has ` desc` behind it, which
  /// no name of a model can have.
  func indexName(_ index: EntityLayout.Index, isUnique: Bool) -> String {
    let columns = index.slots.map {
      index.descending.contains($0) ? IndexDirection.desc.behind(columnNames[$0]) : columnNames[$0]
    }
    return naming.index(of: columns, in: layout, isUnique: isUnique)
  }

  /// The name of the index of a unique constraint.
  func indexName(ofUnique columns: [String]) -> String {
    naming.index(of: columns, in: layout, isUnique: true)
  }

  /// Whether the index of the normalized form of a slot has all rows. That of a unique constraint
  /// has only those whose columns hold.
  func hasIndexOfAllRows(_ slot: Int) -> Bool {
    layout.uniqueConstraints.isEmpty
      || !layout.uniqueConstraints.contains {
        $0.slots == [slot] && $0.ignoring[slot] == .normalized
      }
  }

  /// The name of the index of a derived column.
  func indexName(of columns: [String]) -> String {
    naming.index(of: columns, in: layout, isUnique: false)
  }

  /// The name of the index by which a row is found that has the name of a file in the column of a
  /// slot.
  func fileIndexName(_ slot: Int) -> String { naming.fileIndex(of: columnNames[slot], in: layout) }

  /// The name of the index by which the rows of an entity are found in a table of several.
  var entityIndexName: String? {
    entityColumnName.map { naming.index(of: [$0], in: layout, isUnique: false) }
  }

  /// The placeholder for the value of a slot of the row that is written.
  func value(of slot: Int) -> SQLFragment { .value(.slot(slot), layout.placeholderType(slot)) }

  /// The placeholder for a value that is known when the statement is made.
  func value(_ value: PropertyValue, of slot: Int) -> SQLFragment {
    .value(stored(value, slot: slot), layout.placeholderType(slot))
  }

  /// The placeholder for a parameter of the query that a slot gets.
  func parameter(_ number: Int, of slot: Int) -> SQLFragment {
    .value(.parameter(number, .value(slot: slot)), layout.placeholderType(slot))
  }

  /// A placeholder for a value of a slot that is given when the statement runs.
  func given(_ slot: Int) -> SQLFragment { .value(.null, layout.placeholderType(slot)) }

  /// The placeholder for the value of a derived column of the row that is written.
  func value(of column: DerivedColumn) -> SQLFragment {
    .value(.derived(column.source, column.function), PlaceholderType(column.storage))
  }

  /// The stored form of a value that is written to the column of a slot.
  public func stored(_ value: PropertyValue, slot: Int) -> PlaceholderValue {
    layout.stored(value, slot)
  }

  // MARK: Rows of some entities

  /// The condition for the rows of the entity, with those of its subentities or without them; nil
  /// when these are all rows of the table.
  func isEntity(withSubentities: Bool, _ qualifier: SQLFragment = "") -> SQLFragment? {
    withSubentities
      ? isKind(of: layout.index, qualifier) : isOne(of: [layout.index], qualifier)
  }

  /// The condition for the rows of an entity of the table and of its subentities; nil when these
  /// are all rows of the table.
  private func isKind(of entity: Int, _ qualifier: SQLFragment = "") -> SQLFragment? {
    entity == layout.root ? nil : isOne(of: schema.kinds(of: entity), qualifier)
  }

  /// The condition for the rows of some entities of the table; nil for a table of one entity.
  func isOne(of entities: [Int], _ qualifier: SQLFragment = "") -> SQLFragment? {
    entityColumnName == nil ? nil : qualifier + entity(isOneOf: entities)
  }

  /// The condition for the rows of some entities of a table of several.
  func entity(isOneOf entities: [Int]) -> SQLFragment {
    compareEntity(with: entities, equal: " = ", list: " IN (")
  }

  /// The condition for the rows of all other entities of a table of several.
  func entity(isNoneOf entities: [Int]) -> SQLFragment {
    compareEntity(with: entities, equal: " <> ", list: " NOT IN (")
  }

  private func compareEntity(with entities: [Int], equal: SQLFragment, list: SQLFragment)
    -> SQLFragment
  {
    let column = entityColumn ?? .identifier(naming.entity)
    // In the order of their characters: the condition of an index must not depend on the order of
    // entities in a model file.
    let names = entities.map { schema.entities[$0].name }.inOrder().map(SQLFragment.literal)
    return names.count == 1
      ? column + equal + names.joined(by: "") : column + list + names.joined(by: ", ") + ")"
  }

  /// The mapping of another entity of the table.
  func mapping(of entity: Int) -> TableMapping {
    TableMapping(schema.entities[entity], in: schema, naming)
  }

  /// The unique constraints whose index has a condition that names entities.
  var constraintsOfEntities: [EntityLayout.UniqueConstraint] {
    layout.uniqueConstraints.filter { constraint in
      constraint.declaringEntity != layout.root && constraint.ignoring.isEmpty
        && !constraint.slots.contains {
          layout.declaringEntities[$0] == constraint.declaringEntity
        }
    }
  }

  /// The names of the columns of the index of a unique constraint. Where something is ignored, it
  /// is the derived column with the form that is compared.
  public func columnNames(of constraint: EntityLayout.UniqueConstraint) -> [String] {
    constraint.slots.map { slot in
      constraint.ignoring[slot].flatMap { derivedName(.folded($0), of: slot) } ?? columnNames[slot]
    }
  }

  /// The condition of the index of a unique constraint; nil for an index of all rows.
  ///
  /// A row whose derived columns do not hold is in no index of them, so it is in conflict with no
  /// other.
  ///
  /// A row of another entity has no value in a column that the declaring entity adds. So where a
  /// constraint has such a column, it says that this is not null, which any query with a value for
  /// it implies. Otherwise it names the entities.
  func condition(of constraint: EntityLayout.UniqueConstraint) -> SQLFragment? {
    let isCurrent = constraint.ignoring.isEmpty ? nil : isCurrent
    if constraint.declaringEntity == layout.root { return isCurrent }
    let own = constraint.slots.filter {
      layout.declaringEntities[$0] == constraint.declaringEntity
    }
    if let isCurrent {
      let isKind = own.isEmpty ? isKind(of: constraint.declaringEntity) : nil
      return isKind.map { isCurrent + " AND " + $0 } ?? isCurrent
    }
    if let first = own.map({ columnNames[$0] }).min() {
      return .identifier(first) + " IS NOT NULL"
    }
    return isKind(of: constraint.declaringEntity)
  }
}
