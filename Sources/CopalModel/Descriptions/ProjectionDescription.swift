/// A value that a store keeps beside a transformable: a function of the decoded value, such as the
/// lightness of a color.
///
/// Conditions, orders, aggregates and indexes name it behind the attribute: `tint.lightness`. The
/// transformer of the attribute makes the values. `Docs/Searching.md` is its guide.
public struct ProjectionDescription: Sendable, Hashable {
  /// The name of the projection, as the transformer declares it.
  public let name: String
  /// The type of the values.
  public let type: ValueType

  /// A projection made by a program. `ManagedObjectModel` checks it, not this initializer.
  public init(_ name: String, _ type: ValueType) {
    self.name = name
    self.type = type
  }

  /// The types that the values of a projection can have.
  public enum ValueType: String, Sendable, Hashable, CaseIterable {
    /// A `Double`.
    case double
    /// An `Int64`.
    case integer
    /// A `String`.
    case string
    /// A `Bool`.
    case boolean
    /// A `Date`.
    case date

    /// The type as one of an attribute.
    public var attributeType: AttributeType {
      switch self {
      case .double: .double
      case .integer: .integer
      case .string: .string
      case .boolean: .boolean
      case .date: .date
      }
    }
  }

  /// The projection of an attribute as an attribute: what conditions and orders know about it.
  public func attribute(of name: String) -> AttributeDescription {
    AttributeDescription("\(name).\(self.name)", type.attributeType, isOptional: true)
  }
}
