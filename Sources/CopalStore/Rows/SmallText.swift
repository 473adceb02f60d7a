/// Makes Swift strings from ASCII texts of up to 15 bytes. Swift keeps such strings in two words.
///
/// `String(decoding:as:)` takes 12 to 15 nanoseconds; making the two words takes 3, and most texts
/// that are read often are short. The memory layout of strings is fixed only where Swift has a
/// stable ABI. So each process checks it once against strings made the usual way. If it differs,
/// the usual way is used.
///
/// Source: the comments of `StringObject.swift` in the standard library.
@usableFromInline
enum SmallText {
  @usableFromInline static let maximumLength = 15

  /// The text of some bytes; nil when it is not ASCII, or when the layout of strings differs.
  ///
  /// - Parameters:
  ///   - start: the address of the bytes. The eight bytes before their end must be readable. In a row
  ///     they always are, because its words come before its texts.
  ///   - count: at most ``maximumLength``.
  @usableFromInline
  static func string(_ start: UnsafeRawPointer, _ count: Int) -> String? {
    guard isLayoutKnown else { return nil }
    return made(start, count)
  }

  @inline(__always)
  private static func made(_ start: UnsafeRawPointer, _ count: Int) -> String? {
    if count == 0 { return "" }
    let bits = UInt64(truncatingIfNeeded: count &* 8)
    // The last eight bytes; bytes before a shorter text are shifted out.
    let last = UInt64(
      littleEndian: start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
    let (low, high): (UInt64, UInt64)
    if count <= 8 {
      (low, high) = (last &>> (64 &- bits), 0)
    } else {
      low = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
      high = last &>> (128 &- bits)
    }
    guard (low | high) & 0x8080_8080_8080_8080 == 0 else { return nil }
    // The remaining byte says that the text is stored inline, that it is ASCII, and its length.
    let mark = (0xe0 | UInt64(truncatingIfNeeded: count)) &<< 56
    return unsafeBitCast(Words(first: low, second: high | mark), to: String.self)
  }

  private struct Words: Equatable {
    var first: UInt64
    var second: UInt64
  }

  private static let isLayoutKnown: Bool = {
    guard MemoryLayout<String>.size == MemoryLayout<Words>.size else { return false }
    let bytes: [UInt8] = Array(" 1234567~zyxwvutsrqponm".utf8)
    return bytes.withUnsafeBytes { bytes in
      (0...maximumLength).allSatisfy { count in
        let text = UnsafeRawBufferPointer(rebasing: bytes[8..<8 + count])
        guard let start = text.baseAddress, let made = made(start, count) else { return false }
        let usual = String(decoding: text, as: UTF8.self)
        return unsafeBitCast(made, to: Words.self) == unsafeBitCast(usual, to: Words.self)
      }
    }
  }()
}
