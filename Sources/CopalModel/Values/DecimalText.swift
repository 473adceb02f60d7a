public import CopalEssentials

/// Converts decimals to text and to scaled integers, and back, without rounding.
///
/// Foundation's parser ignores text after the digits and drops digits without an error. Its parser
/// and printer are slow (0.4 and 1.2 microseconds). These functions accept only the form `-12.50`.
/// Those that work on bytes do not allocate.
///
/// The canonical text of a decimal has no exponent, no leading zeros before other digits and no
/// trailing zeros after the point, so two decimals are equal exactly when their texts are.
public enum DecimalText {
  /// The size in bytes of a buffer for ``write(_:to:)``. No text is longer.
  public static let maximumLength = 272

  /// The decimal of a text that has only a sign, digits, a decimal point and digits.
  ///
  /// It reads every text that ``write(_:to:)`` makes. 38 digits always fit into a `Decimal`, and 39
  /// digits when the number has at most 128 bits.
  ///
  /// - Returns: nil for another text, and for more digits than a `Decimal` can hold.
  public static func parse(_ text: UnsafeRawBufferPointer) -> Decimal? {
    text.count <= shortLength ? parseShort(text) : parseLong(text)
  }

  /// The digits of a text of this many bytes fit into 64 bits.
  private static let shortLength = 18

  /// The fast path, which nearly every number takes.
  // Inlined: without it, a read of a decimal takes 1 ns of 16 more.
  @inline(__always)
  private static func parseShort(_ text: UnsafeRawBufferPointer) -> Decimal? {
    guard let parts = shortParts(text) else { return nil }
    var (mantissa, exponent) = (parts.mantissa, parts.exponent)
    if mantissa == 0 { return 0 }
    while mantissa % 10 == 0 {
      mantissa /= 10
      exponent &+= 1
    }
    return DecimalParts.decimal(mantissa, exponent: exponent, isNegative: parts.isNegative)
  }

  /// The digits of a text of at most 18 bytes as an integer, and the power of ten that it is
  /// multiplied with: 1250 and -2 for `12.50`.
  ///
  /// - Returns: nil for a longer text, and for one that is no decimal.
  @inline(__always)
  package static func parts(_ text: UnsafeRawBufferPointer) -> (mantissa: Int64, exponent: Int)? {
    guard text.count <= shortLength, let parts = shortParts(text) else { return nil }
    let mantissa = Int64(truncatingIfNeeded: parts.mantissa)
    return (parts.isNegative ? -mantissa : mantissa, Int(parts.exponent))
  }

  // Inlined, for the same reason.
  @inline(__always)
  private static func shortParts(_ text: UnsafeRawBufferPointer) -> (
    mantissa: UInt64, exponent: Int32, isNegative: Bool
  )? {
    let isNegative = text.first == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    var mantissa: UInt64 = 0
    var index = start
    // Two short loops, one on each side of the point: one loop that looks for the point in every
    // round takes a quarter longer when its instructions lie unfavorably in memory.
    func readDigits() {
      while index < text.count {
        let digit = text[index] &- UInt8(ascii: "0")
        if digit >= 10 { return }
        mantissa = mantissa &* 10 &+ UInt64(digit)
        index &+= 1
      }
    }
    readDigits()
    guard index > start else { return nil }
    var exponent: Int32 = 0
    if index < text.count {
      // One point, with digits on both sides.
      guard text[index] == UInt8(ascii: ".") else { return nil }
      index &+= 1
      let fraction = index
      readDigits()
      guard index > fraction, index == text.count else { return nil }
      exponent = Int32(truncatingIfNeeded: fraction &- text.count)
    }
    return (mantissa, exponent, isNegative)
  }

