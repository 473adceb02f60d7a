import CopalCodegen
import CopalModel
import CopalTestSupport
import Foundation
import Testing

@Suite("The time to type-check calls of generated initializers")
struct InitializerTimeTests {
  /// The types of the attributes in turn, and a value of each: a literal, or a calculation of them.
  private static let values: [(type: String, value: String)] = [
    (#""string?""#, #""text""#), (#""integer64?""#, "5 * 2 + 1"), (#""double""#, "1.5 * 2 - 1"),
    (#""decimal?""#, "12.5"), (#""boolean?""#, "true && !false"), (#""date?""#, ".now"),
    (#"{ "type": "integer16", "default": 1 }"#, "-3"),
    (#"{ "type": "string?", "cases": ["red", "blue"] }"#, ".red"),
    (#""integer32?""#, "nil"), (#""float?""#, "2 + 0.5"),
  ]

  @Test("ten calls with 3, 10 or 60 arguments take less than a second", arguments: [3, 10, 60])
  func calls(count: Int) throws {
    let names = (0..<count).map { "a\($0)" }
    let attributes = names.enumerated().map { index, name in
      "\"\(name)\": \(Self.values[index % Self.values.count].type)"
    }
    let json = """
      { "copal": 1, "model": "Wide",
        "entities": { "Wide": { "attributes": { \(attributes.joined(separator: ", ")) } } } }
      """
    let model = try ManagedObjectModel(json: json, file: "Wide.model.json")
    let code = try CodeGenerator(model, file: "Wide.model.json", text: json).swiftText()
    // The required ones, here the doubles, first.
    let order = names.indices.filter { $0 % 10 == 2 } + names.indices.filter { $0 % 10 != 2 }
    let arguments = order.map { "\(names[$0]): \(Self.values[$0 % Self.values.count].value)" }
    let call = "Wide(context: context, \(arguments.joined(separator: ", ")))"
    let calls = Array(repeating: "  _ = \(call)\n", count: 10).joined()
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "Calls.swift")
    try "\(code)\nfunc make(_ context: ManagedObjectContext) {\n\(calls)}\n"
      .write(to: file, atomically: true, encoding: .utf8)
    // A tenth of the second for each of the ten.
    let (succeeds, output) = try Compiler().check(file, longestExpression: 100)
    #expect(succeeds && !output.contains("warning:"), "\(output)")
  }
}
