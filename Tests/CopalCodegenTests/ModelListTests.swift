import Foundation
import Testing

/// Nothing can import a plugin, so the two files are part of this target as well, by the links in `Plugin`.
@Suite("The list of models that the plugin reads")
struct ModelListTests {
  private func read(_ text: String) throws -> [String] {
    var reader = ModelListReader(bytes: Array(text.utf8), file: "copal.json")
    return try reader.read().map { "\($0.place) \($0.path)" }
  }

  @Test("gives each path with its line and column")
  func places() throws {
    let list =
      "\u{FEFF}{ // the list\r\n  \"models\": [ \"a\\/b.model.json\",\n\n\t\"ü\", // \"no\"\n \"c\",\n] }\n"
    #expect(
      try read(list) == ["copal.json:2:15 a/b.model.json", "copal.json:4:2 ü", "copal.json:5:2 c"])
    #expect(try read("\u{FEFF}{\"models\":[\"a\"]}") == ["copal.json:1:12 a"])
  }

  static let mistakes: [(text: String, sentence: String)] = [
    ("{}", #"1:1: error: "models" is missing: { "models": ["PATH"] }"#),
    (#"{ "modles": [] }"#, #"1:3: error: unknown key 'modles'; a copal.json has "models" only"#),
    ("{\n \"models\": [\"a\",\n  \"a\"] }", "3:3: error: 'a' is listed twice"),
    (#"{ "models": [], "models": [] }"#, #"1:17: error: "models" is there twice"#),
    ("{ \"models\": [\"a\n\"] }", "1:14: error: the string does not end on its line"),
    (#"{ "models": ["\n"] }"#, #"1:15: error: only \", \\ and \/ can be escaped here"#),
    ("{ \"models\": [\n a] }", "2:2: error: 'a' stands where a path in double quotes should"),
    ("{ \"models\": [] }\n x", "2:2: error: 'x' stands where the end of the file should"),
    (
      "{ \"models\": [",
      "1:14: error: the end of the file stands where a path in double quotes should"
    ),
  ]

  @Test("tells the place of a mistake", arguments: mistakes)
  func mistake(text: String, sentence: String) {
    let error = #expect(throws: ModelList.Diagnostic.self) { try read(text) }
    #expect(error?.description == "copal.json:" + sentence)
  }

  @Test("may be long: each path is looked at once, and so is each line")
  func length() throws {
    let paths = (0..<20_000).map { "\"Models/Model\($0).model.json\"" }
    let found = try read("{ \"models\": [\n\(paths.joined(separator: ",\n"))\n] }")
    #expect(found.count == 20_000)
    #expect(found.last == "copal.json:20001:1 Models/Model19999.model.json")
  }
}
