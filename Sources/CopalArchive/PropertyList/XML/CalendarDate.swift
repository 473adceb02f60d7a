/// A date of a property list in XML: `2026-11-23T07:30:00Z`, in the Gregorian calendar.
///
/// The days are counted as in <https://howardhinnant.github.io/date_algorithms.html>.
struct CalendarDate {
  private static let secondsOfDay = 86_400
  /// 2001-01-01 in days since 0000-03-01.
  private static let reference = 730_791

  private let year, month, day, second: Int

  /// The date, without the fraction of the second; nil outside the years 1 to 9999.
  init?(secondsSince2001 seconds: Double) {
    guard let whole = Int(exactly: seconds.rounded(.down)), abs(whole) < 1 << 40 else { return nil }
    let days = Self.floor(whole, Self.secondsOfDay) + Self.reference
    second = whole - Self.floor(whole, Self.secondsOfDay) * Self.secondsOfDay
    let era = Self.floor(days, 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // March is the first month.
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    guard 1...9999 ~= year else { return nil }
  }

  /// The seconds since 2001-01-01 of a text of that form; nil for another text, and for a day that
  /// does not exist.
  static func seconds(of text: some Collection<UInt8>) -> Double? {
    let form = Array("0000-00-00T00:00:00Z".utf8)
    let text = Array(text)
    guard text.count == form.count,
      zip(text, form).allSatisfy({ byte, right in
        right == UInt8(ascii: "0") ? UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte : byte == right
      })
    else { return nil }
    func number(_ range: Range<Int>) -> Int {
      text[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard year >= 1, 1...12 ~= month, day >= 1, hour < 24, minute < 60, second < 60 else {
      return nil
    }
    let start = days(year, month, day)
    let whole = (start - reference) * secondsOfDay + hour * 3600 + minute * 60 + second
    let back = CalendarDate(secondsSince2001: Double(whole))
    return back?.month == month && back?.day == day ? Double(whole) : nil
  }

  /// The days since 0000-03-01.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = floor(year, 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  }

  private static func floor(_ number: Int, _ divisor: Int) -> Int {
    (number >= 0 ? number : number - divisor + 1) / divisor
  }

  var text: String {
    func digits(_ number: Int, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    let time = [second / 3600, second / 60 % 60, second % 60].map { digits($0, 2) }
    return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(day, 2) + "T"
      + time.joined(separator: ":") + "Z"
  }
}
