public import CopalModel
import CopalStore

/// The type of the value for a placeholder, for a database that wants to know it when it prepares a
/// statement.
public enum PlaceholderType: Sendable, Hashable {
  /// A number of Copal's: a key, a version, a position, a limit.
  case integer
  /// A double of Copal's.
  case double
  /// A text of Copal's.
  case text
  /// Bytes of Copal's.
  case bytes
  /// Null, in a statement that a program has written itself.
  case unknown
  /// The stored form of a value of an attribute, or of a calculated value. The scale of decimals
  /// that are stored as integers; nil for others.
  case attribute(AttributeType, StorageType, scale: Int?)
  /// A list of values of a type.
  indirect case list(PlaceholderType)
}

extension PlaceholderType {
  /// The type of values of a storage type.
  init(_ storage: StorageType) {
    switch storage {
    case .integer: self = .integer
    case .real: self = .double
    case .text: self = .text
    case .blob: self = .bytes
    }
  }

  /// The type of values that are compared with a calculated value.
  init(_ type: QueryValueType) {
    guard let attribute = type.attributeType else {
      self = .integer
      return
    }
    self = .attribute(attribute, AttributeDescription("", attribute).storageType, scale: nil)
  }
}

extension EntityLayout {
  /// The type of the placeholder for a value of a slot.
  func placeholderType(_ slot: Int) -> PlaceholderType {
    switch slots[slot] {
    case .reference, .hidden: return .integer
    case .attribute, .projection:
      let attribute = attributes[slot]
      return .attribute(attribute.type, attribute.storageType, scale: attribute.scale)
    }
  }

  /// The type of the placeholder for a constant that is compared with a slot: it can be beyond the
  /// range of the attribute's type, and between two floats.
  func comparedType(_ slot: Int) -> PlaceholderType {
    switch attributes[slot].type {
    case .integer16, .integer32: .attribute(.integer64, .integer, scale: nil)
    case .float: .attribute(.double, .real, scale: nil)
    default: placeholderType(slot)
    }
  }
}
