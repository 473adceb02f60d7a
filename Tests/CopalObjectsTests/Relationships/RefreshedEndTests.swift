import Copal
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@testable import CopalObjects

/// Others have changed a link of which this context has read both ends, and one end is refreshed
/// here. What is set then is written.
@Suite("A link after a refresh of one of its ends", .modelAsIs)
struct RefreshedEndTests {
  private struct World {
    let container: PersistentContainer
    let mine: ManagedObjectContext
    let others: ManagedObjectContext

    init(_ kind: StoreKind) throws {
      container = try Society.container(TestStore(kind))
      (mine, others) = (container.makeContext(), container.makeContext())
    }

    func theirs(_ object: ManagedObject) throws -> ManagedObject {
      try others.existingObject(with: object.objectID)
    }

    /// Whether the store has a link, by both of its ends.
    func stored(_ pair: LinkedPair, _ first: ManagedObject, _ second: ManagedObject) throws -> Bool
    {
      let fresh = container.makeContext()
      return try pair.isLinked(
        fresh.existingObject(with: first.objectID), fresh.existingObject(with: second.objectID))
    }
  }

  /// A change of one object, and of others with it.
  private struct Undone: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The entities of the two objects, which have been linked by a relationship of the first one.
    let entities: (String, String)
    let name: String
    let change: @Sendable (ManagedObject, ManagedObject) throws -> Void

    init(
      _ description: String, _ entities: (String, String), _ name: String,
      _ change: @escaping @Sendable (ManagedObject, ManagedObject) throws -> Void
    ) {
      (testDescription, self.entities, self.name, self.change) =
        (description, entities, name, change)
    }

