import CopalModel
public import CopalStore

/// What a migration changes in the tables of a store, as data: for a difference that is not
/// refused.
public struct TableChanges: Sendable {
  /// The renamings of tables, in an order in which each new name is free.
  public let renames: [Rename]
  /// The roots of the tables that the store does not have.
  public let added: [EntityLayout]
  /// The tables of entities that are kept.
  public let changed: [TableChange]
  /// The tables of links that the store does not have.
  public let addedLinks: [LinkTable]
  /// The tables of links that are copied, because their owners were the members.
  public let reversedLinks: [LinkTableChange]
  /// The tables of links that are kept.
  public let keptLinks: [KeptLinks]
  /// What becomes of the pairs of objects of relationships.
  public let relationships: RelationshipChanges
  /// The tables that the model does not have any more, under the names that they have by then.
  public let dropped: [String]
  /// The conversions of all tables. A conversion has its position as a number.
  public let conversions: [ColumnConversion]

  /// The changes from a stored model to a schema.
  public init(_ pair: SchemaPair) {
    var conversions: [ColumnConversion] = []
    var renames: [Rename] = []
    var (added, changed): ([EntityLayout], [TableChange]) = ([], [])
    var kept: Set<Int> = []
    for root in pair.new.entities where root.root == root.index {
      let family = pair.new.kinds(of: root.index).map { pair.new.entities[$0] }
      guard let known = family.lazy.compactMap(pair.before).first else {
        added.append(root)
        continue
      }
      let change = TableChange(
        from: pair.old.entities[known.root], to: root, pair, &conversions)
      kept.insert(known.root)
      changed.append(change)
      renames.append(Rename(change.old.tableName, to: change.root.tableName))
    }
    var names = NamesNow()
    for change in changed {
      names.tables[change.old.tableName] = change.root.tableName
      names.columns[change.old.tableName] = change.columns.names
    }
    var dropped: [String] = []
    for root in pair.old.entities where root.root == root.index && !kept.contains(root.index) {
      let name = TableMapping(root, in: pair.old).tableName
      renames.append(Rename(name, to: "copal_old_\(name)"))
      names.tables[name] = "copal_old_\(name)"
      dropped.append("copal_old_\(name)")
    }
    var links = Links(pair)
    for table in pair.new.linkTables.indices { links.add(table) }
    links.dropUnclaimed()
    for rename in links.renames { names.tables[rename.old] = rename.new }
    relationships = RelationshipChanges(pair, names, keptLinks: links.withRows)
    self.renames =
      RenameSteps(
        renames + links.renames,
        among: pair.old.entities.map { TableMapping($0, in: pair.old).tableName }
          + pair.old.linkTables.map { LinkMapping($0, in: pair.old).names.table },
        temporary: "copal_renamed_"
      ).steps
    self.added = added
    self.changed = changed
    addedLinks = links.added
    reversedLinks = links.reversed
    keptLinks = links.kept
    // References to the tables of entities go first.
    self.dropped = links.dropped + dropped
    self.conversions = conversions
  }
}

/// What becomes of the tables of links.
private struct Links {
  private let pair: SchemaPair
  private var claimed: Set<Int> = []
  private(set) var renames: [Rename] = []
  private(set) var added: [LinkTable] = []
  private(set) var reversed: [LinkTableChange] = []
  private(set) var kept: [KeptLinks] = []
  /// The new tables that have the rows of an old one.
  private(set) var withRows: Set<Int> = []
  private(set) var dropped: [String] = []

  init(_ pair: SchemaPair) { self.pair = pair }

