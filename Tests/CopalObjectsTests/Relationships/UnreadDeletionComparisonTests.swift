import CopalTestSupport
import Foundation
import Testing

@testable import Copal
@testable import CopalObjects

/// A model of shelves, albums and pages, where a cascade can delete pages without reading them.
private struct Pages: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Further keys of `Album.pages`.
  var pages = ""
  /// The type and further keys of `Page.album`.
  var album = "\"type\": \"Album?\""

  static let all = [
    Pages(testDescription: "without an order"),
    Pages(testDescription: "ordered", pages: ", \"ordered\": true"),
    Pages(testDescription: "with a sort order", pages: ", \"sort\": [\"-number\"]"),
    Pages(testDescription: "with orphans", pages: ", \"orphans\": \"delete\""),
    Pages(testDescription: "of one to three", pages: ", \"minimum\": 1, \"maximum\": 3"),
    Pages(testDescription: "required", album: "\"type\": \"Album\""),
    Pages(
      testDescription: "cascade at both ends",
      album: "\"type\": \"Album?\", \"delete\": \"cascade\""),
    Pages(
      testDescription: "deny at the other end", album: "\"type\": \"Album?\", \"delete\": \"deny\""),
    Pages(
      testDescription: "no action at the other end",
      album: "\"type\": \"Album?\", \"delete\": \"noAction\""),
  ]

  func model() throws -> ModelBinding {
    ModelBinding(
      try ManagedObjectModel(
        json: """
          { "copal": 1, "model": "Pages", "entities": {
            "Shelf": { "attributes": { "name": "string" }, "relationships": {
              "albums": { "type": "[Album]", "inverse": "shelf", "delete": "cascade" } } },
            "Album": { "attributes": { "name": "string" }, "relationships": {
              "shelf": { "type": "Shelf?", "inverse": "albums" },
              "pages": { "type": "[Page]", "inverse": "album", "delete": "cascade"\(pages) } } },
            "Page": {
              "attributes": { "number": "integer64", "rank": "integer64?", "code": "integer64?" },
              "unique": ["code"],
              "relationships": { "album": { \(album), "inverse": "pages" } } } } }
          """, file: "Pages.model.json"))
  }
}

extension ManagedObject {
  fileprivate var number: Int64 { (try? value(forKey: "number") as? Int64) ?? -1 }
  fileprivate var name: String { (try? value(forKey: "name") as? String) ?? "" }
  fileprivate var album: ManagedObject? { (try? value(forKey: "album")) as? ManagedObject }
  fileprivate var pages: [ManagedObject] {
    let value = try? value(forKey: "pages")
    if let members = value as? ToMany<ManagedObject> { return Array(members) }
    if let members = value as? OrderedToMany<ManagedObject> { return Array(members) }
    return []
  }
}

/// Three contexts, which may hold a page each. A context that has a page reads what a cascade
/// deletes.
private final class PageWorld {
  let container: PersistentContainer
  private(set) var contexts: [ManagedObjectContext]
  private let reads: Bool
  private var anchors: [ManagedObject?] = [nil, nil, nil]
  private var albums: [[String: ManagedObject]] = [[:], [:], [:]]
  private var batches: [FetchedBatches<ManagedObject>?] = [nil, nil, nil]
  private var kept: [[ManagedObject]] = [[], [], []]
  private(set) var ids: [Int64: ManagedObjectID] = [:]
  private var temporaryIDs: [[ManagedObjectID]] = [[], [], []]

  init(_ kind: StoreKind, _ pages: Pages, reads: Bool) throws {
    container = try TestStore(kind).container(pages.model(), transformers: [])
    self.reads = reads
    let first = container.makeContext()
    var all: [Int64: ManagedObject] = [:]
    let shelves = try (0..<2).map { _ in try first.insert("Shelf") }
    for shelf in shelves { try shelf.setValue("s", forKey: "name") }
    for index in 0..<8 {
      let album = try first.insert("Album")
      try album.setValue(index == 7 ? "anchor" : "\(index)", forKey: "name")
      if index < 6 { try album.setValue(shelves[index % 2], forKey: "shelf") }
      for place in 0..<(index == 7 ? 1 : 3) {
        let page = try first.insert("Page")
        let number = index == 7 ? 0 : Int64(index * 10 + place + 1)
        try page.setValue(number, forKey: "number")
        try page.setValue(number, forKey: "code")
        try page.setValue(album, forKey: "album")
        all[number] = page
      }
    }
    try first.save()
    ids = all.mapValues(\.objectID)
    contexts = (0..<3).map { [container] _ in container.makeContext() }
    for index in 0..<3 { try hold(index) }
  }

