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

  private func refusal(_ predicate: FetchPredicate) throws -> PersistenceError? {
    #expect(throws: PersistenceError.self) { try binder().bind(predicate) }
  }

  @Test("binding a request suggests the nearest name for an unknown attribute")
  func unknown() throws {
    let error = try refusal(.comparison(.attribute("nmae"), .equal, .constant("x")))
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
      ("price", 1.5, "decimal", "double"), ("isLightfast", 1, "boolean", "integer"),
      ("introduced", 0, "date", "integer"), ("opacity", true, "double", "boolean"),
      ("opacity", .integer(1 << 53 + 1), "double", "integer"),
    ] as [(String, PropertyValue, String, String)])
  func types(name: String, value: PropertyValue, expected: String, found: String) throws {
    for predicate in [
      FetchPredicate.comparison(.attribute(name), .less, .constant(value)),
      .comparison(.constant(value), .equal, .attribute(name)),
      .not(.isIn(.attribute(name), [.null, value])),
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
    for (a, b) in [("name", "opacity"), ("price", "density"), ("name", "origin")] {
      let error = try refusal(.comparison(.attribute(a), .equal, .attribute(b)))
      #expect(error?.code == .predicateType)
    }
  }

  @Test("binding a request allows only a test for nil for a transformable")
  func transformables() throws {
    #expect(
      try binder().bind(.comparison(.attribute("color"), .notEqual, .constant(.null)))
        == .isNotNull(2))
    for predicate in [
      FetchPredicate.comparison(.attribute("color"), .equal, .constant(.binary(Data()))),
      .isIn(.attribute("color"), [.null]),
      .comparison(.attribute("color"), .equal, .attribute("color")),
      .comparison(.attribute("swatch"), .equal, .constant(.null)),
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
      (.decimal(.nan), .equal, .decimal(.nan), false), (1, .equal, 1.0, false),
      (
        .date(Date(timeIntervalSinceReferenceDate: .nan)), .lessOrEqual,
        .date(Date(timeIntervalSinceReferenceDate: 0)), false
      ),
    ]
    for (index, (a, comparison, b, holds)) in cases.enumerated() {
      let predicate = FetchPredicate.comparison(.constant(a), comparison, .constant(b))
      #expect(try binder().bind(predicate) == .constant(holds), "case \(index)")
      #expect(try binder().bind(.not(predicate)) == .constant(!holds), "case \(index)")
    }
  }
}
