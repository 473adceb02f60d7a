import CopalEssentials

/// The problems found so far in one file, up to a limit.
package struct ProblemList: Sendable {
  /// The greatest number of problems that are reported; a last one says that there are more.
  package static let maximumCount = 500
  /// The limit of comparisons in search of suggestions, for all problems together. Each wrong name
  /// is compared with all names, and a hostile file can have many of both.
  private static let maximumComparisonCount = 1_000_000

  private let file: String
  private var problems: [ModelProblem] = []
  private var hasMore = false
  private var comparisonCount = 0

  package init(file: String) { self.file = file }

  /// Whether further problems are dropped.
  package var isFull: Bool { hasMore }

  /// The problems in the order of the file; `nil` if there is none.
  package var error: ModelError? {
    guard !problems.isEmpty else { return nil }
    let ordered = problems.enumerated().inOrder {
      ($0.element.position.line, $0.element.position.column, $0.offset)
        < ($1.element.position.line, $1.element.position.column, $1.offset)
    }.map(\.element)
    guard hasMore, let last = ordered.last else { return ModelError(problems: ordered) }
    let note = ModelProblem(
      .tooManyProblems, at: last.position, found: "more than \(Self.maximumCount)")
    return ModelError(problems: ordered + [note])
  }

  @inline(never)
  package mutating func add(
    _ code: ModelError.Code, at position: TextPosition, subject: String = "", key: String = "",
    found: String = "", expected: String = "", suggestion: String? = nil
  ) {
    guard problems.count < Self.maximumCount else {
      hasMore = true
      return
    }
    let position = ModelProblem.Position(file: file, line: position.line, column: position.column)
    problems.append(
      ModelProblem(
        code, at: position, subject: subject, key: key, found: found, expected: expected,
        suggestion: suggestion))
  }

  /// The most similar name; `nil` also when the limit of comparisons is reached.
  @inline(never)
  package mutating func nearest(to name: String, among names: some Sequence<String>) -> String? {
    guard allowsComparisons(0) else { return nil }
    let length = Self.length(of: name)
    var candidates: [String] = []
    for candidate in names {
      let candidateLength = Self.length(of: candidate)
      guard allowsComparisons(1) else { return nil }
      guard abs(length - candidateLength) <= max(1, max(length, candidateLength) / 3) else {
        continue
      }
      guard allowsComparisons(length * candidateLength) else { return nil }
      candidates.append(candidate)
    }
    return NearestName.of(name, among: candidates)
  }

  /// Counts comparisons in search of a suggestion, and returns whether they are within the limit.
  mutating func allowsComparisons(_ count: Int) -> Bool {
    comparisonCount += count
    return !hasMore && comparisonCount < Self.maximumComparisonCount
  }

  /// The number of characters of a name that are compared.
  private static func length(of name: String) -> Int {
    name.unicodeScalars.prefix(NearestName.maximumLength).count
  }
}
