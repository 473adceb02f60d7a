import Copal
import CopalColor
import CopalExchange
import CopalTestSupport
import CopalTestTools
import Foundation

/// A model with every type of attribute and every kind of relationship, and random graphs of it.
enum ExchangeWorld {
  static let json = """
    { "copal": 1, "model": "World", "entities": {
      "Thing": {
        "attributes": {
          "tag": "string", "small": "integer16?", "medium": "integer32?", "large": "integer64?",
          "flag": "boolean?", "single": "float?", "real": "double?", "exact": "decimal?",
          "money": { "type": "decimal?", "scale": 2 }, "time": "date?", "text": "string?",
          "key": "uuid?", "link": "uri?", "bytes": "binary?",
          "big": { "type": "binary?", "external": 60 },
          "mood": { "type": "string?", "cases": ["good", "bad"] },
          "rank": { "type": "integer16", "default": 3, "minimum": 0, "maximum": 9 },
          "secret": { "type": "string?", "private": true },
          "color": {
            "type": "transformable?", "transformer": "SerializableColorTransformer",
            "class": "SerializableColor"
          },
          "colors": {
            "type": "transformable?", "transformer": "ColorArrayTransformer",
            "class": "[SerializableColor]", "external": 40
          }
        },
        "relationships": {
          "owner": { "type": "Thing?", "inverse": "owned" },
          "owned": { "type": "[Thing]", "inverse": "owner", "ordered": true },
          "friends": { "type": "[Thing]", "inverse": "friends" },
          "partner": { "type": "Thing?", "inverse": "partnerOf" },
          "partnerOf": { "type": "Thing?", "inverse": "partner" },
          "labels": { "type": "[Label]", "inverse": "things", "ordered": true },
          "notes": { "type": "[Label]", "ordered": true },
          "main": "Label?"
        },
        "unique": ["tag"]
      },
      "Special": {
        "parent": "Thing",
        "attributes": { "extra": "string?" },
        "relationships": {
          "boss": { "type": "Special?", "inverse": "staff" },
          "staff": { "type": "[Special]", "inverse": "boss" }
        }
      },
      "Label": {
        "attributes": { "name": "string" },
        "relationships": {
          "things": { "type": "[Thing]", "inverse": "labels", "ordered": true }
        },
        "unique": ["name"]
      }
    } }
    """

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(json: json, file: "World.model.json")
  }

  static let transformers: [any AttributeTransformer] = [
    SerializableColorTransformer(), ColorArrayTransformer(),
  ]

  /// A container of the model in a file, or in memory.
  static func container(_ store: StoreConfiguration) throws -> PersistentContainer {
    try PersistentContainer(
      model: ModelBinding(try model()), store: store, transformers: transformers)
  }

  // MARK: Random graphs

  /// Fills a store with a random graph.
  static func fill(_ container: PersistentContainer, _ random: inout SplitMix) throws {
    let context = container.makeContext()
    let labels = try (0..<Int.random(in: 0...6, using: &random)).map { number in
      let label = try context.insert("Label")
      try label.setValue("label \(number)", forKey: "name")
      return label
    }
    let count = Int.random(in: 0...25, using: &random)
    let things = try (0..<count).map { number in
      let thing = try context.insert(Bool.random(using: &random) ? "Thing" : "Special")
      try thing.setValue("tag \(number)", forKey: "tag")
      try setValues(of: thing, &random)
      return thing
    }
    for thing in things { try relate(thing, things, labels, &random) }
    try context.save()
    if Bool.random(using: &random) {
      context.metadata["name \u{202E}"] = .string("text")
      try context.save()
    }
  }

  /// Things without relationships.
  static func fillPlain(_ container: PersistentContainer, _ random: inout SplitMix) throws {
    let context = container.makeContext()
    let count = try context.count(FetchRequest<ManagedObject>(entityName: "Thing"))
    for number in count..<(count + 20) {
      let thing = try context.insert("Thing")
      try thing.setValue("tag \(number)", forKey: "tag")
      try setValues(of: thing, &random)
    }
    try context.save()
  }

  private static let texts = [
    "", " ", "a", "\"", "\\", "a,b", "line\nbreak", "\r\n", "\u{0}", "\u{1B}[31m", "\u{202E}x",
    "ファイル", "👩‍👩‍👧", "e\u{301}", "\u{FEFF}", "null", "‹private›", "=1+1", "\u{7F}\u{9B}",
    String(repeating: "long ", count: 300),
  ]

  private static func setValues(of thing: ManagedObject, _ random: inout SplitMix) throws {
    func maybe(_ name: String, _ values: [Any]) throws {
      if Int.random(in: 0..<4, using: &random) == 0 { return }
      try thing.setValue(values.randomElement(using: &random), forKey: name)
    }
    func bytes(_ count: Int) -> Data {
      Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    try maybe("small", [Int16.min, Int16.max, Int16(0), Int16(-1)])
    try maybe("medium", [Int32.min, Int32.max, Int32(7)])
    try maybe("large", [Int64.min, Int64.max, Int64(1) << 53 + 1])
    try maybe("flag", [true, false])
    try maybe(
      "single", [Float.greatestFiniteMagnitude, -0.0 as Float, 0.1 as Float, Float.infinity])
    try maybe(
      "real",
      [
        Double.greatestFiniteMagnitude, Double.leastNonzeroMagnitude, -0.0, 0.1, 1e22,
        -Double.infinity, 1.0 / 3,
      ])
    try maybe(
      "exact",
      [
        Decimal(string: "-0.1"), Decimal(string: "12345678901234567890123456789012345678"),
        Decimal(string: "1e-100"), Decimal(string: "1e100"), Decimal(0),
      ].compactMap { $0 })
    try maybe("money", [Decimal(string: "12.50"), Decimal(string: "-0.01")].compactMap { $0 })
    try maybe(
      "time",
      [
        0, -0.1, 1e-9, 64_092_211_200, -63_114_076_800, 1e15, -1e15, 252_423_993_599.999,
        Double.random(in: -1e9...1e9, using: &random),
      ].map { Date(timeIntervalSinceReferenceDate: $0) })
    try maybe("text", texts)
    try maybe("secret", texts)
    if thing.entityName == "Special" { try maybe("extra", texts) }
    try maybe("key", [UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))])
    try maybe(
      "link",
      ["https://example.com/a%20b?c=d#e", "file:///tmp/x", "mailto:a@b.c"].compactMap(
        URL.init(string:)))
    try maybe("bytes", [Data(), bytes(1), bytes(50)])
    try maybe("big", [Data(), bytes(60), bytes(61), bytes(5000)])
    try maybe("mood", ["good", "bad"])
    try maybe("rank", [Int16(0), Int16(9)])
    let colors = [
      SerializableColor(red: 0.1, green: 0.9, blue: 0.4),
      SerializableColor(red: 1.5, green: -0.2, blue: 0, alpha: 0.25),
    ]
    try maybe("color", colors)
    try maybe("colors", [[], colors, Array(repeating: colors[0], count: 40)])
  }

  private static func relate(
    _ thing: ManagedObject, _ things: [ManagedObject], _ labels: [ManagedObject],
    _ random: inout SplitMix
  ) throws {
    func some(_ all: [ManagedObject]) -> [ManagedObject] {
      Array(all.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random)))
    }
    if Bool.random(using: &random) {
      try thing.setValue(things.randomElement(using: &random), forKey: "owner")
    }
    if Bool.random(using: &random) {
      try thing.setValue(things.randomElement(using: &random), forKey: "partner")
    }
    if Bool.random(using: &random) {
      try thing.setValue(labels.randomElement(using: &random), forKey: "main")
    }
    try thing.setValue(some(things), forKey: "friends")
    try thing.setValue(some(labels), forKey: "labels")
    try thing.setValue(some(labels), forKey: "notes")
    let specials = things.filter { $0.entityName == "Special" }
    if thing.entityName == "Special", Bool.random(using: &random) {
      try thing.setValue(specials.randomElement(using: &random), forKey: "boss")
    }
  }

  // MARK: What a store has

  /// Every object with its values and relationships, as lines that name objects by their tags. It
  /// is read through objects, and not as rows.
  static func contents(of container: PersistentContainer) throws -> [String] {
    let context = container.makeContext()
    var lines: [String] = []
    let names = { (object: ManagedObject) in
      try object.value(forKey: object.entityName == "Label" ? "name" : "tag") as? String ?? "?"
    }
    for name in ["Thing", "Label"] {
      for object in try context.fetch(FetchRequest<ManagedObject>(entityName: name)) {
        let entity = object.entityName
        lines.append("\(entity) \(try names(object))")
        for description in container.model.entities
        where description.name == entity || description.name == name {
          for attribute in description.attributes {
            let value = try object.value(forKey: attribute.name)
            lines.append("\(try names(object)).\(attribute.name) = \(text(value))")
          }
          for relationship in description.relationships {
            let found: String
            if relationship.isToMany {
              let value = try object.value(forKey: relationship.name)
              let members =
                try (value as? OrderedToMany<ManagedObject>)?.map(names)
                ?? (value as? ToMany<ManagedObject>)?.map(names) ?? ["unreadable"]
              found = (relationship.isOrdered ? members : members.sorted()).joined(separator: ", ")
            } else {
              let other: ManagedObject? = try object.value(of: relationship.name)
              found = try other.map(names) ?? "nil"
            }
            lines.append("\(try names(object)).\(relationship.name) → \(found)")
          }
        }
      }
    }
    for (name, value) in try context.metadata.values() { lines.append("\(name): \(value)") }
    return lines.sorted()
  }

  private static func text(_ value: Any?) -> String {
    switch value {
    case nil: "nil"
    case let data as Data: data.map { String($0, radix: 16) }.joined(separator: " ")
    case let date as Date: "\(date.timeIntervalSinceReferenceDate.bitPattern)"
    case let number as Double: "\(number.bitPattern)"
    case let number as Float: "\(number.bitPattern)"
    case let text as String: text.unicodeScalars.map { String($0.value) }.joined(separator: " ")
    case let value?: "\(value)"
    }
  }
}
