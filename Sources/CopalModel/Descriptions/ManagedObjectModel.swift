/// A model: the entities of a store, with their attributes. Classes are generated from it.
///
/// Immutable and Sendable. It is usually read from a model file:
///
/// ```swift
/// let model = try ManagedObjectModel(contentsOf: url)
/// model.entity("ColorLibrary")?.attribute("colorList")?.type  // .transformable
/// ```
///
/// Reading throws a ``ModelError`` with every problem of the file.
public struct ManagedObjectModel: Sendable, Hashable {
  /// The name of the model.
  public let name: String
  /// The version of the model, counted from 1. A store whose model has a greater one is refused.
  public let version: Int
  /// The names of the modules that generated code imports.
  public let imports: [String]
  /// The access level of the generated code.
  public let access: Access
  /// A description of the model for its readers; nil for none.
  public let documentation: String?
  /// Free-form notes. Copal keeps them and does not use them.
  public let userInfo: UserInfo
  /// The names of entities that the model does not have any more. A migration removes them with
  /// their objects; it refuses to remove others.
  public let removed: [String]
  /// The entities in the order of the file.
  public let entities: [EntityDescription]

  private let indexByName: [String: Int]
  /// The relationships without an inverse, by the name of their destination.
  let oneWayByDestination: [String: [OneWayRelationship]]

  /// Without checks, for the reader, which has checked the model.
  init(
    unchecked name: String, version: Int, imports: [String], access: Access,
    documentation: String?, userInfo: UserInfo, removed: [String], entities: [EntityDescription]
  ) {
    self.name = name
    self.version = version
    self.imports = imports
    self.access = access
    self.documentation = documentation
    self.userInfo = userInfo
    self.removed = removed
    self.entities = entities
    indexByName = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    oneWayByDestination = OneWayRelationship.byDestination(entities)
  }

  /// The entity of that name; nil when the model has none. Constant cost.
  public func entity(_ name: String) -> EntityDescription? {
    entityIndex(name).map { entities[$0] }
  }

  /// The position in ``entities`` of the entity of that name; nil when the model has none. Constant
  /// cost.
  public func entityIndex(_ name: String) -> Int? { indexByName[name] }
}

extension ManagedObjectModel {
  /// The access level of generated code.
  public enum Access: String, Sendable, Hashable, CaseIterable {
    /// Generated declarations are public.
    case `public`
    /// Generated declarations are internal. The default.
    case `internal`
  }
}

extension ManagedObjectModel {
  /// A copy of the model with the storage types of its transformables filled in. Higher layers know
  /// the transformers; the model knows only their names.
  ///
  /// - Parameter storage: a type for each stored transformable, in the order of the model.
  package func storing(transformablesAs storage: [StorageType]) -> ManagedObjectModel {
    if storage.isEmpty { return self }
    var remaining = storage[...]
    var entities = entities
    for entity in entities.indices {
      for index in entities[entity].attributes.indices
      where entities[entity].attributes[index].isStoredTransformable {
        guard let type = remaining.popFirst() else { break }
        entities[entity].attributes[index].storage = type
      }
    }
    return ManagedObjectModel(
      unchecked: name, version: version, imports: imports, access: access,
      documentation: documentation, userInfo: userInfo, removed: removed, entities: entities)
  }
}

extension AttributeDescription {
  /// Whether the attribute has a transformer whose storage type its column has.
  package var isStoredTransformable: Bool { type == .transformable && !isTransient }
}
