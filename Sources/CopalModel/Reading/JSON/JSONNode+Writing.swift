extension JSONNode {
  /// The node as JSON text that reads back to an equal node, apart from positions.
  ///
  /// Arrays and objects stand on one line where they are short and hold no others; else each item
  /// has its own line.
  package var text: String {
    var text = ""
    write(to: &text, indent: "")
    return text
  }

  private static let lineLengthMax = 90

  private func write(to text: inout String, indent: String) {
    switch kind {
    case .null: text += "null"
    case .boolean(let flag): text += flag ? "true" : "false"
    case .number(let number):
      // What is no number must not become something else: a lone minus reads as a problem.
      text += JSONReader.isNumber(number.utf8) ? number : "-"
    case .string(let string): Self.write(string, to: &text)
    case .broken: text += "-"
    case .array(let elements):
      let items = elements.map { (key: nil as String?, value: $0) }
      Self.write(items, between: ("[", "]"), to: &text, indent: indent)
    case .object(let members):
      let items = members.map { (key: $0.key as String?, value: $0.value) }
      Self.write(items, between: ("{", "}"), to: &text, indent: indent)
    }
  }

  private static func write(
    _ items: [(key: String?, value: JSONNode)], between brackets: (String, String),
    to text: inout String, indent: String
  ) {
    if items.isEmpty {
      text += brackets.0 + brackets.1
      return
    }
    if let line = line(of: items) {
      text += brackets.0 == "{" ? "{ \(line) }" : "[\(line)]"
      return
    }
    let inner = indent + "  "
    text += brackets.0
    for (index, item) in items.enumerated() {
      text += (index == 0 ? "\n" : ",\n") + inner
      write(item, to: &text, indent: inner)
    }
    text += "\n" + indent + brackets.1
  }

  /// The items on one line; `nil` if they are too long or hold arrays or objects.
  private static func line(of items: [(key: String?, value: JSONNode)]) -> String? {
    var line = ""
    for (index, item) in items.enumerated() {
      if item.value.isContainer { return nil }
      if index > 0 { line += ", " }
      write(item, to: &line, indent: "")
      if line.utf8.count > lineLengthMax { return nil }
    }
    return line
  }

  private static func write(
    _ item: (key: String?, value: JSONNode), to text: inout String, indent: String
  ) {
    if let key = item.key {
      write(key, to: &text)
      text += ": "
    }
    item.value.write(to: &text, indent: indent)
  }

  private var isContainer: Bool {
    switch kind {
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    default: false
    }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
        text += "\\u" + String(scalar.value, radix: 16, uppercase: true).leftPadded(to: 4)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
