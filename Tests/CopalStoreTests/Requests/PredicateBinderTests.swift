import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Binding a request to an entity")
struct PredicateBinderTests {
  private func binder(_ entity: String = "Pigment") throws -> PredicateBinder {
    PredicateBinder(try #require(try StoreModels.atelier().layout(entity)))
  }

  private func bind(_ predicate: FetchPredicate) throws -> StoreQuery {
    try binder().bind(FetchRequest<Never>(entityName: "Pigment", predicate: predicate))
  }

  private func refusal(_ predicate: FetchPredicate) throws -> PersistenceError? {
    #expect(throws: PersistenceError.self) { try bind(predicate) }
  }

  @Test("binding a request suggests the nearest name for an unknown attribute")
  func unknown() throws {
    let error = try refusal(.comparison(.property("nmae"), .equal, .constant("x")))
    #expect(error?.code == .unknownProperty)
    #expect(error?.suggestion == "name")
    #expect(
      error?.description
        == "Pigment has no property 'nmae'; did you mean 'name'? [request.unknownProperty]"
    )
  }

  @Test(
    "binding a request refuses a constant of a wrong type",
    arguments: [
      ("name", 1, "string", "integer"), ("price", "1", "decimal", "string"),
      ("isLightfast", 2, "boolean", "integer"),
      ("introduced", 0, "date", "integer"), ("opacity", true, "double", "boolean"),
    ] as [(String, PropertyValue, String, String)])
  func types(name: String, value: PropertyValue, expected: String, found: String) throws {
    for predicate in [
      FetchPredicate.comparison(.property(name), .less, .constant(value)),
      .comparison(.constant(value), .equal, .property(name)),
      .not(.isIn(.property(name), [.null, value])),
    ] {
      let error = try refusal(predicate)
      #expect(error?.code == .predicateType)
      #expect(error?.property == name)
      #expect(error?.expected == expected)
      #expect(error?.found == found)
    }
  }

  @Test("binding a request refuses a comparison of attributes of different types")
  func attributes() throws {
    for (a, b) in [("name", "opacity"), ("name", "origin")] {
      let error = try refusal(.comparison(.property(a), .equal, .property(b)))
      #expect(error?.code == .predicateType)
    }
  }

