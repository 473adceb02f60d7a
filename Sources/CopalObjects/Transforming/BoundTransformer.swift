import CopalEssentials
import CopalModel
import CopalStore

/// The transformer of one attribute. Its types are opened once, when the container opens.
// A class, because a copy of the struct would count the references of its functions, which costs
// more than decoding.
final class BoundTransformer: Sendable {
  let name: TransformerName
  let storage: StorageType
  /// The type of the values it makes.
  let valueType: Any.Type
  /// The version of the stored form that it encodes; nil for none.
  let version: Int?
  /// Whether saves may write values.
  let allowsEncoding: Bool
  /// Whether decoding makes only values of types that the transformer knows.
  let isSecure: Bool
  /// What a store may keep of a value for conditions, by name.
  let projections: [String: BoundProjection]
  /// The stored form of a value.
  private let encodeValue: @Sendable (any _CopalDecodedValue) throws -> PropertyValue
  private let decodeRow: @Sendable (UnsafeRawPointer, Int) throws -> any _CopalDecodedValue
  private let decodeData: @Sendable (Data, Encoding) throws -> any _CopalDecodedValue
  private let decodeOlder: @Sendable (UnsafeRawPointer, Int, Int?) throws -> any _CopalDecodedValue
  private let decodeStored: @Sendable (PropertyValue, Encoding) throws -> any _CopalDecodedValue
  /// A decoded value; nil when the value has another type.
  private let makeDecoded: @Sendable (Any) -> (any _CopalDecodedValue)?
  private let rejectsValue: @Sendable (Any) -> String?
  /// Tests the transformer with its samples.
  let selfTest: @Sendable () throws -> Void

