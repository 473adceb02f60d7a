public import CopalModel
import CopalStore

/// Reading with every case considered: faults, changed values, damaged rows.
extension ManagedObject {
  /// The value at a slot; `.null` for none and for one that cannot be read, which is recorded.
  @usableFromInline
  final func carefulValue(_ slot: Int) -> Value {
    do {
      return try checkedValue(slot)
    } catch {
      record(error, slot)
      return .null
    }
  }

  /// The value at a slot, or why it cannot be read. Not for transformables.
  final func checkedValue(_ slot: Int) throws(PersistenceError) -> Value {
    if let value = cells?.value(slot) { return value }
    // A transient too: serving the fault may run `awakeFromFetch`, which may set the value.
    try fulfillIfFault()
    if let value = cells?.value(slot) { return value }
    if slot >= runtime.layout.storedCount { return .null }
    return try committedValue(slot)
  }

  /// The value at a stored slot as the row has it; `.null` without a row.
  final func committedValue(_ slot: Int) throws(PersistenceError) -> Value {
    guard let base else { return .null }
    try checkStorage(slot)
    let value = runtime.layout.value(base, slot)
    let attribute = runtime.layout.attributes[slot]
    if attribute.type == .transformable { return value }
    if value.isNull, !RowReading.isNull(base, slot) {
      throw error(.undecodable, slot, found: storedSize(slot), expected: attribute.type.rawValue)
    }
    if !attribute.type.accepts(value) {
      throw error(
        .outOfRange, slot, found: "the stored number",
        expected:
          "\(attribute.type.rawValue) (\(attribute.type.integerRange.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "its range"))"
      )
    }
    return value
  }

  /// Throws when the store holds something at the slot that the model does not allow.
  final func checkStorage(_ slot: Int) throws(PersistenceError) {
    guard flags.contains(.damaged), let base,
      let foreign = RowReading.foreignValue(base, slot)
    else { return }
    let storage = runtime.layout.storage[slot].rawValue.uppercased()
    if foreign == .malformed {
      throw error(.undecodable, slot, found: storage, expected: wantedForm(slot))
    }
    throw error(.foreignValue, slot, found: foreign.word, expected: storage)
  }

  /// What a value of the right storage class must be besides.
  private func wantedForm(_ slot: Int) -> String {
    let type = runtime.layout.attributes[slot].type
    switch type {
    case .string, .transformable: return "text in UTF-8"
    case .decimal: return "decimal in its one form, without idle zeros"
    default: return type.rawValue
    }
  }

  final func error(
    _ code: ErrorCode, _ slot: Int, found: String? = nil, expected: String? = nil,
    causes: [any Error] = []
  ) -> PersistenceError {
    PersistenceError(
      code, entity: runtime.layout.name, attribute: runtime.layout.attributes[slot].name,
      objectID: objectID, found: found, expected: expected, causes: causes)
  }

  /// The size of what is stored, for messages: never the value itself.
  final func storedSize(_ slot: Int) -> String {
    guard let base else { return "nothing" }
    switch runtime.layout.storage[slot] {
    case .text, .blob: return "\(RowReading.bytes(base, slot).count) bytes"
    case .integer, .real: return "a number"
    }
  }

  /// Keeps a failure with the object and tells the handler, once for each attribute, or once
  /// where the whole row cannot be read.
  final func record(_ error: PersistenceError, _ slot: Int) {
    let place = error.attribute == nil || rowFailure != nil ? -1 : slot
    let cells = noteCells()
    cells.failures[place] = error
    guard cells.told.insert(place).inserted else { return }
    tell(readFailure: error)
  }

  /// The object's live cells, if it has any.
  final var cells: LiveCells? {
    get { cellsReference?.takeUnretainedValue() }
    set {
      let former = cellsReference
      cellsReference = newValue.map(Unmanaged.passRetained)
      former?.release()
    }
  }

  /// The object's live cells, with room for values.
  final func liveCells() -> LiveCells { roomyCells().takeUnretainedValue() }

