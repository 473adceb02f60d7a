public import CopalEssentials
public import CopalObjects

/// Stores a ``SerializableColor`` as 23 bytes, bit for bit.
///
/// In the model: `{ "type": "transformable?", "transformer": "SerializableColorTransformer",
/// "class": "SerializableColor" }`. At the start of the program, before the container is opened:
///
/// ```swift
/// try SerializableColorTransformer.register()
/// ```
///
/// The bytes are `C0 10`, the version `01`, the color space as an Int32, and the bits of red,
/// green, blue and alpha as 32-bit words, all little-endian. A color space that this version does
/// not know is kept and written back.
///
/// Decoding also accepts the archives of ``SerializableColorArchiveTransformer``, so that an
/// attribute can change its transformer while old values stay in the store.
///
/// Decoding throws a ``ColorError`` for bytes that are empty, too short, too long, of a newer
/// version or of another format, or that contain a NaN.
public struct SerializableColorTransformer: RegistrableTransformer {
  /// The transformer. It has no parameters.
  public init() {}

  /// The stored form of the color: 23 bytes.
  public func encode(_ color: SerializableColor) -> Data {
    var data = Data(count: ColorBytes.headerSize + ColorBytes.colorSize)
    data.withUnsafeMutableBytes { bytes in
      ColorBytes.writeHeader(.color, to: bytes)
      ColorBytes.write(color, at: ColorBytes.headerSize, of: bytes)
    }
    return data
  }

  /// The color of the stored bytes.
  ///
  /// - Throws: ``ColorError`` when the bytes are not a color.
  public func decode(_ stored: Data) throws -> SerializableColor {
    try stored.withUnsafeBytes { try decode(bytes: $0) }
  }

  /// The color of the stored bytes, without a copy of the bytes.
  ///
  /// - Throws: ``ColorError`` when the bytes are not a color.
  public func decode(bytes: UnsafeRawBufferPointer) throws -> SerializableColor {
    if ColorArchive.isArchive(bytes) {
      return try ColorArchive.color(bytes: bytes, ColorArchive.classNames)
    }
    let body = try ColorBytes.body(of: bytes, .color)
    let size = ColorBytes.headerSize + ColorBytes.colorSize
    try ColorBytes.check(bytes.count, is: size, "a color has \(size) bytes")
    return try ColorBytes.color(at: 0, of: body)
  }
}
