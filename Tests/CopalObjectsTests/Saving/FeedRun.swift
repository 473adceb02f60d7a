import Copal
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@testable import CopalObjects

/// Random saves in which new items become stored ones, or other new ones, beside plain dictionaries.
///
/// The oracle of the values is the table of `Docs/Conflicts.md`, written down here once more. That of
/// the lists is a new context, and that of the live lists a fetch, with every difference applied to
/// a plain array.
final class FeedRun {
  static let model = """
    { "copal": 1, "model": "Feed", "entities": {
      "Item": {
        "attributes": {
          "code": "string", "name": { "type": "string?", "search": "normalized" }, "count": { "type": "integer", "default": 0 },
          "added": { "type": "date", "default": "now" }, "note": { "type": "string?", "transient": true },
          "scan": { "type": "binary?", "external": 40 } },
        "relationships": {
          "shelf": { "type": "Shelf?", "inverse": "items" },
          "room": { "type": "Room?", "inverse": "items" },
          "tags": { "type": "[Tag]", "inverse": "items" },
          "ranks": { "type": "[Rank]", "ordered": true, "inverse": "items" },
          "pages": { "type": "[Page]", "ordered": true, "inverse": "item", "delete": "cascade" } },
        "unique": ["code"] },
      "Page": { "relationships": { "item": { "type": "Item?", "inverse": "pages" } } },
      "Shelf": { "relationships": { "items": { "type": "[Item]", "ordered": true, "inverse": "shelf" } } },
      "Room": {
        "attributes": { "name": "string?" },
        "relationships": { "items": { "type": "[Item]", "inverse": "room" } } },
      "Tag": {
        "attributes": { "name": "string?" },
        "relationships": { "items": { "type": "[Item]", "inverse": "tags" } } },
      "Rank": { "relationships": { "items": { "type": "[Item]", "ordered": true, "inverse": "ranks" } } } } }
    """

  enum Rule: String, CaseIterable {
    case store, object, overwrite, rollback

    var policy: MergePolicy {
      switch self {
      case .store: .mergeByPropertyStoreTrump
      case .object: .mergeByPropertyObjectTrump
      case .overwrite: .overwrite
      case .rollback: .rollback
      }
    }

    var takesStored: Bool { self == .store || self == .rollback }
  }

  /// An item as plain values. Related objects are numbers.
  struct Plain: Equatable {
    var code: String
    var name: String?
    var count = 0
    var scan: Data?
    var shelf: Int?
    var room: Int?
    var tags: Set<Int> = []
    var ranks: Set<Int> = []
    var pages = 0

    /// Takes the values of an item that has become this one.
    mutating func take(_ new: Plain, _ rule: Rule) {
      // Links and children belong to it, whatever the policy says of values.
      tags.formUnion(new.tags)
      ranks.formUnion(new.ranks)
      pages += new.pages
      if rule.takesStored { return }
      if rule == .overwrite {
        (name, count, scan, shelf, room) = (new.name, new.count, new.scan, new.shelf, new.room)
        return
      }
      name = new.name ?? name
      if new.count != 0 { count = new.count }
      scan = new.scan ?? scan
      shelf = new.shelf ?? shelf
      room = new.room ?? room
    }
  }

  private static let size = 3

  let container: PersistentContainer
  let mine: ManagedObjectContext
  private let others: ManagedObjectContext
  private let store: TestStore
  private var random: SplitMix
  /// The stored items by their codes.
  private var stored: [String: Plain] = [:]
  /// What this context has inserted, in its order, with the instances.
  private var new: [(plain: Plain, object: ManagedObject)] = []
  /// What it has changed, by code.
  private var changed: [String: Plain] = [:]
  private var related: [String: [ManagedObject]] = [:]
  private var shapes: [ListShape] = []
  /// Whether others have saved what is not merged.
  private var isBehind = false
  private(set) var problems: [String] = []
  private(set) var log: [String] = []
  private(set) var becomings = 0
  private(set) var joins = 0
  private(set) var differences = 0

