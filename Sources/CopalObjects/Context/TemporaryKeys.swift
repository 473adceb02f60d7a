/// The temporary keys of saved objects, each with its permanent key, so that an id from before the first save
/// still finds its object.
///
/// Stored as runs, because a save turns consecutive temporary keys of an entity into consecutive
/// permanent ones: a hundred thousand inserts are a few runs. Keys of deleted objects are removed.
struct TemporaryKeys {
  private struct Entity {
    /// From temporary keys, without their sign, to permanent ones, and back.
    var permanent = KeyRuns()
    var temporary = KeyRuns()
  }

  /// By index of the entity; only as long as needed.
  private var entities: ContiguousArray<Entity> = []

  /// The number of stored runs, which is the memory that they cost.
  var runCount: Int {
    entities.reduce(0) { $0 + $1.permanent.runCount + $1.temporary.runCount }
  }

  /// Adds the permanent key of a temporary one.
  @inline(__always)
  mutating func add(temporary: Int64, permanent: Int64, entity: Int) {
    while entity >= entities.count { entities.append(Entity()) }
    let magnitude = 0 &- temporary
    // Each key has one partner. A custom store may return a key twice.
    if let former = entities[entity].permanent.add(magnitude, permanent) {
      entities[entity].temporary.remove(CollectionOfOne(former))
    }
    if let former = entities[entity].temporary.add(permanent, magnitude) {
      entities[entity].permanent.remove(CollectionOfOne(former))
    }
  }

  /// The permanent key of a temporary one; nil when this context has not saved the object, or has
  /// saved its deletion since.
  func permanentKey(of temporary: Int64, entity: Int) -> Int64? {
    guard entity < entities.count else { return nil }
    return entities[entity].permanent[0 &- temporary]
  }

  /// The temporary key of an object before its first save in this context; nil when it had none, or
  /// when its deletion was saved.
  func temporaryKey(of permanent: Int64, entity: Int) -> Int64? {
    guard entity < entities.count else { return nil }
    return entities[entity].temporary[permanent].map { 0 &- $0 }
  }

  /// Removes objects by their permanent keys, in any order.
  mutating func remove(permanent keys: [Int64], entity: Int) {
    guard entity < entities.count, !entities[entity].temporary.isEmpty else { return }
    let temporaries = keys.compactMap { entities[entity].temporary[$0] }
    entities[entity].permanent.remove(temporaries.sorted())
    entities[entity].temporary.remove(keys.sorted())
  }
}
