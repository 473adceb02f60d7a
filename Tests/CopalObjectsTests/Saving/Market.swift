import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Observation

@testable import CopalObjects

/// Text with a projection: its length.
struct MeasuredTransformer: ProjectingTransformer {
  var projections: [Projection<String>] { [Projection("length") { $0.count }] }
  func encode(_ text: String) -> String { text.uppercased() }
  func decode(_ stored: String) -> String { stored.lowercased() }
}

/// An object whose hooks are counted, and whose properties can be observed by their numbers.
class Watched: ObservableManagedObject, QueryableObject {
  private(set) var didSaveCount = 0

  override func didSave() { didSaveCount += 1 }

  subscript(observed property: Int) -> Int {
    get {
      _copalAccess(\Watched[observed: property])
      return property
    }
  }

  /// Waits for a change of a property.
  func watch(_ name: String) -> Watch {
    let relationship = runtime.relationships.first { $0.description.name == name }
    let property =
      relationship.map { $0.slot ?? -1 - $0.ordinal }
      ?? runtime.layout.attributes.firstIndex { $0.name == name }
    return Watch { if let property { _ = self[observed: property] } }
  }

  static func _copalNotify(_ event: ObservedEvent, of property: Int, _ object: ManagedObject) {
    if let object = object as? Watched { event.notify(object, \Watched[observed: property]) }
  }
}

final class MarketWare: Watched {}
final class MarketRack: Watched {}

/// Wares with every kind of property, and what they belong to.
final class Market {
  static let text = """
    { "copal": 1, "model": "Market", "entities": {
      "Ware": {
        "observable": true,
        "attributes": {
          "code": "string?", "text": "string?", "remark": "string?",
          "price": { "type": "decimal?", "scale": 2 },
          "count": { "type": "integer", "default": 0 },
          "stamp": { "type": "date", "default": "now" },
          "mark": { "type": "uuid", "default": "new" },
          "word": { "type": "transformable?", "transformer": "SpokenTransformer", "class": "String", "storage": "text" },
          "measured": {
            "type": "transformable?", "transformer": "MeasuredTransformer", "class": "String", "storage": "text",
            "project": { "length": "integer" } },
          "tones": {
            "type": "transformable?", "transformer": "ToneTransformer", "class": "Tones", "storage": "text",
            "mutable": true },
          "note": { "type": "string?", "transient": true },
          "small": { "type": "binary?", "external": 1000 },
          "large": { "type": "binary?", "external": 1000 },
          "story": { "type": "string?", "search": ["normalized", "substring"] } },
        "relationships": {
          "rack": { "type": "Rack?", "inverse": "wares" },
          "maker": { "type": "Maker?", "inverse": "wares" },
          "place": { "type": "Place?", "inverse": "ware" },
          "parts": { "type": "[Part]", "ordered": true, "inverse": "ware", "delete": "cascade" },
          "papers": { "type": "[Paper]", "inverse": "ware", "delete": "cascade" },
          "tags": { "type": "[Tag]", "ordered": true, "inverse": "wares" },
          "topics": { "type": "[Topic]", "inverse": "wares" } },
        "unique": ["code"] },
      "Rack": {
        "observable": true,
        "attributes": { "name": "string?" },
        "relationships": { "wares": { "type": "[Ware]", "ordered": true, "inverse": "rack" } } },
      "Maker": {
        "attributes": { "name": "string?" },
        "relationships": { "wares": { "type": "[Ware]", "inverse": "maker" } } },
      "Place": {
        "attributes": { "name": "string?" },
        "relationships": { "ware": { "type": "Ware?", "inverse": "place" } } },
      "Part": {
        "attributes": { "name": "string?" },
        "relationships": { "ware": { "type": "Ware?", "inverse": "parts" } } },
      "Paper": {
        "attributes": { "name": "string?" },
        "relationships": { "ware": { "type": "Ware?", "inverse": "papers" } } },
      "Tag": {
        "attributes": { "name": "string?" },
        "relationships": { "wares": { "type": "[Ware]", "ordered": true, "inverse": "tags" } } },
      "Topic": {
        "attributes": { "name": "string?" },
        "relationships": { "wares": { "type": "[Ware]", "inverse": "topics" } } } } }
    """

