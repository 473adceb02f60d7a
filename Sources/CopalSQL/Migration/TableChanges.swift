import CopalModel
public import CopalStore

/// What a migration changes in the tables of a store, as data: for a difference that is not
/// refused.
public final class TableChanges: Sendable {
  /// Which tables the families go on with, and what is added to keys.
  public let moves: RowMoves
  /// The renamings of tables, in an order in which each new name is free.
  public let renames: [Rename]
  /// The tables of entities.
  public let tables: [TableChange]
  /// The tables of links that the store does not have, or that are made again.
  public let addedLinks: [LinkTable]
  /// The tables of links that are kept.
  public let keptLinks: [KeptLinks]
  /// What becomes of the pairs of objects of relationships.
  public let relationships: RelationshipChanges
  /// The large values in files that get lost.
  public let lostFiles: [LostFiles]
  /// The tables that the model does not have any more, under the names that they have by then.
  public let dropped: [String]
  /// The conversions of all tables. A conversion has its position as a number.
  public let conversions: [ColumnConversion]
  /// The references that could be broken when rows were moved or deleted. Empty where no row is.
  public let references: [ReferenceCheck]
  /// The names that tables and columns have before rows are read.
  let names: NamesNow

  /// The changes from a stored model to a schema.
  public init(_ pair: SchemaPair, _ moves: RowMoves) {
    self.moves = moves
    lostFiles = LostFiles.all(pair)
    var conversions: [ColumnConversion] = []
    tables = pair.new.entities.filter { $0.root == $0.index }.map { root in
      TableChange(of: root, pair, moves, &conversions)
    }
    self.conversions = conversions
    var renames: [Rename] = []
    var names = NamesNow()
    for table in tables {
      guard let old = table.old else { continue }
      renames.append(Rename(old.tableName, to: table.root.tableName))
      names.tables[old.tableName] = table.root.tableName
      names.columns[old.tableName] = table.columns.names
    }
    var dropped: [String] = []
    for root in pair.old.entities
    where root.root == root.index && moves.rootKeeping(root.index) == nil {
      let name = TableMapping(root, in: pair.old).tableName
      renames.append(Rename(name, to: ColumnChange.asideName(name)))
      names.tables[name] = ColumnChange.asideName(name)
      dropped.append(ColumnChange.asideName(name))
    }
    var links = Links(pair, moves)
    for table in pair.new.linkTables.indices { links.add(table) }
    links.dropUnclaimed()
    for rename in links.renames { names.tables[rename.old] = rename.new }
    relationships = RelationshipChanges(pair, moves, names, keptLinks: links.withRows)
    self.renames =
      RenameOrder(
        renames + links.renames,
        among: pair.old.entities.map { TableMapping($0, in: pair.old).tableName }
          + pair.old.linkTables.map { LinkMapping($0, in: pair.old).names.table },
        temporary: "copal_renamed_"
      ).steps
    self.names = names
    addedLinks = links.added
    keptLinks = links.kept
    references =
      Self.movesRows(tables)
      ? ReferenceCheck.all(tables, addedLinks: addedLinks, keptLinks: keptLinks, pair.new) : []
    // References to the tables of entities go first.
    self.dropped = links.dropped + dropped
  }

  /// The numbers of the conversions whose values rows get. The others only check.
  public var usedConversions: Set<Int> {
    Set(tables.flatMap(\.columns.rows).flatMap(\.cells).compactMap(\.source.conversion))
  }

  /// Whether rows go into other tables, or are deleted.
  public var movesRows: Bool { Self.movesRows(tables) }

  private static func movesRows(_ tables: [TableChange]) -> Bool {
    tables.contains { $0.getsRows || !$0.leavingEntities.isEmpty }
  }

  /// The tables of entities that the store has, and goes on with.
  public var kept: [TableChange] { tables.filter { $0.old != nil } }
}

/// What becomes of the tables of links.
private struct Links {
  private let pair: SchemaPair
  private let moves: RowMoves
  private var claimed: Set<Int> = []
  private(set) var renames: [Rename] = []
  private(set) var added: [LinkTable] = []
  private(set) var kept: [KeptLinks] = []
  /// The new tables that have the rows of an old one.
  private(set) var withRows: Set<Int> = []
  private(set) var dropped: [String] = []

