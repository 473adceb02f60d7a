/// Reads the few things that a `copal.json` can say, and tells line and column of what it cannot.
///
/// A plugin can use no library, and Foundation's reader of JSON knows no places.
struct ModelListReader {
  private let bytes: [UInt8]
  private let file: String
  private var offset = 0
  /// The line of the present place, from 1, and where it begins.
  private var line = 1
  private var lineStart = 0

  init(bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
  }

  /// The paths under `models`, each with its place.
  mutating func read() throws -> [(path: String, place: String)] {
    var entries: [(path: String, place: String)]?
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      offset = 3
      lineStart = 3  // No editor shows the mark, so no column counts it.
    }
    try list(from: "{", to: "}", of: "a key") { reader in
      let place = reader.place
      let key = try reader.string("a key")
      guard key == "models" else {
        throw ModelList.Diagnostic(
          "unknown key '\(key)'; a copal.json has \"models\" only", at: place)
      }
      guard entries == nil else {
        throw ModelList.Diagnostic("\"models\" is there twice", at: place)
      }
      try reader.expect(":")
      entries = try reader.models()
    }
    guard next == nil else { throw unexpected("the end of the file") }
    guard let entries else {
      throw ModelList.Diagnostic(
        "\"models\" is missing: { \"models\": [\"PATH\"] }", at: "\(file):1:1")
    }
    return entries
  }

  private mutating func models() throws -> [(path: String, place: String)] {
    var entries: [(path: String, place: String)] = []
    var paths: Set<String> = []
    try list(from: "[", to: "]", of: "a path") { reader in
      let place = reader.place
      let path = try reader.string("a path")
      guard paths.insert(path).inserted else {
        throw ModelList.Diagnostic("'\(path)' is listed twice", at: place)
      }
      entries.append((path, place))
    }
    return entries
  }

  // MARK: Parts

  /// Reads items with commas between them; one may follow the last, as in model files.
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
    let start = place
    offset += 1
    var content: [UInt8] = []
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\""), bytes[offset] >= 0x20 {
      if bytes[offset] == UInt8(ascii: "\\") {
        let escaped = offset + 1 < bytes.count ? bytes[offset + 1] : 0
        guard [UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/")].contains(escaped) else {
          throw ModelList.Diagnostic("only \\\", \\\\ and \\/ can be escaped here", at: place)
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

  // MARK: Places

  /// The next byte that is neither space nor comment; `nil` at the end.
  private var next: UInt8? {
    mutating get {
      while offset < bytes.count {
        switch bytes[offset] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
        // No string and no comment goes over the end of a line, so that all of them are seen here.
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

  /// The place of the next thing, as a compiler tells it.
  private var place: String {
    mutating get {
      _ = next
      return "\(file):\(line):\(offset - lineStart + 1)"
    }
  }

  private mutating func unexpected(_ expected: String) -> ModelList.Diagnostic {
    let place = place
    let found =
      next.map { byte in
        byte > 0x20 && byte < 0x7F ? "'\(Unicode.Scalar(byte))'" : "something unreadable"
      } ?? "the end of the file"
    return ModelList.Diagnostic("\(found) stands where \(expected) should", at: place)
  }
}
