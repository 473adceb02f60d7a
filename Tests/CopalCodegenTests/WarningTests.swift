import CopalCodegen
import CopalModel
import Testing

@Suite("Warnings of the code generator")
struct WarningTests {
  private let json = """
    {
      "copal": 1, "model": "Atelier",
      "entities": {
        "Ink": {
          "attributes": { "name": "string" },
          "relationships": {
            "maker": { "type": "Maker", "inverse": "inks" },
            "seller": { "type": "Seller", "inverse": "inks" },
            "rival": "Ink?"
          }
        },
        "Maker": {
          "relationships": { "inks": { "type": "[Ink]", "inverse": "maker" } }
        },
        "Seller": {
          "relationships": { "inks": { "type": "[Ink]", "inverse": "seller", "delete": "nullify" } }
        }
      }
    }
    """

  private func generator(text: String?, model: String? = nil) throws -> CodeGenerator {
    let file = "Atelier.model.json"
    return CodeGenerator(
      try ManagedObjectModel(json: model ?? json, file: file), file: file, text: text)
  }

  @Test("A warning has the line and column of its relationship, or of the delete rule")
  func positions() throws {
    let heads = try generator(text: json).warnings.map {
      String($0.description.prefix { $0 != ";" })
    }
    let nullify = "has the delete rule nullify, but its inverse"
    let fails = "is required, so the save of a deletion fails while there are related objects"
    let expected: [String] = [
      """
      Atelier.model.json:9:9: warning: Ink.rival has no inverse: the deletion of its Ink searches \
      for every Ink that refers to it, and sets its 'rival' to nil
      """,
      "Atelier.model.json:13:26: warning: Maker.inks \(nullify) Ink.maker \(fails)",
      "Atelier.model.json:16:74: warning: Seller.inks \(nullify) Ink.seller \(fails)",
    ]
    #expect(heads == expected)
  }

  @Test("A cascade at both ends has the line and column of the delete rule at the to-one end")
  func cascades() throws {
    let text = """
      { "copal": 1, "model": "Atelier", "entities": {
        "Maker": { "relationships": {
          "inks": { "type": "[Ink]", "inverse": "maker", "delete": "cascade" } } },
        "Ink": { "relationships": {
          "maker": { "type": "Maker?", "inverse": "inks", "delete": "cascade" } } }
      } }
      """
    let heads = try generator(text: text, model: text).warnings.map {
      String($0.description.prefix { $0 != "," })
    }
    #expect(
      heads == [
        """
        Atelier.model.json:5:53: warning: Ink.maker and its inverse Maker.inks both have the delete \
        rule cascade
        """
      ])
  }

  @Test("A warning without the text of the file has the beginning of the file")
  func withoutText() throws {
    let positions = try generator(text: nil).warnings.map(\.position)
    let start = ModelProblem.Position(file: "Atelier.model.json", line: 1, column: 1)
    #expect(positions == [start, start, start])
  }

  @Test("Code is generated in spite of a warning")
  func code() throws {
    let good = json.replacing(#"inks" },"# + "\n" + #"        "rival": "Ink?""#, with: #"inks" }"#)
    #expect(good != json)
    let file = "Atelier.model.json"
    let generator = CodeGenerator(
      try ManagedObjectModel(json: good, file: file), file: file, text: good)
    #expect(generator.warnings.count == 2)
    #expect(try generator.swiftText().contains("var maker: Maker? {"))
  }
}
