import CopalModel
import CopalTestSupport
import Foundation
import Testing

/// A model with families, and objects as plain lists: names stand for objects, and an attribute is
/// the same one wherever it is declared.
struct PlainFamilies {
  struct Entity {
    /// All names that it has had, the newest first.
    var names: [String]
    var parent: Int?
    /// The names of the attributes that it declares.
    var attributes: Set<String> = []
    /// The names of entities whose objects it has.
    var merges: [String] = []
  }

  enum Kind: CaseIterable { case integer, string, large, transformed }

  struct Attribute {
    var kind: Kind
    /// All names that it has had before.
    var former: [String] = []
  }

  struct Object {
    var entity: Int
    var values: [String: String] = [:]
  }

  struct Relation {
    struct End {
      /// Nil for the missing inverse of a one-way relationship.
      var name: String?
      var isMany = true
      var isOrdered = false
    }

    /// The entities at the two ends.
    var entities: [Int]
    var ends: [End]
    /// For each end, the objects at the other end, in their order.
    var lists: [[String: [String]]] = [[:], [:]]

    mutating func remove(_ pair: (String, String)) {
      lists[0][pair.0]?.removeAll { $0 == pair.1 }
      lists[1][pair.1]?.removeAll { $0 == pair.0 }
    }

    var pairs: [(String, String)] {
      lists[0].flatMap { name, others in others.map { (name, $0) } }
    }
  }

  var version = 1
  /// By their numbers, which stay the same.
  private(set) var entities: [Int: Entity] = [:]
  private(set) var attributes: [String: Attribute] = [:]
  private(set) var relations: [Relation] = []
  private(set) var objects: [String: Object] = [:]
  /// The names of entities that are gone.
  private var removedEntities: [String] = []
  /// The entity that has the objects of one that it has merged.
  private var merged: [Int: Int] = [:]
  private var count = 0

  private mutating func newNumber() -> Int {
    count += 1
    return count
  }

  // MARK: The model

  func name(of entity: Int) -> String { entities[entity]?.names.first ?? "" }

  var roots: [Int] { entities.filter { $0.value.parent == nil }.map(\.key).sorted() }

  /// An entity and its ancestors, itself first.
  private func line(_ entity: Int) -> [Int] {
    var line = [entity]
    while let parent = line.last.flatMap({ entities[$0]?.parent }) { line.append(parent) }
    return line
  }

  private func kinds(_ entity: Int) -> [Int] {
    entities.keys.filter { line($0).contains(entity) }.sorted()
  }

  func rootName(of entity: Int) -> String { name(of: line(entity).last ?? entity) }

  func attributes(of entity: Int) -> [String] {
    line(entity).flatMap { entities[$0]?.attributes ?? [] }.sorted()
  }

  /// Whether an object can have an end of a relationship.
  func has(_ object: String, _ relation: Relation, _ side: Int) -> Bool {
    objects[object].map { line($0.entity).contains(relation.entities[side]) } ?? false
  }

