public import CopalModel

extension PackedRow {
  /// Packs one object's stored values.
  ///
  /// - Parameters:
  ///   - values: one for each slot; transformables as their stored form. Those of transients are
  ///     not read.
  ///   - version: the version that the row will have in the store.
  ///   - files: the names of files, by slot: the values of these slots are not in the row.
  /// - Returns: nil when the texts and blobs are too big for one row.
  public static func pack(
    _ layout: EntityLayout, values: UnsafePointer<PropertyValue>, version: Int64,
    files: [Int: ExternalFileName] = [:]
  ) -> PackedRow? {
    make(entity: layout.index, slotCount: layout.slotCount, version: version) { writer in
      for slot in layout.transientSlots { writer.setNull(slot) }
      if files.isEmpty {
        for column in layout.columns { writer.set(column.slot, values[column.slot], layout) }
      } else {
        for column in layout.columns {
          writer.set(column.slot, values[column.slot], layout, files: files)
        }
      }
    }
  }
}

extension PackedRowWriter {
  // Inlined, here and below: see `passStoredForm`.
  /// Writes a value in its stored form.
  @inline(__always)
  mutating func set(_ slot: Int, _ value: PropertyValue, _ layout: EntityLayout) {
    withUnsafeMutablePointer(to: &self) { writer in
      layout.passStoredForm(of: value, slot, to: PackedCell(writer: writer, slot: slot))
    }
  }
}

extension PackedRowWriter {
  /// Writes a value in its stored form, or the name of the file that has it.
  mutating func set(
    _ slot: Int, _ value: PropertyValue, _ layout: EntityLayout, files: [Int: ExternalFileName]
  ) {
    guard !files.isEmpty, var name = files[slot]?.text else { return set(slot, value, layout) }
    name.withUTF8 { set(slot, fileName: UnsafeRawBufferPointer($0)) }
  }
}

/// Writes one slot of a row.
private struct PackedCell: StoredFormReceiver {
  /// Valid during the call that made the cell.
  let writer: UnsafeMutablePointer<PackedRowWriter>
  let slot: Int

  func null() { writer.pointee.setNull(slot) }

  func integer(_ number: Int64) { writer.pointee.set(slot, integer: number) }

  func real(_ number: Double) { writer.pointee.set(slot, real: number) }

  @inline(__always)
  func text(_ text: String) {
    var text = text
    text.withUTF8 { blob(UnsafeRawBufferPointer($0)) }
  }

  func text(utf8 bytes: UnsafeRawBufferPointer) { blob(bytes) }

  @inline(__always)
  func blob(_ bytes: UnsafeRawBufferPointer) { writer.pointee.set(slot, bytes: bytes) }
}
