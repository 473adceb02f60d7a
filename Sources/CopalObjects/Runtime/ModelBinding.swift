public import CopalModel
import CopalStore

/// A model together with the Swift classes of its entities. A container is opened with it.
///
/// Generated code has one for every model, named after the model:
///
/// ```swift
/// let container = try PersistentContainer(name: "Colors", model: .colors)
/// ```
///
/// Without generated code, make one from a model. Its objects are used by name:
///
/// ```swift
/// let model = try ManagedObjectModel(contentsOf: url)
/// let container = try PersistentContainer(name: "Colors", model: ModelBinding(model))
/// ```
public struct ModelBinding: Sendable {
  /// The name of the model.
  public let name: String
  let entities: [EntityBinding]
  // Keeps the result of reading, so that a static constant needs no `try`. A problem is thrown when
  // a container opens, where it can be handled.
  private let read: Result<ManagedObjectModel, ModelError>
  private let cache = BindingCache()

  /// A binding of a model, with the classes of those entities that have one. The objects of the
  /// others are ``ManagedObject``s.
  public init(_ model: ManagedObjectModel, classes: [EntityBinding] = []) {
    name = model.name
    entities = classes
    read = .success(model)
  }

  /// For generated code: a binding of a model that is embedded as text. A problem in the text is
  /// thrown by ``model`` and when a container opens.
  public init(name: String, json: String, classes: [EntityBinding]) {
    self.name = name
    entities = classes
    do {
      read = .success(try ManagedObjectModel(json: json, file: "\(name).model.json"))
    } catch {
      read = .failure(error)
    }
  }

  /// The model.
  ///
  /// - Throws: ``ModelError`` when the embedded text is not a model that this version of Copal can
  ///   read.
  public var model: ManagedObjectModel {
    get throws { try read.get() }
  }

  /// A binding of a model with the classes of another binding. Use it for a model that was read
  /// from a file at run time, together with generated classes.
  ///
  /// A container throws when the classes do not match the model.
  public init(_ model: ManagedObjectModel, classesOf other: ModelBinding) {
    self.init(model, classes: other.entities)
  }
}

extension ModelBinding {
  /// The model after the checks that do not depend on a container.
  ///
  /// - Throws: ``ModelError`` when the embedded text is not a model.
  func checked() throws -> CheckedModel {
    let model = try model
    return cache.checked { CheckedModel(model, entities) }
  }

  /// The schema of a store.
  ///
  /// - Parameter storage: the storage types that the transformers chose, for each stored
  ///   transformable in the order of the model.
  func schema(_ storage: [StorageType]) throws -> StoreSchema {
    let model = try model
    return cache.schema(storage) { StoreSchema(model.storing(transformablesAs: storage)) }
  }
}

/// The Swift class of an entity.
public struct EntityBinding: Sendable {
  /// The name of the entity.
  public let entityName: String
  /// The class of the entity's objects.
  public let objectClass: ManagedObject.Type
  /// The hash of the layout for which the class was generated.
  let layoutHash: UInt64
  /// Whether user code may override the class's hooks.
  let overridesHooks: Bool
  /// The types of the transformable properties by attribute.
  let valueTypes: [String: Any.Type]

  /// For generated code: the class of an entity.
  ///
  /// - Parameters:
  ///   - layoutHash: the `ManagedObjectModel.layoutHash(ofEntity:)` of the entity that the class
  ///     was generated for.
  ///   - overridesHooks: false only for a complete generated class, which is final and overrides no
  ///     hook. Its hooks are then not called.
  ///   - valueTypes: the transformable properties, by name. A container compares their types with
  ///     the types of the transformers.
  public init<Object: ManagedObject>(
    _ entityName: String, _ objectClass: Object.Type, layoutHash: UInt64,
    overridesHooks: Bool = true, valueTypes: [String: PartialKeyPath<Object>] = [:]
  ) {
    self.valueTypes = valueTypes.mapValues { property in
      let type = Swift.type(of: property).valueType
      return (type as? any OptionalType.Type)?.wrappedType ?? type
    }
    self.overridesHooks = overridesHooks
    self.entityName = entityName
    self.objectClass = objectClass
    self.layoutHash = layoutHash
    isSuperclass = { $0 is Object.Type }
  }

  /// Whether a class is the entity's class or inherits from it.
  let isSuperclass: @Sendable (ManagedObject.Type) -> Bool
}

/// The type of an Optional property.
private protocol OptionalType {
  static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
  fileprivate static var wrappedType: Any.Type { Wrapped.self }
}
