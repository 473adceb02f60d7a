import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// A random sequence of operations on a context and on dictionaries.
private struct FamilyRun {
  let container: PersistentContainer
  let context: ManagedObjectContext
  var plain = PlainFamily()
  var ids: [Int: ManagedObjectID] = [:]
  var random: SplitMix
  var lastNode = 0
  /// Objects that are held, so that the context does not release them.
  var held: [ManagedObject] = []
  var log: [String] = []

  init(_ container: PersistentContainer, seed: UInt64) {
    self.container = container
    context = container.makeContext()
    random = SplitMix(seed: seed)
  }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func pick(_ entity: String) -> Int? {
    plain.living(entity).randomElement(using: &random)
  }

  private func object(_ node: Int, _ other: ManagedObjectContext? = nil) throws -> ManagedObject {
    try (other ?? context).object(with: try #require(ids[node]))
  }

  private func fail(_ words: String) {
    Issue.record("\(words) after:\n\(log.joined(separator: "\n"))")
  }

  // MARK: Steps

  mutating func step() throws {
    switch Int.random(in: 0..<30, using: &random) {
    case 0...3: try insert()
    case 4...7: try setValue()
    case 8...12: try setReference()
    case 13...14: try changeList()
    case 15...17: try changeLinks()
    case 18...19: try delete()
    case 20...23: try save()
    case 24: try undo()
    case 25: refreshAll()
    case 26: try refresh()
    case 27: try hold()
    case 28: try prefetch()
    default: if chance(4) { for _ in 0..<40 { try insert() } }
    }
    for problem in context.graphProblems { fail(problem) }
    if chance(2) { try checkFetch() }
    if chance(4) {
      try check(plain.living, context)
    } else {
      try check(plain.living.filter { _ in chance(6) }, context)
    }
  }

  private mutating func insert() throws {
    let kind = try #require(PlainFamily.kinds.randomElement(using: &random))
    let object = try context.insert(kind)
    lastNode += 1
    log.append("insert \(kind) \(lastNode)")
    ids[lastNode] = object.objectID
    plain.now.objects[lastNode] = PlainFamily.Object(kind: kind)
    try set(lastNode, kind == "Place" || PlainFamily.lines[kind] == nil ? kind : "Thing", "name")
  }

  private mutating func value(_ entity: String, _ name: String) -> PropertyValue {
    if name != "name", chance(4) { return .null }
    // Few values, so that conditions find some, but not of unique attributes.
    let number = Int64.random(in: 0..<(["code", "number"].contains(name) ? 60 : 6), using: &random)
    return PlainFamily.isNumber(entity, name) ? .integer(number) : .string("v\(number)")
  }

  private mutating func set(_ node: Int, _ entity: String, _ name: String) throws {
    let value = value(entity, name)
    log.append("\(node).\(name) = \(value)")
    let any: Any? =
      switch value {
      case .integer(let number): number
      case .string(let text): text
      default: nil
      }
    try object(node).setValue(any, forKey: name)
    plain.now.objects[node]?.values[name] = value == .null ? nil : value
  }

  private mutating func setValue() throws {
    guard let node = plain.living.randomElement(using: &random),
      let kind = plain.now.objects[node]?.kind,
      let entity = (PlainFamily.lines[kind] ?? [kind]).randomElement(using: &random),
      let name = PlainFamily.attributes[entity]?.randomElement(using: &random)
    else { return }
    try set(node, entity, name)
  }

  private mutating func setReference() throws {
    let reference = try #require(PlainFamily.toOnes.randomElement(using: &random))
    guard let node = pick(reference.entity) else { return }
    let target = chance(4) ? nil : pick(reference.destination)
    log.append("\(node).\(reference.name) = \(target.map(String.init) ?? "nil")")
    try object(node).setValue(try target.map { try object($0) }, forKey: reference.name)
    plain.set(node, reference, target)
  }

  private mutating func changeList() throws {
    guard let place = pick("Place"), let thing = pick("Thing") else { return }
    let list = try things(try object(place))
    let reference = PlainFamily.toOnes[0]
    if chance(3) {
      log.append("remove \(thing) from the list of \(place)")
      list.remove(try object(thing))
      if plain.now.objects[thing]?.references["place"] == place {
        plain.set(thing, reference, nil)
      }
      return
    }
    let index = Int.random(in: 0...plain.list(place).count, using: &random)
    log.append("insert \(thing) into the list of \(place) at \(index)")
    list.insert(try object(thing), at: index)
    var order = plain.list(place)
    let former = order.firstIndex(of: thing)
    plain.set(thing, reference, place)
    order.removeAll { $0 == thing }
    order.insert(thing, at: former.map { $0 < index } == true ? index - 1 : index)
    plain.now.lists[place] = order
  }

  private func things(_ place: ManagedObject) throws -> OrderedToMany<ManagedObject> {
    try #require(try place.value(of: "things"))
  }

  private func members(_ object: ManagedObject, _ name: String) throws -> ToMany<ManagedObject> {
    try #require(try object.value(of: name))
  }

  private mutating func changeLinks() throws {
    let name = chance(2) ? "related" : "authors"
    guard var node = pick(name == "related" ? "Book" : "Novel"),
      var other = pick(name == "related" ? "Book" : "Author")
    else { return }
    let link = PlainFamily.Link(name: name, ends: [node, other])
    var here = name
    if name == "authors", chance(2) { (node, other, here) = (other, node, "novels") }
    let view = try members(try object(node), here)
    if chance(3) {
      log.append("unlink \(node).\(here) \(other)")
      view.remove(try object(other))
      plain.now.links.remove(link)
    } else {
      log.append("link \(node).\(here) \(other)")
      view.insert(try object(other))
      plain.now.links.insert(link)
    }
  }

  private mutating func delete() throws {
    guard let node = plain.living.randomElement(using: &random) else { return }
    log.append("delete \(node)")
    context.delete(try object(node))
    plain.delete(node)
  }

  private mutating func save() throws {
    log.append("save")
    if plain.hasConflict {
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      if error?.causeCodes.allSatisfy({ $0 == .uniqueConflict }) != true { fail("\(error as Any)") }
      for node in plain.living where chance(2) {
        for name in ["code", "number"] where plain.now.objects[node]?.values[name] != nil {
          try object(node).setValue(nil, forKey: name)
          plain.now.objects[node]?.values[name] = nil
        }
      }
      return
    }
    do { try context.save() } catch { return fail("\(error)") }
    plain.save()
    for node in plain.living where ids[node]?.isTemporary == true {
      ids[node] = try object(node).objectID
    }
    if chance(2) { try takeIDsOfAncestor() }
    if chance(2) { try check(plain.living, container.makeContext()) }
  }

  /// From now on, the objects are found by ids with the name of an ancestor.
  private mutating func takeIDsOfAncestor() throws {
    let entity = try #require(["Thing", "Item", "Book"].randomElement(using: &random))
    log.append("ids of \(entity)")
    let all = try context.fetchIDs(FetchRequest<ManagedObject>(entityName: entity))
    for node in plain.living(entity) {
      guard let id = all.first(where: { $0 == ids[node] }) else { return fail("no id of \(node)") }
      ids[node] = id
    }
  }

  private mutating func undo() throws {
    if chance(3) {
      log.append("reset")
      held = []
      context.reset()
    } else {
      log.append("rollback")
      context.rollback()
    }
    plain.rollback()
  }

  private mutating func refreshAll() {
    log.append("refresh all")
    context.refreshAllObjects()
  }

  private mutating func refresh() throws {
    guard let node = plain.living.randomElement(using: &random) else { return }
    log.append("refresh \(node)")
    try context.refresh(try object(node), mergeChanges: true)
  }

  private mutating func hold() throws {
    log.append("hold")
    held = try plain.living.filter { _ in chance(2) }.map { try object($0) }
  }

  private mutating func prefetch() throws {
    let (entity, paths) = try #require(
      [
        ("Thing", ["place", "children.parent"]), ("Book", ["sequel.label", "related.prequel"]),
        ("Place", ["favorite.related", "anything.place.things"]), ("Novel", ["authors.novels"]),
        ("Label", ["item.parent"]), ("Item", ["label", "parent.children"]),
      ].randomElement(using: &random))
    log.append("prefetch \(paths) of \(entity)")
    var request = FetchRequest<ManagedObject>(entityName: entity)
    request.prefetchedPaths = paths
    _ = try context.fetch(request)
  }

