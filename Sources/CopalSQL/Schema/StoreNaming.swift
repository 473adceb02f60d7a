import CopalEssentials
import CopalModel
public import CopalStore

/// The names of tables, columns and indexes. Copal's own stores have ``CopalNaming``; stores of
/// other programs have other names.
public protocol StoreNaming: Sendable {
  /// The name of the column with the key of a row.
  var key: String { get }
  /// The name of the column with the version of a row.
  var version: String { get }
  /// The name of the column with the name of a row's entity, in a table of several entities.
  var entity: String { get }
  /// The name of the table of an entity without a parent, and of its subentities.
  func table(of root: EntityLayout) -> String
  /// The name of the column of a stored slot.
  func column(of slot: Int, in layout: EntityLayout, of schema: StoreSchema) -> String
  /// The name of a derived column.
  func column(of derived: DerivedColumn, in layout: EntityLayout, of schema: StoreSchema) -> String
  /// The name of the column that marks the rows whose derived columns do not hold; nil for a
  /// database without derived columns.
  var stale: String? { get }
  /// The name of the trigger by which other programs mark the rows of a table.
  func trigger(of root: EntityLayout) -> String
  /// The name of the table with the trigrams of a slot's texts.
  func trigrams(of slot: Int, in layout: EntityLayout, of schema: StoreSchema) -> String
  /// The name of the table with the keys of rows that other programs have deleted.
  var gone: String { get }
  /// The name of the trigger by which other programs note the keys of deleted rows.
  func goneTrigger(of root: EntityLayout) -> String
  /// The name of the trigger by which other programs note the former keys of rows that get others.
  func keyTrigger(of root: EntityLayout) -> String
  /// The name of the index of some columns, unique or not.
  func index(of columns: [String], in layout: EntityLayout, isUnique: Bool) -> String
  /// The name of the index by which a row is found that has the name of a file in a column.
  func fileIndex(of column: String, in layout: EntityLayout) -> String
  /// The names of a table of links.
  func links(_ table: LinkTable, in schema: StoreSchema) -> LinkNames
}

extension StoreNaming {
  /// The name of the column of the source, with the kind of the function behind it, and the name of
  /// a projection.
  public func column(of derived: DerivedColumn, in layout: EntityLayout, of schema: StoreSchema)
    -> String
  {
    column(of: derived.source, in: layout, of: schema) + "_" + derived.function.kind
      + (derived.function.projectionName.map { "_" + $0 } ?? "")
  }
  /// `stale`.
  public var stale: String? { "stale" }
  /// The name of the table with `_stale` behind it.
  public func trigger(of root: EntityLayout) -> String { table(of: root) + "_stale" }
  /// The names of the table and of the column of the source, with `_trigrams` behind them.
  public func trigrams(of slot: Int, in layout: EntityLayout, of schema: StoreSchema) -> String {
    let root = schema.entities[layout.root]
    return "\(table(of: root))_\(column(of: slot, in: layout, of: schema))_trigrams"
  }
  /// `gone`.
  public var gone: String { "gone" }
  /// The name of the table with `_gone` behind it.
  public func goneTrigger(of root: EntityLayout) -> String { table(of: root) + "_gone" }
  /// The name of the table with `_key` behind it.
  public func keyTrigger(of root: EntityLayout) -> String { table(of: root) + "_key" }
  /// The name of an index that is not unique, with `_files` behind it.
  public func fileIndex(of column: String, in layout: EntityLayout) -> String {
    index(of: [column], in: layout, isUnique: false) + "_files"
  }
}

/// The names of a table of links.
public struct LinkNames: Sendable, Equatable {
  /// The name of the table.
  public var table: String
  /// The name of the column with the key of the owner.
  public var owner: String
  /// The name of the column with the key of the member.
  public var member: String
  /// The name of the column with the position of the member in the owner's list.
  public var position: String
  /// The name of the column with the position of the owner in the member's list.
  public var inversePosition: String
  /// The name of the index by which the members of an owner are found in their order.
  public var orderIndex: String
  /// The name of the index by which the owners of a member are found.
  public var inverseIndex: String

  /// The names of a table, its columns and its indexes.
  public init(
    table: String, owner: String, member: String, position: String, inversePosition: String,
    orderIndex: String, inverseIndex: String
  ) {
    self.table = table
    self.owner = owner
    self.member = member
    self.position = position
    self.inversePosition = inversePosition
    self.orderIndex = orderIndex
    self.inverseIndex = inverseIndex
  }
}

/// The names in Copal's stores: the table has the name of the entity without a parent, and a column
/// with the name of each stored attribute and each to-one relationship. Copal's own columns begin
/// with `copal_`, which no name of a model does.
public struct CopalNaming: StoreNaming {
  private let hasDerivedColumns: Bool

  /// Copal's naming.
  ///
  /// - Parameter hasDerivedColumns: false for a database without a ``SearchDialect``.
  public init(hasDerivedColumns: Bool = true) { self.hasDerivedColumns = hasDerivedColumns }

