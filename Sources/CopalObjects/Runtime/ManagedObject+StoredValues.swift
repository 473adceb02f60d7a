import CopalModel
import CopalStore

/// The values of the row.
extension ManagedObject {
  /// The row's value at a stored slot; `.null` without a row.
  final func committedValue(_ slot: Int) throws(PersistenceError) -> PropertyValue {
    guard let base else { return .null }
    if let data = try largeValue(slot) { return .binary(data) }
    try checkStorage(slot)
    let value = runtime.layout.value(base, slot)
    let attribute = runtime.layout.attributes[slot]
    if attribute.type == .transformable { return value }
    if value.isNull, !PackedRowValues.isNull(base, slot) {
      throw error(
        .undecodable, slot, found: storedSize(slot), expected: attribute.type.wordsForStoredForm)
    }
    if !attribute.type.accepts(value) {
      throw error(
        .outOfRange, slot, found: "the stored number", expected: attribute.type.wordsForRange)
    }
    return value
  }

  /// Throws when the stored value at the slot has a type that the model does not allow.
  final func checkStorage(_ slot: Int) throws(PersistenceError) {
    guard flags.contains(.hasTypeMismatch), let base,
      let found = PackedRowValues.typeMismatch(base, slot), found != .file
    else { return }
    let storage = runtime.layout.storage(slot).rawValue.uppercased()
    if found == .malformed {
      let words = runtime.layout.attributes[slot].type.wordsForStoredForm
      throw error(.undecodable, slot, found: storage, expected: words)
    }
    throw error(.typeMismatch, slot, found: found.storageClassName, expected: storage)
  }

  final func error(
    _ code: PersistenceError.Code, _ slot: Int, found: String? = nil, expected: String? = nil,
    suggestion: String? = nil, causes: [any Error] = []
  ) -> PersistenceError {
    PersistenceError(
      code, entity: runtime.layout.name, property: runtime.layout.attributes[slot].name,
      objectID: objectID, found: found, expected: expected, suggestion: suggestion, causes: causes)
  }

  /// The size of the stored value, for messages. The value itself never appears in a message.
  final func storedSize(_ slot: Int) -> String {
    guard let base else { return "nothing" }
    if let file = row?.fileText(slot) {
      return ExternalFileName(file).map { $0.byteCount.counted("byte") } ?? "a file"
    }
    switch runtime.layout.storage(slot) {
    case .text, .blob: return PackedRowValues.bytes(base, slot).count.counted("byte")
    case .integer, .real: return "a number"
    }
  }
}
