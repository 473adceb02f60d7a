import Copal
import CopalModel

@testable import CopalObjects

/// A family of four generations with relationships of each generation, and what is related to it,
/// in dictionaries.
struct PlainFamily {
  static let json = """
    { "copal": 1, "model": "Library", "entities": {
      "Place": { "attributes": { "name": "string" }, "relationships": {
        "things": { "type": "[Thing]", "inverse": "place", "ordered": true },
        "favorite": "Book?", "heirloom": "Novel?", "anything": "Thing?" } },
      "Thing": { "abstract": true,
        "attributes": { "name": "string", "rank": "integer64?" },
        "relationships": {
          "place": { "type": "Place?", "inverse": "things" },
          "parent": { "type": "Thing?", "inverse": "children" },
          "children": { "type": "[Thing]", "inverse": "parent", "delete": "cascade" } } },
      "Note": { "parent": "Thing",
        "attributes": { "pages": "string?", "number": "integer64?" }, "unique": ["number"] },
      "Item": { "parent": "Thing", "attributes": { "code": "string?" }, "unique": ["code"],
        "relationships": { "label": { "type": "Label?", "inverse": "item" } } },
      "Label": { "attributes": { "name": "string" },
        "relationships": { "item": { "type": "Item?", "inverse": "label" } } },
      "Book": { "parent": "Item", "attributes": { "pages": "integer32?" }, "relationships": {
        "related": { "type": "[Book]", "inverse": "related" },
        "sequel": { "type": "Book?", "inverse": "prequel" },
        "prequel": { "type": "Book?", "inverse": "sequel" } } },
      "Novel": { "parent": "Book", "attributes": { "hero": "string?" }, "relationships": {
        "authors": { "type": "[Author]", "inverse": "novels" } } },
      "Author": { "attributes": { "name": "string" }, "relationships": {
        "novels": { "type": "[Novel]", "inverse": "authors" } } } } }
    """

  static let kinds = ["Place", "Label", "Author", "Note", "Item", "Book", "Novel"]
  static let lines = [
    "Thing": ["Thing"], "Note": ["Thing", "Note"], "Item": ["Thing", "Item"],
    "Book": ["Thing", "Item", "Book"], "Novel": ["Thing", "Item", "Book", "Novel"],
  ]

  /// The attributes that each entity declares. Numbers are those whose text is a number.
  static let attributes = [
    "Place": ["name"], "Label": ["name"], "Author": ["name"], "Thing": ["name", "rank"],
    "Note": ["pages", "number"], "Item": ["code"], "Book": ["pages"], "Novel": ["hero"],
  ]
  static func isNumber(_ entity: String, _ attribute: String) -> Bool {
    ["rank", "number"].contains(attribute) || entity == "Book"
  }

  struct ToOne {
    let name: String
    let entity: String
    let destination: String
    /// The to-one relationship of the other object.
    var back: String?
  }

  static let toOnes = [
    ToOne(name: "place", entity: "Thing", destination: "Place"),
    ToOne(name: "parent", entity: "Thing", destination: "Thing"),
    ToOne(name: "label", entity: "Item", destination: "Label", back: "item"),
    ToOne(name: "item", entity: "Label", destination: "Item", back: "label"),
    ToOne(name: "sequel", entity: "Book", destination: "Book", back: "prequel"),
    ToOne(name: "prequel", entity: "Book", destination: "Book", back: "sequel"),
    ToOne(name: "favorite", entity: "Place", destination: "Book"),
    ToOne(name: "heirloom", entity: "Place", destination: "Novel"),
    ToOne(name: "anything", entity: "Place", destination: "Thing"),
  ]

  struct Object: Equatable {
    let kind: String
    var values: [String: PropertyValue] = [:]
    var references: [String: Int] = [:]
    var isDeleted = false

    func isKind(of entity: String) -> Bool {
      kind == entity || PlainFamily.lines[kind]?.contains(entity) == true
    }
  }

  struct Link: Hashable {
    let name: String
    let ends: Set<Int>
  }

