public import CopalModel
import CopalStore

/// Reading in every case: faults, changed values, values of a wrong type.
extension ManagedObject {
  /// The value at a slot; `.null` for no value and for an unreadable one, which is recorded.
  @usableFromInline
  final func carefulValue(_ slot: Int) -> PropertyValue {
    do {
      return try checkedValue(slot)
    } catch {
      record(error, slot)
      return .null
    }
  }

  /// The value at a slot; throws when it cannot be read. Not for transformables.
  final func checkedValue(_ slot: Int) throws(PersistenceError) -> PropertyValue {
    if let value = cells?.value(slot) { return value }
    // Also for transients: filling the fault may call `awakeFromFetch()`, which may set the value.
    try fulfillIfFault(for: slot)
    if let value = cells?.value(slot) { return value }
    if !runtime.layout.storedSlots.contains(slot) { return .null }
    return try committedValue(slot)
  }

  /// Records a failure and calls the handler, once for each attribute, or once when the whole row
  /// cannot be read.
  final func record(_ error: PersistenceError, _ slot: Int?) {
    let subject: ValueCells.Subject =
      if let slot, error.property != nil, rowFailure == nil { .slot(slot) } else { .row }
    let cells = cellsWithSideTable()
    cells.failures[subject] = error
    guard cells.reportedFailures.insert(subject).inserted else { return }
    report(error)
  }

  /// Reads the row of a fault. Does nothing for other objects.
  ///
  /// - Parameter slot: the slot of the property that is used, for logs of statements.
  /// - Throws: the error of the store; `object.missing` when the row does not exist.
  final func fulfillIfFault(for slot: Int? = nil) throws(PersistenceError) {
    guard flags.contains(.fault) else { return }
    if let rowFailure { throw rowFailure }
    if flags.contains(.missing) { throw missing }
    guard !flags.contains(.gone), let state = core.state() else {
      becomeMissing()
      leaveContext()
      throw missing
    }
    do {
      try fill(FaultHandler(state), for: slot)
    } catch let error as PersistenceError {
      fail(error)
      throw error
    } catch {
      var failure = PersistenceError.ofStore(error)
      (failure.entity, failure.objectID) = (entityName, objectID)
      fail(failure)
      throw failure
    }
    if flags.contains(.missing) { throw missing }
  }

  /// Reads the row, and then calls `awakeFromFetch()` of the object and of the neighbors that were
  /// read with it.
  private final func fill(_ handler: FaultHandler, for slot: Int?) throws {
    let read = try handler.read(self, for: slot)
    if let failure = read.failure {
      fail(failure)
      read.awakeNeighbors()
      throw failure
    }
    // A deinit of a replaced value may have filled the object meanwhile.
    if flags.contains(.fault) {
      if let row = read.row { adoptRow(row) } else { becomeMissing() }
    }
    if flags.contains(.missing) { return read.awakeNeighbors() }
    if runtime.overridesHooks { awakeFromFetch() }
    read.awakeNeighbors()
    try fillAgain(handler)
  }

  /// Reads the row of an object that a hook has turned into a fault again. The hook is not called a
  /// second time, so that this ends.
  final func fillAgain(_ handler: FaultHandler) throws {
    guard flags.contains(.fault), !flags.contains(.gone) else { return }
    guard let row = try handler.readAlone(self) else { return becomeMissing() }
    adoptRow(row)
  }

  /// Records that the row of a fault cannot be read. It is not read again until a refresh. Objects
  /// with values keep them.
  final func fail(_ error: PersistenceError) {
    guard flags.contains(.fault) else { return }
    becomeUnreadable()
    cellsWithSideTable().failures[.row] = error
  }

  /// The error of the last attempt to read the row.
  final var rowFailure: PersistenceError? {
    flags.contains(.failed) ? cells?.failures[.row] : nil
  }

  private var missing: PersistenceError {
    PersistenceError(
      .objectMissing, entity: runtime.layout.name, objectID: objectID,
      found: flags.contains(.gone) ? "its context was released or reset" : nil)
  }
}

/// Transformable attributes.
extension ManagedObject {
  /// The decoded value of a transformable slot; nil for no value and for an undecodable one, which
  /// is recorded.
  @usableFromInline
  final func decodedValue(_ slot: Int) -> (any _CopalDecodedValue)? {
    do {
      return try keptDecodedValue(slot)
    } catch {
      record(error, slot)
      return nil
    }
  }

  /// The decoded value of a transformable slot, which is kept.
  final func checkedDecodedValue(_ slot: Int) throws(PersistenceError) -> Any? {
    try keptDecodedValue(slot)?.any
  }

