import CopalModel
import CopalStore

/// What the containers of one model binding have in common: the result of the checks that depend
/// only on the binding, and the schema. The first container makes both; the others find them here.
///
/// A program that opens many stores of one model, for example one for each customer, checks the
/// model once.
final class BindingCache: Sendable {
  private struct Contents {
    var checked: CheckedModel?
    /// The last schema, and the storage types of the transformables that it was made for.
    var schema: (storage: [StorageType], schema: StoreSchema)?
  }

  private let contents = Locked(Contents())

  /// The checked model. The body runs once, or a few times.
  func checked(_ check: () -> CheckedModel) -> CheckedModel {
    if let known = contents.withLock({ $0.checked }) { return known }
    // Outside the lock: two containers that open at the same time may both check, with one result.
    let made = check()
    contents.withLock { $0.checked = made }
    return made
  }

  /// The schema for the storage types of the transformables. The body runs when the last schema was
  /// made for others, because containers can have transformers of their own.
  func schema(_ storage: [StorageType], _ make: () -> StoreSchema) -> StoreSchema {
    if let known = contents.withLock({ $0.schema }), known.storage == storage {
      return known.schema
    }
    let made = make()
    contents.withLock { $0.schema = (storage, made) }
    return made
  }
}

/// What the checks of a model and its classes found.
struct CheckedModel: Sendable {
  /// The classes that do not match the model.
  let problems: [PersistenceError]
  /// The transformables that have a column, in the order of the model. A container finds their
  /// transformers.
  let transformables: [StoredTransformable]

  init(_ model: ManagedObjectModel, _ bindings: [EntityBinding]) {
    problems =
      LayoutCheck.problems(bindings, against: model) + ClassCheck.problems(bindings, of: model)
    let valueTypes = Dictionary(
      bindings.map { ($0.entityName, $0.valueTypes) }, uniquingKeysWith: { first, _ in first })
    transformables = model.entities.flatMap { entity in
      entity.attributes.filter(\.isStoredTransformable).map { attribute in
        StoredTransformable(
          entity: entity.name, attribute: attribute.name,
          transformer: attribute.transformer ?? TransformerName(""), storage: attribute.storage,
          valueType: valueTypes[entity.name]?[attribute.name], isOptional: attribute.isOptional,
          isVersioned: attribute.isVersioned, isExternal: attribute.externalThreshold != nil,
          projections: attribute.projections)
      }
    }
  }
}

/// A transformable attribute that has a column.
struct StoredTransformable: Sendable {
  let entity: String
  let attribute: String
  let transformer: TransformerName
  /// The storage type that the model demands; nil when the transformer chooses.
  let storage: StorageType?
  /// The type of the class's property; nil when the entity has no class.
  let valueType: Any.Type?
  /// Whether the attribute may have no value.
  let isOptional: Bool
  /// Whether a store keeps the version of the transformer.
  let isVersioned: Bool
  /// Whether large values are in files.
  let isExternal: Bool
  /// What a store keeps of the values for conditions.
  let projections: [ProjectionDescription]
}
