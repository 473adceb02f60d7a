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
      throw unknown(
        path, of: type, "the class has no generated code; use a FetchPredicate with names")
    }
    guard let property = family.properties[path] else {
      throw unknown(
        path, of: type,
        "use a stored attribute or a relationship; for an attribute with a custom accessor, use its primitive value"
      )
    }
    return property
  }

  /// The error for a key path that leads to nothing that a store has.
  static func unknown(_ path: AnyKeyPath, of type: Any.Type, _ remedy: String) -> PersistenceError {
    PersistenceError(
      .predicateKeyPath, entity: "\(type)", found: "\(Swift.type(of: path).valueType)",
      expected: remedy)
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
