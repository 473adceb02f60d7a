import CopalModel
import CopalStore
import Foundation

/// Edits a model as somebody does who knows nothing but the values of an error.
struct WordScript {
  /// An edit that the text of an error suggests. Names of keys are those in quotation marks.
  enum Edit: Sendable, Hashable {
    /// `add "a" to "removed" of Book`
    case addToRemoved(String, of: String)
    /// `write "renamedFrom": "a" at the attribute that it is now`
    case writeRenamedFrom(String, at: String)
    /// `add "default"`
    case addValue(key: String)
    /// `write "conversion" with "fill" beside a "default"`
    case writeConversion(String, valueKey: String?, makesOptional: Bool)
    /// `remove "checkStored"`
    case removeKey(String)
    /// `remove the constraint`
    case removeConstraint
    /// `use two versions: in the first one, remove or rename what the store has as a`
    case useTwoVersions(String, renames: Bool)
    /// `keep "external" in this version`
    case keepKey(String)
    /// `make the attribute optional`, or the relationship
    case makeOptional
    /// `use the type "integer"`
    case useType(String)
    /// `undo the change`
    case undo
  }

  /// The model of the program.
  private(set) var model: JSON
  /// The model of the store.
  private(set) var stored: JSON
  /// A version between them.
  private var earlier: JSON?

  init(_ edit: RefusedEdit) throws {
    stored = JSON(model: try JSON(entities: edit.old))
    model = JSON(model: try JSON(entities: edit.new))
  }

  func text(_ model: JSON) -> String { model.text }

  func schema(_ other: JSON? = nil) throws -> StoreSchema {
    StoreSchema(
      try ManagedObjectModel(json: (other ?? model).text, file: "Test.model.json"))
  }

  /// The version that has to be opened first, once.
  mutating func takeEarlierVersion() -> JSON? {
    guard let earlier else { return nil }
    stored = earlier
    stored["removed"] = .null
    for name in stored["entities"].object.keys {
      stored["entities"][name]["removed"] = .null
      stored["entities"][name]["renamedFrom"] = .null
    }
    self.earlier = nil
    return earlier
  }

  // MARK: Texts

  /// Everything that an error suggests.
  static func edits(of error: PersistenceError) -> [Edit] {
    let text = error.expected ?? ""
    var edits: [Edit] = []
    for match in text.matches(of: /add "(\w+)" to "removed" of (the model|\w+)/) {
      edits.append(.addToRemoved(String(match.1), of: String(match.2)))
    }
    if let place = error.suggestion {
      for match in text.matches(of: /write "renamedFrom": "(\w+)" at the/) {
        edits.append(.writeRenamedFrom(String(match.1), at: place))
      }
    }
    if let match = text.firstMatch(of: /add "(\w+)", or "(\w+)" with a value/) {
      edits += [match.1, match.2].map { .addValue(key: String($0)) }
    }
    if let list = text.firstMatch(of: /write "conversion" with (.*?)(, or change|, so that|$)/) {
      for match in list.1.matches(of: /"(\w+)"( beside a "(\w+)" or a "(\w+)")?/) {
        let keys = match.2 == nil ? [nil] : [match.3, match.4]
        edits += keys.map { $0.map(String.init) }.map {
          .writeConversion(String(match.1), valueKey: $0, makesOptional: false)
        }
      }
    }
    for match in text.matches(
      of:
        /write "conversion": "(\w+)"( at an optional attribute| and make the relationship optional)?/
    ) {
      edits.append(
        .writeConversion(String(match.1), valueKey: nil, makesOptional: match.2 != nil))
    }
    for match in text.matches(of: /remove "(\w+)"/) { edits.append(.removeKey(String(match.1))) }
    for match in text.matches(of: /keep "(\w+)"/) { edits.append(.keepKey(String(match.1))) }
    if text.contains(/make the (attribute|relationship) optional/), !text.contains("and make") {
      edits.append(.makeOptional)
    }
    for match in text.matches(of: /use the type "(\w+)"/) {
      edits.append(.useType(String(match.1)))
    }
    if text.contains("remove the constraint") { edits.append(.removeConstraint) }
    if let match = text.firstMatch(of: /remove or rename what the store has as (\w+)/) {
      edits += [false, true].map { .useTwoVersions(String(match.1), renames: $0) }
    }
    if text.contains("undo the change") { edits.append(.undo) }
    return edits
  }

