public import CopalModel
public import Foundation

/// Turns values of one Swift type into what a store can keep, and back.
///
/// A transformable attribute names its transformer; the container finds it by that name when it
/// opens. `encode` always goes towards the store and `decode` always comes from it.
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
/// What either direction throws reaches the caller as the cause of a ``PersistenceError`` that names
/// entity, attribute and object. A failed encode writes nothing; a failed decode leaves the stored
/// bytes as they are. `nil` never reaches a transformer: no value is NULL in the store.
///
/// A transformer only looks at what it is given: it must not use a context or its objects, which may be
/// in the middle of a save.
public protocol AttributeTransformer<Value>: Sendable {
  /// The type of the property, as the model's `class` names it.
  associatedtype Value
  /// What the store keeps: `Data` (a BLOB), `String` (TEXT), `Int64` (INTEGER) or `Double` (REAL).
  associatedtype Stored: TransformerStorage = Data

  /// The name that models use for transformers of this type. Default: the name of the type.
  static var name: TransformerName { get }

  /// The name that models use for this transformer. Default: that of its type.
  ///
  /// Several transformers of one type, with different parameters, need a name each: implement it, or give the
  /// name with ``named(_:)``.
  var name: TransformerName { get }

  func encode(_ value: Value) throws -> Stored
  func decode(_ stored: Stored) throws -> Value

  /// Decodes from the bytes of a row in place. Only for transformers whose `Stored` is `Data`.
  ///
  /// Default: copies the bytes and calls `decode(_:)`. Implement it where speed matters; the bytes are
  /// valid during the call only.
  func decode(bytes: UnsafeRawBufferPointer) throws -> Value
}

extension AttributeTransformer {
  public static var name: TransformerName { TransformerName(String(describing: Self.self)) }

  public var name: TransformerName { Self.name }

  public func decode(bytes: UnsafeRawBufferPointer) throws -> Value {
    guard let stored = Stored(storedBytes: bytes) else {
      misuse(
        "decode(bytes:) is for transformers that store Data; \(Self.self) does not")
    }
    return try decode(stored)
  }

  /// Registers the transformer for every container of the process that is opened from now on.
  ///
  /// - Parameter name: the name to register it under. Default: the transformer's own.
  /// - Throws: `transformer.duplicate` when another transformer has the name, as
  ///   ``TransformerRegistry/register(_:as:)`` tells.
  public func register(as name: TransformerName? = nil) throws {
    try TransformerRegistry.shared.register(self, as: name)
  }

  /// The same transformer under another name: for a container that is given several of one type, with
  /// different parameters.
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

/// A transformer whose type can register itself, because it has an initializer without parameters.
///
/// ```swift
/// try ColorArrayTransformer.register()
/// ```
public protocol RegistrableTransformer: AttributeTransformer {
  init()
}

extension RegistrableTransformer {
  /// Registers the transformer under its own name for every container that is opened from now on.
  ///
  /// Doing so again changes nothing.
  ///
  /// - Throws: `transformer.duplicate` when another transformer has the name.
  public static func register() throws { try TransformerRegistry.shared.register(Self.self) }
}

/// What a transformer may hand to a store: `Data`, `String`, `Int64` or `Double`.
///
/// Conformed to by these four only.
public protocol TransformerStorage: ValueConvertible {
  static var storageType: StorageType { get }
  /// The stored form of a BLOB's bytes; `nil` for the other types.
  init?(storedBytes: UnsafeRawBufferPointer)
}

extension Data: TransformerStorage {
  public static var storageType: StorageType { .blob }
  public init?(storedBytes: UnsafeRawBufferPointer) { self.init(storedBytes) }
}

extension String: TransformerStorage {
  public static var storageType: StorageType { .text }
  public init?(storedBytes: UnsafeRawBufferPointer) { nil }
}

extension Int64: TransformerStorage {
  public static var storageType: StorageType { .integer }
  public init?(storedBytes: UnsafeRawBufferPointer) { nil }
}

extension Double: TransformerStorage {
  public static var storageType: StorageType { .real }
  public init?(storedBytes: UnsafeRawBufferPointer) { nil }
}
