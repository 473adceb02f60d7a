extension JSONReader {
  /// Reads the value at the current position; there must be one.
  mutating func readValue() -> JSONNode {
    let position = here
    guard let byte, countValue() else { return JSONNode(.broken, at: position) }
    switch byte {
    case UInt8(ascii: "{"): return readContainer(at: position)
    case UInt8(ascii: "["): return readContainer(at: position)
    case UInt8(ascii: "\""):
      guard let text = readString() else { return JSONNode(.broken, at: position) }
      return JSONNode(.string(text), at: position)
    case UInt8(ascii: "'"):
      report(.syntax, at: position, found: "'", expected: "double quotes", damage: .values)
      skipSingleQuoted()
      return JSONNode(.broken, at: position)
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return readNumber(at: position)
    default: return readWord(at: position)
    }
  }

  private mutating func readWord(at position: TextPosition) -> JSONNode {
    let word = wordHere
    offset += wordLengthHere
    switch word {
    case "null": return JSONNode(.null, at: position)
    case "true": return JSONNode(.boolean(true), at: position)
    case "false": return JSONNode(.boolean(false), at: position)
    default:
      report(.syntax, at: position, found: word, expected: "a value", damage: .values)
      return JSONNode(.broken, at: position)
    }
  }

  private mutating func readContainer(at position: TextPosition) -> JSONNode {
    guard openBrackets.count < Self.maximumDepth else {
      report(
        .tooDeep, at: position, expected: "\(Self.maximumDepth) levels", damage: .values)
      skipContainer()
      return JSONNode(.broken, at: position)
    }
    let isObject = byte == UInt8(ascii: "{")
    openBrackets.append((bytes[offset], position.line))
    depth = max(depth, openBrackets.count)
    offset += 1
    let kind: JSONNode.Kind = isObject ? .object(readMembers()) : .array(readElements())
    openBrackets.removeLast()
    return JSONNode(kind, at: position)
  }

  private mutating func readElements() -> [JSONNode] {
    var elements: [JSONNode] = []
    var next = Next.item
    while !readsEnd(&next, closing: UInt8(ascii: "]")) {
      let start = offset
      elements.append(readValue())
      next = .comma
      if offset == start { offset += 1 }  // So that the loop ends when nothing can be read.
    }
    return elements
  }

  private mutating func readMembers() -> [JSONMember] {
    var members: [JSONMember] = []
    var positions: [String: TextPosition] = [:]
    var next = Next.item
    while !readsEnd(&next, closing: UInt8(ascii: "}")) {
      next = .comma
      let position = here
      guard let key = readKey() else {
        skipToNextItem()
        continue
      }
      guard let value = readValueOfKey() else { continue }
      if let first = positions.updateValue(position, forKey: key) {
        positions[key] = first
        report(
          .duplicateKey, at: position, found: key, expected: "line \(first.line)",
          damage: .none)
      } else {
        members.append(JSONMember(key, at: position, value))
      }
    }
    return members
  }

  private mutating func readKey() -> String? {
    let position = here
    switch byte {
    case UInt8(ascii: "\""): return readString()
    case UInt8(ascii: "'"):
      report(.syntax, at: position, found: "'", expected: "double quotes", damage: .values)
      skipSingleQuoted()
      return nil
    default:
      // A key without quotes can be read; the problem is reported, and reading continues.
      let word = wordHere
      let length = wordLengthHere
      let isKey = follows(UInt8(ascii: ":"), after: offset + length)
      let expected = isKey ? "\"\(word)\", in double quotes" : "a key in double quotes"
      report(
        .syntax, at: position, found: word, expected: expected,
        damage: isKey ? .none : .values)
      guard isKey else { return nil }
      offset = min(offset + length, bytes.count)
      return word
    }
  }

  /// Reads the value of a key; `nil` if no value follows, so that the key is probably not a key
  /// either.
  private mutating func readValueOfKey() -> JSONNode? {
    skipSpace()
    if byte == UInt8(ascii: ":") {
      offset += 1
      skipSpace()
    } else if byte != nil {
      let beginsValue =
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "{")
        || byte == UInt8(ascii: "[")
      report(
        .syntax, at: here, found: wordHere, expected: "':'",
        damage: beginsValue ? .none : .values)
      guard beginsValue else {
        skipToNextItem()
        return nil
      }
    }
    switch byte {
    case nil: return JSONNode(.broken, at: here)
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
      report(.syntax, at: here, found: wordHere, expected: "a value", damage: .values)
      return JSONNode(.broken, at: here)
    default: return readValue()
    }
  }

  /// Skips the separator between two items of an array or object, or its end.
  ///
  /// - Returns: whether the array or object has ended; if not, an item begins here.
  private mutating func readsEnd(_ next: inout Next, closing: UInt8) -> Bool {
    if brokeOffAtLineEnd { next = .either }
    brokeOffAtLineEnd = false
    while true {
      skipSpace()
      switch byte {
      case nil:
        reportUnexpectedEnd(closing: closing)
        return true
      case closing:
        offset += 1
        return true
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        return readsWrongEnd(closing: closing)
      case UInt8(ascii: ","):
        if next == .item {
          let expected = closing == UInt8(ascii: "}") ? "a key in double quotes" : "a value"
          report(.syntax, at: here, found: ",", expected: expected, damage: .none)
        }
        if offset < bytes.count { offset += 1 }
        next = .item
      case _ where next != .comma: return false
      case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
        report(.syntax, at: here, found: wordHere, expected: "','", damage: .none)
        return byte == nil
      default:
        report(.syntax, at: here, found: wordHere, expected: "','", damage: .values)
        skipToNextItem()
        if brokeOffAtLineEnd { next = .either }
        brokeOffAtLineEnd = false
      }
    }
  }

  /// A `]` where a `}` must be, or the other way round.
  private mutating func readsWrongEnd(closing: UInt8) -> Bool {
    let opening = openBrackets.last?.line ?? 1
    let expected =
      "'\(Character(Unicode.Scalar(closing)))' that closes the bracket on line \(opening)"
    report(.syntax, at: here, found: wordHere, expected: expected, damage: .structure)
    // If it closes an outer array or object, then only the inner closing bracket is missing.
    let other = closing == UInt8(ascii: "}") ? UInt8(ascii: "[") : UInt8(ascii: "{")
    let closesOuter = openBrackets.dropLast().contains { $0.bracket == other }
    if !closesOuter, offset < bytes.count { offset += 1 }
    return true
  }

  private mutating func reportUnexpectedEnd(closing: UInt8) {
    // Only the innermost open bracket is reported; the others follow from it.
    guard damage < .structure else { return }
    let opening = openBrackets.last?.line ?? 1
    let expected =
      "'\(Character(Unicode.Scalar(closing)))' that closes the bracket on line \(opening)"
    report(.unexpectedEnd, at: here, expected: expected, damage: .structure)
  }
}

extension JSONReader {
  /// The greatest length of a number. The largest Decimal and the smallest Double fit.
  private static let maximumNumberLength = 1000

  mutating func readNumber(at position: TextPosition) -> JSONNode {
    let length = wordLengthHere
    let text = bytes[offset..<offset + length]
    offset += length
    guard length <= Self.maximumNumberLength, DecimalLiteral.isNumber(text) else {
      let found = String(decoding: text.prefix(Self.maximumNumberLength), as: UTF8.self)
      let expected =
        length > Self.maximumNumberLength
        ? "at most \(Self.maximumNumberLength) characters" : "a JSON number such as -12.5e3"
      report(.invalidNumber, at: position, found: found, expected: expected, damage: .none)
      return JSONNode(.broken, at: position)
    }
    return JSONNode(.number(String(decoding: text, as: UTF8.self)), at: position)
  }
}
