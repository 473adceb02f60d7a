import CopalModel

/// The stored form of colors, version 1. All numbers are little-endian.
///
///     one color, 23 bytes          an array of colors, 11 + 20 n bytes
///     0  C0 10   a color           0  C0 11    an array of colors
///     2  01      the version        2  01       the version
///     3  the color (20 bytes)      3  UInt64   n, the number of colors
///                                   11 n colors (20 bytes each)
///
///     a color: Int32 the color space, then red, green, blue, alpha: each the bits of a Float
///
/// The format of a version never changes. An unknown color space is not a new version: its number
/// is data, and a program that does not know it reads and writes it unchanged.
enum ColorBytes {
  enum Kind: UInt8 {
    case color = 0x10
    case array = 0x11

    var name: String { self == .color ? "a color" : "an array of colors" }
  }

  private static let mark: UInt8 = 0xC0
  private static let version: UInt8 = 1
  static let colorSize = 20
  static let headerSize = 3
  static let arrayHeaderSize = headerSize + 8

  /// Checks mark, kind and version, and returns the remaining bytes.
  static func body(of bytes: UnsafeRawBufferPointer, _ kind: Kind) throws(ColorError)
    -> UnsafeRawBufferPointer
  {
    if bytes.isEmpty { throw ColorError(.noBytes, expected: kind.name) }
    guard bytes[0] == mark else { throw wrongKind("of an unknown kind", kind) }
    guard bytes.count >= headerSize else { throw short(bytes.count, "the header has 3 bytes") }
    guard bytes[1] == kind.rawValue else {
      throw wrongKind(Kind(rawValue: bytes[1])?.name ?? "of an unknown kind", kind)
    }
    guard bytes[2] > 0 else { throw wrongKind("of an unknown kind", kind) }
    guard bytes[2] == version else {
      throw ColorError(.newerVersion, found: "\(bytes[2])", expected: kind.name)
    }
    return UnsafeRawBufferPointer(rebasing: bytes[headerSize...])
  }

  /// Checks the number of bytes.
  static func check(_ count: Int, is size: Int, _ claim: @autoclosure () -> String)
    throws(ColorError)
  {
    if count < size { throw short(count, claim()) }
    if count > size {
      throw ColorError(.trailingBytes, found: "\(count)", expected: claim())
    }
  }

  static func writeHeader(_ kind: Kind, to bytes: UnsafeMutableRawBufferPointer) {
    bytes[0] = mark
    bytes[1] = kind.rawValue
    bytes[2] = version
  }

  /// - Precondition: 20 bytes lie at the offset.
  static func color(at offset: Int, of bytes: UnsafeRawBufferPointer) throws(ColorError)
    -> SerializableColor
  {
    func word(_ index: Int) -> UInt32 {
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4 * index, as: UInt32.self))
    }
    let color = SerializableColor(
      finite: Float(bitPattern: word(1)), Float(bitPattern: word(2)), Float(bitPattern: word(3)),
      alpha: Float(bitPattern: word(4)), ColorSpace(rawValue: Int32(bitPattern: word(0))))
    guard color.isFinite else { throw color.notFinite }
    return color
  }

  /// - Precondition: 20 bytes lie at the offset.
  static func write(
    _ color: SerializableColor, at offset: Int, of bytes: UnsafeMutableRawBufferPointer
  ) {
    func put(_ word: UInt32, _ index: Int) {
      bytes.storeBytes(of: word.littleEndian, toByteOffset: offset + 4 * index, as: UInt32.self)
    }
    put(UInt32(bitPattern: color.colorSpace.rawValue), 0)
    put(color.red.bitPattern, 1)
    put(color.green.bitPattern, 2)
    put(color.blue.bitPattern, 3)
    put(color.alpha.bitPattern, 4)
  }

  private static func wrongKind(_ found: String, _ kind: Kind) -> ColorError {
    ColorError(.wrongKind, found: found, expected: kind.name)
  }

  private static func short(_ count: Int, _ claim: String) -> ColorError {
    ColorError(.truncated, found: "\(count)", expected: claim)
  }
}
