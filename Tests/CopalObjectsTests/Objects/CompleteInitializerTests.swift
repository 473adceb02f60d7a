import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

/// The class that the extension of the entity `Probe` is of: a person writes it.
nonisolated final class Probe: ManagedObject {
  override func awakeFromInsert() { serial = 77 }
}

/// Sets each property to another value than the default of the model.
nonisolated final class Preset: ManagedObject {
  override func awakeFromInsert() {
    price = 1
    sum = 1
    share = 1
    weight = 1
    made = .distantPast
    code = nil
    page = nil
    seal = Data()
    words = ""
    state = .off
  }
}

/// The accessor that the model leaves to a person.
nonisolated extension Reading {
  var note: String? {
    get { primitiveNote }
    set {
      primitiveNote = newValue?.uppercased()
      label = "noted"
    }
  }
}

private func readings(_ kind: StoreKind) throws -> ManagedObjectContext {
  try TestStore(kind).container(.readings, transformers: [SerializableColorTransformer()])
    .makeContext()
}

@Suite("Initializers with all properties")
struct CompleteInitializerTests {
  @Test(
    "what is left out keeps what the model and awakeFromInsert give", arguments: StoreKind.allCases)
  func leftOut(_ kind: StoreKind) throws {
    let context = try readings(kind)
    let reading = Reading(context: context, value: 1.5, context: "lab", refresh: 4)
    #expect(reading.value == 1.5 && reading.context == "lab" && reading.refresh == 4)
    #expect(reading.isMissing && reading.failure == "none" && reading.changes == 7)
    #expect(reading.properties == nil && reading.validate == nil && reading.probe == nil)
    #expect(Probe(context: context, name: "p", value: 2).serial == 77)
    #expect(
      Set(reading.changedValues().keys) == [
        "value", "context", "refresh", "isMissing", "failure", "changes",
      ])
  }

  @Test(
    "a value that differs from the default of the model is set, also nil",
    arguments: StoreKind.allCases)
  func given(_ kind: StoreKind) throws {
    let context = try readings(kind)
    let nothing: String? = nil
    let words: [String: String] = [:]
    let cases: [(Reading, String?)] = [
      (Reading(context: context, value: 0, context: "", failure: nil), nil),
      (Reading(context: context, value: 0, context: "", failure: nothing), nil),
      (Reading(context: context, value: 0, context: "", failure: words["no"]), nil),
      (Reading(context: context, value: 0, context: "", failure: nothing ?? words["no"]), nil),
      (Reading(context: context, value: 0, context: "", failure: nothing ?? "b"), "b"),
      (Reading(context: context, value: 0, context: "", failure: words.isEmpty ? "c" : nil), "c"),
      (Reading(context: context, value: 0, context: "", failure: words.isEmpty ? nil : "c"), nil),
      (Reading(context: context, value: 0, context: ""), "none"),
    ]
    for (reading, failure) in cases { #expect(reading.failure == failure) }
    let changes: Int16? = nil
    #expect(Reading(context: context, value: 0, context: "", changes: changes ?? 8).changes == 8)
    #expect(Probe(context: context, name: "p", serial: 3).serial == 3)
    // What awakeFromInsert has set is left by an argument that equals the default of the model.
    #expect(Probe(context: context, name: "p", serial: nil).serial == 77)
    #expect(Reading(context: context, value: 0, context: "", isMissing: false).isMissing == false)
  }

  @Test("a default of each type is a default argument, and as an argument it leaves what is set")
  func defaults() throws {
    let context = try readings(.memory)
    for preset in try [
      Preset(context: context),
      Preset(
        context: context, price: #require(Decimal(string: "-0.125")),
        sum: Decimal(string: "12345678901234567890.5"), share: 0.1, weight: 1e-7,
        made: Date(timeIntervalSince1970: 1_715_938_200.25),
        code: UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"),
        page: URL(string: "https://example.org/a?b=%22c%22"), seal: Data([1, 2, 3]),
        words: "a \"b\" \\(c)\n#d", state: .on),
    ] {
      #expect(
        preset.sum == 1 && preset.price == 1 && preset.share == 1 && preset.weight == 1
          && preset.words == "")
      #expect(preset.made == .distantPast && preset.code == nil && preset.page == nil)
      #expect(preset.seal.isEmpty && preset.state == .off)
    }
    let other = Preset(context: context, price: 2, sum: nil, code: UUID(), words: "w", state: .off)
    #expect(other.price == 2 && other.code != nil && other.words == "w" && other.share == 1)
    #expect(other.sum == nil)
  }

  @Test("a text in generated code that the reader of the model would refuse is a programming error")
  func wrongText() async {
    await #expect(processExitsWith: .failure) { _ = _copalURL("a b") }
    await #expect(processExitsWith: .failure) { _ = _copalUUID("1") }
    await #expect(processExitsWith: .failure) { _ = _copalDecimal("1,5") }
    await #expect(processExitsWith: .failure) { _ = _copalData("?") }
  }

  @Test("every kind of property can be given, and a save keeps it", arguments: StoreKind.allCases)
  func everyKind(_ kind: StoreKind) throws {
    let context = try readings(kind)
    let probe = Probe(context: context, name: "p")
    let first = Reading(context: context, value: 1, context: "a")
    let reading = Reading(
      context: context, value: 2, context: "b", kind: .wet, note: "small",
      link: URL(string: "https://example.org"), color: .red, probe: probe, former: first)
    #expect(reading.note == "SMALL" || reading.primitiveNote == "small")
    try context.save()
    context.reset()
    let saved = try #require(try context.one(Reading.self) { $0.context == "b" })
    #expect(saved.kind == .wet && saved.link?.host() == "example.org" && saved.color == .red)
    #expect(
      saved.probe?.name == "p" && saved.former?.context == "a" && saved.probe?.readings.count == 1)
    #expect(saved.former?.former == nil)
  }

  @Test(
    "a subclass has the inherited properties, and its required ones first",
    arguments: StoreKind.allCases)
  func subclass(_ kind: StoreKind) throws {
    let context = try readings(kind)
    let judge = Probe(context: context, name: "j")
    let correction = Correction(
      context: context, value: 2, context: "b", reason: "typo", judge: judge, failure: nil,
      changes: 1, probe: judge)
    #expect(correction.reason == "typo" && correction.factor == 1 && correction.judge === judge)
    #expect(correction.failure == nil && correction.changes == 1 && correction.probe === judge)
    // The initializers of required attributes, as before.
    #expect(Correction(context: context, value: 1, context: "c", reason: "r").changes == 7)
    #expect(Correction(context: context, value: 1, context: "c", failure: "f").failure == "f")
  }
}

