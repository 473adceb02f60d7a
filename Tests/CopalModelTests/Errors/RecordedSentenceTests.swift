import CopalModel
import CopalTestTools
import Foundation
import Testing

/// The sentences of the problems of models. Those of texts are in `Tests/References/Sentences/CopalModel.txt`: a line
/// `> …` is a text, and below it are the sentences of its problems.
@Suite("The sentence of a problem of a model", .serialized)
struct RecordedSentenceTests {
  /// What no file of a person has, or what would be too large.
  private static let madeByHand: [ModelProblem] = [
    problem(.unreadable, found: "The file doesn’t exist."),
    problem(.tooLarge, found: "more than 4000000 values", expected: "4000000 values"),
    problem(.invalidUTF8, found: "the byte 0xFF", expected: "UTF-8"),
    problem(.tooDeep, expected: "64 levels"),
    problem(.tooManyProblems, found: "more than 500"),
    problem(.nameTooLong, found: "256", expected: "255"),
    problem(.tooManyAttributes, subject: "Pigment", found: "1991", expected: "1990"),
    problem(.inheritanceTooDeep, subject: "Pigment", expected: "32"),
    problem("cloud.noPlace", subject: "Pigment", found: "a", expected: "b", suggestion: "c"),
  ]

  private static func problem(
    _ code: ModelError.Code, subject: String = "", found: String = "", expected: String = "",
    suggestion: String? = nil
  ) -> ModelProblem {
    let position = ModelProblem.Position(file: "Test.model.json", line: 1, column: 1)
    return ModelProblem(
      code, at: position, subject: subject, found: found, expected: expected,
      suggestion: suggestion)
  }

  @Test("says what was found and what to write, as it is recorded")
  func recorded() throws {
    let now = try Self.sections().map { section in
      let cases = try section.texts.map { text in
        let sentences = try Self.sentences(of: section.isMembers ? pigmentModel(text) : text)
        return "> \(Self.shown(text))\n" + sentences.joined(separator: "\n")
      }
      return section.title + "\n\n" + cases.joined(separator: "\n\n") + "\n"
    }
    let byHand = try Self.madeByHand.map { try Self.withoutPosition($0.description) }
    let all = now + ["# Made by hand\n\n" + byHand.joined(separator: "\n\n") + "\n"]
    #expect(try Self.file.differences(from: all.joined(separator: "\n")) == [])
  }

  private static let file = RecordedText("CopalModel")

  private struct Section {
    var title: String
    var texts: [String] = []
    /// Whether the texts are members of the entity `Pigment`; else they are whole files.
    var isMembers: Bool { title.contains("Members") }
  }

  /// The texts of the file.
  private static func sections() throws -> [Section] {
    var all: [Section] = []
    for line in try file.text().components(separatedBy: "\n") {
      if line.hasPrefix("# ") { all.append(Section(title: line)) }
      if line.hasPrefix("> "), !all.isEmpty {
        let text = String(line.dropFirst(2)).replacing("⏎", with: "\n").replacing("⇥", with: "\t")
        all[all.count - 1].texts.append(text)
      }
    }
    return all.filter { $0.title != "# Made by hand" }
  }

  /// A text on one line.
  private static func shown(_ text: String) -> String {
    text.replacing("\n", with: "⏎").replacing("\t", with: "⇥")
  }

  private static func sentences(of json: String) throws -> [String] {
    try problems(in: Array(json.utf8)).map { try withoutPosition($0.description) }
  }

  private static func withoutPosition(_ description: String) throws -> String {
    let mark = try #require(description.range(of: ": error: "))
    return String(description[mark.upperBound...])
  }

  @Test("is recorded for every code, and the guide to errors shows one of them")
  func everyCode() throws {
    let all = try Self.file.text().components(separatedBy: "\n")
    #expect(try ErrorPage.missing(ModelError.Code.all.map(\.rawValue), of: all) == [])
  }

  @Test("stands after the position, as a compiler prints it")
  func position() {
    let problem = problems(in: Array(#"{ "copal": 2 }"#.utf8)).first
    #expect(
      problem?.description.hasPrefix("Test.model.json:1:12: error: the model file has format 2")
        == true)
  }

  @Test("has one line of limited length, whatever the file contains")
  func oneLine() throws {
    let name = "\\n\\u0007\\u202E" + String(repeating: "x", count: 100_000)
    let json = pigmentModel(#""\#(name)": 1"#)
    let sentence = try #require(problems(in: Array(json.utf8)).first?.description)
    #expect(sentence.count < 400)
    #expect(!sentence.contains { $0.isNewline })
    #expect(!sentence.unicodeScalars.contains("\u{202E}"))
  }
}
