import CopalEssentials
public import CopalModel

extension PropertyValue: Codable {
  /// The kinds of value that are objects with one key.
  private enum Kind: String, CaseIterable {
    case double, decimal, date, binary, uuid, uri, object
  }

  static let codedForms =
    "null, true, false, a whole number, a string, or an object with one of the keys "
    + Kind.allCases.map(\.rawValue).joined(separator: ", ")

  /// Reads the coded form of a value.
  ///
  /// In JSON, null, booleans, integers and strings are themselves: `null`, `true`, `7`, `"Woad"`.
  /// Every other value is an object with the name of its kind:
  ///
  /// ```json
  /// {"double": 0.5}   {"double": "infinity"}   {"decimal": "12.50"}
  /// {"date": "2024-05-17T09:30:00Z"}   {"date": 1e300}   {"binary": "AQI="}
  /// {"uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}   {"uri": "https://example.org"}
  /// {"object": "copal://E621E1F8-C36C-495A-93FC-0C247A3E6E5F/Pigment/p3"}
  /// ```
  ///
  /// The texts `infinity`, `-infinity` and `nan` stand for doubles and dates that are not finite,
  /// and `nan` for a decimal that is not a number. A number as a date is in seconds since
  /// 2001-01-01T00:00:00Z.
  ///
  /// - Throws: `DecodingError` for every other form.
  public init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let flag = try? single.decode(Bool.self) {
      self = .boolean(flag)
    } else if let number = try? single.decode(Int64.self) {
      self = .integer(number)
    } else if let text = try? single.decode(String.self) {
      self = .string(text)
    } else {
      guard let object = FormObject(decoder), let kind = Kind(rawValue: object.name) else {
        throw decoder.mistake("a value: " + Self.codedForms)
      }
      self = try Self.value(kind, object)
    }
  }

  private static func value(_ kind: Kind, _ object: FormObject) throws -> PropertyValue {
    switch kind {
    case .double:
      guard let number = number(object) else {
        throw object.mistake("a number, \"infinity\", \"-infinity\" or \"nan\"")
      }
      return .double(number)
    case .decimal:
      let text = try object.text("a decimal as a string, such as \"12.50\"")
      if text == "nan" { return .decimal(.nan) }
      guard let decimal = DecimalText.parse(text) else {
        throw object.mistake("a decimal as a string, such as \"12.50\"")
      }
      return .decimal(decimal)
    case .date:
      if let seconds = number(object) {
        return .date(Date(timeIntervalSinceReferenceDate: seconds))
      }
      guard let text = try? object.text(""), let date = DateText.date(from: text) else {
        throw object.mistake(
          "an ISO 8601 date with time and zone, such as \"2024-05-17T09:30:00Z\", or a number of seconds"
        )
      }
      return .date(date)
    case .binary:
      guard let data = Data(base64Encoded: try object.text("a base64 string")) else {
        throw object.mistake("a base64 string")
      }
      return .binary(data)
    case .uuid:
      guard let uuid = UUID(uuidString: try object.text("a uuid")) else {
        throw object.mistake("a uuid")
      }
      return .uuid(uuid)
    case .uri:
      let text = try object.text("a URL")
      guard let url = URL(string: text), url.absoluteString == text else {
        throw object.mistake("a URL")
      }
      return .uri(url)
    case .object:
      guard let id = ManagedObjectID(uri: try object.text("an object id")) else {
        throw object.mistake("an object id of the form copal://STORE/Entity/p1")
      }
      return .object(id)
    }
  }

  private static let notFinite: [(text: String, number: Double)] = [
    ("infinity", .infinity), ("-infinity", -.infinity), ("nan", .nan),
  ]

  private static func number(_ object: FormObject) -> Double? {
    if let number = try? object.container.decode(Double.self, forKey: object.key) { return number }
    let text = try? object.text("")
    return notFinite.first { $0.text == text }?.number
  }

  /// Writes the form that ``init(from:)`` reads. It reads back as the same value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .boolean(let flag): try encode(flag, encoder)
    case .integer(let number): try encode(number, encoder)
    case .string(let text): try encode(text, encoder)
    case .double(let number): try encode(number, .double, encoder)
    case .decimal(let number):
      try encode(number.isNaN ? "nan" : DecimalText.string(number), .decimal, encoder)
    case .date(let date):
      if let text = DateText.text(for: date) {
        try encode(text, .date, encoder)
      } else {
        try encode(date.timeIntervalSinceReferenceDate, .date, encoder)
      }
    case .binary(let data): try encode(data.base64EncodedString(), .binary, encoder)
    case .uuid(let uuid): try encode(uuid.uuidString, .uuid, encoder)
    case .uri(let url): try encode(url.absoluteString, .uri, encoder)
    case .object(let id): try encode(id.description, .object, encoder)
    }
  }

  private func encode(_ value: some Encodable, _ encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }

  private func encode(_ value: some Encodable, _ kind: Kind, _ encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: FormKey.self)
    try container.encode(value, forKey: FormKey(kind.rawValue))
  }

  private func encode(_ number: Double, _ kind: Kind, _ encoder: any Encoder) throws {
    if number.isFinite {
      var container = encoder.container(keyedBy: FormKey.self)
      return try container.encode(number, forKey: FormKey(kind.rawValue))
    }
    let text = Self.notFinite.first { $0.number == number }?.text ?? "nan"
    try encode(text, kind, encoder)
  }
}
