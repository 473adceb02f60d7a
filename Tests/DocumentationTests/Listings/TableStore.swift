import CopalModel
public import CopalStore
import Foundation

// The store of Docs/StoreAuthors.md. It uses nothing that is not public: a test compiles this file alone.

// @unchecked: `kept` is read and written under the lock only.
final class TableStore: PersistentStore, @unchecked Sendable {
  let identifier = UUID()
  let schema: StoreSchema
  let isReadOnly: Bool
  let commitOrder: CommitOrder? = CommitOrder()
  private let lock = NSLock()
  private var kept: Contents

  init(_ schema: StoreSchema, isReadOnly: Bool = false) {
    self.schema = schema
    self.isReadOnly = isReadOnly
    kept = Contents(
      tables: schema.entities.map { _ in Table() },
      links: schema.linkTables.map { _ in LinkSet() })
  }

  func makeSession() -> sending any StoreSession { TableSession(self) }

  var contents: Contents { lock.withLock { kept } }

  func change<R>(_ body: (inout Contents) throws -> R) rethrows -> R {
    try lock.withLock { try body(&kept) }
  }
}

struct Contents: Sendable {
  var tables: [Table]
  var links: [LinkSet]
}

struct Table: Sendable {
  var rows: [Int64: PackedRow] = [:]
  var lastKey: Int64 = 0
}

final class TableSession: StoreSession {
  private let store: TableStore
  private var transactionDepth = 0
  private var view: Contents?

  init(_ store: TableStore) { self.store = store }

  func beginReadTransaction() { transactionDepth += 1 }

  func endReadTransaction() {
    transactionDepth -= 1
    if transactionDepth == 0 { view = nil }
  }

  private var contents: Contents {
    if let view { return view }
    let current = store.contents
    if transactionDepth > 0 { view = current }
    return current
  }

  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) throws {
    guard query.findsAll else { return try decider.fetch(query, into: receiver) }
    fetchRows(try fetchKeys(query)[...], entity: query.entity, into: receiver)
  }

  func fetchKeys(_ query: StoreQuery) throws -> [Int64] {
    guard query.findsAll else { return try decider.fetchKeys(query) }
    let keys = rows(query.entity).filter {
      query.finds(entity: $0.value.entity, in: store.schema)
    }.keys.sorted().dropFirst(query.offset)
    return Array(keys.prefix(query.limit ?? keys.count))
  }

  func count(_ query: StoreQuery) throws -> Int {
    try query.findsAll ? fetchKeys(query).count : decider.count(query)
  }

  func fetchValues(_ query: ValueQuery) throws -> [[PropertyValue]] {
    try decider.fetchValues(query)
  }

  /// Answers what has a condition, an order or values.
  private var decider: RowDecider {
    RowDecider(
      self, store.schema, because: NotInSQL("a condition or an order", cure: "use a database"))
  }

  /// The rows of an entity's root.
  private func rows(_ entity: Int) -> [Int64: PackedRow] {
    contents.tables[store.schema.entities[entity].root].rows
  }

  func fetchRow(_ key: Int64, entity: Int) -> PackedRow? {
    rows(entity)[key].flatMap { isRow($0, of: entity) ? $0 : nil }
  }

  /// Whether a row belongs to an entity or to one of its subentities.
  private func isRow(_ row: PackedRow, of entity: Int) -> Bool {
    store.schema.isEntity(row.entity, kindOf: entity)
  }

  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) {
    let rows = rows(entity)
    for key in keys where rows[key].map({ isRow($0, of: entity) }) == true {
      deliver(key, rows[key], to: receiver)
    }
  }

  private func deliver(_ key: Int64, _ row: PackedRow?, to receiver: any RowReceiver) {
    guard let row else { return }
    if receiver.wantsRow(key: key, version: row.version) {
      receiver.receive(key: key, row: row)
    } else {
      receiver.skip(key: key)
    }
  }

  func fetchRelated(_ query: RelatedQuery, into receiver: any RelatedReceiver) {
    let relationship = store.schema.relationships[query.entity][query.relationship]
    let layout = store.schema.entities[relationship.destination]
    let contents = contents
    for owner in query.owners.sorted() {
      for member in contents.related(
        to: owner, relationship.storage, layout, store.schema
      ).sorted() {
        guard let row = contents.tables[layout.root].rows[member.key],
          isRow(row, of: layout.index)
        else { continue }
        receiver.beginRow(relatedTo: owner, position: member.position)
        deliver(member.key, row, to: receiver)
      }
    }
  }

  func commit(_ changes: ChangeSet) throws -> CommitResult {
    view = nil
    if store.isReadOnly { throw PersistenceError(.storeIsReadOnly) }
    return try store.change { contents in
      let source = TableConflicts(contents: contents, schema: store.schema)
      let conflicts = try ConflictSearch(store.schema, source).conflicts(of: changes)
      if !conflicts.isEmpty { return .refused(conflicts) }
      var receipt = contents.apply(changes, store.schema)
      receipt.place = store.commitOrder?.reserve()
      return .committed(receipt)
    }
  }
}

