import Copal
import CopalTestSupport
import Foundation
import Synchronization
import Testing

/// Stores a list of paints. A list with the name "bad" cannot be encoded, and the text "broken"
/// cannot be decoded.
private struct FallibleTransformer: AttributeTransformer {
  struct Refused: Error {}
  let name: TransformerName = "PaintListTransformer"
  func encode(_ list: PaintList) throws -> String {
    if list.names.contains("bad") { throw Refused() }
    return list.names.joined(separator: ",")
  }
  func decode(_ stored: String) throws -> PaintList {
    if stored == "broken" { throw Refused() }
    return PaintList(stored.split(separator: ",").map(String.init))
  }
}

/// The values of a mixture in the plain model.
private struct MixtureValues: Equatable {
  var label: String?
  var paints: [String]?
  var others: [String]?
}

@Suite("Random operations on transformable values")
struct TransformableValueTests {
  /// A context, its objects, and what they must be.
  private final class World {
    let container: PersistentContainer
    let context: ManagedObjectContext
    var random: SplitMix
    var objects: [(object: Mixture, now: MixtureValues, saved: MixtureValues?)] = []
    var deleted: [(object: Mixture, saved: MixtureValues)] = []
    var log: [String] = []

    init(_ store: TestStore, seed: UInt64) throws {
      container = try store.container(.mixtures, transformers: [FallibleTransformer()])
      context = container.makeContext()
      random = SplitMix(seed: seed)
    }

    private func names() -> [String] {
      (0..<Int.random(in: 0...2, using: &random)).map { _ in
        Int.random(in: 0..<12, using: &random) == 0
          ? "bad" : "paint\(Int.random(in: 0..<5, using: &random))"
      }
    }

    func step() throws {
      let action = Int.random(in: 0..<14, using: &random)
      if objects.isEmpty || action == 0 {
        objects.append((Mixture(context: context), MixtureValues(), nil))
        log.append("insert")
        return
      }
      let index = Int.random(in: objects.indices, using: &random)
      let object = objects[index].object
      switch action {
      case 1, 2:
        let names = names()
        object.paints = PaintList(names)
        objects[index].now.paints = names
        log.append("\(index) paints = \(names)")
      case 3, 4:
        let names = names()
        object.paints?.names += names
        objects[index].now.paints?.append(contentsOf: names)
        log.append("\(index) paints += \(names)")
      case 5:
        object.paints = nil
        objects[index].now.paints = nil
        log.append("\(index) paints = nil")
      case 6:
        let names = names().filter { $0 != "bad" }
        object.others = PaintList(names)
        objects[index].now.others = names
        log.append("\(index) others = \(names)")
      case 7:
        let label = "label\(Int.random(in: 0..<3, using: &random))"
        object.label = label
        objects[index].now.label = label
        log.append("\(index) label = \(label)")
      case 8:
        context.delete(object)
        if let saved = objects[index].saved { deleted.append((object, saved)) }
        objects.remove(at: index)
        log.append("\(index) delete")
      case 9:
        log.append("rollback")
        context.rollback()
        objects = objects.compactMap { object, _, saved in saved.map { (object, $0, $0) } }
        objects += deleted.map { ($0.object, $0.saved, $0.saved) }
        deleted = []
      case 10:
        if let saved = objects[index].saved {
          log.append("\(index) refresh")
          try context.refresh(object, mergeChanges: false)
          objects[index].now = saved
        }
      case 11:
        log.append("\(index) refresh, merging")
        try context.refresh(object, mergeChanges: true)
      case 12: try save()
      default:
        log.append("refresh all")
        context.refreshAllObjects()
      }
    }

    func save() throws {
      let isBad = objects.contains { $0.now.paints?.contains("bad") == true }
      log.append("save")
      do {
        try context.save()
        #expect(!isBad, "\(log)")
        for index in objects.indices { objects[index].saved = objects[index].now }
        deleted = []
      } catch let error as PersistenceError {
        #expect(isBad, "\(error) \(log)")
      }
    }

