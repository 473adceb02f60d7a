/// A relationship of an entity to another.
public struct RelationshipDescription: Sendable, Hashable {
  public var name: String
  /// The entity at the other end.
  public var destination: String
  /// Whether the relationship holds many objects.
  public var isToMany: Bool
  public var isOptional: Bool
  /// Whether a to-many relationship keeps an order.
  public var isOrdered: Bool
  /// The relationship of the destination that leads back.
  public var inverse: String?
  public var deleteRule: DeleteRule
  /// Least and greatest number of objects in a to-many relationship; `nil` means no rule.
  public var minimumCount: Int?
  public var maximumCount: Int?
  public var renamedFrom: String?
  public var documentation: String?
  public var userInfo: UserInfo

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
    case nullify, cascade, deny
    /// Nothing: the other end is left as it is.
    case noAction
  }
}
