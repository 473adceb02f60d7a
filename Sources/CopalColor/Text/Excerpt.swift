/// A short excerpt of a text for a message, without control characters.
enum Excerpt {
  static func of(_ text: String, at position: Int) -> String {
    let utf8 = text.utf8
    guard let start = utf8.index(utf8.startIndex, offsetBy: position, limitedBy: utf8.endIndex),
      start < utf8.endIndex
    else { return "the end of the text" }
    let scalars = text.unicodeScalars[start...].prefix(17)
    let shown = scalars.prefix(16).map { $0.escaped(asASCII: false) }.joined()
    return "'\(shown)\(scalars.count > 16 ? "…" : "")'"
  }
}