  // MARK: Fetches

  private mutating func checkFetch() throws {
    let entity = try #require(PlainFamily.lines.keys.sorted().randomElement(using: &random))
    var request = FetchRequest<ManagedObject>(entityName: entity)
    request.includesSubentities = !chance(3)
    let condition = chance(4) ? nil : try condition(entity, depth: 0)
    request.predicate = condition?.predicate
    for name in ["name", "rank"] where chance(3) {
      request.sortKeys.append(FetchSortKey(name, isAscending: chance(2)))
    }
    if chance(3) { request.limit = Int.random(in: 0..<6, using: &random) }
    if chance(3) { request.offset = Int.random(in: 0..<4, using: &random) }
    let isOnlyCounted = chance(3)
    request.returnsObjectsAsFaults = chance(3)
    log.append("fetch \(request)")
    let expected = try expected(request, entity, condition).map { try object($0).objectID }
    if try context.count(request) != expected.count { fail("count") }
    if isOnlyCounted { return }
    if try context.fetchIDs(request) != expected { fail("ids") }
    let found = try context.fetch(request)
    if found.map(\.objectID) != expected { fail("\(found.map(\.objectID)), not \(expected)") }
    let batches = try context.fetchBatches(request, size: 3)
    if batches.map(\.objectID) != expected { fail("batches") }
  }

