import CopalModel
import Testing

@Suite("Hostile model files")
struct HostileModelTests {
  @Test("nesting of any depth is one problem or two", arguments: ["[", "{\"a\":", "[[{\"a\":"])
  func nesting(opening: String) {
    let deep = Array(String(repeating: opening, count: 100_000).utf8)
    #expect((1...2).contains(problems(in: deep).count))
    #expect(problems(in: deep).first?.code == .modelTooDeep)
  }

  @Test func `fifty megabytes are read or refused, and never crash`() {
    let opening = Array(#"{ "copal": 1, "model": "Atelier", "entities": {}, "doc": ""#.utf8)
    let text =
      opening + [UInt8](repeating: UInt8(ascii: "x"), count: 50_000_000) + Array(#""}"#.utf8)
    #expect(problems(in: text).isEmpty)
  }

  @Test func `too many bytes or values are refused`() {
    let bytes = [UInt8](repeating: UInt8(ascii: " "), count: JSONReader.sizeMax + 1)
    #expect(problems(in: bytes).map(\.code) == [.modelTooLarge])
    let values =
      Array("[".utf8)
      + Array(repeatElement([0x31, 0x2C] as [UInt8], count: JSONReader.valueCountMax + 1).joined())
    #expect(problems(in: values).map(\.code) == [.modelTooLarge])
  }

  @Test func `ten thousand entities are checked in five seconds`() {
    let entities = (0..<10_000).map { index in
      let (next, last) = ((index + 1) % 10_000, (index + 9_999) % 10_000)
      let parent = index % 10 == 0 ? "" : #""parent": "Layer\#(index - 1)","#
      return #"""
        "Layer\#(index)": { \#(parent) "attributes": {
          "a\#(index)": "string?",
          "b\#(index)": { "type": "integer16", "default": 5, "minimum": 0 },
          "c\#(index)": { "type": "date", "default": "now" } },
        "relationships": {
          "up\#(index)": { "type": "Layer\#(next)?", "inverse": "down\#(next)" },
          "down\#(index)": { "type": "Layer\#(last)?", "inverse": "up\#(last)" } },
        "unique": ["a\#(index)"], "indexes": [["b\#(index)", "c\#(index)"]] }
        """#
    }
    let json =
      #"{ "copal": 1, "model": "Layers", "entities": {"# + entities.joined(separator: ",\n") + "} }"
    let start = ContinuousClock.now
    #expect(problems(in: json) == [])
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func `ten thousand mistakes end in a note after the first five hundred`() {
    let attributes = (0..<10_000).map { #""a\#($0)": "sting\#($0)""# }.joined(separator: ",\n")
    let unique = (0..<10_000).map { #""b\#($0)""# }.joined(separator: ",\n")
    let found = problems(
      in: Array(
        pigmentModel(
          #""attributes": { \#(attributes) }, "unique": [\#(unique)]"#
        ).utf8))
    #expect(found.count == 501)
    #expect(found.last?.code == .modelTooManyProblems)
    let start = ContinuousClock.now
    let strings = attributes.replacing(/"sting\d+"/, with: "\"string\"")
    let named = problems(
      in: Array(pigmentModel(#""attributes": { \#(strings) }, "unique": [\#(unique)]"#).utf8))
    #expect(named.count == 501)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func `an entity has at most 1,990 stored attributes, inherited ones included`() {
    func attributes(_ range: Range<Int>) -> String {
      range.map { #""a\#($0)": "integer""# }.joined(separator: ",")
    }
    #expect(problems(in: pigmentModel(#""attributes": { \#(attributes(0..<1990)) }"#)) == [])
    let found = problems(
      in: Array(
        #"""
        { "copal": 1, "model": "Atelier", "entities": {
          "Material": { "attributes": { \#(attributes(0..<1000)) } },
          "Paint": { "parent": "Material", "attributes": { \#(attributes(1000..<1991)) } } } }
        """#.utf8))
    #expect(found.map(\.code) == [.modelTooManyAttributes])
    #expect(found.first?.subject == "Paint")
    #expect(found.first?.found == "1991")
    #expect(found.first?.expected == "1990")
  }

  @Test func `a chain or circle of ten thousand parents is one problem`() {
    func chain(_ last: String) -> [UInt8] {
      let entities =
        (0..<10_000).map { #""L\#($0)": { "parent": "L\#($0 + 1)" }"# } + [#""L10000": {\#(last)}"#]
      return Array(
        (#"{ "copal": 1, "model": "Chain", "entities": {"# + entities.joined(separator: ",") + "} }")
          .utf8)
    }
    #expect(problems(in: chain("")).map(\.code) == [.modelInheritanceTooDeep])
    #expect(problems(in: chain(#""parent": "L0""#)).map(\.code) == [.modelInheritanceCycle])
  }

  @Test("a file cut anywhere is a problem inside it", arguments: try Repository.goodModels())
  func truncation(path: String) throws {
    let text = Array(try Repository.text(path).utf8)
    let end = text.lastIndex(of: UInt8(ascii: "}")) ?? 0
    for length in 0...end { #expect(problems(in: Array(text[..<length])).isEmpty == false) }
  }

  @Test(
    "patterns that would end the process are refused",
    arguments: [
      String(repeating: "[", count: 900), String(repeating: "(", count: 900),
      String(repeating: "a", count: 2000), "a{99999999999999999999}", "[", "(?<n", "*",
    ])
  func patterns(pattern: String) {
    #expect(
      codes(ofAttribute: #"{ "type": "string", "pattern": "\#(pattern)" }"#) == [
        .modelInvalidPattern
      ])
  }

  @Test(
    "patterns that take for ever are not tried", .timeLimit(.minutes(1)),
    arguments: [
      "(a*)*b", "(a|a)*b", "(((((a?){1000}){1000}){1000}){1000}){1000}", "a*a*a*a*a*b",
    ])
  func slowPatterns(pattern: String) {
    let text = String(repeating: "a", count: 60)
    #expect(
      codes(ofAttribute: #"{ "type": "string", "pattern": "\#(pattern)", "default": "\#(text)" }"#)
        == [])
  }
}
