import CopalEssentials
import CopalModel
import CopalObjects
import CopalStore

/// The properties of classes by their key paths, as generated code lists them.
enum KeyPathNames {
  private static let families = Locked<[ObjectIdentifier: PropertyKeyPaths]>([:])

  /// What a key path leads to.
  static func property(_ path: AnyKeyPath, of type: Any.Type) throws -> PropertyKeyPaths.Property {
    guard let family = family(of: type), family.entity(of: type) != nil else {
      throw PersistenceError(
        .predicateKeyPath, entity: "\(type)", found: "\(path)",
        expected: "the class has no generated code; use a FetchPredicate with names")
    }
    guard let property = family.properties[path] else {
      throw PersistenceError(
        .predicateKeyPath, entity: "\(type)", found: "\(path)",
        expected:
          "use an attribute or a relationship of the model, and the primitive value of a custom accessor"
      )
    }
    return property
  }

  /// The entity of a class; nil for a class without generated code.
  static func entity(of type: Any.Type) -> String? { family(of: type)?.entity(of: type) }

  private static func family(of type: Any.Type) -> PropertyKeyPaths? {
    guard let queryable = type as? any QueryableObject.Type else { return nil }
    let key = ObjectIdentifier(type)
    if let found = families.withLock({ $0[key] }) { return found }
    let paths = queryable._copalKeyPaths
    families.withLock { $0[key] = paths }
    return paths
  }
}
