import CopalEssentials
import CopalStore

/// Rows that the next save deletes, and whose objects the context does not have: a cascade has led
/// to them, and no hook, no rule and no object in memory could notice it. A row costs 16 bytes
/// here.
///
/// Whatever could show that they are deleted makes their objects first:
/// ``ContextState/readDeletions(of:)``.
struct UnreadDeletions {
  /// A row, and the version that it must still have when the save deletes it.
  struct Row {
    let key: Int64
    let version: Int64
  }

  /// The rows of each entity.
  private(set) var rows: [Int: ContiguousArray<Row>] = [:]
  /// The owners to whose rows a cascade has led.
  private var owners: Set<RelationshipPlace> = []
  /// For the objects of these rows. A context that ends releases it with its state.
  private(set) var core: ContextCore?

  var isEmpty: Bool { rows.isEmpty }

  mutating func add(
    _ new: ContiguousArray<Row>, of entity: Int, owners places: [RelationshipPlace],
    _ core: ContextCore
  ) {
    if !new.isEmpty { rows[entity, default: []] += new }
    owners.formUnion(places)
    self.core = core
  }

  /// Whether a cascade has led from an owner to its rows.
  func contains(_ owner: RelationshipPlace) -> Bool { owners.contains(owner) }

  /// The rows of an entity, each once, as it was found first. Another context may have moved a row
  /// from one deleted owner to another in between, so that the cascades of both have found it.
  func distinctRows(of entity: Int) -> ContiguousArray<Row> {
    guard let rows = rows[entity] else { return [] }
    if zip(rows, rows.dropFirst()).allSatisfy({ $0.key < $1.key }) { return rows }
    var seen: Set<Int64> = []
    return rows.filter { seen.insert($0.key).inserted }
  }

  /// Removes rows that others have deleted.
  mutating func remove(_ keys: Set<Int64>, of entity: Int) {
    guard rows[entity] != nil else { return }
    rows[entity]?.removeAll { keys.contains($0.key) }
    if rows[entity]?.isEmpty == true { remove(entity) }
  }

  /// Removes the rows of an entity.
  mutating func remove(_ entity: Int) {
    rows[entity] = nil
    if rows.isEmpty { removeAll() }
  }

  mutating func removeAll() { self = UnreadDeletions() }
}
