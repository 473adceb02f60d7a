extension DecimalText {
  /// The canonical text of the exact value of a double, which can have hundreds of digits:
  /// `0.1000000000000000055511151231257827021181583404541015625` for 0.1. For an infinity, a number
  /// beyond all doubles and decimals.
  package static func exact(_ number: Double) -> String {
    if number == 0 { return "0" }
    let sign = number < 0 ? "-" : ""
    guard number.isFinite else { return sign + "1" + String(repeating: "0", count: 400) }
    var (whole, power) = number.magnitude.wholeParts
    if power >= 0 {
      whole.multiply(byTwoTo: power)
      return sign + whole.decimalDigits
    }
    // A half is five tenths: the power of two is one of ten, and of five.
    while power < 0, let narrow = whole.narrow, narrow % 2 == 0 {
      whole.divide(by: 2)
      power += 1
    }
    for _ in 0..<(-power) { whole.multiply(by: 5) }
    let digits = whole.decimalDigits
    let point = digits.utf8.count + power
    if power == 0 { return sign + digits }
    return point > 0
      ? sign + digits.prefix(point) + "." + digits.suffix(-power)
      : sign + "0." + String(repeating: "0", count: -point) + digits
  }
}

extension Double {
  /// A finite number above zero as a whole number of 53 bits times a power of two.
  package var wholeParts: (whole: WideInteger, power: Int) {
    let power = max(Int(exponent), -1022) - 52
    return (
      WideInteger(UInt128(self / Double(sign: .plus, exponent: power, significand: 1))), power
    )
  }
}
