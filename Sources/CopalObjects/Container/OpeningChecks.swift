import CopalModel
import CopalStore

/// Refuses models that this version reads but cannot serve yet: a part of a model is never half-served.
enum ModelSupport {
  static func check(_ model: ManagedObjectModel) throws {
    let found = model.unservedParts.map { part in
      switch part.kind {
      case .version: "  version \(part.found): migration between versions"
      case .parent: "  \(part.subject): the parent \(part.found)"
      case .abstract: "  \(part.subject): abstract"
      case .relationship: "  \(part.subject): a relationship"
      case .renamedFrom: "  \(part.subject): renamedFrom"
      }
    }
    guard !found.isEmpty else { return }
    throw PersistenceError(.unsupportedModel, found: found.joined(separator: "\n"))
  }
}

/// Compares the generated classes with the model: their accessors read slots without a check.
enum LayoutCheck {
  static func check(_ bindings: [EntityBinding], against model: ManagedObjectModel) throws {
    var problems: [PersistenceError] = []
    for binding in bindings {
      guard let entity = model.entity(binding.entityName) else {
        problems.append(
          PersistenceError(
            .layoutDiffers, entity: binding.entityName, found: "the model has no such entity"))
        continue
      }
      if entity.layoutHash != binding.layoutHash {
        problems.append(
          PersistenceError(
            .layoutDiffers, entity: entity.name,
            found: "its attributes are others than those it was generated for"))
      }
    }
    guard let first = problems.first else { return }
    if problems.count == 1 { throw first }
    throw PersistenceError(
      .layoutDiffers, entity: first.entity, found: "\(problems.count) classes do not fit",
      causes: problems)
  }
}

/// Checks that no class serves two entities, since a new object finds its entity by its class.
enum ClassCheck {
  static func check(_ bindings: [EntityBinding]) throws {
    var classes: [ObjectIdentifier: String] = [:]
    for binding in bindings where binding.objectClass != ManagedObject.self {
      let id = ObjectIdentifier(binding.objectClass)
      if let other = classes.updateValue(binding.entityName, forKey: id) {
        throw PersistenceError(
          .layoutDiffers, entity: binding.entityName,
          found: "the class \(binding.objectClass) already serves \(other)")
      }
    }
  }
}

/// Compares the types of transformable properties with what their transformers make: another type would
/// read as nil for ever.
enum ValueTypeCheck {
  static func check(
    _ bindings: [EntityBinding], _ model: ManagedObjectModel, _ resolution: TransformerResolution
  ) throws {
    for binding in bindings {
      for attribute in model.entity(binding.entityName)?.storedAttributes ?? [] {
        guard let type = binding.valueTypes[attribute.name], let name = attribute.transformer,
          let transformer = resolution.bound(name), transformer.valueType != type
        else { continue }
        throw PersistenceError(
          .transformerClass, entity: binding.entityName, attribute: attribute.name,
          found: "\(transformer.valueType)", expected: "\(type)")
      }
    }
  }
}

/// Compares the schema of a store with the container's: a configuration of one's own may hand out a store
/// that was made for another model, and rows are read without a check.
enum SchemaCheck {
  static func check(_ found: StoreSchema, against expected: StoreSchema) throws {
    if found === expected { return }
    func layouts(_ schema: StoreSchema) -> [[String]] {
      schema.entities.map { layout in
        [layout.name, String(layout.entity.layoutHash, radix: 16)]
          + layout.storage.map(\.rawValue)
      }
    }
    guard layouts(found) != layouts(expected) else { return }
    throw PersistenceError(
      .layoutDiffers, entity: expected.model.name,
      found: "the store was opened with another model, '\(found.model.name)'")
  }
}
