import Foundation
import Testing

@Suite("copal-gen")
struct GenerationToolTests {
  private static let usage = """
    usage: copal-gen --model NAME.model.json --output NAME+Copal.swift [--module MODULE]
                     [--beside OTHER.model.json]...
                     [--missing PRODUCT --target TARGET --dependency LINE]

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
}
