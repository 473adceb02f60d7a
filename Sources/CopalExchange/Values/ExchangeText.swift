import CopalEssentials
import CopalModel
import CopalStore

/// The texts of values in CSV and JSON. They read back to the same value, bit for bit.
enum ExchangeText {
  /// What stands for a value of a `"private"` attribute.
  static let hidden = "‹private›"
  /// What stands for a value that cannot be read.
  static let unreadable = "‹unreadable›"

  /// A date: ISO 8601 in UTC; one outside the years 1 to 9999 as `@` and the seconds since 2001.
  static func text(_ date: Date) -> String {
    // At the edges of these years, the text has another zone.
    if let text = DateText.text(for: date), text.hasSuffix("Z") { return text }
    return "@" + text(date.timeIntervalSinceReferenceDate)
  }

  /// A double: the shortest text that reads back to it.
  static func text(_ number: Double) -> String {
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    return "\(number)"
  }

  /// The double whose text is that of a stored float: 0.1 for 0.10000000149011612. A number that no
  /// float is stays as it is.
  static func written(float number: Double) -> Double {
    let float = Float(number)
    guard float.isFinite, Double(float) == number else { return number }
    return Double("\(float)") ?? number
  }

  /// The text of a value; nil for no value. Bytes are in Base64.
  static func text(_ value: PropertyValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let number): "\(number)"
    case .double(let number): text(number)
    case .decimal(let number): DecimalText.string(number)
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): text(date)
    case .string(let text): text
    case .binary(let data): data.base64EncodedString()
    case .uuid(let uuid): uuid.uuidString
    case .uri(let url): url.absoluteString
    case .object(let id): "\(id)"
    }
  }

  /// Whether JSON has the value without quotation marks.
  static func isBare(_ value: PropertyValue) -> Bool {
    switch value {
    case .null, .integer, .boolean: true
    case .double(let number): number.isFinite
    default: false
    }
  }
}

extension [UInt8] {
  /// Adds a value as JSON. A decimal is a text, because most programs read numbers of JSON as
  /// doubles.
  mutating func addJSON(_ value: PropertyValue) {
    guard let text = ExchangeText.text(value) else {
      self += "null".utf8
      return
    }
    if ExchangeText.isBare(value) { self += text.utf8 } else { addJSON(text) }
  }
}

/// Reads the texts of values strictly.
// Its type is kept beside the description, so that a value copies nothing.
struct ValueReader: Sendable {
  /// The attribute that gets the values.
  let attribute: AttributeDescription
  private let type: AttributeType
  /// Whether a comma is the decimal sign.
  var hasDecimalComma = false
  /// The form of dates; nil for ISO 8601.
  var dateFormat: DateTemplate?

  init(
    attribute: AttributeDescription, hasDecimalComma: Bool = false, dateFormat: DateTemplate? = nil
  ) {
    (self.attribute, type) = (attribute, attribute.type)
    (self.hasDecimalComma, self.dateFormat) = (hasDecimalComma, dateFormat)
  }

  /// Why a text is no value: what to write.
  struct Failure: Error {
    var expected: String
    var suggestion: String?
    var remedy: ImportOption?
  }

  /// The value of a text.
  ///
  /// - Throws: ``Failure``.
  func value(of text: String) throws(Failure) -> PropertyValue {
    switch type {
    case .integer16, .integer32, .integer64, .integer: return try integer(text)
    case .double, .float: return try double(text)
    case .decimal: return try decimal(text)
    case .boolean: return try boolean(text)
    case .date: return .date(try date(text))
    case .string: return .string(text)
    case .binary:
      guard let data = Data(base64Encoded: text) else {
        throw Failure(expected: "bytes in Base64, such as \"AAEC\"")
      }
      return .binary(data)
    case .uuid:
      guard let uuid = ValueText.uuid(text) else {
        throw Failure(expected: "a uuid such as E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
      }
      return .uuid(uuid)
    case .uri:
      guard let url = ValueText.url(text) else {
        throw Failure(expected: "a URL such as https://example.com/a%20b")
      }
      return .uri(url)
    case .transformable: throw Failure(expected: "a value that the transformer reads")
    }
  }

  private func integer(_ text: String) throws(Failure) -> PropertyValue {
    let range = type.integerRange ?? Int64.min...Int64.max
    let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int64(text),
      range.contains(number)
    else {
      throw Failure(
        expected: "an integer from \(range.lowerBound) to \(range.upperBound), such as 12")
    }
    return .integer(number)
  }

  private func double(_ text: String) throws(Failure) -> PropertyValue {
    if text == "Infinity" || text == "-Infinity" {
      return .double(text == "Infinity" ? .infinity : -.infinity)
    }
    let original = text
    let text = hasDecimalComma ? withPoint(text) : text
    guard let text, Self.isNumber(text), let number = Double(text), number.isFinite else {
      throw Failure(expected: example("number", "1.5"), remedy: remedy(for: original))
    }
    if type == .float {
      // Rounded once, from the text.
      guard let float = Float(text), float.isFinite else {
        throw Failure(expected: "a number that a float can be")
      }
      return .double(Double(float))
    }
    return .double(number)
  }

  private func decimal(_ text: String) throws(Failure) -> PropertyValue {
    let original = text
    let text = hasDecimalComma ? withPoint(text) : text
    guard let text, Self.isNumber(text), let number = DecimalText.written(text) else {
      throw Failure(expected: example("decimal", "12.50"), remedy: remedy(for: original))
    }
    return .decimal(number)
  }

  /// What a number looks like.
  private func example(_ kind: String, _ number: String) -> String {
    "a \(kind) such as " + (hasDecimalComma ? number.replacing(".", with: ",") : number)
  }

  /// The remedy for a number with a comma.
  private func remedy(for text: String) -> ImportOption? {
    !hasDecimalComma && text.contains(",") ? .hasDecimalComma : nil
  }

  /// With a decimal comma, a point is a mistake.
  private func withPoint(_ text: String) -> String? {
    text.contains(".") ? nil : text.replacing(",", with: ".")
  }

  /// A number without spaces, marks between digits, and names such as `nan`.
  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        48...57 ~= $0 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
          || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E")
      }
  }

  private func boolean(_ text: String) throws(Failure) -> PropertyValue {
    switch text {
    case "true", "TRUE", "True", "1", "yes", "YES": return .boolean(true)
    case "false", "FALSE", "False", "0", "no", "NO": return .boolean(false)
    default: throw Failure(expected: "true or false, yes or no, 1 or 0")
    }
  }

  private func date(_ text: String) throws(Failure) -> Date {
    if text.hasPrefix("@"), let seconds = Double(text.dropFirst()), !seconds.isNaN {
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    if let dateFormat {
      guard let date = dateFormat.date(of: text) else {
        throw Failure(expected: "a date of the form \(dateFormat.text)")
      }
      return date
    }
    // A day alone is its beginning in UTC, and a space is as good as a T.
    let bytes = text.utf8.count
    var complete = text
    if bytes == 10 { complete += "T00:00:00Z" }
    if bytes > 10, text.utf8.dropFirst(10).first == 0x20 {
      complete = text.prefix(10) + "T" + text.dropFirst(11)
    }
    guard let date = DateText.date(from: complete) else {
      throw Failure(
        expected:
          "a date such as 2026-03-01 or 2026-03-01T09:30:00Z", remedy: .dateFormat)
    }
    return date
  }
}
