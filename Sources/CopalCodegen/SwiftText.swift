import CopalModel

/// Writes names and texts in Swift, so that no text of a model can become code.
enum SwiftText {
  /// The keywords that must be quoted as names, at least in some contexts.
  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "any", "as", "associatedtype", "async", "await", "borrowing",
    "break", "case", "catch", "class", "consume", "consuming", "continue", "copy", "default",
    "defer", "deinit", "discard", "do", "each", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is",
    "let", "macro", "nil", "nonisolated", "open", "operator", "package", "precedencegroup",
    "private", "protocol", "public", "repeat", "rethrows", "return", "self", "some", "static",
    "struct", "subscript", "super", "switch", "then", "throw", "throws", "true", "try", "typealias",
    "unsafe", "var", "where", "while", "yield",
  ]

  /// A name as an identifier, quoted if it is a keyword.
  static func identifier(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// The text after the word `import`.
  static func `import`(_ text: ImportText) -> String {
    (text.kind.map { $0 + " " } ?? "") + text.path.map(identifier).joined(separator: ".")
  }

  /// The modifier of a public property that not all code may set; nothing for other properties.
  static func setter(_ access: AttributeDescription.SetAccess) -> String {
    access == .public ? "" : "\(access.rawValue)(set) "
  }

  /// The getter of a property.
  ///
  /// - Parameter observedClass: the class, if it can be observed.
  static func getter(_ value: String, of property: String, observedIn observedClass: String?)
    -> String
  {
    guard let observedClass else { return "get { \(value) }" }
    return "get { _copalAccess(\\\(observedClass).\(property)); return \(value) }"
  }

  /// A text as a string literal on one line.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": result += "\\\(scalar)"
      case _ where isHidden(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A JSON text as a multi-line string literal, with enough `#` that its content cannot end it.
  static func rawLiteral(_ json: String) -> String {
    var longest = 0
    var run: Int?
    var content = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      switch scalar {
      case "\"", "\\": run = 0
      case "#": run = run.map { $0 + 1 }
      default: run = nil
      }
      longest = max(longest, run ?? 0)
      switch scalar {
      case "\n": content.append("\n")
      // Outside of strings, the only hidden characters of JSON are spaces, and every kind of space
      // is equivalent.
      case _ where scalar.value < 0x20: content.append(" ")
      case _ where isHidden(scalar):
        content += ("\\u" + hexadecimal(UInt64(scalar.value), digits: 4)).unicodeScalars
      default: content.append(scalar)
      }
    }
    while content.last == "\n" { content.removeLast() }
    let marks = String(repeating: "#", count: longest + 1)
    // Without indentation, because Swift removes the indentation of the closing quotes from every
    // line.
    return "\(marks)\"\"\"\n\(String(content))\n\"\"\"\(marks)"
  }

  /// A number in hexadecimal with a minimum of digits.
  static func hexadecimal(_ number: UInt64, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// The lines of a text, for every kind of line end.
  static func lines(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }

  /// A text for one line of a comment, without line ends, invisible characters and marks that
  /// change the direction of text.
  static func comment(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      result.unicodeScalars.append(isHidden(scalar) ? " " : scalar)
    }
    while result.last?.isWhitespace == true { result.removeLast() }
    return result
  }

  /// Control characters, line ends, and the marks that change the direction of text
  /// (<https://trojansource.codes>).
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}

/// Names made from other names.
extension SwiftText {
  /// The name of a constant: `colorLibrary` for `ColorLibrary`, `urlStore` for `URLStore`,
  /// `coreUIColor` for `CoreUI.Color`.
  static func lowerCamel(_ name: String) -> String {
    let words = name.split(separator: ".")
    let joined =
      words.prefix(1).map(lowerFirst) + words.dropFirst().map { capitalized(String($0)) }
    // An underscore alone is no name.
    return joined == ["_"] ? "__" : joined.joined()
  }

  static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Lowercases the capitals at the start, except for one that begins the next word.
  private static func lowerFirst(_ word: Substring) -> String {
    let capitals = word.prefix(while: \.isUppercase)
    let rest = word.dropFirst(capitals.count)
    guard capitals.count > 1, let next = rest.first, next.isLowercase else {
      return capitals.lowercased() + rest
    }
    return capitals.dropLast().lowercased() + word.dropFirst(capitals.count - 1)
  }
}
