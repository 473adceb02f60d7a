import Copal
import CopalModel
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// Texts are stored with a word before them.
struct SpokenTransformer: AttributeTransformer {
  func encode(_ word: String) -> String { "word:" + word }
  func decode(_ stored: String) -> String { String(stored.dropFirst(5)) }
}

/// A model with every kind of relationship, a family and a transformable.
enum Society {
  static let text = """
    { "copal": 1, "model": "Society", "entities": {
      "Work": {
        "attributes": {
          "title": "string?", "code": "string?", "rank": { "type": "integer", "default": 0 },
          "price": { "type": "decimal?", "scale": 2 },
          "word": { "type": "transformable?", "transformer": "SpokenTransformer", "class": "String", "storage": "text" },
          "note": { "type": "string?", "transient": true } },
        "relationships": {
          "studio": { "type": "Studio?", "inverse": "works" },
          "place": { "type": "Place?", "inverse": "work" },
          "tags": { "type": "[Tag]", "ordered": true, "inverse": "works" },
          "parts": { "type": "[Part]", "inverse": "whole", "delete": "cascade" } },
        "unique": ["code"] },
      "Sculpture": { "parent": "Work", "attributes": { "weight": { "type": "double", "default": 1 } } },
      "Studio": {
        "attributes": { "name": "string?" },
        "relationships": {
          "works": { "type": "[Work]", "ordered": true, "inverse": "studio" },
          "helpers": { "type": "[Person]", "inverse": "studio", "sort": ["age", "name"] } } },
      "Person": {
        "attributes": { "name": "string?", "age": "integer32?" },
        "relationships": { "studio": { "type": "Studio?", "inverse": "helpers" } } },
      "Part": {
        "attributes": { "name": "string?" },
        "relationships": { "whole": { "type": "Work?", "inverse": "parts" } } },
      "Place": {
        "attributes": { "name": "string?" },
        "relationships": { "work": { "type": "Work?", "inverse": "place" } } },
      "Tag": {
        "attributes": { "name": "string?" },
        "relationships": {
          "works": { "type": "[Work]", "ordered": true, "inverse": "tags" },
          "related": { "type": "[Tag]", "inverse": "related" },
          "examples": { "type": "[Work]" } } } } }
    """

  static let entities = ["Work", "Sculpture", "Studio", "Person", "Part", "Place", "Tag"]

  static func binding() throws -> ModelBinding {
    ModelBinding(try ManagedObjectModel(json: text, file: "Society"))
  }

  static func container(_ test: TestStore) throws -> PersistentContainer {
    let container = try PersistentContainer(
      model: binding(), store: test.configuration(),
      transformers: [SpokenTransformer()])
    container.readFailureHandler = { _ in }
    return container
  }
}

extension ManagedObject {
  /// Everything that the object shows: attributes, ids of related objects. Lists have an order
  /// where the relationship has one.
  func shown() throws -> [String: String] {
    var result: [String: String] = [:]
    for attribute in runtime.layout.attributes.indices where !runtime.isHidden(attribute) {
      let description = runtime.layout.attributes[attribute]
      if description.isTransient || runtime.layout.slots[attribute].isReference { continue }
      result[description.name] = try value(forKey: description.name).map { "\($0)" } ?? "nil"
    }
    for relationship in runtime.relationships where !relationship.isHidden {
      let name = relationship.description.name
      switch try value(forKey: name) {
      case let list as OrderedToMany<ManagedObject>:
        result[name] = list.map { "\($0.entityName)\($0.key)" }.joined(separator: " ")
      case let set as ToMany<ManagedObject>:
        let names = set.map { "\($0.entityName)\($0.key)" }
        result[name] = (relationship.sortKeys.isEmpty ? names.sorted() : names)
          .joined(separator: " ")
        if set.count != set.map({ $0 }).count {
          result[name, default: ""] += " counted \(set.count)"
        }
      case let object as ManagedObject: result[name] = "\(object.entityName)\(object.key)"
      default: result[name] = "nil"
      }
    }
    return result
  }
}

extension ManagedObjectContext {
  /// How the objects of a context without changes differ from those of a new context, which reads
  /// the store.
  func differences(from container: PersistentContainer) throws -> [String] {
    let fresh = container.makeContext()
    var problems = graphProblems
    for object in registeredObjects.sorted(by: { $0.key < $1.key }) {
      let name = "\(object.entityName)\(object.key)"
      guard let other = try? fresh.existingObject(with: object.objectID) else {
        // A fault that was never read does not know it.
        if !object.isFault { problems.append("\(name) is not in the store") }
        continue
      }
      let (mine, theirs) = (try object.shown(), try other.shown())
      for (property, value) in theirs where mine[property] != value {
        problems.append("\(name).\(property) is \(mine[property] ?? "-"), stored \(value)")
      }
    }
    return problems
  }
}

extension ManagedObjectContext {
  /// What the context has and has not saved, without reading anything: values, versions, lists.
  func unsavedState() -> [String: String] {
    var result = ["has changes": "\(hasChanges)"]
    state.forEachRegistered { result["\($0.entityName)\($0.key)"] = $0.unsavedState }
    for object in state.changed.objects where !object.flags.contains(.gone) {
      result["\(object.entityName)\(object.key)"] = object.unsavedState
    }
    for place in state.relationships.places {
      guard let members = state.relationships[place] else { continue }
      let changes = members.linkChanges
      let list =
        members.isLoaded
        ? state.relationships.list(place).map { list in
          (0..<list.count).compactMap { list[$0] }.map { "\($0.key)@\($0.position)" }
        } ?? [] : ["not loaded"]
      result["list \(place.entity) \(place.ordinal) \(place.key)"] =
        "\(list) added \(changes.added.map(\.object.key)) removed \(changes.removed) moved \(changes.moved)"
    }
    return result
  }
}

extension ManagedObject {
  fileprivate var unsavedState: String {
    // Not the objects that references show: a refused save marks those that are missing.
    let values = runtime.layout.storedSlots.map { slot -> String in
      if runtime.transformers[slot] != nil { return "\(slot)=\(current(slot) ?? "nil")" }
      let packed = base.map { runtime.layout.value($0, slot) }
      let cell = cells?.hasCell(slot) == true ? cells?.value(slot) : nil
      return "\(slot)=\(cell ?? packed ?? .null)"
    }
    let isNew = flags.contains(.inserted)
    return
      "\(values) new \(isNew) deleted \(flags.contains(.deleted)) changed \(flags.contains(.updated)) gone \(flags.contains(.gone)) version \(isNew ? 0 : row?.version ?? 0)"
  }
}