    func check() throws {
      for (index, (object, now, _)) in objects.enumerated() {
        let found = MixtureValues(
          label: object.label, paints: object.paints?.names, others: object.others?.names)
        #expect(found == now, "object \(index): \(log.suffix(40))")
      }
      let stored = try container.makeContext().fetch(Mixture.self).map {
        MixtureValues(label: $0.label, paints: $0.paints?.names, others: $0.others?.names)
      }
      let expected = objects.compactMap(\.saved) + deleted.map(\.saved)
      func key(_ value: MixtureValues) -> String { "\(value)" }
      #expect(stored.map(key).sorted() == expected.map(key).sorted(), "\(log.suffix(40))")
    }
  }

  @Test(
    "sets, changes in place, saves that fail, rollbacks and refreshes leave the values of a plain model",
    arguments: StoreKind.allCases)
  func randomOperations(_ kind: StoreKind) throws {
    for seed in 0..<60 as Range<UInt64> {
      let world = try World(try TestStore(kind), seed: seed)
      for step in 0..<80 {
        try world.step()
        if step % 8 == 7 { try world.check() }
      }
      try world.check()
    }
  }

  @Test("one value in two objects is saved in both, and each has its own after the save")
  func shared() throws {
    let store = try TestStore()
    let container = try store.container(.mixtures, transformers: [FallibleTransformer()])
    let context = container.makeContext()
    let list = PaintList(["umber"])
    let mixtures = (0..<2).map { _ in Mixture(context: context) }
    for mixture in mixtures { mixture.paints = list }
    list.names.append("ocher")
    try context.save()
    #expect(try store.sqlite3("SELECT paints FROM Mixture") == "umber,ocher\number,ocher")
    mixtures[0].paints?.names.append("lead white")
    try context.save()
    #expect(mixtures[1].paints?.names == ["umber", "ocher"])
    #expect(
      try store.sqlite3("SELECT paints FROM Mixture") == "umber,ocher,lead white\number,ocher")
  }

  @Test(
    "a value that is set, saved by another context and changed in place here is a conflict, and nothing is lost"
  )
  func conflictAfterRead() throws {
    let store = try TestStore()
    let container = try store.container(.mixtures, transformers: [FallibleTransformer()])
    let context = container.makeContext()
    Mixture(context: context).paints = PaintList(["umber"])
    try context.save()
    let (first, second) = (container.makeContext(), container.makeContext())
    let a = try #require(try first.fetch(Mixture.self).first)
    let b = try #require(try second.fetch(Mixture.self).first)
    #expect(a.paints?.names == ["umber"] && b.paints?.names == ["umber"])
    b.label = "by b"
    try second.save()
    a.paints?.names.append("ocher")
    #expect(throws: PersistenceError.self) { try first.save() }
    try first.refresh(a, mergeChanges: true)
    try first.save()
    #expect(try store.sqlite3("SELECT paints, label FROM Mixture") == "umber,ocher|by b")
  }

  @Test("a value that cannot be decoded stays while others are saved, in a mutable attribute too")
  func undecodable() throws {
    let store = try TestStore()
    let container = try store.container(.mixtures, transformers: [FallibleTransformer()])
    let context = container.makeContext()
    Mixture(context: context).paints = PaintList(["umber"])
    try context.save()
    _ = try store.sqlite3("UPDATE Mixture SET paints = 'broken', copal_version = 2")
    let other = container.makeContext()
    let mixture = try #require(try other.fetch(Mixture.self).first)
    #expect(mixture.paints == nil)
    mixture.label = "kept"
    try other.save()
    #expect(try store.sqlite3("SELECT paints, label FROM Mixture") == "broken|kept")
    _ = store.takeReadFailures()
  }

  @Test(
    "an upgrade beside a context that changes the same rows upgrades all of them, and loses no change"
  )
  func upgradeBesideChanges() async throws {
    let store = try TestStore()
    let old = try store.container(.labels, transformers: [CentsTransformer(version: 1)])
    let context = old.makeContext()
    for number in 0..<3000 { Label(context: context, number: number).price = Price(cents: number) }
    try context.save()
    let container = try store.container(.labels, transformers: [CentsTransformer(version: 2)])
    let changes = Mutex(0)
    let upgrade = try await container.upgradeTransformables { read, _ in
      // On the thread of the upgrade, between two batches: rows of the next one change.
      let other = container.makeContext()
      guard
        let labels = try? other.fetch(
          Label.fetchRequest().filter { $0.number >= read }.limited(to: 5))
      else { return }
      for label in labels { label.note = "changed" }
      if (try? other.save()) != nil { changes.withLock { $0 += labels.count } }
    }
    #expect(upgrade.failures.isEmpty && upgrade.readCount == 3000)
    #expect(upgrade.upgradedCount == 3000)
    #expect(
      try store.sqlite3(
        "SELECT count(*), sum(price LIKE '% EUR') FROM Label WHERE copal_transformerVersion_price = 2"
      ) == "3000|3000")
    #expect(
      try store.sqlite3("SELECT count(*) FROM Label WHERE note = 'changed'")
        == "\(changes.withLock { $0 })")
    #expect(changes.withLock { $0 } == 10)
  }

  @Test("an upgrade that the store refuses throws, and a dry run and a scan find nothing wrong")
  func refusedUpgrade() async throws {
    let store = try TestStore()
    let old = try store.container(.labels, transformers: [CentsTransformer(version: 1)])
    let context = old.makeContext()
    for cents in 1...2 { Label(context: context, number: cents).price = Price(cents: cents) }
    try context.save()
    // Another program has given both the same price, in two forms, and wants all forms to be
    // different.
    _ = try store.sqlite3(
      "UPDATE Label SET price = '01' WHERE number = 2; CREATE UNIQUE INDEX prices ON Label(price)")
    let container = try store.container(.labels, transformers: [CentsTransformer(version: 2)])
    #expect(try await container.upgradeTransformables(dryRun: true).upgradedCount == 2)
    #expect(try await container.scan("price", of: "Label").isEmpty)
    await #expect(throws: PersistenceError.self) { try await container.upgradeTransformables() }
    #expect(try store.sqlite3("SELECT price FROM Label ORDER BY number") == "1\n01")
  }

  @Test(
    "a transformer that encodes the same value in another form each time saves once for each change"
  )
  func unstable() throws {
    let store = try TestStore()
    let container = try store.container(.mixtures, transformers: [CountingTransformer()])
    let context = container.makeContext()
    let mixture = Mixture(context: context)
    mixture.others = PaintList(["umber"])
    try context.save()
    mixture.label = "one"
    try context.save()
    #expect(try store.sqlite3("SELECT others FROM Mixture") == "1")
    mixture.others = PaintList(["ocher"])
    try context.save()
    #expect(!context.hasChanges)
    #expect(try store.sqlite3("SELECT others FROM Mixture") != "1")
  }
}

/// Prices in cents, and in version 2 with a currency.
private struct CentsTransformer: AttributeTransformer {
  struct NotAPrice: Error {}
  let name: TransformerName = "PriceTransformer"
  var version: Int?
  func encode(_ price: Price) -> String { version == 1 ? "\(price.cents)" : "\(price.cents) EUR" }
  func decode(_ stored: String) throws -> Price { try decode(stored, version: version) }
  func decode(_ stored: String, version: Int?) throws -> Price {
    guard let cents = stored.split(separator: " ").first.flatMap({ Int($0) }) else {
      throw NotAPrice()
    }
    return Price(cents: cents)
  }
}

/// Stores another number each time.
private struct CountingTransformer: AttributeTransformer {
  let name: TransformerName = "PaintListTransformer"
  private static let count = Mutex<Int64>(0)
  func encode(_ list: PaintList) -> String {
    Self.count.withLock {
      $0 += 1
      return "\($0)"
    }
  }
  func decode(_ stored: String) -> PaintList { PaintList([stored]) }
}