  /// A kind of property, with two values that have numbers.
  enum Property: String, CaseIterable, Sendable {
    case text, price, count, stamp, mark, word, measured, tones, note, small, large, story
    /// An ordered list: at its end, in its middle, and another place in the stored list.
    case rack, rackPlace, sameRack
    case maker, place, parts, papers, tags, sharedTags, topics

    /// The property of the model.
    var name: String {
      switch self {
      case .rackPlace, .sameRack: "rack"
      case .sharedTags: "tags"
      default: rawValue
      }
    }

    var isList: Bool { [.parts, .papers, .tags, .sharedTags, .topics].contains(self) }
    /// A default of the moment.
    var isOfTheMoment: Bool { self == .stamp || self == .mark }
  }

  /// The names of the properties whose values are compared.
  static let names = Set(Property.allCases.map(\.name)).union(["code", "remark"]).subtracting([
    "note"
  ])

  let test: TestStore
  let container: PersistentContainer
  private var ids: [String: ManagedObjectID] = [:]
  /// What is always there: two racks with two wares each, and two of each other kind.
  static let scenery = [
    "Rack": ["r0", "r1"], "Maker": ["m0", "m1"], "Place": ["p0", "p1"], "Tag": ["t0", "t1"],
    "Topic": ["o0", "o1"],
  ]

  init(_ kind: StoreKind) throws {
    test = try TestStore(kind)
    let model = try ManagedObjectModel(json: Self.text, file: "Market")
    func binding<T: Watched>(_ name: String, _ type: T.Type) -> EntityBinding? {
      model.entities.firstIndex { $0.name == name }.map {
        EntityBinding(name, type, layoutHash: model.layoutHash(ofEntity: $0))
      }
    }
    container = try PersistentContainer(
      model: ModelBinding(
        model,
        classes: [binding("Ware", MarketWare.self), binding("Rack", MarketRack.self)].compactMap(
          \.self)),
      store: test.configuration(),
      transformers: [SpokenTransformer(), MeasuredTransformer(), ToneTransformer()])
    container.readFailureHandler = { _ in }
    let context = container.makeContext()
    for (entity, names) in Self.scenery {
      for name in names {
        let object = try context.insert(entity)
        try object.setValue(name, forKey: "name")
        try context.save()
        ids[name] = object.objectID
      }
    }
    for (name, rack) in [("a", "r0"), ("b", "r0"), ("c", "r1"), ("d", "r1")] {
      let ware = try context.insert("Ware")
      try ware.setValue(name, forKey: "code")
      try ware.setValue(object(rack, context), forKey: "rack")
      try context.save()
      ids[name] = ware.objectID
    }
  }

  /// An object that is always there.
  func object(_ name: String, _ context: ManagedObjectContext) throws -> ManagedObject {
    guard let id = ids[name] else { throw Missing(name: name) }
    return try context.existingObject(with: id)
  }

  struct Missing: Error { let name: String }

  /// Gives a ware the value 0 or 1.
  func set(_ property: Property, _ number: Int, of ware: ManagedObject) throws {
    guard let context = ware.managedObjectContext else { return }
    func insert(at index: Int, _ rack: String) throws {
      let list = try object(rack, context).value(forKey: "wares") as? OrderedToMany<ManagedObject>
      list?.insert(ware, at: index)
    }
    func set(_ value: Any?) throws { try ware.setValue(value, forKey: property.name) }
    switch property {
    case .text, .word, .measured, .note, .story: try set("\(property.name)\(number)")
    case .price: try set(Decimal(10 + number))
    case .count: try set(3 + 4 * number)
    case .stamp: try set(Date(timeIntervalSinceReferenceDate: Double(number)))
    case .mark: try set(Self.marks[number])
    case .tones:
      if let tones = try ware.value(of: "tones", as: Tones.self) {
        tones.names = ["\(number)"]
      } else {
        try set(Tones(["\(number)"]))
      }
    case .small: try set(bytes(10, UInt8(number)))
    case .large: try set(bytes(5000, UInt8(number)))
    case .rack: number == 0 ? try insert(at: 1, "r0") : try set(object("r1", context))
    case .rackPlace: try insert(at: 1, "r\(number)")
    case .sameRack: try insert(at: number == 0 ? 1 : 0, "r0")
    case .maker: try set(object("m\(number)", context))
    case .place: try set(object("p\(number)", context))
    case .parts, .papers:
      let member = try context.insert(property == .parts ? "Part" : "Paper")
      try member.setValue("\(number)", forKey: "name")
      try member.setValue(ware, forKey: "ware")
    case .tags, .topics:
      let kind = property == .tags ? "t" : "o"
      try set([object("\(kind)\(number)", context)])
    case .sharedTags:
      try set((number == 0 ? ["t0"] : ["t1", "t0"]).map { try object($0, context) })
    }
  }

