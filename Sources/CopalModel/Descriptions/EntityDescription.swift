import CopalEssentials

/// An entity: the description of one kind of object, with its attributes.
///
/// A value. Reading a model file makes it; a program that builds a ``ManagedObjectModel`` can make
/// one itself.
public struct EntityDescription: Sendable, Hashable {
  /// The name of the entity. Its table has this name, or that of its root if the entity has a
  /// parent.
  public var name: String
  /// The name of the Swift class; the name of the entity unless the model has another one.
  public var className: String
  /// Which Swift code is generated for the entity.
  public var codegen: Codegen
  /// The name of the entity that this one inherits from; nil for none.
  /// ``ManagedObjectModel/ancestors(ofEntity:)`` has all ancestors.
  public var parent: String?
  /// Whether the entity has no objects of its own, and only its subentities have.
  public var isAbstract: Bool
  /// Whether the generated class can be observed with Swift's `Observation`, with the classes of
  /// all subentities. Only an entity without a parent can say so.
  public var isObservable: Bool
  /// The name of the attribute that is the `id` of the generated class, which is `Identifiable`;
  /// nil for the attribute `id`, or else the identity of the object. Only an entity without a
  /// parent can say so.
  public var identity: String?
  /// The attributes that the entity declares, in the order of the model file. Those that it
  /// inherits are in the descriptions of its ancestors.
  public var attributes: [AttributeDescription]
  /// The relationships that the entity declares, in the order of the model file.
  public var relationships: [RelationshipDescription]
  /// The fetch requests with a name that the entity declares, in the order of the model file. Those
  /// of its ancestors are in their descriptions. A store does not depend on them.
  public var fetchRequests: [FetchRequestTemplate]
  /// The fetched properties that the entity declares, in the order of the model file. A store does
  /// not depend on them.
  public var fetchedProperties: [FetchedPropertyDescription]
  /// The unique constraints. No two objects have the same combination of values; a combination with
  /// a nil never conflicts. They also hold for the objects of subentities.
  public var uniqueConstraints: [UniqueConstraintDescription]
  /// The indexes that the store keeps in addition to those of the unique constraints.
  public var indexes: [IndexDescription]
  /// The former names of the entity, the newest first. A migration finds its objects under the
  /// first of them that a store has, unless the store has the name itself. Names of old versions
  /// may stay.
  public var renamedFrom: [String]
  /// The names of former entities whose objects a migration makes objects of this one. Properties
  /// are matched by their names and former names, in each of these entities.
  public var merges: [String]
  /// The names of properties that the entity does not have any more. A migration removes them with
  /// their values; it refuses to remove others.
  public var removed: [String]
  /// The text of the generated class's documentation comment; nil for none.
  public var documentation: String?
  /// Free-form notes. Copal keeps them and does not use them.
  public var userInfo: UserInfo

  /// An entity made by a program. `ManagedObjectModel` checks it, not this initializer.
  ///
  /// - Parameter className: the name of the Swift class; nil for the name of the entity.
  public init(
    _ name: String, className: String? = nil, codegen: Codegen = .class, parent: String? = nil,
    isAbstract: Bool = false, isObservable: Bool = false, identity: String? = nil,
    attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
    fetchRequests: [FetchRequestTemplate] = [],
    fetchedProperties: [FetchedPropertyDescription] = [],
    uniqueConstraints: [UniqueConstraintDescription] = [], indexes: [IndexDescription] = [],
    renamedFrom: [String] = [], merges: [String] = [],
    removed: [String] = [], documentation: String? = nil, userInfo: UserInfo = [:]
  ) {
    self.name = name
    self.className = className ?? name
    self.codegen = codegen
    self.parent = parent
    self.isAbstract = isAbstract
    self.isObservable = isObservable
    self.identity = identity
    self.attributes = attributes
    self.relationships = relationships
    self.fetchRequests = fetchRequests
    self.fetchedProperties = fetchedProperties
    self.uniqueConstraints = uniqueConstraints
    self.indexes = indexes
    self.renamedFrom = renamedFrom
    self.merges = merges
    self.removed = removed
    self.documentation = documentation
    self.userInfo = userInfo
  }