  struct Contents {
    var objects: [Int: Object] = [:]
    /// The things of each place.
    var lists: [Int: [Int]] = [:]
    /// `related` and `authors`.
    var links: Set<Link> = []
  }

  var now = Contents()
  private(set) var saved = Contents()

  var living: [Int] { now.objects.filter { !$0.value.isDeleted }.keys.sorted() }

  func living(_ entity: String) -> [Int] {
    living.filter { now.objects[$0]?.isKind(of: entity) == true }
  }

  func list(_ place: Int) -> [Int] { now.lists[place] ?? [] }

  func linked(_ node: Int, _ name: String) -> Set<Int> {
    let found = now.links.filter { $0.name == name && $0.ends.contains(node) }
    // An object that is linked to itself is the only end.
    return Set(found.map { $0.ends.first { $0 != node } ?? node })
  }

  mutating func set(_ node: Int, _ reference: ToOne, _ target: Int?) {
    let former = now.objects[node]?.references[reference.name]
    if former == target { return }
    if let back = reference.back {
      if let former { now.objects[former]?.references[back] = nil }
      if let target {
        if let other = now.objects[target]?.references[back] {
          now.objects[other]?.references[reference.name] = nil
        }
        now.objects[target]?.references[back] = node
      }
    }
    now.objects[node]?.references[reference.name] = target
    guard reference.name == "place" else { return }
    if let former { now.lists[former]?.removeAll { $0 == node } }
    if let target { now.lists[target, default: []].append(node) }
  }

  mutating func delete(_ node: Int) {
    var rest = [node]
    while let next = rest.popLast() {
      guard let found = now.objects[next], !found.isDeleted else { continue }
      rest += living.filter { now.objects[$0]?.references["parent"] == next }
      if let place = found.references["place"] { now.lists[place]?.removeAll { $0 == next } }
      now.lists[next] = nil
      now.links = now.links.filter { !$0.ends.contains(next) }
      if saved.objects[next] == nil {
        now.objects[next] = nil
      } else {
        now.objects[next]?.isDeleted = true
      }
      for other in living {
        let references = now.objects[other]?.references ?? [:]
        now.objects[other]?.references = references.filter {
          $0.key == "parent" || $0.value != next
        }
      }
    }
  }

  /// Whether two objects have the same unique value.
  var hasConflict: Bool {
    ["code", "number"].contains { name in
      let values = living.compactMap { now.objects[$0]?.values[name] }
      return Set(values).count != values.count
    }
  }

  mutating func save() {
    now.objects = now.objects.filter { !$0.value.isDeleted }
    saved = now
  }

  mutating func rollback() { now = saved }
}

/// A condition, and what it should find.
struct PlainCondition {
  let predicate: FetchPredicate
  let matches: (_ node: Int, PlainFamily.Object) -> Bool

  var negated: PlainCondition {
    PlainCondition(predicate: .not(predicate)) { !matches($0, $1) }
  }

  static func list(_ parts: [PlainCondition], isAnd: Bool) -> PlainCondition {
    let all = parts.map(\.predicate)
    return PlainCondition(predicate: isAnd ? .and(all) : .or(all)) { node, object in
      isAnd
        ? parts.allSatisfy { $0.matches(node, object) }
        : parts.contains { $0.matches(node, object) }
    }
  }

  static func compare(
    _ a: PropertyValue, _ comparison: FetchPredicate.Operator, _ b: PropertyValue
  ) -> Bool {
    switch (comparison, a, b) {
    case (.equal, _, _): return a == b
    case (.notEqual, _, _): return a != b
    case (_, .integer(let a), .integer(let b)): return ordered(a, comparison, b)
    case (_, .string(let a), .string(let b)): return ordered(a, comparison, b)
    default: return false
    }
  }

  private static func ordered<T: Comparable>(
    _ a: T, _ comparison: FetchPredicate.Operator, _ b: T
  ) -> Bool {
    switch comparison {
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    case .greaterOrEqual: a >= b
    case .equal: a == b
    case .notEqual: a != b
    }
  }
}
