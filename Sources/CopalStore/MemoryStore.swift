public import CopalModel
public import Foundation

/// A store in memory, for tests and caches. It is also the reference for the behavior of other stores.
///
/// It behaves as the SQLite store does, with conflicts and unique constraints. Its contents are lost when its
/// container is released.
///
/// ```swift
/// let container = try PersistentContainer(model: .atelier, store: .inMemory)
/// ```
///
/// A fetch looks at every object of the entity.
public final class MemoryStore: PersistentStore {
  /// The identifier of the contents: a new one for each store.
  public let identifier = UUID()
  /// The schema of the store.
  public let schema: StoreSchema
  let tables: Locked<[MemoryTable]>
  let identities: [EntityIdentity]

  /// An empty store.
  public init(_ schema: StoreSchema) {
    self.schema = schema
    // By position of the root; those of other entities stay empty.
    tables = Locked(schema.entities.map { _ in MemoryTable() })
    identities = schema.identities(inStore: identifier)
  }

  /// Makes a session for one context.
  public func makeSession() -> sending any StoreSession { MemorySession(self) }
}

extension StoreConfiguration {
  /// A store in memory. It is empty at first, and its contents are lost when its container is released.
  public static var inMemory: StoreConfiguration {
    StoreConfiguration(name: "in memory") { MemoryStore($0) }
  }
}

/// The rows of a root: of one entity and its subentities. A value type: a read transaction keeps a copy, which later commits do
/// not change.
struct MemoryTable: Sendable {
  var rows: [Int64: PackedRow] = [:]
  var lastKey: Int64 = 0
}

/// One context's session with a store in memory.
final class MemorySession: StoreSession {
  private let store: MemoryStore
  private var readTransactionDepth = 0
  private var snapshot: [MemoryTable]?

  init(_ store: MemoryStore) { self.store = store }

  private func tables() -> [MemoryTable] {
    if let snapshot { return snapshot }
    let current = store.tables.withLock { $0 }
    if readTransactionDepth > 0 { snapshot = current }
    return current
  }

  func beginReadTransaction() { readTransactionDepth += 1 }

  func endReadTransaction() {
    readTransactionDepth -= 1
    if readTransactionDepth == 0 { snapshot = nil }
  }

  func fetch(_ query: StoreQuery, into receiver: any RowReceiver) {
    let table = table(query.entity)
    for key in keys(query, in: table) { deliver(key, of: table, to: receiver) }
  }

  func fetchKeys(_ query: StoreQuery) -> [Int64] { keys(query, in: table(query.entity)) }

  func count(_ query: StoreQuery) -> Int { keys(query, in: table(query.entity)).count }

  func fetchRows(_ keys: ArraySlice<Int64>, entity: Int, into receiver: any RowReceiver) {
    let table = table(entity)
    for key in keys { deliver(key, of: table, to: receiver) }
  }

  func fetchRow(_ key: Int64, entity: Int) -> PackedRow? { table(entity).rows[key] }

  /// The table of an entity's root.
  private func table(_ entity: Int) -> MemoryTable {
    tables()[store.schema.entities[entity].root]
  }

  private func deliver(_ key: Int64, of table: MemoryTable, to receiver: any RowReceiver) {
    guard let row = table.rows[key] else { return }
    if receiver.wantsRow(key: key, version: row.version, entity: row.entity) {
      receiver.receive(key: key, row: row)
    } else {
      receiver.skip(key: key)
    }
  }

  private func keys(_ query: StoreQuery, in table: MemoryTable) -> [Int64] {
    let layout = store.schema.entities[query.entity]
    func value(_ key: Int64, _ slot: Int) -> PropertyValue {
      table.rows[key].map { layout.value($0.base, slot) } ?? .null
    }
    var found = table.rows.filter { $0.value.entity == query.entity }.keys.sorted()
    if let predicate = query.predicate {
      found = found.filter { key in predicate.isTrue { value(key, $0) } }
    }
    if !query.sortKeys.isEmpty {
      found.sort { a, b in
        for key in query.sortKeys {
          let (first, second) = (value(a, key.slot), value(b, key.slot))
          if ValueOrder.sortsBefore(first, second) { return key.isAscending }
          if ValueOrder.sortsBefore(second, first) { return !key.isAscending }
        }
        return a < b
      }
    }
    let rest = found.dropFirst(query.offset)
    return Array(query.limit.map { rest.prefix($0) } ?? rest)
  }

