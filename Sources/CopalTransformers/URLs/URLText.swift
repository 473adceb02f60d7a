/// The parts of the text of a URL, as RFC 3986 divides it
/// (<https://www.rfc-editor.org/rfc/rfc3986#appendix-B>).
///
/// It divides bytes and not characters: a slash is a slash also before a combining character.
struct URLText {
  /// The scheme in lower case; nil for a relative reference.
  let scheme: String?
  /// What is between `//` and the path; nil when there is no `//`.
  let authority: ArraySlice<UInt8>?
  /// The path, in its percent-encoded form.
  let path: ArraySlice<UInt8>
  /// The query and the fragment, with their `?` and `#`.
  let suffix: ArraySlice<UInt8>

  init(_ text: String) {
    var rest = Array(text.utf8)[...]
    scheme = Self.takeScheme(&rest)
    authority = Self.takeAuthority(&rest)
    let end = rest.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    path = rest[..<(end ?? rest.endIndex)]
    suffix = rest[(end ?? rest.endIndex)...]
  }

  /// A letter, then letters, digits, `+`, `-` and `.`, then a colon.
  private static func takeScheme(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let end = rest.firstIndex(where: { !isSchemeByte($0) }), rest[end] == UInt8(ascii: ":"),
      let first = rest.first, isLetter(first)
    else { return nil }
    defer { rest = rest[(end + 1)...] }
    return String(decoding: rest[..<end], as: UTF8.self).lowercased()
  }

  private static func takeAuthority(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard rest.starts(with: "//".utf8) else { return nil }
    rest = rest.dropFirst(2)
    let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    defer { rest = rest[end...] }
    return rest[..<end]
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "+-.".utf8.contains(byte)
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension URLText {
  /// The bytes as a text in which each byte that a URL cannot have is percent-encoded. What is
  /// percent-encoded already stays as it is.
  static func percentEncoded(_ bytes: some Sequence<UInt8>) -> String {
    var result: [UInt8] = []
    for byte in bytes {
      if isAllowed(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15)]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The bytes that percent-encoded text stands for; nil when a `%` is not before two hexadecimal
  /// digits.
  static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard bytes.contains(UInt8(ascii: "%")) else { return Array(bytes) }
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexadecimalValue),
        let low = rest.popFirst().flatMap(hexadecimalValue)
      else { return nil }
      result.append(high << 4 | low)
    }
    return result
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "-._~!$&'()*+,;=:@/?#%".utf8.contains(byte)
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    if isDigit(digit) { return digit - UInt8(ascii: "0") }
    let letter = digit | 0x20
    guard (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter) else { return nil }
    return letter - UInt8(ascii: "a") + 10
  }
}
