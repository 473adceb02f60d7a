public import CopalModel

extension PackedRow {
  /// Packs one object's stored values.
  ///
  /// - Parameters:
  ///   - values: one for each slot; transformables as their stored form. Those of transients are not read.
  ///   - version: the version that the row will have in the store.
  /// - Returns: nil when the texts and blobs are too big for one row.
  public static func pack(
    _ layout: EntityLayout, values: UnsafePointer<PropertyValue>, version: Int64
  ) -> PackedRow? {
    make(entity: layout.index, slotCount: layout.slotCount, version: version) { writer in
      for slot in layout.transientSlots { writer.setNull(slot) }
      for column in layout.columns { writer.set(column.slot, values[column.slot], layout) }
    }
  }
}

extension PackedRowWriter {
  /// Writes a value in its stored form.
  @inline(__always)
  mutating func set(_ slot: Int, _ value: PropertyValue, _ layout: EntityLayout) {
    var cell = PackedCell(writer: self, slot: slot)
    layout.passStoredForm(of: value, slot, to: &cell)
    self = cell.writer
  }
}

/// Writes one slot of a row.
private struct PackedCell: StoredFormReceiver {
  var writer: PackedRowWriter
  let slot: Int

  @inline(__always)
  func null() { writer.setNull(slot) }
  @inline(__always)
  func integer(_ number: Int64) { writer.set(slot, integer: number) }
  @inline(__always)
  func real(_ number: Double) { writer.set(slot, real: number) }
  @inline(__always)
  mutating func text(_ text: String) {
    var text = text
    text.withUTF8 { writer.set(slot, bytes: UnsafeRawBufferPointer($0)) }
  }
  @inline(__always)
  mutating func text(utf8 bytes: UnsafeRawBufferPointer) { writer.set(slot, bytes: bytes) }
  @inline(__always)
  mutating func blob(_ bytes: UnsafeRawBufferPointer) { writer.set(slot, bytes: bytes) }
}
