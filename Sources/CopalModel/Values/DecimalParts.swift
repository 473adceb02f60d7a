package import CopalEssentials

/// The parts of a decimal: mantissa times ten to the power of the exponent.
package struct DecimalParts: Hashable {
  package var mantissa: UInt128
  package var exponent: Int32
  package var isNegative: Bool

  package init(mantissa: UInt128, exponent: Int32, isNegative: Bool) {
    self.mantissa = mantissa
    self.exponent = exponent
    self.isNegative = isNegative
  }

  /// The parts of the same number with the shortest mantissa: 1.5 for 1.50.
  package var shortest: DecimalParts {
    if mantissa == 0 { return DecimalParts(mantissa: 0, exponent: 0, isNegative: false) }
    var parts = self
    while parts.mantissa % 10 == 0 {
      parts.mantissa /= 10
      parts.exponent += 1
    }
    return parts
  }

  /// The decimal of a 64-bit mantissa, which most decimals have.
  @inline(__always)
  static func decimal(_ mantissa: UInt64, exponent: Int32, isNegative: Bool) -> Decimal {
    DecimalParts(mantissa: UInt128(mantissa), exponent: exponent, isNegative: isNegative).decimal
  }
}

#if canImport(Darwin)

  extension DecimalParts {
    package init(_ decimal: Decimal) {
      let words = decimal._mantissa
      mantissa = DecimalBits.mantissa(words)
      exponent = decimal._exponent
      isNegative = decimal._isNegative != 0
    }

    package var decimal: Decimal {
      let words = (143 - mantissa.leadingZeroBitCount) / 16
      return Decimal(
        _exponent: exponent, _length: UInt32(words), _isNegative: isNegative ? 1 : 0,
        _isCompact: 0, _reserved: 0, _mantissa: DecimalBits.words(mantissa))
    }
  }

#else

  extension DecimalParts {
    package init(_ decimal: Decimal) {
      if DecimalBits.areAsExpected {
        self = unsafeBitCast(decimal, to: DecimalBits.self).parts
      } else {
        self.init(slowly: decimal)
      }
    }

    package var decimal: Decimal {
      DecimalBits.areAsExpected ? unsafeBitCast(DecimalBits(self), to: Decimal.self) : slowDecimal
    }

    /// Uses only Foundation's public interface, in case Foundation's layout of decimals differs.
    private init(slowly decimal: Decimal) {
      var digits: UInt128 = 0
      for byte in decimal.significand.description.utf8 {
        let digit = byte &- UInt8(ascii: "0")
        if digit < 10 { digits = digits &* 10 &+ UInt128(digit) }
      }
      self.init(
        mantissa: digits, exponent: Int32(decimal.exponent), isNegative: decimal.isSignMinus)
    }

    fileprivate var slowDecimal: Decimal {
      let whole = Decimal(string: "\(mantissa)") ?? .nan
      return Decimal(sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: whole)
    }
  }

#endif

/// The memory layout of Foundation's decimal on platforms other than Apple's.
///
/// swift-foundation gives no access to the parts, and going through its interface costs 0.4 to 1.2
/// microseconds a value. The layout is not guaranteed, so each process checks it once against
/// values made through the interface. If it differs, the slow way is used.
struct DecimalBits {
  var exponent: Int8
  /// The number of mantissa words in the high four bits, then negative, compact and two unused.
  var lengthAndFlags: UInt8
  var reserved: UInt16
  var words: Words

  typealias Words = (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16)

  static func mantissa(_ words: Words) -> UInt128 {
    let low = half((words.0, words.1, words.2, words.3))
    let high = half((words.4, words.5, words.6, words.7))
    return UInt128(high) << 64 | UInt128(low)
  }

  private static func half(_ words: (UInt16, UInt16, UInt16, UInt16)) -> UInt64 {
    let low = UInt64(words.0) | UInt64(words.1) << 16
    let high = UInt64(words.2) | UInt64(words.3) << 16
    return low | high << 32
  }

  static func words(_ mantissa: UInt128) -> Words {
    let low = UInt64(truncatingIfNeeded: mantissa)
    let high = UInt64(truncatingIfNeeded: mantissa >> 64)
    func word(_ bits: UInt64, _ index: UInt64) -> UInt16 {
      UInt16(truncatingIfNeeded: bits &>> (16 &* index))
    }
    return (
      word(low, 0), word(low, 1), word(low, 2), word(low, 3), word(high, 0), word(high, 1),
      word(high, 2), word(high, 3)
    )
  }

  #if !canImport(Darwin)

    private static let negative: UInt8 = 0b1000

    init(_ parts: DecimalParts) {
      let count = (143 - parts.mantissa.leadingZeroBitCount) / 16
      exponent = Int8(truncatingIfNeeded: parts.exponent)
      lengthAndFlags =
        UInt8(truncatingIfNeeded: count) << 4 | (parts.isNegative ? Self.negative : 0)
      reserved = 0
      words = Self.words(parts.mantissa)
    }

    var parts: DecimalParts {
      DecimalParts(
        mantissa: Self.mantissa(words), exponent: Int32(exponent),
        isNegative: lengthAndFlags & Self.negative != 0)
    }

    static let areAsExpected: Bool = {
      guard MemoryLayout<Decimal>.size == MemoryLayout<DecimalBits>.size else { return false }
      let samples = [
        DecimalParts(mantissa: 1, exponent: 0, isNegative: false),
        DecimalParts(mantissa: 123_456, exponent: -2, isNegative: true),
        DecimalParts(mantissa: 987_654_321_987_654_321, exponent: 7, isNegative: false),
        DecimalParts(
          mantissa: 12_345_678_901_234_567_890_123_456_789_012_345_678, exponent: -30,
          isNegative: true),
      ]
      return samples.allSatisfy { sample in
        let made = sample.slowDecimal
        let bits = unsafeBitCast(made, to: DecimalBits.self).parts
        return bits.mantissa == sample.mantissa && bits.exponent == sample.exponent
          && bits.isNegative == sample.isNegative
          && unsafeBitCast(DecimalBits(sample), to: Decimal.self).description == made.description
      }
    }()

  #endif
}

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
