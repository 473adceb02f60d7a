/// A variable of the condition of a template, with the type that its comparisons give it.
package struct TemplateVariable: Sendable, Hashable {
  /// The name without `$`.
  package let name: String
  /// The type of the value, or of each value of the list.
  package let type: TemplateValueType
  /// Whether it is a list: it is used with IN.
  package let isList: Bool
  /// Whether it may be nil: it is compared with what can be nil, for equality only, or with nil
  /// itself.
  package let isOptional: Bool
}

/// The type of a variable.
package enum TemplateValueType: Sendable, Hashable {
  /// A value of an attribute's type.
  case value(AttributeType)
  /// A value of an attribute with cases, which has an enum. The position of the entity that the
  /// condition names it of.
  case cases(AttributeDescription, entity: Int)
  /// An object. The position of its entity.
  case object(entity: Int)
}
