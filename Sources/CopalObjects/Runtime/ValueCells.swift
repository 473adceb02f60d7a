import CopalModel
import CopalStore

/// The values of an object that are not in its row: changed, new, transient and decoded ones.
///
/// Objects without changes have none. A transformable's decoded value is kept beside the cells;
/// during a save its cell has the stored form. The cells are in the tail of the object, so that a
/// new object costs one more allocation than a clean one. An object that has only decoded values
/// has no room for cells.
final class ValueCells {
  // Made only by `make`, because its content is in its tail.
  private init() {}

  /// The subject of a report: a row or a slot that cannot be read, or a change that no save writes.
  enum Subject: Hashable {
    case row
    case slot(Int)
    /// The objects of the to-many relationship at a position.
    case relationship(Int)
    case change
  }

  private struct Header {
    var isSet: SlotSet
    /// The decoded value of the first transformable: most entities have only one.
    var firstDecoded: DecodedEntry?
    var sideTable: SideTable?
    let room: Int
  }

  /// Data that few objects have, in a separate allocation.
  private final class SideTable {
    /// Decoded values of transformables after the first one, by their ordinal in the entity.
    var decoded: [DecodedEntry?] = []
    /// The failures of reading.
    var failures: [Subject: PersistenceError] = [:]
    /// The failures that the context's handler has been notified of.
    var reportedFailures: Set<Subject> = []
    /// The temporary key of a deleted object, which its context no longer has; nil for none.
    var stableKey: Int64?
    /// The members of to-many relationships that an object of a batch was given, by the positions
    /// of the relationships.
    var detachedMembers: [Int: [ManagedObject]] = [:]

    var isEmpty: Bool {
      failures.isEmpty && reportedFailures.isEmpty && stableKey == nil && detachedMembers.isEmpty
        && decoded.allSatisfy { $0 == nil }
    }
  }

  private typealias Buffer = ManagedBufferPointer<Header, PropertyValue>

  /// - Parameters:
  ///   - slots: the number of the entity's slots.
  ///   - room: the same number, or 0 for an object that has only decoded values.
  ///   - former: the former pending values of the object; their side table is kept.
  static func make(slots: Int, room: Int, former: ValueCells? = nil) -> ValueCells {
    let buffer = Buffer(bufferClass: ValueCells.self, minimumCapacity: room) { _, _ in
      Header(
        isSet: SlotSet(count: slots), firstDecoded: former?.header.pointee.firstDecoded,
        sideTable: former?.header.pointee.sideTable, room: room)
    }
    buffer.withUnsafeMutablePointerToElements { $0.initialize(repeating: .null, count: room) }
    return unsafeDowncast(buffer.buffer, to: ValueCells.self)
  }

  /// The values of an object that has only a decoded value.
  static func make(slots: Int, decoded value: DecodedEntry, _ ordinal: Int) -> ValueCells {
    let first = ordinal == 0 ? value : nil
    let buffer = Buffer(bufferClass: ValueCells.self, minimumCapacity: 0) { _, _ in
      Header(isSet: SlotSet(count: slots), firstDecoded: first, sideTable: nil, room: 0)
    }
    let made = unsafeDowncast(buffer.buffer, to: ValueCells.self)
    if ordinal > 0 { made.setDecoded(ordinal, value) }
    return made
  }

  /// The same without cells, of which none is set; nil when there is nothing else either.
  func withoutRoom() -> ValueCells? {
    if header.pointee.firstDecoded == nil, header.pointee.sideTable?.isEmpty ?? true { return nil }
    return Self.make(slots: 0, room: 0, former: self)
  }

  deinit {
    Buffer(unsafeBufferObject: self).withUnsafeMutablePointers { header, cells in
      cells.deinitialize(count: header.pointee.room)
      header.deinitialize(count: 1)
    }
  }

  private var header: UnsafeMutablePointer<Header> {
    Buffer(unsafeBufferObject: self).withUnsafeMutablePointerToHeader { $0 }
  }

