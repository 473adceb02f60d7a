import CopalEssentials
import CopalModel
import CopalStore

/// The transformer of one attribute. Its types are opened once, when the container opens.
struct BoundTransformer: Sendable {
  let name: TransformerName
  let storage: StorageType
  /// The type of the values it makes.
  let valueType: Any.Type
  /// The stored form of a value.
  private let encodeValue: @Sendable (Any) throws -> PropertyValue
  private let decodeRow: @Sendable (UnsafeRawPointer, Int) throws -> Any
  private let rejectsValue: @Sendable (Any) -> String?

  init<T: AttributeTransformer>(_ transformer: T, name: TransformerName) {
    self.name = name
    let storage = T.Stored.storageType
    self.storage = storage
    valueType = T.Value.self
    encodeValue = { value in
      guard let typed = value as? T.Value else {
        throw TransformerTypeMismatch(found: "\(type(of: value))", expected: "\(T.Value.self)")
      }
      let stored = try transformer.encode(typed).value
      // Anybody can conform to the public protocol, and rows are read without a check, so the
      // storage is checked here.
      guard storage.holds(stored) else {
        throw TransformerTypeMismatch(
          found: "a stored value of type \(stored.kind)", expected: storage.rawValue.uppercased())
      }
      return stored
    }
    decodeRow = { base, slot in
      switch storage {
      case .blob: return try transformer.decode(bytes: PackedRowValues.bytes(base, slot))
      case .text: return try Self.decode(transformer, .string(PackedRowValues.text(base, slot)))
      case .integer:
        return try Self.decode(transformer, .integer(PackedRowValues.integer(base, slot)))
      case .real: return try Self.decode(transformer, .double(PackedRowValues.real(base, slot)))
      }
    }
    rejectsValue = { $0 is T.Value ? nil : Self.describe($0, expected: T.Value.self) }
  }

  private static func decode<T: AttributeTransformer>(_ transformer: T, _ stored: PropertyValue)
    throws
    -> T.Value
  {
    guard let form = T.Stored(value: stored) else {
      throw TransformerTypeMismatch(found: stored.kind, expected: "\(T.Stored.self)")
    }
    return try transformer.decode(form)
  }

  /// The stored form of a value; `.null` for nil.
  func encodedForm(_ value: Any?) throws -> PropertyValue {
    guard let value else { return .null }
    return try encodeValue(value)
  }

  func decode(_ base: UnsafeRawPointer, _ slot: Int) throws -> Any { try decodeRow(base, slot) }

  /// The type of a value that the transformer does not accept; nil when it accepts the value.
  func rejects(_ value: Any) -> String? { rejectsValue(value) }

  /// The type of a value; for an array, the first element of a wrong type.
  private static func describe(_ value: Any, expected: Any.Type) -> String {
    guard let array = value as? [Any], let first = array.first else {
      return "\(type(of: value))"
    }
    let wanted = String(describing: expected)
    let element = wanted.hasPrefix("Array<") ? String(wanted.dropFirst(6).dropLast()) : wanted
    let index = array.firstIndex { String(describing: type(of: $0)) != element } ?? 0
    let found = array.indices.contains(index) ? array[index] : first
    return "an array with \(type(of: found)) at index \(index)"
  }
}

extension StorageType {
  /// Whether a transformer with this storage may return the value.
  fileprivate func holds(_ value: PropertyValue) -> Bool {
    switch (self, value) {
    case (.integer, .integer), (.real, .double), (.text, .string), (.blob, .binary): true
    default: false
    }
  }
}

/// A value, or a stored form, does not have the type that the transformer declares.
struct TransformerTypeMismatch: Error, CustomStringConvertible {
  var found: String
  var expected: String
  var description: String { "the transformer expects \(expected), but found \(found)" }
}
