import Foundation
import Testing

/// A plugin cannot be imported, so symbolic links in `Plugin` make its two files a part of this
/// target.
@Suite("The file copal.json")
struct ModelListTests {
  private func read(_ text: String) throws -> [String] {
    var reader = ModelListReader(bytes: Array(text.utf8), file: "copal.json")
    return try reader.read().entries.map { "\($0.location) \($0.path)" }
  }

  @Test("the reader of copal.json gives each path with its line and column")
  func places() throws {
    let list =
      "\u{FEFF}{ // the list\r\n  \"models\": [ \"a\\/b.model.json\",\n\n\t\"ü\", // \"no\"\n \"c\",\n] }\n"
    #expect(
      try read(list) == ["copal.json:2:15 a/b.model.json", "copal.json:4:2 ü", "copal.json:5:2 c"])
    #expect(try read("\u{FEFF}{\"models\":[\"a\"]}") == ["copal.json:1:12 a"])
  }

  static let mistakes: [(text: String, sentence: String)] = [
    ("{}", #"1:1: error: "models" is missing: { "models": ["PATH"] }"#),
    (
      #"{ "modles": [] }"#,
      #"1:3: error: unknown key 'modles'; a copal.json has "models" and "warnings""#
    ),
    ("{\n \"models\": [\"a\",\n  \"a\"] }", "3:3: error: 'a' is listed twice"),
    (#"{ "models": [], "models": [] }"#, #"1:17: error: "models" appears twice"#),
    (#"{ "warnings": "none" }"#, #"1:15: error: "warnings" is 'none'; write "error" or "warning""#),
    ("{ \"models\": [\"a\n\"] }", "1:14: error: the string does not end on its line"),
    (#"{ "models": ["\n"] }"#, #"1:15: error: only \", \\ and \/ can be escaped here"#),
    ("{ \"models\": [\n a] }", "2:2: error: found 'a'; expected a path in double quotes"),
    ("{ \"models\": [] }\n x", "2:2: error: found 'x'; expected the end of the file"),
    (
      "{ \"models\": [",
      "1:14: error: found the end of the file; expected a path in double quotes"
    ),
  ]

  @Test("the reader of copal.json reports the line and column of a mistake", arguments: mistakes)
  func mistake(text: String, sentence: String) {
    let error = #expect(throws: ModelList.Diagnostic.self) { try read(text) }
    #expect(error?.description == "copal.json:" + sentence)
  }

  @Test("row 29: a copal.json can make the warnings of models errors")
  func warnings() throws {
    func areErrors(_ text: String) throws -> Bool {
      var reader = ModelListReader(bytes: Array(text.utf8), file: "copal.json")
      return try reader.read().warningsAreErrors
    }
    #expect(try areErrors(#"{ "models": ["a"], "warnings": "error" }"#))
    #expect(try areErrors(#"{ "warnings": "error" }"#))
    #expect(try !areErrors(#"{ "warnings": "warning", "models": ["a"] }"#))
    #expect(try !areErrors(#"{ "models": ["a"] }"#))
  }

  @Test("a copal.json of 20,000 paths is read in linear time")
  func length() throws {
    let paths = (0..<20_000).map { "\"Models/Model\($0).model.json\"" }
    let found = try read("{ \"models\": [\n\(paths.joined(separator: ",\n"))\n] }")
    #expect(found.count == 20_000)
    #expect(found.last == "copal.json:20001:1 Models/Model19999.model.json")
  }
}
