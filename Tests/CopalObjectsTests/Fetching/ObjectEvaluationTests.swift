import Copal
import CopalColor
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@Suite("Conditions and orders of objects in memory")
struct ObjectEvaluationTests {
  @Test(
    "a condition is evaluated with unsaved values and related objects",
    arguments: StoreKind.allCases)
  func evaluates(_ kind: StoreKind) throws {
    let context = try readingsContext(TestStore(kind))
    let probe = Probe(context: context, name: "p", serial: 1)
    let reading = Reading(context: context, value: 2, context: "b", probe: probe)
    let isCold = Reading.properties.value < 5 && Reading.properties.probe.name == "p"
    #expect(try isCold.evaluate(with: reading))
    try context.save()
    probe.name = "q"
    #expect(try !isCold.evaluate(with: reading))
    #expect(try FetchPredicate(format: "ANY readings.value == 2").evaluate(with: probe))
    reading.value = 3
    #expect(try !FetchPredicate(format: "ANY readings.value == 2").evaluate(with: probe))
    #expect(try FetchPredicate.true.evaluate(with: reading as ManagedObject))
    #expect(throws: PersistenceError.self) {
      try FetchPredicate(format: "valu == 2").evaluate(with: reading)
    }
  }

  @Test(
    "objects of several classes, faults, deleted and missing objects, and objects of no context",
    arguments: StoreKind.allCases)
  func states(_ kind: StoreKind) throws {
    let container = try TestStore(kind).container(
      .readings, transformers: [SerializableColorTransformer()])
    let context = container.makeContext()
    let probe = Probe(context: context, name: "p", serial: 1)
    let plain = Reading(context: context, value: 1, context: "a", probe: probe)
    let other = Correction(context: context, value: 2, context: "b", reason: "r", judge: probe)
    try context.save()
    let mixed: [Reading] = [plain, other]
    #expect(try mixed.filter(Reading.properties.isKind(of: Correction.self)) == [other])
    #expect(try mixed.filter(Reading.properties.as(Correction.self).reason == "r") == [other])
    let untyped: [ManagedObject] = [plain, other]
    #expect(try untyped.filter(FetchPredicate(format: "value > 1")) == [other])
    #expect(try [other as ManagedObject].filter(FetchPredicate(format: "reason == 'r'")) == [other])
    let error = #expect(throws: PersistenceError.self) { try [plain, probe].filter(.true) }
    #expect(error?.code == .wrongClass)
    #expect(try [Reading]().filter(Reading.properties.value > 1).isEmpty)
    #expect(try [Reading]().sorted(by: \.value.ascending).isEmpty)
    context.refreshAllObjects()
    #expect(plain.isFault && other.isFault)
    #expect(try mixed.filter(Reading.properties.value < 2) == [plain])
    context.delete(plain)
    #expect(try mixed.filter(Reading.properties.value < 2) == [plain])
    context.rollback()
    context.refreshAllObjects()
    let second = container.makeContext()
    try second.deleteAll(Correction.self)
    #expect(try mixed.filter(.true) == [plain])
    #expect(try mixed.sorted(by: \.value.descending) == [plain, other])
    // An object that others have deleted leaves the context, and spoils no list.
    try second.deleteAll(Reading.self)
    context.refreshAllObjects()
    #expect(try mixed.filter(.true).isEmpty && mixed.sorted(by: \.value.ascending).count == 2)
    context.reset()
    #expect(try mixed.filter(.true).isEmpty && !FetchPredicate.true.evaluate(with: plain))
    var short: ManagedObjectContext? = container.makeContext()
    let orphan = try Probe(context: #require(short), name: "o")
    short = nil
    let error2 = #expect(throws: PersistenceError.self) { try [orphan].filter(.true) }
    #expect(error2?.code == .objectMissing)
  }

  @Test(
    "an order is that of a fetch, for nils, equal values, texts and related values",
    arguments: StoreKind.allCases)
  func orders(_ kind: StoreKind) throws {
    let context = try readingsContext(TestStore(kind))
    var random = SplitMix(seed: 47)
    let probes = ["é", "E", "f", "e2", "e10"].map { Probe(context: context, name: $0) }
    for number in 0..<60 {
      _ = Reading(
        context: context, value: Double(Int.random(in: 0..<5, using: &random)),
        context: ["Z", "a", "é", "z", ""].randomElement(using: &random) ?? "",
        refresh: number % 3 == 0 ? nil : Int32.random(in: -2...2, using: &random),
        probe: number % 4 == 0 ? nil : probes.randomElement(using: &random))
      if number == 30 { try context.save() }
    }
    for object in try context.fetch(Reading.self).prefix(20) { object.value += 1 }
    let orders: [[FetchSortKey]] = [
      [], [.ascending("value")], [.descending("refresh"), .ascending("context")],
      [.ascending("probe.name"), .descending("value")],
      [Reading.properties.context.alphabetical.ascending, Reading.properties.refresh.ascending],
      [Reading.properties.probe.name.natural.descending],
    ]
    for keys in orders {
      let request = FetchRequest<Reading>(sortKeys: keys)
      let expected = try context.fetch(request)
      #expect(expected.count == 60)
      for _ in 0..<3 {
        #expect(try expected.shuffled(using: &random).sorted(by: keys) == expected, "\(keys)")
      }
    }
    let typed = try context.fetch(Reading.self, sortedBy: \.value.descending, \.context.ascending)
    #expect(try typed.reversed().sorted(by: \.value.descending, \.context.ascending) == typed)
  }

  @Test("many faults and their related objects are read with one statement each", .modelAsIs)
  func statements() throws {
    let store = try TestStore(.sqlite)
    let context = try readingsContext(store)
    for number in 0..<300 {
      let probe = Probe(context: context, name: "p\(number % 90)")
      _ = Reading(context: context, value: Double(number), context: "\(number)", probe: probe)
    }
    try context.save()
    let objects = try context.fetch(Reading.self)
    context.refreshAllObjects()
    var found: [Reading] = []
    let statements = try store.recorder.statements {
      found = try objects.filter(Reading.properties.probe.name == "p1")
    }
    #expect(found.count == 4)
    #expect(statements.count <= 3, "\(statements)")
  }
}

private func readingsContext(_ store: TestStore) throws -> ManagedObjectContext {
  try store.container(.readings, transformers: [SerializableColorTransformer()]).makeContext()
}
