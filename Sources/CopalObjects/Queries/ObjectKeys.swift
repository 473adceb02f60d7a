import CopalModel
import CopalStore

/// The keys of objects in conditions.
extension ContextState: ObjectKeySource {
  func key(of id: ManagedObjectID, root: Int) -> Int64? {
    guard self.root(of: id) == root else { return nil }
    if id.key > 0 { return id.key }
    // The id from before the first save, or that of an object that has not been saved.
    return temporaryKeys.permanentKey(of: id.key, root: root) ?? id.key
  }

  /// The root of the entity of an id; nil for an id of another store or of an unknown entity.
  private func root(of id: ManagedObjectID) -> Int? {
    let (entities, index) = (container.entities, id.identity.index)
    // Ids of this container have its index.
    if index >= 0, index < entities.count, entities[index].identity === id.identity {
      return entities[index].root
    }
    guard id.storeIdentifier == container.store.identifier else { return nil }
    return container.schema.layout(id.entityName)?.root
  }
}
