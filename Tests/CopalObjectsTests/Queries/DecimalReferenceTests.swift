import Copal
import CopalTestSupport
import Foundation
import Testing

@testable import CopalModel

/// The arithmetic of decimals where programs use it: in SQL, in the store in memory, and on unsaved
/// objects. Python has calculated the results.
@Suite("Decimals in requests, compared with Python's")
struct DecimalReferenceTests {
  /// Where the objects of a request are.
  enum Place: CaseIterable { case sqlite, memory, unsaved }

  private func context(_ place: Place) throws -> ManagedObjectContext {
    let store = try TestStore(place == .memory ? .memory : .sqlite)
    return try store.container(.graph).makeContext()
  }

  @Test("an operation has the exact result, rounded once", arguments: Place.allCases)
  func operations(place: Place) throws {
    let context = try context(place)
    let operations = try DecimalCases.operations()
    for (number, operation) in operations.enumerated() {
      let (ware, maker) = (Ware(context: context), Maker(context: context))
      (ware.label, ware.weight, ware.maker) = (number, operation.a, maker)
      maker.debt = operation.b
      ware.name = operation.name
    }
    if place != .unsaved { try context.save() }
    let (a, b) = (FetchExpression.property("weight"), FetchExpression.property("maker.debt"))
    let functions: [String: FetchFunction] = [
      "+": .add, "-": .subtract, "*": .multiply, "/": .divide, "%": .remainder,
    ]
    for (name, function) in functions {
      let values = try context.fetchValues(
        request([.property("label"), .call(function, [a, b])], name))
      for row in values {
        let operation = operations[try #require(number(row[0]))]
        #expect(text(row[1]) == operation.result, "\(operation)")
      }
    }
    let signs: [(String, FetchPredicate.Operator)] = [
      ("<", .less), ("=", .equal), (">", .greater),
    ]
    for (sign, comparison) in signs {
      var found = request([.property("label")], "?")
      found.predicate = found.predicate.map { .and([$0, .comparison(a, comparison, b)]) }
      let labels = Set(try context.fetchValues(found).compactMap { number($0[0]) })
      let expected = operations.indices.filter {
        operations[$0].name == "?" && operations[$0].result == sign
      }
      #expect(labels == Set(expected), "\(sign)")
    }
  }

  private func named(_ columns: [FetchExpression]) -> [ValueRequest.Column] {
    columns.enumerated().map { ValueRequest.Column("\($0)", $1) }
  }

  private func number(_ value: PropertyValue) -> Int? {
    if case .integer(let number) = value { return Int(number) }
    return nil
  }

  private func text(_ value: PropertyValue) -> String {
    if case .decimal(let decimal) = value { return DecimalCases.text(decimal) }
    return "nil"
  }

  private func request(_ columns: [FetchExpression], _ name: String) -> ValueRequest {
    var request = ValueRequest(entityName: "Ware", columns: named(columns))
    request.predicate = .comparison(.property("name"), .equal, .constant(.string(name)))
    return request
  }

  @Test("a sum and an average are the exact ones, rounded once", arguments: Place.allCases)
  func sums(place: Place) throws {
    let context = try context(place)
    let groups = try DecimalCases.groups()
    // Every third group, and all whose values the attribute with a scale can have.
    let chosen = groups.indices.filter { $0 % 3 == 0 || groups[$0].fits(scale: 2) }
    for number in chosen {
      for value in groups[number].values {
        let ware = Ware(context: context)
        (ware.label, ware.weight) = (number, value)
        if groups[number].fits(scale: 2) { ware.price = value }
      }
    }
    if place != .unsaved { try context.save() }
    let (weight, price) = (FetchExpression.property("weight"), FetchExpression.property("price"))
    let columns: [FetchExpression] = [
      .property("label"), .sum(of: weight), .average(of: weight), .sum(of: price),
      .average(of: price),
    ]
    let rows = try context.fetchValues(ValueRequest(entityName: "Ware", columns: named(columns)))
    #expect(rows.count == chosen.count)
    for row in rows {
      let group = groups[try #require(number(row[0]))]
      #expect(text(row[1]) == group.sum, "\(group)")
      #expect(text(row[2]) == group.average, "\(group)")
      guard group.fits(scale: 2) else { continue }
      #expect(text(row[3]) == group.sum, "scale 2: \(group)")
      #expect(text(row[4]) == group.average, "scale 2: \(group)")
    }
  }

  @Test(
    "a product below all decimals is zero, and above all of them nil", arguments: Place.allCases)
  func ends(place: Place) throws {
    let context = try context(place)
    let ware = Ware(context: context)
    ware.weight = 5
    if place != .unsaved { try context.save() }
    for text in ["weight * 1e-70 * 1e-70 > 0", "weight * 1e99 * 1e99 > 0", "weight / 0 == 0"] {
      #expect(
        try context.count(FetchRequest<Ware>(predicate: FetchPredicate(format: text))) == 0,
        "\(text)")
    }
    let zero = try FetchPredicate(format: "weight * 1e-70 * 1e-70 == 0")
    #expect(try context.count(FetchRequest<Ware>(predicate: zero)) == 1)
  }
}
