import CopalModel
import CopalStore

/// Finds the transformer of every transformable attribute when a container opens. A missing one is
/// an error.
struct TransformerResolution {
  private let own: TransformerRegistry

  init(own: TransformerRegistry) { self.own = own }

  /// The model with the storage that each transformer chose.
  ///
  /// - Parameter problems: receives every transformer that is missing or does not fit.
  func resolve(_ model: ManagedObjectModel, _ problems: inout [PersistenceError])
    -> ManagedObjectModel
  {
    var entities = model.entities
    for entity in entities.indices {
      for index in entities[entity].attributes.indices {
        let attribute = entities[entity].attributes[index]
        guard attribute.type == .transformable, !attribute.isTransient else { continue }
        let name = attribute.transformer ?? TransformerName("")
        guard let bound = bound(name) else {
          problems.append(unregistered(name, attribute.name, entities[entity].name))
          continue
        }
        if let storage = attribute.storage, storage != bound.storage {
          problems.append(
            PersistenceError(
              .transformerStorage, entity: entities[entity].name, property: attribute.name,
              found: "'\(name)' stores \(bound.storage.rawValue.uppercased())",
              expected: storage.rawValue.uppercased()))
        }
        entities[entity].attributes[index].storage = bound.storage
      }
    }
    return ManagedObjectModel(model, with: entities)
  }

  /// The transformer of that name for one attribute.
  func bound(_ name: TransformerName) -> BoundTransformer? {
    guard
      let transformer = own.transformer(named: name)
        ?? TransformerRegistry.shared.transformer(named: name)
    else { return nil }
    return bind(transformer, name)
  }

  private func bind<T: AttributeTransformer>(_ transformer: T, _ name: TransformerName)
    -> BoundTransformer
  {
    BoundTransformer(transformer, name: name)
  }

  private func unregistered(_ name: TransformerName, _ attribute: String, _ entity: String)
    -> PersistenceError
  {
    let registered = Set(own.names).union(TransformerRegistry.shared.names).sorted()
    return PersistenceError(
      .transformerUnregistered, entity: entity, property: attribute, found: name.rawValue,
      expected: registered.isEmpty
        ? "none" : registered.map(\.rawValue).joined(separator: ", "),
      suggestion: NearestName.of(name.rawValue, among: registered.map(\.rawValue)))
  }
}
