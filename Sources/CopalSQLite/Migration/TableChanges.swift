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