  /// `copal_id`.
  public var key: String { "copal_id" }
  /// `copal_version`.
  public var version: String { "copal_version" }
  /// `copal_entity`.
  public var entity: String { "copal_entity" }
  /// The name of the entity.
  public func table(of root: EntityLayout) -> String { root.name }
  /// The name of the attribute or the to-one relationship. Where entities of one table have
  /// properties of the same name, the name of the entity stands before it: `Photo.width` and
  /// `Video.width`. For a hidden column, its kind and the name of its property:
  /// `copal_order_section`.
  public func column(of slot: Int, in layout: EntityLayout, of schema: StoreSchema) -> String {
    let description = layout.slots[slot]
    var name = description.propertyName
    if schema.ambiguousSlots[layout.index].contains(slot) {
      name = "\(schema.entities[layout.declaringEntities[slot]].name).\(name)"
    }
    if case .hidden(let kind, _) = description { return "copal_\(kind.rawValue)_\(name)" }
    return name
  }

  /// The kind of the function and the name of the column of its source: `copal_search_name`. For a
  /// projection, its name is behind that: `copal_project_color.lightness`.
  public func column(of derived: DerivedColumn, in layout: EntityLayout, of schema: StoreSchema)
    -> String
  {
    let source = column(of: derived.source, in: layout, of: schema)
    let projection = derived.function.projectionName.map { "." + $0 } ?? ""
    return "copal_\(derived.function.kind)_\(source)\(projection)"
  }

  /// Whether a name is one that derived columns have, or the mark of rows.
  package static func isDerived(_ column: String) -> Bool {
    ["copal_search_", "copal_case_", "copal_project_"].contains(where: column.hasPrefix)
      || column == "copal_stale"
  }

  /// `copal_stale`; nil without derived columns.
  public var stale: String? { hasDerivedColumns ? "copal_stale" : nil }
  /// `copal_stale_Pigment`.
  public func trigger(of root: EntityLayout) -> String { "copal_stale_\(root.name)" }

  /// The name of the entity that declares the attribute, and that of the attribute:
  /// `copal_substring_Pigment.name`.
  public func trigrams(of slot: Int, in layout: EntityLayout, of schema: StoreSchema) -> String {
    let declaring = schema.entities[layout.declaringEntities[slot]].name
    return Self.trigramsPrefix + "\(declaring).\(layout.slots[slot].propertyName)"
  }

  /// What the names of all tables of trigrams begin with.
  package static let trigramsPrefix = "copal_substring_"

  /// `copal_gone`.
  public var gone: String { "copal_gone" }
  /// `copal_gone_Pigment`.
  public func goneTrigger(of root: EntityLayout) -> String { "copal_gone_\(root.name)" }
  /// `copal_gone_Pigment.key`. The release 0.9.0, which does not know it, removes the triggers
  /// whose
  /// names begin so before it migrates a store.
  public func keyTrigger(of root: EntityLayout) -> String { goneTrigger(of: root) + ".key" }

  /// Whether triggers are those of a release that knew only the ones for deletions.
  package static func lackKeyTriggers(_ names: [String]) -> Bool {
    names.contains {
      $0.hasPrefix("copal_gone_") && !$0.hasSuffix(".key") && !names.contains($0 + ".key")
    }
  }

  /// `copal_unique_Pigment(code,name)` or `copal_index_Pigment(name)`.
  ///
  /// Parentheses and commas cannot occur in names of a model, so the names of indexes are unique.
  public func index(of columns: [String], in layout: EntityLayout, isUnique: Bool) -> String {
    // The order of attributes matters in an index, and not in a constraint.
    let list = (isUnique ? columns.inOrder() : columns).joined(separator: ",")
    return "copal_\(isUnique ? "unique" : "index")_\(layout.name)(\(list))"
  }

  /// `copal_files_Painting(scan)`.
  public func fileIndex(of column: String, in layout: EntityLayout) -> String {
    "copal_files_\(layout.name)(\(column))"
  }

  /// `copal_links_Recipe.tags`, with the columns `owner`, `member`, `position` and
  /// `inverse_position`.
  ///
  /// No name of a model has a point, so the names of tables are unique.
  public func links(_ table: LinkTable, in schema: StoreSchema) -> LinkNames {
    let name = "\(schema.entities[table.relationship.entity].name).\(table.relationship.name)"
    return LinkNames(
      table: "copal_links_\(name)", owner: "owner", member: "member", position: "position",
      inversePosition: "inverse_position", orderIndex: "copal_index_\(name)(owner)",
      inverseIndex: "copal_index_\(name)(member)")
  }
}

extension DerivedColumn.Function {
  /// The word for the function in names.
  var kind: String {
    switch self {
    case .folded(.caseInsensitive): "case"
    case .folded: "search"
    case .projected: "project"
    }
  }

  /// The name of the projection; nil for another function.
  var projectionName: String? {
    if case .projected(let projection) = self { projection.description.name } else { nil }
  }
}
