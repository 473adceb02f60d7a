public import CopalEssentials
public import CopalObjects

/// Stores an array of ``SerializableColor`` in order, as three bytes for each color: red, green and
/// blue in sRGB.
///
/// Use it for files of other programs, or where space matters more than exact colors. It loses:
/// - alpha: a color that is read is opaque;
/// - the exact components: each is rounded to a 255th;
/// - the color space: a color in Display P3 is converted to sRGB, and components outside 0...1 are
///   limited.
///
/// ```swift
/// try RGBColorArrayTransformer().encode([.red, .blue])  // 6 bytes: FF 00 00 00 00 FF
/// ```
///
/// The empty array is a value of zero bytes. It differs from nil, which is NULL in the store.
public struct RGBColorArrayTransformer: RegistrableTransformer {
  /// The transformer. It has no parameters.
  public init() {}

  /// Three bytes for each color.
  ///
  /// - Throws: ``ColorError`` for a color whose color space is unknown to this version.
  public func encode(_ colors: [SerializableColor]) throws -> Data {
    var data = Data(capacity: 3 * colors.count)
    for color in colors {
      let color = try color.converted(to: .sRGB).clamped()
      for component in [color.red, color.green, color.blue] {
        data.append(UInt8((component * 255).rounded()))
      }
    }
    return data
  }

  /// The colors of the stored bytes.
  ///
  /// - Throws: ``ColorError`` when the number of bytes is not divisible by three.
  public func decode(_ stored: Data) throws -> [SerializableColor] {
    try stored.withUnsafeBytes { try decode(bytes: $0) }
  }

  /// The colors of the stored bytes, without a copy of the bytes.
  ///
  /// - Throws: ``ColorError`` when the number of bytes is not divisible by three.
  public func decode(bytes: UnsafeRawBufferPointer) throws -> [SerializableColor] {
    guard bytes.count.isMultiple(of: 3) else {
      throw ColorError(.notDivisible, found: "\(bytes.count)")
    }
    return stride(from: 0, to: bytes.count, by: 3).map {
      SerializableColor(red8: bytes[$0], green8: bytes[$0 + 1], blue8: bytes[$0 + 2])
    }
  }
}
