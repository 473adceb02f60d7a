import CopalAuthoring
import CopalModel
import CopalTestTools
import Testing

@Suite("Repairs of model files")
struct ModelFixesTests {
  private static let sound = """
    {
      // The shop.
      "copal": 1,
      "model": "Shop",
      "entities": {
        "Book": {
          "attributes": {
            "title": { "type": "string", "maximumLength": 200 },
            "price": { "type": "decimal", "scale": 2 },
            "printed": { "type": "date", "optional": true }
          },
          "relationships": {
            "author": { "type": "Person?", "inverse": "books" }
          },
          "unique": ["title"],
          "indexes": ["price"]
        },
        "Person": {
          "attributes": { "name": "string" },
          "relationships": { "books": { "type": "[Book]", "inverse": "author" } }
        }
      }
    }

    """

  /// A word, what a hand makes of it, and the code of the mistake.
  static let mistakes: [(word: String, typed: String, code: ModelError.Code)] = [
    (#""maximumLength""#, #""maximunLength""#, .unknownKey),
    (#""scale""#, #""scle""#, .unknownKey),
    (#""optional""#, #""optionl""#, .unknownKey),
    (#""type": "date""#, #""type": "dat""#, .unknownType),
    (#""name": "string""#, #""name": "strng""#, .unknownType),
    (#""Person?""#, #""Persn?""#, .unknownDestination),
    (#"["title"]"#, #"["titel"]"#, .unknownAttribute),
    (#"["price"]"#, #"["prise"]"#, .unknownAttribute),
    (#""maximumLength": 200 },"#, #""maximumLength": 200 }"#, .syntax),
    (#""unique": ["title"],"#, #""unique": ["title"]"#, .syntax),
  ]

  @Test("each mistake with one possible repair", arguments: mistakes.indices)
  func single(index: Int) {
    let mistake = Self.mistakes[index]
    let text = Self.sound.replacing(mistake.word, with: mistake.typed, maxReplacements: 1)
    let fixes = ModelFixes(text, file: "Shop.model.json")
    #expect(fixes.text == Self.sound)
    #expect(fixes.edits.map(\.code) == [mistake.code])
    #expect(
      fixes.edits.first.map { text.contains($0.oldLine) && fixes.text.contains($0.newLine) } == true
    )
  }

  @Test("1 to 10 planted mistakes in 30 files: each is named, all are repaired, and twice is once")
  func planted() {
    var random = SplitMix(seed: 52)
    for _ in 0..<30 {
      let chosen = Self.mistakes.shuffled(using: &random).prefix(
        Int.random(in: 1...10, using: &random))
      var text = Self.sound
      var codes: [String] = []
      // One mistake can be where another one is.
      for mistake in chosen where text.contains(mistake.word) {
        codes.append(mistake.code.rawValue)
        text = text.replacing(mistake.word, with: mistake.typed, maxReplacements: 1)
      }
      let found = problems(text)
      #expect(found.map(\.code.rawValue).sorted() == codes.sorted(), "\(found)")
      let fixes = ModelFixes(text, file: "Shop.model.json")
      #expect(fixes.text == Self.sound, "\(text)")
      let again = ModelFixes(fixes.text, file: "Shop.model.json")
      #expect(again.edits.isEmpty && again.text == fixes.text)
    }
  }

  private func problems(_ text: String) -> [ModelProblem] {
    do {
      _ = try ManagedObjectModel(json: text, file: "Shop.model.json")
      return []
    } catch { return error.problems }
  }

  @Test(
    "what has several repairs, or none, stays",
    arguments: [
      #"{ "copal": 1, "model": "M", "entities": { "A": { "attributes": { "a": "xyzzy" } } } }"#,
      #"{ "copal": 1, "model": "M", "entities": { "a b": {} } }"#,
      #"{ "copal": 1, "model": "M", "entities": { "A": {} "#,
      "", "[", "{}", "\u{0}",
    ])
  func nothing(text: String) {
    let fixes = ModelFixes(text, file: "M.model.json")
    #expect(fixes.text == text)
    #expect(fixes.edits.isEmpty)
  }
}
