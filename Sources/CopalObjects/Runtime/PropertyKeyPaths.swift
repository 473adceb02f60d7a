public import CopalModel

/// For generated code: the key paths of the properties of classes, with the names of the properties
/// in the model.
///
/// The product `CopalFoundation` reads it, to find the properties that a `#Predicate` names.
/// Nothing else needs it.
///
/// ```swift
/// var paths = PropertyKeyPaths()
/// paths.add(Pigment.self, entity: "Pigment")
/// paths.add(\Pigment.name, "name")
/// ```
///
/// A key path to an inherited property differs from that of the superclass: `\Item.title` is not
/// `\Book.title`. So each class has all of its properties here, with the inherited ones.
// @unchecked: key paths that are written out contain no values, and so nothing that could change.
public struct PropertyKeyPaths: @unchecked Sendable {
  /// What a key path leads to.
  package enum Property: Sendable, Equatable {
    /// The property of that name.
    case named(String)
    /// The id of the object.
    case objectID
  }

  package private(set) var properties: [AnyKeyPath: Property] = [:]
  private var entities: [ObjectIdentifier: String] = [:]

  /// No key paths.
  public init() {}

  /// Adds a class with the name of its entity.
  public mutating func add(_ type: ManagedObject.Type, entity: String) {
    entities[ObjectIdentifier(type)] = entity
  }

  /// Adds a property.
  public mutating func add<Object: ManagedObject>(_ path: PartialKeyPath<Object>, _ name: String) {
    properties[path] = .named(name)
  }

  /// Adds a property that returns the id of the object.
  public mutating func add<Object: ManagedObject>(id path: KeyPath<Object, ManagedObjectID>) {
    properties[path] = .objectID
  }

  /// The entity of a class; nil for a class that has not been added.
  package func entity(of type: Any.Type) -> String? { entities[ObjectIdentifier(type)] }
}
