public import CopalEssentials
public import CopalModel
import CopalStore

/// How a list is divided into sections: by the value of an attribute, or by a function of it.
///
/// ```swift
/// let byMaker = try FetchedResultsController(request, sectionedBy: \.maker.name, in: context)
/// let byDay = try FetchedResultsController(
///   request, sectionedBy: .day(of: \.added, in: .current), in: context)
/// ```
///
/// The attribute is named by a key path, or by a text: `.day(of: "added", in: .current)`. It is the
/// first key of the order. If it is not that of the request, it is added before the others. Objects
/// without a value are a section of their own, whose name is nil. A function must not go back and
/// forth along the order: then the list cannot be divided, and `request.sectionPath` names the two
/// values.
public struct ResultsSections<Object: ManagedObject>: Sendable, ExpressibleByStringLiteral {
  let division: SectionDivision

  private init(_ division: SectionDivision) { self.division = division }

  /// A section for each value of an attribute.
  ///
  /// - Parameter path: the name of an attribute, also over to-one relationships: `"maker.name"`.
  public static func value(of path: String) -> Self {
    Self(SectionDivision(path) { value, _ in value })
  }

  /// A section for each value of the attribute with this name.
  public init(stringLiteral path: String) { self = .value(of: path) }

  /// A section for each first letter of a text. With an order without case, or without case and
  /// diacritics, "a", "A" and "á" are one section, "A". With the order `natural`, texts that begin
  /// with a digit are the section "#".
  ///
  /// - Parameter path: the path of a string attribute. A key that is added is `alphabetical`.
  public static func firstLetter(of path: String) -> Self {
    Self(.firstLetter(of: path))
  }

  /// A section for each day of a date, with names as "2026-11-27".
  ///
  /// - Parameters:
  ///   - path: the path of a date attribute.
  ///   - timeZone: the time zone in which the days begin.
  public static func day(of path: String, in timeZone: TimeZone) -> Self {
    Self(.date(path, timeZone) { $0.text })
  }

  /// A section for each month of a date, with names as "2026-11".
  public static func month(of path: String, in timeZone: TimeZone) -> Self {
    Self(.date(path, timeZone) { $0.monthText })
  }

  /// A section for each year of a date, with names as "2026".
  public static func year(of path: String, in timeZone: TimeZone) -> Self {
    Self(.date(path, timeZone) { $0.yearText })
  }

  /// Sections by a function of an attribute.
  ///
  /// ```swift
  /// let byPrice = ResultsSections<Pigment>.function(of: \.price) { price in
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
    Self(SectionDivision(path) { value, _ in name(value).map { .string($0) } ?? .null })
  }
}

/// The same with key paths. They lead to an attribute, also over to-one relationships.
extension ResultsSections {
  /// A key path to an attribute.
  public typealias Path<Attribute> = KeyPath<QueryProperties<Object>, Attribute>

  /// A section for each value of an attribute.
  public static func value(of path: Path<some QuerySortable & QueryExpression>) -> Self {
    .value(of: name(path))
  }

  /// A section for each first letter of a text.
  public static func firstLetter(of path: Path<some QuerySortable & QueryExpression<String>>)
    -> Self
  { .firstLetter(of: name(path)) }

  /// A section for each day of a date, in a time zone.
  public static func day(
    of path: Path<some QuerySortable & QueryExpression<Date>>, in timeZone: TimeZone
  ) -> Self { .day(of: name(path), in: timeZone) }

  /// A section for each month of a date, in a time zone.
  public static func month(
    of path: Path<some QuerySortable & QueryExpression<Date>>, in timeZone: TimeZone
  ) -> Self { .month(of: name(path), in: timeZone) }

  /// A section for each year of a date, in a time zone.
  public static func year(
    of path: Path<some QuerySortable & QueryExpression<Date>>, in timeZone: TimeZone
  ) -> Self { .year(of: name(path), in: timeZone) }

  /// Sections by a function of an attribute.
  public static func function(
    of path: Path<some QuerySortable & QueryExpression>,
    _ name: @escaping @Sendable (PropertyValue) -> String?
  ) -> Self { .function(of: Self.name(path), name) }

  private static func name(_ path: Path<some QuerySortable>) -> String {
    QueryProperties<Object>()[keyPath: path].ascending.property
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
