import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Synchronization
import Testing

/// A price in cents.
struct Price: Hashable {
  var cents: Int
}

/// Without a version: euros as a text. Version 1: cents as a text. Version 2: cents and a currency.
private struct PriceTransformer: AttributeTransformer {
  struct NotAPrice: Error {}
  var version: Int?

  func encode(_ price: Price) -> String {
    switch version {
    case nil: "\(price.cents / 100)"
    case 1: "\(price.cents)"
    default: "\(price.cents) EUR"
    }
  }

  func decode(_ stored: String) throws -> Price { try decode(stored, version: version) }

  func decode(_ stored: String, version: Int?) throws -> Price {
    guard let number = stored.split(separator: " ").first.flatMap({ Int($0) }) else {
      throw NotAPrice()
    }
    return Price(cents: version == nil ? 100 * number : number)
  }
}

/// Implements no older version.
private struct ForgetfulTransformer: AttributeTransformer {
  let name: TransformerName = "PriceTransformer"
  let version: Int? = 3
  func encode(_ price: Price) -> String { "\(price.cents)" }
  func decode(_ stored: String) -> Price { Price(cents: Int(stored) ?? 0) }
}

@Suite("Versions of transformers")
struct VersionTests {
  private func container(_ store: TestStore, version: Int?) throws -> PersistentContainer {
    try store.container(.labels, transformers: [PriceTransformer(version: version)])
  }

  private func add(_ prices: [Int?], to container: PersistentContainer) throws {
    let context = container.makeContext()
    for (number, cents) in prices.enumerated() {
      let label = Label(context: context, number: number)
      label.price = cents.map { Price(cents: $0) }
    }
    try context.save()
  }

  private func prices(_ container: PersistentContainer) throws -> [Int?] {
    try container.makeContext().fetch(Label.fetchRequest().sorted(by: \.number.ascending))
      .map { $0.price?.cents }
  }

  private let columns =
    "SELECT price, copal_transformerVersion_price FROM Label ORDER BY number"

  @Test(
    "the version is in a column of its own, and the bytes of the value are as before", .modelAsIs)
  func column() throws {
    let store = try TestStore()
    try add([250, nil], to: try container(store, version: 1))
    #expect(try store.sqlite3(columns) == "250|1\n|")
  }

  @Test(
    "an older value is decoded by its version, and stored in the new form when it is set",
    .modelAsIs)
  func older() throws {
    let store = try TestStore()
    try add([250, 990], to: try container(store, version: 1))
    let container = try container(store, version: 2)
    #expect(try prices(container) == [250, 990])
    let context = container.makeContext()
    let labels = try context.fetch(Label.fetchRequest().sorted(by: \.number.ascending))
    labels[0].note = "not the price"
    labels[1].price = Price(cents: 1000)
    try context.save()
    #expect(try store.sqlite3(columns) == "250|1\n1000 EUR|2")
  }

