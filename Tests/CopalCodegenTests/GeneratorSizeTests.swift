import CopalCodegen
import CopalModel
import CopalTestTools
import Testing

@Suite("The code of a very large model")
struct GeneratorSizeTests {
  /// Families of ten entities, with attributes, relationships, enums and requests.
  private static func model(entityCount: Int) -> String {
    let entities = (0..<entityCount).map { index in
      let parent = index % 10 == 0 ? "" : #""parent": "Layer\#(index / 10 * 10)","#
      let (next, last) = ((index + 1) % entityCount, (index + entityCount - 1) % entityCount)
      return #"""
        "Layer\#(index)": { \#(parent) "attributes": {
          "a\#(index)": "string", "b\#(index)": "integer16?", "c\#(index)": "date?",
          "d\#(index)": { "type": "string", "cases": ["low", "high"] } },
        "relationships": {
          "up\#(index)": { "type": "Layer\#(next)?", "inverse": "down\#(next)" },
          "down\#(index)": { "type": "[Layer\#(last)]", "inverse": "up\#(last)" } },
        "fetchRequests": { "found\#(index)": "a\#(index) == $name" } }
        """#
    }
    return #"{ "copal": 1, "model": "Layers", "entities": {"# + entities.joined(separator: ",\n")
      + "} }"
  }

  private static func secondsToGenerate(_ entityCount: Int) throws -> Double {
    let json = model(entityCount: entityCount)
    let model = try ManagedObjectModel(json: json, file: "Layers.model.json")
    let start = ProcessorTime.ofThread
    let text = try CodeGenerator(model, file: "Layers.model.json", text: json).swiftText()
    #expect(text.contains("class Layer\(entityCount - 1)"))
    return ProcessorTime.ofThread - start
  }

  @Test("the time grows with the number of entities, and not with its square")
  func isLinear() throws {
    _ = try Self.secondsToGenerate(10)
    let small = try Self.secondsToGenerate(250)
    let large = try Self.secondsToGenerate(2000)
    // Eight times as many: 64 times the time if it were the square.
    #expect(large / small < 16, "\(small) s and \(large) s")
  }
}
