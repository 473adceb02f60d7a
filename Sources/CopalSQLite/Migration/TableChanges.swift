import CopalModel
import CopalSQL
import CopalStore

/// What lightweight migration changes in a file, for a difference that is not refused.
struct TableChanges {
  /// The roots of the tables that the file does not have.
  private(set) var addedTables: [EntityLayout] = []
  /// The changes of tables of entities.
  private(set) var changedTables: [TableChange] = []
  /// The tables of links that the file does not have.
  private(set) var addedLinkTables: [LinkTable] = []
  /// The tables of links that have other names now.
  private(set) var changedLinkTables: [LinkTableChange] = []

  init(_ history: ModelHistory) {
    for root in history.new.entities where root.root == root.index {
      let family = history.new.kinds(of: root.index).map { history.new.entities[$0] }
      if let known = family.lazy.compactMap(history.before).first {
        changedTables.append(
          TableChange(from: history.old.entities[known.root], to: root, history))
      } else {
        addedTables.append(root)
      }
    }
    for links in history.new.linkTables {
      guard let change = LinkTableChange(to: links, history) else {
        addedLinkTables.append(links)
        continue
      }
      if change.old.names != change.new.names { changedLinkTables.append(change) }
    }
  }
}

/// A table of links that has another name now, because one of its relationships has moved to an
/// ancestor.
struct LinkTableChange {
  let old: LinkMapping
  let new: LinkMapping
  /// Whether the owners were the members. The entity whose name comes first has the owners.
  let isReversed: Bool

  /// Nil for a new table.
  init?(to links: LinkTable, _ history: ModelHistory) {
    let name = links.relationship.name
    let origin = history.origin(of: name, .relationship, in: links.relationship.entity)
    guard let declaring = origin.declaring.first,
      case .links(let table, let end) = history.old.relationship(name, of: declaring)?.storage
    else { return nil }
    old = LinkMapping(history.old.linkTables[table], in: history.old)
    new = LinkMapping(links, in: history.new)
    isReversed = end == .member
  }
}

/// What lightweight migration changes in the table of a root and its subentities.
struct TableChange {
  /// The name of the table until now.
  let oldName: String
  /// The root, which is a new entity where the table gets another name.
  let root: TableMapping
  /// The name of the entity of the existing rows, in a table that gets the column with the names of
  /// entities.
  let entityOfRows: String?
  /// The columns, and what existing rows get in them.
  let columns: ColumnChange
  /// The indexes.
  let indexes: IndexChange

  init(from oldRoot: EntityLayout, to newRoot: EntityLayout, _ history: ModelHistory) {
    let (old, new) = (history.old, history.new)
    let before = old.kinds(of: oldRoot.index).map { TableMapping(old.entities[$0], in: old) }
    let after = new.kinds(of: newRoot.index).map { TableMapping(new.entities[$0], in: new) }
    root = TableMapping(newRoot, in: new)
    let oldTable = TableMapping(oldRoot, in: old)
    oldName = oldTable.tableName
    let isFamilyNow = oldTable.entityColumnName == nil && root.entityColumnName != nil
    entityOfRows = isFamilyNow ? oldRoot.name : nil
    columns = ColumnChange(
      from: before, to: after, rowsOf: history.entitiesWithRows(of: newRoot.index), history)
    indexes = IndexChange(from: before, to: after, columns)
  }
}