  // MARK: Edits

  mutating func apply(_ edit: Edit, for error: PersistenceError) {
    let entity = error.entity ?? ""
    let isEntity = error.property == nil
    switch edit {
    case .addToRemoved(let name, of: "the model"):
      model["removed"].append(name)
    case .addToRemoved(let name, of: let owner):
      model["entities"][owner]["removed"].append(name)
    case .writeRenamedFrom(let name, at: let place):
      if isEntity {
        model["entities"][place]["renamedFrom"].append(name)
      } else {
        changeProperty(place, of: entity) { $0["renamedFrom"].append(name) }
      }
    case .addValue(let key):
      changeProperty(error.property ?? "", of: entity) { $0[key] = $0.valueOfType }
    case .writeConversion(let word, let key, let makesOptional):
      changeProperty(error.property ?? "", of: entity) { attribute in
        attribute["conversion"] = .string(word)
        if let key { attribute[key] = attribute.valueOfType }
        if makesOptional { attribute.makeOptional() }
      }
    case .keepKey(let key):
      let property = error.property ?? ""
      let before = stored["entities"][storedName(of: entity)]["attributes"][property][key]
      changeProperty(property, of: entity) { $0[key] = before }
    case .makeOptional:
      changeProperty(error.property ?? "", of: entity) { $0.makeOptional() }
    case .useType(let type):
      changeProperty(error.property ?? "", of: entity) { attribute in
        guard case .string(let old) = attribute["type"] else { return }
        attribute["type"] = .string(type + (old.hasSuffix("?") ? "?" : ""))
      }
    case .removeKey(let key):
      if isEntity {
        model["entities"][entity][key] = .null
      } else {
        changeProperty(error.property ?? "", of: entity) { $0[key] = .null }
      }
    case .removeConstraint:
      let names = Set((error.property ?? "").split(separator: ", ").map(String.init))
      model["entities"][entity]["unique"].removeAll { Set($0.names) == names }
    case .useTwoVersions(let name, let renames):
      prepareEarlierVersion(name, of: isEntity ? nil : storedName(of: entity), renames)
    case .undo:
      if let property = error.property { undo(property, of: entity) } else { undo(entity) }
    }
  }

  private mutating func changeProperty(
    _ name: String, of entity: String, _ body: (inout JSON) -> Void
  ) {
    for owner in model.line(of: entity) {
      for kind in ["attributes", "relationships"] {
        var property = model["entities"][owner][kind][name]
        if property == .null { continue }
        if case .string = property { property = .object(["type": property]) }
        body(&property)
        model["entities"][owner][kind][name] = property
      }
    }
  }

  /// The name of an entity in the store.
  private func storedName(of entity: String) -> String {
    let names = [entity] + model["entities"][entity]["renamedFrom"].names
    return names.first { stored["entities"][$0] != .null } ?? entity
  }

  /// Removes or renames an entity of the store, or an attribute of one.
  private mutating func prepareEarlierVersion(
    _ name: String, of entity: String?, _ renames: Bool
  ) {
    var version = earlier ?? stored
    let former = "former" + name
    defer { earlier = version }
    guard let entity else {
      var description = version["entities"][name]
      version["entities"][name] = .null
      if renames {
        description["renamedFrom"].append(name)
        version["entities"][former] = description
      } else {
        version["removed"].append(name)
      }
      return
    }
    for owner in version.line(of: entity) {
      var description = version["entities"][owner]["attributes"][name]
      if description == .null { continue }
      version["entities"][owner]["attributes"][name] = .null
      if renames {
        if case .string = description { description = .object(["type": description]) }
        description["renamedFrom"].append(name)
        version["entities"][owner]["attributes"][former] = description
      } else {
        version["entities"][owner]["removed"].append(name)
      }
    }
  }

