import CopalModel
import CopalStore

/// The keys of objects in conditions.
extension ContextState: ObjectKeySource {
  func key(of id: ManagedObjectID, root: Int) -> Int64? {
    // A condition with an object that is nowhere is false.
    guard let id = try? current(id), entity(of: id).map({ container.entities[$0].root }) == root
    else { return nil }
    if id.key > 0 { return id.key }
    // The id from before the first save, or that of an object that has not been saved.
    return temporaryKeys.permanentKey(of: id.key, root: root) ?? id.key
  }

  /// The entity of an id; nil for an id of another store or of an unknown entity.
  private func entity(of id: ManagedObjectID) -> Int? {
    if isOwn(id) { return id.identity.index }
    guard id.storeIdentifier == container.store.identifier else { return nil }
    return storedEntity(of: id)
  }

  /// The entity of an id from text; nil for an unknown one. The entity of the object can have
  /// another name now, and its name can be that of a new entity: the root has the object.
  func storedEntity(of id: ManagedObjectID) -> Int? {
    let layout = container.schema.layout(id.entityName)
    guard let root = container.schema.layout(id.rootName), root.root == root.index else {
      return layout?.index
    }
    return layout?.root == root.index ? layout?.index : root.index
  }

  /// Whether an id was made by this container, and not from text.
  private func isOwn(_ id: ManagedObjectID) -> Bool {
    let (entities, index) = (container.entities, id.identity.index)
    return index >= 0 && index < entities.count && entities[index].identity === id.identity
  }

  /// What an id means now: only the text of an id can be that of a former family.
  ///
  /// Where some objects of a family have gone into another one, the store is asked which of the
  /// families has the object.
  ///
  /// - Throws: `object.missing` for an object that no family has any more; a code of `store.…`
  ///   when a row cannot be read.
  func current(_ id: ManagedObjectID) throws -> ManagedObjectID {
    if isOwn(id) || id.storeIdentifier != container.store.identifier { return id }
    guard let places = container.store.formerIDs.places(root: id.rootName, key: id.key) else {
      return id
    }
    let found = places.compactMap { place in
      container.schema.layout(place.root).map {
        ManagedObjectID(container.entities[$0.index].identity, place.key)
      }
    }
    let object =
      try found.count == 1
      ? found.first
      : found.first { try session.opened().fetchRow($0.key, entity: $0.identity.index) != nil }
    guard let object else {
      throw PersistenceError(.objectMissing, entity: id.entityName, objectID: id)
    }
    return object
  }
}