  init(_ kind: StoreKind, seed: UInt64) throws {
    store = try TestStore(kind)
    random = SplitMix(seed: seed)
    container = try PersistentContainer(
      model: ModelBinding(ManagedObjectModel(json: Self.model, file: "Feed")),
      store: store.configuration())
    (mine, others) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    container.readFailureHandler = { _ in }
    for entity in ["Shelf", "Room", "Tag", "Rank"] {
      related[entity] = try (0..<Self.size).map { number in
        let object = try mine.insert(entity)
        if entity == "Room" || entity == "Tag" {
          try object.setValue("\(entity)\(number)", forKey: "name")
        }
        return object
      }
    }
    try mine.save()
    if chance(4) { return }
    func key(_ name: String) -> (ManagedObject) throws -> String? {
      { try $0.value(forKey: name).map { "\($0)" } }
    }
    func request(_ format: String? = nil, _ keys: [FetchSortKey], limit: Int? = nil) throws
      -> FetchRequest<ManagedObject>
    {
      FetchRequest(
        entityName: "Item",
        predicate: try format.map { try FetchPredicate(format: $0, arguments: []) },
        sortKeys: keys, limit: limit)
    }
    shapes = [
      try ListShape("all", mine, request(nil, [.ascending("code")])),
      try ListShape(
        "by count", mine, request(nil, [.ascending("count"), .ascending("code")]), "count",
        key("count")),
      try ListShape("low", mine, request("count < 2", [.descending("name"), .ascending("code")])),
      try ListShape("of a room", mine, request("room.name == 'Room1'", [.ascending("code")])),
      try ListShape("tagged", mine, request("ANY tags.name == 'Tag1'", [.ascending("code")])),
      try ListShape(
        "first", mine, request(nil, [.descending("name"), .ascending("code")], limit: 2)),
      try ListShape("with pages", mine, request("pages.@count > 0", [.ascending("code")])),
    ]
    for shape in shapes {
      shape.subscription = shape.controller.onChange { [unowned self, unowned shape] change in
        differences += 1
        if let problem = shape.apply(change) { problems.append("\(shape.name): \(problem)") }
      }
    }
  }

  // MARK: Steps

  private func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
  private func number() -> Int { Int.random(in: 0..<Self.size, using: &random) }
  private func note(_ line: String) { log.append(line) }

