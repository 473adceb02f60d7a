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
    guard let parameters else {
      #expect(!text.contains("convenience init"))
      return
    }
    #expect(
      text.contains("  convenience init(context: ManagedObjectContext, \(parameters)) {\n"))
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
