package import CopalEssentials

/// Why a default or limit is not a value of its attribute's type.
struct ValueProblem: Error {
  let code: ModelError.Code
  let found: String
  let expected: String
}

/// The values of each attribute type in a model file.
package enum ValueText {
  /// The value of a node.
  @inline(never)
  static func value(
    of node: JSONNode, as type: AttributeType, scale: Int?
  ) throws(ValueProblem) -> PropertyValue {
    switch type {
    case .integer16, .integer32, .integer64, .integer: return try integer(node, type)
    case .float, .double: return try double(node, type)
    case .decimal: return try decimal(node, scale: scale)
    case .boolean:
      guard case .boolean(let flag) = node.kind else { throw wrongType(node, "true or false") }
      return .boolean(flag)
    case .date:
      let form = "\"2024-05-17T09:30:00Z\""
      let text = try string(node, "a date such as \(form)")
      guard let date = DateText.date(from: text) else {
        throw invalid(text, "an ISO 8601 date with time and zone, such as \(form)")
      }
      return .date(date)
    case .binary:
      let text = try string(node, "a base64 string")
      guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
        throw invalid(text, "a base64 string")
      }
      return .binary(data)
    case .string: return .string(try string(node, "a string"))
    case .uuid: return .uuid(try uuid(node))
    case .uri:
      let text = try string(node, "a string with a URL")
      guard let url = url(text) else { throw invalid(text, "a URL") }
      return .uri(url)
    case .transformable: throw wrongType(node, "nothing")
    }
  }

  @inline(never)
  private static func integer(_ node: JSONNode, _ type: AttributeType) throws(ValueProblem)
    -> PropertyValue
  {
    guard case .number(let text) = node.kind else { throw wrongType(node, "a whole number") }
    let digits = text.first == "-" ? text.dropFirst() : text[...]
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      throw invalid(text, "a whole number without decimal point or exponent")
    }
    let range = type.integerRange ?? Int64.min...Int64.max
    guard let number = Int64(written: text), range.contains(number) else {
      throw ValueProblem(
        code: .valueOutOfRange, found: text,
        expected: "\(type.rawValue) (\(range.lowerBound) to \(range.upperBound))")
    }
    return .integer(number)
  }

  @inline(never)
  private static func double(_ node: JSONNode, _ type: AttributeType) throws(ValueProblem)
    -> PropertyValue
  {
    guard case .number(let text) = node.kind else { throw wrongType(node, "a number") }
    // A float is parsed as a float: a double would be rounded a second time.
    let number = type == .float ? Float(text).map { Double($0) } : Double(text)
    // A number that is not zero must not be rounded to zero.
    let isZero = text.prefix { $0 != "e" && $0 != "E" }.allSatisfy { "-0.".contains($0) }
    guard let number, number.isFinite, number != 0 || isZero else {
      throw ValueProblem(
        code: .valueOutOfRange, found: text,
        expected: "\(type.rawValue), because it is too large or too near to zero")
    }
    return .double(number)
  }

  @inline(never)
  private static func decimal(_ node: JSONNode, scale: Int?) throws(ValueProblem) -> PropertyValue {
    let text: String
    switch node.kind {
    case .number(let number), .string(let number): text = number
    default: throw wrongType(node, "a number, or a number as a string, such as \"12.50\"")
    }
    guard let exact = DecimalLiteral(text) else { throw invalid(text, "a decimal such as 12.50") }
    guard let decimal = exact.decimal else {
      throw ValueProblem(
        code: .valueOutOfRange, found: text,
        expected: "decimal (at most 38 digits, and powers of ten from -128 to 127)")
    }
    if let scale, !exact.fits(scale: scale) {
      throw ValueProblem(code: .scaleMismatch, found: text, expected: "\(scale)")
    }
    return .decimal(decimal)
  }

  private static func uuid(_ node: JSONNode) throws(ValueProblem) -> UUID {
    let text = try string(node, "\"new\" or a uuid")
    guard let uuid = uuid(text) else {
      throw invalid(text, "\"new\", or a uuid such as \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"")
    }
    return uuid
  }

  /// The UUID of a text; nil for another form than `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in
  /// either case.
  @inline(never)
  package static func uuid(_ text: String) -> UUID? {
    // Foundation accepts other forms, so the form is checked here. The length comes first, because
    // a text may have any length.
    guard text.utf8.count == 36,
      text.utf8.enumerated().allSatisfy({ index, byte in
        [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : isHexDigit(byte)
      })
    else { return nil }
    return UUID(uuidString: text)
  }

  /// The URL of a text; nil for a text that Foundation would change or refuse.
  package static func url(_ text: String) -> URL? {
    guard let url = URL(string: text, encodingInvalidCharacters: false), url.absoluteString == text
    else { return nil }
    return url
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isHexDigit
  }

  private static func string(_ node: JSONNode, _ expected: String) throws(ValueProblem) -> String {
    guard case .string(let text) = node.kind else { throw wrongType(node, expected) }
    return text
  }

  private static func wrongType(_ node: JSONNode, _ expected: String) -> ValueProblem {
    ValueProblem(code: .wrongType, found: node.kindWords, expected: expected)
  }

  private static func invalid(_ text: String, _ expected: String) -> ValueProblem {
    ValueProblem(code: .invalidValue, found: text, expected: expected)
  }
}