  final func keptDecodedValue(_ slot: Int) throws(PersistenceError)
    -> (any _CopalDecodedValue)?
  {
    guard let cellsReference else {
      if flags.isDisjoint(with: [.fault, .hasTypeMismatch]), let base,
        let transformer = runtime.rowTransformers[slot]
      {
        return try firstDecodedBox(slot, base, transformer)
      }
      return try keptDecodedValueOfAnyState(slot)
    }
    let ordinal = runtime.ordinalBySlot[slot]
    if let decoded = cellsReference._withUnsafeGuaranteedRef({ $0.decoded(ordinal) }) {
      return decoded.value
    }
    return try keptDecodedValueOfAnyState(slot)
  }

  /// The decoded value of a slot of the row, when the object has nothing else than its row: most
  /// reads.
  // References are counted only for what user code can release: counting takes longer than
  // decoding.
  private final func firstDecodedBox(
    _ slot: Int, _ base: UnsafeRawPointer, _ transformer: Unmanaged<BoundTransformer>
  ) throws(PersistenceError) -> (any _CopalDecodedValue)? {
    if PackedRowValues.isNull(base, slot) { return nil }
    let row = row
    do {
      let decoded = try withExtendedLifetime(row) {
        try transformer._withUnsafeGuaranteedRef { try $0.decode(base, slot) }
      }
      let ordinal = runtime.ordinalBySlot[slot]
      guard cellsReference == nil, self.base == base else {
        return keep(decoded, slot, ordinal, of: row)
      }
      let cells = ValueCells.make(
        slots: runtime.attributeCount, decoded: DecodedEntry(value: decoded), ordinal)
      cellsReference = Unmanaged.passRetained(cells)
      if runtime.hasMutableSlots { core.state()?.mutableValues.note(self) }
      return decoded
    } catch let cause {
      throw undecodable(slot, cause)
    }
  }

  private final func keptDecodedValueOfAnyState(_ slot: Int) throws(PersistenceError)
    -> (any _CopalDecodedValue)?
  {
    let ordinal = runtime.ordinalBySlot[slot]
    if let decoded = cells?.decoded(ordinal) { return decoded.value }
    if cells?.isSet.contains(slot) == true { return nil }
    try fulfillIfFault(for: slot)
    if let decoded = cells?.decoded(ordinal) { return decoded.value }
    if !runtime.layout.storedSlots.contains(slot) { return nil }
    if let failure = cells?.failures[.slot(slot)] { throw failure }
    guard let transformer = runtime.transformers[slot] else { return nil }
    let row = row
    guard let value = try decodeRow(slot, transformer) else { return nil }
    return keep(value, slot, ordinal, of: row)
  }

  /// The value of a transformable in the row, decoded by a transformer; nil for NULL.
  final func decodeRow(_ slot: Int, _ transformer: BoundTransformer) throws(PersistenceError)
    -> (any _CopalDecodedValue)?
  {
    guard let base else { return nil }
    let data = try largeValue(slot)
    try checkStorage(slot)
    if data == nil, PackedRowValues.isNull(base, slot) { return nil }
    let versionSlot = runtime.versionSlots[slot]
    if let versionSlot { try checkStorage(versionSlot) }
    // The transformer is user code. Whatever it does to this object, the row that it reads stays
    // alive.
    let row = row
    do {
      return try withExtendedLifetime(row) {
        if let data { return try transformer.decode(data, base, versionSlot: versionSlot) }
        return try transformer.decode(base, slot, versionSlot: versionSlot)
      }
    } catch let cause {
      throw error(
        .decodeFailed, slot, found: transformer.name.rawValue, expected: storedSize(slot),
        causes: [cause])
    }
  }

  /// Remembers a value that a transformer has decoded from a row.
  ///
  /// - Returns: the value of the object. It is another one when the transformer, which is user
  ///   code, has set the attribute.
  private final func keep(
    _ new: any _CopalDecodedValue, _ slot: Int, _ ordinal: Int, of row: PackedRow?
  ) -> (any _CopalDecodedValue)? {
    if let decoded = cells?.decoded(ordinal) { return decoded.value }
    if self.row === row, cells?.isSet.contains(slot) != true {
      cellsWithSideTable().setDecoded(ordinal, DecodedEntry(value: new))
      if runtime.hasMutableSlots { core.state()?.mutableValues.note(self) }
    }
    return new
  }

  private final func undecodable(_ slot: Int, _ cause: any Error) -> PersistenceError {
    error(
      .decodeFailed, slot, found: runtime.transformers[slot]?.name.rawValue,
      expected: storedSize(slot), causes: [cause])
  }
}
