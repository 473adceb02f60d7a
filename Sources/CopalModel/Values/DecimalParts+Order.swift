/// The order of decimals by their numbers. `==` compares parts: 1.5 and 1.50 have different ones.
extension DecimalParts {
  /// -1 if the number is less than another one, 0 if they are equal, 1 if it is greater.
  package func compare(with other: DecimalParts) -> Int {
    if isNegative != other.isNegative {
      if mantissa == 0, other.mantissa == 0 { return 0 }
      return isNegative ? -1 : 1
    }
    let order = compareMagnitude(with: other)
    return isNegative ? -order : order
  }

  private func compareMagnitude(with other: DecimalParts) -> Int {
    if exponent < other.exponent { return -other.compareMagnitude(with: self) }
    if mantissa == 0 { return other.mantissa == 0 ? 0 : -1 }
    let power = Int(exponent - other.exponent)
    // A mantissa of more than 128 bits is greater than the other one.
    guard power <= PowersOfTen.greatest,
      case (let aligned, false) = mantissa.multipliedReportingOverflow(by: PowersOfTen[power])
    else { return 1 }
    return aligned == other.mantissa ? 0 : aligned < other.mantissa ? -1 : 1
  }
}
