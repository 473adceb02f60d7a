import CopalEssentials
import CopalModel
import CopalStore

extension ContextState {
  /// The session with the store, to read objects of an entity. The objects that a cascade has
  /// deleted are objects of the context from then on, so that no read shows them.
  func session(reading entity: Int) throws -> any StoreSession {
    try readDeletions(of: entity)
    return try session.opened()
  }

  /// Makes objects of the rows of an entity that a cascade has deleted without reading them. The
  /// objects are deleted, as if the cascade had read them.
  ///
  /// - Throws: what prevents reading. The rows stay deleted.
  func readDeletions(of entity: Int) throws {
    if unreadDeletions.isEmpty { return }
    let runtime = container.entities[container.entities[entity].root]
    let rows = unreadDeletions.distinctRows(of: runtime.index)
    guard !rows.isEmpty, let core = unreadDeletions.core else { return }
    let receiver = DeletedRowReceiver(runtime.layout, rows)
    try session.opened().fetchRows(rows.map(\.key)[...], entity: runtime.index, into: receiver)
    unreadDeletions.remove(runtime.index)
    // The context has a fault if its row could not be read before.
    let map = maps[runtime.index]
    for (key, row) in receiver.rows {
      let fault = map.object(key)
      if let fault, fault.flags.contains(.fault) { fault.adoptRow(row) }
      makeDeleted(
        fault
          ?? runtime.objectClass.init(
            _copal: ObjectSeed(core: core, runtime: runtime, key: key, row: row)))
    }
    for (key, failure) in receiver.failures {
      let object =
        map.object(key)
        ?? runtime.objectClass.init(
          _copal: ObjectSeed(core: core, runtime: runtime, key: key, flags: .fault))
      makeDeleted(object)
      object.fail(failure)
    }
  }

  /// A save has deleted the rows: they have no temporary ids any more.
  func finishUnreadDeletions() {
    for entity in unreadDeletions.rows.keys {
      let keys = unreadDeletions.distinctRows(of: entity).map(\.key)
      note(
        deleted: keys.filter { temporaryKeys.temporaryKey(of: $0, root: entity) != nil },
        root: entity)
    }
    unreadDeletions.removeAll()
  }

  /// The same for all entities. An error is reported to the handler for values that cannot be read.
  func readAllDeletions() {
    for entity in unreadDeletions.rows.keys.inOrder() {
      do {
        try readDeletions(of: entity)
      } catch {
        container.report(
          PersistenceError.ofStore(error), self)
      }
    }
  }

  private func makeDeleted(_ object: ManagedObject) {
    maps[object.runtime.index].set(object.key, object)
    noteWrite(to: object)
    updatingMembers(with: object) {
      object.becomeDeleted()
      note(changed: object)
    }
    collect { $0.note(object, .deleted) }
  }
}

/// Collects the rows that a cascade has deleted. A row keeps the version that the cascade has
/// found, so that the save finds a later change of another context.
private final class DeletedRowReceiver: RowReceiver {
  private(set) var rows: [(Int64, PackedRow)] = []
  private(set) var failures: [(Int64, PersistenceError)] = []
  private let layout: EntityLayout
  private let versions: [Int64: Int64]

  init(_ layout: EntityLayout, _ rows: ContiguousArray<UnreadDeletions.Row>) {
    self.layout = layout
    versions = Dictionary(
      rows.map { ($0.key, $0.version) }, uniquingKeysWith: { first, _ in first })
  }

  func wantsRow(key: Int64, version: Int64) -> Bool { true }
  func skip(key: Int64) {}
  func receive(key: Int64, failure: PersistenceError) { failures.append((key, failure)) }

  func receive(key: Int64, row: consuming PackedRow) {
    let stored = row
    let version = versions[key] ?? stored.version
    if stored.version == version { return rows.append((key, stored)) }
    let former = withUnsafePointer(to: PropertyValue.null) {
      stored.repacked(layout, with: $0, changed: SlotSet(count: layout.slotCount), version: version)
    }
    rows.append((key, former ?? stored))
  }
}

/// Collects the keys and the versions of related rows, and reads no row.
final class RelatedVersionReceiver: RelatedReceiver {
  private(set) var rows: ContiguousArray<UnreadDeletions.Row> = []
  /// Whether the version of a row cannot be read.
  private(set) var hasFailed = false

  func beginRow(relatedTo owner: Int64, position: Int64?) {}

  func wantsRow(key: Int64, version: Int64) -> Bool {
    rows.append(UnreadDeletions.Row(key: key, version: version))
    return false
  }

  func receive(key: Int64, row: consuming PackedRow) {}
  func skip(key: Int64) {}
  func receive(key: Int64, failure: PersistenceError) { hasFailed = true }
}
