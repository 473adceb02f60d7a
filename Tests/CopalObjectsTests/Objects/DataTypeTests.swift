import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("Stored values of each type")
struct DataTypeTests {
  private func roundTrip<V>(
    _ kind: StoreKind, _ values: [V], set: (Pigment, V) -> Void, get: (Pigment) -> V,
    same: (V, V) -> Bool
  ) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    for (index, value) in values.enumerated() {
      set(Pigment(context: context, name: "Pigment \(index)"), value)
    }
    try context.save()
    for (found, value) in zip(try container.makeContext().fetch(Pigment.self), values) {
      #expect(same(get(found), value), "\(get(found)) for \(value)")
    }
  }

  @Test("row 66: a date keeps every bit, and 2001-01-01 is stored as zero", arguments: bothStores)
  func dates(_ kind: StoreKind) throws {
    let seconds: [Double] = [
      0, 0.1, -86_400.000_001, 7.9e8.nextUp, .leastNonzeroMagnitude, -1.5e10, 1e18,
    ]
    try roundTrip(
      kind, seconds.map { Date(timeIntervalSinceReferenceDate: $0) },
      set: { $0.introduced = $1 }, get: { $0.introduced ?? .distantFuture }, same: ==)
  }

  @Test("rows 66 and 67: the file has 0 for 2001-01-01, and 0 or 1 for a boolean", .modelAsIs)
  func storedForms() throws {
    let store = try TestStore()
    let context = try store.atelier().makeContext()
    let pigment = Pigment(context: context, name: "Ochre")
    pigment.introduced = Date(timeIntervalSinceReferenceDate: 0)
    Pigment(context: context, name: "Umber").isLightfast = false
    try context.save()
    #expect(
      try store.sqlite3("SELECT introduced, isLightfast, price FROM Pigment ORDER BY name")
        == "0.0|1|1250\n|0|1250")
  }

  @Test(
    "a decimal is exact to 38 digits in the store, in sort orders and in comparisons",
    arguments: bothStores)
  func decimals(_ kind: StoreKind) throws {
    let texts = [
      "0.1", "0.3", "1.10", "9", "10", "12345678.901234567890123456789",
      "1.0000000000000000000000000000000000001",
    ]
    let values = try texts.map { try #require(Decimal(string: $0)) }
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    for (index, value) in values.enumerated() where value <= 20 {
      Pigment(context: context, name: texts[index]).density = value
    }
    try context.save()
    let sorted = try container.makeContext().fetch(Pigment.self, sortedBy: \.density.ascending)
    #expect(
      sorted.map(\.name)
        == ["0.1", "0.3", "1.0000000000000000000000000000000000001", "1.10", "9", "10"])
    #expect(sorted.compactMap(\.density) == values.filter { $0 <= 20 }.sorted())
    let exact = try #require(Decimal(string: "1.1"))
    #expect(try container.makeContext().count(Pigment.self) { $0.density == exact } == 1)
    let sum = sorted.prefix(2).compactMap(\.density).reduce(0, +)
    #expect(sum == Decimal(string: "0.4"))
  }

  @Test("row 68: empty data is not nil, and an empty string is not nil", arguments: bothStores)
  func empties(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    for (name, portrait) in [("nil", nil), ("empty", Data()), ("one", Data([0]))] {
      Painter(context: context, name: name).portrait = portrait
    }
    try context.save()
    let other = container.makeContext()
    #expect(try other.fetch(Painter.self).map(\.portrait) == [nil, Data(), Data([0])])
    #expect(try other.fetch(Painter.self) { $0.portrait == nil }.map(\.name) == ["nil"])
    #expect(try other.fetch(Painter.self) { $0.portrait == Data() }.map(\.name) == ["empty"])
  }

  @Test(
    "a string keeps every byte",
    arguments: bothStores,
    ["", "a\0b", "\0", "Ångström 好看 👩🏽‍🎨", "e\u{301}", "\u{fffe}\u{10ffff}", "'; --"])
  func texts(_ kind: StoreKind, text: String) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let painting = Painting(context: context, widthMillimetres: 1, heightMillimetres: 1)
    painting.title = text
    try context.save()
    let other = container.makeContext()
    let found = try #require(try other.fetch(Painting.self) { $0.title == text }.first)
    #expect(Array(found.title.utf8) == Array(text.utf8))
  }

  @Test(
    "row 64: a floating-point number keeps its bits, and a save refuses NaN", arguments: bothStores)
  func floats(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let values: [Float] = [
      0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity, .pi, 1.0.nextUp,
    ].map { Float($0) }
    for value in values {
      Painting(context: context, widthMillimetres: 1, heightMillimetres: 1).weightKilograms = value
    }
    try context.save()
    #expect(
      try container.makeContext().fetch(Painting.self).map(\.weightKilograms?.bitPattern)
        == values.map(\.bitPattern))
    Painting(context: context, widthMillimetres: 1, heightMillimetres: 1).weightKilograms = .nan
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.notANumber])
  }
}
