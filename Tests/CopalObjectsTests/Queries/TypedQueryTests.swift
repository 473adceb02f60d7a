import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("Typed queries")
struct TypedQueryTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let names: [String]
    let condition: @Sendable (Pigment.Properties) -> FetchPredicate

    init(
      _ text: String, _ names: [String],
      _ condition: @escaping @Sendable (Pigment.Properties) -> FetchPredicate
    ) {
      (testDescription, self.names, self.condition) = (text, names, condition)
    }
  }

  static let day = Date(timeIntervalSinceReferenceDate: 1000)

  // A query, and the expected pigments among: Ochre 4.00 (PY43), Ultramarine 20.00 (PB29, 2.3
  // dense, blue, introduced), Lead white 9.00 (no code, not lightfast).
  static let cases = [
    Case("name == x", ["Ochre"]) { $0.name == "Ochre" },
    Case("name != x", ["Ultramarine", "Lead white"]) { $0.name != "Ochre" },
    Case("name < x, by bytes", ["Lead white"]) { $0.name < "Ochre" },
    Case("price <= x", ["Ochre", "Lead white"]) { $0.price <= 9 },
    Case("price > x && name != y", ["Lead white"]) { $0.price > 4 && $0.name != "Ultramarine" },
    Case("a || b", ["Ochre", "Ultramarine"]) { $0.price == 4 || $0.price == 20 },
    Case("three joined", ["Ultramarine"]) {
      $0.price > 4 && $0.isLightfast == true && $0.code != nil
    },
    Case("!(a || b)", ["Lead white"]) { !($0.price == 4 || $0.price == 20) },
    Case("code == nil", ["Lead white"]) { $0.code == nil },
    Case("code != nil", ["Ochre", "Ultramarine"]) { $0.code != nil },
    Case("nil differs from every value", ["Ultramarine", "Lead white"]) { $0.code != "PY43" },
    Case("an order against nil is false", ["Ultramarine"]) { $0.density > 0 },
    Case("and its negation true", ["Ochre", "Lead white"]) { !($0.density > 0) },
    Case("a date", ["Ultramarine"]) { $0.introduced >= TypedQueryTests.day },
    Case("a boolean", ["Lead white"]) { $0.isLightfast == false },
    Case("isIn", ["Ochre", "Lead white"]) { $0.name.isIn(["Lead white", "Ochre", "Air"]) },
    Case("isIn nothing", []) { $0.name.isIn([]) },
    Case("not isIn, nil counts as not in", ["Ultramarine", "Lead white"]) {
      !$0.code.isIn(["PY43"])
    },
    Case("isBetween", ["Lead white"]) { $0.price.isBetween(5, and: 19) },
    Case("isIn a range", ["Ochre", "Lead white"]) { $0.price.isIn(4...9) },
    Case("isIn a range without its end", ["Ochre"]) { $0.price.isIn(4..<9) },
    Case("isIn a range without an end", ["Ultramarine", "Lead white"]) { $0.price.isIn(9...) },
    Case("isIn a range without a start", ["Ochre"]) { $0.price.isIn(..<9) },
    Case("isIn a range up to a value", ["Ochre", "Lead white"]) { $0.price.isIn(...9) },
    Case("isIn a range of an optional attribute, nil is in none", ["Ultramarine"]) {
      $0.density.isIn(0...) && $0.code.isIn("PA"..<"PC")
    },
    Case("not isIn a range, nil is in none", ["Ochre", "Lead white"]) { !$0.density.isIn(...100) },
    Case("contains", ["Ultramarine"]) { $0.name.contains("marin") },
    Case("contains, without case and diacritics", ["Ultramarine"]) {
      $0.name.contains("ÚLTRA", [.caseInsensitive, .diacriticInsensitive])
    },
    Case("hasPrefix", ["Ultramarine"]) { $0.code.hasPrefix("PB") },
    Case("not hasPrefix, nil has none", ["Ochre", "Lead white"]) { !$0.code.hasPrefix("PB") },
    Case("hasPrefix without case", ["Ultramarine"]) { $0.code.hasPrefix("pb", .caseInsensitive) },
    Case("hasSuffix", ["Ochre"]) { $0.code.hasSuffix("43") },
    Case("like", ["Ochre", "Ultramarine"]) { $0.code.like("P?*") },
    Case("not like", ["Lead white"]) { !$0.code.like("P?*") },
    Case("matches", ["Ochre"]) { $0.code.matches(#"PY\d\d"#) },
    Case("isEqual without case", ["Lead white"]) {
      $0.name.isEqual(to: "LEAD WHITE", .caseInsensitive)
    },
    Case("an attribute contains another one, nil contains nothing", []) {
      $0.code.contains($0.name) || $0.name.hasPrefix($0.code)
    },
    Case("an attribute equals itself without case", ["Ochre", "Ultramarine"]) {
      $0.code.isEqual(to: $0.code, .caseInsensitive) && $0.name.hasSuffix($0.name)
    },
    Case("a transformable has a value", ["Ultramarine"]) { $0.color != nil },
    Case("a transformable has none", ["Ochre", "Lead white"]) { $0.color == nil },
    Case("two attributes", ["Ultramarine"]) { $0.density < $0.density || $0.density >= $0.density },
    Case("always", ["Ochre", "Ultramarine", "Lead white"]) { _ in .constant(true) },
    Case("never", []) { _ in .constant(false) },
  ]

  private func fill(_ context: ManagedObjectContext) {
    let ochre = Pigment(context: context, name: "Ochre")
    (ochre.price, ochre.code) = (4, "PY43")
    let ultramarine = Pigment(context: context, name: "Ultramarine")
    (ultramarine.price, ultramarine.code, ultramarine.color) = (20, "PB29", .blue)
    ultramarine.density = Decimal(string: "2.3")
    ultramarine.introduced = Self.day
    let white = Pigment(context: context, name: "Lead white")
    (white.price, white.isLightfast) = (9, false)
  }

  @Test("a range of whole numbers is a comparison, and not a list of its numbers")
  func wholeNumbers() {
    let prizes = Painter.properties.prizes
    func compared(_ comparison: FetchPredicate.Operator, _ number: Int64) -> FetchPredicate {
      .comparison(.property("prizes"), comparison, .constant(.integer(number)))
    }
    let range: ClosedRange<Int16> = 1...3
    #expect(
      prizes.isIn(range) == .and([compared(.greaterOrEqual, 1), compared(.lessOrEqual, 3)]))
    #expect(prizes.isIn(1...3) == prizes.isIn(range))
    #expect(prizes.isIn(1..<3) == .and([compared(.greaterOrEqual, 1), compared(.less, 3)]))
    #expect(prizes.isIn(1...) == compared(.greaterOrEqual, 1))
    #expect(prizes.isIn(...3) == compared(.lessOrEqual, 3))
    #expect(prizes.isIn(..<3) == compared(.less, 3))
    #expect(prizes.isIn([1, 3]) == .isIn(.property("prizes"), [.integer(1), .integer(3)]))
    #expect(prizes.isIn(Set<Int16>([1])) == .isIn(.property("prizes"), [.integer(1)]))
  }

  @Test("a typed query gives the same result in SQLite and in memory", arguments: bothStores, cases)
  func meaning(_ kind: StoreKind, _ query: Case) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    fill(context)
    #expect(try context.fetch(Pigment.self, where: query.condition).map(\.name) == query.names)
    try context.save()
    let other = container.makeContext()
    #expect(try other.fetch(Pigment.self, where: query.condition).map(\.name) == query.names)
    #expect(try other.count(Pigment.self, where: query.condition) == query.names.count)
  }

  @Test("several filters of a request are joined with \"and\"", arguments: bothStores)
  func requests(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    fill(context)
    try context.save()
    let request = Pigment.fetchRequest()
      .filter { $0.price < 20 }
      .filter { $0.code != nil }
      .sorted(by: \.name.ascending)
    #expect(try context.fetch(request).map(\.name) == ["Ochre"])
  }

  @Test("a typed query runs in the store, with its values as bindings", .modelAsIs)
  func sql() throws {
    let store = try TestStore()
    let context = try store.atelier().makeContext()
    fill(context)
    try context.save()
    let statements = try store.recorder.statements {
      _ = try context.fetch(Pigment.self, sortedBy: \.price.descending, limit: 1) {
        $0.name != "Robert'); DROP TABLE Pigment;--"
      }
    }
    #expect(statements.count == 1)
    #expect(statements.first?.contains("WHERE") == true)
    #expect(statements.first?.contains("ORDER BY") == true)
    #expect(statements.first?.contains("Robert") == false)
  }
}
