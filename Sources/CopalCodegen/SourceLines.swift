/// Swift source under construction, line by line.
struct SourceLines {
  /// The greatest width of a line that is broken where it can be.
  static let width = 100

  private var lines: [String] = []
  /// How many spaces a line begins with.
  private(set) var indentation = 0

  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Adds a line; without text, an empty one.
  mutating func line(_ text: String = "") {
    lines.append(text.isEmpty ? "" : String(repeating: " ", count: indentation) + text)
  }

  /// Adds lines in braces after a head.
  mutating func block(_ head: String, _ body: (inout SourceLines) -> Void) {
    let start = lines.count
    line("\(head) {")
    indentation += 2
    body(&self)
    indentation -= 2
    if lines.count == start + 1 { lines[start] += "}" } else { line("}") }
  }

  /// Adds a documentation comment that cannot be left, whatever the text has in it.
  mutating func comment(_ text: String) {
    for part in SwiftText.lines(text) {
      let part = SwiftText.comment(part)
      line(part.isEmpty ? "///" : "/// \(part)")
    }
  }
}
