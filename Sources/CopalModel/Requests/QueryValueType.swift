/// The type in which a condition compares a value, and of a calculated value: several types of
/// attributes have one type of values.
public enum QueryValueType: Sendable, Hashable {
  /// An integer of 64 bits.
  case integer
  /// A double, never NaN.
  case double
  /// A decimal.
  case decimal
  /// A boolean.
  case boolean
  /// A date.
  case date
  /// A string.
  case string
  /// A binary.
  case binary
  /// A uuid.
  case uuid
  /// A uri.
  case uri
  /// The key of an object of a root's entities. The position of the root.
  case object(root: Int)
}

extension QueryValueType {
  /// The type of the values of an attribute; nil for a transformable.
  package init?(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64, .integer: self = .integer
    case .float, .double: self = .double
    case .decimal: self = .decimal
    case .boolean: self = .boolean
    case .date: self = .date
    case .string: self = .string
    case .binary: self = .binary
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .transformable: return nil
    }
  }

  /// The type of a constant; nil for null and for an object, whose root is known only where it is
  /// compared.
  package init?(_ constant: PropertyValue) {
    switch constant {
    case .integer: self = .integer
    case .double: self = .double
    case .decimal: self = .decimal
    case .boolean: self = .boolean
    case .date: self = .date
    case .string: self = .string
    case .binary: self = .binary
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .null, .object: return nil
    }
  }

  /// The attribute's type that has all values of the type; nil for an object.
  package var attributeType: AttributeType? {
    if case .object = self { return nil }
    return AttributeType(rawValue: name)
  }

  /// The name of the type for messages.
  package var name: String {
    switch self {
    case .integer: "integer"
    case .double: "double"
    case .decimal: "decimal"
    case .boolean: "boolean"
    case .date: "date"
    case .string: "string"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .object: "object"
    }
  }

  /// The name with an article, for messages.
  package var nameWithArticle: String {
    switch self {
    case .integer, .object: "an \(name)"
    default: "a \(name)"
    }
  }

  /// Whether the values are numbers.
  package var isNumber: Bool { self == .integer || self == .double || self == .decimal }
}

extension FetchAggregate {
  /// The type of the result for values of a type; nil where there is none.
  package func result(of type: QueryValueType) -> QueryValueType? {
    switch (self, type) {
    case (.count, _), (.distinctCount, _): .integer
    case (.sum, .integer), (.sum, .double), (.sum, .decimal): type
    case (.average, .integer), (.average, .double): .double
    case (.average, .decimal): .decimal
    case (.min, .integer), (.min, .double), (.min, .decimal), (.min, .date), (.min, .string),
      (.max, .integer), (.max, .double), (.max, .decimal), (.max, .date), (.max, .string):
      type
    default: nil
    }
  }
}