  /// Gives a property the place and the description that it has in the store.
  private mutating func undo(_ property: String, of entity: String) {
    let root = model.line(of: entity).last
    for name in model["entities"].object.keys where model.line(of: name).last == root {
      for kind in ["attributes", "relationships"] {
        let before = stored["entities"][storedName(of: name)][kind][property]
        if before == model["entities"][name][kind][property] { continue }
        model["entities"][name][kind][property] = before
      }
      model["entities"][name]["removed"].removeAll { $0 == .string(property) }
    }
  }

  /// Gives an entity the description that it has in the store.
  private mutating func undo(_ entity: String) {
    model["removed"].removeAll { $0 == .string(entity) }
    model["entities"][entity] = stored["entities"][entity]
    if model["entities"][entity] != .null { return }
    for name in model["entities"].object.keys
    where model["entities"][name]["parent"] == .string(entity) {
      model["entities"][name]["parent"] = stored["entities"][name]["parent"]
    }
  }
}

// MARK: JSON

/// A value of a model file.
enum JSON: Sendable, Hashable, Codable {
  case null
  case boolean(Bool)
  case integer(Int)
  case double(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// The members of an object, without its braces.
  init(entities: String) throws {
    self = try JSONDecoder().decode(JSON.self, from: Data("{ \(entities) }".utf8))
  }

  /// A model with these entities.
  init(model entities: JSON) {
    self = .object(["copal": .integer(1), "model": .string("Test"), "entities": entities])
  }

  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The text of an object, without its braces.
  var members: String { String(text.dropFirst().dropLast()) }

  /// The members; none of another value.
  var object: [String: JSON] {
    if case .object(let members) = self { members } else { [:] }
  }

  /// The items; a single value is one item.
  var items: [JSON] {
    switch self {
    case .null: []
    case .array(let items): items
    default: [self]
    }
  }

  /// The texts of the items.
  var names: [String] {
    items.compactMap { if case .string(let name) = $0 { name } else { nil } }
  }

  /// A member. Null is none.
  subscript(key: String) -> JSON {
    get { object[key] ?? .null }
    set {
      // A member that does not exist stays so.
      if newValue == .null, object[key] == nil { return }
      var members = object
      members[key] = newValue == .null ? nil : newValue
      self = .object(members)
    }
  }

  /// Adds a name to a list that may not exist yet.
  mutating func append(_ name: String) {
    if !names.contains(name) { self = .array(items + [.string(name)]) }
  }

  /// Removes items of a list, and the list with its last item.
  mutating func removeAll(where isRemoved: (JSON) -> Bool) {
    let rest = items.filter { !isRemoved($0) }
    self = rest.isEmpty ? .null : .array(rest)
  }

  /// This value with the members and items of another one.
  func merged(with other: JSON) -> JSON {
    switch (self, other) {
    case (.object(let own), .object(let others)):
      .object(own.merging(others) { $0.merged(with: $1) })
    case (.array(let own), .array(let others)): .array(own + others)
    default: other
    }
  }

  /// An entity of a model and its ancestors, the root last.
  fileprivate func line(of entity: String) -> [String] {
    var line = [entity]
    while let last = line.last, line.count < 40,
      case .string(let parent) = self["entities"][last]["parent"]
    {
      line.append(parent)
    }
    return line
  }

  fileprivate mutating func makeOptional() {
    guard case .string(let type) = self["type"], !type.hasSuffix("?") else { return }
    self["type"] = .string(type + "?")
  }

  /// A value that the type and the rules of an attribute allow.
  fileprivate var valueOfType: JSON {
    if let first = self["cases"].items.first {
      return first.object.min { $0.key < $1.key }?.value ?? first
    }
    if self["minimum"] != .null { return self["minimum"] }
    guard case .string(let type) = self["type"] else { return .null }
    return switch type.prefix(while: { $0 != "?" }) {
    case "boolean": .boolean(true)
    case "date": .string("2024-05-17T09:30:00Z")
    case "uuid": .string("E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    case "binary": .string("AQID")
    case "uri": .string("https://example.com")
    case "string", "transformable": .string("word")
    default: .integer(1)
    }
  }
}
