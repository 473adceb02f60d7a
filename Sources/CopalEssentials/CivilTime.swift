// The Gregorian calendar without Foundation's, which on some platforms would link the data of all
// languages.

/// A day of the Gregorian calendar, which also counts the days before its beginning.
package struct CivilDay {
  package let year: Int
  package let month: Int
  package let day: Int

  // Eras of 400 years that begin on the first of March, so that the leap day is the last of its
  // year: https://howardhinnant.github.io/date_algorithms.html

  package init(daysFrom1970 days: Int) {
    let days = days + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // March is the first month.
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The days from 1970-01-01; `nil` for a day that does not exist.
  static func daysFrom1970(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let days =
      era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    let back = CivilDay(daysFrom1970: days)
    return (back.month, back.day) == (month, day) ? days : nil
  }

  /// The year, with four digits at least.
  package var yearText: String {
    (year < 0 ? "-" : "") + String(year.magnitude).leftPadded(to: 4)
  }
  /// The year and the month: `2026-11`.
  package var monthText: String { "\(yearText)-\(String(month).leftPadded(to: 2))" }
  /// The year, the month and the day: `2026-11-23`.
  package var text: String { "\(monthText)-\(String(day).leftPadded(to: 2))" }
}

/// A date and time as a text in the years 1 to 9999, without a fraction and a zone:
/// `2026-11-23T07:30:00`.
package enum CivilTime {
  private static let secondsPerDay = 86_400
  /// Days from 1970-01-01 to 2001-01-01.
  private static let daysToReferenceDate = 11_323

  /// The number of bytes of a text.
  package static let length = 19

  /// The seconds from 2001-01-01 to the time; `nil` for a text of another form, and for a day or a
  /// time that does not exist.
  package static func seconds(of text: Substring.UTF8View) -> Int? {
    guard text.count == length else { return nil }
    var numbers = [0]
    for (byte, form) in zip(text, "0000-00-00T00:00:00".utf8) {
      if form == UInt8(ascii: "0") {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - form)
      } else {
        guard byte == form else { return nil }
        numbers.append(0)
      }
    }
    let (hour, minute, second) = (numbers[3], numbers[4], numbers[5])
    guard numbers[0] >= 1, 1...12 ~= numbers[1], hour < 24, minute < 60, second < 60,
      let days = CivilDay.daysFrom1970(numbers[0], numbers[1], numbers[2])
    else { return nil }
    return (days - daysToReferenceDate) * secondsPerDay + hour * 3600 + minute * 60 + second
  }

  /// The text of the time that is some seconds after 2001-01-01; `nil` outside the years.
  package static func text(seconds: Int) -> String? {
    guard seconds.magnitude < 1 << 40 else { return nil }
    let time = (seconds % secondsPerDay + secondsPerDay) % secondsPerDay
    let day = CivilDay(daysFrom1970: (seconds - time) / secondsPerDay + daysToReferenceDate)
    guard 1...9999 ~= day.year else { return nil }
    func padded(_ number: Int) -> String { String(number).leftPadded(to: 2) }
    return "\(day.text)T\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60))"
  }
}
