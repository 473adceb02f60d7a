import Copal
import CopalTestSupport
import Foundation
import Testing

/// Conditions with more levels than a parser of SQL has places for, compared with plain Swift.
@Suite("Conditions with many levels")
struct DeepConditionTests {
  enum Place: CaseIterable { case sqlite, memory, unsaved }

  static let count = 40

  /// The budgets of a line of makers. Each maker is taught by the next one.
  static let budgets: [Int?] = (0..<count).map { $0.isMultiple(of: 5) ? nil : $0 * $0 % 7 }

  static func budget(_ label: Int) -> Int? { label < count ? budgets[label] : nil }

  private func context(_ place: Place) throws -> ManagedObjectContext {
    let store = try TestStore(place == .memory ? .memory : .sqlite)
    let context = try store.container(.graph).makeContext()
    let makers = Self.budgets.enumerated().map { label, budget in
      let maker = Maker(context: context)
      (maker.label, maker.budget, maker.name) = (label, budget, "Maker \(label % 9)")
      maker.rating = budget.map { Double($0) / 4 }
      maker.fee = budget.map { Decimal(sign: .plus, exponent: -2, significand: Decimal($0 * 25)) }
      return maker
    }
    for (maker, next) in zip(makers, makers.dropFirst()) { maker.teacher = next }
    if place != .unsaved { try context.save() }
    return context
  }

  private func labels(_ predicate: FetchPredicate, _ context: ManagedObjectContext) throws -> [Int]
  {
    try context.fetch(FetchRequest<Maker>(predicate: predicate, sortKeys: [.ascending("label")]))
      .map(\.label)
  }

  private func labels(_ isWanted: (Int) -> Bool) -> [Int] {
    (0..<Self.count).filter(isWanted)
  }

  private static func path(_ count: Int, _ property: String) -> String {
    String(repeating: "teacher.", count: count) + property
  }

  // MARK: Paths

