import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// What becomes of an object whose row others have changed: a row for each state that it has here,
/// and each kind of property.
@Suite("The matrix of merging", .modelAsIs)
struct MergeMatrixTests {
  /// A property that the other context changes, from "1" to "2".
  enum Property: String, CaseIterable, Sendable {
    case title, word, studio, place, tags

    /// The list, at the other end, of the objects that the work has belonged to, and belongs to.
    var list: (entity: String, name: String)? {
      switch self {
      case .title, .word: nil
      case .studio: ("Studio", "works")
      case .place: ("Place", "work")
      case .tags: ("Tag", "works")
      }
    }

    var isLink: Bool { self == .tags }
  }

  /// The state of the work in the merging context.
  enum Here: String, CaseIterable, Sendable {
    case absent, fault, clean, changedOther, changedAlike, changedOtherwise, deleted
  }

  /// A work, with two others of everything that it can belong to.
  struct World {
    let container: PersistentContainer
    let mine: ManagedObjectContext
    let others: ManagedObjectContext
    let log = StatementLog()
    let id: ManagedObjectID
    /// What the merging context references, with its lists in memory.
    var held: [String: ManagedObject] = [:]
    var work: ManagedObject?

    init(_ kind: StoreKind, entity: String) throws {
      let test = try TestStore(kind)
      container = try Society.container(test)
      (mine, others) = (container.makeContext(), container.makeContext())
      let work = try others.insert(entity)
      for number in 1...3 {
        for entity in ["Studio", "Place", "Tag"] {
          try others.insert(entity).setValue("\(number)", forKey: "name")
        }
      }
      try others.save()
      id = work.objectID
      try Self.set(.title, "1", of: work, in: others)
      for property in Property.allCases { try Self.set(property, "1", of: work, in: others) }
      try others.save()
      mine.automaticallyMergesChanges = true
      mine.statementLog = log
      for (entity, list) in [("Studio", "works"), ("Place", "work"), ("Tag", "works")] {
        for object in try mine.fetch(FetchRequest<ManagedObject>(entityName: entity)) {
          let name: String = try #require(try object.value(of: "name"))
          held["\(entity)\(name)"] = object
          try (object.value(forKey: list) as? OrderedToMany<ManagedObject>)?.load()
        }
      }
    }

    /// Brings the work into a state in the merging context.
    mutating func prepare(_ here: Here, _ property: Property) throws {
      if here == .absent { return }
      let work = try mine.object(with: id)
      self.work = work
      if here == .fault {
        return try mine.refresh(work, mergeChanges: false)
      }
      _ = try work.shown()
      switch here {
      case .changedOther: try work.setValue(7, forKey: "rank")
      case .changedAlike: try Self.set(property, "2", of: work, in: mine)
      case .changedOtherwise: try Self.set(property, "3", of: work, in: mine)
      case .deleted: mine.delete(work)
      default: break
      }
    }

    /// The other context changes the work.
    func change(_ property: Property) throws {
      try Self.set(property, "2", of: try others.existingObject(with: id), in: others)
      try others.save()
    }

    static func set(
      _ property: Property, _ value: String, of work: ManagedObject,
      in context: ManagedObjectContext
    ) throws {
      guard let list = property.list else {
        return try work.setValue(value, forKey: property.rawValue)
      }
      let target = try context.fetch(FetchRequest<ManagedObject>(entityName: list.entity)).first {
        try $0.value(of: "name") == value
      }
      try work.setValue(property.isLink ? [target] : target, forKey: property.rawValue)
    }

    /// The value of a property, as a number.
    func value(_ property: Property, of work: ManagedObject) throws -> String? {
      switch try work.value(forKey: property.rawValue) {
      case let text as String: text
      case let list as OrderedToMany<ManagedObject>:
        try list.map { try $0.value(of: "name") ?? "" }.joined()
      case let object as ManagedObject: try object.value(of: "name")
      default: nil
      }
    }

