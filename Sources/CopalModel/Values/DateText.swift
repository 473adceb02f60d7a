package import CopalEssentials

/// A date and time in the ISO 8601 form of model files: `2024-05-17T09:30:00.25+02:00` or `…Z`.
///
/// Foundation's parsers repair invalid dates, so the 30th of February would pass.
package enum DateText {
  private static let secondsPerDay = 86_400
  /// Days from 1970-01-01 to 2001-01-01.
  private static let daysToReferenceDate = 11_323

  /// The date; `nil` unless the text is complete and names a real day, time and zone.
  package static func date(from text: String) -> Date? {
    guard text.utf8.count <= 400 else { return nil }
    var rest = Substring(text).utf8[...]
    func reads(_ character: Character) -> Bool {
      guard rest.first == character.asciiValue else { return false }
      rest = rest.dropFirst()
      return true
    }
    func number(_ length: Int, in range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix(length)
      guard digits.count == length, digits.allSatisfy(isDigit), let text = String(digits),
        let number = Int(written: text), range.contains(number)
      else { return nil }
      rest = rest.dropFirst(length)
      return number
    }
    guard let year = number(4, in: 1...9999), reads("-"), let month = number(2, in: 1...12),
      reads("-"), let day = number(2, in: 1...length(ofMonth: month, year: year)), reads("T"),
      let hour = number(2, in: 0...23), reads(":"), let minute = number(2, in: 0...59),
      reads(":"), let second = number(2, in: 0...59)
    else { return nil }
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
      guard reads(isWest ? "-" : "+"), let hours = number(2, in: 0...23), reads(":"),
        let minutes = number(2, in: 0...59)
      else { return nil }
      zone = (hours * 60 + minutes) * (isWest ? -60 : 60)
    }
    guard rest.isEmpty else { return nil }
    let days = daysFrom1970(year: year, month: month, day: day) - daysToReferenceDate
    let seconds = days * secondsPerDay + hour * 3600 + minute * 60 + second - zone
    let date = Date(timeIntervalSinceReferenceDate: joined(seconds, fraction))
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
      if let text = text(seconds: seconds + zone * 60, fraction) { return text + suffix(zone) }
    }
    return nil
  }

  /// The text up to the zone; `nil` outside the years 1 to 9999.
  private static func text(seconds: Int, _ fraction: String) -> String? {
    let time = (seconds % secondsPerDay + secondsPerDay) % secondsPerDay
    let days = (seconds - time) / secondsPerDay
    let (year, month, day) = civil(daysFrom1970: days + daysToReferenceDate)
    guard (1...9999).contains(year) else { return nil }
    func padded(_ number: Int, _ length: Int) -> String { "\(number)".leftPadded(to: length) }
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T"
      + padded(time / 3600, 2) + ":" + padded(time / 60 % 60, 2) + ":" + padded(time % 60, 2)
      + (fraction.isEmpty ? "" : "." + fraction)
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

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // The proleptic Gregorian calendar in eras of 400 years that begin on the first of March, so
  // that the leap day is the last of its year.

  private static func daysFrom1970(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  package static func civil(daysFrom1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let days = days + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }
}

extension String {
  fileprivate var trimmingZeros: String {
    String(decoding: utf8.reversed().drop { $0 == UInt8(ascii: "0") }.reversed(), as: UTF8.self)
  }
}
