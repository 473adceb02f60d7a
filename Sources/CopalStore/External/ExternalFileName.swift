import CopalEssentials

/// The name of the file of a large value, as a row has it: 32 random hexadecimal digits, a hyphen,
/// and the number of bytes.
///
/// The authors of stores need it: `ChangeSet.externalValues` has the bytes of new files by their
/// names. The name has the size of the value, so a context knows the size without opening the file.
/// A text of a row is checked before it becomes a name, so a name contains no `/` and no `..`.
/// Example:
///
/// ```swift
/// let name = ExternalFileName("9f3c0e6a51d84b7fa20c5be1d7736e84-1048576")
/// name?.byteCount  // 1048576
/// ```
public struct ExternalFileName: Sendable, Hashable, CustomStringConvertible {
  /// The name as a text: the name of the file in its folder, and the text of the row.
  public let text: String
  /// The number of bytes of the value.
  public let byteCount: Int

  /// A new random name for a value.
  ///
  /// - Parameter byteCount: the number of bytes of the value, at least 1.
  public init(byteCount: Int) {
    let digits = (0..<2).map { _ in Self.hexadecimal(UInt64.random(in: .min ... .max)) }.joined()
    text = "\(digits)-\(byteCount)"
    self.byteCount = byteCount
  }

  /// The name in a row; nil for a text that Copal cannot have written.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count > Self.digitCount + 1, bytes.count <= Self.digitCount + 20,
      bytes.prefix(Self.digitCount).allSatisfy(Self.isDigit),
      bytes[Self.digitCount] == UInt8(ascii: "-"),
      let count = Int(
        written: String(decoding: bytes.dropFirst(Self.digitCount + 1), as: UTF8.self)),
      count > 0, Array("\(count)".utf8) == Array(bytes.dropFirst(Self.digitCount + 1))
    else { return nil }
    self.text = text
    byteCount = count
  }

  /// The name itself.
  public var description: String { text }

  private static let digitCount = 32

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }
}