extension Contents {
  mutating func apply(_ changes: ChangeSet, _ schema: StoreSchema) -> CommitReceipt {
    let order = InsertOrder(changes, in: schema)
    let keys = changes.insertedKeys(in: order) { root, wanted in
      wanted.map { wanted in
        let key = wanted > 0 ? wanted : tables[root].lastKey + 1
        tables[root].lastKey = max(tables[root].lastKey, key)
        return key
      }
    }
    var changes = changes.withReferences(to: keys, in: schema).withPositions(in: schema) { list in
      related(to: list.owner, list.storage, schema.entities[list.entity], schema)
        .compactMap(\.position).max()
    }
    var removed: [Int: [Link]] = [:]
    for (change, keys) in zip(changes.entities, keys) {
      let root = schema.entities[change.entity].root
      for delete in change.deletes { tables[root].rows[delete.key] = nil }
      for (table, end) in schema.linkEnds(ofEntity: change.entity)
      where schema.linkTables[table].deletesLinks(at: end) {
        for delete in change.deletes {
          removed[table, default: []] += links[table].removeLinks(
            of: delete.key, at: end, schema.linkTables[table])
        }
      }
      for update in change.updates { tables[root].rows[update.key] = update.row }
      for (insert, key) in zip(change.inserts, keys) { tables[root].rows[key] = insert.row }
    }
    changes.links = changes.links.map { links[$0.table].apply($0, schema.linkTables[$0.table]) }
    changes.noteRemoved(removed)
    return CommitReceipt(insertedKeys: keys, written: changes)
  }
}

extension Contents {
  /// The objects of a to-many relationship of one object.
  func related(
    to owner: Int64, _ storage: RelationshipLayout.Storage, _ layout: EntityLayout,
    _ schema: StoreSchema
  ) -> [RelatedKey] {
    switch storage {
    case .slot: return []
    case .links(let table, let end): return links[table].linked(to: owner, at: end)
    case .inverseSlot(let slot, let position):
      // The rows of other entities may have another value there.
      let rows = tables[layout.root].rows.filter { key, row in
        schema.isEntity(row.entity, kindOf: layout.index) && number(row, slot, layout) == owner
      }
      return rows.map { key, row in
        RelatedKey(key: key, position: position.flatMap { number(row, $0, layout) })
      }
    }
  }

  private func number(_ row: PackedRow, _ slot: Int, _ layout: EntityLayout) -> Int64? {
    guard case .integer(let number) = withExtendedLifetime(row, { layout.value(row.base, slot) })
    else { return nil }
    return number
  }
}

struct TableConflicts: ConflictSource {
  let contents: Contents
  let schema: StoreSchema

  func row(_ key: Int64, of layout: EntityLayout) -> PackedRow? {
    contents.tables[layout.root].rows[key]
  }

  func owners(
    _ constraint: EntityLayout.UniqueConstraint, of row: PackedRow, but key: Int64,
    in layout: EntityLayout
  ) -> [Int64] {
    guard let values = layout.uniqueValues(of: row, constraint) else { return [] }
    // Objects of the declaring entity and of all its subentities have different values.
    let rows = contents.tables[layout.root].rows.filter {
      schema.isEntity($0.value.entity, kindOf: constraint.declaringEntity)
    }
    return rows.keys.filter { other in
      other != key && rows[other].flatMap { layout.uniqueValues(of: $0, constraint) } == values
    }
  }

  func referrers(to key: Int64, _ reference: EntityLayout.Reference, in layout: EntityLayout)
    -> [Int64]
  {
    let storage = RelationshipLayout.Storage.inverseSlot(reference.slot, position: nil)
    let keys = contents.related(to: key, storage, layout, schema).map(\.key)
    return keys.filter { row($0, of: layout)?.entity == layout.index }.sorted()
  }

  func linked(to key: Int64, _ table: Int, at end: LinkTable.End) -> [Int64] {
    contents.links[table].linked(to: key, at: end).map(\.key).sorted()
  }
}

extension PersistenceError.Code {
  static let storeIsReadOnly = Self("table.readOnly") { _ in
    "the store cannot be written: it was opened for reading only; open it with isReadOnly: false"
  }
}

struct TableDriver: StoreDriver {
  let name = "tables"
  let isReadOnly: Bool

  func open(_ schema: StoreSchema) -> any PersistentStore {
    TableStore(schema, isReadOnly: isReadOnly)
  }

  func inspect() -> StoreDescription? { nil }
}

extension StoreConfiguration {
  public static func tables(isReadOnly: Bool = false) -> StoreConfiguration {
    StoreConfiguration(TableDriver(isReadOnly: isReadOnly))
  }
}
