extension JSONReader {
  /// Skips spaces, line ends and comments.
  mutating func skipSpace() {
    while let byte {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): offset += 1
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): _ = skipLineEnd()
      case UInt8(ascii: "/"):
        guard skipComment() else { return }
      default: return
      }
    }
  }

  /// Skips a comment if one begins here.
  private mutating func skipComment() -> Bool {
    guard offset + 1 < bytes.count else { return false }
    switch bytes[offset + 1] {
    case UInt8(ascii: "/"):
      while let byte, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { offset += 1 }
      return true
    case UInt8(ascii: "*"):
      let opening = here
      offset += 2
      while let byte {
        if byte == UInt8(ascii: "*"), offset + 1 < bytes.count,
          bytes[offset + 1] == UInt8(ascii: "/")
        {
          offset += 2
          return true
        }
        if !skipLineEnd() { offset += 1 }
      }
      report(.unterminatedComment, at: opening, expected: "*/", damage: .structure)
      return true
    default: return false
    }
  }

  /// After a mistake: goes to the next comma or closing bracket of the same level.
  ///
  /// A string that does not end on its line ends the item, because the next line most likely begins
  /// the next item.
  mutating func skipToNextItem() {
    while let byte {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): return
      case UInt8(ascii: "{"), UInt8(ascii: "["): skipContainer()
      case UInt8(ascii: "\""):
        if !skipString() {
          brokeOffAtLineEnd = true
          return
        }
      default: skipOne()
      }
    }
  }

  /// Skips an array or object of any depth without reading its items.
  mutating func skipContainer() {
    let opening = openBrackets.last?.line ?? 1
    var depth = 0
    while let byte {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        offset += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        offset += 1
        if depth == 0 { return }
      case UInt8(ascii: "\""): _ = skipString()
      default: skipOne()
      }
    }
    if damage < .structure {
      report(
        .unexpectedEnd, at: here, expected: "a bracket that closes the one on line \(opening)",
        damage: .structure)
    }
  }

  /// Skips `'text'` if it ends on its line.
  mutating func skipSingleQuoted() {
    guard offset < bytes.count else { return }
    offset += 1
    while let byte, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
      offset += 1
      if byte == UInt8(ascii: "'") { return }
    }
  }

  /// Whether a byte comes next after an offset, apart from spaces on the same line.
  func follows(_ byte: UInt8, after offset: Int) -> Bool {
    bytes.dropFirst(offset).first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } == byte
  }

  /// The word, number or character at the current position, for a message or to skip it.
  var wordHere: String {
    guard offset < bytes.count else { return "the end of the file" }
    let length = min(wordLengthHere, 100)
    guard length > 1 else { return scalarHere }
    return String(decoding: bytes[offset..<offset + length], as: UTF8.self)
  }

  /// The length in bytes of the word, number or character at the current position.
  var wordLengthHere: Int {
    guard let byte else { return 0 }
    guard Self.isWordByte(byte) else { return 1 }
    var end = offset + 1
    while end < bytes.count, Self.isWordByte(bytes[end]) { end += 1 }
    return end - offset
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "?"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// Skips a string without reading it; `false` if it does not end on its line.
  private mutating func skipString() -> Bool {
    offset += 1
    while let byte, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
      offset += 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\"),
        self.byte == UInt8(ascii: "\"") || self.byte == UInt8(ascii: "\\")
      {
        offset += 1
      }
    }
    return false
  }

  private mutating func skipOne() {
    let before = offset
    skipSpace()
    if offset == before { offset += 1 }
  }
}
