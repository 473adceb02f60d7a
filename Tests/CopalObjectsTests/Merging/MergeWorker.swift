import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// What a context is asked to do, here or in another process.
enum MergeCommand: Codable {
  case begin(path: String, policies: [PlainWorld.Policy])
  case insert(String)
  case read(String, key: Int64)
  case set(String, String, Int)
  case put(String, into: String?)
  case link(PlainWorld.Link, Bool)
  case delete(String)
  case save, rollBack
  /// With what other processes have saved since the last merge.
  case merge([SavedChanges])
  case end
}

/// What a context shows after a command.
struct MergeReply: Codable {
  struct Shown: Codable, Equatable {
    var values: [String: Int]
    /// The key of the box; 0 for none, -1 for one that is missing.
    var box: Int64
    var flags: Set<String>
    /// The keys of the tags of a card.
    var tags: Set<Int64>?
  }

  var objects: [String: Shown] = [:]
  var hasChanges = false
  var isRefused = false
  /// Why it was refused.
  var causes: [String] = []
  var keys: [String: Int64] = [:]
  /// What the container of the context has saved since the last command.
  var saved: [SavedChanges] = []
  var problem: String?
}

/// Contexts of one container that do what they are asked to.
final class MergeWorker {
  static let binding = Result {
    ModelBinding(
      try ManagedObjectModel(
        json: """
          { "copal": 1, "model": "Cards", "entities": {
            "Card": {
              "attributes": { "a": { "type": "integer", "default": 0 }, "b": { "type": "integer", "default": 0 } },
              "relationships": { "box": { "type": "Box?", "inverse": "cards" }, "tags": { "type": "[Tag]", "inverse": "cards" } } },
            "Box": { "attributes": { "a": { "type": "integer", "default": 0 } }, "relationships": { "cards": { "type": "[Card]", "inverse": "box" } } },
            "Tag": { "attributes": { "a": { "type": "integer", "default": 0 } }, "relationships": { "cards": { "type": "[Card]", "inverse": "tags" } } } } }
          """, file: "Cards"))
  }

  private let container: PersistentContainer
  private let reader: UInt64
  private let contexts: [ManagedObjectContext]
  private var objects: [[String: ManagedObject]]

  init(_ store: StoreConfiguration, _ policies: [PlainWorld.Policy]) throws {
    let container = try PersistentContainer(model: Self.binding.get(), store: store)
    self.container = container
    container.readFailureHandler = { _ in }
    reader = container.runtime.log.addReader()
    let made = policies.map { _ in container.makeContext() }
    for (context, policy) in zip(made, policies) {
      context.automaticallyMergesChanges = true
      context.mergePolicy = policy.real
    }
    contexts = made
    objects = policies.map { _ in [:] }
  }

  static func entity(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst().prefix { $0.isLetter }
  }

