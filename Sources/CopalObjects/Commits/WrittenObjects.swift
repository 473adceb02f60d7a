/// Which stored objects a batch, or the saves of a transaction, have written. The rows of these
/// objects are read again.
struct WrittenObjects: Sendable {
  /// The entities of all of them, and of the ends of written links.
  private(set) var entities: Set<Int> = []
  /// The entities of which any object may have been written.
  private(set) var unknown: Set<Int> = []
  /// The keys of the other ones, by root.
  private(set) var keys: [Int: [Int64]] = [:]
  private(set) var keyCount = 0

  /// More keys are not kept: then all objects of their entities are read again.
  static let limit = 10_000

  init() {}

  /// - Parameter keys: the keys of the objects by root; nil when any object of the entities may
  ///   have been written.
  init(of entities: Set<Int>, keys: [Int: [Int64]]?) {
    self.entities = entities
    if let keys {
      self.keys = keys
      keyCount = keys.values.reduce(0) { $0 + $1.count }
      forgetManyKeys()
    } else {
      unknown = entities
    }
  }

  var isEmpty: Bool { entities.isEmpty }

  /// Links between objects of some entities were written.
  mutating func add(linksOf entities: Set<Int>) { self.entities.formUnion(entities) }

  /// Objects of an entity were written.
  mutating func add(_ keys: some Sequence<Int64>, of entity: Int, root: Int) {
    entities.insert(entity)
    var count = 0
    for key in keys {
      self.keys[root, default: []].append(key)
      count += 1
    }
    keyCount += count
    forgetManyKeys()
  }

  mutating func formUnion(_ other: WrittenObjects) {
    entities.formUnion(other.entities)
    unknown.formUnion(other.unknown)
    for (root, keys) in other.keys { self.keys[root, default: []] += keys }
    keyCount += other.keyCount
    forgetManyKeys()
  }

  private mutating func forgetManyKeys() {
    if keyCount <= Self.limit { return }
    unknown = entities
    (keys, keyCount) = ([:], 0)
  }
}
