import CopalModel
import CopalStore

extension ContainerRuntime {
  /// The entity with a name.
  ///
  /// - Throws: `request.unknownEntity`.
  func entity(named name: String) throws -> EntityRuntime {
    if let index = schema.model.entityIndex(name) { return entities[index] }
    throw PersistenceError(
      .unknownEntity, entity: name,
      suggestion: NearestName.of(name, among: schema.model.entities.map(\.name)))
  }

  /// The name of the entity of a class; that of the class where there is none.
  func entityName(of type: ManagedObject.Type) -> String {
    entityByClass[ObjectIdentifier(type)].map { entities[$0].layout.name } ?? "\(type)"
  }

  /// The binder of requests for the objects of an entity, without a context: conditions can name
  /// saved objects.
  func binder(of entity: EntityRuntime) -> PredicateBinder {
    PredicateBinder(entity.layout, in: schema, keys: SavedKeys(container: self))
  }

  /// Rows with ids in place of keys.
  func objectIDs(in rows: [[PropertyValue]], _ query: ValueQuery) -> [[PropertyValue]] {
    let identities = query.columns.map { column -> EntityIdentity? in
      guard case .object(let root) = column.type else { return nil }
      return entities[root].identity
    }
    if identities.allSatisfy({ $0 == nil }) { return rows }
    return rows.map { row in
      zip(row, identities).map { value, identity in
        guard let identity, case .integer(let key) = value else { return value }
        return .object(ManagedObjectID(identity, key))
      }
    }
  }

  /// The keys of saved objects.
  private struct SavedKeys: ObjectKeySource {
    let container: ContainerRuntime

    func key(of id: ManagedObjectID, root: Int) -> Int64? {
      guard id.storeIdentifier == container.store.identifier,
        let index = container.schema.layout(id.entityName)?.root
          ?? container.schema.layout(
            id.rootName)?.root, index == root
      else { return nil }
      return id.key
    }
  }
}
