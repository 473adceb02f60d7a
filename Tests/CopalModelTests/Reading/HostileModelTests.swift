import CopalModel
import Foundation
import Testing

@Suite("Hostile model files")
struct HostileModelTests {
  @Test(
    "a model file nested to any depth is one problem or two",
    arguments: ["[", "{\"a\":", "[[{\"a\":"])
  func nesting(opening: String) {
    let deep = Array(String(repeating: opening, count: 100_000).utf8)
    #expect((1...2).contains(problems(in: deep).count))
    #expect(problems(in: deep).first?.code == .tooDeep)
  }

  /// Whether the tests are those of a deep run, which sets `COPAL_MUTATIONS`.
  private static let isDeep = ProcessInfo.processInfo.environment["COPAL_MUTATIONS"] != nil

  @Test func `a model file of many megabytes is read or refused, and never crashes`() {
    let opening = Array(#"{ "copal": 1, "model": "Atelier", "entities": {}, "doc": ""#.utf8)
    let text =
      opening + [UInt8](repeating: UInt8(ascii: "x"), count: Self.isDeep ? 50_000_000 : 5_000_000)
      + Array(#""}"#.utf8)
    #expect(problems(in: text).isEmpty)
  }

  @Test func `a model file with too many bytes or values is refused`() {
    let bytes = [UInt8](repeating: UInt8(ascii: " "), count: JSONReader.maximumSize + 1)
    #expect(problems(in: bytes).map(\.code) == [.tooLarge])
    let values =
      Array(("[" + String(repeating: "1,", count: JSONReader.maximumValueCount + 1)).utf8)
    #expect(problems(in: values).map(\.code) == [.tooLarge])
  }

  @Test func `a model of ten thousand entities is read and checked`() {
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
    #expect(problems(in: json) == [])
  }

  @Test func `a model with ten thousand mistakes reports the first five hundred and a note`() {
    let attributes = (0..<10_000).map { #""a\#($0)": "sting\#($0)""# }.joined(separator: ",\n")
    let unique = (0..<10_000).map { #""b\#($0)""# }.joined(separator: ",\n")
    let found = problems(
      in: Array(
        pigmentModel(
          #""attributes": { \#(attributes) }, "unique": [\#(unique)]"#
        ).utf8))
    #expect(found.count == 501)
    #expect(found.last?.code == .tooManyProblems)
    let strings = attributes.replacing(/"sting\d+"/, with: "\"string\"")
    let named = problems(
      in: Array(pigmentModel(#""attributes": { \#(strings) }, "unique": [\#(unique)]"#).utf8))
    #expect(named.count == 501)
  }

  /// Texts that grow with their parameter. Each one once needed quadratic time or memory, or a
  /// large multiple of its size.
  static let growing: [(name: String, size: Int, text: @Sendable (Int) -> String)] = [
    (
      "a string where a uuid should be", 1_000_000,
      { model(#""id": { "type": "uuid", "default": "\#(String(repeating: "a", count: $0))" }"#) }
    ),
    (
      "an entity with a long name and many attributes", 200_000,
      { size in
        let attributes = (0..<size / 40).map { #""a\#($0)": "integer""# }.joined(separator: ",")
        return
          #"{ "copal": 1, "model": "M", "entities": { "\#(String(repeating: "x", count: size))": "#
          + #"{ "attributes": { \#(attributes) }, "relationships": { "r": 3, "s": 4 } } } }"#
      }
    ),
    (
      "a long name among those that a misspelled one is compared with", 1_000_000,
      { size in
        let unique = (0..<1000).map { #""\#(String(repeating: "y", count: 70))\#($0)""# }
        return model(
          #""\#(String(repeating: "x", count: size))": "integer""#,
          #""unique": [\#(unique.joined(separator: ","))]"#)
      }
    ),
    (
      "transients of which each depends on every other", 300,
      { size in
        let names = (0..<size).map { #""a\#($0)""# }
        let all = names.joined(separator: ",")
        return model(
          names.map {
            #"\#($0): { "type": "integer", "transient": true, "dependsOn": [\#(all)] }"#
          }.joined(separator: ","))
      }
    ),
    (
      "a chain of transients of which each depends on the first, too", 3_000,
      { size in
        let attributes = (0..<size).map { index in
          #""a\#(index)": { "type": "integer", "transient": true, "#
            + #""dependsOn": ["a\#(min(index + 1, size - 1))", "a0"] }"#
        }
        return model(attributes.joined(separator: ","))
      }
    ),
    (
      "relationships without an inverse", 5_000,
      { size in
        let relationships = (0..<size).map { #""r\#($0)": { "type": "[Other]" }"# }
        let others = (0..<size).map { #""s\#($0)": { "type": "[Other]", "inverse": "x" }"# }
        return #"{ "copal": 1, "model": "M", "entities": { "Pigment": { "relationships": {"#
          + relationships.joined(separator: ",") + #"} }, "Other": { "relationships": {"#
          + others.joined(separator: ",") + "} } } }"
      }
    ),
    (
      "accents in a row", 200_000,
      { model("\"x\(String(repeating: "\u{301}\u{316}", count: $0))\": \"integer\"") }
    ),
    (
      "a transformer's name", 500_000,
      {
        model(
          #""a": { "type": "transformable", "class": "A", "transformer": ""#
            + String(repeating: "x.", count: $0) + #"x" }"#)
      }
    ),
    (
      "an import", 500_000,
      {
        #"{ "copal": 1, "model": "M", "entities": {}, "imports": [""#
          + String(repeating: "x", count: $0) + #""] }"#
      }
    ),
    (
      "keys that mean nothing", 20_000,
      { size in
        let keys = (0..<size).map { #""k\#($0)": 1"# }.joined(separator: ",")
        return model(#""a": { "type": "integer", \#(keys) }"#)
      }
    ),
  ]

  private static func model(_ attributes: String, _ rest: String = "") -> String {
    pigmentModel(#""attributes": { \#(attributes) }"# + (rest.isEmpty ? "" : ", " + rest))
  }

  @Test(
    "the problems of a hostile model file stay short, for files of any size",
    arguments: growing.indices)
  func fewWords(index: Int) {
    let (name, size, text) = Self.growing[index]
    let found = problems(in: Array(text(size).utf8))
    #expect(!found.isEmpty && found.count <= 501, "\(name)")
    // A name of a megabyte appears as the subject of its own problems, and not in those of its
    // attributes.
    #expect(found.count { $0.subject.utf8.count > 600 } <= 2, "\(name)")
    #expect(found.count { $0.expected.utf8.count > 1200 } == 0, "\(name)")
    // The text of a cycle is cut, and all problems together are not longer than their lines.
    let cycles = found.filter { $0.code == .dependencyCycle }
    #expect(cycles.allSatisfy { $0.found.utf8.count < 1300 }, "\(name)")
  }

  @Test("the search for the nearest name has a limit of comparisons")
  func nearestNames() {
    final class Counter { var count = 0 }
    let counter = Counter()
    let names = (0..<100_000).lazy.map { index in
      counter.count += 1
      return "attribute\(index)"
    }
    var problems = ProblemList(file: "Test.model.json")
    for index in 0..<500 { _ = problems.nearest(to: "atribute\(index)", among: names) }
    #expect(counter.count <= 1_000_000)
  }

  @Test("a graph in which every edge closes a cycle is walked once")
  func cycles() {
    let count = 2_000
    // Each node has edges to the next node and to the first one.
    let cycles = Cycles.find(count: count) { $0 + 1 < count ? [$0 + 1, 0] : [0] }
    #expect(!cycles.isEmpty)
    #expect(cycles.reduce(0) { $0 + $1.count } <= 100_000)
    // A single cycle beyond the limit is reported anyway.
    let ring = Cycles.find(count: 150_000) { [($0 + 1) % 150_000] }
    #expect(ring.map(\.count) == [150_000])
  }

  @Test func `an entity and its subentities have at most 1,990 stored attributes together`() {
    func attributes(_ range: Range<Int>) -> String {
      range.map { #""a\#($0)": "integer""# }.joined(separator: ",")
    }
    #expect(problems(in: pigmentModel(#""attributes": { \#(attributes(0..<1990)) }"#)) == [])
    let found = problems(
      in: Array(
        #"""
        { "copal": 1, "model": "Atelier", "entities": {
          "Material": { "attributes": { \#(attributes(0..<1000)) } },
          "Paint": { "parent": "Material", "attributes": { \#(attributes(1000..<1500)) } },
          "Paper": { "parent": "Material", "attributes": { \#(attributes(1500..<1991)) } } } }
        """#.utf8))
    #expect(found.map(\.code) == [.tooManyAttributes])
    #expect(found.first?.subject == "Material")
    #expect(found.first?.found == "1991")
    #expect(found.first?.expected == "1990")
  }

  @Test("the columns of search count, too")
  func searchColumns() {
    func found(_ count: Int) -> [ModelProblem] {
      let attributes = (0..<count).map {
        #""a\#($0)": { "type": "string", "search": ["normalized", "case"] }"#
      }.joined(separator: ",")
      return problems(
        in: Array(
          #"{ "copal": 1, "model": "Wide", "entities": { "Wide": { "attributes": { \#(attributes) } } } }"#
            .utf8))
    }
    // Each attribute has three columns.
    #expect(found(663).isEmpty)
    #expect(found(664).map(\.code) == [.tooManyAttributes])
    #expect(found(664).first?.found == "1992")
  }

  @Test func `a chain or cycle of ten thousand parents is one problem`() {
    func chain(_ last: String) -> [UInt8] {
      let entities =
        (0..<10_000).map { #""L\#($0)": { "parent": "L\#($0 + 1)" }"# } + [#""L10000": {\#(last)}"#]
      return Array(
        (#"{ "copal": 1, "model": "Chain", "entities": {"# + entities.joined(separator: ",") + "} }")
          .utf8)
    }
    #expect(problems(in: chain("")).map(\.code) == [.inheritanceTooDeep])
    #expect(problems(in: chain(#""parent": "L0""#)).map(\.code) == [.inheritanceCycle])
  }

  @Test(
    "a model file cut at any byte is a problem at a position inside the file",
    arguments: try Repository.goodModels())
  func truncation(path: String) throws {
    let text = Array(try Repository.text(path).utf8)
    let end = text.lastIndex(of: UInt8(ascii: "}")) ?? 0
    // A prime number of bytes apart.
    for length in stride(from: 0, through: end, by: Self.isDeep ? 1 : 5) {
      #expect(problems(in: Array(text[..<length])).isEmpty == false)
    }
  }

  @Test(
    "a pattern that needs too much memory or stack is refused",
    arguments: [
      String(repeating: "[", count: 900), String(repeating: "(", count: 900),
      String(repeating: "a", count: 2000), "a{99999999999999999999}", "[", "(?<n", "*",
      #"(a){0}\\1"#, "(((((a?){1000}){1000}){1000}){1000}){1000}",
    ])
  func patterns(pattern: String) {
    #expect(
      codes(ofAttribute: #"{ "type": "string", "pattern": "\#(pattern)" }"#) == [
        .invalidPattern
      ])
  }

  @Test(
    "a default is checked in linear time by a pattern that takes exponential time in other engines",
    arguments: ["(a*)*b", "(a|a)*b", "(a+)+b", "a*a*a*a*a*b", "(a?){60}a{60}b"])
  func slowPatterns(pattern: String) {
    func codes(_ text: String) -> [ModelError.Code] {
      CopalModelTests.codes(
        ofAttribute: #"{ "type": "string", "pattern": "\#(pattern)", "default": "\#(text)" }"#)
    }
    let text = String(repeating: "a", count: 60)
    #expect(codes(text) == [.defaultBreaksRule])
    #expect(codes(text + "b") == [])
  }

  @Test func `a default that would take minutes to match is checked by the save`() {
    let pattern = "(xy|z){600}"
    let text = String(repeating: "x", count: 6_000_000)
    #expect(
      codes(ofAttribute: #"{ "type": "string", "pattern": "\#(pattern)", "default": "\#(text)" }"#)
        == [])
    #expect(
      codes(ofAttribute: #"{ "type": "string", "pattern": "\#(pattern)", "default": "x" }"#)
        == [.defaultBreaksRule])
  }
}
