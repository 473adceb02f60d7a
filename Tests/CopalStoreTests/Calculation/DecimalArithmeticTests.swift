import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Arithmetic of decimals, compared with Python's")
struct DecimalArithmeticTests {
  @Test("a sum, difference, product, quotient or remainder is the exact one, rounded once")
  func operations() throws {
    let functions: [String: FetchFunction] = [
      "+": .add, "-": .subtract, "*": .multiply, "/": .divide, "%": .remainder,
    ]
    for operation in try DecimalCases.operations() {
      guard let function = functions[operation.name] else { continue }
      let value = ValueFunction.apply(function, [.decimal(operation.a), .decimal(operation.b)])
      #expect(text(value) == operation.result, "\(operation)")
    }
  }

  @Test("decimals are ordered by their exact numbers, and equal ones have one hash")
  func order() throws {
    for operation in try DecimalCases.operations() where operation.name == "?" {
      let (a, b) = (PropertyValue.decimal(operation.a), PropertyValue.decimal(operation.b))
      #expect(ValueOrder.compare(a, .less, b) == (operation.result == "<"), "\(operation)")
      #expect(ValueOrder.compare(a, .greater, b) == (operation.result == ">"), "\(operation)")
      #expect(ValueOrder.compare(a, .equal, b) == (operation.result == "="), "\(operation)")
      #expect(ValueOrder.compare(b, .lessOrEqual, a) == (operation.result != "<"), "\(operation)")
      #expect((a == b) == (operation.result == "="), "\(operation)")
      if a == b { #expect(a.hashValue == b.hashValue, "\(operation)") }
    }
  }

  @Test(
    "a decimal is rounded to a whole number, negated, or made positive without an error",
    arguments: [
      // number, down, up, toward zero, negated, absolute
      ("1.5", "1", "2", "1", "-1.5", "1.5"), ("-1.5", "-2", "-1", "-1", "1.5", "1.5"),
      ("0", "0", "0", "0", "0", "0"), ("-0.0000001", "-1", "0", "0", "0.0000001", "0.0000001"),
      ("7", "7", "7", "7", "-7", "7"),
      (
        "99999999999999999999999999999999999999", "99999999999999999999999999999999999999",
        "99999999999999999999999999999999999999", "99999999999999999999999999999999999999",
        "-99999999999999999999999999999999999999", "99999999999999999999999999999999999999"
      ),
      ("0.\(String(repeating: "0", count: 127))1", "0", "1", "0", nil, nil),
    ] as [(String, String, String, String, String?, String?)])
  func single(
    number: String, down: String, up: String, truncated: String, negated: String?, absolute: String?
  ) throws {
    let value = PropertyValue.decimal(try #require(DecimalText.parse(number)))
    func result(_ function: FetchFunction) -> String {
      guard case .decimal(let decimal) = ValueFunction.apply(function, [value]) else {
        return "nil"
      }
      return DecimalText.string(decimal)
    }
    #expect(result(.floor) == down)
    #expect(result(.ceiling) == up)
    #expect(result(.truncate) == truncated)
    if let negated { #expect(result(.negate) == negated) }
    if let absolute { #expect(result(.absolute) == absolute) }
  }

  @Test("a sum or an average of decimals is the exact one, rounded once, in any order")
  func sums() throws {
    for group in try DecimalCases.groups() {
      for values in [group.values, group.values.reversed()] {
        #expect(text(aggregate(.sum, values)) == group.sum, "\(group)")
        #expect(text(aggregate(.average, values)) == group.average, "\(group)")
      }
    }
  }

  @Test("the sum of 200,000 greatest decimals takes no time for each that was added before")
  func manyGreatest() {
    var sum = ExactDecimalSum()
    let greatest = Decimal.greatestFiniteMagnitude
    let parts = DecimalParts(greatest)
    for _ in 0..<200_000 { sum.add(parts.mantissa, 0, isNegative: false) }
    for _ in 0..<199_999 { sum.add(parts.mantissa, 0, isNegative: true) }
    // 2^128 - 1 with 38 digits.
    #expect(DecimalCases.text(sum.value) == "34028236692093846346337460743176821146e1")
  }

  private func aggregate(_ aggregate: FetchAggregate, _ values: [Decimal]) -> PropertyValue {
    var sum = ValueAggregate(aggregate, of: .decimal)
    for value in values { sum.add(.decimal(value)) }
    return sum.result()
  }

  private func text(_ value: PropertyValue) -> String {
    guard case .decimal(let decimal) = value else { return "nil" }
    return DecimalCases.text(decimal)
  }
}
