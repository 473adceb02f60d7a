import CopalStore

/// What some commits have done together to rows and links: of each row and each link only the last
/// state.
struct NetChanges {
  /// The rows in the order of their first change.
  private(set) var rows: ContiguousArray<RowChange> = []
  /// The links of each table in the order of their first change.
  private(set) var links: [Int: ContiguousArray<LinkChange>] = [:]
  private var rowPlaces: [RowKey: Int] = [:]
  private var linkPlaces: [Int: [Link: Int]] = [:]
  /// Whether a row can be in several commits.
  private let collapses: Bool

  /// The change of one row.
  struct RowChange {
    let key: Int64
    /// The entity of the row.
    var entity: Int
    /// A row before, as far as a commit had it.
    private(set) var former: PackedRow?
    /// The other ones, if the row is in several commits.
    // Apart, because most rows are in one, and an array for each would be an allocation.
    private(set) var otherFormers: ContiguousArray<PackedRow> = []
    /// The last row; nil for one that was deleted.
    var after: PackedRow?
    /// The version of the row that was deleted.
    var deletedVersion: Int64 = 0
    /// Whether a row was deleted that nobody had read.
    var lacksFormer = false

    /// Notes a row that the context had. It may be newer than those of the commits.
    mutating func note(_ row: PackedRow) {
      guard let last = after, last.entity == row.entity,
        RowVersion.isNewer(row.version, than: last.version)
      else { return noteFormer(row) }
      noteFormer(last)
      after = row
    }

    mutating func noteFormer(_ row: PackedRow) {
      if former == nil { former = row } else { otherFormers.append(row) }
    }

    /// Whether a row before had a version.
    func hadVersion(_ version: Int64) -> Bool {
      former?.version == version || otherFormers.contains { $0.version == version }
    }

    /// The keys to which the rows before referred.
    func formerKeys(_ slot: Int) -> Set<Int64> {
      var keys: Set<Int64> = []
      for row in otherFormers where row.entity == entity {
        row.integer(slot).map { _ = keys.insert($0) }
      }
      if let former, former.entity == entity { former.integer(slot).map { _ = keys.insert($0) } }
      return keys
    }

    init(key: Int64, entity: Int) {
      self.key = key
      self.entity = entity
    }
  }

  /// The change of one link.
  struct LinkChange {
    var link: Link
    var isRemoved: Bool
  }

  private struct RowKey: Hashable {
    let root: Int
    let key: Int64
  }

  /// - Parameter kept: objects whose newer rows a former merge has not taken.
  init(
    _ commits: some Collection<Commit>, _ schema: StoreSchema,
    after kept: [(object: ManagedObject, row: PackedRow)] = []
  ) {
    let receipts = commits.flatMap(\.receipts)
    collapses = receipts.count + kept.count > 1
    rows.reserveCapacity(receipts.reduce(kept.count) { $0 + $1.written.rowCount })
    for (object, newer) in kept {
      this(object.key, object.runtime.root, object.runtime.index) { row in
        object.row.map { row.noteFormer($0) }
        row.after = newer
      }
    }
    for receipt in receipts { add(receipt, schema) }
  }

  private mutating func add(_ receipt: CommitReceipt, _ schema: StoreSchema) {
    for (change, keys) in zip(receipt.written.entities, receipt.insertedKeys) {
      let root = schema.entities[change.entity].root
      for delete in change.deletes {
        this(delete.key, root, change.entity) { row in
          if let before = delete.before {
            row.noteFormer(before)
          } else {
            row.lacksFormer = true
          }
          row.after = nil
          row.deletedVersion = delete.version
        }
      }
      for update in change.updates {
        this(update.key, root, change.entity) { row in
          row.noteFormer(update.before)
          row.after = update.row
        }
      }
      for (insert, key) in zip(change.inserts, keys) {
        this(key, root, change.entity) { $0.after = insert.row }
      }
    }
    for change in receipt.written.links {
      for link in change.removed { add(link, isRemoved: true, to: change.table) }
      for link in change.added { add(link, isRemoved: false, to: change.table) }
      for link in change.moved { add(link, isRemoved: false, to: change.table) }
    }
  }

  private mutating func this(
    _ key: Int64, _ root: Int, _ entity: Int, _ body: (inout RowChange) -> Void
  ) {
    if collapses, let place = rowPlaces[RowKey(root: root, key: key)] {
      rows[place].entity = entity
      return body(&rows[place])
    }
    if collapses { rowPlaces[RowKey(root: root, key: key)] = rows.count }
    var row = RowChange(key: key, entity: entity)
    body(&row)
    rows.append(row)
  }

  private mutating func add(_ link: Link, isRemoved: Bool, to table: Int) {
    let ends = Link(owner: link.owner, member: link.member)
    guard let place = linkPlaces[table]?[ends] else {
      linkPlaces[table, default: [:]][ends] = links[table]?.count ?? 0
      links[table, default: []].append(LinkChange(link: link, isRemoved: isRemoved))
      return
    }
    var new = link
    if !isRemoved, let former = links[table]?[place], !former.isRemoved {
      new.position = link.position ?? former.link.position
      new.inversePosition = link.inversePosition ?? former.link.inversePosition
    }
    links[table]?[place] = LinkChange(link: new, isRemoved: isRemoved)
  }
}
