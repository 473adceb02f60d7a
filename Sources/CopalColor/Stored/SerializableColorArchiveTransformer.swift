import CopalArchive
public import CopalEssentials
public import CopalObjects

/// Stores a ``SerializableColor`` as a keyed archive, as `NSSecureUnarchiveFromDataTransformer` and
/// its subclasses do.
///
/// Use it for a file that an app on Apple's platforms wrote with Core Data, or will read. For new
/// data, ``SerializableColorTransformer`` takes a tenth of the space and of the time.
///
/// The archive has one object with the keys of a class that encodes a color space and four
/// components: `colorSpace` (an integer: 0 is sRGB, 1 is Display P3), `red`, `green`, `blue` and
/// `alpha` (real numbers of four bytes). Decoding also accepts real numbers of eight bytes,
/// archives in XML, and the 23 bytes of ``SerializableColorTransformer``.
///
/// In Swift, the name of a class in an archive has its module, as in `Palette.SerializableColor`,
/// unless the class has an `@objc` name. So give the name that your app has:
///
/// ```swift
/// try SerializableColorArchiveTransformer(className: "Palette.SerializableColor").register()
/// ```
///
/// Decoding throws an `ArchiveError` for bytes that are damaged, and for an archive with another
/// class. It never ends the process.
public struct SerializableColorArchiveTransformer: RegistrableTransformer {
  private let className: String
  private let accepted: Set<String>

  /// A transformer for archives of a class.
  ///
  /// - Parameter className: the name of the class in the archives that it writes. It reads those,
  ///   and those with the names `SerializableColor` and `CopalColor.SerializableColor`.
  public init(className: String) {
    self.className = className
    accepted = ColorArchive.classNames.union([className])
  }

  /// A transformer for archives of a class with the name `SerializableColor`.
  public init() { self.init(className: "SerializableColor") }

  /// A keyed archive of the color.
  public func encode(_ color: SerializableColor) -> Data {
    Data(KeyedArchive.bytes(of: .object(ColorArchive.object(color, className))))
  }

  /// The color of the stored bytes.
  ///
  /// - Throws: `ArchiveError` or ``ColorError`` when the bytes are not a color.
  public func decode(_ stored: Data) throws -> SerializableColor {
    try stored.withUnsafeBytes { try decode(bytes: $0) }
  }

  /// The color of the stored bytes, without a copy of the bytes.
  ///
  /// - Throws: `ArchiveError` or ``ColorError`` when the bytes are not a color.
  public func decode(bytes: UnsafeRawBufferPointer) throws -> SerializableColor {
    if ColorArchive.isArchive(bytes) { return try ColorArchive.color(bytes: bytes, accepted) }
    return try SerializableColorTransformer().decode(bytes: bytes)
  }
}
