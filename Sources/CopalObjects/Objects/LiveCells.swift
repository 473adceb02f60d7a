import CopalModel
import CopalStore

/// The values of an object that are not in its row: changed, new, transient and remembered ones.
///
/// Clean objects have none. A transformable's value is remembered, and its cell holds the stored form
/// while a save is under way. The cells lie in the tail of the object, so that a new object costs one
/// allocation more than a clean one; an object that only remembers has no room for cells.
final class LiveCells {
  // Made by `make` only: what it holds is in its tail.
  private init() {}

  private struct Header {
    var isSet: SlotSet
    var notes: Notes?
    let room: Int
  }

  /// What few objects have.
  private final class Notes {
    /// Remembered values of transformables, by their ordinal in the entity.
    var decoded: [Remembered?] = []
    /// What could not be read, by slot; -1 for the row as a whole.
    var failures: [Int: PersistenceError] = [:]
    /// Of which failures the context's handler has been told.
    var told: Set<Int> = []
    /// The temporary key of a deleted object, which its context has forgotten; 0 for none.
    var stableKey: Int64 = 0
  }

  private typealias Buffer = ManagedBufferPointer<Header, Value>

  /// - Parameters:
  ///   - slots: the number of the entity's slots.
  ///   - room: as many, or none for an object that only remembers.
  ///   - former: what the object had so far, whose notes go on.
  static func make(slots: Int, room: Int, former: LiveCells? = nil) -> LiveCells {
    let buffer = Buffer(bufferClass: LiveCells.self, minimumCapacity: room) { _, _ in
      Header(isSet: SlotSet(count: slots), notes: former?.header.pointee.notes, room: room)
    }
    buffer.withUnsafeMutablePointerToElements { $0.initialize(repeating: .null, count: room) }
    return unsafeDowncast(buffer.buffer, to: LiveCells.self)
  }

  deinit {
    Buffer(unsafeBufferObject: self).withUnsafeMutablePointers { header, cells in
      cells.deinitialize(count: header.pointee.room)
      header.deinitialize(count: 1)
    }
  }

  @inline(__always)
  private var header: UnsafeMutablePointer<Header> {
    Buffer(unsafeBufferObject: self).withUnsafeMutablePointerToHeader { $0 }
  }

  /// The cells, one for each slot; none where there is no room.
  @inline(__always)
  var values: UnsafeMutablePointer<Value> {
    Buffer(unsafeBufferObject: self).withUnsafeMutablePointerToElements { $0 }
  }

  @inline(__always)
  var hasRoom: Bool { header.pointee.room > 0 }

  /// The slots whose value is here rather than in the row.
  var isSet: SlotSet { header.pointee.isSet }

  @inline(__always)
  func set(_ slot: Int, _ value: Value) { place(for: slot).pointee = value }

  /// Where the value of a slot goes; it counts as set from now on. Only where there is room.
  @inline(__always)
  func place(for slot: Int) -> UnsafeMutablePointer<Value> {
    header.pointee.isSet.insert(slot)
    return values + slot
  }

  func value(_ slot: Int) -> Value? {
    header.pointee.isSet.contains(slot) ? values[slot] : nil
  }

  func clear(_ slot: Int) {
    guard header.pointee.isSet.contains(slot) else { return }
    header.pointee.isSet.remove(slot)
    values[slot] = .null
  }

  // MARK: Notes

  private func makeNotes() -> Notes {
    if let notes = header.pointee.notes { return notes }
    let made = Notes()
    header.pointee.notes = made
    return made
  }

  /// What could not be read, by slot; -1 for the row as a whole.
  var failures: [Int: PersistenceError] {
    get { header.pointee.notes?.failures ?? [:] }
    set { if !newValue.isEmpty || header.pointee.notes != nil { makeNotes().failures = newValue } }
  }

  /// Of which failures the context's handler has been told.
  var told: Set<Int> {
    get { header.pointee.notes?.told ?? [] }
    set { if !newValue.isEmpty || header.pointee.notes != nil { makeNotes().told = newValue } }
  }

  /// The temporary key of a deleted object, which its context has forgotten; 0 for none.
  var stableKey: Int64 {
    get { header.pointee.notes?.stableKey ?? 0 }
    set { makeNotes().stableKey = newValue }
  }

  /// The remembered value of a transformable; nil when none is remembered.
  func remembered(_ ordinal: Int) -> Remembered? {
    guard let notes = header.pointee.notes, ordinal < notes.decoded.count else { return nil }
    return notes.decoded[ordinal]
  }

  func remember(_ ordinal: Int, _ value: Any?) {
    let notes = makeNotes()
    while notes.decoded.count <= ordinal { notes.decoded.append(nil) }
    // Released last, when nobody is writing here: a value's deinit may read this object.
    let former = notes.decoded[ordinal]
    notes.decoded[ordinal] = Remembered(value: value)
    withExtendedLifetime(former) {}
  }

  /// Removes the remembered value of a transformable.
  ///
  /// - Returns: what was remembered. Whoever takes it releases it when all is in order: its deinit may
  ///   call anything.
  @discardableResult
  func forget(_ ordinal: Int) -> Remembered? {
    guard let notes = header.pointee.notes, ordinal < notes.decoded.count else { return nil }
    let former = notes.decoded[ordinal]
    notes.decoded[ordinal] = nil
    return former
  }
}

/// A transformable's decoded value, which may be no value.
struct Remembered {
  var value: Any?
}
