import Testing

@Suite("Generated properties")
struct PropertyTests {
  /// What the model says, and the property's type, getter and setter.
  static let properties: [(attribute: String, property: String)] = [
    ("integer16", "Int16 { _copalRead(0) } { _copalWrite(0, newValue) }"),
    ("integer32?", "Int32? { _copalReadOptional(0) } { _copalWrite(0, newValue) }"),
    ("integer64", "Int64 { _copalRead(0) } { _copalWrite(0, newValue) }"),
    ("integer", "Int { _copalRead(0) } { _copalWrite(0, newValue) }"),
    ("float", "Float { _copalRead(0) } { _copalWrite(0, newValue) }"),
    ("double?", "Double? { _copalReadOptional(0) } { _copalWrite(0, newValue) }"),
    ("boolean", "Bool { _copalRead(0) } { _copalWrite(0, newValue) }"),
    ("date?", "Date? { _copalReadOptional(0) } { _copalWrite(0, newValue) }"),
    ("binary", "Data { _copalRead(0) } { _copalWrite(0, newValue) }"),
    ("string", "String { _copalRead(0) } { _copalWrite(0, newValue) }"),
    ("uuid", "UUID { _copalRead(0) } { _copalWrite(0, newValue) }"),
    ("decimal", "Decimal { _copalRead(0) } { _copalWrite(0, newValue) }"),
    // Always Optional in Swift, required or not.
    ("uri", "URL? { _copalReadOptional(0) } { _copalWrite(0, newValue) }"),
  ]