  mutating func add(_ index: Int) {
    let links = pair.new.linkTables[index]
    let name = links.relationship.name
    let origin = pair.mapping.origin(ofRelationship: name, in: links.relationship.entity)
    guard let found = origin.places.first,
      case .links(let table, let side) = pair.old.relationship(
        found.place.name, of: found.place.entity)?.storage,
      claimed.insert(table).inserted
    else { return added.append(links) }
    withRows.insert(index)
    let end = found.isReversed ? side.other : side
    let old = LinkMapping(pair.old.linkTables[table], in: pair.old)
    let new = LinkMapping(links, in: pair.new)
    // The owners are those of the entity whose name comes first.
    if end == .member {
      let aside = "copal_old_\(old.names.table)"
      renames.append(Rename(old.names.table, to: aside))
      reversed.append(LinkTableChange(old: old, oldName: aside, new: new))
      dropped.append(aside)
    } else {
      renames.append(Rename(old.names.table, to: new.names.table))
      kept.append(KeptLinks(from: old, to: new))
    }
  }

  mutating func dropUnclaimed() {
    for table in pair.old.linkTables.indices where !claimed.contains(table) {
      let name = LinkMapping(pair.old.linkTables[table], in: pair.old).names.table
      renames.append(Rename(name, to: "copal_old_\(name)"))
      dropped.append("copal_old_\(name)")
    }
  }
}

/// A table of links that keeps its rows.
public struct KeptLinks: Sendable {
  /// The table from now on.
  public let new: LinkMapping
  /// The columns with positions that the table does not have yet.
  public let added: [String]
  /// The columns with positions that the table does not need any more.
  public let dropped: [String]

  init(from old: LinkMapping, to new: LinkMapping) {
    self.new = new
    func positions(_ links: LinkMapping) -> [String] {
      (links.position == nil ? [] : [links.names.position])
        + (links.inversePosition == nil ? [] : [links.names.inversePosition])
    }
    let (before, after) = (positions(old), positions(new))
    added = after.filter { !before.contains($0) }
    dropped = before.filter { !after.contains($0) }
  }
}

/// A table of links that is made again, because the owners were the members: the primary key has
/// another order.
public struct LinkTableChange: Sendable {
  /// The table until now.
  public let old: LinkMapping
  /// The name that it has by then.
  public let oldName: String
  /// The table from now on.
  public let new: LinkMapping
}

/// What a migration changes in the table of a root and its subentities.
public struct TableChange: Sendable {
  /// The root until now.
  public let old: TableMapping
  /// The root.
  public let root: TableMapping
  /// The mappings of the root and its subentities.
  public let family: [TableMapping]
  /// The name of the entity of the existing rows, in a table that gets the column with the names of
  /// entities.
  public let entityOfRows: String?
  /// The entities of a family that have other names now.
  public let renamedEntities: [Rename]
  /// The entities of a family whose rows are deleted.
  public let removedEntities: [String]
  /// The columns, and what existing rows get in them.
  public let columns: ColumnChange

  /// The new name of the entity of a row, beginning with CASE and without an ELSE: for a column
  /// with one of the old names.
  func newName(of column: SQLFragment) -> SQLFragment {
    let cases = renamedEntities.map { " WHEN " + .literal($0.old) + " THEN " + .literal($0.new) }
    return "CASE " + column + cases.joined(by: "")
  }

  init(
    from oldRoot: EntityLayout, to newRoot: EntityLayout, _ pair: SchemaPair,
    _ conversions: inout [ColumnConversion]
  ) {
    let (old, new) = (pair.old, pair.new)
    let before = old.kinds(of: oldRoot.index).map { TableMapping(old.entities[$0], in: old) }
    family = new.kinds(of: newRoot.index).map { TableMapping(new.entities[$0], in: new) }
    root = TableMapping(newRoot, in: new)
    self.old = TableMapping(oldRoot, in: old)
    let wasFamily = self.old.entityColumnName != nil
    entityOfRows =
      !wasFamily && root.entityColumnName != nil ? pair.after(oldRoot)?.name : nil
    renamedEntities = before.map(\.layout).compactMap { layout in
      guard wasFamily, let now = pair.after(layout), now.name != layout.name else { return nil }
      return Rename(layout.name, to: now.name)
    }
    removedEntities = before.map(\.layout).filter { wasFamily && pair.after($0) == nil }.map(\.name)
    columns = ColumnChange(
      from: before, to: family, rowsOf: pair.layoutsWithRows(of: newRoot.index), pair, &conversions)
  }
}
