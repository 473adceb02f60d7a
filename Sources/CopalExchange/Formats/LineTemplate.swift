/// How the lines of a log are built: `{time} {level} [{unit}] {text}`.
///
/// A name in braces stands for a property; `{}` for a part that is not needed; `{{` for a brace.
/// All else must be in the line as it is. A part goes to the first place of the text that follows
/// it, the last part to the end of the line. Spaces around a part are left out. Reading takes time
/// in proportion to the line.
public struct LineTemplate: Sendable, Hashable {
  /// The names of the parts, in their order; empty for a part that is not needed.
  public let names: [String]
  /// The text before the first part, and behind each part.
  let literals: [String]
  /// For each part, the number of times that the text behind it is in the part itself.
  private var skips: [Int]

  /// What is wrong with a template.
  public struct Failure: Error, CustomStringConvertible {
    /// What is wrong, and what to write.
    public let description: String
  }

  /// A template.
  ///
  /// - Throws: ``Failure`` for a brace without its other one, for two parts without a text between
  ///   them, for a name that is there twice, and for a template without a part.
  public init(_ text: String) throws(Failure) {
    var names: [String] = []
    var literals = [""]
    var rest = Substring(text)
    while let character = rest.popFirst() {
      guard character == "{" else {
        if character == "}", rest.first == "}" { rest.removeFirst() }
        literals[literals.count - 1].append(character)
        continue
      }
      if rest.first == "{" {
        rest.removeFirst()
        literals[literals.count - 1].append("{")
        continue
      }
      guard let end = rest.firstIndex(of: "}") else {
        throw Failure(description: "a brace is not closed in '\(text)'; write {{ for a brace")
      }
      if !names.isEmpty, literals[literals.count - 1].isEmpty {
        throw Failure(
          description: "two parts of '\(text)' have no text between them, so nothing ends the first"
        )
      }
      let name = String(rest[..<end])
      if !name.isEmpty, names.contains(name) {
        throw Failure(description: "the part {\(name)} is in '\(text)' twice")
      }
      names.append(name)
      literals.append("")
      rest = rest[rest.index(after: end)...]
    }
    if names.allSatisfy(\.isEmpty) {
      throw Failure(
        description: "'\(text)' names no property; write, for example, '{time} {level} {text}'")
    }
    (self.names, self.literals) = (names, literals)
    skips = names.map { _ in 0 }
  }

  /// A template that knows the form of some of its parts: a time such as `2026-03-01 09:30:00` has
  /// a space, and goes on after it.
  func knowing(_ form: String, of parts: Set<String>) -> LineTemplate {
    var template = self
    for (place, name) in names.enumerated() where parts.contains(name) {
      let literal = literals[place + 1]
      if !literal.isEmpty {
        template.skips[place] =
          form.split(separator: literal, omittingEmptySubsequences: false).count - 1
      }
    }
    return template
  }

  /// The parts of a line, each with the number of bytes before it.
  ///
  /// - Throws: what the line lacks, and where.
  func parts(of line: ArraySlice<UInt8>) throws(JSONFailure) -> [(text: String, offset: Int)] {
    var parts: [(text: String, offset: Int)] = []
    var place = line.startIndex
    let first = Array(literals[0].utf8)
    guard line.starts(with: first) else {
      throw JSONFailure(offset: 0, found: "the line does not begin with '\(literals[0])'")
    }
    place += first.count
    for (index, name) in names.enumerated() {
      let literal = Array(literals[index + 1].utf8)
      let end: Int
      if literal.isEmpty {
        end = line.endIndex
      } else if index == names.count - 1, line[place...].count >= literal.count,
        line.suffix(literal.count).elementsEqual(literal)
      {
        end = line.endIndex - literal.count
      } else if let found = Self.find(literal, in: line[place...], skipping: skips[index]) {
        end = found
      } else {
        throw JSONFailure(
          offset: place - line.startIndex,
          found: "'\(literals[index + 1])' does not follow {\(name)}")
      }
      let part = Self.trimmed(line[place..<end])
      guard let text = String(validating: part, as: UTF8.self) else {
        throw JSONFailure(offset: place - line.startIndex, found: "bytes that are not UTF-8")
      }
      parts.append((text, part.startIndex - line.startIndex))
      place = end + literal.count
    }
    guard place == line.endIndex else {
      throw JSONFailure(
        offset: place - line.startIndex, found: "the line goes on after the template")
    }
    return parts
  }

  private static func find(
    _ literal: [UInt8], in bytes: ArraySlice<UInt8>, skipping skips: Int
  ) -> Int? {
    guard let first = literal.first else { return bytes.startIndex }
    var place = bytes.startIndex
    var rest = skips
    while let found = bytes[place...].firstIndex(of: first) {
      place = found + 1
      guard bytes[found...].starts(with: literal) else { continue }
      if rest == 0 { return found }
      rest -= 1
      place = found + literal.count
    }
    return nil
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var part = bytes.drop(while: isSpace)
    while let last = part.last, isSpace(last) { part.removeLast() }
    return part
  }
}
