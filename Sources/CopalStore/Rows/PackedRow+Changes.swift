public import CopalModel
import Foundation

/// Comparing a row with changed values, and making the row that holds them.
extension PackedRow {
  /// Whether a value's stored form is not what the row has at a slot. Transformables are given in
  /// their stored form.
  public func differs(_ layout: EntityLayout, _ slot: Int, from value: Value) -> Bool {
    let base = base
    if RowReading.isNull(base, slot) {
      return !value.isNull || RowReading.foreignValue(base, slot) != nil
    }
    switch value {
    case .null: return true
    case .integer(let number): return RowReading.integer(base, slot) != number
    case .boolean(let flag): return RowReading.integer(base, slot) != (flag ? 1 : 0)
    case .double(let number): return RowReading.real(base, slot) != number
    case .date(let date):
      return RowReading.real(base, slot) != date.timeIntervalSinceReferenceDate
    case .string(let text):
      // By bytes: Swift's == calls two texts equal that differ in their normal form.
      return !RowReading.bytes(base, slot).elementsEqual(text.utf8)
    case .uri(let url): return !RowReading.bytes(base, slot).elementsEqual(url.absoluteString.utf8)
    case .binary(let data): return !RowReading.bytes(base, slot).elementsEqual(data)
    default: return layout.value(base, slot) != value
    }
  }

  /// The row with some values changed and the others copied as they are; nil when it would be too big.
  public func repacked(
    _ layout: EntityLayout, with values: UnsafePointer<Value>, changed: SlotSet, version: Int64
  ) -> PackedRow? {
    let base = base
    let count = layout.storedCount
    var tail = 0
    for slot in 0..<count {
      if changed.contains(slot) {
        tail &+= values[slot].tailBytes(layout, slot)
      } else if layout.storage[slot] == .text || layout.storage[slot] == .blob,
        !RowReading.isNull(base, slot)
      {
        tail &+= RowReading.bytes(base, slot).count
      }
    }
    guard tail <= PackedRow.tailLimit else { return nil }
    var writer = PackedRowWriter(slotCount: count, tailBytes: tail, version: version)
    for slot in 0..<count {
      if changed.contains(slot) {
        writer.set(slot, values[slot], layout)
      } else if let foreign = isDamaged ? RowReading.foreignValue(base, slot) : nil {
        writer.setForeign(slot, foreign)
      } else if RowReading.isNull(base, slot) {
        writer.setNull(slot)
      } else if layout.storage[slot] == .text || layout.storage[slot] == .blob {
        writer.set(slot, bytes: RowReading.bytes(base, slot))
      } else {
        writer.set(slot, integer: RowReading.integer(base, slot))
      }
    }
    return writer.finish()
  }
}

extension Value {
  /// The bytes, at most, that the value takes behind a row's words.
  @inline(__always)
  func tailBytes(_ layout: EntityLayout, _ slot: Int) -> Int {
    switch self {
    case .string(let text): text.utf8.count
    case .binary(let data): data.count
    case .decimal where layout.storage[slot] == .text: DecimalText.maximumLength
    case .uuid: 16
    case .uri(let url): url.absoluteString.utf8.count
    default: 0
    }
  }
}
