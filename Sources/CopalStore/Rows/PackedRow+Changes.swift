import CopalEssentials
public import CopalModel

/// Comparing a row with changed values, and making the row that holds them.
extension PackedRow {
  /// Whether the stored form of a value differs from what the row has at a slot. A transformable is
  /// given in its stored form.
  public func differs(_ layout: EntityLayout, _ slot: Int, from value: PropertyValue) -> Bool {
    let base = base
    if PackedRowValues.isNull(base, slot) {
      return !value.isNull || PackedRowValues.typeMismatch(base, slot) != nil
    }
    // Another program may have written a decimal in another form.
    if case .decimal = value { return layout.value(base, slot) != value }
    return layout.passStoredForm(
      of: value, slot, to: StoredComparison(base: base, slot: slot))
  }

  /// A copy of the row with some values replaced.
  ///
  /// - Parameters:
  ///   - values: one for each slot; only those of `changed` are read.
  ///   - version: the version of the new row.
  ///   - files: the names of files, by slot: the values of these slots are not in the row.
  /// - Returns: nil when the texts and blobs are too big for one row.
  public func repacked(
    _ layout: EntityLayout, with values: UnsafePointer<PropertyValue>, changed: SlotSet,
    version: Int64, files: [Int: ExternalFileName] = [:]
  ) -> PackedRow? {
    if !hasTypeMismatch, changed.isDisjoint(with: layout.byteSlots) {
      return withNumbers(layout, values, changed, version: version)
    }
    let base = base
    return PackedRow.make(
      entity: layout.index, slotCount: layout.slotCount, version: version
    ) { writer in
      for slot in layout.transientSlots { writer.setNull(slot) }
      for column in layout.columns {
        let slot = column.slot
        if changed.contains(slot) {
          writer.set(slot, values[slot], layout, files: files)
        } else if let bytes = hasTypeMismatch ? PackedRowValues.fileName(base, slot) : nil {
          writer.set(slot, fileName: bytes)
        } else if let found = hasTypeMismatch ? PackedRowValues.typeMismatch(base, slot) : nil {
          writer.setTypeMismatch(slot, found)
        } else if PackedRowValues.isNull(base, slot) {
          writer.setNull(slot)
        } else if column.storage == .text || column.storage == .blob {
          writer.set(slot, bytes: PackedRowValues.bytes(base, slot))
        } else {
          writer.set(slot, integer: PackedRowValues.integer(base, slot))
        }
      }
    }
  }
}

extension PackedRow {
  /// A copy of the row with some numbers replaced. Most changes are of this kind, and cost a third
  /// of a new row.
  ///
  /// - Precondition: the row has no type mismatch.
  private func withNumbers(
    _ layout: EntityLayout, _ values: UnsafePointer<PropertyValue>, _ changed: SlotSet,
    version: Int64
  ) -> PackedRow {
    let copy = copied(layout, version: version)
    var writer = PackedRowWriter(rewriting: copy, slotCount: layout.slotCount)
    for slot in changed {
      writer.unmarkNull(slot)
      writer.set(slot, values[slot], layout)
    }
    return copy
  }

  /// A copy of the row with another version.
  package func withVersion(_ version: Int64, _ layout: EntityLayout) -> PackedRow {
    withUnsafePointer(to: PropertyValue.null) {
      // Nothing is replaced, so the row is not too big.
      repacked(layout, with: $0, changed: SlotSet(count: layout.slotCount), version: version)
        ?? self
    }
  }

  /// Whether two rows of an entity have different values at a slot, as they are stored. Of large
  /// values in files, the names are compared.
  package func differs(from other: PackedRow, _ column: EntityLayout.Column) -> Bool {
    if !hasTypeMismatch, !other.hasTypeMismatch { return !isSame(column, other) }
    let (mine, others) = (fileText(column.slot), other.fileText(column.slot))
    if mine != nil || others != nil { return mine != others }
    return withExtendedLifetime((self, other)) {
      let mismatches = (
        PackedRowValues.typeMismatch(base, column.slot),
        PackedRowValues.typeMismatch(other.base, column.slot)
      )
      return mismatches.0 != nil || mismatches.1 != nil || !isSame(column, other)
    }
  }

  /// The slots at which two rows of the same entity have different values.
  package func changedSlots(from other: PackedRow, _ layout: EntityLayout) -> SlotSet {
    var slots = SlotSet(count: layout.slotCount)
    for column in layout.columns where differs(from: other, column) { slots.insert(column.slot) }
    return slots
  }

