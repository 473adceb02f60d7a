/// Texts from bytes. Bytes that are not of the encoding give nil: a repaired text would be another
/// one.
enum TextReader {
  static func ascii(_ bytes: UnsafeRawBufferPointer) -> String? {
    var all: UInt8 = 0
    for byte in bytes { all |= byte }
    return all >= 0x80 ? nil : String(decoding: bytes, as: UTF8.self)
  }

  static func utf8(_ bytes: UnsafeRawBufferPointer) -> String? {
    String(validating: bytes, as: UTF8.self)
  }

  /// Big-endian.
  static func utf16(_ bytes: UnsafeRawBufferPointer) -> String? {
    let units = stride(from: 0, to: bytes.count - 1, by: 2).lazy.map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return String(validating: units, as: UTF16.self)
  }
}
