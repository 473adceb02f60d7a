import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// Random changes here and in another context, followed by a controller of every shape.
///
/// There are two oracles: a fetch of the context, and the former list, to which the difference is
/// applied step by step. The sections are made by the test from the values of the objects.
@Suite("Random changes below lists", .modelAsIs)
struct ControllerSequenceTests {
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_LISTS"].flatMap(UInt64.init) ?? 5
  private static let first =
    ProcessInfo.processInfo.environment["COPAL_LISTS_FROM"].flatMap(UInt64.init) ?? 1

  @Test("a list and its differences are those of a fetch", arguments: bothStores)
  func lists(_ kind: StoreKind) async throws {
    var counts: [String: Int] = [:]
    for seed in Self.first..<Self.first + Self.count {
      await Task.yield()
      let run = try ListRun(Society.container(TestStore(kind)), seed: seed)
      do {
        try run.begin()
        for _ in 0..<60 where run.problems.isEmpty { try run.step() }
      } catch {
        run.problems.append("\(error)")
      }
      counts.merge(run.counts) { $0 + $1 }
      if run.problems.isEmpty { continue }
      Issue.record(
        "seed \(seed), \(kind): \(run.problems.prefix(3))\n\(run.log.joined(separator: "\n"))")
      return
    }
    let count = Int(Self.count)
    for word in ["deleted", "inserted", "moves", "updated", "deletedSections", "insertedSections"] {
      #expect(counts[word, default: 0] > count * 2, "\(counts)")
    }
    #expect(counts["isReload", default: 0] >= count * 4 / 5, "\(counts)")
  }
}

private final class ListRun {
  let container: PersistentContainer
  let mine: ManagedObjectContext
  let other: ManagedObjectContext
  private var random: SplitMix
  private var shapes: [ListShape] = []
  private var number = 0
  var problems: [String] = []
  var log: [String] = []
  var counts: [String: Int] = [:]

  init(_ container: PersistentContainer, seed: UInt64) {
    self.container = container
    random = SplitMix(seed: seed)
    (mine, other) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    mine.mergePolicy = .mergeByPropertyObjectTrump
    other.mergePolicy = .mergeByPropertyObjectTrump
  }