  private func hold(_ index: Int) throws {
    guard reads, let id = ids[0] else { return }
    anchors[index] = try contexts[index].existingObject(with: id)
  }

  private func all(_ entity: String, _ index: Int) throws -> [ManagedObject] {
    try contexts[index].fetch(FetchRequest<ManagedObject>(entityName: entity))
  }

  private func album(_ name: String, _ index: Int) throws -> ManagedObject? {
    if let known = albums[index][name], known.managedObjectContext != nil, !known.isMissingInStore {
      return known
    }
    albums[index][name] = try all("Album", index).first { $0.name == name }
    return albums[index][name]
  }

  private func page(_ number: Int64, _ index: Int) throws -> ManagedObject? {
    try all("Page", index).first { $0.number == number }
  }

  /// The numbers of all pages in the store, with the names of their albums.
  func stored() throws -> [Int64: String] {
    let context = container.makeContext()
    return Dictionary(
      uniqueKeysWithValues: try context.fetch(FetchRequest<ManagedObject>(entityName: "Page")).map {
        ($0.number, $0.album?.name ?? "")
      })
  }

  /// Does one thing, and says what a program sees of it.
  func step(_ step: Step) throws -> String {
    let (index, context) = (step.context, contexts[step.context])
    let name = "\(step.album)"
    let number = Int64(step.album * 10 + step.place + 1)
    switch step.kind {
    case 0...4:
      guard let album = try album(name, index) else { return "none" }
      context.delete(album)
      return "\(album.isDeleted)"
    case 5:
      guard let shelf = try all("Shelf", index).dropFirst(step.place % 2).first else {
        return "none"
      }
      context.delete(shelf)
      return "shelf"
    case 6: return "\(try all("Page", index).map(\.number).sorted())"
    case 7:
      return "\(try context.count(FetchRequest<ManagedObject>(entityName: "Page")))"
    case 8:
      let there = try stored()
      return
        "\(context.deletedObjects.filter { $0.entityName == "Page" }.map(\.number).filter { there[$0] != nil }.sorted())"
    case 9:
      guard let id = ids[number], try stored()[number] != nil else { return "none" }
      return "\(try context.object(with: id).isDeleted)"
    case 10:
      batches[index] = try context.fetchBatches(
        FetchRequest<ManagedObject>(entityName: "Page"), size: 4)
      return "batches"
    case 11:
      guard let batches = batches[index] else { return "none" }
      let there = try stored()
      return
        "\(batches.filter { there[$0.number] != nil }.map { "\($0.number) \($0.isDeleted)" })"
    case 12:
      guard let album = try album(name, index) else { return "none" }
      if step.place == 0 { kept[index] += album.pages }
      return "\(album.pages.map(\.number).sorted())"
    case 13:
      guard let page = try page(number, index), let album = try album("\(step.place)", index),
        !album.isDeleted
      else { return "none" }
      try page.setValue(album, forKey: "album")
      return "moved"
    case 14:
      guard let album = try album(name, index), !album.isDeleted else { return "none" }
      let page = try context.insert("Page")
      temporaryIDs[index].append(page.objectID)
      try page.setValue(Int64(1000 + step.number), forKey: "number")
      if step.place == 0 { try page.setValue(number, forKey: "code") }
      try page.setValue(album, forKey: "album")
      return "added"
    case 15:
      guard let page = try page(number, index) else { return "none" }
      if step.place == 0 {
        context.delete(page)
      } else {
        try page.setValue(Int64(step.number), forKey: "rank")
      }
      return "changed"
    case 16:
      guard let album = try album(name, index) else { return "none" }
      do { try context.refresh(album, mergeChanges: step.place == 0) } catch { return "missing" }
      return "refreshed"
    case 17:
      context.refreshAllObjects()
      return "all"
    case 18:
      kept[index] = []
      context.state.sweep()
      return "swept"
    case 19:
      if step.place < 2 {
        context.rollback()
      } else {
        context.reset()
        albums[index] = [:]
        batches[index] = nil
        kept[index] = []
        try hold(index)
      }
      kept[index] = []
      context.refreshAllObjects()
      return "\(context.hasChanges)"
    case 20:
      return temporaryIDs[index].map { id in
        do { return "\(try context.object(with: id).isDeleted)" } catch let error
          as PersistenceError
        {
          return error.code.rawValue
        } catch { return "" }
      }.joined(separator: " ")
    default: return try save(index)
    }
  }

