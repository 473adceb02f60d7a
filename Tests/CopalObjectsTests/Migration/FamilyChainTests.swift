import Copal
import CopalModel
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

/// Random models with families that change again and again: entities and properties that move,
/// entities that become one, relationships, orders, large values in files and transformed values.
/// What a file has to contain is computed by ``PlainFamilies``, which knows nothing of Copal.
@Suite("Random chains of migrations of families", .modelAsIs)
struct FamilyChainTests {
  /// The number of chains.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_CHAINS"].flatMap(Int.init) ?? 20

  @Test("a file and its copy have the objects of plain lists, and old ids find them")
  func chains() throws {
    var refusals = 0
    for seed in 0..<Self.count {
      let chain = try FamilyChain(seed: UInt64(seed))
      do {
        try chain.run()
      } catch let error as PersistenceError {
        Issue.record("\(error)\n\(error.causes)\n\(chain.report)")
      }
      refusals += chain.refusalCount
    }
    if Self.count >= 30 { #expect(refusals > 0) }
  }
}

/// Texts are stored with a word before them.
private struct WordTransformer: AttributeTransformer {
  func encode(_ word: String) -> String { "word:" + word }
  func decode(_ stored: String) -> String { String(stored.dropFirst(5)) }
}

private final class FamilyChain {
  private let seed: UInt64
  private var random: SplitMix
  private let test: TestStore
  private var plain = PlainFamilies()
  private var story: [String] = []
  private(set) var refusalCount = 0
  /// The texts that the ids of objects have had, with their names.
  private var texts: [String: String] = [:]

  init(seed: UInt64) throws {
    self.seed = seed
    random = SplitMix(seed: seed &+ 7000)
    test = try TestStore()
  }

  func run() throws {
    for _ in 0..<3 { plain.addRoot(&random) }
    for _ in 0..<3 { plain.addChild(&random) }
    for _ in 0..<6 { plain.addAttribute(&random) }
    for _ in 0..<4 { plain.addRelation(&random) }
    try fill()
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      try migrate()
      try fill()
    }
  }

  // MARK: Containers

  private func binding(_ plain: PlainFamilies, words: Bool = true) throws -> ModelBinding {
    ModelBinding(try model(plain, words: words))
  }

  private func model(_ plain: PlainFamilies, words: Bool = true) throws -> ManagedObjectModel {
    try ManagedObjectModel(json: plain.json(words: words), file: "Test.model.json")
  }

  private func open(_ plain: PlainFamilies, words: Bool = true) throws -> PersistentContainer {
    try PersistentContainer(
      model: binding(plain, words: words), store: test.configuration(),
      transformers: [WordTransformer()], migration: StoreMigration(backup: .never))
  }

  var report: Comment { "seed \(seed)\n\(story.suffix(2).joined(separator: "\n"))" }

  // MARK: Steps

  /// Adds objects, and relates some of them anew.
  private func fill() throws {
    let container = try open(plain)
    let context = container.makeContext()
    var objects: [String: ManagedObject] = [:]
    for (name, object) in try fetched(context) { objects[name] = object }
    for _ in 0..<Int.random(in: 2...7, using: &random) {
      guard let name = plain.insert(&random), let new = plain.objects[name] else { continue }
      let object = try context.insert(plain.name(of: new.entity))
      try object.setValue(name, forKey: "n")
      for (attribute, value) in new.values {
        try object.setValue(plain.value(value, attribute), forKey: attribute)
      }
      objects[name] = object
    }
    for place in plain.relations.indices where Bool.random(using: &random) {
      plain.relate(place, &random)
      let relation = plain.relations[place]
      for side in [0, 1] {
        let end = relation.ends[side]
        guard let property = end.name else { continue }
        for (name, object) in objects where plain.has(name, relation, side) {
          let others = (relation.lists[side][name] ?? []).compactMap { objects[$0] }
          if end.isMany {
            try object.setValue(others, forKey: property)
          } else {
            try object.setValue(others.first, forKey: property)
          }
        }
      }
    }
    try context.save()
    for (name, object) in objects { texts[object.objectID.description] = name }
    try expectObjects(container)
  }

