import Copal

/// A store with some contexts, in dictionaries: slow, small and simple.
///
/// It has no packed rows, flags or lists of changes, and shares no code with the library. A
/// difference is a defect of one of the two.
final class PlainWorld {
  let schema = PlainSchema()
  var store = PlainStore()
  private(set) var contexts: [PlainContext] = []

  init(contexts count: Int, hasHooks: Bool) {
    contexts = (0..<count).map { _ in PlainContext(self, hasHooks: hasHooks) }
  }
}

/// What is stored, by entity and key.
struct PlainStore {
  var rows: [String: [Int64: PlainRow]] = [:]
  /// The last key that each entity has given out; none is used twice.
  var lastKey: [String: Int64] = [:]
  /// What is beside the objects, as text.
  var metadata: [String: String] = [:]

  subscript(_ entity: String, _ key: Int64) -> PlainRow? {
    get { rows[entity]?[key] }
    set { rows[entity, default: [:]][key] = newValue }
  }
}

struct PlainRow: Hashable {
  /// The values by attribute; an attribute without a value is not in it.
  var values: [String: PlainValue]
  var version: Int64

  subscript(_ name: String) -> PlainValue {
    get { values[name] ?? .none }
    set { values[name] = newValue == .none ? nil : newValue }
  }
}

/// An object in a context.
final class PlainObject {
  unowned let context: PlainContext
  let entity: PlainEntity
  /// The order in which the context's new objects were made.
  let number: Int
  /// The key in the store; nil before the first save.
  var key: Int64?
  /// The row as it was last read or saved; nil for a fault and for a new object.
  var row: PlainRow?
  /// What was set and is not saved. What was set to the value of the row is in it too.
  var pending: [String: PlainValue] = [:]
  var transients: [String: PlainValue] = [:]

  var isFault = false
  var isNew = false
  /// It was changed, and is not saved.
  var isChanged = false
  /// The next save deletes it.
  var isDeleting = false
  /// The context has released it.
  var isGone = false
  /// Its row was not there when the context looked.
  var isMissing = false

  // For the hooks.
  var friend: PlainObject?
  var drawers: [PlainObject] = []

  init(_ context: PlainContext, _ entity: PlainEntity, number: Int = 0, key: Int64? = nil) {
    self.context = context
    self.entity = entity
    self.number = number
    self.key = key
  }

  // What the public API says.
  var hasChanges: Bool { !isGone && (isNew || isChanged || isDeleting) }
  var isInserted: Bool { !isGone && isNew }
  var isUpdated: Bool { !isGone && isChanged && !isNew && !isDeleting }
  var isDeleted: Bool { isDeleting || isMissing }
}

/// The objects of a context.
final class PlainContext {
  unowned let world: PlainWorld
  let hasHooks: Bool
  /// The objects of the context, without those that it has released.
  var objects: [PlainObject] = []
  /// The objects whose deletion this context has saved. Their temporary ids mean nothing anymore.
  var deletedKeys: [String: Set<Int64>] = [:]
  var made = 0
  /// Whether a fault was read since this was last set to false.
  var hasFired = false

  init(_ world: PlainWorld, hasHooks: Bool) {
    self.world = world
    self.hasHooks = hasHooks
  }

  var changed: [PlainObject] { objects.filter(\.hasChanges) }
  /// The unsaved metadata; nil for what is removed.
  var metadata: [String: String?] = [:]

  func object(_ entity: String, _ key: Int64) -> PlainObject? {
    objects.first { $0.entity.name == entity && $0.key == key }
  }

  /// The row of an object as the store has it now.
  func storedRow(of object: PlainObject) -> PlainRow? {
    object.key.flatMap { world.store[object.entity.name, $0] }
  }

  func isHooked(_ object: PlainObject) -> Bool { hasHooks && object.entity.name == "Study" }

  func release(_ object: PlainObject) {
    object.isGone = true
    objects.removeAll { $0 === object }
  }
}
