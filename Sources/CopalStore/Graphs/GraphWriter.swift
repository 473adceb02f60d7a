import CopalEssentials
package import CopalModel

/// Writes objects that refer to each other into a store that has none yet. The objects have ids of
/// their own, such as the keys of another store, and the store chooses new keys.
///
/// First all objects are inserted. Then their new keys are known, and what is still missing can be
/// written: references, positions in lists, and links. What an object refers to, and what is done
/// with a reference to nothing, is decided by the caller.
package final class GraphWriter {
  /// Where an object is.
  package struct Place: Sendable {
    /// The key in the store; 0 for an object that is not inserted yet.
    package let key: Int64
    /// The position of the entity in the schema.
    package let entity: Int
  }

  /// A number for a slot of an object that is inserted: the key of another object, or a position.
  package struct Reference {
    let object: Int64
    let slot: Int
    let value: Int64

    /// A number for a slot of the object with a key.
    package init(of object: Int64, _ slot: Int, _ value: Int64) {
      (self.object, self.slot, self.value) = (object, slot, value)
    }
  }

  /// The greatest number of rows in a commit.
  package static let limit = 10_000

  /// The objects, by their root and id. The root is that of the caller, whose schema can be another
  /// one.
  package private(set) var objects: [Int: [Int64: Place]] = [:]
  private let schema: StoreSchema
  private let keepsFiles: Bool
  private let session: any StoreSession
  private let commit: (ChangeSet) throws -> CommitResult

  /// A writer into a store.
  ///
  /// - Parameters:
  ///   - session: reads what was written.
  ///   - commit: commits changes by way of the session.
  package init(
    _ store: any PersistentStore, _ session: any StoreSession,
    commit: @escaping (ChangeSet) throws -> CommitResult
  ) {
    (self.session, self.commit) = (session, commit)
    schema = store.schema
    keepsFiles = store.externalFiles != nil
  }

  /// A writer into a store that nobody else uses meanwhile. Each change is a commit.
  package convenience init(filling store: any PersistentStore) throws {
    let session = try store.makeSession()
    self.init(store, session) { changes in
      let result = try session.commit(changes)
      // Nobody merges.
      if case .committed(let receipt) = result, let place = receipt.place {
        store.commitOrder?.end(place)
      }
      return result
    }
  }

  /// Whether the store has no objects.
  package func isStoreEmpty() throws -> Bool {
    try schema.entities.allSatisfy { layout in
      try layout.root != layout.index
        || session.count(StoreQuery(entity: layout.index, limit: 1)) == 0
    }
  }

  /// Where the object of an id is; nil for an id that no object has.
  package func place(of id: Int64, root: Int) -> Place? { objects[root]?[id] }

  /// Remembers an object that is inserted later.
  package func expect(_ id: Int64, root: Int, entity: Int) {
    objects[root, default: [:]][id] = Place(key: 0, entity: entity)
  }

  /// Inserts objects of an entity with one commit.
  ///
  /// - Parameters:
  ///   - ids: the ids of the objects, in a root.
  ///   - row: the values of the object at a position of the ids, and the version of its row.
  /// - Returns: why the store refuses the objects; nothing when they are inserted. The temporary
  ///   key of the first one is -1.
  package func insert(
    _ ids: [Int64], of layout: EntityLayout, root: Int,
    _ row: (Int) throws -> (values: [PropertyValue], version: Int64)
  ) throws -> [CommitConflict] {
    var change = ChangeSet.EntityChanges(entity: layout.index)
    var data: [ExternalFileName: Data] = [:]
    for place in ids.indices {
      let (values, version) = try row(place)
      let files = keepsFiles ? layout.files(of: values, &data) : [:]
      guard
        let packed = PackedRow.pack(layout, values: values, version: version, files: files)
      else { throw PersistenceError(.tooBig, entity: layout.name) }
      change.inserts.append(ChangeSet.Insert(key: -Int64(place) - 1, row: packed))
    }
    var changes = ChangeSet([change])
    changes.externalValues = data
    switch try commit(changes) {
    case .refused(let conflicts): return conflicts
    case .committed(let receipt):
      for (id, key) in zip(ids, receipt.insertedKeys.first ?? []) {
        objects[root, default: [:]][id] = Place(key: key, entity: layout.index)
      }
      return []
    }
  }

  /// Gives inserted objects of an entity references and positions. Their versions stay.
  ///
  /// - Returns: why the store refuses it.
  package func update(_ references: [Reference], of layout: EntityLayout) throws
    -> [CommitConflict]
  {
    let sorted = references.inOrder { $0.object < $1.object }
    var keys: [Int64] = []
    for reference in sorted where keys.last != reference.object { keys.append(reference.object) }
    // Only the slots of an object are read.
    var values = [PropertyValue](repeating: .null, count: layout.slotCount)
    var next = 0
    return try keys.parts(of: Self.limit).flatMap { part in
      var change = ChangeSet.EntityChanges(entity: layout.index)
      let rows = try session.rows(part, of: layout.index).inOrder { $0.key < $1.key }
      for (key, before) in rows {
        var changed = SlotSet(count: layout.slotCount)
        while next < sorted.count, sorted[next].object <= key {
          if sorted[next].object == key {
            values[sorted[next].slot] = .integer(sorted[next].value)
            changed.insert(sorted[next].slot)
          }
          next += 1
        }
        guard
          let row = before.repacked(layout, values, changed: changed, version: before.version)
        else { throw PersistenceError(.tooBig, entity: layout.name) }
        change.updates.append(
          ChangeSet.Update(key: key, before: before, row: row, changed: changed))
      }
      return try write(ChangeSet([change]))
    }
  }

  /// Adds links to a table.
  ///
  /// - Returns: why the store refuses it.
  package func link(_ links: [Link], table: Int) throws -> [CommitConflict] {
    try links.parts(of: Self.limit).flatMap { part in
      var change = LinkChanges(table: table)
      change.added = Array(part)
      return try write(ChangeSet([], links: [change]))
    }
  }

  /// Writes what programs keep beside the objects.
  ///
  /// - Returns: why the store refuses it.
  package func write(_ metadata: [String: MetadataValue]) throws -> [CommitConflict] {
    var changes = ChangeSet([])
    changes.metadata = metadata
    return try write(changes)
  }

  private func write(_ changes: ChangeSet) throws -> [CommitConflict] {
    if !changes.isEmpty, case .refused(let conflicts) = try commit(changes) { return conflicts }
    return []
  }
}
