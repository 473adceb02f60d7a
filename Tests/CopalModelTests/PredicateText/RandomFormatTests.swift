import CopalModel
import CopalTestTools
import Foundation
import Testing

/// Makes random conditions that a text can express.
struct RandomCondition {
  var random: SplitMix

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func one<T>(_ values: [T]) -> T { values[number(0..<values.count)] }

  mutating func value() -> PropertyValue {
    switch number(0..<11) {
    case 0: return .null
    case 1: return .integer(one([0, -1, 7, .max, .min]))
    case 2:
      return .double(one([0.5, -1e300, .leastNonzeroMagnitude, .infinity, -.infinity, 100, -0.0]))
    case 3:
      return .decimal(Decimal(number(-9999..<9999)) / 100)
    case 4: return .boolean(number(0..<2) == 0)
    case 5:
      return .date(
        Date(timeIntervalSinceReferenceDate: one([0, -0.25, 1e9 + 0.123, 1e300, -1e12, .infinity])))
    case 6:
      return .string(
        one(["", "x", "it's \"q\"\\", "\n\0\t\r\u{7F}\u{200B}", "é e\u{301} 🎨", "%@ $x"]))
    case 7: return .binary(Data((0..<number(0..<5)).map { UInt8($0 * 50) }))
    case 8: return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    case 9:
      return .uri(
        URL(string: "https://example.org/\(number(0..<99))?a=b%20c") ?? URL(fileURLWithPath: "/"))
    default: return .object(id())
    }
  }

  private mutating func id() -> ManagedObjectID {
    ManagedObjectID(
      store: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
      entityName: "Book", rootName: one([nil, "Item"]), key: Int64(one([1, -7, .max])))
  }

  private mutating func name() -> String {
    one([
      "a", "b", "a.b", "in", "self", "größe", "no name", "", "x", "NOT.a", "a.or", "count", "cast",
    ])
  }

  mutating func path(_ depth: Int) -> FetchExpression {
    let path: FetchExpression =
      number(0..<5) == 0
      ? .subentityProperty(entity: one(["Book", "", "a\""]), property: name()) : .property(name())
    return outer(path, depth)
  }

  private mutating func outer(_ expression: FetchExpression, _ depth: Int) -> FetchExpression {
    let levels = number(0..<depth + 1)
    return levels == 0 ? expression : .outer(levels, expression)
  }

  mutating func expression(_ size: Int, _ depth: Int) -> FetchExpression {
    switch number(0..<(size > 0 ? 11 : 5)) {
    case 0, 1: return path(depth)
    case 2: return .constant(value())
    case 3: return outer(.object, depth)
    case 4: return .variable(one(["v", "x", "y", "no name", "in"]))
    case 5, 6, 7:
      let function = one(FetchFunction.allCases)
      return .call(function, (0..<function.argumentCount).map { _ in expression(size - 1, depth) })
    case 8: return .aggregate(.count, collection(size - 1, depth), of: nil)
    case 9:
      return .aggregate(
        one([.sum, .min, .max, .average]), collection(size - 1, depth),
        of: expression(size - 1, depth + 1))
    default:
      return .conditional(
        condition(size - 1, depth), expression(size - 1, depth), expression(size - 1, depth))
    }
  }

  private mutating func collection(_ size: Int, _ depth: Int) -> FetchCollection {
    FetchCollection(path(depth), where: number(0..<3) == 0 ? nil : condition(size - 1, depth + 1))
  }

  private mutating func options() -> FetchPredicate.TextOptions {
    FetchPredicate.TextOptions(rawValue: UInt8(number(0..<4)))
  }

  /// An expression that is not nil, not an object and not a constant that only one side can be.
  private mutating func text(_ size: Int, _ depth: Int) -> FetchExpression {
    number(0..<2) == 0
      ? .constant(.string(one(["", "x*", "é"]))) : .call(.lowercased, [expression(size - 1, depth)])
  }

  private mutating func comparison(_ size: Int, _ depth: Int) -> FetchPredicate {
    switch number(0..<4) {
    case 0: return .isIn(expression(size, depth), (0..<number(0..<4)).map { _ in value() })
    case 1: return .isInVariable(expression(size, depth), one(["v", "x", "no name"]))
    case 2:
      let test: FetchPredicate.TextTest = one([
        .equal(options()), .contains(options()), .hasPrefix(options()), .hasSuffix(options()),
        .like(options()), .matches,
      ])
      return .text(text(size, depth), test, text(size, depth))
    default:
      return .comparison(
        expression(size, depth), one(FetchPredicate.Operator.allCases), expression(size, depth))
    }
  }

  mutating func condition(_ size: Int, _ depth: Int) -> FetchPredicate {
    switch number(0..<(size > 0 ? 11 : 5)) {
    case 0, 1, 2: return comparison(size - 1, depth)
    case 3: return .constant(number(0..<2) == 0)
    case 4: return .isKind(one(["Book", "it's"]))
    case 5, 6:
      let parts = (0..<number(2..<4)).map { _ in condition(size - 1, depth) }
      return number(0..<2) == 0 ? .and(parts) : .or(parts)
    case 7: return .not(condition(size - 1, depth))
    case 8: return .exists(collection(size - 1, depth))
    case 9:
      return .exists(
        FetchCollection(
          path(depth), where: .comparison(.object, .equal, .outer(1, .property("a")))))
    default: return .quantified(one([.any, .all]), comparison(size - 1, depth))
    }
  }
}

@Suite("Random conditions as texts")
struct RandomFormatTests {
  @Test("a condition is printed and read again", arguments: 0..<4)
  func roundTrip(part: Int) {
    var maker = RandomCondition(random: SplitMix(seed: UInt64(part) &* 1_000_003))
    for _ in 0..<700 {
      let predicate = maker.condition(4, 0)
      let text = predicate.format
      do {
        let found = try FetchPredicate(format: text)
        // Compared outside of the expectation: Foundation's Date traps when some of these are
        // printed.
        let isSame = found == predicate
        #expect(isSame, "\(text)")
        #expect(found.format == text)
      } catch {
        Issue.record("\(text): \(error)")
      }
    }
  }
}
