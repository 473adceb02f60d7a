import CopalEssentials
import CopalModel

extension StoreSession {
  /// Those of some keys that have a row of an entity.
  ///
  /// - Parameter count: the greatest number of keys in a query.
  package func existing(_ keys: [Int64], of entity: Int, count: Int) throws -> Set<Int64> {
    var found: Set<Int64> = []
    for part in keys.parts(of: count) {
      found.formUnion(try fetchKeys(StoreQuery(entity: entity, keys: part)))
    }
    return found
  }

  /// The rows of some keys, in any order.
  ///
  /// - Throws: the error of a row that cannot be read.
  package func rows(_ keys: ArraySlice<Int64>, of entity: Int) throws -> [(
    key: Int64, row: PackedRow
  )] {
    let receiver = KeptRows()
    try fetchRows(keys, entity: entity, into: receiver)
    if let failure = receiver.failure { throw failure }
    return receiver.rows
  }

  /// The pairs of some owners and the objects that a to-many relationship of theirs has, each owner
  /// with its objects in their order.
  ///
  /// - Parameter failing: whether an object that cannot be read ends it. Otherwise it is left out.
  package func links(
    of owners: [Int64], _ relationship: Int, of entity: Int, failing: Bool = true
  ) throws -> [Link] {
    let receiver = KeptLinks()
    try fetchRelated(
      RelatedQuery(
        entity: entity, relationship: relationship, owners: owners, wantsKeysOnly: true),
      into: receiver)
    if failing, let failure = receiver.failure { throw failure }
    return receiver.links
  }
}

/// Keeps the rows of a fetch.
private final class KeptRows: RowReceiver {
  var rows: [(key: Int64, row: PackedRow)] = []
  var failure: PersistenceError?

  func wantsRow(key: Int64, version: Int64) -> Bool { true }
  func receive(key: Int64, row: consuming PackedRow) { rows.append((key, row)) }
  func skip(key: Int64) {}
  func receive(key: Int64, failure: PersistenceError) { self.failure = failure }
}

/// Keeps the keys of related objects.
private final class KeptLinks: RelatedReceiver {
  var links: [Link] = []
  var failure: PersistenceError?
  private var owner: Int64 = 0
  private var position: Int64?

  func beginRow(relatedTo owner: Int64, position: Int64?) {
    (self.owner, self.position) = (owner, position)
  }
  func wantsRow(key: Int64, version: Int64) -> Bool { false }
  func receive(key: Int64, row: consuming PackedRow) { skip(key: key) }
  func skip(key: Int64) { links.append(Link(owner: owner, member: key, position: position)) }
  func receive(key: Int64, failure: PersistenceError) { self.failure = failure }
}
