/// A variable of the condition of a template, with the type that its comparisons give it.
package struct TemplateVariable: Sendable, Hashable {
  /// The name without `$`.
  package let name: String
  /// The type of the value, or of each value of the list.
  package let type: TemplateValueType
  /// Whether it is a list: it is used with IN.
  package let isList: Bool
  /// Whether it may be nil: it is compared with what can be nil, for equality only, or with nil itself.
  package let isOptional: Bool
}

/// The type of a variable.
package enum TemplateValueType: Sendable, Hashable {
  /// A value of an attribute's type.
  case value(AttributeType)
  /// A value of an attribute with cases, which has an enum. The position of the entity that the condition names it of.
  case cases(AttributeDescription, entity: Int)
  /// An object. The position of its entity.
  case object(entity: Int)
}

/// The type in which a condition compares a value: several types of attributes have one type of values.
enum ConditionType: Hashable {
  case integer, double, decimal, boolean, date, string, binary, uuid, uri
  /// An object of the entities with this root.
  case object(root: Int)

  /// - Returns: nil for a transformable.
  init?(_ type: AttributeType) {
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

  /// The type of a constant; nil for null and for an object, whose root is known only where it is compared.
  init?(_ constant: PropertyValue) {
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

  /// The type in a message.
  var name: String {
    switch self {
    case .integer: "an integer"
    case .double: "a double"
    case .decimal: "a decimal"
    case .boolean: "a boolean"
    case .date: "a date"
    case .string: "a string"
    case .binary: "a binary"
    case .uuid: "a uuid"
    case .uri: "a uri"
    case .object: "an object"
    }
  }

  var isNumber: Bool { self == .integer || self == .double || self == .decimal }

  /// The type of a variable that is compared with a calculated value.
  var attributeType: AttributeType? {
    switch self {
    case .integer: .integer
    case .double: .double
    case .decimal: .decimal
    case .boolean: .boolean
    case .date: .date
    case .string: .string
    case .binary: .binary
    case .uuid: .uuid
    case .uri: .uri
    case .object: nil
    }
  }
}
