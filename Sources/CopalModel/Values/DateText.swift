package import CopalEssentials

/// A date and time in the ISO 8601 form of model files: `2024-05-17T09:30:00.25+02:00` or `…Z`.
///
/// Foundation's parsers repair invalid dates, so the 30th of February would pass.
package enum DateText {
  /// The date; `nil` unless the text is complete and names a real day, time and zone.
  package static func date(from text: String) -> Date? {
    guard text.utf8.count <= 400 else { return nil }
    guard let start = CivilTime.seconds(of: text.utf8.prefix(CivilTime.length)) else { return nil }
    var rest = text.utf8.dropFirst(CivilTime.length)
    func reads(_ character: Character) -> Bool {
      guard rest.first == character.asciiValue else { return false }
      rest = rest.dropFirst()
      return true
    }
    var fraction = ""
    if reads(".") {
      let digits = rest.prefix(while: isDigit)
      guard !digits.isEmpty, let text = String(digits) else { return nil }
      fraction = text
      rest = rest.dropFirst(digits.count)
    }
    var zone = 0
    if !reads("Z") {
      let isWest = rest.first == UInt8(ascii: "-")
      // The hours and minutes are those of a time on the reference date.
      guard reads(isWest ? "-" : "+"), let time = String(rest),
        let size = CivilTime.seconds(of: "2001-01-01T\(time):00"[...].utf8)
      else { return nil }
      zone = isWest ? -size : size
    } else if !rest.isEmpty {
      return nil
    }
    let date = Date(timeIntervalSinceReferenceDate: joined(start - zone, fraction))
    // The last instant may be rounded up to the year 10000, which the form cannot express.
    return self.text(for: date) == nil ? nil : date
  }

  /// The text that reads back to the same date, bit for bit: in UTC if possible.
  ///
  /// "9999-12-31T23:59:59-05:00" is a usual sentinel, and in UTC it is in the year 10000, which has
  /// too many digits. Such a date is written in the farthest zone, where it is in the year 9999.
  ///
  /// - Returns: `nil` for a date that no zone has within the years 1 to 9999.
  package static func text(for date: Date) -> String? {
    guard let (seconds, fraction) = parts(date.timeIntervalSinceReferenceDate) else { return nil }
    for zone in [0, -farthestZone, farthestZone] {
      if let text = CivilTime.text(seconds: seconds + zone * 60) {
        return text + (fraction.isEmpty ? "" : "." + fraction) + suffix(zone)
      }
    }
    return nil
  }

  /// The greatest distance of a zone from UTC in the form, in minutes.
  private static let farthestZone = 23 * 60 + 59

  private static func suffix(_ zone: Int) -> String {
    if zone == 0 { return "Z" }
    let (hours, minutes) = (zone.magnitude / 60, zone.magnitude % 60)
    return (zone < 0 ? "-" : "+") + "\(hours)".leftPadded(to: 2) + ":"
      + "\(minutes)".leftPadded(to: 2)
  }

  // MARK: Seconds and their fraction, in decimal digits, because a sum of two Doubles may round

  /// The Double nearest to the sum of whole seconds and a fraction of decimal digits.
  private static func joined(_ seconds: Int, _ fraction: String) -> Double {
    let digits = fraction.trimmingZeros
    if digits.isEmpty { return Double(seconds) }
    // Before the reference date, the fraction counts towards zero: -3 and .25 are -2.75.
    let text = seconds < 0 ? "-\(-seconds - 1).\(complement(digits))" : "\(seconds).\(digits)"
    return Double(text) ?? Double(seconds)
  }

  /// The greatest whole number of seconds that is not above the number, and the fewest digits that
  /// give the rest.
  private static func parts(_ number: Double) -> (seconds: Int, fraction: String)? {
    guard number.magnitude < 1e12, let exact = DecimalLiteral("\(number)") else { return nil }
    let whole = Int(number)
    let fraction = String(
      exact.digits.leftPadded(to: exact.fractionLength).suffix(exact.fractionLength))
    guard number < 0, !fraction.isEmpty else { return (whole, fraction) }
    return (whole - 1, complement(fraction))
  }

  /// One minus the fraction, whose last digit is not zero.
  private static func complement(_ fraction: String) -> String {
    let nines = fraction.utf8.map { UInt8(ascii: "0") + UInt8(ascii: "9") - $0 }
    return String(decoding: nines.dropLast() + nines.suffix(1).map { $0 + 1 }, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension String {
  fileprivate var trimmingZeros: String {
    String(decoding: utf8.reversed().drop { $0 == UInt8(ascii: "0") }.reversed(), as: UTF8.self)
  }
}
