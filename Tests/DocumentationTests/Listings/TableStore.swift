import CopalModel
public import CopalStore
import Foundation

// The store of Docs/StoreAuthors.md. It uses nothing that is not public: a test compiles this file alone.

// @unchecked: `contents` is read and written under the lock only.
final class TableStore: PersistentStore, @unchecked Sendable {
  let identifier = UUID()
  let schema: StoreSchema
  let isReadOnly: Bool
  private let lock = NSLock()
  private var contents: [Table]

  init(_ schema: StoreSchema, isReadOnly: Bool = false) {
    self.schema = schema
    self.isReadOnly = isReadOnly
    contents = schema.entities.map { _ in Table() }
  }

  func makeSession() -> sending any StoreSession { TableSession(self) }

  var tables: [Table] { lock.withLock { contents } }

  func change<R>(_ body: (inout [Table]) throws -> R) rethrows -> R {
    try lock.withLock { try body(&contents) }
  }
}

struct Table: Sendable {
  var rows: [Int64: PackedRow] = [:]
  var lastKey: Int64 = 0
}

final class TableSession: StoreSession {
  private let store: TableStore
  private var transactionDepth = 0
  private var view: [Table]?

  init(_ store: TableStore) { self.store = store }

  func beginReadTransaction() { transactionDepth += 1 }

  func endReadTransaction() {
    transactionDepth -= 1
    if transactionDepth == 0 { view = nil }
  }

  private var tables: [Table] {
    if let view { return view }
    let current = store.tables
    if transactionDepth > 0 { view = current }
    return current
  }

  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) {
    fetchRows(fetchKeys(query)[...], entity: query.entity, into: receiver)
  }

  func count(_ query: StoreQuery) -> Int { fetchKeys(query).count }

  /// The rows of an entity's root.
  private func rows(_ entity: Int) -> [Int64: PackedRow] {
    tables[store.schema.entities[entity].root].rows
  }

  func fetchRow(_ key: Int64, entity: Int) -> PackedRow? { rows(entity)[key] }

  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) {
    let rows = rows(entity)
    for key in keys {
      guard let row = rows[key] else { continue }
      if receiver.wantsRow(key: key, version: row.version) {
        receiver.receive(key: key, row: row)
      } else {
        receiver.skip(key: key)
      }
    }
  }

  func fetchKeys(_ query: StoreQuery) -> [Int64] {
    let layout = store.schema.entities[query.entity]
    let rows = rows(query.entity).filter { $0.value.entity == query.entity }
    func value(_ key: Int64, _ slot: Int) -> PropertyValue {
      rows[key].map { row in withExtendedLifetime(row) { layout.value(row.base, slot) } } ?? .null
    }
    var keys = rows.keys.sorted()
    keys = keys.filter { key in query.matches(key: key) { slot in value(key, slot) } }
    keys.sort { a, b in
      for sortKey in query.sortKeys {
        let (first, second) = (value(a, sortKey.slot), value(b, sortKey.slot))
        if ValueOrder.sortsBefore(first, second) { return sortKey.isAscending }
        if ValueOrder.sortsBefore(second, first) { return !sortKey.isAscending }
      }
      return a < b
    }
    let rest = keys.dropFirst(query.offset)
    return Array(rest.prefix(query.limit ?? rest.count))
  }

  func commit(_ changes: ChangeSet) throws -> CommitResult {
    view = nil
    if store.isReadOnly { throw PersistenceError(.storeIsReadOnly) }
    return try store.change { tables in
      let source = TableConflicts(tables: tables)
      let conflicts = try ConflictSearch(store.schema, source).conflicts(of: changes)
      if !conflicts.isEmpty { return .refused(conflicts) }

      let keys = changes.entities.map { change in
        let root = store.schema.entities[change.entity].root
        return change.inserts.map { insert in
          let key = insert.key > 0 ? insert.key : tables[root].lastKey + 1
          tables[root].lastKey = max(tables[root].lastKey, key)
          return key
        }
      }
      let changes = changes.withReferences(to: keys, in: store.schema)
      for (change, keys) in zip(changes.entities, keys) {
        let root = store.schema.entities[change.entity].root
        for delete in change.deletes { tables[root].rows[delete.key] = nil }
        for update in change.updates { tables[root].rows[update.key] = update.row }
        for (insert, key) in zip(change.inserts, keys) { tables[root].rows[key] = insert.row }
      }
      return .committed(CommitReceipt(insertedKeys: keys))
    }
  }
}

struct TableConflicts: ConflictSource {
  let tables: [Table]

  func row(_ key: Int64, of layout: EntityLayout) -> PackedRow? { tables[layout.root].rows[key] }

  func owners(_ constraint: [Int], of row: PackedRow, but key: Int64, in layout: EntityLayout)
    -> [Int64]
  {
    guard let values = layout.uniqueValues(of: row, constraint) else { return [] }
    let rows = tables[layout.root].rows.filter { $0.value.entity == layout.index }
    return rows.keys.filter { other in
      other != key && rows[other].flatMap { layout.uniqueValues(of: $0, constraint) } == values
    }
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
