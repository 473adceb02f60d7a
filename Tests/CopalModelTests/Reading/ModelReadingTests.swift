import CopalModel
import Foundation
import Testing

@Suite("Reading model files")
struct ModelReadingTests {
  @Test func `the library of colors reads as it is written`() throws {
    let model = try ManagedObjectModel(contentsOf: Repository.url("Models/Colors.model.json"))
    #expect(model.name == "Colors")
    #expect(model.version == 1)
    #expect(model.imports == ["CopalColor"])
    #expect(model.access == .internal)
    #expect(
      model.entities == [
        EntityDescription(
          "ColorLibrary",
          attributes: [
            AttributeDescription("name", .string, isOptional: true),
            AttributeDescription("added", .date, defaultValue: .now),
            AttributeDescription(
              "colorList", .transformable, isOptional: true, transformer: "ColorArrayTransformer",
              customClass: "[SerializableColor]"),
          ])
      ])
  }

  @Test func `the atelier has every type of attribute`() throws {
    let model = try ManagedObjectModel(contentsOf: Repository.url("Models/Atelier.model.json"))
    let types = Set(model.entities.flatMap(\.attributes).map(\.type))
    #expect(types == Set(AttributeType.allCases))
    let price = model.entity("Pigment")?.attribute("price")
    #expect(price?.scale == 2)
    #expect(
      price?.defaultValue == .value(.decimal(Decimal(sign: .plus, exponent: -1, significand: 125))))
    #expect(price?.rules.minimum == .decimal(0))
    let area = model.entity("Painting")?.attribute("areaSquareMillimetres")
    #expect(area?.isTransient == true)
    #expect(area?.accessor == .custom)
    #expect(area?.dependsOn == ["widthMillimetres", "heightMillimetres"])
    #expect(model.entity("Pigment")?.uniqueConstraints == [["name"], ["code"]])
    #expect(model.entity("Pigment")?.indexes == [IndexDescription(["price", "name"])])
    #expect(model.entity("Pigment")?.userInfo == ["icon": .string("drop"), "shelf": .number("3")])
  }

  @Test func `relationships and inheritance are read`() throws {
    let model = try ManagedObjectModel(
      contentsOf: Repository.url("Models/AtelierWithInheritance.model.json"))
    let painter = model.entity("Painter")
    #expect(painter?.parent == "Person")
    #expect(painter?.className == "MasterPainter")
    #expect(painter?.codegen == .extension)
    #expect(
      painter?.relationship("paintings")
        == RelationshipDescription(
          "paintings", to: "Painting", isToMany: true, isOrdered: true, inverse: "painter",
          deleteRule: .cascade, maximumCount: 10000))
    #expect(
      model.entity("Painting")?.relationship("owner")
        == RelationshipDescription(
          "owner", to: "Collector", isOptional: true, inverse: "collection"))
    #expect(model.entity("Person")?.isAbstract == true)
    #expect(model.access == .public)
  }

  @Test(
    "the reader of models reads a default as a value of its attribute's type",
    arguments: [
      (#"{ "type": "integer16", "default": -32768 }"#, PropertyValue.integer(-32768)),
      (#"{ "type": "integer64", "default": 9223372036854775807 }"#, .integer(.max)),
      (#"{ "type": "integer", "default": -0 }"#, .integer(0)),
      (#"{ "type": "float", "default": 0.1 }"#, .double(Double(Float(0.1)))),
      (#"{ "type": "double", "default": 1e-7 }"#, .double(1e-7)),
      (#"{ "type": "double", "default": 0e-999 }"#, .double(0)),
      (
        #"{ "type": "decimal", "default": "0.10" }"#,
        .decimal(Decimal(sign: .plus, exponent: -1, significand: 1))
      ),
      (#"{ "type": "boolean", "default": false }"#, .boolean(false)),
      (
        #"{ "type": "date", "default": "2001-01-01T00:00:01Z" }"#,
        .date(Date(timeIntervalSinceReferenceDate: 1))
      ),
      (#"{ "type": "string", "default": "now" }"#, .string("now")),
      (#"{ "type": "binary", "default": "AQI=" }"#, .binary(Data([1, 2]))),
      (
        #"{ "type": "uri", "default": "pigments/blue" }"#,
        .uri(URL(string: "pigments/blue") ?? URL(fileURLWithPath: "/"))
      ),
    ])
  func defaults(text: String, value: PropertyValue) throws {
    #expect(try attribute(text)?.defaultValue == .value(value))
  }

  @Test("only the root of a family says that it is observable, and a store does not depend on it")
  func observable() throws {
    func model(_ root: String, _ child: String = "") throws(ModelError) -> ManagedObjectModel {
      try ManagedObjectModel(
        json: """
          { "copal": 1, "model": "M", "entities": {
            "A": { \(root) "attributes": { "a": "string" } }, "B": { "parent": "A"\(child) } } }
          """, file: "M.model.json")
    }
    let (plain, observable) = (try model(""), try model(#""observable": true,"#))
    #expect(observable.entities.map(\.isObservable) == [true, false])
    #expect(observable.canonicalJSON.contains(#""observable": true"#))
    #expect(plain.layoutHash(ofEntity: 0) == observable.layoutHash(ofEntity: 0))
    let error = #expect(throws: ModelError.self) { try model("", #", "observable": true"#) }
    #expect(error?.problems.map(\.code) == [.misplacedKey])
    #expect(
      error?.description.contains(
        "the key 'observable' does not apply to B; it is only for entities without a parent; "
          + "remove it, or write it in the first entity of the family") == true)
  }

  @Test("only the root of a family names its identity, and a store does not depend on it")
  func identity() throws {
    func model(_ root: String, _ child: String = "") throws(ModelError) -> ManagedObjectModel {
      try ManagedObjectModel(
        json: """
          { "copal": 1, "model": "M", "entities": {
            "A": { \(root) "attributes": { "a": "string" } },
            "B": { "parent": "A"\(child), "attributes": { "b": "string" } } } }
          """, file: "M.model.json")
    }
    let (plain, named) = (try model(""), try model(#""identity": "a","#))
    #expect(named.entities.map(\.identity) == ["a", nil])
    #expect(named.canonicalJSON.contains(#""identity": "a""#))
    #expect(plain.layoutHash(ofEntity: 0) == named.layoutHash(ofEntity: 0))
    let misplaced = #expect(throws: ModelError.self) { try model("", #", "identity": "b""#) }
    #expect(misplaced?.problems.map(\.code) == [.misplacedKey])
    #expect(
      misplaced?.description.contains(
        "the key 'identity' does not apply to B; it is only for entities without a parent; "
          + "remove it, or write it in the first entity of the family") == true)
    // An attribute of a subentity is not one of every object.
    for name in ["b", "c", ""] {
      let unknown = #expect(throws: ModelError.self) { try model("\"identity\": \"\(name)\",") }
      let problems = unknown?.problems.map { "\($0.position.line) \($0.code)" }
      #expect(problems == ["2 model.unknownAttribute"])
    }
  }

  @Test("a relationship has the accessors of an attribute")
  func relationshipAccessor() throws {
    func model(_ accessor: String) throws(ModelError) -> ManagedObjectModel {
      try ManagedObjectModel(
        json: """
          { "copal": 1, "model": "M", "entities": { "A": { "relationships": {
            "next": { "type": "A?", "accessor": "\(accessor)" } } } } }
          """, file: "M.model.json")
    }
    #expect(try model("custom").entities[0].relationships[0].accessor == .custom)
    #expect(try model("generated").entities[0].relationships[0].accessor == .generated)
    #expect(try model("custom").canonicalJSON.contains(#""accessor": "custom""#))
    let error = #expect(throws: ModelError.self) { try model("manual") }
    #expect(error?.problems.map { "\($0.position.line)" } == ["2"])
  }

  @Test(
    "each mistake in an attribute of a model has its code",
    arguments: [
      (#""string ?""#, ModelError.Code.unknownType),
      (#"{ "type": "integer", "default": 1.0 }"#, .invalidValue),
      (#"{ "type": "integer", "default": 1e3 }"#, .invalidValue),
      (#"{ "type": "integer32", "default": 2147483648 }"#, .valueOutOfRange),
      (#"{ "type": "float", "default": 3.5e38 }"#, .valueOutOfRange),
      (#"{ "type": "binary", "default": "AQI" }"#, .invalidValue),
      (#"{ "type": "binary", "default": "AR==" }"#, .invalidValue),
      (#"{ "type": "uuid", "default": "now" }"#, .invalidValue),
      (#"{ "type": "uri", "default": "" }"#, .invalidValue),
      (#"{ "type": "date", "minimum": "now" }"#, .invalidValue),
      (#"{ "type": "string", "default": null }"#, .nullDefault),
      (#"{ "type": "boolean", "minimum": true }"#, .misplacedKey),
      (#"{ "type": "string", "transient": true, "dependsOn": ["that"] }"#, .unknownAttribute),
    ])
  func wrongAttributes(text: String, code: ModelError.Code) {
    #expect(codes(ofAttribute: text) == [code])
  }

  @Test func `a required attribute may be transient`() throws {
    #expect(try attribute(#"{ "type": "string", "transient": true }"#)?.isOptional == false)
  }

  @Test func `Swift's ordinary keywords are names`() {
    #expect(codes(ofAttribute: #""string""#) == [])
    #expect(
      problems(
        in: pigmentModel(#""class": "class", "attributes": { "default": "date", "id": "uuid" }"#))
        == [])
  }

  @Test func `a missing file is one problem`() {
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(contentsOf: Repository.url("Models/Nowhere.model.json"))
    }
    #expect(error?.problems.map(\.code) == [.unreadable])
    #expect(throws: ModelError.self) {
      try ManagedObjectModel(contentsOf: Repository.url("Models"))
    }
  }

  @Test func `a model made by a program is checked as a file is`() throws {
    let pigment = EntityDescription("Pigment", attributes: [AttributeDescription("name", .string)])
    #expect(try ManagedObjectModel(name: "Atelier", entities: [pigment]).entities == [pigment])
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(
        name: "Atelier",
        entities: [
          pigment,
          EntityDescription(
            "pigment", className: "Set",
            attributes: [
              AttributeDescription("a b", .string),
              AttributeDescription("n", .integer, defaultValue: .now),
              AttributeDescription("d", .double, defaultValue: .value(.double(.nan))),
            ], userInfo: ["n": .number("1, \"x\": 2")]),
        ])
    }
    #expect(
      Set(error?.problems.map(\.code) ?? []) == [
        .nameClash, .hidingClass, .invalidName, .wrongType, .invalidNumber,
      ])
  }
}