  init<T: AttributeTransformer>(_ transformer: T, name: TransformerName) {
    self.name = name
    let storage = T.Stored.storageType
    self.storage = storage
    valueType = T.Value.self
    version = transformer.version
    allowsEncoding = transformer.allowsEncoding
    isSecure = transformer.isSecure
    projections = BoundProjection.all(transformer)
    selfTest = { try transformer.selfTest() }
    makeDecoded = { ($0 as? T.Value).map { _CopalTypedValue($0) } }
    encodeValue = { value in
      let stored = try transformer._copalEncode(value)
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
      case .blob: return try transformer._copalDecode(bytes: PackedRowValues.bytes(base, slot))
      case .text, .integer, .real:
        return _CopalTypedValue(try transformer.decode(Self.form(T.self, base, slot)))
      }
    }
    decodeData = { data, encoding in
      switch encoding {
      case .current: return try data.withUnsafeBytes { try transformer._copalDecode(bytes: $0) }
      case .older(let version):
        guard let form = T.Stored(value: .binary(data)) else {
          throw TransformerTypeMismatch(found: "BLOB", expected: "\(T.Stored.self)")
        }
        return _CopalTypedValue(try transformer.decode(form, version: version))
      }
    }
    decodeOlder = { base, slot, version in
      _CopalTypedValue(try transformer.decode(Self.form(T.self, base, slot), version: version))
    }
    decodeStored = { stored, encoding in
      guard let form = T.Stored(value: stored) else {
        throw TransformerTypeMismatch(found: stored.kind, expected: "\(T.Stored.self)")
      }
      return switch encoding {
      case .current: _CopalTypedValue(try transformer.decode(form))
      case .older(let version): _CopalTypedValue(try transformer.decode(form, version: version))
      }
    }
    rejectsValue = { $0 is T.Value ? nil : Self.describe($0, expected: T.Value.self) }
  }

  /// The stored form in a row.
  private static func form<T: AttributeTransformer>(
    _ type: T.Type, _ base: UnsafeRawPointer, _ slot: Int
  ) throws -> T.Stored {
    let stored: PropertyValue =
      switch T.Stored.storageType {
      case .blob: .binary(Data(PackedRowValues.bytes(base, slot)))
      case .text: .string(PackedRowValues.text(base, slot))
      case .integer: .integer(PackedRowValues.integer(base, slot))
      case .real: .double(PackedRowValues.real(base, slot))
      }
    guard let form = T.Stored(value: stored) else {
      throw TransformerTypeMismatch(found: stored.kind, expected: "\(T.Stored.self)")
    }
    return form
  }

  /// A value as a decoded value of the type that the transformer encodes; nil when it has another
  /// type.
  func decodedValue(of value: Any) -> (any _CopalDecodedValue)? { makeDecoded(value) }

  /// The stored form of a value; `.null` for nil.
  func encodedForm(_ value: (any _CopalDecodedValue)?) throws -> PropertyValue {
    guard let value else { return .null }
    return try encodeValue(value)
  }

  /// The value at a slot of a row without versions.
  func decode(_ base: UnsafeRawPointer, _ slot: Int) throws -> any _CopalDecodedValue {
    try decodeRow(base, slot)
  }

  /// The value at a slot of a row.
  ///
  /// - Parameter versionSlot: the slot of the version that encoded it; nil when the row has none.
  func decode(_ base: UnsafeRawPointer, _ slot: Int, versionSlot: Int?) throws
    -> any _CopalDecodedValue
  {
    switch try encoding(base, versionSlot) {
    case .current: try decodeRow(base, slot)
    case .older(let version): try decodeOlder(base, slot, version)
    }
  }

  /// The value of a slot of a row that is in a file.
  func decode(_ data: Data, _ base: UnsafeRawPointer, versionSlot: Int?) throws
    -> any _CopalDecodedValue
  {
    try decodeData(data, encoding(base, versionSlot))
  }

  /// The value of a stored form that is not null.
  ///
  /// - Parameters:
  ///   - version: the version that encoded it; nil for none.
  ///   - isVersioned: whether a store keeps versions.
  func decode(_ stored: PropertyValue, version: Int?, isVersioned: Bool) throws
    -> any _CopalDecodedValue
  {
    try decodeStored(stored, isVersioned ? encoding(found: version) : .current)
  }

  /// The value that a row would have: the value, encoded and decoded again. A transformer may
  /// change it.
  func stored(_ value: any _CopalDecodedValue, isVersioned: Bool) throws -> any _CopalDecodedValue {
    try decode(encodeValue(value), version: version, isVersioned: isVersioned)
  }

  /// How the value of a row was encoded.
  private enum Encoding {
    /// By the current version of the transformer, or by one without versions.
    case current
    /// By an older version, or by one without a version.
    case older(Int?)
  }

  /// - Throws: `transformer.newerVersion`.
  private func encoding(_ base: UnsafeRawPointer, _ versionSlot: Int?) throws -> Encoding {
    guard let versionSlot else { return .current }
    return try encoding(found: Self.version(base, versionSlot))
  }

  /// - Throws: `transformer.newerVersion`.
  private func encoding(found: Int?) throws -> Encoding {
    guard let version else { return .current }
    if found == version { return .current }
    if let found, found > version {
      throw PersistenceError(
        .transformerNewerVersion, found: "\(found)", expected: "\(version)")
    }
    return .older(found)
  }

  /// The version in a row; nil for none.
  static func version(_ base: UnsafeRawPointer, _ slot: Int) -> Int? {
    PackedRowValues.isNull(base, slot) ? nil : Int(clamping: PackedRowValues.integer(base, slot))
  }

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

/// The error for a value of another type. Only Copal calls it.
public func _copalTypeMismatch(of value: Any, expected: Any.Type) -> any Error {
  TransformerTypeMismatch(found: "\(type(of: value))", expected: "\(expected)")
}

/// A value, or a stored form, does not have the type that the transformer declares.
struct TransformerTypeMismatch: Error, CustomStringConvertible {
  var found: String
  var expected: String
  var description: String { "the transformer expects \(expected), but found \(found)" }
}
