import CopalModel
import Testing

@Suite("The JSON reader")
struct JSONReaderTests {
  private func read(_ json: String) throws -> JSONNode { try JSONNode(json: json, file: "t.json") }

  private func problems(_ json: String) -> [String] {
    do {
      _ = try read(json)
      return []
    } catch let error as ModelError {
      return error.problems.map { "\($0.position.line):\($0.position.column) \($0.code)" }
    } catch {
      return ["\(error)"]
    }
  }

  @Test(
    "the JSON reader reads every kind of value",
    arguments: [
      ("null", JSONNode.Kind.null), ("true", .boolean(true)), ("false", .boolean(false)),
      ("-0.50e+10", .number("-0.50e+10")), (#""""#, .string("")), ("[]", .array([])),
      ("{}", .object([])), (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
      (#""\u00e9 \uD83C\uDFA8""#, .string("é 🎨")), (#""好看的颜色呀!^_^""#, .string("好看的颜色呀!^_^")),
      ("\u{FEFF}1", .number("1")), ("// a note\n/* another\n */ 1 // and one more", .number("1")),
    ])
  func values(json: String, kind: JSONNode.Kind) throws {
    #expect(try read(json).kind == kind)
  }

  @Test func `the JSON reader accepts trailing commas and keeps the order of keys`() throws {
    let node = try read(#"{ "b": [1, 2,], "a": 3, }"#)
    guard case .object(let members) = node.kind else { return #expect(Bool(false)) }
    #expect(members.map(\.key) == ["b", "a"])
  }

  @Test func `the JSON reader gives the positions of keys and values in UTF-8 bytes`() throws {
    let node = try read("{\r\n  \"é\": 1, \"b\":\r\n    [true]\r}")
    guard case .object(let members) = node.kind else { return #expect(Bool(false)) }
    #expect(
      members.map(\.position) == [
        TextPosition(line: 2, column: 3), TextPosition(line: 2, column: 12),
      ])
    #expect(
      members.map(\.value.position) == [
        TextPosition(line: 2, column: 9), TextPosition(line: 3, column: 5),
      ])
  }

  @Test(
    "the JSON reader reports invalid JSON",
    arguments: [
      ("", ["1:1 model.unexpectedEnd"]),
      ("// nothing", ["1:11 model.unexpectedEnd"]),
      ("nul", ["1:1 model.syntax"]),
      ("[1 2]", ["1:4 model.syntax"]),
      ("[,1]", ["1:2 model.syntax"]),
      ("[1,,2]", ["1:4 model.syntax"]),
      ("[1] 2", ["1:5 model.syntax"]),
      ("[1}", ["1:3 model.syntax"]),
      (#"{"a": [1, {"b": 2]}"#, ["1:18 model.syntax"]),
      (
        #"{"a" 1, "b": ?, "c" []}"#, ["1:6 model.syntax", "1:14 model.syntax", "1:21 model.syntax"]
      ),
      (#"{"a": 1, "b": 2, "a": 3}"#, ["1:18 model.duplicateKey"]),
      ("{\"a\": 1, \"\u{E9}\": 2, \"e\u{301}\": 3}", ["1:19 model.duplicateKey"]),
      (
        #"[-, 01, 1., .1, 1e, +1, 0x1, NaN]"#,
        [
          "1:2 model.invalidNumber", "1:5 model.invalidNumber", "1:9 model.invalidNumber",
          "1:13 model.invalidNumber", "1:17 model.invalidNumber", "1:21 model.invalidNumber",
          "1:25 model.invalidNumber", "1:30 model.syntax",
        ]
      ),
      (
        #"["\x", "\uD800", "\uDC00", "\uD800\u0041", "\u12"]"#,
        [
          "1:3 model.invalidEscape", "1:9 model.invalidEscape", "1:19 model.invalidEscape",
          "1:29 model.invalidEscape", "1:45 model.invalidEscape",
        ]
      ),
      ("[\"a\tb\", \"a\u{0}b\"]", ["1:4 model.controlCharacter", "1:11 model.controlCharacter"]),
      ("[\"a,\n\"b\",\n\"c\"]", ["1:2 model.unterminatedString"]),
      ("[1] /* no end", ["1:5 model.unterminatedComment"]),
      ("{\"a\": 1", ["1:8 model.unexpectedEnd"]),
    ])
  func mistakes(json: String, expected: [String]) {
    #expect(problems(json) == expected)
  }

  @Test func `the JSON reader continues after a mistake and keeps the readable parts`() {
    var reader = JSONReader(Array(#"{"a": 1 "b": oops, "c": [1, !, 3], d: 4}"#.utf8), file: "t")
    let node = reader.read()
    #expect(node["a"]?.kind == .number("1"))
    #expect(node["b"]?.isBroken == true)
    #expect(node["d"]?.kind == .number("4"))
    #expect(reader.problems.error?.problems.count == 4)
    #expect(reader.damage == .values)
  }

  @Test func `a JSON text that is not UTF-8 is refused at its first invalid byte`() {
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(json: [0x7B, 0x0A, 0x20, 0xC3, 0x28], file: "t")
    }
    #expect(error?.problems.map(\.code) == [.invalidUTF8])
    #expect(error?.problems.first?.position == ModelProblem.Position(file: "t", line: 2, column: 2))
  }

  @Test func `a written JSON text reads back to an equal tree`() throws {
    let json = #"{"a":[1,[],{},{"b":[null,true,"\u0001\"\\\n é🎨\u2028"]}],"c":-1.50e-3}"#
    let text = try read(json).text
    #expect(try read(text).text == text)
    #expect(try withoutPositions(read(text)) == withoutPositions(read(json)))
  }

  private func withoutPositions(_ node: JSONNode) -> JSONNode {
    switch node.kind {
    case .array(let elements): JSONNode(.array(elements.map(withoutPositions)))
    case .object(let members):
      JSONNode(.object(members.map { JSONMember($0.key, withoutPositions($0.value)) }))
    default: JSONNode(node.kind)
    }
  }
}