    /// The numbers of the objects that say that the work belongs to them.
    func owners(_ property: Property) throws -> String {
      guard let list = property.list else { return "" }
      return try ["1", "2", "3"].filter { number in
        let owner = try #require(held["\(list.entity)\(number)"])
        return switch try owner.value(forKey: list.name) {
        case let works as OrderedToMany<ManagedObject>: works.contains { $0.key == id.key }
        case let work as ManagedObject: work.key == id.key
        default: false
        }
      }.joined()
    }

    func codes(_ body: () throws -> Void) throws -> [PersistenceError.Code] {
      do {
        try body()
        return []
      } catch let error as PersistenceError {
        return error.code == .saveFailed ? error.causeCodes : [error.code]
      }
    }

    func requireAgreement() throws {
      #expect(try mine.differences(from: container) == [])
    }
  }

  @Test("others have updated it", arguments: Here.allCases, Property.allCases)
  func updated(_ here: Here, _ property: Property) throws {
    for kind in bothStores {
      for entity in ["Work", "Sculpture"] {
        try updated(here, property, kind, entity)
      }
    }
  }

  private func updated(_ here: Here, _ property: Property, _ kind: StoreKind, _ entity: String)
    throws
  {
    var world = try World(kind, entity: entity)
    try world.prepare(here, property)
    try world.change(property)
    let count = world.log.records.count
    let changes = world.mine.mergeChanges()
    #expect(world.log.records.count == count, "a merge of rows reads nothing")
    let work = world.work
    switch here {
    case .absent:
      #expect(try world.owners(property) == (property.list == nil ? "" : "2"))
    case .fault:
      #expect(work?.isFault == true)
      #expect(try world.owners(property) == (property.list == nil ? "" : "2"))
      #expect(try work.map { try world.value(property, of: $0) } == "2")
    case .clean:
      #expect(changes.refreshed.contains(try #require(work)) != property.isLink)
      if !property.isLink {
        #expect(changes.changedProperties(of: try #require(work)) == [property.rawValue])
      }
      #expect(try work.map { try world.value(property, of: $0) } == "2")
      #expect(world.log.records.count == count, "the values are there")
      #expect(!world.mine.hasChanges)
    case .changedOther:
      #expect(try work.map { try world.value(property, of: $0) } == "2")
      #expect(try work?.value(of: "rank") == 7)
      #expect(try world.codes { try world.mine.save() } == [])
    case .changedAlike:
      #expect(try work.map { try world.value(property, of: $0) } == "2")
      #expect(try world.owners(property) == (property.list == nil ? "" : "2"))
      #expect(try world.codes { try world.mine.save() } == [])
    case .changedOtherwise where property.isLink:
      // Each has added another tag, and both have removed the first one.
      #expect(try work.map { try world.value(property, of: $0) } == "23")
      #expect(try world.codes { try world.mine.save() } == [])
    case .changedOtherwise:
      #expect(try work.map { try world.value(property, of: $0) } == "3")
      #expect(try world.codes { try world.mine.save() }.contains(.conflict))
      world.mine.rollback()
      #expect(try work.map { try world.value(property, of: $0) } == "2")
      #expect(world.log.records.count { $0.reason.operation != .save } == count)
    case .deleted:
      #expect(work?.isDeleted == true && world.mine.hasChanges)
      if !property.isLink {
        #expect(try world.codes { try world.mine.save() }.contains(.conflict))
      }
      world.mine.rollback()
      #expect(try work.map { try world.value(property, of: $0) } == "2")
      #expect(world.log.records.count { $0.reason.operation != .save } == count)
    }
    try world.requireAgreement()
    #expect(world.mine.graphProblems == [])
  }