  private func expected(
    _ request: FetchRequest<ManagedObject>, _ entity: String, _ condition: PlainCondition?
  ) throws -> [Int] {
    let all = plain.living(entity).filter { node in
      guard let object = plain.now.objects[node] else { return false }
      return (request.includesSubentities || object.kind == entity)
        && condition?.matches(node, object) != false
    }
    let places = try Dictionary(
      uniqueKeysWithValues: all.map { node -> (Int, (Int, Int64)) in
        let key = try object(node).objectID.key
        return (node, key > 0 ? (0, key) : (1, -key))
      })
    let sorted = all.sorted { a, b in
      for key in request.sortKeys {
        let (first, second) = [a, b].map { plain.now.objects[$0]?.values[key.property] ?? .null }
          .pair
        if first == second { continue }
        let isLess = first == .null || PlainCondition.compare(first, .less, second)
        return isLess == key.isAscending
      }
      return (places[a] ?? (0, 0)) < (places[b] ?? (0, 0))
    }
    let rest = sorted.dropFirst(request.offset)
    return Array(request.limit.map { rest.prefix($0) } ?? rest)
  }

  private mutating func condition(_ entity: String, depth: Int) throws -> PlainCondition {
    if depth < 2, chance(3) {
      let parts = [
        try condition(entity, depth: depth + 1), try condition(entity, depth: depth + 1),
      ]
      return .list(parts, isAnd: chance(2))
    }
    if chance(5) { return try condition(entity, depth: depth).negated }
    let related = PlainFamily.lines.keys.sorted().filter {
      PlainFamily.lines[$0]?.contains(entity) == true
        || PlainFamily.lines[entity]?.contains($0) == true
    }
    let kind = try #require(related.randomElement(using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return PlainCondition(predicate: .isKind(kind)) { $1.isKind(of: kind) }
    case 1: return try reference(entity, kind)
    case 2:
      let nodes = plain.living.filter { _ in chance(4) } + plain.living(entity).prefix(1)
      let values = try nodes.map { PropertyValue.object(try object($0).objectID) }
      let family = nodes.filter { plain.now.objects[$0]?.isKind(of: "Thing") == true }
      return PlainCondition(predicate: .isIn(.object, values)) { node, _ in family.contains(node) }
    default: return attribute(entity, kind)
    }
  }

  private func expression(_ entity: String, _ kind: String, _ name: String) -> FetchExpression {
    PlainFamily.lines[entity]?.contains(kind) == true && lastNode % 2 == 0
      ? .property(name) : .subentityProperty(entity: kind, property: name)
  }

  private mutating func attribute(_ entity: String, _ kind: String) -> PlainCondition {
    let name = PlainFamily.attributes[kind]?.randomElement(using: &random) ?? "name"
    let expression = expression(entity, kind, name)
    func value(_ object: PlainFamily.Object) -> PropertyValue {
      object.isKind(of: kind) ? object.values[name] ?? .null : .null
    }
    if chance(4) {
      let values = (0..<3).map { _ in self.value(kind, name) }
      return PlainCondition(predicate: .isIn(expression, values)) { values.contains(value($1)) }
    }
    let operators = FetchPredicate.Operator.allCases
    let comparison = chance(2) ? .equal : operators.randomElement(using: &random) ?? .equal
    let constant = self.value(kind, name)
    return PlainCondition(predicate: .comparison(expression, comparison, .constant(constant))) {
      PlainCondition.compare(value($1), comparison, constant)
    }
  }

  private mutating func reference(_ entity: String, _ kind: String) throws -> PlainCondition {
    let all = PlainFamily.toOnes.filter { $0.entity == kind }
    guard let reference = all.randomElement(using: &random) else { return attribute(entity, kind) }
    let target = chance(3) ? nil : pick(reference.destination)
    let constant = try target.map { PropertyValue.object(try object($0).objectID) } ?? .null
    let comparison: FetchPredicate.Operator = chance(2) ? .equal : .notEqual
    return PlainCondition(
      predicate: .comparison(
        expression(entity, kind, reference.name), comparison, .constant(constant))
    ) { _, object in
      let held = object.isKind(of: kind) ? object.references[reference.name] : nil
      return (held == target) == (comparison == .equal)
    }
  }

  // MARK: Objects

  /// Compares the values and the relationships of some objects with the dictionaries.
  private func check(_ nodes: [Int], _ context: ManagedObjectContext) throws {
    for node in nodes {
      let plainObject = try #require(plain.now.objects[node])
      let object = try object(node, context)
      let line = PlainFamily.lines[plainObject.kind] ?? [plainObject.kind]
      if object.entityName != plainObject.kind { fail("\(node) is \(object.entityName)") }
      for name in line.flatMap({ PlainFamily.attributes[$0] ?? [] }) {
        let value = try object.value(forKey: name)
        let expected = plainObject.values[name].map { $0.text } ?? "nil"
        if value.map({ "\($0)" }) ?? "nil" != expected {
          fail("\(node).\(name) is \(value as Any)")
        }
      }
      for reference in PlainFamily.toOnes where line.contains(reference.entity) {
        let target = try object.value(forKey: reference.name) as? ManagedObject
        let other = plainObject.references[reference.name].flatMap {
          plain.now.objects[$0]?.isDeleted == false ? $0 : nil
        }
        if target !== (try other.map { try self.object($0, context) }) {
          fail("\(node).\(reference.name) is \(String(describing: target?.objectID))")
        }
      }
      try checkMembers(object, node, line, context)
    }
  }

  private func checkMembers(
    _ object: ManagedObject, _ node: Int, _ line: [String], _ context: ManagedObjectContext
  ) throws {
    func compare(_ name: String, _ expected: Set<Int>) throws {
      let objects = try Set(expected.map { try self.object($0, context) })
      let found = try members(object, name)
      if found.count != objects.count || Set(found) != objects {
        fail("\(node).\(name) is \(found), not \(expected)")
      }
    }
    if line.contains("Thing") {
      let children = plain.living.filter { plain.now.objects[$0]?.references["parent"] == node }
      try compare("children", Set(children))
    }
    if line.contains("Book") { try compare("related", plain.linked(node, "related")) }
    if line.contains("Novel") { try compare("authors", plain.linked(node, "authors")) }
    if line.contains("Author") { try compare("novels", plain.linked(node, "authors")) }
    if line.contains("Place") {
      let list = try things(object)
      let expected = try plain.list(node).map { try self.object($0, context) }
      if Array(list) != expected { fail("the list of \(node) is \(list), not \(plain.list(node))") }
    }
  }
}

extension PropertyValue {
  fileprivate var text: String {
    switch self {
    case .integer(let number): "\(number)"
    case .string(let text): text
    default: "nil"
    }
  }
}

extension [PropertyValue] {
  fileprivate var pair: (PropertyValue, PropertyValue) { (self[0], self[1]) }
}

@Suite("Random sequences with a family of four generations")
struct FamilySequenceTests {
  /// The number of sequences for each store.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_SEQUENCES"].flatMap(UInt64.init) ?? 24

  @Test("a context and plain dictionaries agree after each step", arguments: bothStores)
  func sequences(_ kind: StoreKind) async throws {
    for seed in 1...Self.count {
      // Other tests wait for a thread of the same pool.
      await Task.yield()
      let test = try TestStore(kind)
      let model = ModelBinding(name: "Library", json: PlainFamily.json, classes: [])
      var run = FamilyRun(try test.container(model), seed: seed)
      for _ in 0..<80 { try run.step() }
      if kind == .sqlite, seed % 10 == 0 {
        #expect(try test.sqlite3("PRAGMA foreign_key_check") == "", "seed \(seed)")
      }
    }
  }
}