  private func save(_ index: Int) throws -> String {
    for _ in 0..<4 {
      do {
        try contexts[index].save()
        return "\(try stored().sorted { $0.key < $1.key })"
      } catch let error as PersistenceError {
        // Only a context that has read an object can know that its row is missing.
        let codes = Set(error.causeCodes.map(\.rawValue)).subtracting(["save.deletedElsewhere"])
        if !codes.isEmpty {
          for object in contexts[index].deletedObjects { _ = object.number }
          return "\(codes.sorted())"
        }
      }
    }
    return "endless"
  }

  var problems: [String] {
    contexts.flatMap { context in
      let keys = context.state.changed.objects.filter { $0.hasChanges }.map(\.objectID)
      return context.graphProblems + (Set(keys).count == keys.count ? [] : ["one object twice"])
    }
  }

  /// Every deleted object is the one that the context has.
  var twins: [String] {
    contexts.flatMap { context in
      context.state.changed.objects.filter { $0.hasChanges && $0.key > 0 }.compactMap { object in
        context.state.object(entity: object.runtime.index, key: object.key) === object
          ? nil : "\(object.objectID) is not registered"
      }
    }
  }
}

private struct Step {
  let kind: Int
  let context: Int
  let album: Int
  let place: Int
  let number: Int

  init(_ number: Int, _ random: inout SplitMix) {
    kind = Int.random(in: 0..<25, using: &random)
    context = Int.random(in: 0..<3, using: &random) / 2
    album = Int.random(in: 0..<7, using: &random)
    place = Int.random(in: 0..<3, using: &random)
    self.number = number
  }
}

/// Random steps in two programs, of which one reads each object that a cascade deletes. Both must
/// see the same.
///
/// `COPAL_UNREAD_DELETIONS=300` runs as many sequences of each case.
@Suite("Deleting rows without reading them, beside reading them")
struct UnreadDeletionComparisonTests {
  @Test(
    "a program sees no difference", arguments: bothStores, Pages.all
  )
  fileprivate func same(_ kind: StoreKind, _ pages: Pages) throws {
    let environment = ProcessInfo.processInfo.environment
    let runs = environment["COPAL_UNREAD_DELETIONS"].flatMap { UInt64($0) } ?? 3
    var found = 0
    for seed in 1...runs {
      var random = SplitMix(seed: seed)
      let worlds = try [false, true].map { try PageWorld(kind, pages, reads: $0) }
      var log: [String] = []
      for number in 0..<40 {
        let step = Step(number, &random)
        let seen = try worlds.map { try $0.step(step) }
        log.append("\(step.kind) c\(step.context) a\(step.album) p\(step.place): \(seen[0])")
        let problems = (0..<2).map { worlds[$0].problems + worlds[$0].twins }
        if seen[0] != seen[1] || !problems[0].isEmpty {
          // A problem that reading has, too, is not one of rows that are not read.
          if seen[0] == seen[1], !problems[1].isEmpty { break }
          found += 1
          Issue.record("seed \(seed): read: \(seen[1]) \(problems)\n\(log.joined(separator: "\n"))")
          break
        }
      }
      if found > 2 { return }
    }
  }
}
