import Copal
import CopalTestSupport
import Foundation
import Testing

/// A kind of relationship from an owner to members.
enum Arity: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case oneToOne = "one-to-one"
  case manyToOne = "to-one with a to-many inverse"
  case oneToMany = "to-many"
  case ordered = "ordered to-many"
  case manyToMany = "many-to-many"
  case orderedManyToMany = "ordered many-to-many"
  case oneWay = "one-way to-one"
  case oneWayToMany = "one-way to-many"

  var testDescription: String { rawValue }

  var isToMany: Bool { ![.oneToOne, .manyToOne, .oneWay].contains(self) }

  /// Whether the members have a key of the owner in their rows.
  var isInRowsOfMembers: Bool { [.oneToOne, .oneToMany, .ordered].contains(self) }

  func model(_ rule: RelationshipDescription.DeleteRule) throws -> ModelBinding {
    let isOneWay = self == .oneWay || self == .oneWayToMany
    let back =
      switch self {
      case .oneToOne, .oneToMany, .ordered: "Owner?"
      default: "[Owner]"
      }
    let json = """
      { "copal": 1, "model": "Matrix", "entities": {
        "Owner": { "attributes": { "name": "string?" }, "relationships": { "r": {
          "type": "\(isToMany ? "[Member]" : "Member?")",
          "ordered": \(self == .ordered || self == .orderedManyToMany),
          \(isOneWay ? "" : "\"inverse\": \"b\",") "delete": "\(rule.rawValue)" } } },
        "Member": { "attributes": { "name": "string?" }, "relationships": {
          \(isOneWay ? "" : "\"b\": { \"type\": \"\(back)\", \"inverse\": \"r\" }") } } } }
      """
    return ModelBinding(
      try ManagedObjectModel(
        json: json.replacing("\"ordered\": false,", with: ""), file: "Matrix.model.json"))
  }
}

extension ManagedObject {
  /// The objects of a relationship of any kind.
  fileprivate func related(_ name: String) throws -> [ManagedObject] {
    switch try value(forKey: name) {
    case let object as ManagedObject: [object]
    case let objects as ToMany<ManagedObject>: Array(objects)
    case let objects as OrderedToMany<ManagedObject>: Array(objects)
    default: []
    }
  }
}

@Suite("Each delete rule for each kind of relationship")
struct DeleteRuleMatrixTests {
  /// An owner with members, in a new context.
  private struct World {
    let context: ManagedObjectContext
    let owner: ManagedObject
    let members: [ManagedObject]

    init(_ container: PersistentContainer, _ arity: Arity, isLoaded: Bool) throws {
      let first = container.makeContext()
      let owner = try first.insert("Owner")
      let members = try (0..<(arity.isToMany ? 3 : 1)).map { _ in try first.insert("Member") }
      try owner.setValue(arity.isToMany ? members : members[0], forKey: "r")
      try first.save()
      let context = container.makeContext()
      self.context = context
      self.owner = try context.object(with: owner.objectID)
      self.members = try members.map { try context.object(with: $0.objectID) }
      if isLoaded { #expect(try Set(self.owner.related("r")) == Set(self.members)) }
    }
  }

  private static let rules = RelationshipDescription.DeleteRule.allCases

  private func world(
    _ arity: Arity, _ rule: RelationshipDescription.DeleteRule, _ kind: StoreKind, _ isLoaded: Bool
  ) throws -> (World, PersistentContainer) {
    let container = try TestStore(kind).container(arity.model(rule), transformers: [])
    return (try World(container, arity, isLoaded: isLoaded), container)
  }