  /// A copy of the row with the values that another row of the same entity has at some slots; nil
  /// when it would be too big.
  package func taking(
    _ slots: SlotSet, from other: PackedRow, _ layout: EntityLayout, version: Int64
  ) -> PackedRow? {
    var values = [PropertyValue](repeating: .null, count: layout.slotCount)
    var files: [Int: ExternalFileName] = [:]
    withExtendedLifetime(other) {
      for slot in slots {
        if let name = other.fileText(slot).flatMap({ ExternalFileName($0) }) {
          files[slot] = name
        } else if !PackedRowValues.isNull(other.base, slot) {
          values[slot] = layout.value(other.base, slot)
        }
      }
    }
    return repacked(layout, values, changed: slots, version: version, files: files)
  }

  /// A copy of the row with some values.
  package func repacked(
    _ layout: EntityLayout, _ values: [PropertyValue], changed: SlotSet, version: Int64,
    files: [Int: ExternalFileName] = [:]
  ) -> PackedRow? {
    values.withUnsafeBufferPointer { values in
      values.baseAddress.flatMap {
        repacked(layout, with: $0, changed: changed, version: version, files: files)
      }
    }
  }

  /// A copy of the row with one integer replaced.
  ///
  /// - Precondition: the slot has an integer, and the row has no type mismatch.
  func replacing(_ slot: Int, with number: Int64, _ layout: EntityLayout) -> PackedRow {
    let copy = copied(layout, version: version)
    PackedRowWriter(rewriting: copy, slotCount: layout.slotCount).set(slot, integer: number)
    return copy
  }

  /// A copy of the row with another version.
  private func copied(_ layout: EntityLayout, version: Int64) -> PackedRow {
    let base = base
    var end = layout.slotCount &* 8
    for slot in layout.byteSlots {
      let bytes = PackedRowValues.bytes(base, slot)
      if let start = bytes.baseAddress { end = max(end, start - base + bytes.count) }
    }
    let copy = PackedRow.allocate(
      entity: layout.index, slotCount: layout.slotCount,
      tailBytes: end &- layout.slotCount &* 8)
    copy.setHeader(version: version, hasTypeMismatch: false)
    let nullBytes = PackedRow.nullWords(layout.slotCount) &* 8
    copy.start.copyMemory(from: base - nullBytes, byteCount: nullBytes &+ end)
    return copy
  }
}

/// Whether the value of a slot, which is not null, differs from another value.
private struct StoredComparison: StoredFormReceiver {
  let base: UnsafeRawPointer
  let slot: Int

  func null() -> Bool { true }
  func integer(_ number: Int64) -> Bool { PackedRowValues.integer(base, slot) != number }
  func real(_ number: Double) -> Bool { PackedRowValues.real(base, slot) != number }
  // Compared by bytes: for Swift's ==, texts in different normal forms are equal.
  func text(_ text: String) -> Bool {
    !PackedRowValues.bytes(base, slot).elementsEqual(text.utf8)
  }
  func text(utf8 bytes: UnsafeRawBufferPointer) -> Bool { blob(bytes) }
  func blob(_ bytes: UnsafeRawBufferPointer) -> Bool {
    !PackedRowValues.bytes(base, slot).elementsEqual(bytes)
  }
}

extension PackedRow {
  /// The integer at a slot, for example the key of a to-one relationship; nil for null.
  package func integer(_ slot: Int) -> Int64? {
    withExtendedLifetime(self) {
      PackedRowValues.isNull(base, slot) ? nil : PackedRowValues.integer(base, slot)
    }
  }
}

extension PackedRow {
  /// Whether two rows have the same values in some columns. False if another program has written a
  /// value of another type.
  package func hasSameValues(as other: PackedRow, in columns: [EntityLayout.Column]) -> Bool {
    !columns.contains { differs(from: other, $0) }
  }

  private func isSame(_ column: EntityLayout.Column, _ other: PackedRow) -> Bool {
    let isNull = PackedRowValues.isNull(base, column.slot)
    if isNull != PackedRowValues.isNull(other.base, column.slot) { return false }
    if isNull { return true }
    if column.storage == .text || column.storage == .blob {
      return PackedRowValues.bytes(base, column.slot)
        .elementsEqual(PackedRowValues.bytes(other.base, column.slot))
    }
    return PackedRowValues.integer(base, column.slot)
      == PackedRowValues.integer(other.base, column.slot)
  }
}

extension PackedRow {
  /// The size of the values in memory, in bytes.
  package func byteCount(_ layout: EntityLayout) -> Int {
    withExtendedLifetime(self) {
      layout.byteSlots.reduce(layout.slotCount &* 8) { $0 + PackedRowValues.bytes(base, $1).count }
    }
  }
}
