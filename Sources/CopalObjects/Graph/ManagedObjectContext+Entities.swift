import CopalModel
import CopalStore

/// The entities of requests, ids and names.
extension ManagedObjectContext {
  /// The entity of a request: the one that it names, else the one of its class.
  func runtime<T: ManagedObject>(for request: FetchRequest<T>) throws -> EntityRuntime {
    if let name = request.entityName { return try runtime(named: name) }
    let container = state.container
    if let index = container.entityByClass[ObjectIdentifier(T.self)] {
      return container.entities[index]
    }
    throw PersistenceError(.unknownEntity, found: "\(T.self)", expected: container.classNames)
  }

  /// The entity of an id. Ids of this container have its index.
  func runtime(for id: ManagedObjectID) throws -> EntityRuntime {
    let entities = state.container.entities
    let index = id.identity.index
    if index >= 0, index < entities.count, entities[index].identity === id.identity {
      return entities[index]
    }
    guard id.storeIdentifier == state.container.store.identifier else {
      throw PersistenceError(.idOfAnotherStore, entity: id.entityName, objectID: id)
    }
    if let index = state.storedEntity(of: id) { return entities[index] }
    return try runtime(named: id.entityName)
  }

  func cast<T: ManagedObject>(_ object: ManagedObject, to type: T.Type) throws -> T {
    // Most callers ask for the exact class, and comparing types is cheaper than a cast.
    if Swift.type(of: object) == type { return unsafeDowncast(object, to: T.self) }
    if let object = object as? T { return object }
    throw PersistenceError(
      .wrongClass, entity: object.entityName, found: "\(T.self)",
      expected: "\(Swift.type(of: object))")
  }

  func requireOwn(_ object: ManagedObject) {
    require(
      object.core === core,
      "\(object.objectID) belongs to another context; look it up here with existingObject(with:)")
  }

  func runtime(named entityName: String) throws -> EntityRuntime {
    try state.container.entity(named: entityName)
  }
}
