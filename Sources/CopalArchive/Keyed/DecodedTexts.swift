/// The long texts that an archive has as bytes. None is decoded twice: thousands of objects can
/// share their bytes.
struct DecodedTexts {
  /// The texts, by the memory of their bytes, which the archive keeps. To compare the bytes
  /// themselves would take long.
  private var texts: [UnsafeRawBufferPointer.Place: String] = [:]
  /// From this size on, a text is long.
  private static let leastSize = 32

  /// The text of bytes in UTF-8; nil for other bytes.
  mutating func text(of bytes: [UInt8]) -> String? {
    if bytes.count < Self.leastSize { return String(validating: bytes, as: UTF8.self) }
    let place = bytes.withUnsafeBytes(\.place)
    if let known = texts[place] { return known }
    let text = String(validating: bytes, as: UTF8.self)
    texts[place] = text
    return text
  }
}

extension UnsafeRawBufferPointer {
  /// Where bytes are in memory.
  fileprivate struct Place: Hashable {
    let start: UnsafeRawPointer?
    let count: Int
  }

  fileprivate var place: Place { Place(start: baseAddress, count: count) }
}