  private func request(
    _ entity: String = "Work", _ format: String? = nil, _ keys: [FetchSortKey] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: entity,
      predicate: try format.map { try FetchPredicate(format: $0, arguments: []) }, sortKeys: keys,
      limit: limit, offset: offset)
  }

  func begin() throws {
    for _ in 0..<3 { try insertStudio(other) }
    for _ in 0..<8 { try insertWork(other) }
    try other.save()
    mine.mergeChanges()
    func text(_ key: String) -> (ManagedObject) throws -> String? {
      { try $0.value(forKey: key).map { "\($0)" } }
    }
    let works = try mine.fetch(request())
    var faults = try request("Work", nil, [.ascending("rank"), .ascending("title")])
    faults.returnsObjectsAsFaults = true
    let studio = try mine.fetch(request("Studio"))[0]
    let newStudio = try mine.insert("Studio")
    var ofNew = try request("Work", nil, [.ascending("rank")])
    ofNew.predicate = .comparison(
      .property("studio"), .equal, .constant(.object(newStudio.objectID)))
    var ofStudio = ofNew
    ofStudio.predicate = .comparison(
      .property("studio"), .equal, .constant(.object(studio.objectID)))
    var exact = try request("Work", nil, [.descending("rank")])
    exact.includesSubentities = false
    shapes = [
      try ListShape("all", mine, request()),
      try ListShape(
        "sorted", mine,
        request("Work", "rank < 5", [.descending("rank"), .ascending("title").nilsLast])),
      try ListShape(
        "by rank", mine, request("Work", nil, [.ascending("rank"), .ascending("title")]), "rank",
        text("rank")),
      try ListShape(
        "by rank, added", mine, request("Work", "title != NIL", [.descending("title")]), "rank",
        text("rank")),
      try ListShape(
        "by letter", mine, request("Work"), .firstLetter(of: "title"),
        { try ($0.value(forKey: "title") as? String).map { String($0.prefix(1)).uppercased() } }),
      try ListShape(
        "by half", mine, request("Work", nil, [.descending("rank")]),
        .function(of: "rank") { rank in
          if case .integer(let rank) = rank, rank > 3 { "high" } else { nil }
        },
        { try text("rank")($0).flatMap(Int.init) ?? 0 > 3 ? "high" : nil }),
      try ListShape("limit", mine, request("Work", nil, [.ascending("title")], limit: 3)),
      try ListShape(
        "limit by rank", mine, request("Work", "rank > 1", [.ascending("rank")], limit: 4), "rank",
        text("rank")),
      try ListShape("none", mine, request("Work", nil, [.ascending("rank")], limit: 0)),
      try ListShape(
        "offset", mine, request("Work", nil, [.ascending("rank")], limit: 3, offset: 2)),
      try ListShape("exact", mine, exact),
      try ListShape("family", mine, request("Sculpture", "weight < 3", [.ascending("weight")])),
      try ListShape(
        "to-one", mine, request("Work", "studio.name BEGINSWITH 's1'", [.ascending("rank")])),
      try ListShape(
        "to-one, limit by rank", mine,
        request(
          "Work", "studio.name BEGINSWITH 's1' OR rank > 4", [.ascending("rank")], limit: 3),
        "rank", text("rank")),
      try ListShape(
        "to-one of another family", mine,
        request("Sculpture", "place.name != NIL AND studio.name != 's1'", [.ascending("title")])),
      try ListShape(
        "by studio", mine, request("Work", nil, [.ascending("studio.name"), .ascending("rank")]),
        "studio.name",
        {
          // Others may have deleted it.
          let studio = (try? $0.value(forKey: "studio")) as? ManagedObject
          return try studio?.value(forKey: "name") as? String
        }),
      try ListShape("studio", mine, ofStudio),
      try ListShape("new studio", mine, ofNew),
      try ListShape("parts", mine, request("Work", "parts.@count > 0", [.descending("rank")])),
      try ListShape("tags", mine, request("Work", "ANY tags.name == 't1'", [])),
      try ListShape("faults", mine, faults),
      try ListShape("studios", mine, request("Studio", "ANY works.rank > 4", [.ascending("name")])),
    ]
    _ = works
  }

  // MARK: Steps

  func step() throws {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      try change(chance(2) ? mine : other)
    }
    try end()
    check()
  }

  private func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  /// Ends the turn in one of several ways.
  private func end() throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3:
      note("other saves")
      do { try other.save() } catch { other.rollback() }
      mine.mergeChanges()
    case 3..<5:
      note("both save")
      do { try other.save() } catch { other.rollback() }
      do { try mine.save() } catch {
        note("refused: \(error)")
        mine.rollback()
      }
    case 5 where chance(2):
      note("mine saves, other saves, and a turn before the merge")
      do { try mine.save() } catch { mine.rollback() }
      mine.processPendingChanges()
      follow()
      for studio in try other.fetch(request("Studio")) {
        try studio.setValue("s\(Int.random(in: 1...9, using: &random))", forKey: "name")
      }
      do { try other.save() } catch { other.rollback() }
      // Without unsaved changes, a list that is fetched again has the order of the store.
      if let work = try any("Work", mine) { try mine.refresh(work, mergeChanges: false) }
      mine.processPendingChanges()
      follow()
    case 5..<6:
      note("mine saves")
      do { try mine.save() } catch {
        note("refused: \(error)")
        mine.rollback()
      }
    case 6 where chance(3):
      note("mine rolls back")
      mine.rollback()
    case 6 where chance(4):
      note("mine forgets all")
      mine.refreshAllObjects()
    case 6 where chance(4):
      note("mine is reset")
      mine.reset()
    default: note("turn")
    }
    mine.mergeChanges()
    mine.processPendingChanges()
  }

  private func note(_ line: String) { log.append(line) }

  private func insertStudio(_ context: ManagedObjectContext) throws {
    number += 1
    let studio = try context.insert("Studio")
    try studio.setValue("s\(number)", forKey: "name")
    note("\(name(context)) inserts studio s\(number)")
  }

  private func insertWork(_ context: ManagedObjectContext) throws {
    number += 1
    let work = try context.insert(chance(3) ? "Sculpture" : "Work")
    let title: String? = chance(6) ? nil : randomTitle()
    let rank = Int64.random(in: 0..<7, using: &random)
    try work.setValue(title, forKey: "title")
    try work.setValue(rank, forKey: "rank")
    if chance(2) { try work.setValue(any("Studio", context), forKey: "studio") }
    note("\(name(context)) inserts \(work.entityName) \(title ?? "nil") \(rank)")
  }

  private func randomTitle() -> String {
    "\("abcde".randomElement(using: &random) ?? "a")\(Int.random(in: 0..<30, using: &random))"
  }

  private func name(_ context: ManagedObjectContext) -> String {
    context === mine ? "mine" : "other"
  }

  private func any(_ entity: String, _ context: ManagedObjectContext) throws -> ManagedObject? {
    try context.fetch(FetchRequest<ManagedObject>(entityName: entity)).randomElement(using: &random)
  }

  private func change(_ context: ManagedObjectContext) throws {
    let who = name(context)
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<4: try insertWork(context)
    case 4..<8:
      guard let work = try any("Work", context) else { return }
      let rank = Int64.random(in: 0..<7, using: &random)
      note("\(who) ranks \(work.objectID.key) \(rank)")
      try work.setValue(rank, forKey: "rank")
    case 8..<11:
      guard let work = try any("Work", context) else { return }
      let title: String? = chance(6) ? nil : randomTitle()
      note("\(who) titles \(work.objectID.key) \(title ?? "nil")")
      try work.setValue(title, forKey: "title")
    case 11..<13:
      guard let work = try any("Work", context) else { return }
      let studio = chance(4) ? nil : try any("Studio", context)
      note("\(who) moves \(work.objectID.key) to \(studio.map { "\($0.objectID.key)" } ?? "nil")")
      try work.setValue(studio, forKey: "studio")
    case 13..<15:
      guard let work = try any("Work", context) else { return }
      note("\(who) deletes \(work.objectID.key)")
      context.delete(work)
    case 15:
      guard let studio = try any("Studio", context) else { return }
      note("\(who) renames studio \(studio.objectID.key)")
      try studio.setValue(["s1", "s2", "s3", "s1x"].randomElement(using: &random), forKey: "name")
    case 16:
      guard let work = try any("Work", context) else { return }
      note("\(who) adds a part to \(work.objectID.key)")
      let part = try context.insert("Part")
      try part.setValue(work, forKey: "whole")
    case 17:
      guard let part = try any("Part", context) else { return }
      note("\(who) deletes part \(part.objectID.key)")
      context.delete(part)
    case 18:
      guard let work = try any("Work", context) else { return }
      let tag = try any("Tag", context) ?? context.insert("Tag")
      try tag.setValue(chance(2) ? "t1" : "t2", forKey: "name")
      note("\(who) tags \(work.objectID.key) with \(tag.objectID.key)")
      var tags =
        (try work.value(forKey: "tags") as? OrderedToMany<ManagedObject>).map(Array.init) ?? []
      if tags.contains(tag) { tags.removeAll { $0 == tag } } else { tags.append(tag) }
      try work.setValue(tags, forKey: "tags")
    case 19: if chance(3) { try insertStudio(context) }
    case 20: try batch(context)
    case 21:
      if chance(3), let studio = try any("Studio", context) {
        note("\(who) deletes studio \(studio.objectID.key)")
        context.delete(studio)
      }
    case 22:
      guard let work = try any("Work", mine) else { return }
      note("mine refreshes \(work.objectID.key)")
      do { try mine.refresh(work, mergeChanges: chance(2)) } catch { note("\(error)") }
    default:
      guard let work = try any("Sculpture", context) else { return }
      note("\(who) weighs \(work.objectID.key)")
      try work.setValue(Double(Int.random(in: 0..<5, using: &random)), forKey: "weight")
    }
  }

  private func batch(_ context: ManagedObjectContext) throws {
    if !chance(3) { return }
    do {
      if chance(2) {
        try context.updateAll(
          "Work", where: .comparison(.property("rank"), .equal, .constant(.integer(2))),
          set: [BatchAssignment("rank", .constant(.integer(5)))])
        note("\(name(context)) makes ranks 2 to 5")
      } else {
        _ = try context.insertAll(
          "Work", [["title": .string(randomTitle()), "rank": .integer(3)]])
        note("\(name(context)) inserts a row")
      }
    } catch {
      note("no batch: \(error)")
    }
  }

  // MARK: Checking

  private func check() {
    for shape in shapes {
      if !follow(shape) { return }
      do { try compare(shape) } catch { problems.append("\(shape.name): \(error)") }
    }
  }

  /// After a turn in which the store has changes that are not merged: the order of a fetch is that
  /// of the store, so the differences are compared with the list alone.
  private func follow() {
    for shape in shapes {
      if !follow(shape) { return }
      let shown = shape.controller.sections
      if shape.names != shown.map(\.name) || shape.lists != shown.map({ Array($0.objects) }) {
        problems.append("\(shape.name): the differences make another list before a merge")
      }
    }
  }

  /// Applies what has changed since the last time.
  private func follow(_ shape: ListShape) -> Bool {
    for change in shape.changes {
      count(change)
      if shape.changes.count > 1 { continue }
      if let problem = shape.apply(change) {
        problems.append("\(shape.name): \(problem) in \(change)")
        return false
      }
    }
    // Between two turns, the list is not known.
    if shape.changes.count > 1 { shape.take() }
    shape.changes = []
    return true
  }

  private func compare(_ shape: ListShape) throws {
    func keys(_ objects: some Sequence<ManagedObject>) -> [Int64] { objects.map(\.objectID.key) }
    var request = shape.request
    if let first = shape.controller.firstKey, request.sortKeys.first?.property != first.property {
      request.sortKeys.insert(first, at: 0)
    }
    let listed = Array(shape.controller.objects)
    // An object in conflict shows its own values, by which a list places it. A fetch places it by
    // those of the store.
    let found = mine.state.outdated.isEmpty ? try mine.fetch(request) : listed
    if keys(listed) != keys(found) {
      problems.append("\(shape.name) has \(keys(listed)), and a fetch \(keys(found))")
      return
    }
    if zip(listed, found).contains(where: { $0 !== $1 }) {
      problems.append("\(shape.name) has other objects")
    }
    var sections: [(String?, [Int64])] = shape.section == nil ? [(nil, [])] : []
    for object in found {
      let name = try shape.section?(object)
      if shape.section != nil, sections.isEmpty || sections[sections.count - 1].0 != name {
        sections.append((name, []))
      }
      sections[sections.count - 1].1.append(object.objectID.key)
    }
    let shown = shape.controller.sections
    if shown.map(\.name) != sections.map(\.0)
      || shown.map({ keys($0.objects) }) != sections.map(\.1)
    {
      problems.append(
        "\(shape.name) has \(shown.map { "\($0.name ?? "nil") \(keys($0.objects))" }), not \(sections)"
      )
    }
    if shape.names != sections.map(\.0) || shape.lists.map(keys) != sections.map(\.1) {
      problems.append(
        "\(shape.name): the differences make \(shape.names) \(shape.lists.map(keys)), not \(sections)"
      )
    }
    for (index, object) in listed.enumerated() {
      guard let place = shape.controller.position(of: object), shape.controller[place] === object,
        shape.controller.objects[index] === object
      else {
        problems.append("\(shape.name): the position of \(object.objectID.key) is wrong")
        return
      }
    }
    if shape.controller.snapshot.sections.map(\.ids) != shown.map({ $0.objects.map(\.objectID) }) {
      problems.append("\(shape.name): its snapshot is another one")
    }
    // After a reset there are other objects for the same keys.
    shape.take()
  }

  private func count(_ change: ResultsChange) {
    func add(_ word: String, _ count: Int) { counts[word, default: 0] += count }
    add("deleted", change.deleted.count)
    add("inserted", change.inserted.count)
    add("moves", change.moves.count)
    add("updated", change.updated.count)
    add("deletedSections", change.deletedSections.count)
    add("insertedSections", change.insertedSections.count)
    add("isReload", change.isReload ? 1 : 0)
  }
}