  private func migrate() throws {
    var new = plain
    new.version += 1
    for _ in 0..<Int.random(in: 1...4, using: &random) { new.edit(&random) }
    if !new.keepsRelations(of: plain) { return }
    story.append(new.json())
    let settled = new.migrated(from: plain)
    // Without the words, objects that do not fit refuse the migration.
    if settled.losesPairs {
      let before = try test.sqlite3(".dump")
      let error = #expect(throws: PersistenceError.self) { try open(new, words: false) }
      let codes = Set(error?.causes.compactMap { ($0 as? PersistenceError)?.code } ?? [])
      #expect(codes == [.migrationWrongEntity], report)
      #expect(try test.sqlite3(".dump") == before)
      refusalCount += 1
    }
    let former = plain
    plain = settled.result
    do {
      let source = try test.open(StoreSchema(model(former)))
      let target = try StoreConfiguration.inMemory.open(StoreSchema(model(new)))
      let copy = try MigratingCopy(from: source, to: target, now: Date())
      try copy.run()
      #expect(copy.problems.isEmpty, report)
      try expectRows(StoreTester(target))
    }
    let container = try open(plain)
    let model = try model(plain)
    let target = try StoreConfiguration.inMemory.open(StoreSchema(model))
    let copy = try StoreCopy(from: test.open(StoreSchema(model)), to: target)
    #expect(try copy.run() == [], report)
    try expectRows(StoreTester(target))
    try expectObjects(container)
    try expectIDs(container)
    #expect(
      try test.sqlite3("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok", report)
  }

  // MARK: Results

  /// All objects by their names.
  private func fetched(_ context: ManagedObjectContext) throws -> [(String, ManagedObject)] {
    try plain.roots.flatMap { root in
      try context.fetch(FetchRequest<ManagedObject>(entityName: plain.name(of: root)))
    }.map { (try $0.value(of: "n", as: String.self) ?? "", $0) }
  }

  private func expectObjects(_ container: PersistentContainer) throws {
    let context = container.makeContext()
    let found = try fetched(context)
    #expect(found.map(\.0).sorted() == plain.objects.keys.sorted(), report)
    for (name, object) in found {
      guard let wanted = plain.objects[name] else { continue }
      #expect(object.entityName == plain.name(of: wanted.entity), report)
      for attribute in plain.attributes(of: wanted.entity) {
        let value = try plain.text(object.value(forKey: attribute), attribute)
        #expect(value == wanted.values[attribute], "\(name).\(attribute), \(report)")
      }
    }
    for relation in plain.relations {
      for (name, object) in found {
        for side in [0, 1] where plain.has(name, relation, side) {
          let end = relation.ends[side]
          guard let property = end.name else { continue }
          let others: [ManagedObject] =
            if !end.isMany {
              try object.value(of: property, as: ManagedObject.self).map { [$0] } ?? []
            } else if end.isOrdered {
              try object.value(of: property, as: OrderedToMany<ManagedObject>.self)
                .map(Array.init) ?? []
            } else {
              try object.value(of: property, as: ToMany<ManagedObject>.self).map(Array.init) ?? []
            }
          let names = try others.map { try $0.value(of: "n", as: String.self) ?? "" }
          plain.expect(names, relation.lists[side][name], end, "\(name).\(property), \(report)")
        }
      }
    }
    let problems = try container.check()
    #expect(problems.isEmpty, report)
  }

  /// Compares the rows of a store in memory, where no value is in a file.
  private func expectRows(_ tester: StoreTester) throws {
    var names: [String: [Int64: String]] = [:]
    for root in plain.roots.map(plain.name(of:)) {
      for row in try tester.rows(of: root) {
        if case .string(let name) = row["n"] { names[root, default: [:]][row.key] = name }
      }
    }
    #expect(names.values.flatMap(\.values).sorted() == plain.objects.keys.sorted(), report)
    for (root, keys) in names {
      for row in try tester.rows(of: root) {
        guard let name = keys[row.key], let wanted = plain.objects[name] else { continue }
        #expect(row.layout.name == plain.name(of: wanted.entity), report)
        for attribute in plain.attributes(of: wanted.entity) {
          let value = plain.text(stored: row[attribute], attribute)
          #expect(value == wanted.values[attribute], "\(name).\(attribute), copied, \(report)")
        }
        for relation in plain.relations {
          for side in [0, 1] where plain.has(name, relation, side) {
            let end = relation.ends[side]
            guard let property = end.name else { continue }
            let other = plain.rootName(of: relation.entities[1 - side])
            let members: [Int64] =
              if let slot = row.layout.slotByName[property] {
                row.row.integer(slot).map { [$0] } ?? []
              } else {
                try tester.members(property, of: row.layout.name, row.key)
              }
            plain.expect(
              members.map { names[other]?[$0] ?? "" }, relation.lists[side][name], end,
              "\(name).\(property), copied, \(report)")
          }
        }
      }
    }
  }

  /// The text of each id that an object has had finds it, or nothing where it is gone.
  private func expectIDs(_ container: PersistentContainer) throws {
    let context = container.makeContext()
    for (text, name) in texts.sorted(by: { $0.key < $1.key }) {
      guard let id = ManagedObjectID(uri: text) else { continue }
      do {
        let object = try context.existingObject(with: id)
        let found = try object.value(of: "n", as: String.self)
        #expect(found == name && plain.objects[name] != nil, "\(text), \(report)")
      } catch let error as PersistenceError {
        #expect(
          plain.objects[name] == nil, "\(text) of \(name): \(error.code), \(report)")
      }
    }
  }
}