  /// - Parameter words: whether relationships leave out what does not fit any more.
  func json(words: Bool = true) -> String {
    func list(_ names: some Sequence<String>) -> String {
      "[" + names.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }
    let texts = entities.sorted { $0.key < $1.key }.map { number, entity -> String in
      var attributes = entity.attributes.sorted().map { name -> String in
        let attribute = self.attributes[name]
        let type =
          switch attribute?.kind {
          case .integer: #""type": "integer?""#
          case .large: #""type": "binary?", "external": 8"#
          case .transformed:
            #""type": "transformable?", "class": "String", "transformer": "WordTransformer", "storage": "text""#
          case .string, nil: #""type": "string?""#
          }
        let former = attribute?.former ?? []
        return
          #""\#(name)": { \#(type)\#(former.isEmpty ? "" : #", "renamedFrom": \#(list(former))"#) }"#
      }
      if entity.parent == nil { attributes.append(#""n": "string""#) }
      let relationships = relations.flatMap { relation in
        [0, 1].compactMap { side -> String? in
          let end = relation.ends[side]
          guard let name = end.name, relation.entities[side] == number else { return nil }
          let other = self.name(of: relation.entities[1 - side])
          var parts = [#""type": "\#(end.isMany ? "[\(other)]" : "\(other)?")""#]
          if let inverse = relation.ends[1 - side].name {
            parts.append(#""inverse": "\#(inverse)""#)
          }
          if end.isOrdered { parts.append(#""ordered": true"#) }
          if words { parts.append(#""conversion": "nil""#) }
          return "\"\(name)\": { \(parts.joined(separator: ", ")) }"
        }
      }
      let known = Set(
        line(number).flatMap { entities[$0]?.attributes ?? [] }
          + relations.flatMap { relation in
            [0, 1].compactMap { side in
              line(number).contains(relation.entities[side]) ? relation.ends[side].name : nil
            }
          })
      // A word for what never was does no harm.
      let gone = Set(self.attributes.keys).union(self.attributes.values.flatMap(\.former))
        .union(relations.flatMap { $0.ends.compactMap(\.name) }).subtracting(known)
      var members = [
        #""attributes": { \#(attributes.joined(separator: ", ")) }"#,
        #""relationships": { \#(relationships.joined(separator: ", ")) }"#,
        #""removed": \#(list(gone.sorted()))"#,
      ]
      if let parent = entity.parent { members.append(#""parent": "\#(name(of: parent))""#) }
      if entity.names.count > 1 {
        members.append(#""renamedFrom": \#(list(entity.names.dropFirst()))"#)
      }
      if !entity.merges.isEmpty { members.append(#""merges": \#(list(entity.merges))"#) }
      return #""\#(name(of: number))": { \#(members.joined(separator: ", ")) }"#
    }
    return
      #"{ "copal": 1, "model": "Test", "version": \#(version), "removed": \#(list(removedEntities)), "entities": { \#(texts.joined(separator: ", ")) } }"#
  }

  // MARK: Values

  /// A value for an object of a context.
  func value(_ text: String, _ attribute: String) -> Any? {
    switch attributes[attribute]?.kind {
    case .integer: Int(text)
    case .large: Data(text.utf8)
    default: text
    }
  }

  /// The text of a value of an object of a context.
  func text(_ value: Any?, _ attribute: String) -> String? {
    switch value {
    case let number as Int64: "\(number)"
    case let number as Int: "\(number)"
    case let data as Data: String(decoding: data, as: UTF8.self)
    case let text as String: text
    default: nil
    }
  }

  /// The text of a stored value.
  func text(stored value: PropertyValue, _ attribute: String) -> String? {
    switch value {
    case .integer(let number): "\(number)"
    case .binary(let data): String(decoding: data, as: UTF8.self)
    case .string(let text):
      attributes[attribute]?.kind == .transformed ? String(text.dropFirst(5)) : text
    default: nil
    }
  }

  /// Compares the objects of a relationship. Without an order, they come in that of their keys.
  func expect(_ found: [String], _ wanted: [String]?, _ end: Relation.End, _ comment: Comment) {
    let wanted = wanted ?? []
    if end.isOrdered {
      #expect(found == wanted, comment)
    } else {
      #expect(found.sorted() == wanted.sorted(), comment)
    }
  }

  // MARK: Objects

  mutating func insert(_ random: inout SplitMix) -> String? {
    guard let entity = entities.keys.sorted().randomElement(using: &random) else { return nil }
    let name = "o\(newNumber())"
    var object = Object(entity: entity)
    for attribute in attributes(of: entity) where Int.random(in: 0..<3, using: &random) > 0 {
      let number = Int.random(in: 0...99, using: &random)
      object.values[attribute] =
        switch attributes[attribute]?.kind {
        case .integer: "\(number)"
        case .large: String(repeating: "\(number % 10)", count: number % 2 == 0 ? 4 : 40)
        default: "t\(number)"
        }
    }
    objects[name] = object
    return name
  }

  /// Gives a relationship other pairs.
  mutating func relate(_ place: Int, _ random: inout SplitMix) {
    var relation = relations[place]
    let near = objects.keys.sorted().filter { has($0, relation, 0) }
    let far = objects.keys.sorted().filter { has($0, relation, 1) }
    relation.lists = [[:], [:]]
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      guard let a = near.randomElement(using: &random), let b = far.randomElement(using: &random),
        relation.lists[0][a]?.contains(b) != true,
        relation.ends[0].isMany || relation.lists[0][a, default: []].isEmpty,
        relation.ends[1].isMany || relation.lists[1][b, default: []].isEmpty
      else { continue }
      relation.lists[0][a, default: []].append(b)
      relation.lists[1][b, default: []].append(a)
    }
    relations[place] = relation
  }

  // MARK: Migration

  /// The objects of an older model as objects of this one, and whether pairs are left out whose
  /// objects both stay.
  func migrated(from old: PlainFamilies) -> (result: PlainFamilies, losesPairs: Bool) {
    var new = self
    new.objects = [:]
    for (name, object) in objects {
      var entity = object.entity
      while let other = merged[entity] { entity = other }
      guard entities[entity] != nil else { continue }
      let known = Set(attributes(of: entity))
      new.objects[name] = Object(
        entity: entity, values: object.values.filter { known.contains($0.key) })
    }
    new.merged = [:]
    var losesPairs = false
    for place in new.relations.indices {
      for pair in new.relations[place].pairs {
        let relation = new.relations[place]
        let fits = [new.has(pair.0, relation, 0), new.has(pair.1, relation, 1)]
        if fits == [true, true] { continue }
        new.relations[place].remove(pair)
        if new.objects[pair.0] == nil || new.objects[pair.1] == nil { continue }
        // Where an end has no name, the objects that have lost the other one say nothing.
        if fits[0], relation.ends[0].name != nil { losesPairs = true }
        if fits[1], relation.ends[1].name != nil { losesPairs = true }
      }
    }
    return (new, losesPairs)
  }

  /// Whether each end of each relationship can have an object of an older model. Otherwise nobody
  /// can say what becomes of the pairs.
  func keepsRelations(of old: PlainFamilies) -> Bool {
    for (now, was) in zip(relations, old.relations) {
      for side in [0, 1] {
        let fits = old.kinds(was.entities[side]).contains { kind in
          var entity = kind
          while let other = merged[entity] { entity = other }
          return entities[entity] != nil && line(entity).contains(now.entities[side])
        }
        if !fits { return false }
      }
    }
    return true
  }

  // MARK: Edits

  mutating func addRoot(_ random: inout SplitMix) {
    let number = newNumber()
    entities[number] = Entity(names: [entityName(&random)])
  }

  /// Names whose order is not that of their numbers.
  private mutating func entityName(_ random: inout SplitMix) -> String {
    let letters = ["A", "K", "Z"]
    return "\(letters[Int.random(in: 0..<3, using: &random)])\(newNumber())"
  }

  mutating func addChild(_ random: inout SplitMix) {
    guard let parent = entities.keys.sorted().randomElement(using: &random) else { return }
    addRoot(&random)
    entities[count - 1]?.parent = parent
  }

  mutating func addAttribute(_ random: inout SplitMix) {
    guard let entity = entities.keys.sorted().randomElement(using: &random) else { return }
    let name = "a\(newNumber())"
    attributes[name] = Attribute(kind: Kind.allCases.randomElement(using: &random) ?? .string)
    entities[entity]?.attributes.insert(name)
  }

  mutating func addRelation(_ random: inout SplitMix) {
    let all = entities.keys.sorted()
    guard let from = all.randomElement(using: &random), let to = all.randomElement(using: &random)
    else { return }
    func end(_ random: inout SplitMix, _ name: String) -> Relation.End {
      let isMany = Int.random(in: 0..<3, using: &random) > 0
      return Relation.End(
        name: name, isMany: isMany, isOrdered: isMany && Bool.random(using: &random))
    }
    var relation = Relation(
      entities: [from, to],
      ends: [end(&random, "r\(newNumber())"), end(&random, "r\(newNumber())")])
    if Int.random(in: 0..<3, using: &random) == 0 { relation.ends[1] = Relation.End() }
    relations.append(relation)
  }

  mutating func edit(_ random: inout SplitMix) {
    guard let entity = entities.keys.sorted().randomElement(using: &random) else { return }
    switch Int.random(in: 0..<16, using: &random) {
    case 0: addRoot(&random)
    case 1: addChild(&random)
    case 2: addAttribute(&random)
    case 3: addRelation(&random)
    case 4:
      let name = entityName(&random)
      entities[entity]?.names.insert(name, at: 0)
    case 5: renameAttribute(&random)
    case 6: moveAttributeUp(entity, &random)
    case 7: moveAttributeDown(entity, &random)
    case 8: joinAttributes(entity, &random)
    case 9: leave(entity)
    case 10, 11: enter(entity, &random)
    case 12: merge(entity, &random)
    case 13: moveEnd(&random)
    case 14: insertParent(entity, &random)
    default: remove(entity)
    }
  }

  private mutating func renameAttribute(_ random: inout SplitMix) {
    guard let old = attributes.keys.sorted().randomElement(using: &random) else { return }
    rename([old], to: "a\(newNumber())")
  }

  /// Gives attributes of one kind a new name, everywhere.
  private mutating func rename(_ names: [String], to new: String) {
    guard let first = names.first, let kind = attributes[first]?.kind else { return }
    let former = names + names.flatMap { attributes[$0]?.former ?? [] }
    attributes[new] = Attribute(kind: kind, former: former)
    for name in names { attributes[name] = nil }
    for entity in entities.keys {
      guard let own = entities[entity]?.attributes, !own.isDisjoint(with: names) else { continue }
      entities[entity]?.attributes = own.subtracting(names).union([new])
    }
    for name in objects.keys {
      for old in names {
        if let value = objects[name]?.values.removeValue(forKey: old) {
          objects[name]?.values[new] = value
        }
      }
    }
  }

  private mutating func moveAttributeUp(_ entity: Int, _ random: inout SplitMix) {
    guard let parent = entities[entity]?.parent,
      let name = entities[entity]?.attributes.sorted().randomElement(using: &random)
    else { return }
    for kind in kinds(parent) { entities[kind]?.attributes.remove(name) }
    entities[parent]?.attributes.insert(name)
  }

  private mutating func moveAttributeDown(_ entity: Int, _ random: inout SplitMix) {
    let children = entities.filter { $0.value.parent == entity }.map(\.key).sorted()
    guard let name = entities[entity]?.attributes.sorted().randomElement(using: &random),
      !children.isEmpty
    else { return }
    entities[entity]?.attributes.remove(name)
    for child in children where child == children[0] || Bool.random(using: &random) {
      entities[child]?.attributes.insert(name)
    }
  }

  /// Attributes of several subentities become one of their parent.
  private mutating func joinAttributes(_ entity: Int, _ random: inout SplitMix) {
    let children = entities.filter { $0.value.parent == entity }.map(\.key).sorted()
    let own = children.compactMap { entities[$0]?.attributes.sorted().first }
    guard children.count > 1, own.count == children.count, Set(own).count == own.count,
      Set(own.compactMap { attributes[$0]?.kind }).count == 1
    else { return }
    // No other entity may have one of them, and no object two.
    for name in own {
      let declaring = entities.filter { $0.value.attributes.contains(name) }.map(\.key)
      guard declaring.count == 1 else { return }
    }
    let new = "a\(newNumber())"
    rename(own, to: new)
    for child in children { entities[child]?.attributes.remove(new) }
    entities[entity]?.attributes.insert(new)
  }

  /// An entity leaves its family with its attributes, and loses its inherited relationships.
  private mutating func leave(_ entity: Int) {
    guard entities[entity]?.parent != nil else { return }
    let inherited = attributes(of: entity)
    entities[entity]?.attributes.formUnion(inherited)
    entities[entity]?.parent = nil
    dropRedeclared(entity)
  }

  /// An entity gets another parent, of its family or of another one. Some of the attributes that it
  /// has inherited stay.
  private mutating func enter(_ entity: Int, _ random: inout SplitMix) {
    let others = entities.keys.filter { !kinds(entity).contains($0) }.sorted()
    guard let parent = others.randomElement(using: &random), parent != entities[entity]?.parent
    else { return }
    if Bool.random(using: &random) {
      let inherited = attributes(of: entity)
      entities[entity]?.attributes.formUnion(inherited)
    }
    entities[entity]?.parent = parent
    dropRedeclared(entity)
  }

  /// No entity declares what an ancestor declares.
  private mutating func dropRedeclared(_ entity: Int) {
    for kind in kinds(entity) {
      let inherited = Set(line(kind).dropFirst().flatMap { entities[$0]?.attributes ?? [] })
      entities[kind]?.attributes.subtract(inherited)
    }
  }

  /// An entity gets the objects, attributes and relationships of another one, which has no
  /// subentities.
  private mutating func merge(_ entity: Int, _ random: inout SplitMix) {
    let others = entities.keys.filter { other in
      other != entity && kinds(other) == [other]
    }.sorted()
    guard let other = others.randomElement(using: &random), let gone = entities[other] else {
      return
    }
    entities[other] = nil
    entities[entity]?.attributes.formUnion(gone.attributes)
    entities[entity]?.merges += gone.names + gone.merges
    merged[other] = entity
    for kind in kinds(entity) { dropRedeclared(kind) }
    for place in relations.indices {
      for side in [0, 1] where relations[place].entities[side] == other {
        relations[place].entities[side] = entity
      }
    }
  }

  /// An end of a relationship moves to the parent of its entity, or to a subentity.
  private mutating func moveEnd(_ random: inout SplitMix) {
    guard let place = relations.indices.randomElement(using: &random) else { return }
    let side = Int.random(in: 0..<2, using: &random)
    let entity = relations[place].entities[side]
    let children = entities.filter { $0.value.parent == entity }.map(\.key).sorted()
    let targets = (entities[entity]?.parent.map { [$0] } ?? []) + children
    guard let target = targets.randomElement(using: &random) else { return }
    relations[place].entities[side] = target
  }

  private mutating func insertParent(_ entity: Int, _ random: inout SplitMix) {
    let parent = entities[entity]?.parent
    addRoot(&random)
    let new = count - 1
    entities[new]?.parent = parent
    entities[entity]?.parent = new
    // Another root may come under it, too.
    if parent == nil, Bool.random(using: &random),
      let other = roots.filter({ $0 != new }).randomElement(using: &random)
    {
      entities[other]?.parent = new
    }
  }

  /// Removes an entity with its objects. Its subentities go to its parent.
  private mutating func remove(_ entity: Int) {
    guard let gone = entities[entity], entities.count > 2,
      !relations.contains(where: { $0.entities.contains(entity) })
    else { return }
    entities[entity] = nil
    removedEntities += gone.names + gone.merges
    for child in entities.keys.sorted() where entities[child]?.parent == entity {
      entities[child]?.parent = gone.parent
      entities[child]?.attributes.formUnion(gone.attributes)
    }
    for child in entities.keys.sorted() { dropRedeclared(child) }
  }
}
