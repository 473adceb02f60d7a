/// Checks that bytes are valid UTF-8.
///
/// `String(decoding:as:)` replaces invalid bytes without an error, so that the text differs from
/// the stored one. A store that reads texts from a file checks them before it packs them into a
/// row.
public enum UTF8Bytes {
  /// Whether the bytes are valid UTF-8. ASCII text costs about one nanosecond for 16 bytes.
  @inlinable
  public static func areValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    areASCII(bytes) || areValidSequences(bytes)
  }

  @inlinable
  static func areASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let count = bytes.count
    guard count >= 8 else {
      var all: UInt8 = 0
      for byte in bytes { all |= byte }
      return all < 0x80
    }
    // The last eight bytes. The loop has read some of them already when the count is not a multiple
    // of eight.
    var all = bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    var offset = 0
    while offset < count &- 8 {
      all |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    return all & 0x8080_8080_8080_8080 == 0
  }

  /// Copies bytes and checks them in one pass.
  ///
  /// The first and the last part of a text may overlap, so that no byte is copied alone.
  ///
  /// - Returns: whether all bytes are ASCII.
  // Inlined: see `StatementRowReader.readColumns`.
  @inlinable @inline(__always)
  package static func copy(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int
  ) -> Bool {
    if count >= 16 {
      var all = copyPart(SIMD2<UInt64>.self, from: source, to: target, at: count &- 16)
      var offset = 0
      while offset < count &- 16 {
        all = all | copyPart(SIMD2<UInt64>.self, from: source, to: target, at: offset)
        offset &+= 16
      }
      return (all[0] | all[1]) & 0x8080_8080_8080_8080 == 0
    }
    if count >= 8 {
      let first = copyPart(UInt64.self, from: source, to: target, at: 0)
      let last = copyPart(UInt64.self, from: source, to: target, at: count &- 8)
      return (first | last) & 0x8080_8080_8080_8080 == 0
    }
    if count >= 4 {
      let first = copyPart(UInt32.self, from: source, to: target, at: 0)
      let last = copyPart(UInt32.self, from: source, to: target, at: count &- 4)
      return (first | last) & 0x8080_8080 == 0
    }
    var all: UInt8 = 0
    for offset in 0..<count { all |= copyPart(UInt8.self, from: source, to: target, at: offset) }
    return all < 0x80
  }

  @inlinable @inline(__always)
  static func copyPart<Part: BitwiseCopyable>(
    _ type: Part.Type, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer,
    at offset: Int
  ) -> Part {
    let part = source.loadUnaligned(fromByteOffset: offset, as: type)
    target.storeBytes(of: part, toByteOffset: offset, as: type)
    return part
  }

  @usableFromInline
  static func areValidSequences(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset < bytes.count {
      guard let length = sequenceLength(bytes, offset) else { return false }
      offset &+= length
    }
    return true
  }

  /// The length of the scalar at an offset; nil where there is none. The table is that of the
  /// Unicode Standard, "Well-Formed UTF-8 Byte Sequences":
  /// <https://www.unicode.org/versions/latest/core-spec/chapter-3/#G27506>.
  private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int? {
    let first = bytes[offset]
    if first < 0x80 { return 1 }
    let length: Int
    // The range of the second byte. Outside of it the sequence is overlong, a surrogate, or beyond
    // the last scalar.
    var second: ClosedRange<UInt8> = 0x80...0xbf
    switch first {
    case 0xc2...0xdf: length = 2
    case 0xe0: (length, second) = (3, 0xa0...0xbf)
    case 0xed: (length, second) = (3, 0x80...0x9f)
    case 0xe1...0xef: length = 3
    case 0xf0: (length, second) = (4, 0x90...0xbf)
    case 0xf1...0xf3: length = 4
    case 0xf4: (length, second) = (4, 0x80...0x8f)
    default: return nil
    }
    guard offset &+ length <= bytes.count, second.contains(bytes[offset &+ 1]) else { return nil }
    if length > 2, bytes[offset &+ 2] & 0xc0 != 0x80 { return nil }
    if length > 3, bytes[offset &+ 3] & 0xc0 != 0x80 { return nil }
    return length
  }
}
