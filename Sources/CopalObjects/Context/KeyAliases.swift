/// Which permanent key each temporary one became, so that old ids still resolve and ids that must not change
/// with a save do not.
///
/// Kept as runs, because a save turns consecutive temporary keys of an entity into consecutive permanent
/// ones: a hundred thousand inserts are a few runs. What a save has deleted is forgotten.
struct KeyAliases {
  private struct Entity {
    /// From temporary keys, without their sign, to permanent ones, and back.
    var permanent = KeyRuns()
    var temporary = KeyRuns()
  }

  /// By the index of the entity, as far as there are any.
  private var entities: ContiguousArray<Entity> = []

  /// The number of runs that are remembered: what the aliases cost.
  var runCount: Int {
    entities.reduce(0) { $0 + $1.permanent.runCount + $1.temporary.runCount }
  }

  /// Notes what a temporary key became.
  @inline(__always)
  mutating func add(temporary: Int64, permanent: Int64, entity: Int) {
    while entity >= entities.count { entities.append(Entity()) }
    let magnitude = 0 &- temporary
    // A key has one alias: a store of somebody else's may give a key twice.
    if let former = entities[entity].permanent.add(magnitude, permanent) {
      entities[entity].temporary.remove(CollectionOfOne(former))
    }
    if let former = entities[entity].temporary.add(permanent, magnitude) {
      entities[entity].permanent.remove(CollectionOfOne(former))
    }
  }

  /// The permanent key that a temporary one became; nil when it has not been saved here, or when a save has
  /// deleted the object since.
  func permanentKey(of temporary: Int64, entity: Int) -> Int64? {
    guard entity < entities.count else { return nil }
    return entities[entity].permanent[0 &- temporary]
  }

  /// The temporary key that an object had before its first save in this context; nil when it had none, or
  /// when a save has deleted it.
  func temporaryKey(of permanent: Int64, entity: Int) -> Int64? {
    guard entity < entities.count else { return nil }
    return entities[entity].temporary[permanent].map { 0 &- $0 }
  }

  /// Forgets objects by their permanent keys, in any order.
  mutating func remove(permanent keys: [Int64], entity: Int) {
    guard entity < entities.count, !entities[entity].temporary.isEmpty else { return }
    let temporaries = keys.compactMap { entities[entity].temporary[$0] }
    entities[entity].permanent.remove(temporaries.sorted())
    entities[entity].temporary.remove(keys.sorted())
  }
}
