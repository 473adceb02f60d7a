import Copal
import CopalTestSupport
import Foundation
import Testing

/// What an object of the gallery should have, in plain values.
private struct Node: Equatable {
  enum Kind: Int, CaseIterable { case artist, work, museum, frame, topic }

  let kind: Kind
  var id: ManagedObjectID
  /// The other objects of to-one relationships, by the names of these.
  var references: [String: Int] = [:]
  var isDeleted = false
}

/// The gallery in dictionaries: only references are kept, and the other ends are searched.
private struct PlainGallery {
  var nodes: [Int: Node] = [:]
  /// As the store has it.
  var saved: [Int: Node] = [:]

  /// Each to-many relationship: its kind, its name, and the reference of its members.
  static let toMany: [(Node.Kind, String, Node.Kind, String)] = [
    (.artist, "works", .work, "artist"), (.museum, "works", .work, "museum"),
    (.topic, "children", .topic, "parent"),
  ]

  var living: [Int] { nodes.filter { !$0.value.isDeleted }.keys.sorted() }

  func living(_ kind: Node.Kind) -> [Int] { living.filter { nodes[$0]?.kind == kind } }

  func members(_ kind: Node.Kind, _ reference: String, of owner: Int) -> [Int] {
    living(kind).filter { nodes[$0]?.references[reference] == owner }
  }

  mutating func set(_ node: Int, _ reference: String, _ target: Int?) {
    // One-to-one.
    if let back = ["frame": "work", "work": "frame"][reference] {
      if let former = nodes[node]?.references[reference] { nodes[former]?.references[back] = nil }
      if let target {
        if let other = nodes[target]?.references[back] { nodes[other]?.references[reference] = nil }
        nodes[target]?.references[back] = node
      }
    }
    nodes[node]?.references[reference] = target
  }

  mutating func delete(_ node: Int) {
    var rest = [node]
    while let next = rest.popLast() {
      guard let found = nodes[next], !found.isDeleted else { continue }
      for (kind, _, memberKind, reference) in Self.toMany where kind == found.kind {
        let members = members(memberKind, reference, of: next)
        if kind != .museum {
          rest += members
        } else if saved[next] == nil {
          for member in members { nodes[member]?.references[reference] = nil }
        }
      }
      if found.kind == .work, let frame = found.references["frame"] { rest.append(frame) }
      if found.kind == .frame, let work = found.references["work"] {
        nodes[work]?.references["frame"] = nil
      }
      if saved[next] == nil { nodes[next] = nil } else { nodes[next]?.isDeleted = true }
    }
  }

  /// Whether the rule `deny` refuses a save.
  var isDenied: Bool {
    nodes.contains { key, node in
      node.isDeleted && node.kind == .museum && !members(.work, "museum", of: key).isEmpty
    }
  }

  mutating func save() {
    nodes = nodes.filter { !$0.value.isDeleted }
    saved = nodes
  }

  mutating func rollback() { nodes = saved }
}

/// A random sequence of operations on a context and on the plain gallery.
private struct RelationshipRun {
  let context: ManagedObjectContext
  var plain = PlainGallery()
  var random: SplitMix
  var lastNode = 0
  /// Objects that are held, so that the context does not release them.
  var held: [ManagedObject] = []
  var log: [String] = []

  init(_ container: PersistentContainer, seed: UInt64) {
    context = container.makeContext()
    random = SplitMix(seed: seed)
  }

