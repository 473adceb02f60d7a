public import CopalEssentials
public import CopalModel
import CopalStore

/// Converts values of one Swift type to a form that a store can keep, and back.
///
/// A transformable attribute has the name of its transformer. The container finds the transformer
/// by that name when it opens. A save calls `encode(_:)`; the first read of a value calls
/// `decode(_:)`.
///
/// ```swift
/// struct MoodTransformer: AttributeTransformer {
///   func encode(_ mood: Mood) -> String { mood.rawValue }
///   func decode(_ stored: String) throws -> Mood {
///     guard let mood = Mood(rawValue: stored) else { throw MoodError.unknown(stored) }
///     return mood
///   }
/// }
/// ```
///
/// An error of a transformer is the cause of a ``PersistenceError`` with the entity, the attribute
/// and the object. After an error in `encode(_:)`, the save writes nothing. After an error in
/// `decode(_:)`, the stored bytes do not change. A transformer never gets nil: no value is NULL in
/// the store.
///
/// A transformer must only use its argument. It must not use a context or its objects, because a
/// save may be running.
public protocol AttributeTransformer<Value>: Sendable {
  /// The type of the property: the `class` of the attribute in the model.
  associatedtype Value
  /// The stored form: `Data` (a BLOB), `String` (TEXT), `Int64` (INTEGER) or `Double` (REAL).
  /// Default: `Data`.
  associatedtype Stored: TransformerStorage = Data

  /// The name that models use for transformers of this type. Default: the name of the type.
  static var name: TransformerName { get }

  /// The name that models use for this transformer. Default: the name of transformers of its type.
  ///
  /// Several transformers of one type, with different parameters, need different names: implement
  /// this property, or use ``named(_:)``.
  var name: TransformerName { get }

  /// The stored form of a value. Equal values should have equal forms, so that a save can tell what
  /// has changed.
  ///
  /// - Throws: any error. The save then fails with `transformer.encodeFailed`, and the error is its
  ///   cause.
  func encode(_ value: Value) throws -> Stored
  /// The value of a stored form.
  ///
  /// - Throws: any error. The property is then nil; functions that throw throw
  ///   `transformer.decodeFailed` with the error as its cause.
  func decode(_ stored: Stored) throws -> Value

  /// The value of stored bytes, without a copy of them. Used only when `Stored` is `Data`.
  ///
  /// Default: copies the bytes and calls `decode(_:)`. Implement it where speed matters. The bytes
  /// are valid only during the call.
  ///
  /// - Throws: as `decode(_:)`.
  func decode(bytes: UnsafeRawBufferPointer) throws -> Value

  /// The version of the stored form, for an attribute with `"versioned": true`; nil for a
  /// transformer without versions. Default: nil.
  ///
  /// The store keeps it beside each value, in a column of its own. Raise it when `encode(_:)` makes
  /// another form, and implement ``decode(_:version:)`` for the older ones.
  var version: Int? { get }

  /// The value of a stored form that an older version of the transformer encoded. It is called only
  /// for attributes with `"versioned": true`.
  ///
  /// Default: calls `decode(_:)` for a form without a version, and throws for an older one.
  ///
  /// - Parameter version: the version that encoded the form, less than ``version``; nil for a form
  ///   that was stored before the attribute had versions.
  /// - Throws: as `decode(_:)`; `transformer.olderVersion` by default.
  func decode(_ stored: Stored, version: Int?) throws -> Value

  /// Whether saves may write values. Default: true. A ``ReadOnlyTransformer`` returns false: a save
  /// of a value that was set throws `transformer.readOnly`.
  var allowsEncoding: Bool { get }

  /// Whether decoding makes only values of the types that the transformer knows, whatever the
  /// stored bytes are. Default: true.
  ///
  /// False is for code that makes an object of whatever class the stored bytes name. A container
  /// that uses such a transformer gives the warning `transformer.notSecure`, or does not open:
  /// ``WarningPolicy``.
  var isSecure: Bool { get }

  /// Values for ``selfTest()``. Default: none, so that it tests nothing.
  var samples: [Value] { get }

  /// Tests the transformer with its ``samples``. A container does this when it opens.
  ///
  /// Default: encodes each sample, decodes the stored form, and encodes the result again. Both
  /// stored forms must be equal, also for a transformer that changes a value, such as one that
  /// capitalizes names: otherwise each save would change the value again.
  ///
  /// - Throws: `transformer.selfTestFailed` when a sample cannot be encoded or decoded,
  ///   `transformer.notIdempotent` when the two stored forms differ.
  func selfTest() throws

  /// The decoded value of stored bytes. Only Copal calls it.
  // A requirement, so that the compiler specializes the default function for the type of each
  // transformer.
  func _copalDecode(bytes: UnsafeRawBufferPointer) throws -> any _CopalDecodedValue

