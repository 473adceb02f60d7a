/// A relationship of an entity to another entity.
///
/// This version of Copal supports to-one relationships, and to-many relationships without an order whose inverse is
/// to-one. A container refuses a model that has another kind.
public struct RelationshipDescription: Sendable, Hashable {
  /// The name of the relationship.
  public var name: String
  /// The name of the entity at the other end.
  public var destination: String
  /// Whether the relationship holds many objects.
  public var isToMany: Bool
  /// Whether the relationship may be empty.
  public var isOptional: Bool
  /// Whether a to-many relationship keeps an order.
  public var isOrdered: Bool
  /// The name of the inverse relationship, which the destination declares; nil for none.
  public var inverse: String?
  /// What happens to the objects at the other end when an object is deleted.
  public var deleteRule: DeleteRule
  /// The least number of objects in a to-many relationship; nil means no rule.
  public var minimumCount: Int?
  /// The greatest number of objects in a to-many relationship; nil means no rule.
  public var maximumCount: Int?
  /// The name of the relationship in the previous version of the model; nil when it has not changed.
  public var renamedFrom: String?
  /// The text of the generated property's documentation comment; nil for none.
  public var documentation: String?
  /// Free-form notes. Copal keeps them and does not use them.
  public var userInfo: UserInfo

  /// A relationship made by a program. `ManagedObjectModel` checks it, not this initializer.
  public init(
    _ name: String, to destination: String, isToMany: Bool = false, isOptional: Bool = false,
    isOrdered: Bool = false, inverse: String? = nil, deleteRule: DeleteRule = .nullify,
    minimumCount: Int? = nil, maximumCount: Int? = nil, renamedFrom: String? = nil,
    documentation: String? = nil, userInfo: UserInfo = [:]
  ) {
    self.name = name
    self.destination = destination
    self.isToMany = isToMany
    self.isOptional = isOptional
    self.isOrdered = isOrdered
    self.inverse = inverse
    self.deleteRule = deleteRule
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.renamedFrom = renamedFrom
    self.documentation = documentation
    self.userInfo = userInfo
  }
}

extension RelationshipDescription {
  /// What happens to the other end when an object is deleted.
  public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
    /// The other end loses its reference to the deleted object.
    case nullify
    /// The objects at the other end are deleted as well.
    case cascade
    /// The object cannot be deleted while there is an object at the other end.
    case deny
    /// Nothing: the objects at the other end do not change.
    case noAction
  }
}