    static let deletion: @Sendable (ManagedObject, ManagedObject) throws -> Void = { object, _ in
      object.managedObjectContext?.delete(object)
    }
    static let all = [
      Undone("a deletion of a member", ("Part", "Work"), "whole", deletion),
      Undone("a deletion of a linked object", ("Tag", "Work"), "works", deletion),
      Undone("a deletion of a partner", ("Work", "Place"), "place", deletion),
      Undone("a link", ("Tag", "Work"), "works") { tag, _ in
        try tag.setValue(
          [tag.managedObjectContext?.insert("Work")].compactMap(\.self), forKey: "works")
      },
      Undone("no link", ("Tag", "Work"), "works") { tag, _ in
        try tag.setValue([ManagedObject](), forKey: "works")
      },
      Undone("a relative", ("Tag", "Tag"), "related") { tag, _ in
        try tag.setValue([ManagedObject](), forKey: "related")
      },
      Undone("no owner", ("Part", "Work"), "whole") { part, _ in
        try part.setValue(nil, forKey: "whole")
      },
      Undone("no partner", ("Work", "Place"), "place") { work, _ in
        try work.setValue(nil, forKey: "place")
      },
      Undone("no partner of the other end", ("Place", "Work"), "work") { place, _ in
        try place.setValue(nil, forKey: "work")
      },
      Undone("another order", ("Work", "Studio"), "studio") { work, studio in
        let other = try #require(work.managedObjectContext).insert("Work")
        let works = try #require(
          try studio.value(of: "works", as: OrderedToMany<ManagedObject>.self))
        works.append(other)
        works.move(fromOffsets: [0], toOffset: 2)
      },
    ]
  }

  @Test(
    "a refresh that undoes what has changed leaves nothing to save",
    arguments: bothStores, Undone.all)
  private func undone(_ kind: StoreKind, _ undone: Undone) throws {
    for isRead in [true, false] { try check(kind, undone, isRead) }
  }

  private func check(_ kind: StoreKind, _ undone: Undone, _ isRead: Bool) throws {
    let world = try World(kind)
    let writer = world.others
    let ends = [try writer.insert(undone.entities.0), try writer.insert(undone.entities.1)]
    let isToMany = try ends[0].value(forKey: undone.name) is any Sequence
    let linked: Any = isToMany ? [ends[1]] : ends[1]
    try ends[0].setValue(linked, forKey: undone.name)
    try writer.save()
    let objects = try ends.map { try world.mine.existingObject(with: $0.objectID) }
    if isRead { for object in objects { _ = try object.shown() } }
    try undone.change(objects[0], objects[1])
    for new in world.mine.insertedObjects { world.mine.delete(new) }
    try world.mine.refresh(objects[0], mergeChanges: false)
    #expect(!world.mine.hasChanges, "\(isRead): \(world.mine.updatedObjects)")
    let fresh = world.container.makeContext()
    for object in objects {
      let stored = try fresh.existingObject(with: object.objectID)
      #expect(try object.shown() == stored.shown())
    }
    #expect(world.mine.graphProblems == [])
  }

  @Test(
    "what is linked or unlinked after a refresh of one end is written, by whatever end",
    arguments: bothStores, LinkedPair.all)
  func isWritten(_ kind: StoreKind, _ pair: LinkedPair) throws {
    let world = try World(kind)
    for step in RefreshedEnd.all(of: pair) {
      let first = try world.mine.insert(pair.first.entity)
      let second = try world.mine.insert(pair.second.entity)
      if step.isLinked { try pair.link(first, second, by: .first) }
      try world.mine.save()
      world.mine.refreshAllObjects()
      try #require(try pair.isLinked(first, second) == step.isLinked)

      try pair.set(
        !step.isLinked, world.theirs(first), world.theirs(second), by: .first)
      try world.others.save()
      try world.mine.refresh(
        step.refreshed == .first ? first : second, mergeChanges: step.mergesChanges)
      try pair.set(step.isLinked, first, second, by: step.written)
      #expect(world.mine.hasChanges, "\(step)")
      try world.mine.save()
      #expect(try world.stored(pair, first, second) == step.isLinked, "\(step)")
      #expect(try pair.isLinked(first, second) == step.isLinked, "\(step)")
      #expect(world.mine.graphProblems == [], "\(step)")
    }
  }

  @Test(
    "a list that is read after a refresh of one end shows what others have saved",
    arguments: bothStores, LinkedPair.all)
  func isShown(_ kind: StoreKind, _ pair: LinkedPair) throws {
    let world = try World(kind)
    // The partner of a fault is not known before its row is read.
    for step in RefreshedEnd.all(of: pair)
    where step.refreshed == .first && (step.mergesChanges || !pair.isOneToOne) {
      let first = try world.mine.insert(pair.first.entity)
      let second = try world.mine.insert(pair.second.entity)
      if step.isLinked { try pair.link(first, second, by: .first) }
      try world.mine.save()
      world.mine.refreshAllObjects()
      try #require(try pair.isLinked(first, second) == step.isLinked)
      try pair.set(!step.isLinked, world.theirs(first), world.theirs(second), by: .first)
      try world.others.save()
      try world.mine.refresh(first, mergeChanges: step.mergesChanges)
      #expect(try pair.first.has(second, first) == !step.isLinked, "\(step)")
      #expect(try pair.isLinked(first, second) == !step.isLinked, "\(step)")
      #expect(!world.mine.hasChanges && world.mine.graphProblems == [], "\(step)")
    }
  }

  @Test("an index of a list that was refreshed is that of the store", arguments: bothStores)
  func index(_ kind: StoreKind) throws {
    let world = try World(kind)
    for pair in LinkedPair.ordered {
      let first = try world.mine.insert(pair.first.entity)
      let members = try (0..<3).map { _ in try world.mine.insert(pair.second.entity) }
      for member in members { try pair.link(first, member, by: .first) }
      try world.mine.save()
      let list = try pair.list(of: first)
      #expect(list.map(\.objectID) == members.map(\.objectID))
      let theirs = try pair.list(of: world.theirs(first))
      theirs.move(fromOffsets: [0], toOffset: 3)
      theirs.remove(at: 0)
      try world.others.save()
      try world.mine.refresh(first, mergeChanges: true)
      list.insert(members[1], at: 1)
      #expect(list.map(\.objectID) == [members[2], members[1], members[0]].map(\.objectID))
      try world.mine.save()
      let fresh = world.container.makeContext()
      let stored = try pair.list(of: fresh.existingObject(with: first.objectID))
      #expect(stored.map(\.objectID) == list.map(\.objectID))
    }
  }

  private static let seeds =
    ProcessInfo.processInfo.environment["COPAL_REFRESHES"].flatMap(UInt64.init) ?? 6
  private static let first =
    ProcessInfo.processInfo.environment["COPAL_REFRESHES_FROM"].flatMap(UInt64.init) ?? 1

  @Test("random refreshes of single objects beside a plain model", arguments: bothStores)
  func random(_ kind: StoreKind) async throws {
    var counts = RefreshRun.Counts()
    for seed in Self.first..<Self.first + Self.seeds {
      await Task.yield()
      let world = try World(kind)
      var run = try RefreshRun(
        world.container, mine: world.mine, others: world.others, seed: seed)
      try run.run(steps: 60)
      guard run.problems.isEmpty else {
        Issue.record("seed \(seed): \(run.problems)\n\(run.log.joined(separator: "\n"))")
        return
      }
      counts.add(run.counts)
    }
    if Self.seeds >= 20 { print("refreshes beside a plain model, \(kind): \(counts)") }
    #expect(counts.written > counts.conflicts)
  }
}

/// A way to write a link after a refresh of one of its ends.
private struct RefreshedEnd: CustomStringConvertible {
  let isLinked: Bool
  let refreshed: LinkedPair.Side
  let written: LinkedPair.Side
  let mergesChanges: Bool

  var description: String {
    "\(isLinked ? "linked" : "unlinked") by \(written) after a refresh of \(refreshed), merges: \(mergesChanges)"
  }