  private func object<T: ManagedObject>(_ node: Int, as type: T.Type = T.self) throws -> T {
    try context.object(with: #require(plain.nodes[node]).id, as: type)
  }

  private mutating func pick(_ kind: Node.Kind) -> Int? {
    plain.living(kind).randomElement(using: &random)
  }

  mutating func step() throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0...3: try insert()
    case 4...6: try setReference()
    case 7...9: try changeMembers()
    case 10: try replaceMembers()
    case 11...12: try setPartner()
    case 13: try delete()
    case 14...15: try save()
    case 16: rollback()
    case 17:
      log.append("refresh all")
      context.refreshAllObjects()
    case 18:
      log.append("release")
      held = []
      for _ in 0..<3 { _ = try context.fetch(Work.self).count }
    default: try hold()
    }
    try check()
  }

  private mutating func insert() throws {
    let kind = try #require(Node.Kind.allCases.randomElement(using: &random))
    let object: ManagedObject =
      switch kind {
      case .artist: try context.insert(Artist.self, with: ["name": "a"], &random)
      case .work: try context.insert(Work.self, with: ["title": "w"], &random)
      case .museum: try context.insert(Museum.self, with: ["name": "m"], &random)
      case .frame: try context.insert(Frame.self, with: [:], &random)
      case .topic: try context.insert(Topic.self, with: ["name": "t"], &random)
      }
    lastNode += 1
    log.append("insert \(kind) \(lastNode)")
    plain.nodes[lastNode] = Node(kind: kind, id: object.objectID)
  }

  private mutating func setReference() throws {
    let (_, _, kind, name) = try #require(PlainGallery.toMany.randomElement(using: &random))
    guard let node = pick(kind) else { return }
    let target: Node.Kind = name == "parent" ? .topic : name == "artist" ? .artist : .museum
    let other = Bool.random(using: &random) ? pick(target) : nil
    log.append("set \(node).\(name) = \(other.map(String.init) ?? "nil")")
    let object: ManagedObject = try object(node)
    try object.setValue(other.map { try self.object($0) as ManagedObject }, forKey: name)
    plain.set(node, name, other)
  }

  private mutating func changeMembers() throws {
    guard let artist = pick(.artist), let work = pick(.work) else { return }
    let works = try object(artist, as: Artist.self).works
    if Bool.random(using: &random) {
      log.append("insert \(work) into \(artist)")
      works.insert(try object(work))
      plain.set(work, "artist", artist)
    } else {
      log.append("remove \(work) from \(artist)")
      works.remove(try object(work))
      if plain.nodes[work]?.references["artist"] == artist { plain.set(work, "artist", nil) }
    }
  }

  private mutating func replaceMembers() throws {
    guard let museum = pick(.museum) else { return }
    let new = plain.living(.work).filter { _ in Bool.random(using: &random) }
    log.append("replace the works of \(museum) by \(new)")
    try object(museum, as: Museum.self).works.replaceAll(with: new.map { try object($0) as Work })
    for work in plain.members(.work, "museum", of: museum) { plain.set(work, "museum", nil) }
    for work in new { plain.set(work, "museum", museum) }
  }

  private mutating func setPartner() throws {
    guard let work = pick(.work) else { return }
    let frame = Int.random(in: 0..<4, using: &random) == 0 ? nil : pick(.frame)
    log.append("frame of \(work) = \(frame.map(String.init) ?? "nil")")
    if let frame, Bool.random(using: &random) {
      try object(frame, as: Frame.self).work = try object(work)
    } else {
      try object(work, as: Work.self).frame = try frame.map { try object($0) }
    }
    plain.set(work, "frame", frame)
  }

  private mutating func delete() throws {
    guard let node = plain.living.randomElement(using: &random) else { return }
    log.append("delete \(node)")
    context.delete(try object(node))
    plain.delete(node)
  }

  private mutating func save() throws {
    log.append("save")
    if plain.isDenied {
      #expect(throws: PersistenceError.self) { try context.save() }
      return
    }
    try context.save()
    for (node, found) in plain.nodes where !found.isDeleted && found.id.isTemporary {
      plain.nodes[node]?.id = try context.object(with: found.id).objectID
    }
    plain.save()
  }

  private mutating func rollback() {
    log.append("rollback")
    context.rollback()
    plain.rollback()
  }

  private mutating func hold() throws {
    log.append("hold")
    held = try plain.living.filter { _ in Bool.random(using: &random) }.map { try object($0) }
  }

  /// Compares both ends of every relationship.
  private func check() throws {
    func fail(_ words: String) { Issue.record("\(words) after:\n\(log.joined(separator: "\n"))") }
    for problem in context.graphProblems { fail(problem) }
    for node in plain.living {
      let found = try #require(plain.nodes[node])
      let object: ManagedObject = try object(node)
      let names: [String] =
        switch found.kind {
        case .work: ["artist", "museum", "frame"]
        case .frame: ["work"]
        case .topic: ["parent"]
        default: []
        }
      for name in names {
        let target = try object.value(forKey: name) as? ManagedObject
        // An object that is deleted is not at the other end of any relationship.
        let other = found.references[name].flatMap {
          plain.nodes[$0]?.isDeleted == false ? $0 : nil
        }
        let expected = try other.map { try self.object($0) as ManagedObject }
        if target !== expected {
          fail("\(node).\(name) is \(String(describing: target?.objectID))")
        }
      }
      for (kind, name, memberKind, reference) in PlainGallery.toMany where kind == found.kind {
        let members = ToManyByName(object, name)
        let expected = try plain.members(memberKind, reference, of: node).map {
          try self.object($0) as ManagedObject
        }
        if members.count != expected.count { fail("\(node).\(name) counts \(members.count)") }
        let all = try members.all()
        if Set(all) != Set(expected) || all.count != expected.count {
          fail("\(node).\(name) has \(all.map(\.objectID))")
        }
        let saved = all.map(\.objectID.key).filter { $0 > 0 }
        if saved != saved.sorted() { fail("\(node).\(name) is not in order") }
      }
    }
  }
}

/// A to-many relationship by its name.
private struct ToManyByName {
  private let object: ManagedObject
  private let name: String

  init(_ object: ManagedObject, _ name: String) {
    self.object = object
    self.name = name
  }

  /// Counted without a load, if the objects have not been read.
  var count: Int {
    switch object {
    case let artist as Artist: artist.works.count
    case let museum as Museum: museum.works.count
    case let topic as Topic: topic.children.count
    default: -1
    }
  }

  func all() throws -> [ManagedObject] {
    Array(try #require(try object.value(of: name, as: ToMany<ManagedObject>.self)))
  }
}

@Suite("Random sequences of relationships")
struct RelationshipSequenceTests {
  /// The number of sequences for each store.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_SEQUENCES"].flatMap(UInt64.init) ?? 36

  @Test("a context and plain dictionaries agree after each step", arguments: bothStores)
  func sequences(_ kind: StoreKind) async throws {
    for seed in 1...Self.count {
      // Other tests wait for a thread of the same pool.
      await Task.yield()
      let test = try TestStore(kind)
      var run = RelationshipRun(try test.gallery(), seed: seed)
      for _ in 0..<80 {
        try run.step()
      }
      if kind == .sqlite, seed % 10 == 0 {
        #expect(try test.sqlite3("PRAGMA foreign_key_check") == "", "seed \(seed)")
      }
    }
  }
}
