import CopalModel
import CopalStore
import Testing

@Suite("The key placeholder")
struct PlaceholderKeyTests {
  private static let color = #""type": "transformable", "transformer": "T", "class": "Color""#

  private func model(_ attribute: String) throws(ModelError) -> ManagedObjectModel {
    try ManagedObjectModel(
      json: """
        { "copal": 1, "model": "M", "entities": { "Paint": { "attributes": {
          "a": { \(attribute) } } } } }
        """, file: "M.model.json")
  }

  /// An attribute, and its placeholder.
  static let good: [(attribute: String, placeholder: String?)] = [
    (
      #""type": "uri", "placeholder": "https://example.com/none?a=%20""#,
      "https://example.com/none?a=%20"
    ),
    (#""type": "uri", "transient": true, "placeholder": "about:blank""#, "about:blank"),
    (#""type": "uri", "default": "a:b", "placeholder": "about:blank""#, "about:blank"),
    (#"\#(color), "placeholder": ".clear""#, ".clear"),
    (#"\#(color), "placeholder": ".größe_2", "versioned": true"#, ".größe_2"),
    (#"\#(color), "placeholder": ".default", "mutable": false"#, ".default"),
    (#"\#(color)"#, nil),
  ]

  @Test(
    "the URL of a uri, and the static member of a transformable's class",
    arguments: good)
  func read(attribute: String, placeholder: String?) throws {
    let model = try model(attribute)
    #expect(model.entities[0].attributes[0].placeholder == placeholder)
    #expect(try ManagedObjectModel(json: model.canonicalJSON, file: "M.model.json") == model)
  }

  @Test("a placeholder is no change of a store, and no change of the layout")
  func store() throws {
    let (old, new) = (
      try model(#""type": "uri""#), try model(#""type": "uri", "placeholder": "a:b""#)
    )
    #expect(ModelDifference(ModelMapping(from: old, to: new)).changes.isEmpty)
    #expect(old.layoutHash(ofEntity: 0) == new.layoutHash(ofEntity: 0))
    let stored = try ManagedObjectModel(stored: new.canonicalJSON)
    #expect(stored.entities[0].attributes[0].placeholder == nil)
  }

  private static let misplaced =
    #"remove it, or make the attribute a required uri or transformable without "mutable""#

  @Test(
    "mistakes, each with its place and its remedy",
    arguments: [
      (
        #""type": "string", "placeholder": "a""#,
        "2:28: error: the key 'placeholder' does not apply to Paint.a; it is only for attributes of type uri, transformable; \(misplaced)"
      ),
      (
        #""type": "uri?", "placeholder": "a:b""#,
        "2:26: error: the key 'placeholder' does not apply to Paint.a; it is only for attributes that are required; \(misplaced)"
      ),
      (
        #""type": "uri", "optional": true, "placeholder": "a:b""#,
        "2:43: error: the key 'placeholder' does not apply to Paint.a; it is only for attributes that are required; \(misplaced)"
      ),
      (
        #"\#(color), "mutable": true, "placeholder": ".clear""#,
        "2:90: error: the key 'placeholder' does not apply to Paint.a; it is only for attributes without \"mutable\"; \(misplaced)"
      ),
      (
        #""type": "uri", "placeholder": "no url""#,
        #"2:40: error: "placeholder" of Paint.a: invalid value 'no url'; expected a URL"#
      ),
      (
        #""type": "uri", "placeholder": """#,
        #"2:40: error: "placeholder" of Paint.a: invalid value ''; expected a URL"#
      ),
      (
        #""type": "uri", "placeholder": null"#,
        #"2:40: error: "placeholder" of Paint.a: found null; expected a string with a URL"#
      ),
      (
        #"\#(color), "placeholder": "clear""#,
        #"2:88: error: "placeholder" of Paint.a: invalid value 'clear'; expected a static member of the class, such as ".clear""#
      ),
      (#"\#(color), "placeholder": ".""#, "invalid value '.'"),
      (#"\#(color), "placeholder": ".init""#, "invalid value '.init'"),
      (#"\#(color), "placeholder": ".self""#, "invalid value '.self'"),
      (#"\#(color), "placeholder": ".a.b""#, "invalid value '.a.b'"),
      (#"\#(color), "placeholder": ".rgb(0, 0, 0)""#, "invalid value '.rgb(0, 0, 0)'"),
      (#"\#(color), "placeholder": ".a; exit(1)""#, "invalid value '.a; exit(1)'"),
      (#"\#(color), "placeholder": ["clear"]"#, "found an array; expected a string"),
      (
        #"\#(color), "placeholdr": ".clear""#,
        "unknown key 'placeholdr' in Paint.a; did you mean 'placeholder'?"
      ),
    ])
  func mistakes(attribute: String, sentence: String) {
    let error = #expect(throws: ModelError.self) { try model(attribute) }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
    #expect(error?.problems.count == 1)
  }
}
