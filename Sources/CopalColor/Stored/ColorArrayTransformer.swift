public import CopalEssentials
import CopalModel
public import CopalObjects

/// Stores an array of ``SerializableColor`` in order, as 11 bytes and 20 for each color.
///
/// In the model: `{ "type": "transformable?", "transformer": "ColorArrayTransformer",
/// "class": "[SerializableColor]" }`. At the start of the program, before the container is opened:
///
/// ```swift
/// try ColorArrayTransformer.register()
/// ```
///
/// The empty array is a value of 11 bytes. It differs from nil, which is NULL in the store. The
/// bytes are `C0 11`, the version `01`, the count as a UInt64, and for each color its space and its
/// components in the form of ``SerializableColorTransformer``.
///
/// Decoding also accepts the archives of ``ColorArrayArchiveTransformer``.
///
/// Decoding throws a ``ColorError`` for bytes that are empty, too short, too long, of a newer
/// version or of another format, or that contain a NaN. It checks the count before it allocates
/// memory, and allocates only the array.
public struct ColorArrayTransformer: RegistrableTransformer {
  /// The transformer. It has no parameters.
  public init() {}

  /// The stored form of the colors: 11 bytes and 20 for each color.
  public func encode(_ colors: [SerializableColor]) -> Data {
    var data = Data(count: ColorBytes.arrayHeaderSize + ColorBytes.colorSize * colors.count)
    data.withUnsafeMutableBytes { bytes in
      ColorBytes.writeHeader(.array, to: bytes)
      bytes.storeBytes(
        of: UInt64(colors.count).littleEndian, toByteOffset: ColorBytes.headerSize, as: UInt64.self)
      var offset = ColorBytes.arrayHeaderSize
      for color in colors {
        ColorBytes.write(color, at: offset, of: bytes)
        offset += ColorBytes.colorSize
      }
    }
    return data
  }

  /// The colors of the stored bytes.
  ///
  /// - Throws: ``ColorError`` when the bytes are not an array of colors.
  public func decode(_ stored: Data) throws -> [SerializableColor] {
    try stored.withUnsafeBytes { try decode(bytes: $0) }
  }

  /// The colors of the stored bytes, without a copy of the bytes.
  ///
  /// - Throws: ``ColorError`` when the bytes are not an array of colors.
  public func decode(bytes: UnsafeRawBufferPointer) throws -> [SerializableColor] {
    if ColorArchive.isArchive(bytes) {
      return try ColorArchive.colors(bytes: bytes, ColorArchive.classNamesOfArrays)
    }
    let body = try ColorBytes.body(of: bytes, .array)
    guard body.count >= 8 else {
      throw ColorError(
        .truncated, found: "\(bytes.count)",
        expected: "an array of colors has 11 bytes or more")
    }
    let claimed = UInt64(littleEndian: body.loadUnaligned(as: UInt64.self))
    let most = (Int.max - ColorBytes.arrayHeaderSize) / ColorBytes.colorSize
    guard let count = Int(exactly: claimed), count <= most else {
      throw ColorError(.invalidCount, found: "\(claimed)")
    }
    let size = ColorBytes.arrayHeaderSize + ColorBytes.colorSize * count
    try ColorBytes.check(bytes.count, is: size, "an array of \(count) colors has \(size) bytes")

    return try Array(unsafeUninitializedCapacity: count) { colors, initialized in
      var offset = ColorBytes.arrayHeaderSize
      while initialized < count {
        colors.initializeElement(
          at: initialized, to: try ColorBytes.color(at: offset, of: bytes))
        initialized += 1
        offset += ColorBytes.colorSize
      }
    }
  }
}