@Suite("Names of attributes that were reserved")
struct FreedNameTests {
  @Test(
    "they are properties, in a subclass too, beside what ManagedObject has",
    arguments: StoreKind.allCases)
  func properties(_ kind: StoreKind) throws {
    let context = try readings(kind)
    let reading = Correction(
      context: context, value: 2.5, context: "c", reason: "r",
      judge: Probe(context: context, name: "j"),
      isMissing: false, properties: "p", refresh: 3, validate: true)
    #expect(!reading.isMissingInStore && reading.managedObjectContext === context)
    #expect(try reading.value(forKey: "value") as? Double == 2.5)
    #expect(try reading.value(of: "changes", as: Int16.self) == 7)
    try context.save()
    reading.changes = 8
    #expect(reading.changes().map(\.name) == ["changes"])
    try reading.validate("x", for: \.context)
    try context.refresh(reading, mergeChanges: false)
    #expect(reading.changes == 7 && reading.validate == true && reading.properties == "p")
  }

  @Test(
    "they are names in conditions, orders, paths, texts and batches", arguments: StoreKind.allCases)
  func conditions(_ kind: StoreKind) throws {
    let context = try readings(kind)
    let probe = Probe(context: context, name: "p", value: 4)
    for number in 0..<4 {
      _ = Reading(
        context: context, value: Double(number), context: "\(number)", properties: "p",
        failure: number == 2 ? nil : "f", refresh: 1, validate: false, probe: probe)
    }
    for _ in 0..<2 {
      func contexts(_ condition: FetchPredicate) throws -> [String] {
        try context.fetch(Reading.self, sortedBy: \.value.descending, where: condition).map(
          \.context)
      }
      #expect(try contexts(Reading.properties.value > 1) == ["3", "2"])
      #expect(try contexts(Reading.properties.failure == nil) == ["2"])
      #expect(
        try contexts(Reading.properties.probe.value == 4 && Reading.properties.context < "1") == [
          "0"
        ])
      #expect(
        try contexts(
          FetchPredicate(
            format: "isMissing == YES AND properties == 'p' AND changes == 7 AND value < 1")) == [
            "0"
          ])
      #expect(
        try contexts(
          FetchPredicate(
            format: "probe.value == 4 AND refresh == 1 AND validate == NO AND context == '3'")) == [
            "3"
          ])
      #expect(
        try context.fetchValues(Reading.self, sortedBy: { [$0.context.sortedAscending] }) {
          ($0.value, $0.changes)
        }.map(\.0) == [0, 1, 2, 3])
      try context.save()
    }
    try context.updateAll(Reading.self, where: Reading.properties.value == 3) {
      $0.changes.set(to: 9)
      $0.refresh.set(to: nil)
    }
    #expect(try context.one(Reading.self, where: Reading.properties.changes == 9)?.context == "3")
  }
}
