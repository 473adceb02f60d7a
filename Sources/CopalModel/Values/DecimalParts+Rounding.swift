/// Results of arithmetic as decimals.
extension DecimalParts {
  /// The most digits of a result.
  private static let digits = 38
  private static let exponents = -128...127

  static let zero = DecimalParts(mantissa: 0, exponent: 0, isNegative: false)

  /// A whole number times a power of ten as a decimal. It is rounded once, half to even: to 38
  /// digits, and to the least exponent that a decimal can have.
  ///
  /// - Parameters:
  ///   - hasMore: whether the exact number is a little greater than this one, by less than one.
  ///   - magnitude: at least 40 digits long if there is more, so that the rest only decides ties.
  /// - Returns: the shortest mantissa; zero below one half of the least decimal; nil above the
  ///   greatest decimal.
  package static func rounding(
    _ magnitude: WideInteger, exponent: Int, isNegative: Bool, hasMore: Bool = false
  ) -> DecimalParts? {
    let surplus = max(magnitude.decimalLength - digits, exponents.lowerBound - exponent)
    if surplus <= 0, let narrow = magnitude.narrow {
      return fitting(narrow, exponent: exponent, isNegative)
    }
    var (whole, remainder) = (magnitude, WideInteger(0))
    // Below a tenth of the least decimal, every digit is dropped.
    var rest = min(surplus, magnitude.decimalLength + 1)
    var scale = 0
    while rest > 0 {
      let step = min(rest, PowersOfTen.greatest)
      var part = WideInteger(whole.divide(by: PowersOfTen[step]))
      part.multiply(byTenTo: scale)
      remainder.add(part)
      scale += step
      rest -= step
    }
    // The half of ten to the power of the dropped digits.
    var half = WideInteger(5)
    half.multiply(byTenTo: scale - 1)
    let narrow = whole.narrow ?? 0
    let isTie = remainder == half && !hasMore
    let roundsUp = isTie ? narrow % 2 == 1 : remainder >= half
    return fitting(roundsUp ? narrow + 1 : narrow, exponent: exponent + surplus, isNegative)
  }

  /// A mantissa of at most 38 digits as a decimal, if its exponent can be one.
  static func fitting(_ mantissa: UInt128, exponent: Int, _ isNegative: Bool) -> DecimalParts? {
    if mantissa == 0 { return zero }
    var (mantissa, exponent) = (mantissa, exponent)
    while mantissa % 10 == 0 {
      mantissa /= 10
      exponent += 1
    }
    while exponent > exponents.upperBound {
      let (longer, isTooLong) = mantissa.multipliedReportingOverflow(by: 10)
      if isTooLong { return nil }
      mantissa = longer
      exponent -= 1
    }
    return DecimalParts(
      mantissa: mantissa, exponent: Int32(exponent), isNegative: isNegative)
  }
}

extension DecimalParts {
  /// How a decimal becomes a whole number.
  package enum WholeRounding { case down, up, towardZero, toNearestOrEven }

  /// The next whole number below, above, or toward zero; or the nearest one, of two the even one.
  package func rounded(_ rule: WholeRounding) -> DecimalParts {
    if exponent >= 0 { return self }
    // Less than a half, because a mantissa has at most 128 bits.
    if -exponent > Int32(PowersOfTen.greatest) || mantissa == 0 {
      return whole(0, hadFraction: mantissa != 0, rule)
    }
    let divisor = PowersOfTen[Int(-exponent)]
    let (whole, fraction) = mantissa.quotientAndRemainder(dividingBy: divisor)
    if rule == .toNearestOrEven {
      let isAway = fraction * 2 > divisor || (fraction * 2 == divisor && whole % 2 == 1)
      return self.whole(isAway ? whole + 1 : whole, hadFraction: false, rule)
    }
    return self.whole(whole, hadFraction: fraction != 0, rule)
  }

  private func whole(
    _ truncated: UInt128, hadFraction: Bool, _ rule: WholeRounding
  ) -> DecimalParts {
    let isAway = hadFraction && (isNegative ? rule == .down : rule == .up)
    let whole = isAway ? truncated + 1 : truncated
    return DecimalParts(mantissa: whole, exponent: 0, isNegative: isNegative && whole != 0)
  }
}
