import CopalModel
import CopalStore

/// Compares the generated classes with the model, because their accessors read slots without a
/// check.
enum LayoutCheck {
  static func problems(_ bindings: [EntityBinding], against model: ManagedObjectModel)
    -> [PersistenceError]
  {
    bindings.compactMap { binding in
      guard let index = model.entityIndex(binding.entityName) else {
        return PersistenceError(
          .layoutDiffers, entity: binding.entityName, found: "the model has no entity of this name")
      }
      guard model.layoutHash(ofEntity: index) != binding.layoutHash else { return nil }
      return PersistenceError(
        .layoutDiffers, entity: binding.entityName,
        found: "the attributes of the class and of the model differ")
    }
  }
}

/// Checks that no class belongs to two entities, because a new object finds its entity by its
/// class; and that the class of an entity inherits from the class of its nearest ancestor that has
/// one, because a fetch of the ancestor returns objects of both as objects of the ancestor's class.
enum ClassCheck {
  static func problems(_ bindings: [EntityBinding], of model: ManagedObjectModel)
    -> [PersistenceError]
  {
    sharedClasses(bindings) + unrelatedClasses(bindings, model)
  }

  private static func unrelatedClasses(_ bindings: [EntityBinding], _ model: ManagedObjectModel)
    -> [PersistenceError]
  {
    let byName = Dictionary(
      bindings.map { ($0.entityName, $0) }, uniquingKeysWith: { first, _ in first })
    return bindings.compactMap { binding in
      guard let index = model.entityIndex(binding.entityName),
        let ancestor = model.ancestors(ofEntity: index).reversed().lazy.compactMap({
          byName[model.entities[$0].name]
        }).first,
        !ancestor.isSuperclass(binding.objectClass)
      else { return nil }
      return PersistenceError(
        .layoutDiffers, entity: binding.entityName,
        found:
          "\(binding.objectClass) does not inherit from \(ancestor.objectClass), the class of \(ancestor.entityName)"
      )
    }
  }

  private static func sharedClasses(_ bindings: [EntityBinding]) -> [PersistenceError] {
    var classes: [ObjectIdentifier: String] = [:]
    return bindings.compactMap { binding in
      guard binding.objectClass != ManagedObject.self else { return nil }
      let id = ObjectIdentifier(binding.objectClass)
      guard let other = classes.updateValue(binding.entityName, forKey: id) else { return nil }
      return PersistenceError(
        .layoutDiffers, entity: binding.entityName,
        found: "\(binding.objectClass) is also the class of \(other)")
    }
  }
}

/// Compares the schema of a store with the container's. A custom configuration may return a store
/// of another model, and rows are read without a check.
enum SchemaCheck {
  static func check(_ found: StoreSchema, against expected: StoreSchema) throws {
    if found === expected { return }
    func layouts(_ schema: StoreSchema) -> [[String]] {
      schema.entities.map { layout in
        [layout.name, String(schema.model.layoutHash(ofEntity: layout.index), radix: 16)]
          + layout.columns.map(\.storage.rawValue)
      }
    }
    guard layouts(found) != layouts(expected) else { return }
    throw PersistenceError(
      .layoutDiffers, found: found.model.name, expected: expected.model.name)
  }
}
