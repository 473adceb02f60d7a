public import CopalModel
import Foundation

/// Reads stored values as values of the model: a REAL as a date, an INTEGER as a boolean, and so on. Generated
/// properties read their Swift type without this step (``AttributeValue``).
extension EntityLayout {
  /// The value at a stored slot of a row; `.null` also where the stored value has the wrong type or form.
  ///
  /// A transformable has its stored form.
  ///
  /// - Parameter base: the ``PackedRow/base`` of a row of this entity.
  public func value(_ base: UnsafeRawPointer, _ slot: Int) -> PropertyValue {
    if PackedRowValues.isNull(base, slot) { return .null }
    let attribute = attributes[slot]
    switch attribute.type {
    case .integer16, .integer32, .integer64, .integer:
      return .integer(PackedRowValues.integer(base, slot))
    case .boolean: return .boolean(PackedRowValues.integer(base, slot) != 0)
    case .float, .double: return .double(PackedRowValues.real(base, slot))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: PackedRowValues.real(base, slot)))
    case .decimal:
      if let scale = attribute.scale {
        return .decimal(DecimalText.decimal(scaled: PackedRowValues.integer(base, slot), by: scale))
      }
      return Decimal.load(base, slot).map(PropertyValue.decimal) ?? .null
    case .string: return .string(PackedRowValues.text(base, slot))
    case .binary: return .binary(Data(PackedRowValues.bytes(base, slot)))
    case .uuid: return UUID.load(base, slot).map(PropertyValue.uuid) ?? .null
    case .uri: return URL.load(base, slot).map(PropertyValue.uri) ?? .null
    case .transformable: return storedForm(base, slot)
    }
  }

  /// The value at a stored slot of a row by its storage type: an integer, a double, a string or bytes.
  public func storedForm(_ base: UnsafeRawPointer, _ slot: Int) -> PropertyValue {
    if PackedRowValues.isNull(base, slot) { return .null }
    switch storage(slot) {
    case .integer: return .integer(PackedRowValues.integer(base, slot))
    case .real: return .double(PackedRowValues.real(base, slot))
    case .text: return .string(PackedRowValues.text(base, slot))
    case .blob: return .binary(Data(PackedRowValues.bytes(base, slot)))
    }
  }

  /// The values of a row in a unique constraint, as bytes that are the same for equal values; nil where one of
  /// them is null, which is never in conflict.
  ///
  /// - Parameter constraint: the slots of the constraint, one of ``uniqueConstraints``.
  public func uniqueValues(of row: PackedRow, _ constraint: [Int]) -> [[UInt8]]? {
    let values = withExtendedLifetime(row) { constraint.compactMap { storedBytes(row.base, $0) } }
    return values.count == constraint.count ? values : nil
  }

  private func storedBytes(_ base: UnsafeRawPointer, _ slot: Int) -> [UInt8]? {
    if PackedRowValues.isNull(base, slot) { return nil }
    switch storage(slot) {
    case .integer, .real:
      return withUnsafeBytes(of: PackedRowValues.integer(base, slot), Array.init)
    case .text, .blob: return Array(PackedRowValues.bytes(base, slot))
    }
  }
}
