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
    _ path: String, _ timeZone: TimeZone, _ name: @escaping @Sendable (CivilDay) -> String
  ) -> Self {
    Self(path, isOfDates: true) { value, _ in
      guard case .date(let date) = value, let local = CivilDay(date, timeZone) else {
        return value
      }
      return .string(name(local))
    }
  }
}

extension CivilDay {
  /// The day of a date in a time zone.
  ///
  /// - Returns: nil for a date that is too far away for a number of days.
  fileprivate init?(_ date: Date, _ timeZone: TimeZone) {
    let seconds = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
    guard let days = Int(exactly: (seconds / 86400).rounded(.down)), abs(days) < 1 << 40 else {
      return nil
    }
    self.init(daysFrom1970: days)
  }
}