  func commit(_ changes: ChangeSet) throws -> CommitReceipt {
    snapshot = nil
    return try store.tables.withLock { tables in
      var draft = MemoryCommit(store: store, tables: tables)
      let receipt = try draft.apply(changes)
      tables = draft.tables
      return receipt
    }
  }
}

/// One commit, applied to a copy of the tables.
private struct MemoryCommit {
  let store: MemoryStore
  var tables: [MemoryTable]

  mutating func apply(_ changes: ChangeSet) throws -> CommitReceipt {
    let conflicts = try ConflictSearch(store.schema, MemoryRows(store, tables)).conflicts(
      of: changes)
    if !conflicts.isEmpty { throw PersistenceError(.saveFailed, causes: conflicts) }
    var receipt = CommitReceipt(insertedKeys: [])
    for change in changes.entities {
      let root = store.schema.entities[change.entity].root
      for delete in change.deletes { tables[root].rows[delete.key] = nil }
      for update in change.updates { tables[root].rows[update.key] = update.row }
      var keys: [Int64] = []
      for insert in change.inserts {
        tables[root].lastKey += 1
        let key = tables[root].lastKey
        tables[root].rows[key] = insert.row
        keys.append(key)
      }
      receipt.insertedKeys.append(keys)
    }
    return receipt
  }
}

/// The rows of the store for the search for conflicts, with an index for each unique constraint of
/// the commit.
private final class MemoryRows: ConflictSource {
  private let store: MemoryStore
  private let tables: [MemoryTable]
  private var indexes: [Constraint: [[[UInt8]]: [Int64]]] = [:]

  private struct Constraint: Hashable {
    let entity: Int
    let slots: [Int]
  }

  init(_ store: MemoryStore, _ tables: [MemoryTable]) {
    self.store = store
    self.tables = tables
  }

  func id(_ key: Int64, in layout: EntityLayout) -> ManagedObjectID {
    ManagedObjectID(store.identities[layout.index], key)
  }

  func conflict(_ key: Int64, readAt version: Int64, in layout: EntityLayout) -> PersistenceError? {
    let found = tables[layout.root].rows[key]?.version
    return found == version ? nil : .conflict(id(key, in: layout), expected: version, found: found)
  }

  func owners(_ constraint: [Int], of row: PackedRow, but key: Int64, in layout: EntityLayout)
    -> [Int64]
  {
    let constraintKey = Constraint(entity: layout.index, slots: constraint)
    let index = indexes[constraintKey] ?? makeIndex(constraint, layout)
    indexes[constraintKey] = index
    let owners = layout.uniqueValues(of: row, constraint).flatMap { index[$0] } ?? []
    return owners.filter { $0 != key }
  }

  private func makeIndex(_ constraint: [Int], _ layout: EntityLayout) -> [[[UInt8]]: [Int64]] {
    var index: [[[UInt8]]: [Int64]] = [:]
    for (key, row) in tables[layout.root].rows where row.entity == layout.index {
      if let values = layout.uniqueValues(of: row, constraint) {
        index[values, default: []].append(key)
      }
    }
    return index
  }
}

extension PersistenceError {
  /// The error of a row whose version has changed since it was read: `save.conflict`, or
  /// `save.deletedElsewhere` when there is no row any more. For authors of stores.
  ///
  /// - Parameters:
  ///   - id: the id of the row.
  ///   - expected: the version that the row was read with.
  ///   - found: the version that the store has now; nil when the row is missing.
  public static func conflict(
    _ id: ManagedObjectID, expected: Int64, found: Int64?
  ) -> PersistenceError {
    PersistenceError(
      found == nil ? .deletedElsewhere : .conflict, entity: id.entityName, objectID: id,
      found: found.map(String.init), expected: String(expected))
  }

  /// The error of two objects with the same values in a unique constraint.
  package static func uniqueConflict(
    _ layout: EntityLayout, _ constraint: [Int], _ id: ManagedObjectID, _ other: ManagedObjectID
  ) -> PersistenceError {
    PersistenceError(
      .uniqueConflict, entity: layout.name,
      property: constraint.map { layout.attributes[$0].name }.joined(separator: ", "),
      objectID: id, otherID: other)
  }
}
