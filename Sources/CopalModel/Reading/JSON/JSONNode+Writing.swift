import CopalEssentials

extension JSONNode {
  /// The node as JSON text that reads back to an equal node, apart from positions.
  ///
  /// Short arrays and objects without nested ones are written on one line. In all others, each item
  /// has its own line.
  package var text: String { text(maximumLength: .max) }

  /// The text; when it has more than `maximumLength` bytes, only a part of it that also has more.
  ///
  /// With indentation, the text can be many times as long as the text that was read.
  func text(maximumLength: Int) -> String {
    var writer = JSONWriter(maximumLength: maximumLength)
    writer.write(self, indent: "")
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

private struct JSONWriter {
  private static let maximumLineLength = 90

  /// An item of an array, or of an object with its key.
  typealias Item = (key: String?, value: JSONNode)

  // Bytes, because appending single characters to a string takes ten times as long.
  private(set) var bytes: [UInt8] = []
  private let maximumLength: Int

  init(maximumLength: Int) { self.maximumLength = maximumLength }

  mutating func write(_ node: JSONNode, indent: String) {
    switch node.kind {
    case .null: put("null")
    case .boolean(let flag): put(flag ? "true" : "false")
    case .number(let number):
      // An invalid number must not become another value: a lone minus is a problem when it is read.
      put(DecimalLiteral.isNumber(number.utf8) ? number : "-")
    case .string(let string): write(string)
    case .broken: put("-")
    case .array(let elements):
      write(elements.map { (key: nil, value: $0) }, between: ("[", "]"), indent: indent)
    case .object(let members):
      write(members.map { (key: $0.key, value: $0.value) }, between: ("{", "}"), indent: indent)
    }
  }

  private mutating func write(
    _ items: [Item], between brackets: (String, String), indent: String
  ) {
    if items.isEmpty {
      put(brackets.0 + brackets.1)
      return
    }
    if let line = Self.line(of: items) {
      let space = brackets.0 == "{" ? " " : ""
      put(brackets.0 + space)
      bytes += line
      put(space + brackets.1)
      return
    }
    let inner = indent + "  "
    put(brackets.0)
    for (index, item) in items.enumerated() {
      if bytes.count > maximumLength { return }
      put((index == 0 ? "\n" : ",\n") + inner)
      write(item, indent: inner)
    }
    put("\n" + indent + brackets.1)
  }

  /// The items on one line; `nil` if they are too long or hold arrays or objects.
  private static func line(of items: [Item]) -> [UInt8]? {
    var line = JSONWriter(maximumLength: maximumLineLength)
    for (index, item) in items.enumerated() {
      if item.value.isContainer { return nil }
      if index > 0 { line.put(", ") }
      line.write(item, indent: "")
      if line.bytes.count > maximumLineLength { return nil }
    }
    return line.bytes
  }

  private mutating func write(_ item: Item, indent: String) {
    if let key = item.key {
      write(key)
      put(": ")
    }
    write(item.value, indent: indent)
  }

  private mutating func write(_ string: String) {
    put("\"")
    var string = string
    string.withUTF8 { letters in
      for (index, byte) in letters.enumerated() {
        switch byte {
        case UInt8(ascii: "\""): put("\\\"")
        case UInt8(ascii: "\\"): put("\\\\")
        case UInt8(ascii: "\n"): put("\\n")
        case UInt8(ascii: "\r"): put("\\r")
        case UInt8(ascii: "\t"): put("\\t")
        case 0..<0x20, 0x7F:
          put("\\u" + String(byte, radix: 16, uppercase: true).leftPadded(to: 4))
        // U+2028 and U+2029 are E2 80 A8 and A9. JavaScript takes them as line ends.
        case 0xA8...0xA9
        where index > 1 && letters[index - 2] == 0xE2 && letters[index - 1] == 0x80:
          bytes.removeLast(2)
          put(byte == 0xA8 ? "\\u2028" : "\\u2029")
        default: bytes.append(byte)
        }
      }
    }
    put("\"")
  }

  private mutating func put(_ text: String) { bytes += text.utf8 }
}

extension JSONNode {
  fileprivate var isContainer: Bool {
    switch kind {
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    default: false
    }
  }
}