  @Test("a deletion does what the rule says", arguments: Arity.allCases, rules)
  func rule(_ arity: Arity, _ rule: RelationshipDescription.DeleteRule) throws {
    for kind in bothStores {
      for isLoaded in [true, false] {
        let (world, container) = try world(arity, rule, kind, isLoaded)
        let (context, owner, members) = (world.context, world.owner, world.members)
        context.delete(owner)
        #expect(try owner.related("r").isEmpty, "a deleted object has no related objects")
        #expect(members.allSatisfy { $0.isDeleted == (rule == .cascade) })
        if arity != .oneWay, arity != .oneWayToMany {
          #expect(try members.allSatisfy { try $0.related("b").isEmpty })
        }
        if rule == .deny {
          let error = #expect(throws: PersistenceError.self) { try context.save() }
          #expect(error?.causeCodes == [.deletionDenied])
          for member in members { context.delete(member) }
        }
        try context.save()
        let fresh = container.makeContext()
        let left = try fresh.fetch(FetchRequest<ManagedObject>(entityName: "Member"))
        let stays = rule == .nullify || rule == .noAction
        #expect(left.count == (stays ? members.count : 0))
        #expect(try fresh.count(FetchRequest<ManagedObject>(entityName: "Owner")) == 0)
        if rule != .noAction { #expect(try container.check().isEmpty) }
      }
    }
  }

  @Test("a rollback restores the objects at both ends", arguments: Arity.allCases, rules)
  func rollback(_ arity: Arity, _ rule: RelationshipDescription.DeleteRule) throws {
    for kind in bothStores {
      for isLoaded in [true, false] {
        let (world, _) = try world(arity, rule, kind, isLoaded)
        world.context.delete(world.owner)
        world.context.rollback()
        #expect(try Set(world.owner.related("r")) == Set(world.members))
        #expect(!world.owner.isDeleted && world.members.allSatisfy { !$0.isDeleted })
        #expect(!world.context.hasChanges)
      }
    }
  }

  @Test("an object that was never saved is deleted at once", arguments: Arity.allCases, rules)
  func new(_ arity: Arity, _ rule: RelationshipDescription.DeleteRule) throws {
    for kind in bothStores {
      let container = try TestStore(kind).container(arity.model(rule), transformers: [])
      let context = container.makeContext()
      let (owner, member) = (try context.insert("Owner"), try context.insert("Member"))
      try owner.setValue(arity.isToMany ? [member] : member, forKey: "r")
      context.delete(owner)
      #expect(owner.managedObjectContext == nil)
      #expect((member.managedObjectContext == nil) == (rule == .cascade))
      try context.save()
      let count = try context.count(FetchRequest<ManagedObject>(entityName: "Member"))
      #expect(count == (rule == .cascade ? 0 : 1))
    }
  }
}

@Suite("Each change of a relationship in each state of an object")
struct RelationshipStateMatrixTests {
  enum State: CaseIterable, Sendable { case new, clean, changed, fault, deleted, gone }

  /// Whether an object in this state can get related objects.
  private func isLiving(_ state: State) -> Bool { state != .deleted && state != .gone }

  private func object(_ state: State, _ entity: String, _ context: ManagedObjectContext) throws
    -> ManagedObject
  {
    let object = try context.insert(entity)
    switch state {
    case .new: break
    case .gone: context.delete(object)
    default:
      try context.save()
      if state == .changed { try object.setValue("changed", forKey: "name") }
      if state == .fault { try context.refresh(object, mergeChanges: false) }
      if state == .deleted { context.delete(object) }
    }
    return object
  }

  @Test(
    "both ends agree after an object was added and removed",
    arguments: [Arity.oneToOne, .manyToOne, .oneToMany, .ordered, .manyToMany, .orderedManyToMany],
    State.allCases)
  func added(_ arity: Arity, _ state: State) throws {
    for kind in bothStores {
      for isOwner in [true, false] {
        let container = try TestStore(kind).container(arity.model(.nullify), transformers: [])
        let context = container.makeContext()
        context.readFailureHandler = { _ in }
        let odd = try object(state, isOwner ? "Owner" : "Member", context)
        let other = try context.insert(isOwner ? "Member" : "Owner")
        let (owner, member) = isOwner ? (odd, other) : (other, odd)
        try owner.setValue(arity.isToMany ? [member] : member, forKey: "r")
        let isLinked = isLiving(state)
        #expect(try owner.related("r") == (isLinked ? [member] : []))
        #expect(try member.related("b") == (isLinked ? [owner] : []))
        try context.save()
        #expect(try owner.related("r") == (isLinked ? [member] : []))
        try owner.setValue(arity.isToMany ? [] as [ManagedObject] : nil, forKey: "r")
        #expect(try owner.related("r").isEmpty && member.related("b").isEmpty)
        try context.save()
        #expect(try container.check().isEmpty)
      }
    }
  }
}
