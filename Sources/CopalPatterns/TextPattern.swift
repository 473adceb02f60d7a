/// A regular expression that a whole text matches or not.
///
/// The time of a match is linear in the text, for every pattern. The syntax and its meaning are in
/// `Docs/ModelFormat.md` under "Patterns".
///
/// ```swift
/// let code = try TextPattern(#"P[A-Z]+\d+"#)
/// code.matches("PB29")   // true
/// code.matches("PB29 ")  // false: the whole text must match
/// ```
///
/// A pattern is compiled once, when it is made; that takes some microseconds, for the largest
/// patterns about a millisecond. It may be used from several threads at the same time.
package struct TextPattern: Sendable {
  /// The greatest length of a pattern in bytes of UTF-8.
  package static let maximumLength = 1000
  /// The greatest number of positions: characters and classes, each counted once for every
  /// repetition.
  package static let maximumPositionCount = 2000
  /// The greatest depth of groups and of classes inside classes, which bounds the stack.
  package static let maximumDepth = 50

  /// The pattern as it was written.
  package let text: String
  private let program: PatternProgram

  /// Compiles a pattern.
  ///
  /// - Throws: ``PatternProblem`` with the position in the pattern, what was found and what to
  ///   write instead.
  package init(_ text: String) throws(PatternProblem) {
    self.text = text
    program = PatternProgram(PatternAutomaton(try PatternReader.read(text)))
  }

  /// What is wrong with a pattern; `nil` for a good one. This costs less than to compile it.
  package static func problem(in text: String) -> PatternProblem? {
    do throws(PatternProblem) {
      _ = try PatternReader.read(text)
      return nil
    } catch {
      return error
    }
  }

  /// Whether the whole text matches.
  package func matches(_ text: String) -> Bool { program.run(on: text).matches }

  // MARK: Costs

  /// Whether the whole text matches, and how many steps that took.
  ///
  /// A step reads one word, which holds 64 positions. The number is the same on every machine.
  package func measuredMatch(_ text: String) -> (matches: Bool, steps: Int) {
    program.run(on: text)
  }

  /// The number of positions.
  package var positionCount: Int { program.positionCount }

  /// The greatest number of steps that one character of a text can take.
  package var maximumStepsPerCharacter: Int { program.maximumStepsPerCharacter }
}
