/// A whole number of any length, without a sign: digits of 128 bits, the least first.
///
/// Decimals need it where a result has more than 128 bits before it is rounded. It has only the
/// operations that they need: each takes one digit of 128 bits.
package struct WideInteger: Equatable, Sendable {
  /// The digits without zeros at the end; empty for zero.
  private var digits: [UInt128]

  package init(_ number: UInt128) { digits = number == 0 ? [] : [number] }

  package var isZero: Bool { digits.isEmpty }

  /// The number, if it has at most 128 bits.
  package var narrow: UInt128? {
    digits.count > 1 ? nil : digits.first ?? 0
  }

  package mutating func add(_ other: WideInteger) {
    var carry = false
    for index in 0..<max(digits.count, other.digits.count) {
      if index == digits.count { digits.append(0) }
      let digit = index < other.digits.count ? other.digits[index] : 0
      let (sum, first) = digits[index].addingReportingOverflow(digit)
      let (total, second) = sum.addingReportingOverflow(carry ? 1 : 0)
      digits[index] = total
      carry = first || second
    }
    if carry { digits.append(1) }
  }

  /// Subtracts a number that is not greater.
  package mutating func subtract(_ other: WideInteger) {
    var borrow = false
    for index in digits.indices {
      let digit = index < other.digits.count ? other.digits[index] : 0
      let (difference, first) = digits[index].subtractingReportingOverflow(digit)
      let (rest, second) = difference.subtractingReportingOverflow(borrow ? 1 : 0)
      digits[index] = rest
      borrow = first || second
    }
    removeZeros()
  }

  package mutating func multiply(by factor: UInt128) {
    var carry: UInt128 = 0
    for index in digits.indices {
      let (high, low) = digits[index].multipliedFullWidth(by: factor)
      let (sum, isTooGreat) = low.addingReportingOverflow(carry)
      digits[index] = sum
      // The greatest high half is two less than the greatest number.
      carry = isTooGreat ? high &+ 1 : high
    }
    if carry != 0 { digits.append(carry) }
    removeZeros()
  }

  /// Divides by a number that is not zero.
  ///
  /// - Returns: the remainder.
  @discardableResult
  package mutating func divide(by divisor: UInt128) -> UInt128 {
    var remainder: UInt128 = 0
    for index in digits.indices.reversed() {
      if remainder == 0 {
        (digits[index], remainder) = digits[index].quotientAndRemainder(dividingBy: divisor)
      } else {
        (digits[index], remainder) = divisor.dividingFullWidth((remainder, digits[index]))
      }
    }
    removeZeros()
    return remainder
  }

  private mutating func removeZeros() {
    while digits.last == 0 { digits.removeLast() }
  }
}

// MARK: Powers

extension WideInteger {
  package mutating func multiply(byTenTo power: Int) {
    var rest = power
    while rest > 0, !isZero {
      let step = min(rest, PowersOfTen.greatest)
      multiply(by: PowersOfTen[step])
      rest -= step
    }
  }

  package mutating func multiply(byTwoTo power: Int) {
    var rest = power
    while rest > 0, !isZero {
      let step = min(rest, 127)
      multiply(by: 1 << UInt128(step))
      rest -= step
    }
  }

  /// The number of decimal digits; 0 for zero.
  package var decimalLength: Int {
    var rest = self
    var length = 0
    while rest.digits.count > 1 {
      rest.divide(by: PowersOfTen[PowersOfTen.greatest])
      length += PowersOfTen.greatest
    }
    return length + PowersOfTen.length(of: rest.digits.first ?? 0)
  }
}

extension WideInteger {
  /// The decimal digits; empty for zero.
  package var decimalDigits: String {
    var rest = self
    var groups: [String] = []
    while !rest.isZero {
      let group = String(rest.divide(by: PowersOfTen[PowersOfTen.greatest]))
      let zeros = rest.isZero ? 0 : PowersOfTen.greatest - group.utf8.count
      groups.append(String(repeating: "0", count: zeros) + group)
    }
    return groups.reversed().joined()
  }
}

extension WideInteger: Comparable {
  package static func < (a: WideInteger, b: WideInteger) -> Bool {
    if a.digits.count != b.digits.count { return a.digits.count < b.digits.count }
    for (x, y) in zip(a.digits, b.digits).reversed() where x != y { return x < y }
    return false
  }
}

/// The powers of ten that have at most 128 bits.
package enum PowersOfTen {
  /// The greatest exponent of a power.
  package static let greatest = 38

  private static let powers: [UInt128] = {
    var powers: [UInt128] = [1]
    for _ in 0..<greatest { powers.append((powers.last ?? 1) * 10) }
    return powers
  }()

  /// Ten to a power from 0 to ``greatest``.
  package static subscript(exponent: Int) -> UInt128 { powers[exponent] }

  /// The number of decimal digits of a number; 0 for zero.
  package static func length(of number: UInt128) -> Int {
    if number == 0 { return 0 }
    // A digit has 3.32 bits: 1233 / 4096 is a little less than the logarithm of 2.
    let estimate = ((128 - number.leadingZeroBitCount) * 1233) >> 12
    return number < powers[estimate] ? estimate : estimate + 1
  }
}
