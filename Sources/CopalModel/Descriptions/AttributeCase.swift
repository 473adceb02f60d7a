/// One case of an attribute whose generated property is an enum.
///
/// ```swift
/// AttributeDescription("technique", .string, cases: ["oil", "tempera"])
/// AttributeDescription("rank", .integer16, cases: [AttributeCase("low", .integer(1)), AttributeCase("high", .integer(2))])
/// ```
public struct AttributeCase: Sendable, Hashable {
  /// The name of the case, in Swift.
  public var name: String
  /// What the store keeps: a string or an integer, as the type of the attribute says.
  public var rawValue: PropertyValue

  /// A case with its raw value.
  public init(_ name: String, _ rawValue: PropertyValue) {
    self.name = name
    self.rawValue = rawValue
  }
}

extension AttributeCase: ExpressibleByStringLiteral {
  /// A case of a string whose raw value is its name.
  public init(stringLiteral name: String) { self.init(name, .string(name)) }
}

extension AttributeDescription {
  /// The name of the generated enum, for an attribute with ``cases``: ``enumName``, or the name of
  /// the attribute with a capital letter.
  public var enumTypeName: String {
    enumName ?? name.prefix(1).uppercased() + name.dropFirst()
  }
}

extension AttributeType {
  /// Whether attributes of the type can have cases.
  var canHaveCases: Bool {
    switch self {
    case .string, .integer16, .integer32, .integer64, .integer: true
    default: false
    }
  }
}

extension PropertyValue {
  /// The raw value of a case, for a sentence.
  package var shownCase: String {
    switch self {
    case .integer(let number): "\(number)"
    case .string(let text): text
    default: ""
    }
  }
}