  @Test(
    "a value of a newer version is an error, and is kept byte for byte while other attributes are saved",
    .modelAsIs)
  func newer() throws {
    let store = try TestStore()
    try add([250], to: try container(store, version: 2))
    let container = try container(store, version: 1)
    let context = container.makeContext()
    let label = try #require(try context.fetch(Label.self).first)
    let error = try #require(throws: PersistenceError.self) {
      try label.value(of: "price", as: Price.self)
    }
    #expect(error.code == .decodeFailed)
    let cause = try #require(error.causes.first as? PersistenceError)
    #expect(cause.code == .transformerNewerVersion && cause.found == "2" && cause.expected == "1")
    label.note = "kept"
    try context.save()
    #expect(try store.sqlite3(columns) == "250 EUR|2")
    label.price = nil
    try context.save()
    #expect(try store.sqlite3(columns) == "|")
  }

  @Test(
    "a transformer without decode(_:version:) decodes values without a version, and refuses older ones"
  )
  func forgetful() throws {
    let transformer = ForgetfulTransformer()
    #expect(try transformer.decode("7", version: nil) == Price(cents: 7))
    let error = try #require(throws: PersistenceError.self) {
      try transformer.decode("7", version: 2)
    }
    #expect(error.code == .transformerOlderVersion && error.expected == "3")
  }

  @Test("a version that another program has damaged is an error of the attribute", .modelAsIs)
  func damaged() throws {
    let store = try TestStore()
    try add([250], to: try container(store, version: 1))
    _ = try store.sqlite3("UPDATE Label SET copal_transformerVersion_price = 'one'")
    let label = try #require(try container(store, version: 1).makeContext().fetch(Label.self).first)
    let error = try #require(throws: PersistenceError.self) {
      try label.value(of: "price", as: Price.self)
    }
    #expect(error.code == .typeMismatch && error.property == "price")
  }

  @Test("upgradeTransformables encodes the older values again; a dry run only counts", .modelAsIs)
  func upgrade() async throws {
    let store = try TestStore()
    try add([250, nil, 990], to: try container(store, version: 1))
    do {
      let context = try container(store, version: 2).makeContext()
      let sale = SaleLabel(context: context, number: 3)
      (sale.price, sale.formerPrice) = (Price(cents: 1), Price(cents: 2))
      try context.save()
      let old = try container(store, version: 1).makeContext()
      let mixed = SaleLabel(context: old, number: 4)
      (mixed.price, mixed.formerPrice) = (Price(cents: 3), Price(cents: 4))
      try old.save()
    }
    _ = try store.sqlite3("UPDATE Label SET price = 'free' WHERE number = 2")
    let container = try container(store, version: 2)
    let before = try store.sqlite3(columns)
    let plan = try await container.upgradeTransformables(dryRun: true)
    #expect(plan.readCount == 5 && plan.upgradedCount == 3 && plan.newerCount == 0)
    #expect(plan.failures.map(\.code) == [.decodeFailed])
    #expect(try store.sqlite3(columns) == before)

    let steps = Mutex<[String]>([])
    let done = try await container.upgradeTransformables { read, all in
      steps.withLock { $0.append("\(read)/\(all)") }
    }
    #expect(done.upgradedCount == 3 && done.failures.count == 1)
    #expect(steps.withLock { $0 } == ["5/5"])
    #expect(
      try store.sqlite3(columns) == "250 EUR|2\n|\nfree|1\n1 EUR|2\n3 EUR|2")
    #expect(
      try store.sqlite3(
        "SELECT formerPrice, copal_transformerVersion_formerPrice FROM Label WHERE number > 2")
        == "2 EUR|2\n4 EUR|2")
    #expect(try await container.upgradeTransformables().upgradedCount == 0)
  }

  @Test("values of a newer version are counted and kept")
  func upgradeNewer() async throws {
    let store = try TestStore()
    try add([250, 300], to: try container(store, version: 3))
    let done = try await container(store, version: 2).upgradeTransformables()
    #expect(done.newerCount == 2 && done.upgradedCount == 0)
    #expect(try prices(try container(store, version: 3)) == [250, 300])
  }

  @Test("an upgrade works in batches, and goes on where an interrupted one has ended")
  func batches() async throws {
    let store = try TestStore()
    try add((0..<2500).map { $0 }, to: try container(store, version: 1))
    let container = try container(store, version: 2)
    let steps = Mutex(0)
    let statements = try await {
      _ = store.recorder.take()
      try await container.upgradeTransformables { _, _ in steps.withLock { $0 += 1 } }
      return store.recorder.take().filter { $0.hasPrefix("BEGIN IMMEDIATE") }
    }()
    #expect(steps.withLock { $0 } == 3 && statements.count == 3)
    #expect(try prices(container) == (0..<2500).map { $0 })
  }

  @Test(
    "a transformer without a version does not fit a versioned attribute, and one with a version warns elsewhere"
  )
  func opening() throws {
    let error = try #require(throws: PersistenceError.self) {
      try container(try TestStore(), version: nil)
    }
    #expect(error.code == .transformerNotVersioned || error.causes.count == 2)
    let model = try ManagedObjectModel(
      name: "Plain",
      entities: [
        EntityDescription(
          "Label", codegen: .none,
          attributes: [
            AttributeDescription(
              "price", .transformable, isOptional: true, transformer: "PriceTransformer",
              customClass: "Price")
          ])
      ])
    let opened = try PersistentContainer(
      model: ModelBinding(model), store: .inMemory,
      transformers: [PriceTransformer(version: 1)], warnings: .ignore)
    #expect(opened.warnings.map(\.code) == [.transformerVersionNotKept])
  }

  @Test(
    "an attribute becomes versioned by a migration; its values then have no version")
  func migration() throws {
    let store = try TestStore()
    func model(isVersioned: Bool) throws -> ModelBinding {
      ModelBinding(
        try ManagedObjectModel(
          name: "Labels",
          entities: [
            EntityDescription(
              "Label", codegen: .none,
              attributes: [
                AttributeDescription(
                  "price", .transformable, isOptional: true, transformer: "PriceTransformer",
                  customClass: "Price", isVersioned: isVersioned)
              ])
          ]))
    }
    do {
      let context = try store.container(
        model(isVersioned: false), transformers: [PriceTransformer(version: nil)]
      ).makeContext()
      try context.insert("Label").setValue(Price(cents: 700), forKey: "price")
      try context.save()
    }
    let context = try store.container(
      model(isVersioned: true), transformers: [PriceTransformer(version: 2)]
    ).makeContext()
    let label = try #require(
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Label")).first)
    #expect(try label.value(of: "price", as: Price.self) == Price(cents: 700))
    try label.setValue(Price(cents: 701), forKey: "price")
    try context.save()
    #expect(
      try store.sqlite3("SELECT price, copal_transformerVersion_price FROM Label") == "701 EUR|2")
  }
}
