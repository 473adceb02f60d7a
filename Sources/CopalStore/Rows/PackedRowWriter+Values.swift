public import CopalModel
import Foundation

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
    switch value {
    case .null: setNull(slot)
    case .integer(let number): set(slot, integer: number)
    case .boolean(let flag): set(slot, integer: flag ? 1 : 0)
    case .double(let number): set(slot, number, isFloat: layout.isFloat[slot])
    // SQLite has no negative zero, so rows have none: the value that is read back equals the value
    // that was set.
    case .date(let date): set(slot, real: date.timeIntervalSinceReferenceDate + 0)
    case .string(let text): set(slot, text: text)
    case .binary(let data): data.withUnsafeBytes { set(slot, bytes: $0) }
    case .decimal(let decimal): set(slot, decimal, scale: layout.attributes[slot].scale)
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { set(slot, bytes: $0) }
    case .uri(let url): set(slot, text: url.absoluteString)
    }
  }

  @inline(__always)
  private func set(_ slot: Int, _ number: Double, isFloat: Bool) {
    set(slot, real: isFloat ? Double(Float(number)) + 0 : number + 0)
  }

  private mutating func set(_ slot: Int, text: String) {
    var text = text
    text.withUTF8 { set(slot, bytes: UnsafeRawBufferPointer($0)) }
  }

  private mutating func set(_ slot: Int, _ decimal: Decimal, scale: Int?) {
    if let scale {
      // Validation has refused decimals that the scale cannot hold.
      set(slot, integer: DecimalText.scaled(decimal, by: scale) ?? 0)
      return
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DecimalText.maximumLength) { buffer in
      guard let start = buffer.baseAddress else { return }
      let count = DecimalText.write(decimal, to: start)
      set(slot, bytes: UnsafeRawBufferPointer(start: start, count: count))
    }
  }
}
