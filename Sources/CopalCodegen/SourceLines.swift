import CopalModel

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
    indented(body)
    if lines.count == start + 1 { lines[start] += "}" } else { line("}") }
  }

  /// Adds lines that are indented further.
  mutating func indented(_ body: (inout SourceLines) -> Void) {
    indentation += 2
    body(&self)
    indentation -= 2
  }

  /// Adds lines that the compiler reports at a line of the model's file: they name something that
  /// the model names and the compiler may not know.
  mutating func located(
    at position: ModelProblem.Position?, _ body: (inout SourceLines) -> Void
  ) {
    guard let position else { return body(&self) }
    lines.append("#sourceLocation(file: \"\(position.file)\", line: \(position.line))")
    body(&self)
    lines.append("#sourceLocation()")
  }

  /// Adds a documentation comment. The text is escaped, so that it cannot end the comment.
  mutating func comment(_ text: String) {
    for part in SwiftText.lines(text) {
      let part = SwiftText.comment(part)
      line(part.isEmpty ? "///" : "/// \(part)")
    }
  }
}