  @Test("a path has up to 25 relationships", arguments: Place.allCases)
  func paths(place: Place) throws {
    let context = try context(place)
    for count in [1, 2, 6, 7, 12, 13, 24, 25] {
      let budget = Self.path(count, "budget")
      func found(_ text: String) throws -> [Int] {
        try labels(try FetchPredicate(format: text), context)
      }
      func value(_ label: Int) -> Int? { Self.budget(label + count) }
      #expect(try found("\(budget) == 4") == labels { value($0) == 4 })
      #expect(try found("\(budget) != 4") == labels { value($0) != 4 })
      #expect(try found("NOT \(budget) < 4") == labels { !(value($0).map { $0 < 4 } ?? false) })
      #expect(try found("\(budget) == nil") == labels { value($0) == nil })
      #expect(try found("\(budget) IN {1, 2}") == labels { [1, 2].contains(value($0)) })
      #expect(try found("\(budget) == budget") == labels { value($0) == Self.budget($0) })
      #expect(
        try found("\(budget) + 1 > budget")
          == labels { label in
            guard let value = value(label), let own = Self.budget(label) else { return false }
            return value + 1 > own
          })
      #expect(
        try found("\(Self.path(count, "name")) ENDSWITH '3'")
          == labels { $0 + count < Self.count && ($0 + count) % 9 == 3 })
      // A collection is a level, too.
      if count == 25 { continue }
      let students = Self.path(count, "students.@count")
      #expect(try found("\(students) == 1") == labels { $0 + count < Self.count })
    }
  }

  @Test("a path of more than 25 relationships is refused", arguments: StoreKind.allCases)
  func longPath(kind: StoreKind) throws {
    let context = try TestStore(kind).container(.graph).makeContext()
    let error = #expect(throws: PersistenceError.self) {
      try labels(.comparison(.property(Self.path(26, "budget")), .equal, .constant(1)), context)
    }
    #expect(error?.code == .tooComplex)
  }

  @Test("an order by a path of up to 25 relationships", arguments: Place.allCases)
  func orders(place: Place) throws {
    let context = try context(place)
    for count in [1, 6, 7, 12, 25] {
      let request = FetchRequest<Maker>(
        sortKeys: [.ascending(Self.path(count, "budget")), .ascending("label")])
      let expected = (0..<Self.count).sorted { a, b in
        let (first, second) = (Self.budget(a + count) ?? -1, Self.budget(b + count) ?? -1)
        return first == second ? a < b : first < second
      }
      #expect(try context.fetch(request).map(\.label) == expected, "\(count)")
    }
  }

  // MARK: Lists

  /// A condition with its own result for a maker.
  private struct Known {
    var predicate: FetchPredicate
    var holds: (Int) -> Bool
  }

  /// A random comparison of a property at the end of a path.
  private func leaf(_ hops: Int, _ random: inout SplitMix) -> Known {
    let property = FetchExpression.property(Self.path(hops, "budget"))
    let constant = Int.random(in: 0..<7, using: &random)
    let predicate = FetchPredicate.comparison(
      property, Bool.random(using: &random) ? .equal : .notEqual,
      .constant(.integer(Int64(constant))))
    if case .comparison(_, .equal, _) = predicate {
      return Known(predicate: predicate) { Self.budget($0 + hops) == constant }
    }
    return Known(predicate: predicate) { Self.budget($0 + hops) != constant }
  }

  private func list(_ levels: Int, hops: Int, _ random: inout SplitMix) -> Known {
    var known = leaf(hops, &random)
    for level in 0..<levels {
      let inner = known
      let others = (0..<Int.random(in: 1...4, using: &random)).map { _ in leaf(hops, &random) }
      let isAnd = level.isMultiple(of: 2)
      var parts = others.map(\.predicate)
      parts.insert(inner.predicate, at: Int.random(in: 0...parts.count, using: &random))
      let isNegated = Int.random(in: 0..<4, using: &random) == 0
      let predicate: FetchPredicate = isAnd ? .and(parts) : .or(parts)
      // A negated list is one of the other kind, so it counts as the same level with its neighbors.
      known = Known(predicate: isNegated ? .not(.not(predicate)) : predicate) { label in
        isAnd
          ? inner.holds(label) && others.allSatisfy { $0.holds(label) }
          : inner.holds(label) || others.contains { $0.holds(label) }
      }
    }
    return known
  }

  @Test("'and' and 'or' are nested 25 levels deep over paths", arguments: Place.allCases, 0..<2)
  func lists(place: Place, seed: UInt64) throws {
    let context = try context(place)
    var random = SplitMix(seed: seed)
    for hops in [0, 1, 3, 12, 25] {
      for levels in [20, 21, 22, 25] {
        let known = list(levels, hops: hops, &random)
        #expect(
          try labels(known.predicate, context) == labels(known.holds), "\(levels) over \(hops)")
      }
    }
  }

  // MARK: Calculations

  /// A calculation with its own result for a maker. Its values stay small.
  private struct Value {
    var expression: FetchExpression
    var of: (Int) -> Int?
  }

  private func sum(_ levels: Int, _ random: inout SplitMix) -> Value {
    var value = Value(expression: .property("budget"), of: Self.budget)
    for _ in 0..<levels {
      let inner = value
      let constant = Int.random(in: 1..<9, using: &random)
      let number = FetchExpression.constant(.integer(Int64(constant)))
      let kind = Int.random(in: 0..<7, using: &random)
      let expression: FetchExpression =
        switch kind {
        case 0: .call(.add, [inner.expression, number])
        case 1: .call(.subtract, [number, inner.expression])
        case 2: .call(.remainder, [.call(.multiply, [inner.expression, number]), .constant(1000)])
        case 3: .call(.add, [.property("label"), inner.expression])
        case 4: .call(.ifNil, [inner.expression, number])
        case 5:
          .conditional(
            .comparison(.property("label"), .greater, number), inner.expression,
            .call(.negate, [inner.expression]))
        default:
          .conditional(.comparison(.property("budget"), .less, number), inner.expression, number)
        }
      value = Value(expression: expression) { label in
        let result = inner.of(label)
        return switch kind {
        case 0: result.map { $0 + constant }
        case 1: result.map { constant - $0 }
        case 2: result.map { $0 * constant % 1000 }
        case 3: result.map { label + $0 }
        case 4: result ?? constant
        case 5: label > constant ? result : result.map { -$0 }
        default: Self.budget(label).map { $0 < constant } ?? false ? result : constant
        }
      }
    }
    return value
  }

  @Test("calculations have 50 levels", arguments: Place.allCases, 0..<3)
  func sums(place: Place, seed: UInt64) throws {
    let context = try context(place)
    var random = SplitMix(seed: seed &+ 77)
    for levels in [8, 12, 13, 30, 48] {
      let value = sum(levels, &random)
      for limit in [-3, 4, 25] {
        #expect(
          try labels(
            .comparison(value.expression, .less, .constant(.integer(Int64(limit)))), context)
            == labels { value.of($0).map { $0 < limit } ?? false }, "\(levels)")
      }
    }
  }

  @Test(
    "each type has calculations of 50 levels", arguments: Place.allCases,
    [
      // A budget of 4 is a rating of 1 and a fee of 1.
      ("rating", "rating"), ("fee", "fee"), ("budget", "budget / 4"),
    ])
  func types(place: Place, property: (String, String)) throws {
    let context = try context(place)
    let (name, unit) = property
    // Each level adds the number once more.
    let sum = (0..<50).reduce(unit) { text, _ in "(\(text)) + \(unit)" }
    let quarter: (Int) -> Int? = { label in
      Self.budget(label).map { name == "budget" ? $0 / 4 * 51 * 4 : $0 * 51 }
    }
    for number in [51, 102] {
      #expect(
        try labels(try FetchPredicate(format: "\(sum) == \(number)"), context)
          == labels { quarter($0) == number * 4 }, "\(name) \(number)")
    }
  }

  @Test("texts and choices of values of any type have 50 levels", arguments: Place.allCases)
  func texts(place: Place) throws {
    let context = try context(place)
    let name = (0..<50).reduce("name") { text, level in
      level.isMultiple(of: 2) ? "uppercase:(\(text))" : "lowercase:(\(text))"
    }
    #expect(
      try labels(try FetchPredicate(format: "\(name) == 'maker 3'"), context)
        == labels { $0 % 9 == 3 })
    let chosen = (0..<50).reduce("teacher.name") { text, level in
      "TERNARY(label == \(level), name, \(text))"
    }
    #expect(
      try labels(try FetchPredicate(format: "\(chosen) == 'Maker 3'"), context)
        == labels { $0 % 9 == 3 })
    // The maker that is chosen is an object.
    let object = (0..<50).reduce(FetchExpression.object) { inner, level in
      .conditional(
        .comparison(.property("label"), .equal, .constant(.integer(Int64(level)))),
        .property("teacher"), inner)
    }
    #expect(
      try labels(.comparison(object, .notEqual, .constant(.null)), context)
        == labels { $0 < Self.count - 1 })
  }
}