  /// - Parameter index: that of the context.
  func run(_ command: MergeCommand, _ index: Int) throws -> MergeReply {
    let context = contexts[index]
    var reply = MergeReply()
    func object(_ name: String) throws -> ManagedObject {
      guard let object = objects[index][name] else { throw ConformanceFailure("no \(name)") }
      return object
    }
    switch command {
    case .begin, .end: break
    case .insert(let name): objects[index][name] = try context.insert(Self.entity(name))
    case .read(let name, let key):
      let id = try #require(
        ManagedObjectID(
          uri: "copal://\(container.storeIdentifier)/\(Self.entity(name))/p\(key)"))
      objects[index][name] = try context.existingObject(with: id)
    case .set(let name, let property, let value):
      try object(name).setValue(value, forKey: property)
    case .put(let card, let box):
      try object(card).setValue(box.map { try object($0) }, forKey: "box")
    case .link(let link, let isAdded):
      let tags = try object(link.card).value(forKey: "tags") as? ToMany<ManagedObject>
      if isAdded { tags?.insert(try object(link.tag)) } else { tags?.remove(try object(link.tag)) }
    case .delete(let name): context.delete(try object(name))
    case .save:
      do { try context.save() } catch let error as PersistenceError where error.code == .saveFailed
      {
        reply.isRefused = true
        reply.causes = error.causes.map { "\($0)" }
      }
    case .rollBack: context.rollback()
    case .merge(let others):
      context.mergeChanges()
      for changes in others { try context.mergeChanges(from: changes) }
    }
    if case .merge = command {
      try show(index, in: &reply, withLists: true)
    } else {
      try show(index, in: &reply, withLists: false)
    }
    for commit in container.runtime.log.take(reader, after: 0).commits {
      reply.saved.append(SavedChanges(commit, container.runtime.names))
    }
    // Releases the objects that only the lists have made: a later read would find their old rows.
    _ = context.registeredObjects
    let problems = context.graphProblems
    // A list that was read before can be older than an object that is read now. A merge mends it.
    if case .merge = command, !problems.isEmpty { reply.problem = "\(problems)" }
    return reply
  }

  private func show(_ index: Int, in reply: inout MergeReply, withLists: Bool) throws {
    reply.hasChanges = contexts[index].hasChanges
    for (name, object) in objects[index] {
      if object.key > 0 { reply.keys[name] = object.key }
      var flags: Set<String> = []
      if object.managedObjectContext == nil {
        flags.insert("gone")
      } else {
        if object.isInserted { flags.insert("inserted") }
        if object.isUpdated {
          for property in object.changedValues().keys where ["a", "b", "box"].contains(property) {
            flags.insert("set \(property)")
          }
        }
        if object.isDeleted { flags.insert("deleted") }
        if object.hasChanges { flags.insert("changed") }
      }
      var shown = MergeReply.Shown(values: [:], box: 0, flags: flags)
      if flags.isDisjoint(with: ["gone", "deleted"]) {
        for property in ["a", "b"] where property == "a" || name.hasPrefix("card") {
          shown.values[property] = try object.value(of: property)
        }
        if name.hasPrefix("card") {
          shown.box = -1
          do {
            shown.box = (try object.value(forKey: "box") as? ManagedObject)?.key ?? 0
          } catch let error as PersistenceError where error.code == .danglingReference {}
          if withLists, let tags = try object.value(forKey: "tags") as? ToMany<ManagedObject> {
            shown.tags = Set(tags.map(\.key))
          }
        }
      }
      reply.objects[name] = shown
    }
  }

  /// Everything that is stored, as a new context reads it: values, keys of boxes and of tags.
  func stored() throws -> [String: [Int64: MergeReply.Shown]] {
    let context = container.makeContext()
    var result: [String: [Int64: MergeReply.Shown]] = [:]
    for entity in ["Card", "Box", "Tag"] {
      for object in try context.fetch(FetchRequest<ManagedObject>(entityName: entity)) {
        var shown = MergeReply.Shown(
          values: ["a": try object.value(of: "a") ?? 0], box: 0, flags: [])
        if entity == "Card" {
          shown.values["b"] = try object.value(of: "b")
          shown.box = (try object.value(forKey: "box") as? ManagedObject)?.key ?? 0
          shown.tags = Set(
            (try object.value(forKey: "tags") as? ToMany<ManagedObject>)?.map(\.key) ?? [])
        }
        result[entity, default: [:]][object.key] = shown
      }
    }
    return result
  }
}

extension PlainWorld.Policy {
  var real: MergePolicy {
    switch self {
    case .error: .error
    case .storeTrump: .mergeByPropertyStoreTrump
    case .objectTrump: .mergeByPropertyObjectTrump
    case .overwrite: .overwrite
    case .rollback: .rollback
    case .sum:
      .custom { conflict in
        guard case .changed = conflict.kind, conflict.changedHere.contains("a"),
          conflict.changedThere.contains("a"), case .integer(let mine)? = conflict.mine?["a"],
          case .integer(let base)? = conflict.base?["a"],
          case .integer(let stored)? = conflict.stored?["a"]
        else { return .keepMine }
        return .values(["a": .integer(stored + mine - base)])
      }
    }
  }
}
