import CopalAuthoring
import CopalModel
import Testing

@Suite("The canonical layout of a model file")
struct ModelFormatterTests {
  private static let cases: [(text: String, layout: String)] = [
    ("{}", "{}\n"),
    (
      #"{"model":"M","copal":1,"entities":{}}"#,
      """
      {
        "copal": 1,
        "model": "M",
        "entities": {}
      }

      """
    ),
    (
      """
      // top
      { // behind open
        "copal": 1, // the format
        "entities": { "B": {"attributes": {"a": {"type":"string?"}, /* x */ "b" : "date" // last

         // own

        // second
        , "c": {"default": 3, "type": "integer"},
        // tail
        }, "unique": ["a", /* hm */ "b"],
        "indexes": [["a", "b desc"], "c"]
        },

        "A": {}},
        "model": "M" }
      // after
      """,
      """
      // top
      { // behind open
        "copal": 1, // the format
        "model": "M",
        "entities": {
          "B": {
            "attributes": {
              "a": "string?", /* x */
              "b": "date", // last

              // own

              // second
              "c": { "type": "integer", "default": 3 }
              // tail
            },
            "unique": [
              "a", /* hm */
              "b"
            ],
            "indexes": [["a", "b desc"], "c"]
          },

          "A": {}
        }
      }
      // after

      """
    ),
  ]

  @Test("texts and their layout", arguments: cases.indices)
  func layout(place: Int) {
    #expect(ModelFormatter.format(Self.cases[place].text) == Self.cases[place].layout)
  }

  @Test("the layout of a layout is itself, and no comment is lost")
  func stable() throws {
    for text in SyntaxTreeTests.models + SyntaxTreeTests.mutants(2000) {
      guard let once = ModelFormatter.format(text) else { continue }
      #expect(ModelFormatter.format(once) == once, "\(text)")
      #expect(words(once) == words(text), "\(text)")
    }
  }

  @Test("a model means the same in the layout")
  func meaning() throws {
    for text in SyntaxTreeTests.models {
      guard let model = try? ManagedObjectModel(json: text, file: "M.model.json") else { continue }
      let layout = try #require(ModelFormatter.format(text))
      let other = try ManagedObjectModel(json: layout, file: "M.model.json")
      #expect(other.canonicalJSON == model.canonicalJSON)
    }
  }

  /// The words of all comments.
  private func words(_ text: String) -> [String] {
    SyntaxTree(text)?.comments.joined(separator: " ").split(separator: " ").map(String.init)
      .sorted() ?? []
  }
}

extension SyntaxTree {
  /// The comments, in their order.
  var comments: [String] {
    var found: [String] = []
    func add(_ trivia: [Trivia]) { found += trivia.compactMap(\.comment) }
    func add(_ token: SyntaxToken?) { add(token?.leading ?? []) }
    func visit(_ node: SyntaxNode) {
      switch node {
      case .scalar(let token): add(token)
      case .array(let list), .object(let list):
        add(list.open)
        add(list.behindOpen)
        for item in list.items {
          add(item.key)
          add(item.colon)
          visit(item.value)
          add(item.comma)
          add(item.trailing)
        }
        add(list.close)
      }
    }
    visit(root)
    return found + end.compactMap(\.comment)
  }
}