  func step() throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4: try insert()
    case 4..<5: try change()
    case 5..<7: try read()
    case 7: if chance(2) { try forget() }
    case 8..<10: try changeElsewhere()
    default: try save()
    }
  }

  /// Random values, with related objects of a context.
  private func values(_ code: String) -> Plain {
    var plain = Plain(code: code)
    if chance(2) { plain.name = "n\(Int.random(in: 0..<9, using: &random))" }
    if chance(2) { plain.count = Int.random(in: 0..<4, using: &random) }
    if chance(3) { plain.scan = bytes(chance(2) ? 10 : 100, UInt8(number())) }
    if chance(2) { plain.shelf = number() }
    if chance(2) { plain.room = number() }
    if chance(2) { plain.tags = Set((0..<number()).map { _ in number() }) }
    if chance(3) { plain.ranks = [number()] }
    if chance(3) { plain.pages = 1 + number() }
    return plain
  }

  private func set(_ plain: Plain, of item: ManagedObject, _ context: ManagedObjectContext) throws {
    func other(_ entity: String, _ number: Int) throws -> ManagedObject {
      try context.existingObject(with: #require(related[entity]?[number]).objectID)
    }
    try item.setValue(plain.code, forKey: "code")
    if let name = plain.name { try item.setValue(name, forKey: "name") }
    if plain.count != 0 { try item.setValue(plain.count, forKey: "count") }
    if let scan = plain.scan { try item.setValue(scan, forKey: "scan") }
    if chance(4) { try item.setValue("a note", forKey: "note") }
    if let shelf = plain.shelf {
      let list = try other("Shelf", shelf).value(forKey: "items") as? OrderedToMany<ManagedObject>
      if let list, chance(3) {
        list.insert(item, at: min(list.count, number()))
      } else {
        try item.setValue(other("Shelf", shelf), forKey: "shelf")
      }
    }
    if let room = plain.room { try item.setValue(other("Room", room), forKey: "room") }
    for tag in plain.tags.sorted() {
      (try item.value(forKey: "tags") as? ToMany<ManagedObject>)?.insert(try other("Tag", tag))
    }
    for rank in plain.ranks.sorted() {
      (try item.value(forKey: "ranks") as? OrderedToMany<ManagedObject>)?.append(
        try other("Rank", rank))
    }
    for _ in 0..<plain.pages {
      try context.insert("Page").setValue(item, forKey: "item")
    }
  }

  private func insert() throws {
    let code = "c\(Int.random(in: 0..<6, using: &random))"
    let earlier = new.count { $0.plain.code == code }
    // Which one of two would become the stored one first is not part of the table.
    if earlier > 0, stored[code] != nil || earlier > 1 { return }
    let plain = values(code)
    let item = try mine.insert("Item")
    try set(plain, of: item, mine)
    new.append((plain, item))
    note("insert \(plain)")
  }

  private func item(_ code: String, _ context: ManagedObjectContext) throws -> ManagedObject? {
    try context.fetch(
      FetchRequest<ManagedObject>(
        entityName: "Item",
        predicate: .comparison(.property("code"), .equal, .constant(.string(code))))
    ).first { !$0.isInserted }
  }

  /// Changes an item of the store that others have not changed.
  private func change() throws {
    if isBehind { merge() }
    guard let code = stored.keys.sorted().randomElement(using: &random),
      let item = try item(code, mine)
    else { return }
    var plain = changed[code] ?? stored[code]
    plain?.name = "m\(number())"
    try item.setValue(plain?.name, forKey: "name")
    changed[code] = plain
    note("change \(code) \(plain?.name ?? "")")
  }

  private func read() throws {
    let entity = ["Shelf", "Room", "Tag", "Rank"].randomElement(using: &random) ?? "Shelf"
    let object = try #require(related[entity]?[number()])
    // Others may have deleted one.
    _ = try members(of: object, "items").map { try? $0.value(forKey: "name") }
    if let code = stored.keys.sorted().randomElement(using: &random),
      let item = try item(code, mine)
    {
      for name in ["tags", "ranks", "pages"] { _ = try members(of: item, name) }
      note("read the items of \(entity)\(object.objectID.key), and \(code)")
    }
  }

  private func forget() throws {
    mine.refreshAllObjects()
    mine.processPendingChanges()
    note("forget")
  }

  private func changeElsewhere() throws {
    others.refreshAllObjects()
    let code = "c\(Int.random(in: 0..<6, using: &random))"
    // Others win where this context has two new ones, or has changed the item.
    if changed[code] != nil || new.count(where: { $0.plain.code == code }) > 1 { return }
    if let item = try item(code, others) {
      if chance(3) {
        others.delete(item)
        stored[code] = nil
        note("others delete \(code)")
      } else {
        try item.setValue("o\(number())", forKey: "name")
        let room = chance(2) ? nil : number()
        try item.setValue(
          room.map { try others.existingObject(with: #require(related["Room"]?[$0]).objectID) },
          forKey: "room")
        stored[code]?.name = try item.value(of: "name")
        stored[code]?.room = room
        note("others change \(code)")
      }
    } else {
      let plain = values(code)
      try set(plain, of: others.insert("Item"), others)
      stored[code] = plain
      note("others insert \(plain)")
    }
    try others.save()
    isBehind = true
    if chance(2) { merge() }
  }

  private func merge() {
    mine.mergeChanges()
    mine.processPendingChanges()
    isBehind = false
  }

  private func save() throws {
    let rule = Rule.allCases.randomElement(using: &random) ?? .store
    mine.mergePolicy = rule.policy
    note("save \(rule)")
    let codes = Dictionary(grouping: new.indices, by: { new[$0].plain.code })
    for (code, plain) in changed { stored[code] = plain }
    var departed: [(ManagedObject, String)] = []
    for (code, places) in codes {
      for place in places {
        let (plain, object) = new[place]
        guard let former = stored[code] else {
          stored[code] = plain
          continue
        }
        if place == places.first {
          becomings += 1
          stored[code]?.take(plain, rule)
        } else {
          joins += 1
          // The values of one of the two are lost, and links and children are of both.
          var (winner, loser) = rule.takesStored ? (former, plain) : (plain, former)
          winner.take(loser, .store)
          loser = winner
          stored[code] = loser
        }
        departed.append((object, code))
      }
    }
    let ids = new.map { ($0.object.objectID, $0.plain.code) }
    let inserted = new.map(\.object)
    (new, changed) = ([], [:])
    try mine.save()
    mine.processPendingChanges()
    try check(inserted)
    for (id, code) in ids where try item(code, mine) !== mine.existingObject(with: id) {
      problems.append("the temporary id of \(code) does not find it")
    }
  }

  // MARK: Checking

  private func members(of object: ManagedObject, _ name: String) throws -> [ManagedObject] {
    switch try object.value(forKey: name) {
    case let list as OrderedToMany<ManagedObject>: list.map { $0 }
    case let list as ToMany<ManagedObject>:
      list.map { $0 }.sorted { $0.objectID.key < $1.objectID.key }
    default: []
    }
  }

  private func check(_ inserted: [ManagedObject]) throws {
    if mine.hasChanges { problems.append("the context has changes after the save") }
    // What others have done to other items is not there before a merge.
    if isBehind { merge() }
    problems += mine.graphProblems
    for object in inserted where object.managedObjectContext == nil {
      if !object.isDeleted { problems.append("\(object) has left, and is not deleted") }
      if try item(object.value(of: "code") ?? "", mine) === object {
        problems.append("\(object) has left, and is found")
      }
    }
    let fresh = container.makeContext()
    try compareItems(fresh)
    try compareItems(mine)
    for (entity, objects) in related.sorted(by: { $0.key < $1.key }) {
      for object in objects {
        let here = try members(of: object, "items")
        let there = try members(of: fresh.existingObject(with: object.objectID), "items")
        if here.map(\.objectID) != there.map(\.objectID) {
          problems.append(
            "\(entity)\(object.objectID.key) has \(here.map(\.objectID.key)), and the store \(there.map(\.objectID.key))"
          )
        }
      }
    }
    for shape in shapes {
      var request = shape.request
      if let first = shape.controller.firstKey, request.sortKeys.first?.property != first.property {
        request.sortKeys.insert(first, at: 0)
      }
      let found = try fresh.fetch(request).map(\.objectID.key)
      let shown = shape.lists.flatMap { $0.map(\.objectID.key) }
      if found != shown { problems.append("\(shape.name) shows \(shown), and a fetch \(found)") }
      if Array(shape.controller.objects).map(\.objectID.key) != found {
        problems.append("\(shape.name) is another list than a fetch")
      }
    }
  }

  private func compareItems(_ context: ManagedObjectContext) throws {
    let items = try context.fetch(FetchRequest<ManagedObject>(entityName: "Item"))
    var found: [String: Plain] = [:]
    func number(_ object: ManagedObject?) -> Int? {
      object.flatMap { object in
        related[object.entityName]?.firstIndex { $0.objectID == object.objectID }
      }
    }
    for item in items {
      var plain = Plain(code: try item.value(of: "code") ?? "?")
      plain.name = try item.value(of: "name")
      plain.count = try item.value(of: "count") ?? -1
      plain.scan = try item.value(of: "scan")
      plain.shelf = number(try item.value(forKey: "shelf") as? ManagedObject)
      plain.room = number(try item.value(forKey: "room") as? ManagedObject)
      plain.tags = Set(try members(of: item, "tags").compactMap(number))
      plain.ranks = Set(try members(of: item, "ranks").compactMap(number))
      plain.pages = try members(of: item, "pages").count
      found[plain.code] = plain
    }
    if found.count != items.count { problems.append("a code is there twice") }
    for code in Set(found.keys).union(stored.keys).sorted() where found[code] != stored[code] {
      problems.append(
        "\(context === mine ? "mine" : "the store") has \(found[code].map { "\($0)" } ?? "no \(code)"), not \(stored[code].map { "\($0)" } ?? "none")"
      )
    }
  }
}