  @Test("binding a request allows only a test for nil for a transformable")
  func transformables() throws {
    #expect(
      try bind(.comparison(.property("color"), .notEqual, .constant(.null))).condition
        == .isNull(.slot(2), isNegated: true))
    for predicate in [
      FetchPredicate.comparison(.property("color"), .equal, .constant(.binary(Data()))),
      .isIn(.property("color"), [.null]),
      .comparison(.property("color"), .equal, .property("color")),
      .comparison(.property("swatch"), .equal, .constant(.null)),
    ] {
      #expect(try refusal(predicate)?.code == .notQueryable)
    }
  }

  @Test(
    "binding a request refuses negative limits and offsets, and reduces huge ones",
    arguments: [
      (-1, 0, "limit -1"), (nil, -1, "offset -1"), (0, -3, "offset -3"),
      (-1, -2, "limit -1 and offset -2"),
    ] as [(Int?, Int, String)])
  func parts(limit: Int?, offset: Int, found: String) throws {
    let request = FetchRequest<Never>(entityName: "Pigment", limit: limit, offset: offset)
    let error = #expect(throws: PersistenceError.self) { try binder().bind(request) }
    #expect(error?.code == .invalidLimit && error?.found == found)
    let great = try binder().bind(
      FetchRequest<Never>(entityName: "Pigment", limit: .max, offset: .max))
    // A context adds its number of unsaved objects to the limit; the sum must not overflow.
    #expect(great.limit?.addingReportingOverflow(great.offset + 1_000_000).overflow == false)
  }

  @Test("binding a request evaluates conditions between constants")
  func constants() throws {
    let cases: [(PropertyValue, FetchPredicate.Operator, PropertyValue, Bool)] = [
      (1, .less, 2, true), (1, .less, .null, false), (.null, .equal, .null, true),
      (.null, .notEqual, 1, true), (.null, .lessOrEqual, .null, false),
      ("\u{E9}", .equal, "e\u{301}", false), (.double(.nan), .equal, .double(.nan), false),
      (.double(.nan), .notEqual, .double(.nan), true), (.decimal(.nan), .less, .decimal(1), false),
      (.decimal(.nan), .equal, .decimal(.nan), false), (1, .equal, 1.0, true),
      (2, .greater, 1.5, true),
      (
        .date(Date(timeIntervalSinceReferenceDate: .nan)), .lessOrEqual,
        .date(Date(timeIntervalSinceReferenceDate: 0)), false
      ),
    ]
    for (index, (a, comparison, b, holds)) in cases.enumerated() {
      let predicate = FetchPredicate.comparison(.constant(a), comparison, .constant(b))
      #expect(try bind(predicate).condition == .constant(holds), "case \(index)")
      #expect(try bind(.not(predicate)).condition == .constant(!holds), "case \(index)")
    }
  }

  // MARK: Parameters

  private func name(_ comparison: FetchPredicate.Operator, _ value: PropertyValue) -> FetchPredicate
  {
    .comparison(.property("name"), comparison, .constant(value))
  }

  /// In the entity Pigment, name has the slot 0.
  @Test("binding a request numbers its constants, and a list has consecutive numbers")
  func parameters() throws {
    let query = try bind(
      .and([
        .or([
          name(.equal, "a"), name(.less, "b"), name(.equal, "c"), .isIn(.property("name"), ["d"]),
        ]),
        name(.greater, "e"),
      ]))
    #expect(query.parameters == ["a", "c", "d", "b", "e"])
    #expect(
      query.condition
        == .and([
          .or([
            .isIn(.slot(0), parameters: 0..<3, isNegated: false, resultForNull: false),
            .holds(.slot(0), .less, .parameter(3), resultForNull: false),
          ]),
          .holds(.slot(0), .greater, .parameter(4), resultForNull: false),
        ]))
  }

  @Test("requests that differ only in constants have one shape, and the shape has no constant")
  func shapes() throws {
    let (a, b) = (try bind(name(.less, "a")), try bind(name(.less, "b")))
    #expect(a.shape(.rows) == b.shape(.rows) && a != b)
    #expect(Set([a.shape(.rows), b.shape(.rows), a.shape(.keys), a.shape(.count)]).count == 3)
    var limited = a
    limited.limit = 3
    #expect(limited.shape(.rows) != a.shape(.rows))
    limited.limit = nil
    limited.offset = 1
    #expect(limited.shape(.rows) != a.shape(.rows))
    limited = a
    limited.sortKeys = [BoundSortKey(slot: 0, isAscending: true)]
    #expect(limited.shape(.rows) != a.shape(.rows))
    // The order of a count has no effect.
    #expect(limited.shape(.count) == a.shape(.count))
  }

  @Test("two nils are equal in memory, and a null has the result that the condition says")
  func nulls() throws {
    func matches(_ condition: QueryCondition, _ values: PropertyValue...) -> Bool {
      QueryEvaluator(StoreQuery(entity: 0, condition: condition, parameters: ["x"])).matches(
        ClosureSubject(key: 7, entity: 0) { values[$0] })
    }
    for result in [true, false] {
      #expect(
        matches(.holds(.slot(0), .less, .parameter(0), resultForNull: result), .null) == result)
      #expect(
        matches(.holds(.slot(0), .less, .slot(1), resultForNull: result), .null, .null) == result)
      #expect(
        matches(.isIn(.slot(0), parameters: 0..<1, isNegated: true, resultForNull: result), .null)
          == result)
    }
    #expect(matches(.holds(.slot(0), .equal, .slot(1), resultForNull: false), .null, .null))
    #expect(!matches(.holds(.slot(0), .notEqual, .slot(1), resultForNull: true), .null, .null))
    #expect(matches(.holds(.slot(0), .notEqual, .slot(1), resultForNull: true), .null, "x"))
    #expect(!matches(.isNull(.key, isNegated: false)) && matches(.isNull(.key, isNegated: true)))
  }

  // MARK: Objects

  /// Knows every id of a store, and its key.
  private struct Keys: ObjectKeySource {
    let pigment: Int

    func key(of id: ManagedObjectID, root: Int) -> Int64? {
      id.entityName == "Pigment" && root == pigment ? id.key : nil
    }
  }

  private func id(_ key: Int64, _ entity: String = "Pigment") -> PropertyValue {
    .object(ManagedObjectID(store: UUID(), entityName: entity, key: key))
  }

  private func bindObject(_ predicate: FetchPredicate) throws -> StoreQuery {
    let layout = try #require(try StoreModels.atelier().layout("Pigment"))
    return try PredicateBinder(layout, keys: Keys(pigment: layout.root))
      .bind(FetchRequest<Never>(entityName: "Pigment", predicate: predicate))
  }

  @Test("binding a request makes keys of ids; an id of another entity equals no object")
  func objects() throws {
    let same = try bindObject(.comparison(.object, .equal, .constant(id(3))))
    #expect(same.condition == .holds(.key, .equal, .parameter(0), resultForNull: false))
    #expect(same.parameters == [.integer(3)])
    let other = try bindObject(.not(.comparison(.constant(id(3)), .equal, .object)))
    #expect(other.condition == .holds(.key, .notEqual, .parameter(0), resultForNull: true))
    let list = try bindObject(.isIn(.object, [id(3), .null, id(4, "Painter"), id(-5)]))
    #expect(
      list.condition
        == .isIn(.key, parameters: 0..<2, isNegated: false, resultForNull: false))
    #expect(list.parameters == [.integer(3), .integer(-5)])
    let either = try bindObject(
      .or([3, 4].map { .comparison(.object, .equal, .constant(id($0))) }))
    #expect(
      either.condition
        == .isIn(.key, parameters: 0..<2, isNegated: false, resultForNull: false))
    let constants: [(FetchPredicate, Bool)] = [
      (.comparison(.object, .equal, .constant(.null)), false),
      (.comparison(.object, .notEqual, .constant(.null)), true),
      (.comparison(.object, .equal, .constant(id(3, "Painter"))), false),
      (.comparison(.object, .notEqual, .constant(id(3, "Painter"))), true),
      (.isIn(.object, []), false), (.not(.isIn(.object, [.null, id(3, "Painter")])), true),
      (.comparison(.object, .equal, .object), true),
      (.comparison(.object, .notEqual, .object), false),
      (.comparison(.constant(id(3)), .equal, .constant(.null)), false),
    ]
    for (predicate, holds) in constants {
      #expect(try bindObject(predicate).condition == .constant(holds), "\(predicate)")
      #expect(try bindObject(.not(predicate)).condition == .constant(!holds), "\(predicate)")
    }
  }

  @Test("binding a request refuses an order of objects, and a comparison with something else")
  func wrongObjects() throws {
    let orders: [FetchPredicate] = [.less, .lessOrEqual, .greater, .greaterOrEqual].flatMap {
      [
        .comparison(.object, $0, .constant(id(3))), .comparison(.constant(id(3)), $0, .object),
        .comparison(.object, $0, .object), .comparison(.object, $0, .constant(.null)),
        .comparison(.constant(id(3)), $0, .constant(id(4))),
      ]
    }
    for predicate in orders {
      let error = #expect(throws: PersistenceError.self) { try bindObject(predicate) }
      #expect(error?.code == .predicateType && error?.property == nil, "\(predicate)")
      #expect(
        error?.description
          == "an object of Pigment cannot be compared by an order; compare it with the id of an object, by == or != [request.predicateType]"
      )
    }
    for predicate in [
      FetchPredicate.comparison(.object, .equal, .constant(3)), .isIn(.object, [id(3), 3]),
    ] {
      let error = #expect(throws: PersistenceError.self) { try bindObject(predicate) }
      #expect(error?.code == .predicateType && error?.found == "with a value of type integer")
    }
    for predicate in [
      FetchPredicate.comparison(.property("name"), .equal, .constant(id(3))),
      .comparison(.property("name"), .equal, .object),
      .comparison(.object, .notEqual, .property("name")), .isIn(.property("name"), [id(3)]),
    ] {
      let error = #expect(throws: PersistenceError.self) { try bindObject(predicate) }
      #expect(error?.code == .predicateType && error?.property == "name")
      #expect(error?.found == "object" && error?.expected == "string")
    }
    #expect(
      try refusal(.comparison(.object, .equal, .property("nmae")))?.code == .unknownProperty)
  }

  // MARK: Decimals of a scale

  /// The price of a pigment has the scale 2; its slot is 3.
  @Test(
    "binding a request compares a decimal with too many digits as the value below it",
    arguments: [
      ("1.234", .less, .lessOrEqual, "1.23"), ("1.234", .lessOrEqual, .lessOrEqual, "1.23"),
      ("1.234", .greater, .greater, "1.23"), ("-1.234", .greaterOrEqual, .greater, "-1.24"),
    ] as [(String, FetchPredicate.Operator, FetchPredicate.Operator, String)])
  func fine(
    number: String, comparison: FetchPredicate.Operator, bound: FetchPredicate.Operator,
    floor: String
  ) throws {
    let constant = try #require(DecimalText.parse(number))
    let query = try bind(.comparison(.property("price"), comparison, .constant(.decimal(constant))))
    #expect(query.condition == .holds(.slot(3), bound, .parameter(0), resultForNull: false))
    #expect(query.parameters == [.decimal(try #require(DecimalText.parse(floor)))])
  }
}
