import CopalTestSupport
import Foundation
import Testing

@Suite("copal-gen")
struct GenerationToolTests {
  private static let usage = """
    usage: copal-gen --model NAME.model.json --output NAME+Copal.swift [--module MODULE]
                     [--beside OTHER.model.json]...
                     [--missing PRODUCT --target TARGET --dependency LINE]
                     [--warnings error]

    """

  @Test("copal-gen prints its usage for --help and -h", arguments: ["--help", "-h"])
  func help(word: String) throws {
    let result = try Program("copal-gen").run([word])
    #expect(result.status == 0 && result.output == Self.usage && result.errors.isEmpty)
  }

  @Test("copal-gen reports invalid arguments", arguments: [[], ["--model"], ["--colour"]])
  func wrongArguments(words: [String]) throws {
    let result = try Program("copal-gen").run(words)
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.hasPrefix("error: ") && result.errors.hasSuffix(Self.usage))
  }

  @Test("row 29: copal-gen prints warnings, and writes no file when they are errors")
  func warnings() throws {
    let folder = try TemporaryFolder()
    let model = folder.url.appending(path: "Inks.model.json")
    let output = folder.url.appending(path: "Inks+Copal.swift")
    let text = """
      {
        "copal": 1, "model": "Inks", "imports": ["Paint"],
        "entities": { "Ink": { "attributes": {
          "color": { "type": "transformable?", "class": "Tint", "transformer": "NSKeyedUnarchiveFromData" }
        } } }
      }
      """
    try text.write(to: model, atomically: true, encoding: .utf8)
    func run(_ more: String...) throws -> Program.Result {
      try Program("copal-gen").run(
        [
          "--model", model.path(percentEncoded: false), "--output",
          output.path(percentEncoded: false),
        ]
          + more)
    }
    let strict = try run("--warnings", "error")
    #expect(
      strict.status == 1 && strict.errors.contains(": error: Ink.color uses the transformer"))
    #expect(!FileManager.default.fileExists(atPath: output.path(percentEncoded: false)))
    let usual = try run()
    #expect(
      usual.status == 0 && usual.errors.contains(": warning: Ink.color uses the transformer"))
    #expect(FileManager.default.fileExists(atPath: output.path(percentEncoded: false)))
    #expect(try run("--warnings", "none").status == 64)
  }
}