  @Test("others have deleted it", arguments: Here.allCases, bothStores)
  func deleted(_ here: Here, _ kind: StoreKind) throws {
    var world = try World(kind, entity: "Work")
    try world.prepare(here, .title)
    world.others.delete(try world.others.existingObject(with: world.id))
    try world.others.save()
    let count = world.log.records.count
    let changes = world.mine.mergeChanges()
    #expect(world.log.records.count == count)
    for property in Property.allCases where here != .changedOtherwise {
      if [.changedOther, .changedAlike].contains(here) { continue }
      #expect(try world.owners(property) == "", "no list has it")
    }
    switch here {
    case .absent: #expect(changes.deleted.isEmpty)
    case .fault, .clean, .deleted:
      let work = try #require(world.work)
      #expect(changes.deleted == [work] && world.mine.deletedObjects.isEmpty)
      #expect(try world.codes { try world.mine.save() } == [])
      #expect(work.isDeleted && work.isMissingInStore && work.managedObjectContext == nil)
      let slot = try #require(work.runtime.layout.slotByName["title"])
      #expect(work.heldText(slot) == (here == .fault ? nil : "1"), "it keeps its last values")
    case .changedOther, .changedAlike, .changedOtherwise:
      let work = try #require(world.work)
      #expect(work.isMissingInStore && work.hasChanges && work.managedObjectContext != nil)
      #expect(try world.codes { try world.mine.save() } == [.deletedElsewhere])
      world.mine.rollback()
      #expect(work.managedObjectContext == nil && !world.mine.hasChanges)
    }
    try world.requireAgreement()
    #expect(world.mine.graphProblems == [])
  }

  @Test("a batch has updated it", arguments: Here.allCases, bothStores)
  func batch(_ here: Here, _ kind: StoreKind) throws {
    var world = try World(kind, entity: "Work")
    try world.prepare(here, .title)
    _ = try world.others.updateAll(
      "Work", set: [BatchAssignment("title", .constant(.string("2")))])
    let count = world.log.records.count
    let changes = world.mine.mergeChanges()
    let work = world.work
    switch here {
    case .absent: break
    case .fault, .clean:
      #expect(world.log.records.count == count)
      #expect(work?.isFault == true)
      if here == .clean { #expect(changes.invalidated == [try #require(work)]) }
      #expect(try work?.value(of: "title") == "2")
    case .changedOther:
      #expect(world.log.records.count == count + 1)
      #expect(try work?.value(of: "title") == "2" && work?.value(of: "rank") == 7)
      #expect(try world.codes { try world.mine.save() } == [])
    case .changedAlike:
      #expect(try work?.value(of: "title") == "2")
      #expect(!world.mine.hasChanges)
    case .changedOtherwise:
      #expect(try work?.value(of: "title") == "3")
      #expect(try world.codes { try world.mine.save() } == [.conflict])
      world.mine.rollback()
      #expect(try work?.value(of: "title") == "2")
    case .deleted:
      #expect(try world.codes { try world.mine.save() }.contains(.conflict))
      world.mine.rollback()
      #expect(try work?.value(of: "title") == "2")
    }
    try world.requireAgreement()
  }

  @Test("transient, primitive and changed mutable values", arguments: bothStores)
  func otherValues(_ kind: StoreKind) throws {
    var world = try World(kind, entity: "Work")
    try world.prepare(.clean, .title)
    let work = try #require(world.work)
    try work.setPrimitiveValue("primitive", forKey: "title")
    try world.change(.word)
    world.mine.mergeChanges()
    #expect(try work.value(of: "title") == "1", "a primitive value is discarded, as by a refresh")
    #expect(!world.mine.hasChanges)
  }

  @Test("an object that comes back under its key is the same object", arguments: bothStores)
  func sameKey(_ kind: StoreKind) throws {
    var world = try World(kind, entity: "Work")
    try world.prepare(.clean, .title)
    try world.others.transaction {
      let work = try world.others.existingObject(with: world.id)
      try work.setValue("2", forKey: "title")
      try world.others.save()
      try work.setValue("3", forKey: "title")
      try world.others.save()
    }
    world.mine.mergeChanges()
    #expect(try world.work?.value(of: "title") == "3", "the last of several rows counts")
    try world.requireAgreement()
  }
}

extension ManagedObject {
  /// The text that an object still has after it has left its context.
  fileprivate func heldText(_ slot: Int) -> String? {
    guard let base else { return nil }
    if case .string(let text) = runtime.layout.value(base, slot) { return text }
    return nil
  }
}
