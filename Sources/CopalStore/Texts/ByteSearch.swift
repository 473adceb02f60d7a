/// Finds a text in others, by their bytes.
///
/// The time is linear in the text: a short text is compared at each place, a longer one is found by
/// the algorithm of Knuth, Morris and Pratt (SIAM Journal on Computing 6, 1977).
struct ByteSearch: Sendable {
  /// Up to this length, comparing at each place is faster.
  private static let shortLength = 32

  let bytes: [UInt8]
  /// For each number of matching bytes, how many of them are also at the start of the text: for a
  /// long text only.
  private let borders: [Int32]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    borders = bytes.count > Self.shortLength ? Self.borders(of: bytes) : []
  }

  private static func borders(of bytes: [UInt8]) -> [Int32] {
    var borders: [Int32] = [0]
    borders.reserveCapacity(bytes.count)
    var length = 0
    for byte in bytes.dropFirst() {
      while length > 0, bytes[length] != byte { length = Int(borders[length - 1]) }
      if bytes[length] == byte { length += 1 }
      borders.append(Int32(truncatingIfNeeded: length))
    }
    return borders
  }

  /// The ends of the places where the text is found, from a start on, until a function returns
  /// true.
  ///
  /// - Parameters:
  ///   - lowercases: whether capital letters of ASCII in the searched text are read as small ones.
  /// - Returns: the end for which it returned true; nil when there is none.
  @inline(__always)
  func firstEnd(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, lowercases: Bool,
    where accepts: (Int) -> Bool
  ) -> Int? {
    bytes.withUnsafeBufferPointer { wanted in
      guard let first = wanted.first else { return accepts(start) ? start : nil }
      guard text.count - start >= wanted.count else { return nil }
      if wanted.count > Self.shortLength {
        return longSearch(wanted, in: text, from: start, lowercases: lowercases, accepts: accepts)
      }
      for place in start...text.count - wanted.count {
        let byte = text[place]
        if (lowercases ? byte.lowercased : byte) != first { continue }
        var length = 1
        while length < wanted.count {
          let byte = text[place + length]
          if (lowercases ? byte.lowercased : byte) != wanted[length] { break }
          length += 1
        }
        if length == wanted.count, accepts(place + length) { return place + length }
      }
      return nil
    }
  }

  private func longSearch(
    _ wanted: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, from start: Int,
    lowercases: Bool, accepts: (Int) -> Bool
  ) -> Int? {
    var length = 0
    for place in start..<text.count {
      let byte = lowercases ? text[place].lowercased : text[place]
      while length > 0, wanted[length] != byte { length = Int(borders[length - 1]) }
      if wanted[length] == byte { length += 1 }
      if length == wanted.count {
        if accepts(place + 1) { return place + 1 }
        length = Int(borders[length - 1])
      }
    }
    return nil
  }

  /// Whether the text is at a place.
  @inline(__always)
  func isFound(in text: UnsafeBufferPointer<UInt8>, at place: Int, lowercases: Bool) -> Bool {
    guard place >= 0, text.count - place >= bytes.count else { return false }
    return bytes.withUnsafeBufferPointer { wanted in
      for index in 0..<wanted.count {
        let byte = text[place + index]
        if (lowercases ? byte.lowercased : byte) != wanted[index] { return false }
      }
      return true
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether all bytes are ASCII.
  package var isASCII: Bool {
    let raw = UnsafeRawBufferPointer(self)
    var place = 0
    while place + 8 <= count {
      if raw.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
        return false
      }
      place += 8
    }
    while place < count {
      if self[place] >= 0x80 { return false }
      place += 1
    }
    return true
  }

  /// Whether no character goes on at a place: there is neither a combining mark nor a later part of
  /// a Hangul syllable.
  func isCharacterEnd(_ place: Int) -> Bool {
    // No such scalar has a first byte below that of U+0300.
    guard place < count, self[place] >= 0xCC else { return true }
    return !TextFolding.continuesCharacter(scalar(at: place))
  }

  /// The place after the scalar at a place, and after the marks behind it.
  func characterEnd(from place: Int) -> Int {
    var end = place + scalarLength(at: place)
    while end < count, !isCharacterEnd(end) { end += scalarLength(at: end) }
    return Swift.min(end, count)
  }

  private func scalarLength(at place: Int) -> Int {
    switch self[place] {
    case ..<0xC0: 1
    case ..<0xE0: 2
    case ..<0xF0: 3
    default: 4
    }
  }

  private func scalar(at place: Int) -> Unicode.Scalar {
    let part = self[place..<Swift.min(place + scalarLength(at: place), count)]
    return String(decoding: part, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
  }
}
