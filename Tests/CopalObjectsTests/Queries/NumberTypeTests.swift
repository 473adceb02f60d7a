import Copal
import CopalTestSupport
import Foundation
import Testing

@testable import CopalModel

/// Numbers of two types in one comparison, in both stores and in memory. Python has compared them.
@Suite("Conditions with numbers of two types")
struct NumberTypeTests {
  enum Place: CaseIterable { case sqlite, memory, unsaved }

  static let operators: [FetchPredicate.Operator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  private func context(_ place: Place) throws -> ManagedObjectContext {
    try TestStore(place == .memory ? .memory : .sqlite).container(.graph).makeContext()
  }

  private func labels(_ predicate: FetchPredicate, _ context: ManagedObjectContext) throws
    -> Set<Int>
  {
    Set(try context.fetch(FetchRequest<Maker>(predicate: predicate)).map(\.label))
  }

  /// The attribute of a maker that has values of the type of a number.
  private func set(_ value: PropertyValue, of maker: Maker) -> FetchExpression {
    switch value {
    case .integer(let number):
      maker.budget = Int(number)
      return .property("budget")
    case .double(let number):
      maker.rating = number
      return .property("rating")
    case .decimal(let number):
      maker.debt = number
      return .property("debt")
    default: return .object
    }
  }

  private func isNaN(_ value: PropertyValue) -> Bool {
    if case .double(let number) = value { return number.isNaN }
    return false
  }

  @Test("an attribute is compared with a constant of any type", arguments: Place.allCases)
  func constants(place: Place) throws {
    let context = try context(place)
    let pairs = try NumberComparison.all()
    var makers: [PropertyValue: (label: Int, attribute: FetchExpression)] = [:]
    for pair in pairs where makers[pair.a] == nil && !isNaN(pair.a) {
      let maker = Maker(context: context)
      maker.label = makers.count
      makers[pair.a] = (maker.label, set(pair.a, of: maker))
    }
    if place != .unsaved { try context.save() }
    var turn = 0
    let byConstant = Dictionary(grouping: pairs) { "\($0.b)" }
    for group in byConstant.sorted(by: { $0.key < $1.key }).map(\.value) {
      for attribute in ["budget", "rating", "debt"].map({ FetchExpression.property($0) }) {
        let known = group.compactMap { pair -> (Int, String)? in
          guard let maker = makers[pair.a], maker.attribute == attribute else { return nil }
          return (maker.label, pair.written)
        }
        // `rating == %@` with a decimal compares exact values: only a constant double is written.
        let exact = group.compactMap { pair -> (Int, String)? in
          guard let maker = makers[pair.a], maker.attribute == attribute else { return nil }
          return (maker.label, pair.exact)
        }
        let constant = group[0].b
        let orders = if case .double = constant { known } else { exact }
        for comparison in Self.operators {
          let expected = Set(orders.filter { NumberComparison.isTrue(comparison, $0.1) }.map(\.0))
          let notNil = FetchPredicate.comparison(attribute, .notEqual, .constant(.null))
          // The forms take turns, so that the test stays short.
          let forms = [
            FetchPredicate.comparison(attribute, comparison, .constant(constant)),
            .not(.not(.comparison(.constant(constant), mirrored(comparison), attribute))),
            // A calculation has no column that the constant could be fitted to.
            .comparison(.call(.ifNil, [attribute, attribute]), comparison, .constant(constant)),
          ]
          turn += 1
          let form = forms[turn % 3]
          let isNegated = turn % 2 == 0
          // Only those that Python compares with the constant.
          let all = Set(orders.map(\.0))
          let found = try labels(.and([isNegated ? .not(form) : form, notNil]), context)
          #expect(
            found.intersection(all) == (isNegated ? all.subtracting(expected) : expected),
            "\(attribute) \(comparison) \(constant)")
        }
        let equal = Set(orders.filter { $0.1 == "=" }.map(\.0))
        #expect(
          try labels(.isIn(attribute, [constant, .null]), context).intersection(orders.map(\.0))
            == equal)
      }
    }
  }

  private func mirrored(_ comparison: FetchPredicate.Operator) -> FetchPredicate.Operator {
    switch comparison {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .equal, .notEqual: comparison
    }
  }

  @Test("two attributes of different types compare by exact values", arguments: Place.allCases)
  func attributes(place: Place) throws {
    let context = try context(place)
    var pairs: [(pair: NumberComparison, a: FetchExpression, b: FetchExpression)] = []
    // 300 pairs, of all types and values: the exact text of a small double is long.
    let all = try NumberComparison.all()
    for (number, pair) in all.enumerated()
    where number % (all.count / 300) == 0 && !isNaN(pair.a) && !isNaN(pair.b)
      && pair.a.kind != pair.b.kind
    {
      let maker = Maker(context: context)
      maker.label = pairs.count
      pairs.append((pair, set(pair.a, of: maker), set(pair.b, of: maker)))
    }
    if place != .unsaved { try context.save() }
    for (x, y) in [
      ("budget", "rating"), ("budget", "debt"), ("rating", "debt"), ("debt", "rating"),
    ] {
      let (a, b) = (FetchExpression.property(x), FetchExpression.property(y))
      let both = FetchPredicate.and([a, b].map { .comparison($0, .notEqual, .constant(.null)) })
      for comparison in Self.operators {
        let expected = pairs.indices.filter {
          pairs[$0].a == a && pairs[$0].b == b
            && NumberComparison.isTrue(comparison, pairs[$0].pair.exact)
        }
        // Each pair is there in both orders.
        let swapped = pairs.indices.filter {
          pairs[$0].a == b && pairs[$0].b == a
            && NumberComparison.isTrue(mirrored(comparison), pairs[$0].pair.exact)
        }
        let predicate = FetchPredicate.comparison(a, comparison, b)
        #expect(
          try labels(.and([predicate, both]), context) == Set(expected + swapped),
          "\(x) \(comparison) \(y)")
      }
    }
  }

  @Test("the cursor of a page may have a number of another type", arguments: Place.allCases)
  func cursors(place: Place) throws {
    let context = try context(place)
    for number in 35...38 {
      let maker = Maker(context: context)
      (maker.label, maker.budget) = (number, number)
      (maker.rating, maker.debt) = (Double(number) + 0.5, Decimal(number))
    }
    if place != .unsaved { try context.save() }
    let id = try #require(try context.fetch(Maker.self).first).objectID
    func page(_ key: FetchSortKey, _ value: PropertyValue) throws -> [Int] {
      try context.fetchPage(
        FetchRequest<Maker>(sortKeys: [key]), size: 10,
        after: FetchCursor(values: [value], objectID: id)
      ).objects.map(\.label)
    }
    #expect(try page(.ascending("budget"), .double(36.5)) == [37, 38])
    #expect(try page(.descending("budget"), .double(36.5)) == [36, 35])
    // An equal value comes after the cursor's object if it has a greater key.
    #expect(try page(.ascending("budget"), .decimal(Decimal(36))) == [36, 37, 38])
    #expect(try page(.ascending("budget"), .double(1e300)) == [])
    #expect(try page(.descending("budget"), .double(.infinity)) == [38, 37, 36, 35])
    #expect(try page(.ascending("rating"), .integer(37)) == [37, 38])
    #expect(try page(.descending("rating"), .decimal(Decimal(37))) == [36, 35])
    #expect(try page(.ascending("debt"), .integer(36)) == [36, 37, 38])
    #expect(try page(.ascending("debt"), .double(36.25)) == [37, 38])
  }

  @Test(
    "a condition with numbers of two types has one meaning in every place",
    arguments: [
      // Three makers: 0 has budget 36, rating 36.5 and fee 0.10; 1 has budget 37, rating 0.1 and
      // debt 0.1; 2 has nothing.
      ("2 > 1.5", [0, 1, 2]), ("1 == 1.0", [0, 1, 2]), ("5 / 2.5 > 1", [0, 1, 2]),
      ("1.5 BETWEEN {1, 2}", [0, 1, 2]), ("1 IN {1.0}", [0, 1, 2]), ("1 IN {1.5, 2}", []),
      ("budget > 36.5", [1]), ("budget >= 36.5", [1]), ("budget < 36.5", [0]),
      ("budget == 36.5", []), ("budget == 36.0", [0]), ("budget != 36.5", [0, 1, 2]),
      ("NOT budget > 36.5", [0, 2]), ("budget BETWEEN {35.5, 36.5}", [0]),
      ("budget IN {36.0, 36.5}", [0]), ("NOT budget IN {36.5}", [0, 1, 2]),
      ("budget < 1e19", [0, 1]), ("budget > 1e19", []), ("budget > -1e19", [0, 1]),
      ("budget / 2.0 == 18.5", [1]), ("budget / 2 == 18", [0, 1]),
      ("budget * 1.5 > 54.5", [1]), ("rating > budget", [0]), ("budget > rating", [1]),
      ("fee == 0.1", [0]), ("fee == 0.10", [0]), ("debt == 0.1", [1]), ("debt == 1e-1", [1]),
      // The double 0.1 is a little more than one tenth. Nil equals nil.
      ("rating == debt", [2]), ("rating > debt", [1]), ("debt < rating", [1]),
      ("rating == 0.1", [1]), (#"rating == CAST("0.1", "NSDecimalNumber")"#, []),
      (#"rating > CAST("0.1", "NSDecimalNumber")"#, [0, 1]),
      ("fee * 3 == 0.3", [0]), ("debt * 1e-70 * 1e-70 == 0", [1]),
      ("budget + fee == 36.1", [0]), ("(budget ?? 0.5) > 36.5", [1]), ("debt %% 0.03 == 0.01", [1]),
      ("budget %% 5 == 1", [0]),
      ("ANY students.budget > 36.5", [0]),
      ("SUBQUERY(students, $s, $s.budget < 37.5).@count > 0.5", [0]),
      ("students.@sum.budget > 36.5", [0]), ("students.@count >= 0.5", [0]),
    ] as [(String, [Int])], Place.allCases)
  func texts(condition: (text: String, expected: [Int]), place: Place) throws {
    let (text, expected) = condition
    let context = try context(place)
    let makers = (0..<3).map { number in
      let maker = Maker(context: context)
      maker.label = number
      return maker
    }
    (makers[0].budget, makers[0].rating, makers[0].fee) = (36, 36.5, Decimal(string: "0.10"))
    (makers[1].budget, makers[1].rating, makers[1].debt) = (37, 0.1, Decimal(string: "0.1"))
    makers[1].teacher = makers[0]
    if place != .unsaved { try context.save() }
    let predicate = try FetchPredicate(format: text)
    #expect(try labels(predicate, context) == Set(expected))
    // As JSON it has the same meaning.
    let copy = try JSONDecoder().decode(
      FetchPredicate.self, from: try JSONEncoder().encode(predicate))
    #expect(try labels(copy, context) == Set(expected))
  }

  @Test(
    "a condition on groups and a template accept numbers of two types", arguments: Place.allCases)
  func groupsAndTemplates(place: Place) throws {
    let context = try context(place)
    for (number, budget) in [1, 2, 2].enumerated() {
      let maker = Maker(context: context)
      (maker.label, maker.budget) = (number, budget)
    }
    if place != .unsaved { try context.save() }
    var request = ValueRequest(entityName: "Maker", columns: [.init("budget", .property("budget"))])
    request.having = try FetchPredicate(format: "SELF.@count > 1.5")
    #expect(try context.fetchValues(request) == [[2]])
    let template = try FetchPredicate(format: "$x > 1 AND budget < $x")
    let filled = template.replacing(variables: ["x": .value(.double(1.5))])
    #expect(try labels(filled, context) == [0])
  }

  @Test(
    "a text with a number is read as people write numbers",
    arguments: [
      ("1E-12", "0.000000000001"), ("+0.1", "0.1"), (".05", "0.05"), ("5.", "5"),
      ("-007.50", "-7.5"),
      ("1.5e3", "1500"), (".", nil), ("e5", nil), ("1e", nil), ("--1", nil), ("+", nil),
      ("1,5", nil),
      ("0x10", nil), ("\u{0661}", nil), ("1e400", nil),
    ] as [(String, String?)], Place.allCases)
  func numbersOfTexts(written: (text: String, decimal: String?), place: Place) throws {
    let context = try context(place)
    Maker(context: context).name = written.text
    if place != .unsaved { try context.save() }
    let request = ValueRequest(
      entityName: "Maker",
      columns: [.init("number", .call(.toDecimal, [.property("name")]))])
    let value = try context.fetchValues(request)[0][0]
    #expect(
      value == written.decimal.flatMap { DecimalText.parse($0) }.map { .decimal($0) } ?? .null)
  }

  @Test("the length of a text is asked for by a path, as in Foundation", arguments: Place.allCases)
  func lengths(place: Place) throws {
    let context = try context(place)
    for (number, name) in ["a", "Berthe", nil].enumerated() {
      let maker = Maker(context: context)
      (maker.label, maker.name) = (number, name)
      maker.teacher = number == 0 ? nil : try context.fetch(Maker.self).first { $0.label == 1 }
    }
    if place != .unsaved { try context.save() }
    for (text, expected) in [
      ("name.length > 3", [1]), ("name.length == 1", [0]), ("name.length IN {1, 6}", [0, 1]),
      ("3 < name.length", [1]), ("name.length == nil", [2]), ("teacher.name.length == 6", [1, 2]),
      ("ANY students.name.length == 6", [1]), ("name.length + 1 == 7", [1]),
    ] {
      #expect(try labels(FetchPredicate(format: text), context) == Set(expected), "\(text)")
    }
  }

  @Test("an index of integers is used for a constant with digits after the point")
  func index() throws {
    let store = try TestStore(.sqlite)
    let context = try store.container(.graph).makeContext()
    let statements = try store.recorder.statements {
      _ = try labels(try FetchPredicate(format: "budget > 36.5"), context)
    }
    // The column as it is, which an index can have.
    #expect(statements.contains { $0.contains(#"budget" > "#) }, "\(statements)")
  }
}