  @Test("the type of an attribute decides the property's type and accessors", arguments: properties)
  func property(attribute: String, property: String) throws {
    let text = try pigmentCode(attributes: #""amount": "\#(attribute)""#)
    #expect(text.contains(declaration("amount", property)))
  }

  /// A longer attribute, and its property's type, getter and setter.
  static let longProperties: [(attribute: String, property: String)] = [
    (
      #"{ "type": "decimal", "scale": 2 }"#,
      "Decimal { _copalReadScaled(0, 2) } { _copalWrite(0, newValue) }"
    ),
    (
      #"{ "type": "decimal?", "scale": 3 }"#,
      "Decimal? { _copalReadOptionalScaled(0, 3) } { _copalWrite(0, newValue) }"
    ),
    (
      #"{ "type": "transformable", "transformer": "T", "class": "[String:Color]" }"#,
      "[String: Color]? { _copalReadTransformable(0) } { _copalWriteTransformable(0, newValue) }"
    ),
    // With a placeholder, it is not Optional.
    (
      #"{ "type": "uri", "placeholder": "a:b" }"#,
      #"URL { _copalReadOptional(0) ?? _copalURL("a:b") } { _copalWrite(0, newValue) }"#
    ),
    (
      #"{ "type": "uri", "transient": true, "placeholder": "a:b" }"#,
      #"URL { _copalReadOptionalTransient(0) ?? _copalURL("a:b") } { _copalWrite(0, newValue) }"#
    ),
    (
      #"{ "type": "transformable", "transformer": "T", "class": "[Color]", "placeholder": ".clear" }"#,
      "[Color] { _copalReadTransformable(0) ?? [Color].clear } { _copalWriteTransformable(0, newValue) }"
    ),
    (
      #"{ "type": "transformable", "transformer": "T", "class": "Color", "placeholder": ".default" }"#,
      "Color { _copalReadTransformable(0) ?? Color.`default` } { _copalWriteTransformable(0, newValue) }"
    ),
    (
      #"{ "type": "string", "transient": true }"#,
      "String { _copalReadTransient(0) } { _copalWrite(0, newValue) }"
    ),
  ]

  @Test(
    "scale, class and transient of an attribute decide the property's type and accessors",
    arguments: longProperties)
  func longProperty(attribute: String, property: String) throws {
    let text = try pigmentCode(attributes: #""amount": \#(attribute)"#)
    #expect(text.contains(declaration("amount", property)))
  }

  @Test("a uri with a placeholder is required in conditions, and not Optional as the identity")
  func placeholder() throws {
    let text = try pigmentCode(
      attributes: #""link": { "type": "uri", "placeholder": "a:b" }, "old": "uri""#,
      entity: #""identity": "link", "#)
    #expect(
      text.contains("var link: RequiredQueryAttribute<URL> { .init(\"link\", _copalScope) }"))
    #expect(text.contains("var old: QueryAttribute<URL> { .init(\"old\", _copalScope) }"))
    #expect(text.contains("var id: URL { link }"))
    #expect(text.contains("paths.add(\\Pigment.link, \"link\")"))
  }

  @Test("a property that not all code may set has the modifier of Swift")
  func setAccess() throws {
    let text = try code(
      """
      {
        "copal": 1, "model": "Atelier", "access": "public", "imports": ["CopalColor"],
        "entities": {
          "Work": {
            "set": "internal",
            "attributes": {
              "title": { "type": "string", "doc": "What it is called." },
              "code": { "type": "string?", "accessor": "custom" },
              "color": {
                "type": "transformable?", "transformer": "T", "class": "Color", "set": "package"
              },
              "price": { "type": "integer", "set": "public" }
            },
            "relationships": {
              "maker": { "type": "Maker?", "inverse": "works" },
              "parts": { "type": "[Work]", "ordered": true, "set": "package" }
            }
          },
          "Sketch": { "parent": "Work", "attributes": { "size": "double?" } },
          "Maker": {
            "codegen": "extension",
            "relationships": { "works": { "type": "[Work]", "inverse": "maker", "set": "internal" } }
          }
        }
      }
      """)
    for head in [
      "  /// What it is called.\n  @inlinable\n  public internal(set) final var title: String {",
      "  public internal(set) final var primitiveCode: String? {",
      "  public package(set) final var color: Color? {",
      "  public final var price: Int {",
      "  public internal(set) final var maker: Maker? {",
      "  public package(set) final var parts: OrderedToMany<Work> {",
      "  public var size: Double? {",
      "  public internal(set) var works: ToMany<Work> {",
      "    self.title = title",
    ] {
      #expect(text.contains(head), "\(head)\n\(text)")
    }
  }

  /// An attribute with a custom accessor, and its primitive value's type, getter and setter.
  static let primitives: [(attribute: String, property: String)] = [
    (#""type": "string""#, "String { _copalRead(0) } { _copalWritePrimitive(0, newValue) }"),
    (#""type": "uuid?""#, "UUID? { _copalReadOptional(0) } { _copalWritePrimitive(0, newValue) }"),
    (
      #""type": "transformable?", "transformer": "T", "class": "Color""#,
      "Color? { _copalReadTransformable(0) } { _copalWriteTransformable(0, newValue, isPrimitive: true) }"
    ),
    (
      #""type": "uri", "placeholder": "a:b""#,
      #"URL { _copalReadOptional(0) ?? _copalURL("a:b") } { _copalWritePrimitive(0, newValue) }"#
    ),
  ]

  @Test(
    "an attribute with a custom accessor has a primitive value and no property",
    arguments: primitives)
  func primitive(attribute: String, property: String) throws {
    let text = try pigmentCode(attributes: #""amount": { \#(attribute), "accessor": "custom" }"#)
    #expect(text.contains(declaration("primitiveAmount", property)))
    #expect(!text.contains("  var amount: \(property.split(separator: " ")[0]) {"))
    #expect(text.contains(#"static let amount = "amount""#))
  }

  @Test(
    "stored attributes have the first slots; transient attributes follow and are not in queries")
  func slots() throws {
    let text = try pigmentCode(
      attributes: #""a": { "type": "string", "transient": true }, "b": "string", "c": "string""#)
    for (slot, name) in ["b", "c", "a"].enumerated() {
      // A row has no slot for a transient: it is never read straight from there.
      let read = name == "a" ? "_copalReadTransient" : "_copalRead"
      let property = "String { \(read)(\(slot)) } { _copalWrite(\(slot), newValue) }"
      #expect(text.contains(declaration(name, property)))
    }
    #expect(!text.contains("QueryAttribute<String> { .init(\"a\", _copalScope) }"))
    #expect(text.contains("static let a = \"a\""))
  }

  @Test(
    "a name that is a keyword is quoted everywhere in generated code",
    arguments: ["default", "class", "in", "await"])
  func keywords(name: String) throws {
    let text = try pigmentCode(attributes: #""\#(name)": "string""#)
    #expect(text.contains("var `\(name)`: String {"))
    #expect(text.contains("init(context: ManagedObjectContext, `\(name)`: String)"))
    #expect(text.contains("self.`\(name)` = `\(name)`"))
    #expect(
      text.contains(
        "var `\(name)`: RequiredQueryAttribute<String> { .init(\"\(name)\", _copalScope) }"))
    #expect(text.contains("static let `\(name)` = \"\(name)\""))
  }

  @Test("an attribute with the name id makes the class Identifiable")
  func identity() throws {
    let text = try pigmentCode(attributes: #""id": "uuid""#)
    #expect(text.contains("nonisolated extension Pigment: QueryableObject, Identifiable {\n"))
    #expect(!text.contains("_copalStableID"))
  }

  private func declaration(_ name: String, _ property: String) -> String {
    let parts = property.split(separator: " { ").map(String.init)
    let getter = parts[1].dropLast(2)
    if getter.contains("Transformable") {
      return "  var \(name): \(parts[0]) { get { \(getter) } set { \(parts[2]) }\n"
    }
    return "  var \(name): \(parts[0]) {\n    get { \(getter) }\n    set { \(parts[2])\n  }\n"
  }
}
