import CopalModel

/// A reference of a row, or a link, that does not lead to an object of the right entity. Another
/// program has written it.
///
/// ``StoreSession/brokenReferences()`` finds them.
public struct BrokenReference: Sendable, Hashable {
  /// What is wrong.
  public var kind: Kind
  /// The relationship. For a link, that of the owner.
  public var relationship: RelationshipName
  /// The position of the entity of the object whose relationship it is.
  public var entity: Int
  /// The key of this object.
  public var key: Int64
  /// The key of the other object; nil where there is something else than a key.
  public var other: Int64?

  /// What is wrong with a reference or a link.
  public enum Kind: Sendable, Hashable {
    /// There is no object with the other key.
    case missingObject
    /// There is a link, and no object with the key of its owner.
    case missingOwner
    /// The object with the other key has another entity, the one at this position.
    case wrongEntity(Int)
    /// The value is no key.
    case noKey
  }

  /// A reference or a link that is broken.
  public init(
    _ kind: Kind, _ relationship: RelationshipName, entity: Int, key: Int64, other: Int64?
  ) {
    self.kind = kind
    self.relationship = relationship
    self.entity = entity
    self.key = key
    self.other = other
  }
}

extension StoreSchema {
  /// The name of a to-one relationship.
  package func name(of reference: EntityLayout.Reference) -> RelationshipName {
    let layout = entities[reference.declaringEntity]
    return RelationshipName(
      entity: reference.declaringEntity, name: layout.attributes[reference.slot].name)
  }
}
