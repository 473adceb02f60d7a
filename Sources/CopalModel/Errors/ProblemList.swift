/// The problems found so far in one file, and no more of them than anyone would read.
package struct ProblemList: Sendable {
  /// The greatest number of problems that are told; a closing note says that there are more.
  package static let countMax = 500
  /// How many letters may be compared in search of nearest names. An error in a name costs a look
  /// at all names, and a hostile file can hold many of both.
  private static let lettersMax = 1_000_000

  private let file: String
  private var problems: [ModelProblem] = []
  private var hasMore = false
  private var lettersCompared = 0

  package init(file: String) { self.file = file }

  /// Whether no further problem is told.
  package var isFull: Bool { hasMore }

  /// The problems in the order of the file; `nil` if there is none.
  package var error: ModelError? {
    guard !problems.isEmpty else { return nil }
    let ordered = problems.enumerated().sorted {
      ($0.element.position.line, $0.element.position.column, $0.offset)
        < ($1.element.position.line, $1.element.position.column, $1.offset)
    }.map(\.element)
    guard hasMore, let last = ordered.last else { return ModelError(problems: ordered) }
    let note = ModelProblem(
      .modelTooManyProblems, at: last.position, found: "more than \(Self.countMax)")
    return ModelError(problems: ordered + [note])
  }

  package mutating func add(
    _ code: ErrorCode, at position: TextPosition, subject: String = "", key: String = "",
    found: String = "", expected: String = "", suggestion: String? = nil
  ) {
    guard problems.count < Self.countMax else {
      hasMore = true
      return
    }
    let position = SourcePosition(file: file, line: position.line, column: position.column)
    problems.append(
      ModelProblem(
        code, at: position, subject: subject, key: key, found: found, expected: expected,
        suggestion: suggestion))
  }

  /// The name that was most likely meant; `nil` too when the search has become too long.
  package mutating func nearest(to name: String, among names: some Sequence<String>) -> String? {
    guard !hasMore, lettersCompared < Self.lettersMax else { return nil }
    let length = min(name.unicodeScalars.count, 64)
    var candidates: [String] = []
    for candidate in names {
      let candidateLength = min(candidate.unicodeScalars.count, 64)
      lettersCompared += 1
      guard abs(length - candidateLength) <= max(1, max(length, candidateLength) / 3) else {
        continue
      }
      lettersCompared += length * candidateLength
      guard lettersCompared < Self.lettersMax else { return nil }
      candidates.append(candidate)
    }
    return NearestName.of(name, among: candidates)
  }
}
