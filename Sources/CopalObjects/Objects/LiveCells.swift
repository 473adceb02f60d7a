import CopalModel
import CopalStore

/// The values of an object that are not in its row: changed, new, transient and remembered ones.
///
/// Clean objects have none. A transformable's value is kept in `decoded`, and its cell holds the stored
/// form while a save is under way.
final class LiveCells {
  // @exclusivity(unchecked) below: one object's cells, in one isolation, and no method calls out while
  // it changes them; every setter passes here.
  @exclusivity(unchecked) private(set) var values: UnsafeMutablePointer<Value>?
  private let count: Int
  /// The slots whose value is here rather than in the row.
  @exclusivity(unchecked) var isSet: SlotSet
  /// Remembered values of transformables, by their ordinal in the entity.
  private var decoded: [Remembered?] = []
  /// What could not be read, by slot; -1 for the row as a whole.
  var failures: [Int: PersistenceError] = [:]
  /// Of which failures the context's handler has been told.
  var told: Set<Int> = []

  init(count: Int) {
    self.count = count
    isSet = SlotSet(count: count)
  }

  deinit { values?.deinitialize(count: count).deallocate() }

  /// The cells, made when they are first wanted: an object that only remembers needs none.
  @inline(__always)
  func cellValues() -> UnsafeMutablePointer<Value> {
    if let values { return values }
    let made = UnsafeMutablePointer<Value>.allocate(capacity: count)
    made.initialize(repeating: .null, count: count)
    values = made
    return made
  }

  @inline(__always)
  func set(_ slot: Int, _ value: Value) {
    cellValues()[slot] = value
    isSet.insert(slot)
  }

  func value(_ slot: Int) -> Value? {
    guard isSet.contains(slot), let values else { return nil }
    return values[slot]
  }

  func clear(_ slot: Int) {
    isSet.remove(slot)
    values?[slot] = .null
  }

  // MARK: Transformables

  /// The remembered value of a transformable; nil when none is remembered.
  func remembered(_ ordinal: Int) -> Remembered? {
    ordinal < decoded.count ? decoded[ordinal] : nil
  }

  func remember(_ ordinal: Int, _ value: Any?) {
    while decoded.count <= ordinal { decoded.append(nil) }
    decoded[ordinal] = Remembered(value: value)
  }

  func forget(_ ordinal: Int) {
    if ordinal < decoded.count { decoded[ordinal] = nil }
  }

  func forgetAll() { decoded = [] }
}

/// A transformable's decoded value, which may be no value.
struct Remembered {
  var value: Any?
}
