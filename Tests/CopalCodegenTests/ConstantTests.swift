import Testing

@Suite("Generated constants")
struct ConstantTests {
  /// A model's name, its binding and the type with its constants.
  static let models: [(name: String, binding: String, namespace: String)] = [
    ("Atelier", "atelier", "AtelierModel"),
    ("HTTPCache", "httpCache", "HTTPCacheModel"),
    ("URL2", "url2", "URL2Model"),
    ("colors", "colors", "colorsModel"),
    ("PaintModel", "paintModel", "PaintModel"),
    ("Default", "`default`", "DefaultModel"),
    ("Init", "initModel", "InitModel"),
    ("Ölbild", "ölbild", "ÖlbildModel"),
  ]

  @Test(
    "the name of a model gives the names of the binding and of the type with its constants",
    arguments: models)
  func model(name: String, binding: String, namespace: String) throws {
    let text = try code(#"{ "copal": 1, "model": "\#(name)", "entities": {} }"#)
    #expect(text.contains("static let \(binding) = ModelBinding(\n    name: \"\(name)\","))
    #expect(text.contains("nonisolated enum \(namespace) {"))
  }

  /// A transformer's name and its constant.
  static let transformers = [
    ("ColorArrayTransformer", "colorArrayTransformer"), ("URLTransformer", "urlTransformer"),
    ("CoreUI.Color", "coreUIColor"), ("Default", "`default`"), ("_Plain", "_Plain"),
  ]

  @Test("the name of a transformer gives the name of its constant", arguments: transformers)
  func transformer(name: String, constant: String) throws {
    let attribute = #"{ "type": "transformable", "transformer": "\#(name)", "class": "Color" }"#
    let text = try pigmentCode(attributes: #""a": \#(attribute), "b": \#(attribute)"#)
    let line = "    static let \(constant): TransformerName = \"\(name)\"\n"
    #expect(text.split(separator: line, omittingEmptySubsequences: false).count == 2)
  }
}
