import CopalTestSupport
import Foundation
import Testing

@Suite("The questions of Docs/Querying.md")
struct QuestionPageTests {
  /// What one form of a question finds and sends.
  struct Answer {
    var result = ""
    var statements: [String] = []
    var lines: [Substring] = []
  }

  /// Runs the program of the page. The answers have the numbers of their questions, and of the
  /// forms in them.
  private static func answers(_ page: QuestionPage) throws -> [[Int]: Answer] {
    let folder = try TemporaryFolder()
    let (program, messages) = try page.program.build(in: folder.url)
    let path = try #require(program?.path(percentEncoded: false), "\(messages.prefix(6000))")
    #expect(!messages.contains("warning:"), "\(messages.prefix(6000))")
    let home = folder.url.path(percentEncoded: false)
    let found = try Command.run(
      path,
      environment: [
        "XDG_DATA_HOME": home, "CFFIXED_USER_HOME": home, "HOME": home, "TMPDIR": home,
      ])
    #expect(found.status == 0, "\(found.output.suffix(3000))")
    var answers: [[Int]: Answer] = [:]
    var key: [Int] = []
    var isResult = false
    for line in found.output.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("== ") {
        key = line.dropFirst(3).split(separator: " ").compactMap { Int($0) }
        (answers[key], isResult) = (Answer(), false)
      } else if line.hasPrefix("= ") {
        answers[key]?.result = String(line.dropFirst(2))
        isResult = true
      } else if line.hasPrefix("SELECT") || line.hasPrefix("WITH") {
        if !isResult { answers[key]?.statements.append(String(line)) }
      } else if isResult {
        if !line.isEmpty { answers[key]?.result += "\n" + line }
      } else {
        answers[key]?.lines.append(line)
      }
    }
    return answers
  }

  /// A statement as the page shows it.
  private static func shown(_ statement: String) -> String {
    statement.replacing(
      /^SELECT "copal_id", "copal_version".*? FROM (?="\w+")/, with: "SELECT … FROM ")
  }

  @Test("every form of a question finds the same, with the statement of the page")
  func questions() throws {
    let page = try QuestionPage()
    #expect(page.questions.count >= 60)
    // The table has a row for each question, in the order of the page.
    #expect(page.rows == page.questions.map(\.title))
    let answers = try Self.answers(page)
    var equalConditions = 0
    var (foundationForms, equalStatements) = (0, 0)
    for (index, question) in page.questions.enumerated() {
      let typed = try #require(answers[[index, 0]], "\(question)")
      if !question.statement.isEmpty {
        let statement = try #require(typed.statements.last, "\(question) sends no statement")
        #expect(Self.shown(statement) == question.statement, "\(question)")
      }
      #expect(!typed.result.isEmpty, "\(question) finds nothing")
      if let output = question.output {
        #expect(
          typed.result.split(separator: "\n").map { Self.shown(String($0)) }
            .joined(separator: "\n") == output, "\(question)")
      }
      if question.foundation != nil {
        let found = try #require(answers[[index, 2]], "\(question)")
        #expect(found.result == typed.result, "\(question)")
        foundationForms += 1
        if found.statements == typed.statements { equalStatements += 1 }
      }
      guard question.queries.count > 1 else { continue }
      let text = try #require(answers[[index, 1]], "\(question)")
      #expect(text.result == typed.result, "\(question)")
      #expect(text.statements.last.map(Self.shown) == question.statement, "\(question)")
      if text.lines.contains("same") { equalConditions += 1 }
      // A condition that finds all objects, or none, shows nothing.
      for line in text.lines where line.hasPrefix("some of all: ") {
        let counts = line.split(separator: " ").suffix(2).compactMap { Int($0) }
        #expect(counts.count == 2 && counts[0] > 0 && counts[0] < counts[1], "\(question): \(line)")
      }
    }
    // The other texts have ANY, ALL or a literal of another type. Their SQL is the same.
    #expect(equalConditions >= 45, "\(equalConditions)")
    // The others say the same with other conditions, as a range in place of a rounded number.
    #expect(foundationForms >= 60 && equalStatements >= 53, "\(foundationForms) \(equalStatements)")
  }
}