  /// The attribute of that name; nil when the entity does not declare it.
  ///
  /// Complexity: linear in the number of attributes.
  public func attribute(_ name: String) -> AttributeDescription? {
    attributes.first { $0.name == name }
  }

  /// The relationship of that name; nil when the entity does not declare it.
  ///
  /// Complexity: linear in the number of relationships.
  public func relationship(_ name: String) -> RelationshipDescription? {
    relationships.first { $0.name == name }
  }

  /// The entity's own attributes that a store keeps, in slot order.
  public var storedAttributes: [AttributeDescription] { attributes.filter { !$0.isTransient } }
}

/// An index that speeds up queries on a combination of attributes.
public struct IndexDescription: Sendable, Hashable {
  /// The names of the attributes, the most significant first.
  public var attributes: [String]
  /// The names of those of the attributes whose values are in descending order. Written `"date
  /// desc"`. A fetch that sorts by the attributes in these directions, or in the opposite ones,
  /// reads its objects in the order of the index.
  public var descending: Set<String>

  /// An index on the attributes of these names, the most significant first.
  public init(_ attributes: [String], descending: Set<String> = []) {
    self.attributes = attributes
    self.descending = descending
  }

  /// The names with their directions, as a model file has them: `date desc`.
  package var directedAttributes: [String] {
    attributes.map { descending.contains($0) ? IndexDirection.desc.behind($0) : $0 }
  }
}

/// A unique constraint: no two objects of the entity have the same values of these attributes.
///
/// ```swift
/// let email: UniqueConstraintDescription = ["email"]
/// let address = UniqueConstraintDescription(
///   ["email"], ignoring: ["email": [.case, .diacritics]])
/// ```
public struct UniqueConstraintDescription: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The names of the attributes.
  public var attributes: [String]
  /// What is ignored when texts of an attribute are compared, by the name of the attribute: case,
  /// or case and diacritics. The attribute needs the form of ``AttributeDescription/search`` for
  /// it. Nothing, the default: equal texts have the same bytes.
  public var ignoring: [String: Set<Difference>]

  /// A difference of texts that a unique constraint can ignore.
  public enum Difference: String, Sendable, Hashable, CaseIterable {
    /// That of capital and small letters.
    case `case`
    /// That of letters with and without marks, such as accents.
    case diacritics
  }

  /// A constraint of the attributes of these names.
  public init(_ attributes: [String], ignoring: [String: Set<Difference>] = [:]) {
    self.attributes = attributes
    self.ignoring = ignoring.filter { !$0.value.isEmpty }
  }

  /// A constraint of the attributes of these names, in which texts are equal if they have the same
  /// bytes.
  public init(arrayLiteral attributes: String...) { self.init(attributes) }

  /// The names, each with what is ignored: `email ignoring case, diacritics`.
  package var attributesWithIgnored: [String] {
    attributes.map { name in Difference.text(of: ignoring[name] ?? [], behind: name) }
  }
}

extension UniqueConstraintDescription.Difference {
  /// A name with what is ignored behind it.
  static func text(of differences: Set<Self>, behind name: String) -> String {
    differences.isEmpty
      ? name : "\(name) ignoring \(differences.map(\.rawValue).inOrder().joined(separator: ", "))"
  }
}

/// The words for the direction of an attribute in an index.
package enum IndexDirection: String, CaseIterable {
  case asc, desc

  /// A name with the direction behind it: `date desc`.
  package func behind(_ name: String) -> String { "\(name) \(rawValue)" }
}

extension EntityDescription {
  /// Which Swift code is generated for an entity.
  public enum Codegen: String, Sendable, Hashable, CaseIterable {
    /// A complete class. It is final if no entity has this one as its parent.
    case `class`
    /// An extension with the properties. The program declares the class itself.
    case `extension`
    /// No code. The objects are used by name.
    case none
  }
}
