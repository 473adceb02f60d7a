/// Collects lines of Swift source.
struct SourceLines {
  /// The width beyond which lines are broken if possible.
  static let width = 100

  private var lines: [String] = []
  /// The number of leading spaces.
  private(set) var indentation = 0

  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Adds a line; without text, an empty one.
  mutating func line(_ text: String = "") {
    lines.append(text.isEmpty ? "" : String(repeating: " ", count: indentation) + text)
  }

  /// Adds a block: a head and lines in braces.
  mutating func block(_ head: String, _ body: (inout SourceLines) -> Void) {
    let start = lines.count
    line("\(head) {")
    indentation += 2
    body(&self)
    indentation -= 2
    if lines.count == start + 1 { lines[start] += "}" } else { line("}") }
  }

  /// Adds a documentation comment. The text is escaped, so that it cannot end the comment.
  mutating func comment(_ text: String) {
    for part in SwiftText.lines(text) {
      let part = SwiftText.comment(part)
      line(part.isEmpty ? "///" : "/// \(part)")
    }
  }
}
