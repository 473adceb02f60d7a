/// Reads a `copal.json`, and reports line and column of mistakes.
///
/// A plugin cannot use a library of the package, and Foundation's JSON parser has no positions.
struct ModelListReader {
  private let bytes: [UInt8]
  private let file: String
  private var offset = 0
  /// The current line, from 1, and its offset.
  private var line = 1
  private var lineStart = 0

  init(bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
  }

  /// What a list says.
  struct Content {
    /// The paths under `models`, each with its location.
    var entries: [(path: String, location: String)] = []
    /// Whether `warnings` is `"error"`.
    var warningsAreErrors = false
  }

  mutating func read() throws -> Content {
    var content = Content()
    var keys: Set<String> = []
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      offset = 3
      lineStart = 3  // Editors do not show the mark, so columns do not count it.
    }
    try list(from: "{", to: "}", of: "a key") { reader in
      let location = reader.location
      let key = try reader.string("a key")
      guard ["models", "warnings"].contains(key) else {
        throw ModelList.Diagnostic(
          "unknown key '\(key)'; a copal.json has \"models\" and \"warnings\"", at: location)
      }
      guard keys.insert(key).inserted else {
        throw ModelList.Diagnostic("\"\(key)\" appears twice", at: location)
      }
      try reader.expect(":")
      if key == "models" {
        content.entries = try reader.models()
      } else {
        content.warningsAreErrors = try reader.warnings()
      }
    }
    guard next == nil else { throw unexpected("the end of the file") }
    guard !keys.isEmpty else {
      throw ModelList.Diagnostic(
        "\"models\" is missing: { \"models\": [\"PATH\"] }", at: "\(file):1:1")
    }
    return content
  }

  /// Whether warnings are errors.
  private mutating func warnings() throws -> Bool {
    // White space is skipped by `next`.
    _ = next
    let location = location
    let word = try string("\"error\" or \"warning\"")
    guard ["error", "warning"].contains(word) else {
      throw ModelList.Diagnostic(
        "\"warnings\" is '\(word)'; write \"error\" or \"warning\"", at: location)
    }
    return word == "error"
  }

  private mutating func models() throws -> [(path: String, location: String)] {
    var entries: [(path: String, location: String)] = []
    var paths: Set<String> = []
    try list(from: "[", to: "]", of: "a path") { reader in
      let location = reader.location
      let path = try reader.string("a path")
      guard paths.insert(path).inserted else {
        throw ModelList.Diagnostic("'\(path)' is listed twice", at: location)
      }
      entries.append((path, location))
    }
    return entries
  }

  // MARK: Parts

  /// Reads items separated by commas. A trailing comma is allowed, as in model files.
  private mutating func list(
    from open: Unicode.Scalar, to close: Unicode.Scalar, of what: String,
    _ item: (inout Self) throws -> Void
  ) throws {
    try expect(open)
    while next != UInt8(ascii: close) {
      try item(&self)
      if next == UInt8(ascii: close) { break }
      try expect(",")
    }
    try expect(close)
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws {
    guard next == UInt8(ascii: scalar) else { throw unexpected("'\(scalar)'") }
    offset += 1
  }

  private mutating func string(_ what: String) throws -> String {
    guard next == UInt8(ascii: "\"") else { throw unexpected("\(what) in double quotes") }
    let start = location
    offset += 1
    var content: [UInt8] = []
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\""), bytes[offset] >= 0x20 {
      if bytes[offset] == UInt8(ascii: "\\") {
        let escaped = offset + 1 < bytes.count ? bytes[offset + 1] : 0
        guard [UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/")].contains(escaped) else {
          throw ModelList.Diagnostic("only \\\", \\\\ and \\/ can be escaped here", at: location)
        }
        offset += 1
      }
      content.append(bytes[offset])
      offset += 1
    }
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
      throw ModelList.Diagnostic("the string does not end on its line", at: start)
    }
    offset += 1
    guard let text = String(validating: content, as: UTF8.self) else {
      throw ModelList.Diagnostic("the string is not UTF-8", at: start)
    }
    return text
  }

  // MARK: Positions

  /// The next byte that is neither space nor comment; `nil` at the end.
  private var next: UInt8? {
    mutating get {
      while offset < bytes.count {
        switch bytes[offset] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
        // Strings and comments do not span lines, so every line end is counted here.
        case UInt8(ascii: "\n"):
          offset += 1
          line += 1
          lineStart = offset
        case UInt8(ascii: "/")
        where bytes[offset...].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]):
          while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
        default: return bytes[offset]
        }
      }
      return nil
    }
  }

  /// The location of the next token, in the format of a compiler.
  private var location: String {
    mutating get {
      _ = next
      return "\(file):\(line):\(offset - lineStart + 1)"
    }
  }

  private mutating func unexpected(_ expected: String) -> ModelList.Diagnostic {
    let location = location
    let found =
      next.map { byte in
        byte > 0x20 && byte < 0x7F ? "'\(Unicode.Scalar(byte))'" : "something unreadable"
      } ?? "the end of the file"
    return ModelList.Diagnostic("found \(found); expected \(expected)", at: location)
  }
}