  private static let marks = (0..<2).map { number in
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number)))
  }

  /// The number of a value, `-` for none and for the default 0, a moment or a uuid as it is, and the
  /// numbers of the members of a list, sorted.
  static func shown(_ name: String, _ ware: ManagedObject) throws -> String {
    func number(_ count: Int = 2, _ isEqual: (Int) throws -> Bool) rethrows -> String {
      try (0..<count).first(where: isEqual).map { "\($0)" } ?? "-"
    }
    func last(_ object: ManagedObject) throws -> String {
      try object.value(of: "name", as: String.self).map { String($0.suffix(1)) } ?? "?"
    }
    switch name {
    case "price":
      let value = try ware.value(of: name, as: Decimal.self)
      return number { value == Decimal(10 + $0) }
    case "count":
      let value = try ware.value(of: name, as: Int.self)
      return number { value == 3 + 4 * $0 }
    case "stamp":
      let value = try ware.value(of: name, as: Date.self)?.timeIntervalSinceReferenceDate
      return value == 0 ? "0" : value == 1 ? "1" : "\(value ?? -1)"
    case "mark":
      let value = try ware.value(of: name, as: UUID.self)
      return value == marks[0] ? "0" : value == marks[1] ? "1" : "\(value, default: "nil")"
    case "tones": return try ware.value(of: name, as: Tones.self)?.names.joined() ?? "-"
    case "small", "large":
      let value = try ware.value(of: name, as: Data.self)
      return number { value == bytes(name == "small" ? 10 : 5000, UInt8($0)) }
    case "rack", "maker", "place":
      return try (ware.value(forKey: name) as? ManagedObject).map(last) ?? "-"
    case "parts", "papers", "tags", "topics":
      let members =
        try (ware.value(forKey: name) as? OrderedToMany<ManagedObject>).map(Array.init)
        ?? (ware.value(forKey: name) as? ToMany<ManagedObject>).map(Array.init) ?? []
      return members.isEmpty ? "-" : try members.map(last).sorted().joined()
    default:
      let value = try ware.value(forKey: name) as? String
      return value.map { $0.hasPrefix(name) ? String($0.dropFirst(name.count)) : $0 } ?? "-"
    }
  }

  static func shown(_ ware: ManagedObject) throws -> [String: String] {
    try Dictionary(uniqueKeysWithValues: names.map { ($0, try shown($0, ware)) })
  }

  /// The codes of the wares of each rack, in order.
  func racks(_ context: ManagedObjectContext) throws -> [[String]] {
    try ["r0", "r1"].map { name in
      let list = try object(name, context).value(forKey: "wares") as? OrderedToMany<ManagedObject>
      return try list?.map { try $0.value(of: "code", as: String.self) ?? "nil" } ?? []
    }
  }

  /// Removes what a case has left.
  func clear() throws {
    let context = container.makeContext()
    let wares = try context.fetch(FetchRequest<ManagedObject>(entityName: "Ware"))
    for ware in wares
    where try !["a", "b", "c", "d"].contains(ware.value(of: "code", as: String.self) ?? "") {
      context.delete(ware)
    }
    try context.save()
  }
}
