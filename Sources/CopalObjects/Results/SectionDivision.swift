import CopalEssentials
import CopalModel
import CopalStore

/// What ``ResultsSections`` are for a list, whatever the class of its objects.
struct SectionDivision: Sendable {
  let path: String
  /// The order of a key that is added for the sections.
  let textOrder: FetchSortKey.TextOrder
  /// Whether the values must be dates.
  let isOfDates: Bool
  /// The section of a value, which is not null, in an order of texts.
  let section: @Sendable (PropertyValue, FetchSortKey.TextOrder) -> PropertyValue

  init(
    _ path: String, textOrder: FetchSortKey.TextOrder = .bytes, isOfDates: Bool = false,
    _ section: @escaping @Sendable (PropertyValue, FetchSortKey.TextOrder) -> PropertyValue
  ) {
    self.path = path
    self.textOrder = textOrder
    self.isOfDates = isOfDates
    self.section = section
  }

  // MARK: Letters

  static func firstLetter(of path: String) -> Self {
    Self(path, textOrder: .alphabetical) { value, order in
      guard case .string(let text) = value else { return value }
      return .string(letter(of: text, order))
    }
  }

  private static func letter(of text: String, _ order: FetchSortKey.TextOrder) -> String {
    if order == .bytes { return String(text.prefix(1)) }
    let options: FetchPredicate.TextOptions =
      order == .caseInsensitive ? .caseInsensitive : [.caseInsensitive, .diacriticInsensitive]
    let folded = String(decoding: TextFolding(options).folded(text), as: UTF8.self)
    guard let first = folded.first else { return "" }
    if order == .natural, ("0"..."9").contains(first) { return "#" }
    return first.uppercased()
  }

  // MARK: Dates

  static func date(
    _ path: String, _ timeZone: TimeZone, _ name: @escaping @Sendable (CivilDate) -> String
  ) -> Self {
    Self(path, isOfDates: true) { value, _ in
      guard case .date(let date) = value, let local = CivilDate(date, timeZone) else {
        return value
      }
      return .string(name(local))
    }
  }
}

/// A day in the Gregorian calendar, in a time zone. It needs no calendar of Foundation, which on
/// some platforms would link the data of all languages.
struct CivilDate {
  private let values: (year: Int, month: Int, day: Int)

  /// - Returns: nil for a date that is too far away for a number of days.
  init?(_ date: Date, _ timeZone: TimeZone) {
    let seconds = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
    guard let days = Int(exactly: (seconds / 86400).rounded(.down)), abs(days) < 1 << 40 else {
      return nil
    }
    values = DateText.civil(daysFrom1970: days)
  }

  var year: String { Self.text(values.year, 4) }
  var month: String { "\(year)-\(Self.text(values.month, 2))" }
  var day: String { "\(month)-\(Self.text(values.day, 2))" }

  private static func text(_ number: Int, _ digits: Int) -> String {
    let text = String(number.magnitude)
    let zeros = String(repeating: "0", count: max(0, digits - text.count))
    return (number < 0 ? "-" : "") + zeros + text
  }
}