  private static func parseLong(_ text: UnsafeRawBufferPointer) -> Decimal? {
    var index = 0
    var isNegative = false
    if let first = text.first, first == UInt8(ascii: "-") {
      isNegative = true
      index = 1
    }
    guard index < text.count else { return nil }
    var mantissa: UInt128 = 0
    var low: UInt64 = 0
    var exponent: Int32 = 0
    var zeros: Int32 = 0
    var digits = 0
    var seen = 0
    var isFraction = false
    var isWide = false
    while index < text.count {
      let byte = text[index]
      index &+= 1
      if byte == UInt8(ascii: ".") {
        if isFraction || seen == 0 || index == text.count { return nil }
        isFraction = true
        continue
      }
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      seen &+= 1
      // Zeros are counted and added only when a digit follows, so that trailing zeros do not use up
      // precision.
      if digit == 0 {
        if digits > 0 || isFraction { zeros &+= 1 }
        if isFraction { exponent &-= 1 }
        continue
      }
      digits = digits == 0 ? 1 : digits &+ 1 &+ Int(zeros)
      guard digits <= 39 else { return nil }
      if !isWide, digits > 19 {
        isWide = true
        mantissa = UInt128(low)
      }
      if isWide {
        if mantissa != 0 { for _ in 0..<zeros { mantissa &*= 10 } }
        guard let longer = appending(digit, to: mantissa) else { return nil }
        mantissa = longer
      } else {
        if low != 0 { for _ in 0..<zeros { low &*= 10 } }
        low = low &* 10 &+ UInt64(digit)
      }
      zeros = 0
      if isFraction { exponent &-= 1 }
    }
    guard seen > 0 else { return nil }
    if !isWide { mantissa = UInt128(low) }
    if mantissa == 0 { return 0 }
    exponent &+= zeros
    while exponent > 127, let longer = appending(0, to: mantissa) {
      mantissa = longer
      exponent &-= 1
    }
    guard exponent >= -128, exponent <= 127 else { return nil }
    return DecimalParts(mantissa: mantissa, exponent: exponent, isNegative: isNegative).decimal
  }

  private static func appending(_ digit: UInt8, to mantissa: UInt128) -> UInt128? {
    let (shifted, isTooLong) = mantissa.multipliedReportingOverflow(by: 10)
    let (sum, isTooGreat) = shifted.addingReportingOverflow(UInt128(digit))
    return isTooLong || isTooGreat ? nil : sum
  }

  /// Whether a text has none of the zeros that the canonical one lacks: in front of other digits,
  /// after the last one behind the point, or as a negative zero. A text that passes and parses is
  /// canonical.
  public static func hasNoRedundantZero(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let last = text.last else { return false }
    let start = text[0] == UInt8(ascii: "-") ? 1 : 0
    let (zero, point) = (UInt8(ascii: "0"), UInt8(ascii: "."))
    if start < text.count, text[start] == zero {
      // Zero has no minus sign.
      if start &+ 1 == text.count { return start == 0 }
      if text[start &+ 1] != point { return false }
    }
    return last != zero || !text.contains(point)
  }

  /// The decimal of a text that has only a sign, digits, a decimal point and digits; nil for
  /// another text.
  public static func parse(_ text: String) -> Decimal? {
    var text = text
    return text.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
  }

  /// Writes the canonical text to the start of the buffer, which must have room for
  /// ``maximumLength`` bytes.
  ///
  /// - Returns: the number of bytes written; 0 for a NaN.
  public static func write(_ decimal: Decimal, to buffer: UnsafeMutablePointer<UInt8>) -> Int {
    if decimal.isNaN { return 0 }
    let parts = DecimalParts(decimal)
    var (mantissa, exponent) = (parts.mantissa, Int(parts.exponent))
    if mantissa == 0 {
      buffer[0] = UInt8(ascii: "0")
      return 1
    }
    while mantissa % 10 == 0, exponent < 0 {
      mantissa /= 10
      exponent += 1
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { reversed in
      var digits = 0
      if mantissa <= UInt128(UInt64.max) {
        var rest = UInt64(truncatingIfNeeded: mantissa)
        while rest != 0 {
          reversed[digits] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
          rest /= 10
          digits += 1
        }
      } else {
        while mantissa != 0 {
          reversed[digits] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: mantissa % 10)
          mantissa /= 10
          digits += 1
        }
      }
      var count = 0
      func put(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
      }
      if parts.isNegative { put(UInt8(ascii: "-")) }
      // `whole` is the number of digits before the point; it may be negative (0.001) or more than
      // there are digits (1000).
      let whole = digits + exponent
      if whole <= 0 {
        put(UInt8(ascii: "0"))
        put(UInt8(ascii: "."))
        for _ in 0..<(-whole) { put(UInt8(ascii: "0")) }
      }
      for position in 0..<digits {
        if position == whole, whole > 0 { put(UInt8(ascii: ".")) }
        put(reversed[digits - 1 - position])
      }
      for _ in 0..<max(0, exponent) { put(UInt8(ascii: "0")) }
      return count
    }
  }

