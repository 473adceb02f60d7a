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
    self = layout.passStoredForm(of: value, slot, to: PackedCell(writer: self, slot: slot))
  }
}

/// Writes one slot of a row, and gives the writer back.
private struct PackedCell: StoredFormReceiver {
  let writer: PackedRowWriter
  let slot: Int

  @inline(__always)
  func null() -> PackedRowWriter {
    writer.setNull(slot)
    return writer
  }

  @inline(__always)
  func integer(_ number: Int64) -> PackedRowWriter {
    writer.set(slot, integer: number)
    return writer
  }

  @inline(__always)
  func real(_ number: Double) -> PackedRowWriter {
    writer.set(slot, real: number)
    return writer
  }

  @inline(__always)
  func text(_ text: String) -> PackedRowWriter {
    var text = text
    return text.withUTF8 { blob(UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  func text(utf8 bytes: UnsafeRawBufferPointer) -> PackedRowWriter { blob(bytes) }

  @inline(__always)
  func blob(_ bytes: UnsafeRawBufferPointer) -> PackedRowWriter {
    var writer = writer
    writer.set(slot, bytes: bytes)
    return writer
  }
}