  /// The stored form of a decoded value. Only Copal calls it.
  func _copalEncode(_ value: any _CopalDecodedValue) throws -> PropertyValue
}

extension AttributeTransformer {
  /// The name of the type.
  public static var name: TransformerName { TransformerName(String(describing: Self.self)) }

  /// The name of transformers of this type.
  public var name: TransformerName { Self.name }

  /// Decodes the bytes.
  @inlinable
  public func _copalDecode(bytes: UnsafeRawBufferPointer) throws -> any _CopalDecodedValue {
    _CopalTypedValue(try decode(bytes: bytes))
  }

  /// Encodes a decoded value.
  @inlinable
  public func _copalEncode(_ value: any _CopalDecodedValue) throws -> PropertyValue {
    if let typed = value as? _CopalTypedValue<Value> { return try encode(typed.value).value }
    guard let typed = value.any as? Value else {
      throw _copalTypeMismatch(of: value.any, expected: Value.self)
    }
    return try encode(typed).value
  }

  /// Nil.
  public var version: Int? { nil }

  /// Calls `decode(_:)` for a form without a version, and throws for an older one.
  public func decode(_ stored: Stored, version: Int?) throws -> Value {
    guard let version else { return try decode(stored) }
    throw PersistenceError(
      .transformerOlderVersion, found: "\(version)", expected: self.version.map(String.init))
  }

  /// True.
  public var allowsEncoding: Bool { true }
  /// True.
  public var isSecure: Bool { true }
  /// None.
  public var samples: [Value] { [] }

  /// Copies the bytes and calls `decode(_:)`.
  ///
  /// - Precondition: `Stored` is `Data`.
  public func decode(bytes: UnsafeRawBufferPointer) throws -> Value {
    guard let stored = Stored(storedBytes: bytes) else {
      misuse(
        "decode(bytes:) is for transformers that store Data; \(Self.self) does not")
    }
    return try decode(stored)
  }

  /// Registers the transformer for every container of the process that is opened later.
  ///
  /// - Parameter name: the name to register it under; nil for the transformer's own name.
  /// - Throws: `transformer.duplicate` when another transformer is registered under the name:
  ///   ``TransformerRegistry/register(_:as:)`` has the details.
  public func register(as name: TransformerName? = nil) throws {
    try TransformerRegistry.shared.register(self, as: name)
  }

  /// The same transformer with another name. Use it for a container that has several transformers
  /// of one type with different parameters.
  ///
  /// ```swift
  /// let container = try PersistentContainer(
  ///   model: .atelier, store: .sqlite(named: "Atelier"),
  ///   transformers: [
  ///     ShortTextTransformer(maximumLength: 80).named("TitleTransformer"),
  ///     ShortTextTransformer(maximumLength: 500).named("NoteTransformer"),
  ///   ])
  /// ```
  public func named(_ name: TransformerName) -> some AttributeTransformer<Value> {
    NamedTransformer(base: self, name: name)
  }
}

/// A transformer that has an initializer without parameters. Its type can register it:
///
/// ```swift
/// try ColorArrayTransformer.register()
/// ```
public protocol RegistrableTransformer: AttributeTransformer {
  /// A transformer.
  init()
}

extension RegistrableTransformer {
  /// Registers the transformer under its own name for every container of the process that is opened
  /// later.
  ///
  /// Registering it again has no effect.
  ///
  /// - Throws: `transformer.duplicate` when another transformer is registered under the name.
  public static func register() throws { try TransformerRegistry.shared.register(Self.self) }
}

/// A type that a transformer can use as its stored form: `Data`, `String`, `Int64` or `Double`.
///
/// Only these four types conform to it.
public protocol TransformerStorage: ValueConvertible {
  /// The storage type of the column.
  static var storageType: StorageType { get }
  /// The value of a BLOB's bytes; nil for types other than `Data`.
  init?(storedBytes: UnsafeRawBufferPointer)
}

extension Data: TransformerStorage {
  /// BLOB.
  public static var storageType: StorageType { .blob }
  /// A copy of the bytes.
  public init?(storedBytes: UnsafeRawBufferPointer) { self.init(storedBytes) }
}

extension String: TransformerStorage {
  /// TEXT.
  public static var storageType: StorageType { .text }
  /// Always nil.
  public init?(storedBytes: UnsafeRawBufferPointer) { nil }
}

extension Int64: TransformerStorage {
  /// INTEGER.
  public static var storageType: StorageType { .integer }
  /// Always nil.
  public init?(storedBytes: UnsafeRawBufferPointer) { nil }
}

extension Double: TransformerStorage {
  /// REAL.
  public static var storageType: StorageType { .real }
  /// Always nil.
  public init?(storedBytes: UnsafeRawBufferPointer) { nil }
}
