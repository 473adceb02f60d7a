import CopalEssentials

/// The bytes of a profile or of one of its tags: numbers with the greatest byte first, nil behind
/// the end.
struct ProfileBytes {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes)[...] }

  private init(slice: ArraySlice<UInt8>) { bytes = slice }

  var count: Int { bytes.count }

  private func byte(_ place: Int) -> UInt8? {
    place >= 0 && place < bytes.count ? bytes[bytes.startIndex + place] : nil
  }

  func unsigned16(at place: Int) -> UInt16? {
    guard let high = byte(place), let low = byte(place + 1) else { return nil }
    return UInt16(high) << 8 | UInt16(low)
  }

  func unsigned32(at place: Int) -> UInt32? {
    guard let high = unsigned16(at: place), let low = unsigned16(at: place + 2) else { return nil }
    return UInt32(high) << 16 | UInt32(low)
  }

  /// A number in 65,536ths: `s15Fixed16Number`.
  func fixed(at place: Int) -> Double? {
    unsigned32(at: place).map { Double(Int32(bitPattern: $0)) / 65_536 }
  }

  /// Four characters.
  func signature(at place: Int) -> String? {
    guard place >= 0, place + 4 <= bytes.count else { return nil }
    let start = bytes.startIndex + place
    return String(decoding: bytes[start..<start + 4], as: UTF8.self)
  }

  /// A part; nil when it is not completely there.
  func part(at place: UInt32, count: UInt32) -> ProfileBytes? {
    let (start, size) = (Int(place), Int(count))
    guard start <= bytes.count, size <= bytes.count - start else { return nil }
    let first = bytes.startIndex + start
    return ProfileBytes(slice: bytes[first..<first + size])
  }
}
