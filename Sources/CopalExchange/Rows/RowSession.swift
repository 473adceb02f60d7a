import CopalEssentials
import CopalModel
import CopalObjects
import CopalStore

/// A session of a tool: it reads rows of one moment, without objects.
final class RowSession {
  let container: PersistentContainer
  let session: any StoreSession
  let schema: StoreSchema
  private var transformers: [Int: RowTransformers] = [:]

  init(_ container: PersistentContainer, isCanceled: (@Sendable () -> Bool)? = nil) throws {
    self.container = container
    schema = container.store.schema
    session = try container.store.makeSession()
    session.endCalls(when: isCanceled)
    try session.beginReadTransaction()
  }

  deinit { session.endReadTransaction() }

  func transformers(of entity: Int) -> RowTransformers {
    if let found = transformers[entity] { return found }
    let made = RowTransformers(container, entity: entity)
    transformers[entity] = made
    return made
  }

  /// The layout of the entity of a name.
  ///
  /// - Throws: `request.unknownEntity`.
  func layout(_ name: String) throws -> EntityLayout {
    if let found = schema.layout(name) { return found }
    throw PersistenceError(
      .unknownEntity, entity: name,
      suggestion: NearestName.of(name, among: schema.entities.map(\.name)))
  }

  /// Passes each row of a query to a function, while the store reads them.
  func forEachRow(
    _ query: StoreQuery, _ body: @escaping (Int64, PackedRow) throws -> Void
  ) throws {
    let receiver = RowSink(body)
    do {
      try session.fetch(query, into: receiver)
    } catch {
      throw receiver.failure ?? error
    }
    if let failure = receiver.failure { throw failure }
  }

  /// The rows of keys, by their keys.
  func rows(_ keys: [Int64], of entity: Int) throws -> [Int64: PackedRow] {
    var rows: [Int64: PackedRow] = [:]
    let receiver = RowSink { rows[$0] = $1 }
    try session.fetchRows(keys[...], entity: entity, into: receiver)
    if let failure = receiver.failure { throw failure }
    return rows
  }

  /// The members of a to-many relationship, by their owners, in the order of the relationship.
  func members(
    _ owners: [Int64], of entity: Int, _ relationship: Int
  ) throws -> [Int64: [Int64]] {
    var members: [Int64: [Int64]] = [:]
    for link in try session.links(of: owners, relationship, of: entity) {
      members[link.owner, default: []].append(link.member)
    }
    return members
  }

  /// The position of a relationship among those of its entity; nil for none.
  func relationship(_ name: String, of entity: Int) -> Int? {
    schema.relationships[entity].firstIndex { !$0.isHidden && $0.relationship.name == name }
  }
}

/// Passes on rows. After the first error, the other rows are not read.
private final class RowSink: RowReceiver {
  private let body: (Int64, PackedRow) throws -> Void
  private(set) var failure: (any Error)?

  init(_ body: @escaping (Int64, PackedRow) throws -> Void) { self.body = body }

  func wantsRow(key: Int64, version: Int64) -> Bool { failure == nil }
  func receive(key: Int64, row: consuming PackedRow) {
    do { try body(key, row) } catch { failure = error }
  }
  func skip(key: Int64) {}
  func receive(key: Int64, failure: PersistenceError) { self.failure = self.failure ?? failure }
}
