/// An entity: the description that all objects of one kind share.
public struct EntityDescription: Sendable, Hashable {
  public var name: String
  /// The name of the Swift class; the entity's own name unless the model file gives another.
  public var className: String
  public var codegen: Codegen
  /// The entity this one inherits from.
  public var parent: String?
  /// Whether the entity only serves as a parent and has no objects of its own.
  public var isAbstract: Bool
  /// The attributes in the order of the model file.
  public var attributes: [AttributeDescription]
  public var relationships: [RelationshipDescription]
  /// Each one a list of attributes whose combination no two objects share. A `nil` never conflicts.
  public var uniqueConstraints: [[String]]
  public var indexes: [IndexDescription]
  public var renamedFrom: String?
  public var documentation: String?
  public var userInfo: UserInfo

  public init(
    _ name: String, className: String? = nil, codegen: Codegen = .class, parent: String? = nil,
    isAbstract: Bool = false, attributes: [AttributeDescription] = [],
    relationships: [RelationshipDescription] = [], uniqueConstraints: [[String]] = [],
    indexes: [IndexDescription] = [], renamedFrom: String? = nil, documentation: String? = nil,
    userInfo: UserInfo = [:]
  ) {
    self.name = name
    self.className = className ?? name
    self.codegen = codegen
    self.parent = parent
    self.isAbstract = isAbstract
    self.attributes = attributes
    self.relationships = relationships
    self.uniqueConstraints = uniqueConstraints
    self.indexes = indexes
    self.renamedFrom = renamedFrom
    self.documentation = documentation
    self.userInfo = userInfo
  }

  /// The attribute of that name, if the entity itself declares one.
  ///
  /// Complexity: linear in the number of attributes; inner code works with slots instead.
  public func attribute(_ name: String) -> AttributeDescription? {
    attributes.first { $0.name == name }
  }

  /// The relationship of that name, if the entity itself declares one.
  public func relationship(_ name: String) -> RelationshipDescription? {
    relationships.first { $0.name == name }
  }

  /// The attributes that a store keeps, in slot order.
  public var storedAttributes: [AttributeDescription] { attributes.filter { !$0.isTransient } }

  /// All attributes in slot order: the stored ones first, then the transient ones.
  ///
  /// A slot is an attribute's position in this list. Generated code has it as a constant.
  public var slots: [AttributeDescription] {
    storedAttributes + attributes.filter(\.isTransient)
  }
}

/// An index that speeds up queries on a combination of attributes.
public struct IndexDescription: Sendable, Hashable {
  public var attributes: [String]
  public init(_ attributes: [String]) { self.attributes = attributes }
}

extension EntityDescription {
  /// What Swift code an entity gets.
  public enum Codegen: String, Sendable, Hashable, CaseIterable {
    /// A final class, generated as a whole.
    case `class`
    /// An extension with the properties; the class file is a person's.
    case `extension`
    /// Nothing; the objects are used by name.
    case none
  }
}
