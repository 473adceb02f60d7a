import CopalEssentials

/// The types of `CAST`.
///
/// The cast of a constant text is done at once: so every value can be written in a format. The
/// casts of other values are functions.
enum FormatCast: String, Sendable, CaseIterable {
  case double = "NSNumber"
  case integer
  case decimal = "NSDecimalNumber"
  case string = "NSString"
  case date = "NSDate"
  case uuid = "NSUUID"
  case binary = "NSData"
  case uri = "NSURL"
  case object = "NSManagedObjectID"

  private static let others: [String: FormatCast] = [
    "double": .double, "float": .double, "number": .double, "int": .integer, "nsinteger": .integer,
    "decimal": .decimal, "string": .string, "date": .date, "uuid": .uuid, "data": .binary,
    "binary": .binary, "url": .uri, "uri": .uri, "object": .object,
  ]

  private static let all: [String: FormatCast] = allCases.reduce(into: others) {
    $0[$1.rawValue.lowercased()] = $1
  }

  /// The type of a name, without regard to case.
  init?(name: String) {
    guard let found = Self.all[name.lowercased()] else { return nil }
    self = found
  }

  /// The name in one form, for functions: `CAST(x, "NSString")`.
  var function: FetchFunction? {
    switch self {
    case .double: .toDouble
    case .integer: .toInteger
    case .decimal: .toDecimal
    case .string: .toString
    case .date: .toDate
    case .uuid, .binary, .uri, .object: nil
    }
  }

  init?(_ function: FetchFunction) {
    guard let found = Self.allCases.first(where: { $0.function == function }) else { return nil }
    self = found
  }

  /// The cast of an expression.
  func expression(_ operand: FetchExpression, at offset: Int) throws(FormatMistake)
    -> FetchExpression
  {
    switch operand {
    case .constant(.null): return operand
    case .constant(.string(let text)):
      guard let value = value(of: text) else {
        throw FormatMistake(.invalidValue, at: offset, expected: expected)
      }
      return .constant(value)
    case .constant(.integer(let number)) where self == .date:
      return .constant(.date(Date(timeIntervalSinceReferenceDate: Double(number))))
    case .constant(.double(let number)) where self == .date:
      return .constant(.date(Date(timeIntervalSinceReferenceDate: number)))
    default:
      guard let function else {
        throw FormatMistake(
          .unsupported, at: offset, found: "CAST of a calculated value to \(rawValue)",
          expected: "write a text in quotes, or give the value as an argument for %@")
      }
      return .call(function, [operand])
    }
  }

  private func value(of text: String) -> PropertyValue? {
    switch self {
    case .double: Double(text).map { .double($0) }
    case .integer: Int64(written: text).map { .integer($0) }
    case .decimal: text == "nan" ? .decimal(.nan) : DecimalText.written(text).map { .decimal($0) }
    case .string: .string(text)
    case .date: DateText.date(from: text).map { .date($0) }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .binary: Data(base64Encoded: text).map { .binary($0) }
    case .uri: URL(string: text).flatMap { $0.absoluteString == text ? .uri($0) : nil }
    case .object: ManagedObjectID(uri: text).map { .object($0) }
    }
  }

  private var expected: String {
    switch self {
    case .double: "a number in quotes, such as \"12.5\""
    case .integer: "an integer in quotes, such as \"12\""
    case .decimal: "a decimal in quotes, such as \"12.50\""
    case .string: "a text in quotes"
    case .date: "an ISO 8601 date with time and zone, such as \"2024-05-17T09:30:00Z\""
    case .uuid: "a UUID in quotes"
    case .binary: "base64 in quotes"
    case .uri: "a URL in quotes"
    case .object: "an object id of the form copal://STORE/Entity/p1"
    }
  }
}
