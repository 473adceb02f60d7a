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
    (#""a": { "type": "uri", "placeholder": "a:b" }"#, "a: URL"),
    (
      #""a": { "type": "transformable", "transformer": "T", "class": "Color", "placeholder": ".clear" }"#,
      "a: Color"
    ),
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
        #""a": "string?""#, "", "a: String? = nil",
        ["if let a { self.a = a }"]
      ),
      (
        #""a": { "type": "integer16", "default": 3 }, "b": "string""#, "",
        "b: String, a: Int16 = 3", ["self.b = b", "if a != 3 { self.a = a }"]
      ),
      (
        #""a": { "type": "integer16?", "default": 3 }"#, "", "a: Int16? = 3",
        ["if a != 3 { self.a = a }"]
      ),
      (
        #""a": { "type": "date", "default": "now" }, "b": { "type": "uuid?", "default": "new" }"#,
        "",
        "a: Date? = nil, b: UUID? = nil",
        ["if let a { self.a = a }", "if let b { self.b = b }"]
      ),
      (
        #""a": { "type": "decimal", "default": -3 }"#, "", "a: Decimal = -3",
        ["if a != -3 { self.a = a }"]
      ),
      (
        #""a": { "type": "float?", "default": 0.1 }"#, "", "a: Float? = 0.1",
        ["if a != 0.1 { self.a = a }"]
      ),
      (
        #""default": { "type": "boolean", "default": true }"#, "", "`default`: Bool = true",
        ["if `default` != true { self.`default` = `default` }"]
      ),
      (
        #""a": { "type": "uri?", "accessor": "custom" }"#, "", "a: URL? = nil",
        ["if let a { _copalWrite(0, a) }"]
      ),
      (
        #""a": { "type": "uri", "default": "a:b", "placeholder": "c:d" }"#, "",
        #"a: URL = _copalURL("a:b")"#,
        [#"if a != _copalURL("a:b") { self.a = a }"#]
      ),
      (
        #""a": { "type": "string?", "cases": ["x"], "default": "x" }"#, "", "a: Pigment.A? = .x",
        ["if a != .x { self.a = a }"]
      ),
      (
        "", #""next": "Pigment?", "maker": "Pigment""#, "maker: Pigment, next: Pigment? = nil",
        ["self.maker = maker", "if let next { self.next = next }"]
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
    "a value that Swift has no literal for is an expression that names no type: a property may have its name",
    arguments: [
      ("decimal", "12.50", "Decimal", ".init(sign: .plus, exponent: -1, significand: 125)"),
      ("decimal", "-0.001", "Decimal", ".init(sign: .minus, exponent: -3, significand: 1)"),
      ("decimal", "7000", "Decimal", ".init(sign: .plus, exponent: 3, significand: 7)"),
      ("decimal", "9223372036854775807", "Decimal", "9223372036854775807"),
      ("decimal", "-9223372036854775808", "Decimal", #"_copalDecimal("-9223372036854775808")"#),
      ("decimal", "12345678901234567890.5", "Decimal", #"_copalDecimal("12345678901234567890.5")"#),
      (
        "date", #""2001-01-01T00:00:01.5Z""#, "Date", ".init(timeIntervalSinceReferenceDate: 1.5)"
      ),
      (
        "uuid", #""6ba7b810-9dad-11d1-80b4-00c04fd430c8""#, "UUID",
        #"_copalUUID("6BA7B810-9DAD-11D1-80B4-00C04FD430C8")"#
      ),
      ("uri?", #""a:b""#, "URL?", #"_copalURL("a:b")"#),
      ("binary", #""AQID""#, "Data", #"_copalData("AQID")"#),
    ])
  func expressions(type: String, value: String, swift: String, expression: String) throws {
    let text = try pigmentCode(
      attributes: #""a": { "type": "\#(type)", "default": \#(value) }"#)
    #expect(text.contains("a: \(swift) = \(expression)"))
    #expect(text.contains("if a != \(expression) { self.a = a }"))
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
    }.filter { $0.contains(" = ") }
    #expect(
      complete == [
        "context: ManagedObjectContext, name: String, price: Double? = nil",
        "context: ManagedObjectContext, name: String, pit: String, price: Double? = nil, depth: Int16? = nil",
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
