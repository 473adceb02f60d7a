import Foundation
import Testing

@Suite("Generated initializers")
struct InitializerTests {
  /// Attributes, and the initializer's parameters after the context; nil for no initializer.
  static let initializers: [(attributes: String, parameters: String?)] = [
    (#""a": "string""#, "a: String"),
    (#""a": "string", "b": "integer16""#, "a: String, b: Int16"),
    (#""a": "string?""#, nil),
    (#""a": { "type": "string", "default": "" }"#, nil),
    (#""a": { "type": "date", "default": "now" }"#, nil),
    (#""a": { "type": "string", "transient": true }"#, nil),
    (#""a": "uri""#, "a: URL"),
    (#""a": { "type": "transformable", "transformer": "T", "class": "[Color]" }"#, "a: [Color]"),
    (#""b": "string?", "a": "decimal""#, "a: Decimal"),
  ]

  @Test(
    "a generated initializer has the required stored attributes without a default, in the model's order",
    arguments: initializers)
  func parameters(attributes: String, parameters: String?) throws {
    let text = try pigmentCode(attributes: attributes)
    let comment = "/// Inserts a new object with the values that it cannot be saved without.\n"
    guard let parameters else { return #expect(!text.contains(comment)) }
    #expect(text.contains(comment))
    #expect(text.contains("  convenience init(context: ManagedObjectContext, \(parameters)) {\n"))
  }

  /// Attributes and relationships, and the parameters after the context of the initializer with all
  /// of them, with the statements that set them; nil for no such initializer.
  static let completeInitializers:
    [(attributes: String, relationships: String, parameters: String?, statements: [String])] = [
      (#""a": "string""#, "", nil, []),
      (#""a": { "type": "string?", "transient": true }"#, "", nil, []),
      (
        #""a": "string?""#, "", "a: String?...",
        ["if let a = _copalGiven(a) { self.a = a }"]
      ),
      (
        #""a": { "type": "integer16", "default": 3 }, "b": "string""#, "",
        "b: String, a: Int16? = nil", ["self.b = b", "if let a { self.a = a }"]
      ),
      (
        #""a": { "type": "integer16?", "default": 3 }"#, "", "a: Int16?...",
        ["if let a = _copalGiven(a) { self.a = a }"]
      ),
      (
        #""default": { "type": "boolean", "default": true }"#, "", "`default`: Bool? = nil",
        ["if let `default` { self.`default` = `default` }"]
      ),
      (
        #""a": { "type": "uri?", "accessor": "custom" }"#, "", "a: URL?...",
        ["if let a = _copalGiven(a) { _copalWrite(0, a) }"]
      ),
      (
        #""a": { "type": "string?", "cases": ["x"] }"#, "", "a: Pigment.A?...",
        ["if let a = _copalGiven(a) { self.a = a }"]
      ),
      (
        "", #""next": "Pigment?", "maker": "Pigment""#, "maker: Pigment, next: Pigment?...",
        ["self.maker = maker", "if let next = _copalGiven(next) { self.next = next }"]
      ),
      ("", #""others": "[Pigment]""#, nil, []),
    ]

  @Test(
    "the initializer with all stored attributes and to-ones has the required ones first; the others can be left out",
    arguments: completeInitializers)
  func complete(
    attributes: String, relationships: String, parameters: String?, statements: [String]
  ) throws {
    let text = try pigmentCode(
      attributes: attributes, entity: "\"relationships\": { \(relationships) },")
    let comment = "An initializer of your own is a `convenience init` that calls this one.\n"
    guard let parameters else { return #expect(!text.contains(comment)) }
    let body = (["self.init(context: context)"] + statements).map { "    \($0)\n" }.joined()
    #expect(
      text.contains(
        "\(comment)  convenience init(context: ManagedObjectContext, \(parameters)) {\n\(body)  }\n"
      ),
      "\(text)")
  }

  @Test(
    "a subclass has the inherited properties first, and none of its own inherits the initializer")
  func inherited() throws {
    let text = try code(
      """
      {
        "copal": 1, "model": "Atelier",
        "entities": {
          "Pigment": { "attributes": { "price": "double?", "name": "string" } },
          "Earth": { "parent": "Pigment", "attributes": { "depth": "integer16?", "pit": "string" } },
          "Ochre": { "parent": "Earth" }
        }
      }
      """)
    let complete = text.components(separatedBy: "  convenience init(").dropFirst().map {
      $0.prefix { $0 != ")" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }.filter { $0.contains("...") }
    #expect(
      complete == [
        "context: ManagedObjectContext, name: String, price: Double?...",
        "context: ManagedObjectContext, name: String, pit: String, price: Double?..., depth: Int16?...",
      ])
  }

  @Test("beside an attribute of the name context, the context has another inner name")
  func context() throws {
    let text = try pigmentCode(attributes: #""context": "string""#)
    #expect(
      text.contains(
        """
          convenience init(context _copalContext: ManagedObjectContext, context: String) {
            self.init(context: _copalContext)
            self.context = context
          }
        """))
  }

  @Test("a generated initializer that is too long for one line has one line for each parameter")
  func wide() throws {
    let names = ["heightMillimetres", "widthMillimetres", "depthMillimetres"]
    let attributes = names.map { "\"\($0)\": \"integer32\"" }.joined(separator: ", ")
    #expect(
      try pigmentCode(attributes: attributes).contains(
        """
          convenience init(
            context: ManagedObjectContext,
            heightMillimetres: Int32,
            widthMillimetres: Int32,
            depthMillimetres: Int32
          ) {
            self.init(context: context)
            self.heightMillimetres = heightMillimetres
        """))
  }
}
