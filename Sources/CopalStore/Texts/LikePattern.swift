/// A text with wildcards: `*` is any text, `?` is one character, and `\` makes the next character
/// an ordinary one.
struct LikePattern: Sendable {
  /// The greatest length of a pattern in bytes of UTF-8. A match compares at most this many bytes
  /// for each byte of a text.
  static let maximumLength = 1000

  private enum Piece {
    case text(ByteSearch)
    case anyCharacter
  }

  /// The pieces between the `*`.
  private var parts: [[Piece]] = [[]]
  private let endsAtCharacters: Bool

  /// - Parameter folding: what is ignored; nil for nothing.
  init(_ pattern: String, _ folding: TextFolding?) {
    endsAtCharacters = folding != nil
    Self.forEachSign(of: pattern) { sign in
      switch sign {
      case .anyText: parts.append([])
      case .anyCharacter: add(.anyCharacter)
      case .literal(let text):
        let bytes = folding?.folded(text) ?? Array(text.utf8)
        if !bytes.isEmpty { add(.text(ByteSearch(bytes))) }
      }
    }
  }

  private enum Sign {
    case anyText, anyCharacter
    case literal(String)
  }

  /// Calls the body for each wildcard and for each text between them, in their order.
  private static func forEachSign(of pattern: String, _ body: (Sign) -> Void) {
    var literal = ""
    var isEscaped = false
    func endLiteral() {
      if !literal.isEmpty { body(.literal(literal)) }
      literal = ""
    }
    for scalar in pattern.unicodeScalars {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
        continue
      }
      let isWildcard = !isEscaped && (scalar == "*" || scalar == "?")
      isEscaped = false
      guard isWildcard else {
        literal.unicodeScalars.append(scalar)
        continue
      }
      endLiteral()
      body(scalar == "*" ? .anyText : .anyCharacter)
    }
    if isEscaped { literal.append("\\") }
    endLiteral()
  }

  /// The texts between the wildcards of a pattern.
  static func literals(of pattern: String) -> [String] {
    var literals: [String] = []
    forEachSign(of: pattern) { if case .literal(let text) = $0 { literals.append(text) } }
    return literals
  }

  private mutating func add(_ piece: Piece) { parts[parts.count - 1].append(piece) }

  /// Whether a complete text has the form. The text is folded, except for capital letters of ASCII
  /// when they are read as small ones.
  func matches(_ text: UnsafeBufferPointer<UInt8>, lowercases: Bool) -> Bool {
    guard let first = parts.first, let last = parts.last,
      var place = end(of: first, in: text, at: 0, lowercases)
    else { return false }
    if parts.count == 1 { return place == text.count }
    for part in parts.dropFirst().dropLast() {
      let next = firstPlace(in: text, from: place) { start in
        end(of: part, in: text, at: start, lowercases)
      }
      guard let next else { return false }
      place = next
    }
    return firstPlace(in: text, from: place) { start in
      end(of: last, in: text, at: start, lowercases).flatMap { $0 == text.count ? $0 : nil }
    } != nil
  }

  private func firstPlace(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, _ end: (Int) -> Int?
  ) -> Int? {
    for place in start...text.count {
      // Not inside a scalar.
      if place < text.count, text[place] & 0xC0 == 0x80 { continue }
      if let end = end(place) { return end }
    }
    return nil
  }

  /// The end of a part that is at a place; nil when it is not there.
  private func end(
    of part: [Piece], in text: UnsafeBufferPointer<UInt8>, at start: Int, _ lowercases: Bool
  ) -> Int? {
    var place = start
    for piece in part {
      switch piece {
      case .anyCharacter:
        if place >= text.count { return nil }
        place = text.characterEnd(from: place)
      case .text(let search):
        guard search.isFound(in: text, at: place, lowercases: lowercases) else { return nil }
        place += search.bytes.count
        if endsAtCharacters, !text.isCharacterEnd(place) { return nil }
      }
    }
    return place
  }
}