  static func all(of pair: LinkedPair) -> [RefreshedEnd] {
    var all: [RefreshedEnd] = []
    for isLinked in [true, false] {
      for refreshed in LinkedPair.Side.allCases {
        for written in LinkedPair.Side.allCases where pair.allows(isLinked, refreshed, written) {
          for mergesChanges in [true, false] {
            all.append(
              RefreshedEnd(
                isLinked: isLinked, refreshed: refreshed, written: written,
                mergesChanges: mergesChanges))
          }
        }
      }
    }
    return all
  }
}

/// A relationship of the society with both of its ends.
struct LinkedPair: Sendable, CustomTestStringConvertible {
  enum Side: CaseIterable, Sendable { case first, second }

  struct End: Sendable {
    let entity: String
    let property: String
    let isToOne: Bool

    /// - Parameter name: the entity and the property, which has a `?` for a to-one relationship.
    init(_ name: String) {
      let parts = name.split(separator: ".").map(String.init)
      (entity, isToOne) = (parts[0], name.hasSuffix("?"))
      property = parts.count > 1 ? parts[1].filter { $0 != "?" } : ""
    }

    func link(_ object: ManagedObject, _ other: ManagedObject) throws {
      if isToOne { return try object.setValue(other, forKey: property) }
      switch try object.value(forKey: property) {
      case let list as OrderedToMany<ManagedObject>: list.append(other)
      case let list as ToMany<ManagedObject>: list.insert(other)
      default: Issue.record("no list: \(property)")
      }
    }

    func unlink(_ object: ManagedObject, _ other: ManagedObject) throws {
      if isToOne { return try object.setValue(nil, forKey: property) }
      switch try object.value(forKey: property) {
      case let list as OrderedToMany<ManagedObject>: list.remove(other)
      case let list as ToMany<ManagedObject>: list.remove(other)
      default: Issue.record("no list: \(property)")
      }
    }

    /// The objects at the other end, which are read.
    func others(of object: ManagedObject) throws -> [ManagedObject] {
      switch try object.value(forKey: property) {
      case let list as OrderedToMany<ManagedObject>: list.map { $0 }
      case let list as ToMany<ManagedObject>: list.map { $0 }
      case let other as ManagedObject: [other]
      default: []
      }
    }

    /// The number at the other end, which the store may count.
    func count(of object: ManagedObject) throws -> Int {
      switch try object.value(forKey: property) {
      case let list as OrderedToMany<ManagedObject>: list.count
      case let list as ToMany<ManagedObject>: list.count
      case is ManagedObject: 1
      default: 0
      }
    }

    func has(_ other: ManagedObject, _ object: ManagedObject) throws -> Bool {
      try others(of: object).contains { $0 === other }
    }
  }

  let first: End
  let second: End

  init(_ first: String, _ second: String) { (self.first, self.second) = (End(first), End(second)) }

  static let ordered = [
    LinkedPair("Work.tags", "Tag.works"), LinkedPair("Studio.works", "Work.studio?"),
  ]

  static let all =
    ordered + [
      LinkedPair("Tag.related", "Tag.related"), LinkedPair("Tag.examples", "Work"),
      LinkedPair("Studio.helpers", "Person.studio?"), LinkedPair("Work.parts", "Part.whole?"),
      LinkedPair("Work.place?", "Place.work?"),
    ]

  var testDescription: String { "\(first.entity).\(first.property)" }

  var isOneToOne: Bool { first.isToOne }
  var isSymmetric: Bool { first.property == second.property }

  /// Whether a way to write the link can do anything. An object that was not refreshed, and that
  /// has none at its to-one end, loses nothing when nil is set.
  func allows(_ isLinked: Bool, _ refreshed: Side, _ written: Side) -> Bool {
    let end = written == .first ? first : second
    if end.property.isEmpty { return false }
    return isLinked || !end.isToOne || written == refreshed
  }

  func link(_ first: ManagedObject, _ second: ManagedObject, by side: Side) throws {
    try side == .first ? self.first.link(first, second) : self.second.link(second, first)
  }

  func set(
    _ isLinked: Bool, _ first: ManagedObject, _ second: ManagedObject, by side: Side
  ) throws {
    if isLinked { return try link(first, second, by: side) }
    try side == .first ? self.first.unlink(first, second) : self.second.unlink(second, first)
  }

  /// Whether two objects are linked, by both ends, which must agree.
  func isLinked(_ first: ManagedObject, _ second: ManagedObject) throws -> Bool {
    let here = try self.first.has(second, first)
    if !self.second.property.isEmpty {
      let there = try self.second.has(first, second)
      #expect(here == there, "the ends of \(testDescription) differ: \(here), \(there)")
    }
    return here
  }

  func list(of first: ManagedObject) throws -> OrderedToMany<ManagedObject> {
    try #require(
      try first.value(forKey: self.first.property) as? OrderedToMany<ManagedObject>)
  }
}
