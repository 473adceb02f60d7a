/// Reads a text as a tree. It finds the tokens of texts that `ModelReader` accepts, and says
/// nothing about others.
struct SyntaxParser {
  /// As deep as a model file may be nested, with some room.
  private static let maximumDepth = 100

  private let bytes: [UInt8]
  private let hasByteOrderMark: Bool
  private var offset: Int

  init(_ text: String) {
    bytes = Array(text.utf8)
    hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    offset = hasByteOrderMark ? 3 : 0
  }

  mutating func parse() -> SyntaxTree? {
    guard let leading = trivia(), let root = node(leading, depth: 0), let end = trivia(),
      offset == bytes.count
    else { return nil }
    return SyntaxTree(hasByteOrderMark: hasByteOrderMark, root: root, end: end)
  }

  private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func text(from start: Int) -> String {
    String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  // MARK: Spaces and comments

  /// What stands before the next token; nil for a comment that does not end.
  private mutating func trivia() -> [Trivia]? {
    var found: [Trivia] = []
    while let byte {
      let start = offset
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        while self.byte == UInt8(ascii: " ") || self.byte == UInt8(ascii: "\t") { offset += 1 }
        found.append(.spaces(text(from: start)))
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        offset += 1
        if byte == UInt8(ascii: "\r"), self.byte == UInt8(ascii: "\n") { offset += 1 }
        found.append(.newline(text(from: start)))
      case UInt8(ascii: "/"):
        guard let comment = comment() else { return nil }
        found.append(comment)
      default: return found
      }
    }
    return found
  }

  private mutating func comment() -> Trivia? {
    let start = offset
    guard offset + 1 < bytes.count else { return nil }
    switch bytes[offset + 1] {
    case UInt8(ascii: "/"):
      while let byte, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { offset += 1 }
      return .lineComment(text(from: start))
    case UInt8(ascii: "*"):
      offset += 2
      while offset + 1 < bytes.count {
        if bytes[offset] == UInt8(ascii: "*"), bytes[offset + 1] == UInt8(ascii: "/") {
          offset += 2
          return .blockComment(text(from: start))
        }
        offset += 1
      }
      return nil
    default: return nil
    }
  }

  // MARK: Values

  private mutating func node(_ leading: [Trivia], depth: Int) -> SyntaxNode? {
    guard depth <= Self.maximumDepth, let byte else { return nil }
    switch byte {
    case UInt8(ascii: "{"): return list(leading, depth, isObject: true).map(SyntaxNode.object)
    case UInt8(ascii: "["): return list(leading, depth, isObject: false).map(SyntaxNode.array)
    case UInt8(ascii: "\""): return string(leading).map(SyntaxNode.scalar)
    default: return word(leading).map(SyntaxNode.scalar)
    }
  }

  private mutating func sign(_ leading: [Trivia]) -> SyntaxToken {
    offset += 1
    return SyntaxToken(text(from: offset - 1), leading: leading)
  }

  private mutating func list(_ leading: [Trivia], _ depth: Int, isObject: Bool) -> SyntaxList? {
    let open = sign(leading)
    let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    var list = SyntaxList(open: open, items: [], close: open)
    guard var before = trivia() else { return nil }
    list.behindOpen = before.takeEndOfLine()
    while let byte {
      if byte == closing {
        list.close = sign(before)
        return list
      }
      // Two items without a comma between them.
      if let last = list.items.last, last.comma == nil { return nil }
      guard var item = item(before, depth, isObject: isObject), var behind = trivia() else {
        return nil
      }
      if self.byte == UInt8(ascii: ",") {
        item.comma = sign(behind)
        guard let next = trivia() else { return nil }
        behind = next
      }
      item.trailing = behind.takeEndOfLine()
      list.items.append(item)
      before = behind
    }
    return nil
  }

  private mutating func item(_ leading: [Trivia], _ depth: Int, isObject: Bool) -> SyntaxItem? {
    guard isObject else {
      return node(leading, depth: depth + 1).map { SyntaxItem(value: $0) }
    }
    guard byte == UInt8(ascii: "\""), let key = string(leading), let before = trivia(),
      byte == UInt8(ascii: ":")
    else { return nil }
    let colon = sign(before)
    guard let behind = trivia(), let value = node(behind, depth: depth + 1) else { return nil }
    return SyntaxItem(key: key, colon: colon, value: value)
  }

  private mutating func string(_ leading: [Trivia]) -> SyntaxToken? {
    let start = offset
    offset += 1
    while let byte, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return SyntaxToken(text(from: start), leading: leading)
      // The escaped character is no end; one that is not allowed is a problem of the model.
      case UInt8(ascii: "\\"): if offset < bytes.count { offset += 1 }
      default: break
      }
    }
    return nil
  }

  /// A number, `true`, `false` or `null`, as it is written.
  private mutating func word(_ leading: [Trivia]) -> SyntaxToken? {
    let start = offset
    while let byte, Self.isOfWord(byte) { offset += 1 }
    return offset == start ? nil : SyntaxToken(text(from: start), leading: leading)
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}

extension [Trivia] {
  /// Removes what stands before the first end of a line, if a comment is in it.
  fileprivate mutating func takeEndOfLine() -> [Trivia] {
    guard let end = firstIndex(where: \.isNewline),
      self[..<end].contains(where: { $0.comment != nil })
    else { return [] }
    defer { removeSubrange(..<end) }
    return Array(self[..<end])
  }
}
