/// A relationship of an entity to another entity.
public struct RelationshipDescription: Sendable, Hashable {
  /// The name of the relationship.
  public var name: String
  /// The name of the entity at the other end.
  public var destination: String
  /// Whether the relationship holds many objects.
  public var isToMany: Bool
  /// Whether the relationship may be empty. A to-many relationship may be empty unless its
  /// ``minimumCount`` is 1 or more.
  public var isOptional: Bool
  /// Whether a to-many relationship keeps an order.
  public var isOrdered: Bool
  /// The attributes of the destination by which an unordered to-many relationship shows its
  /// objects, the most significant key first; empty for the order in which they were saved.
  public var sortKeys: [FetchSortKey]
  /// The name of the inverse relationship, which the destination declares; nil for a one-way
  /// relationship.
  public var inverse: String?
  /// What happens to the objects at the other end when an object is deleted.
  public var deleteRule: DeleteRule
  /// What happens to an object that has lost its owner, the object that has this relationship.
  public var orphanRule: OrphanRule
  /// The least number of objects in a to-many relationship; nil means no rule.
  public var minimumCount: Int?
  /// The greatest number of objects in a to-many relationship; nil means no rule.
  public var maximumCount: Int?
  /// Whether the objects of the relationship are read together with their owner.
  public var isPrefetched: Bool
  /// Whether the property is generated, or written in your own code on the generated primitive one.
  public var accessor: AttributeDescription.Accessor
  /// The code that may set the generated property. In a model file it is the key `"set"`.
  public var setAccess: AttributeDescription.SetAccess
  /// The former names of the relationship, the newest first. A migration keeps the objects of the
  /// first of these names that the store has.
  public var renamedFrom: [String]
  /// What a migration does with objects that the relationship of now cannot have.
  public var conversion: Conversion
  /// The text of the generated property's documentation comment; nil for none.
  public var documentation: String?
  /// Free-form notes. Copal keeps them and does not use them.
  public var userInfo: UserInfo

  /// A relationship made by a program. `ManagedObjectModel` checks it, not this initializer.
  ///
  /// - Parameter isOptional: nil for the default: a to-one relationship is required, and a to-many
  ///   relationship may be empty if it has no minimum. False for a to-many relationship is the same
  ///   as a minimum of 1.
  public init(
    _ name: String, to destination: String, isToMany: Bool = false, isOptional: Bool? = nil,
    isOrdered: Bool = false, sortKeys: [FetchSortKey] = [], inverse: String? = nil,
    deleteRule: DeleteRule = .nullify, orphanRule: OrphanRule = .keep, minimumCount: Int? = nil,
    maximumCount: Int? = nil, isPrefetched: Bool = false,
    accessor: AttributeDescription.Accessor = .generated,
    setAccess: AttributeDescription.SetAccess = .public, renamedFrom: [String] = [],
    conversion: Conversion = .exact, documentation: String? = nil, userInfo: UserInfo = [:]
  ) {
    let isRequiredToMany = isToMany && isOptional == false && (minimumCount ?? 0) == 0
    self.name = name
    self.destination = destination
    self.isToMany = isToMany
    self.minimumCount = isRequiredToMany ? 1 : minimumCount
    self.isOptional = isOptional ?? (isToMany && (minimumCount ?? 0) == 0)
    self.isOrdered = isOrdered
    self.sortKeys = sortKeys
    self.inverse = inverse
    self.deleteRule = deleteRule
    self.orphanRule = orphanRule
    self.maximumCount = maximumCount
    self.isPrefetched = isPrefetched
    self.accessor = accessor
    self.setAccess = setAccess
    self.renamedFrom = renamedFrom
    self.conversion = conversion
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

extension RelationshipDescription {
  /// What happens to an object that has lost its owner.
  public enum OrphanRule: String, Sendable, Hashable, CaseIterable {
    /// The object is kept. The default.
    case keep
    /// The next save deletes the object, unless it has another owner by then.
    case delete
  }
}

extension RelationshipDescription {
  /// What a migration does with objects that a relationship had and cannot have any more.
  public enum Conversion: String, Sendable, Hashable, CaseIterable {
    /// Such objects refuse the migration. The default.
    case exact
    /// A to-one relationship that was to-many keeps the first object: by the order, or else the
    /// oldest one.
    case first
    /// A to-many relationship that was ordered loses its order.
    case unordered
    /// An object that is not of the destination, or does not exist, is left out: a to-one
    /// relationship becomes nil. Written `"nil"`.
    case toNil = "nil"
  }
}

extension RelationshipDescription {
  /// The numbers of objects that a save accepts in a to-many relationship; nil when every number is
  /// accepted.
  package var countRange: ClosedRange<Int>? {
    guard isToMany else { return nil }
    let minimum = max(minimumCount ?? 0, isOptional ? 0 : 1)
    guard minimum > 0 || maximumCount != nil else { return nil }
    return minimum...max(minimum, maximumCount ?? .max)
  }
}
