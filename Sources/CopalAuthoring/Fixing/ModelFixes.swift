public import CopalModel

/// Repairs of a model file: of each problem that has one possible repair, such as a misspelled
/// word.
///
/// A repair is an edit of the text, so that layout and comments stay. It counts only if the problem
/// is gone after it, and nothing else is wrong at its place. A text without problems has no
/// repairs.
///
/// ```swift
/// let fixes = ModelFixes(text, file: "Shop.model.json")
/// for edit in fixes.edits { print(edit.oldLine, edit.newLine) }
/// ```
public struct ModelFixes: Sendable {
  /// What was done, in the order of the file.
  public private(set) var edits: [Edit] = []
  /// The text after it.
  public private(set) var text: String

  /// A repair.
  public struct Edit: Sendable, Hashable {
    /// The place of the problem, counted from 1; the column in bytes of UTF-8.
    public let line: Int, column: Int
    /// The code of the problem.
    public let code: ModelError.Code
    /// The line before and after it.
    public let oldLine: String, newLine: String
  }

  /// As many repairs are tried as a person makes mistakes in a day, because each one reads the
  /// model again.
  private static let greatestCount = 100

  /// The repairs of a text, for the name of its file.
  public init(_ text: String, file: String) {
    self.text = text
    var tried: Set<ModelProblem> = []
    var problems = Self.problems(text, file)
    while tried.count < Self.greatestCount,
      let problem = problems.first(where: { !tried.contains($0) })
    {
      tried.insert(problem)
      guard let (repaired, edit) = Self.repair(problem, in: self.text) else { continue }
      let rest = Self.problems(repaired, file)
      if Self.isBetter(rest, than: problems, without: problem) {
        self.text = repaired
        edits.append(edit)
        problems = rest
      }
    }
    edits.sort { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  private static func problems(_ text: String, _ file: String) -> [ModelProblem] {
    do {
      _ = try ManagedObjectModel(json: text, file: file)
      return []
    } catch {
      return error.problems
    }
  }

  /// Whether a repair counts: there are fewer problems, or the same number because the repaired
  /// word had hidden another problem, which is not where the word is.
  private static func isBetter(
    _ after: [ModelProblem], than before: [ModelProblem], without repaired: ModelProblem
  ) -> Bool {
    func syntaxErrors(_ problems: [ModelProblem]) -> Int {
      problems.count { $0.code == .syntax }
    }
    if after.count < before.count { return true }
    // The rest of the text is read only after the mistake.
    if repaired.code == .syntax { return syntaxErrors(after) < syntaxErrors(before) }
    return after.count == before.count && !after.contains { $0.position == repaired.position }
  }

  private static func repair(_ problem: ModelProblem, in text: String) -> (String, Edit)? {
    var bytes = Array(text.utf8)
    let starts = bytes.lineStarts
    let (line, column) = (problem.position.line, problem.position.column)
    guard starts.indices.contains(line - 1), column > 0 else { return nil }
    let place = starts[line - 1] + column - 1
    guard place <= bytes.count else { return nil }
    if problem.code == .syntax, problem.expected == "','" {
      // Behind the value before, where people write it.
      guard let end = bytes.endOfToken(before: place) else { return nil }
      bytes.insert(UInt8(ascii: ","), at: end)
    } else if let word = problem.suggestion,
      word.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x5C }),
      let found = bytes.range(of: Array(problem.found.utf8), inTokenAt: place)
    {
      bytes.replaceSubrange(found, with: word.utf8)
    } else {
      return nil
    }
    let repaired = String(decoding: bytes, as: UTF8.self)
    let changed = zip(text.lines, repaired.lines).enumerated().first {
      $0.element.0 != $0.element.1
    }
    guard let changed else { return nil }
    let edit = Edit(
      line: line, column: column, code: problem.code, oldLine: String(changed.element.0),
      newLine: String(changed.element.1))
    return (repaired, edit)
  }
}

extension String {
  /// The lines without their ends.
  fileprivate var lines: [Substring] {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }
}

extension [UInt8] {
  /// Where each line begins, as the reader of models counts.
  fileprivate var lineStarts: [Int] {
    var starts = [0]
    for (index, byte) in enumerated() {
      let isEnd =
        byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
          && (index + 1 == count || self[index + 1] != UInt8(ascii: "\n"))
      if isEnd { starts.append(index + 1) }
    }
    return starts
  }

  /// The end of the last token before a place. Nil where a comment may be in between.
  fileprivate func endOfToken(before place: Int) -> Int? {
    var end = place
    while end > 0, [0x20, 0x09, 0x0A, 0x0D].contains(self[end - 1]) { end -= 1 }
    guard end > 0 else { return nil }
    let lineStart = (self[..<end].lastIndex(of: 0x0A) ?? -1) + 1
    let line = String(decoding: self[lineStart..<end], as: UTF8.self)
    return line.contains("//") || line.hasSuffix("*/") ? nil : end
  }

  /// Where a word stands in the string, or the word, that begins at a place.
  fileprivate func range(of word: [UInt8], inTokenAt place: Int) -> Range<Int>? {
    guard !word.isEmpty, place < count else { return nil }
    if self[place] != UInt8(ascii: "\"") {
      return self[place...].starts(with: word) ? place..<place + word.count : nil
    }
    guard let end = self[(place + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    var start = place + 1
    while start + word.count <= end {
      if self[start..<start + word.count].elementsEqual(word) { return start..<start + word.count }
      start += 1
    }
    return nil
  }
}
