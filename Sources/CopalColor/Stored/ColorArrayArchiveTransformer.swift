import CopalArchive
public import CopalEssentials
public import CopalObjects

/// Stores an array of ``SerializableColor`` in order, as a keyed archive of an `NSArray`.
///
/// The colors are as in ``SerializableColorArchiveTransformer``. Decoding also accepts the bytes of
/// ``ColorArrayTransformer``.
///
/// ```swift
/// try ColorArrayArchiveTransformer(className: "Palette.SerializableColor").register()
/// ```
///
/// The empty array is a value. It differs from nil, which is NULL in the store.
public struct ColorArrayArchiveTransformer: RegistrableTransformer {
  private let className: String
  private let accepted: Set<String>

  /// A transformer for archives of a class.
  ///
  /// - Parameter className: the name of the class of the colors in the archives that it writes. It
  ///   reads those, and those with the names `SerializableColor` and
  ///   `CopalColor.SerializableColor`.
  public init(className: String) {
    self.className = className
    accepted = ColorArchive.classNamesOfArrays.union([className])
  }

  /// A transformer for archives of a class with the name `SerializableColor`.
  public init() { self.init(className: "SerializableColor") }

  /// A keyed archive of the colors.
  public func encode(_ colors: [SerializableColor]) -> Data {
    let objects = colors.map { ArchivedValue.object(ColorArchive.object($0, className)) }
    return Data(KeyedArchive.bytes(of: .array(objects)))
  }

  /// The colors of the stored bytes.
  ///
  /// - Throws: `ArchiveError` or ``ColorError`` when the bytes are not an array of colors.
  public func decode(_ stored: Data) throws -> [SerializableColor] {
    try stored.withUnsafeBytes { try decode(bytes: $0) }
  }

  /// The colors of the stored bytes, without a copy of the bytes.
  ///
  /// - Throws: `ArchiveError` or ``ColorError`` when the bytes are not an array of colors.
  public func decode(bytes: UnsafeRawBufferPointer) throws -> [SerializableColor] {
    if ColorArchive.isArchive(bytes) { return try ColorArchive.colors(bytes: bytes, accepted) }
    return try ColorArrayTransformer().decode(bytes: bytes)
  }
}
