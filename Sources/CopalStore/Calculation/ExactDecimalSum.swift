package import CopalEssentials
import CopalModel

/// The exact sum of decimals: whole numbers by power of ten, which are joined when the sum is asked
/// for. So the result does not depend on the order, and is rounded once.
package struct ExactDecimalSum: Sendable {
  /// The sum of mantissas with one exponent: 192 bits, which 2^63 mantissas cannot fill.
  private struct Part: Sendable {
    let exponent: Int
    private var low: UInt128 = 0
    private var high: Int64 = 0

    init(_ exponent: Int) { self.exponent = exponent }

    @inline(__always)
    mutating func add(_ mantissa: UInt128, isNegative: Bool) {
      if isNegative {
        let (difference, isBelow) = low.subtractingReportingOverflow(mantissa)
        low = difference
        high &-= isBelow ? 1 : 0
      } else {
        let (sum, isAbove) = low.addingReportingOverflow(mantissa)
        low = sum
        high &+= isAbove ? 1 : 0
      }
    }

    var isNegative: Bool { high < 0 }

    var magnitude: WideInteger {
      // The two's complement of a number below zero.
      let carry: Int64 = low == 0 ? 1 : 0
      let upper = isNegative ? ~high &+ carry : high
      var number = WideInteger(UInt128(upper.magnitude))
      number.multiply(byTwoTo: 128)
      number.add(WideInteger(isNegative ? ~low &+ 1 : low))
      return number
    }
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
    add(decimal.mantissa, Int(decimal.exponent), isNegative: decimal.isNegative)
  }

  /// Adds a whole number times a power of ten.
  @inline(__always)
  package mutating func add(_ mantissa: UInt128, _ exponent: Int, isNegative: Bool) {
    for index in parts.indices where parts[index].exponent == exponent {
      return parts[index].add(mantissa, isNegative: isNegative)
    }
    var part = Part(exponent)
    part.add(mantissa, isNegative: isNegative)
    parts.append(part)
  }

  /// The sum, rounded to 38 digits if it has more; NaN for one beyond all decimals.
  package var value: Decimal { quotient(dividingBy: 1) }

  /// The sum divided by a number of values: the exact sum, rounded once.
  package func average(of count: Int64) -> Decimal {
    quotient(dividingBy: UInt128(count.magnitude))
  }

  private func quotient(dividingBy divisor: UInt128) -> Decimal {
    if isNaN { return .nan }
    let (magnitude, exponent, isNegative) = total
    let parts =
      divisor == 1
      ? DecimalParts.rounding(magnitude, exponent: exponent, isNegative: isNegative)
      : .quotient(magnitude, divisor, exponent: exponent, isNegative: isNegative)
    return parts?.decimal ?? .nan
  }

  /// The exact sum: a whole number times a power of ten.
  private var total: (magnitude: WideInteger, exponent: Int, isNegative: Bool) {
    let least = parts.map(\.exponent).min() ?? 0
    var sums = (positive: WideInteger(0), negative: WideInteger(0))
    for part in parts {
      var number = part.magnitude
      number.multiply(byTenTo: part.exponent - least)
      if part.isNegative { sums.negative.add(number) } else { sums.positive.add(number) }
    }
    let isNegative = sums.positive < sums.negative
    var magnitude = isNegative ? sums.negative : sums.positive
    magnitude.subtract(isNegative ? sums.positive : sums.negative)
    return (magnitude, least, isNegative)
  }
}
