import Copal
import CopalTestSupport
import Testing

@Suite("Nesting of conditions and calculations")
struct NestingTests {
  /// Ways to nest a condition once more.
  private static let ways: [(String, @Sendable (FetchPredicate) -> FetchPredicate)] = [
    (
      "and, or",
      {
        .or([
          .constant(false), .and([.comparison(.property("budget"), .notEqual, .constant(99)), $0]),
        ])
      }
    ),
    ("a collection", { inner in .exists(FetchCollection(.property("students"), where: inner)) }),
    (
      "all of a collection",
      { inner in .not(.exists(FetchCollection(.property("students"), where: .not(inner)))) }
    ),
    (
      "a choice",
      { inner in
        .comparison(
          .conditional(inner, .property("budget"), .constant(3)), .equal, .property("budget"))
      }
    ),
    (
      "a number of objects",
      { inner in
        .comparison(
          .aggregate(.count, FetchCollection(.property("students"), where: inner), of: nil),
          .lessOrEqual, .property("budget"))
      }
    ),
  ]

  private static func calculation(depth: Int, _ function: FetchFunction, onLeft: Bool)
    -> FetchPredicate
  {
    var value = FetchExpression.property("budget")
    for _ in 0..<depth {
      value = .call(
        function, onLeft ? [value, .property("budget")] : [.property("budget"), value])
    }
    return .comparison(value, .equal, .constant(1))
  }

  @Test("what a fetch accepts, SQLite can read", arguments: [0, 1, 2, 3, 4])
  func conditions(way: Int) throws {
    let context = try TestStore(.sqlite).container(.graph).makeContext()
    var predicate = FetchPredicate.comparison(.property("name"), .equal, .constant("a"))
    var refused: PersistenceError?
    var accepted = 0
    for depth in 1...60 where refused == nil {
      predicate = Self.ways[way].1(predicate)
      do {
        _ = try context.count(FetchRequest<Maker>(predicate: predicate))
        accepted = depth
      } catch let error as PersistenceError {
        refused = error
      }
    }
    #expect(
      refused?.code == .tooComplex, "\(Self.ways[way].0): \(refused?.description ?? "accepted")")
    #expect(accepted >= 4, "\(Self.ways[way].0)")
  }

  @Test(
    "a calculation of up to 98 levels is accepted",
    arguments: [FetchFunction.add, .ifNil, .multiply], [true, false])
  func calculations(function: FetchFunction, onLeft: Bool) throws {
    let context = try TestStore(.sqlite).container(.graph).makeContext()
    for depth in Array(1...40) + [98] {
      _ = try context.count(
        FetchRequest<Maker>(predicate: Self.calculation(depth: depth, function, onLeft: onLeft)))
    }
  }
}