  @inline(__always)
  final func roomyCells() -> Unmanaged<LiveCells> {
    if let cellsReference, cellsReference._withUnsafeGuaranteedRef({ $0.hasRoom }) {
      return cellsReference
    }
    return makeCells()
  }

  @inline(never)
  private final func makeCells() -> Unmanaged<LiveCells> {
    let slots = runtime.layout.attributes.count
    let former = cellsReference
    let made = Unmanaged.passRetained(
      LiveCells.make(slots: slots, room: slots, former: former?.takeUnretainedValue()))
    cellsReference = made
    former?.release()
    return made
  }

  /// The object's live cells for remembering alone: without room for values unless there is already.
  final func noteCells() -> LiveCells {
    if let cells { return cells }
    let made = LiveCells.make(slots: runtime.layout.attributes.count, room: 0)
    cells = made
    return made
  }

  /// Reads the row of a fault. Does nothing for other objects.
  ///
  /// - Throws: what prevented it; `object.missing` when there is no row any more.
  final func fulfillIfFault() throws(PersistenceError) {
    guard flags.contains(.fault) else { return }
    if let rowFailure { throw rowFailure }
    if flags.contains(.missing) { throw missing }
    guard !flags.contains(.gone), let state = core.state() else {
      flags.formUnion([.missing, .gone])
      throw missing
    }
    do {
      try FaultHandler(state).fulfill(self)
    } catch let error as PersistenceError {
      fail(error)
      throw error
    } catch {
      // Copal's stores throw PersistenceError; whatever another one throws is kept as the cause.
      let failure = PersistenceError(
        .inputOutput, entity: entityName, objectID: objectID, found: "\(error)", causes: [error])
      fail(failure)
      throw failure
    }
    if flags.contains(.missing) { throw missing }
  }

  /// Notes that the row of a fault cannot be read, so that it is not tried again until it is refreshed.
  /// Objects that have their values keep them.
  final func fail(_ error: PersistenceError) {
    guard flags.contains(.fault) else { return }
    flags.insert(.failed)
    noteCells().failures[-1] = error
  }

  /// What prevented the reading of a fault.
  final var rowFailure: PersistenceError? {
    flags.contains(.failed) ? cells?.failures[-1] : nil
  }

  private var missing: PersistenceError {
    PersistenceError(
      .objectMissing, entity: runtime.layout.name, objectID: objectID,
      found: flags.contains(.gone) ? "its context has ended or was reset" : nil)
  }
}

/// Transformable attributes.
extension ManagedObject {
  /// The decoded value of a transformable slot; nil for none and for one that cannot be decoded, which
  /// is recorded.
  final func decodedValue(_ slot: Int) -> Any? {
    do {
      return try checkedDecodedValue(slot)
    } catch {
      record(error, slot)
      return nil
    }
  }

  /// The decoded value of a transformable slot, remembered from then on.
  final func checkedDecodedValue(_ slot: Int) throws(PersistenceError) -> Any? {
    let ordinal = runtime.transformableOrdinal[slot]
    if let remembered = cells?.remembered(ordinal) { return remembered.value }
    if cells?.isSet.contains(slot) == true { return nil }
    try fulfillIfFault()
    if let remembered = cells?.remembered(ordinal) { return remembered.value }
    if slot >= runtime.layout.storedCount { return nil }
    if let failure = cells?.failures[slot] { throw failure }
    guard let base else { return nil }
    try checkStorage(slot)
    if RowReading.isNull(base, slot) { return nil }
    guard let transformer = runtime.transformers[slot] else { return nil }
    // The transformer is somebody else's code: whatever it does to this object, the row it reads from
    // stays.
    let row = row
    do {
      let value = try withExtendedLifetime(row) { try transformer.decode(base, slot) }
      // It may have set the attribute, or replaced the row.
      if let remembered = cells?.remembered(ordinal) { return remembered.value }
      if self.row === row, cells?.isSet.contains(slot) != true {
        noteCells().remember(ordinal, value)
      }
      return value
    } catch let cause {
      throw error(
        .decodeFailed, slot, found: transformer.name.rawValue, expected: storedSize(slot),
        causes: [cause])
    }
  }
}