  /// The cells, one for each slot; only when there is room.
  var values: UnsafeMutablePointer<PropertyValue> {
    Buffer(unsafeBufferObject: self).withUnsafeMutablePointerToElements { $0 }
  }

  var hasRoom: Bool { header.pointee.room > 0 }

  /// The slots with a value here instead of in the row.
  var isSet: SlotSet { header.pointee.isSet }

  func set(_ slot: Int, _ value: PropertyValue) { location(for: slot).pointee = value }

  /// The address of a slot's cell. Marks the cell as set. Only when there is room.
  func location(for slot: Int) -> UnsafeMutablePointer<PropertyValue> {
    header.pointee.isSet.insert(slot)
    return values + slot
  }

  func value(_ slot: Int) -> PropertyValue? {
    header.pointee.isSet.contains(slot) ? values[slot] : nil
  }

  /// Whether the slot has a cell, also one without a value.
  func hasCell(_ slot: Int) -> Bool { header.pointee.isSet.contains(slot) }

  /// The integer in the cell of a slot, which must have one; nil for another value.
  func integer(_ slot: Int) -> Int64? {
    if case .integer(let number) = values[slot] { number } else { nil }
  }

  /// Whether the slot has a cell with more bytes than a threshold. The cells must have room.
  @inline(__always)
  func isBinary(_ slot: Int, largerThan threshold: Int) -> Bool {
    guard case .binary(let data) = values[slot], data.count > threshold else { return false }
    return hasCell(slot)
  }

  /// Whether the slot has no cell, or a cell without a value.
  func isNull(_ slot: Int) -> Bool { !hasCell(slot) || values[slot].isNull }

  func clear(_ slot: Int) {
    guard header.pointee.isSet.contains(slot) else { return }
    header.pointee.isSet.remove(slot)
    values[slot] = .null
  }

  // MARK: Side table

  /// Whether the object has anything in addition to its cells.
  var hasSideTable: Bool {
    header.pointee.sideTable != nil || header.pointee.firstDecoded != nil
  }

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

  /// The temporary key of a deleted object, which its context no longer has; nil for none.
  var stableKey: Int64? {
    get { header.pointee.sideTable?.stableKey }
    set { makeSideTable().stableKey = newValue }
  }

  /// The members of to-many relationships that an object of a batch was given, by the positions of
  /// the relationships.
  var detachedMembers: [Int: [ManagedObject]] {
    get { header.pointee.sideTable?.detachedMembers ?? [:] }
    set { makeSideTable().detachedMembers = newValue }
  }

  /// The decoded value of a transformable; nil when there is none.
  func decoded(_ ordinal: Int) -> DecodedEntry? {
    if ordinal == 0 { return header.pointee.firstDecoded }
    guard let sideTable = header.pointee.sideTable, ordinal < sideTable.decoded.count else {
      return nil
    }
    return sideTable.decoded[ordinal]
  }

  func setDecoded(_ ordinal: Int, _ value: DecodedEntry) {
    // Released last, when this object is consistent: a value's deinit may read it.
    let former = decoded(ordinal)
    if ordinal == 0 {
      header.pointee.firstDecoded = value
    } else {
      let sideTable = makeSideTable()
      while sideTable.decoded.count <= ordinal { sideTable.decoded.append(nil) }
      sideTable.decoded[ordinal] = value
    }
    withExtendedLifetime(former) {}
  }

  /// Removes the decoded value of a transformable.
  ///
  /// - Returns: the removed value. The caller releases it when its state is consistent, because its
  ///   deinit may call anything.
  @discardableResult
  func removeDecoded(_ ordinal: Int) -> DecodedEntry? {
    guard let former = decoded(ordinal) else { return nil }
    if ordinal == 0 {
      header.pointee.firstDecoded = nil
    } else {
      header.pointee.sideTable?.decoded[ordinal] = nil
    }
    return former
  }
}

/// A transformable's decoded value, which may be nil.
struct DecodedEntry {
  var value: (any _CopalDecodedValue)?

  /// The value without its type.
  var any: Any? { value?.any }
}
