import CopalModel
import Foundation
import Testing

@Suite("The canonical text of a model")
struct CanonicalJSONTests {
  @Test("reads back to an equal model and an equal text", arguments: try Repository.goodModels())
  func files(path: String) throws {
    let model = try ManagedObjectModel(contentsOf: Repository.url(path))
    let again = try ManagedObjectModel(json: model.canonicalJSON, file: "canonical")
    #expect(again == model)
    #expect(again.canonicalJSON == model.canonicalJSON)
  }

  @Test("random models survive it whole", arguments: 0..<200)
  func randomModels(seed: Int) throws {
    var random = RandomModel(seed: UInt64(seed))
    let entities = random.entities()
    let model = try ManagedObjectModel(
      name: "Random", version: seed + 1, imports: ["CopalColor", "Foundation.Date"],
      access: seed % 2 == 0 ? .public : .internal, documentation: random.text(),
      userInfo: random.userInfo(), entities: entities)
    #expect(model.entities == entities)
    #expect(try ManagedObjectModel(json: model.canonicalJSON, file: "canonical") == model)
  }

  @Test func `notes are written in the order of their keys`() throws {
    let model = try ManagedObjectModel(
      name: "Atelier", userInfo: ["b": .null, "a": .array([.boolean(true), .object([:])])],
      entities: [])
    #expect(
      model.canonicalJSON == """
        {
          "copal": 1,
          "model": "Atelier",
          "version": 1,
          "userInfo": {
            "a": [true, {}],
            "b": null
          },
          "entities": {}
        }

        """)
  }
}

/// Good models that use every key in every way.
private struct RandomModel {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func entities() -> [EntityDescription] {
    (0..<4).map { index in
      let attributes = AttributeType.allCases.flatMap { type in
        (0..<2).map { attribute("\(type.rawValue)\(index)_\($0)", type) }
      }
      let indexed = attributes.filter { !$0.isTransient && $0.type != .transformable }.map(\.name)
      return EntityDescription(
        "Entity\(index)", className: flip() ? "Class\(index)" : nil,
        codegen: CodegenMode.allCases.randomElement(using: &random) ?? .class,
        parent: index > 0 && flip() ? "Entity\(index - 1)" : nil, isAbstract: flip(),
        attributes: attributes,
        relationships: [
          RelationshipDescription(
            "many\(index)", to: "Entity\(index)", isToMany: true, isOrdered: flip(),
            inverse: "one\(index)", deleteRule: .cascade, minimumCount: flip() ? 1 : nil,
            maximumCount: flip() ? 5 : nil, documentation: text()),
          RelationshipDescription(
            "one\(index)", to: "Entity\(index)", isOptional: flip(), inverse: "many\(index)",
            renamedFrom: flip() ? "old\(index)" : nil, userInfo: userInfo()),
        ],
        uniqueConstraints: indexed.count > 1 && flip() ? [[indexed[0]], indexed] : [],
        indexes: indexed.count > 1 && flip() ? [IndexDescription(indexed.reversed())] : [],
        renamedFrom: flip() ? "Old\(index)" : nil, documentation: text(), userInfo: userInfo())
    }
  }

  private mutating func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
    var attribute = AttributeDescription(
      name, type, isOptional: flip(), isTransient: flip(), documentation: text(),
      userInfo: userInfo())
    attribute.accessor = flip() ? .custom : .generated
    if type == .transformable {
      attribute.transformer = "ColorTransformer"
      attribute.customClass = "[String: [Color?]]"
      attribute.storage = flip() ? .text : nil
    } else if flip() {
      attribute.defaultValue = defaultValue(type)
    }
    if type == .decimal, flip(), attribute.defaultValue == nil { attribute.scale = 4 }
    if type == .string, attribute.defaultValue == nil { attribute.rules.pattern = #"[a-z]+\d"# }
    if type == .binary { attribute.rules.maximumLength = 1000 }
    return attribute
  }

  private mutating func defaultValue(_ type: AttributeType) -> DefaultValue? {
    switch type {
    case .integer16: .value(.integer(Int64(Int16.random(in: .min ... .max, using: &random))))
    case .integer32: .value(.integer(Int64(Int32.random(in: .min ... .max, using: &random))))
    case .integer64, .integer: .value(.integer(.random(in: .min ... .max, using: &random)))
    case .float: .value(.double(Double(Float(bitPattern: finite(UInt32.self, 0x7F7F_FFFF)))))
    case .double: .value(.double(Double(bitPattern: finite(UInt64.self, 0x7FEF_FFFF_FFFF_FFFF))))
    case .decimal:
      .value(
        .decimal(
          Decimal(
            sign: flip() ? .plus : .minus, exponent: .random(in: -100...100, using: &random),
            significand: Decimal(UInt64.random(in: 0 ... .max, using: &random)))))
    case .boolean: .value(.boolean(flip()))
    case .date:
      flip()
        ? .now
        : .value(.date(Date(timeIntervalSinceReferenceDate: .random(in: 0...1e10, using: &random))))
    case .binary:
      .value(.binary(Data((0..<20).map { _ in UInt8.random(in: 0...255, using: &random) })))
    case .string: .value(.string(text() ?? ""))
    case .uuid: flip() ? .new : .value(.uuid(UUID()))
    case .uri: URL(string: "https://example.com/?a=%20\(random.next())#b").map { .value(.uri($0)) }
    case .transformable: nil
    }
  }

  private mutating func finite<Bits: FixedWidthInteger>(_: Bits.Type, _ greatest: Bits) -> Bits {
    .random(in: 0...greatest, using: &random)
  }

  private mutating func flip() -> Bool { Bool.random(using: &random) }

  mutating func text() -> String? {
    let letters = Array("aé色🎨\"\\/\n\r\t\u{0}\u{1F}\u{7F}\u{2028}{}[],:/*?").shuffled(
      using: &random)
    return flip() ? String(letters.prefix(Int.random(in: 0...9, using: &random))) : nil
  }

  mutating func userInfo() -> UserInfo {
    guard flip() else { return [:] }
    return [
      text() ?? "k": .array([.null, .boolean(flip()), .number("-1.50e+7"), .string(text() ?? "")]),
      "nested": .object(["": .object([:]), "x": .array([])]),
    ]
  }
}
