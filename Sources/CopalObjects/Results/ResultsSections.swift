public import CopalEssentials
public import CopalModel
import CopalStore

/// How a list is divided into sections: by the value of an attribute, or by a function of it.
///
/// ```swift
/// let byKind = try FetchedResultsController(request, sectionedBy: "kind", in: context)
/// let byDay = try FetchedResultsController(request, sectionedBy: .day(of: "added", in: .current), in: context)
/// ```
///
/// The attribute is the first key of the order. If it is not that of the request, it is added
/// before the others. Objects without a value are a section of their own, whose name is nil. A
/// function must not go back and forth along the order: then the list cannot be divided, and
/// `request.sectionPath` names the two values.
public struct ResultsSections: Sendable, ExpressibleByStringLiteral {
  let path: String
  /// The order of a key that is added for the sections.
  let textOrder: FetchSortKey.TextOrder
  /// Whether the values must be dates.
  let isOfDates: Bool
  /// The section of a value, which is not null, in an order of texts.
  let section: @Sendable (PropertyValue, FetchSortKey.TextOrder) -> PropertyValue

  private init(
    _ path: String, textOrder: FetchSortKey.TextOrder = .bytes, isOfDates: Bool = false,
    _ section: @escaping @Sendable (PropertyValue, FetchSortKey.TextOrder) -> PropertyValue
  ) {
    self.path = path
    self.textOrder = textOrder
    self.isOfDates = isOfDates
    self.section = section
  }

  /// A section for each value of an attribute.
  ///
  /// - Parameter path: the name of an attribute, also over to-one relationships: `"maker.name"`.
  public static func value(of path: String) -> Self { Self(path) { value, _ in value } }

  /// A section for each value of the attribute with this name.
  public init(stringLiteral path: String) { self = .value(of: path) }

  /// A section for each first letter of a text. With an order without case, or without case and
  /// diacritics, "a", "A" and "á" are one section, "A". With the order `natural`, texts that begin
  /// with a digit are the section "#".
  ///
  /// - Parameter path: the path of a string attribute. A key that is added is `alphabetical`.
  public static func firstLetter(of path: String) -> Self {
    Self(path, textOrder: .alphabetical) { value, order in
      guard case .string(let text) = value else { return value }
      return .string(letter(of: text, order))
    }
  }

  /// A section for each day of a date, with names as "2026-11-27".
  ///
  /// - Parameters:
  ///   - path: the path of a date attribute.
  ///   - timeZone: the time zone in which the days begin.
  public static func day(of path: String, in timeZone: TimeZone) -> Self {
    date(path, timeZone) { $0.day }
  }

  /// A section for each month of a date, with names as "2026-11".
  public static func month(of path: String, in timeZone: TimeZone) -> Self {
    date(path, timeZone) { $0.month }
  }

  /// A section for each year of a date, with names as "2026".
  public static func year(of path: String, in timeZone: TimeZone) -> Self {
    date(path, timeZone) { $0.year }
  }

  /// Sections by a function of an attribute.
  ///
  /// ```swift
  /// let byPrice = ResultsSections.function(of: "price") { price in
  ///   if case .decimal(let price) = price, price < 10 { "cheap" } else { "expensive" }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - path: the path of an attribute.
  ///   - name: the name of the section of a value that is not nil; nil for the section without a
  ///     name. The same value must always have the same section.
  public static func function(
    of path: String, _ name: @escaping @Sendable (PropertyValue) -> String?
  ) -> Self {
    Self(path) { value, _ in name(value).map { .string($0) } ?? .null }
  }

  // MARK: Letters

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

  private static func date(
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

/// One section of a list.
public struct ResultsSection<Object: ManagedObject> {
  /// What all its objects have in common: the value of the attribute, or the text that a function
  /// has made of it. Null for the objects without one.
  public let value: PropertyValue
  /// The objects, in their order. The first one is at the position 0.
  public let objects: LiveObjects<Object>

  /// The name: the value as a text; nil for the objects without one.
  public var name: String? { value.sectionName }
  /// The number of objects.
  public var count: Int { objects.count }
}

extension PropertyValue {
  /// The text of a section's value.
  var sectionName: String? {
    switch self {
    case .null: nil
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .date(let date):
      DateText.text(for: date) ?? "\(date.timeIntervalSinceReferenceDate)"
    case .binary(let data): data.base64EncodedString()
    case .uuid(let uuid): uuid.uuidString
    case .uri(let url): url.absoluteString
    case .object(let id): "\(id)"
    }
  }
}
