import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Numbers of different types, compared with Python's")
struct NumberOrderTests {
  static let operators: [FetchPredicate.Operator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  @Test("two numbers of any types compare by their exact values")
  func exactValues() throws {
    for pair in try NumberComparison.all() {
      for comparison in Self.operators {
        #expect(
          ValueOrder.compare(pair.a, comparison, pair.b)
            == NumberComparison.isTrue(comparison, pair.exact), "\(pair) \(comparison)")
      }
    }
  }

  @Test(
    "the exact text of a double has all its digits",
    arguments: [
      // Python: format(decimal.Decimal(x), "f")
      (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-2.5, "-2.5"), (36.5, "36.5"), (0.5, "0.5"),
      (0.1, "0.1000000000000000055511151231257827021181583404541015625"),
      (-0.1, "-0.1000000000000000055511151231257827021181583404541015625"),
      (1e22, "10000000000000000000000"), (1e23, "99999999999999991611392"),
      (9_007_199_254_740_992.0, "9007199254740992"), (0x1p-30, "0.000000000931322574615478515625"),
    ])
  func exactText(number: Double, text: String) { #expect(DecimalText.exact(number) == text) }

  @Test("the exact text of the least and the greatest double, and of an infinity, is in order")
  func extremeTexts() {
    let least = DecimalText.exact(.leastNonzeroMagnitude)
    // 2^-1074 has 1074 digits after the point and ends with 5^1074.
    #expect(least.utf8.count == 1076)
    #expect(least.hasSuffix("625"))
    #expect(DecimalText.exact(.greatestFiniteMagnitude).utf8.count == 309)
    #expect(DecimalText.exact(.infinity).utf8.count == 401)
    #expect(DecimalText.exact(-.infinity).hasPrefix("-1"))
  }
}
