package import CopalEssentials
import CopalModel

/// The exact sum of decimals: integers by power of ten, which are joined when the sum is asked for.
package struct ExactDecimalSum: Sendable {
  /// The sum of mantissas with one exponent. Several have the same exponent where an integer of 128 bits is not enough.
  private struct Part: Sendable {
    var exponent: Int
    var sum: Int128
  }

  private var parts: [Part] = []
  private var isNaN = false

  package init() {}

  package mutating func add(_ number: Decimal) {
    if number.isNaN {
      isNaN = true
      return
    }
    let decimal = DecimalParts(number)
    let exponent = Int(decimal.exponent)
    func add(_ part: UInt128) {
      self.add(decimal.isNegative ? -Int128(part) : Int128(part), exponent)
    }
    if decimal.mantissa <= UInt128(Int128.max) { return add(decimal.mantissa) }
    // A mantissa of 128 bits is added in four parts.
    let quarter = decimal.mantissa / 4
    for _ in 0..<3 { add(quarter) }
    add(decimal.mantissa - 3 * quarter)
  }

  /// Adds an integer times a power of ten.
  package mutating func add(_ mantissa: Int128, _ exponent: Int) {
    for index in parts.indices where parts[index].exponent == exponent {
      let (sum, isTooGreat) = parts[index].sum.addingReportingOverflow(mantissa)
      if !isTooGreat {
        parts[index].sum = sum
        return
      }
    }
    parts.append(Part(exponent: exponent, sum: mantissa))
  }

  /// The sum, rounded to 38 digits if it has more; NaN for one beyond all decimals.
  package var value: Decimal {
    if isNaN { return .nan }
    guard let least = parts.map(\.exponent).min() else { return 0 }
    var total = DigitNumber()
    for part in parts { total.add(part.sum, zeros: part.exponent - least) }
    return DecimalLiteral(total.text(exponent: least))?.decimal ?? .nan
  }
}

/// An integer of any length as decimal digits, the last one first: separate sums for the positive and the negative numbers.
private struct DigitNumber {
  private var positive: [Int] = []
  private var negative: [Int] = []

  /// Adds a number with zeros behind it.
  mutating func add(_ number: Int128, zeros: Int) {
    let digits = [Int](repeating: 0, count: zeros) + Self.digits(number.magnitude)
    if number < 0 { Self.add(digits, to: &negative) } else { Self.add(digits, to: &positive) }
  }

  private static func digits(_ number: UInt128) -> [Int] {
    var digits: [Int] = []
    var rest = number
    while rest != 0 {
      digits.append(Int(rest % 10))
      rest /= 10
    }
    return digits
  }

  private static func add(_ digits: [Int], to sum: inout [Int]) {
    var carry = 0
    var index = 0
    while index < digits.count || carry != 0 {
      if index == sum.count { sum.append(0) }
      let total = sum[index] + carry + (index < digits.count ? digits[index] : 0)
      sum[index] = total % 10
      carry = total / 10
      index += 1
    }
  }

  /// The difference of the sums with a power of ten, with at most 38 digits: `-1234e-2`.
  func text(exponent: Int) -> String {
    let isNegative = Self.isLess(positive, negative)
    var digits =
      isNegative ? Self.subtract(positive, from: negative) : Self.subtract(negative, from: positive)
    var exponent = exponent
    let tooMany = digits.count - 38
    if tooMany > 0 {
      let roundsUp = digits[tooMany - 1] >= 5
      digits.removeFirst(tooMany)
      exponent += tooMany
      if roundsUp { Self.add([1], to: &digits) }
    }
    let text = digits.reversed().map(String.init).joined()
    return (isNegative ? "-" : "") + (text.isEmpty ? "0" : text) + "e\(exponent)"
  }

  private static func isLess(_ a: [Int], _ b: [Int]) -> Bool {
    a.count == b.count ? a.reversed().lexicographicallyPrecedes(b.reversed()) : a.count < b.count
  }

  /// The difference of a number and one that is not greater.
  private static func subtract(_ b: [Int], from a: [Int]) -> [Int] {
    var result = a
    var borrow = 0
    for index in result.indices {
      let digit = result[index] - borrow - (index < b.count ? b[index] : 0)
      borrow = digit < 0 ? 1 : 0
      result[index] = digit + borrow * 10
    }
    while result.last == 0 { result.removeLast() }
    return result
  }
}