  init(_ pair: SchemaPair, _ moves: RowMoves) {
    self.pair = pair
    self.moves = moves
  }

  mutating func add(_ index: Int) {
    let links = pair.new.linkTables[index]
    let ends = pair.mapping.origin(
      ofRelationship: links.relationship.name, in: links.relationship.entity
    ).sources
    // The owners are those of the entity whose name comes first.
    guard ends.count == 1, let found = ends.first,
      case .links(let table, let side) = pair.old.relationship(
        found.place.name, of: found.place.entity)?.storage,
      (found.isReversed ? side.other : side) == .owner,
      goesOn(with: pair.old.linkTables[table].owner, links.owner),
      goesOn(with: pair.old.linkTables[table].member, links.member),
      claimed.insert(table).inserted
    else { return added.append(links) }
    withRows.insert(index)
    let old = LinkMapping(pair.old.linkTables[table], in: pair.old)
    let new = LinkMapping(links, in: pair.new)
    renames.append(Rename(old.names.table, to: new.names.table))
    kept.append(KeptLinks(from: old, to: new))
  }

  /// Whether the rows to which the keys of links refer stay in their table.
  private func goesOn(with old: Int, _ new: Int) -> Bool {
    moves.keptRoot(of: pair.new.entities[new].root) == pair.oldRoot(old)
  }

  mutating func dropUnclaimed() {
    for table in pair.old.linkTables.indices where !claimed.contains(table) {
      let name = LinkMapping(pair.old.linkTables[table], in: pair.old).names.table
      renames.append(Rename(name, to: ColumnChange.asideName(name)))
      dropped.append(ColumnChange.asideName(name))
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

/// What a migration changes in the table of a root and its subentities.
public struct TableChange: Sendable {
  /// The root of the table until now; nil for a table that the store does not have.
  public let old: TableMapping?
  /// The root.
  public let root: TableMapping
  /// The mappings of the root and its subentities.
  public let family: [TableMapping]
  /// The name of the entity of the existing rows, in a table that gets the column with the names of
  /// entities.
  public let entityOfRows: String?
  /// The entities that have other names now, of the rows that the table has had.
  public let renamedEntities: [Rename]
  /// The entities whose rows go: they are removed, or have another table.
  public let leavingEntities: [String]
  /// The column with the names of entities, in a table that has one entity now.
  public let droppedEntityColumn: String?
  /// The columns, and what rows get in them.
  public let columns: ColumnChange
  /// Whether rows come from other tables. Their keys are greater than those of the others.
  public let getsRows: Bool

  init(
    of newRoot: EntityLayout, _ pair: SchemaPair, _ moves: RowMoves,
    _ conversions: inout [ColumnConversion]
  ) {
    family = pair.new.kinds(of: newRoot.index).map { pair.newMapping($0) }
    root = pair.newMapping(newRoot.index)
    columns = ColumnChange(of: family, pair, moves, &conversions)
    getsRows = !columns.moves.isEmpty
    let keptRoot = moves.keptRoot(of: newRoot.index)
    old = keptRoot.map(pair.oldMapping)
    let wasFamily = old?.entityColumnName != nil
    let before = keptRoot.map { pair.old.kinds(of: $0) } ?? []
    func staysHere(_ former: Int) -> Bool { pair.newRoot(former) == newRoot.index }
    func nameNow(_ former: Int) -> String? {
      pair.mapping.newEntity(of: former).map { pair.new.entities[$0].name }
    }
    entityOfRows =
      old != nil && !wasFamily && root.entityColumnName != nil
      ? keptRoot.flatMap(nameNow) : nil
    let isFamily = wasFamily && root.entityColumnName != nil
    renamedEntities = before.compactMap { former in
      let name = pair.old.entities[former].name
      guard isFamily, staysHere(former), let now = nameNow(former), now != name else { return nil }
      return Rename(name, to: now)
    }
    leavingEntities = (keptRoot.map { pair.formersWithRows(ofRoot: $0) } ?? []).filter { former in
      wasFamily && !staysHere(former)
    }.map { pair.old.entities[$0].name }
    droppedEntityColumn =
      wasFamily && root.entityColumnName == nil ? old?.entityColumnName : nil
  }
}
