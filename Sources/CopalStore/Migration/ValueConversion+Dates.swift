import CopalEssentials
import CopalModel

/// Dates. A date is a number of seconds after 2001-01-01T00:00:00Z, so most sums and products of it
/// have no double. They are rounded once.
extension ValueConversion {
  /// Seconds from 1970 to 2001.
  private static let secondsFrom1970 = 978_307_200

  /// A date as a number is `(seconds + offset) × factor`.
  private var scale: (offset: Int, factor: Int)? {
    switch rule {
    case .secondsSince1970: (Self.secondsFrom1970, 1)
    case .secondsSince2001: (0, 1)
    case .millisecondsSince1970: (Self.secondsFrom1970, 1000)
    case .exact, .nearest: nil
    }
  }

  func converted(_ date: Date) -> PropertyValue? {
    switch new.type {
    case .date: return .date(date)
    case .string: return DateText.text(for: date).map { .string($0) }
    case .double:
      guard let (offset, factor) = scale else { return nil }
      // One rounding for both: https://en.wikipedia.org/wiki/Multiply–accumulate_operation
      let sum = Double(offset * factor).addingProduct(date.storedSeconds, Double(factor))
      return .double(sum + 0)
    case .integer16, .integer32, .integer64, .integer:
      guard let (offset, factor) = scale,
        let whole = Self.nearestInteger(date.storedSeconds, offset: offset, factor: factor),
        new.type.integerRange?.contains(whole) == true
      else { return nil }
      return .integer(whole)
    default: return nil
    }
  }

  /// The integer that is nearest to `(seconds + offset) × factor`, of two the even one.
  private static func nearestInteger(_ seconds: Double, offset: Int, factor: Int) -> Int64? {
    // Beyond these, no product is an integer of 64 bits.
    guard seconds.magnitude < 0x1p63 else { return nil }
    let sum = Int128(offset * factor)
    if seconds == 0 { return Int64(exactly: sum) }
    // The double as a whole number times a power of two.
    let power = Int(seconds.exponent) - Double.significandBitCount
    guard power > -80 else { return Int64(exactly: sum) }
    let significand = Int128(seconds.significand * 0x1p52) * (seconds < 0 ? -1 : 1)
    guard power < 0 else { return Int64(exactly: (significand << power) * Int128(factor) + sum) }
    let numerator = significand * Int128(factor) + sum << -power
    let whole = numerator >> -power
    let rest = numerator - whole << -power
    let half = Int128(1) << (-power - 1)
    let roundsUp = rest > half || (rest == half && whole & 1 == 1)
    return Int64(exactly: roundsUp ? whole + 1 : whole)
  }

  func date(_ number: Number) -> PropertyValue? {
    guard let (offset, factor) = scale else { return nil }
    let (high, low): (Double, Double)
    switch number {
    case .integer(let number):
      // The exact difference in two doubles.
      let difference = Int128(number) - Int128(offset * factor)
      high = Double(difference)
      low = Double(difference - Int128(high))
    case .double(let number):
      guard number.isFinite else { return nil }
      let sum = number - Double(offset * factor)
      // https://en.wikipedia.org/wiki/2Sum
      let back = sum - number
      (high, low) = (sum, (number - (sum - back)) + (-Double(offset * factor) - back))
    case .decimal: return nil
    }
    let quotient = high / Double(factor)
    let rest = high.addingProduct(-quotient, Double(factor)) + low
    return .date(Date(storedSeconds: quotient + rest / Double(factor)))
  }
}