  /// The canonical text of a decimal; empty for a NaN.
  public static func string(_ decimal: Decimal) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximumLength) { buffer in
      guard let start = buffer.baseAddress else { return "" }
      let count = write(decimal, to: start)
      return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }

  /// The decimal times ten to the power of `scale`, as an integer.
  ///
  /// - Returns: nil when digits would be lost, or the integer does not fit into 64 bits.
  public static func scaled(_ decimal: Decimal, by scale: Int) -> Int64? {
    guard let (number, isExact) = rounded(decimal, by: scale), isExact else { return nil }
    return number
  }

  /// The same, rounded down to an integer.
  ///
  /// - Returns: nil for NaN, and for a number beyond the 64 bits of an integer.
  package static func floor(_ decimal: Decimal, by scale: Int) -> Int64? {
    rounded(decimal, by: scale)?.number
  }

  private static func rounded(_ decimal: Decimal, by scale: Int) -> (number: Int64, isExact: Bool)?
  {
    if decimal.isNaN { return nil }
    let parts = DecimalParts(decimal)
    var (mantissa, exponent) = (parts.mantissa, Int(parts.exponent) + scale)
    if mantissa == 0 { return (0, true) }
    var isExact = true
    while exponent < 0 {
      if mantissa % 10 != 0 { isExact = false }
      mantissa /= 10
      exponent += 1
    }
    if !isExact, parts.isNegative { mantissa += 1 }
    while exponent > 0 {
      guard mantissa <= UInt128(Int64.min.magnitude) else { return nil }
      mantissa *= 10
      exponent -= 1
    }
    // Uses 128 bits, because the least integer has no positive counterpart.
    guard let magnitude = Int128(exactly: mantissa) else { return nil }
    return Int64(exactly: parts.isNegative ? -magnitude : magnitude).map { ($0, isExact) }
  }

  /// The decimal of an integer that was multiplied by ten to the power of `scale`. It has no
  /// trailing zeros: 3, not 3.00.
  public static func decimal(scaled number: Int64, by scale: Int) -> Decimal {
    var magnitude = number.magnitude
    guard magnitude != 0 else { return 0 }
    var exponent = Int32(truncatingIfNeeded: -scale)
    while exponent < 0, magnitude % 10 == 0 {
      magnitude /= 10
      exponent += 1
    }
    return DecimalParts.decimal(magnitude, exponent: exponent, isNegative: number < 0)
  }
}

extension DecimalText {
  /// The decimal of a text as people and other programs write it, too: `+0.1`, `.05`, `5.` and
  /// `1E-12` beside `12.50`.
  ///
  /// For texts that a program converts. The stored form of a decimal is read with ``parse(_:)``.
  ///
  /// - Returns: nil for another text, for more than 38 digits, and beyond all decimals.
  package static func written(_ text: String) -> Decimal? {
    parse(text) ?? DecimalLiteral(written: text)?.decimal
  }
}

extension DecimalLiteral {
  /// Reads a number as people and other programs write it, too, as ``DecimalText/written(_:)``.
  package init?(written text: String) {
    var number = Substring(text)
    var sign = ""
    if let first = number.first, first == "+" || first == "-" {
      sign = first == "-" ? "-" : ""
      number.removeFirst()
    }
    let power = number.firstIndex { $0 == "e" || $0 == "E" }
    let parts = number[..<(power ?? number.endIndex)].split(
      separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }),
      parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } })
    else { return nil }
    let whole = parts[0].drop { $0 == "0" }
    let fraction = parts.count == 2 ? parts[1] : ""
    // The form that JSON has. Step by step: as one expression, it takes the compiler most of a
    // second.
    var json = sign
    json += whole.isEmpty ? "0" : whole
    if !fraction.isEmpty { json += "." + fraction }
    if let power { json += number[power...] }
    self.init(json)
  }

  /// The number as a text that every parser of numbers reads: `-125e-1`.
  package var text: String {
    digits.isEmpty ? "0" : (isNegative ? "-" : "") + digits + "e\(exponent)"
  }
}
