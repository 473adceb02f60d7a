/// The arithmetic of decimals, on whole numbers.
///
/// A sum, difference or product is exact if it has at most 38 digits and an exponent of decimals.
/// Other results, and quotients, are the exact result rounded to 38 digits, half to even. Below one
/// half of the least decimal the result is zero, above the greatest one nil. Remainders are exact.
///
/// Foundation's operators are not used: some products end the process, and quotients lose digits.
extension DecimalParts {
  package func adding(_ other: DecimalParts) -> DecimalParts? {
    if let sum = shortSum(other) { return sum }
    let low = min(exponent, other.exponent)
    let (a, b) = (aligned(to: low), other.aligned(to: low))
    var (sum, isNegative) = (a, self.isNegative)
    if self.isNegative == other.isNegative {
      sum.add(b)
    } else if b < a {
      sum.subtract(b)
    } else {
      (sum, isNegative) = (b, other.isNegative)
      sum.subtract(a)
    }
    return .rounding(sum, exponent: Int(low), isNegative: isNegative)
  }

  package func subtracting(_ other: DecimalParts) -> DecimalParts? { adding(other.negated) }

  package func multiplied(by other: DecimalParts) -> DecimalParts? {
    let isNegative = isNegative != other.isNegative
    var product = WideInteger(mantissa)
    product.multiply(by: other.mantissa)
    return .rounding(
      product, exponent: Int(exponent) + Int(other.exponent), isNegative: isNegative)
  }

  /// The quotient; nil for a division by zero.
  package func divided(by divisor: DecimalParts) -> DecimalParts? {
    Self.quotient(
      WideInteger(mantissa), divisor.mantissa, exponent: Int(exponent) - Int(divisor.exponent),
      isNegative: isNegative != divisor.isNegative)
  }

  /// The quotient of two whole numbers times a power of ten; nil for a division by zero.
  package static func quotient(
    _ dividend: WideInteger, _ divisor: UInt128, exponent: Int, isNegative: Bool
  ) -> DecimalParts? {
    if divisor == 0 { return nil }
    if dividend.isZero { return zero }
    // With 41 more digits than the divisor, the quotient has at least 40.
    let zeros = max(0, 41 + PowersOfTen.length(of: divisor) - dividend.decimalLength)
    var quotient = dividend
    quotient.multiply(byTenTo: zeros)
    let remainder = quotient.divide(by: divisor)
    return rounding(
      quotient, exponent: exponent - zeros, isNegative: isNegative, hasMore: remainder != 0)
  }

  /// What a division to a whole number leaves, with the sign of the dividend; nil for zero as
  /// divisor.
  package func remainder(dividingBy divisor: DecimalParts) -> DecimalParts? {
    if divisor.mantissa == 0 { return nil }
    if mantissa == 0 { return .zero }
    let power = Int(exponent) - Int(divisor.exponent)
    if power >= 0 {
      var dividend = aligned(to: divisor.exponent)
      return .fitting(
        dividend.divide(by: divisor.mantissa), exponent: Int(divisor.exponent), isNegative)
    }
    guard -power <= PowersOfTen.greatest,
      case (let factor, false) = divisor.mantissa.multipliedReportingOverflow(
        by: PowersOfTen[-power])
    else { return self }
    return .fitting(mantissa % factor, exponent: Int(exponent), isNegative)
  }

  /// The number without its sign.
  package var absolute: DecimalParts {
    DecimalParts(mantissa: mantissa, exponent: exponent, isNegative: false)
  }

  /// The number with the other sign.
  package var negated: DecimalParts {
    DecimalParts(
      mantissa: mantissa, exponent: exponent, isNegative: !isNegative && mantissa != 0)
  }

  /// The mantissa with another exponent that is not greater.
  private func aligned(to low: Int32) -> WideInteger {
    var number = WideInteger(mantissa)
    number.multiply(byTenTo: Int(exponent - low))
    return number
  }

  /// The sum of two numbers of at most 64 bits whose exponents are near, as most are; nil for
  /// others.
  private func shortSum(_ other: DecimalParts) -> DecimalParts? {
    let limit = UInt128(UInt64.max)
    let low = min(exponent, other.exponent)
    guard mantissa <= limit, other.mantissa <= limit, exponent - low <= 18,
      other.exponent - low <= 18
    else { return nil }
    func signed(_ parts: DecimalParts) -> Int128 {
      let whole = Int128(parts.mantissa) &* Int128(PowersOfTen[Int(parts.exponent - low)])
      return parts.isNegative ? -whole : whole
    }
    let sum = signed(self) + signed(other)
    return .fitting(sum.magnitude, exponent: Int(low), sum < 0)
  }
}
