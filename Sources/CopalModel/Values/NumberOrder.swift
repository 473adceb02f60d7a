package import CopalEssentials

/// How two numbers of any types compare: by their exact values, without a conversion that rounds.
///
/// `9007199254740993` is greater than the double `9007199254740992.0`, and the double `0.1` is
/// greater than the decimal `0.1`, because its exact value is 0.1000000000000000055….
package enum NumberOrder {
  /// -1 if the first number is less, 0 if they are equal, 1 if it is greater; nil for NaN, and for
  /// a value that is no number.
  package static func compare(_ a: PropertyValue, _ b: PropertyValue) -> Int? {
    switch (a, b) {
    case (.integer(let x), .integer(let y)): x == y ? 0 : x < y ? -1 : 1
    case (.double(let x), .double(let y)): x.isNaN || y.isNaN ? nil : x == y ? 0 : x < y ? -1 : 1
    case (.decimal(let x), .decimal(let y)): compare(x, y)
    case (.integer(let x), .double(let y)): compare(x, y)
    case (.double(let x), .integer(let y)): compare(y, x).map { -$0 }
    case (.integer(let x), .decimal(let y)):
      y.isNaN ? nil : DecimalParts(x).compare(with: DecimalParts(y))
    case (.decimal(let x), .integer(let y)):
      x.isNaN ? nil : DecimalParts(x).compare(with: DecimalParts(y))
    case (.decimal(let x), .double(let y)): x.isNaN ? nil : compare(DecimalParts(x), y)
    case (.double(let x), .decimal(let y)):
      y.isNaN ? nil : compare(DecimalParts(y), x).map { -$0 }
    default: nil
    }
  }

  package static func compare(_ a: Decimal, _ b: Decimal) -> Int? {
    a.isNaN || b.isNaN ? nil : DecimalParts(a).compare(with: DecimalParts(b))
  }

  /// The first whole number that is not below any of 64 bits.
  private static let end = 0x1p63

  private static func compare(_ a: Int64, _ b: Double) -> Int? {
    if b.isNaN { return nil }
    if b >= end { return -1 }
    if b < -end { return 1 }
    let whole = b.rounded(.down)
    // Not nil: a whole number from -2^63 to below 2^63.
    guard let floor = Int64(exactly: whole) else { return nil }
    if a != floor { return a < floor ? -1 : 1 }
    return b > whole ? -1 : 0
  }

  /// Compares a decimal with a double; nil for NaN.
  package static func compare(_ a: DecimalParts, _ b: Double) -> Int? {
    guard b.isFinite else { return b.isNaN ? nil : b > 0 ? -1 : 1 }
    let sign = a.mantissa == 0 ? 0 : a.isNegative ? -1 : 1
    let other = b == 0 ? 0 : b < 0 ? -1 : 1
    if sign != other || sign == 0 { return sign == other ? 0 : sign < other ? -1 : 1 }
    return sign * compareMagnitudes(a, b.magnitude)
  }

  /// Compares two numbers above zero as whole numbers: both are multiplied by the powers of two and
  /// ten that they lack.
  private static func compareMagnitudes(_ a: DecimalParts, _ b: Double) -> Int {
    let length = PowersOfTen.length(of: a.mantissa) + Int(a.exponent)
    // Far from each other, the powers of two decide: ten is more than 2^3.3 and less than 2^3.4.
    let (low, high) = length > 0 ? (3.3, 3.4) : (3.4, 3.3)
    if Double(b.exponent) > Double(length) * high + 1 { return -1 }
    if Double(b.exponent + 1) < Double(length - 1) * low - 4 { return 1 }
    var decimal = WideInteger(a.mantissa)
    var (double, power) = b.wholeParts
    if a.exponent > 0 {
      decimal.multiply(byTenTo: Int(a.exponent))
    } else {
      double.multiply(byTenTo: -Int(a.exponent))
    }
    if power > 0 { double.multiply(byTwoTo: power) } else { decimal.multiply(byTwoTo: -power) }
    return decimal == double ? 0 : decimal < double ? -1 : 1
  }
}

extension DecimalParts {
  package init(_ number: Int64) {
    self.init(
      mantissa: UInt128(number.magnitude), exponent: 0, isNegative: number < 0)
  }
}
