import CopalModel
import CopalStore

/// The values of an object that are not in its row: changed, new, transient and remembered ones.
///
/// Clean objects have none. A transformable's value is remembered, and its cell holds the stored form
/// while a save is under way. The cells lie in the tail of the object, so that a new object costs one
/// allocation more than a clean one; an object that only remembers has no room for cells.
final class PendingValues {
  // Made by `make` only: what it holds is in its tail.
  private init() {}

  /// What a failed read concerns.
  enum Subject: Hashable {
    case row
    case slot(Int)
  }

  private struct Header {
    var isSet: SlotSet
    var sideTable: SideTable?
    let room: Int
  }

  /// What few objects have, in an object of its own.
  private final class SideTable {
    /// Remembered values of transformables, by their ordinal in the entity.
    var decoded: [Remembered?] = []
    /// What could not be read.
    var failures: [Subject: PersistenceError] = [:]
    /// The failures that the context's handler has been notified of.
    var reportedFailures: Set<Subject> = []
    /// The temporary key of a deleted object, which its context has forgotten; 0 for none.
    var stableKey: Int64 = 0
  }

  private typealias Buffer = ManagedBufferPointer<Header, PropertyValue>

  /// - Parameters:
  ///   - slots: the number of the entity's slots.
  ///   - room: as many, or none for an object that only remembers.
  ///   - former: what the object had so far, whose side table is kept.
  static func make(slots: Int, room: Int, former: PendingValues? = nil) -> PendingValues {
    let buffer = Buffer(bufferClass: PendingValues.self, minimumCapacity: room) { _, _ in
      Header(isSet: SlotSet(count: slots), sideTable: former?.header.pointee.sideTable, room: room)
    }
    buffer.withUnsafeMutablePointerToElements { $0.initialize(repeating: .null, count: room) }
    return unsafeDowncast(buffer.buffer, to: PendingValues.self)
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
  var values: UnsafeMutablePointer<PropertyValue> {
    Buffer(unsafeBufferObject: self).withUnsafeMutablePointerToElements { $0 }
  }

  @inline(__always)
  var hasRoom: Bool { header.pointee.room > 0 }

  /// The slots whose value is here rather than in the row.
  var isSet: SlotSet { header.pointee.isSet }

  @inline(__always)
  func set(_ slot: Int, _ value: PropertyValue) { location(for: slot).pointee = value }

  /// Where the value of a slot goes; it counts as set from now on. Only where there is room.
  @inline(__always)
  func location(for slot: Int) -> UnsafeMutablePointer<PropertyValue> {
    header.pointee.isSet.insert(slot)
    return values + slot
  }

  func value(_ slot: Int) -> PropertyValue? {
    header.pointee.isSet.contains(slot) ? values[slot] : nil
  }

  func clear(_ slot: Int) {
    guard header.pointee.isSet.contains(slot) else { return }
    header.pointee.isSet.remove(slot)
    values[slot] = .null
  }

  // MARK: Side table

  private func makeSideTable() -> SideTable {
    if let sideTable = header.pointee.sideTable { return sideTable }
    let made = SideTable()
    header.pointee.sideTable = made
    return made
  }

  /// What could not be read.
  var failures: [Subject: PersistenceError] {
    get { header.pointee.sideTable?.failures ?? [:] }
    set {
      if !newValue.isEmpty || header.pointee.sideTable != nil {
        makeSideTable().failures = newValue
      }
    }
  }

  /// The failures that the context's handler has been notified of.
  var reportedFailures: Set<Subject> {
    get { header.pointee.sideTable?.reportedFailures ?? [] }
    set {
      if !newValue.isEmpty || header.pointee.sideTable != nil {
        makeSideTable().reportedFailures = newValue
      }
    }
  }

  /// The temporary key of a deleted object, which its context has forgotten; 0 for none.
  var stableKey: Int64 {
    get { header.pointee.sideTable?.stableKey ?? 0 }
    set { makeSideTable().stableKey = newValue }
  }

  /// The remembered value of a transformable; nil when none is remembered.
  func remembered(_ ordinal: Int) -> Remembered? {
    guard let sideTable = header.pointee.sideTable, ordinal < sideTable.decoded.count else {
      return nil
    }
    return sideTable.decoded[ordinal]
  }

  func remember(_ ordinal: Int, _ value: Any?) {
    let sideTable = makeSideTable()
    while sideTable.decoded.count <= ordinal { sideTable.decoded.append(nil) }
    // Released last, when nobody is writing here: a value's deinit may read this object.
    let former = sideTable.decoded[ordinal]
    sideTable.decoded[ordinal] = Remembered(value: value)
    withExtendedLifetime(former) {}
  }

  /// Removes the remembered value of a transformable.
  ///
  /// - Returns: what was remembered. Whoever takes it releases it when all is in order: its deinit may
  ///   call anything.
  @discardableResult
  func forget(_ ordinal: Int) -> Remembered? {
    guard let sideTable = header.pointee.sideTable, ordinal < sideTable.decoded.count else {
      return nil
    }
    let former = sideTable.decoded[ordinal]
    sideTable.decoded[ordinal] = nil
    return former
  }
}

/// A transformable's decoded value, which may be no value.
struct Remembered {
  var value: Any?
}
