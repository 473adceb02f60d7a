import CopalEssentials
public import CopalModel
public import CopalStore

extension PersistentContainer {
  /// Copies all saved objects into an empty store of the same model, for example from memory into a
  /// file.
  ///
  /// ```swift
  /// let copy = try await container.copyObjects(to: .sqlite(at: url))
  /// let same = copy.id(of: book.objectID)
  /// ```
  ///
  /// The objects get new ids. The copy has them as of one moment; unsaved changes are not in it. It
  /// is made in commits of at most 10,000 rows, so after an error, and when the task was canceled,
  /// the store has a part of them: delete it. The cost grows with the number of objects. A
  /// reference to an object that does not exist is nil in the copy.
  ///
  /// - Parameters:
  ///   - store: the store. It is made when it does not exist.
  ///   - progress: called at most 20 times a second, on the thread that copies.
  /// - Throws: `store.notEmpty`; `migration.inexact` for what another program has stored: a value
  ///   of a wrong type, a reference to an object of a wrong entity, the name of a missing file;
  ///   codes of `store.…` when a store cannot be read or written; `CancellationError` when the task
  ///   is canceled.
  public func copyObjects(
    to store: StoreConfiguration, progress: (@Sendable (MigrationProgress) -> Void)? = nil
  ) async throws -> ObjectCopy {
    let runtime = runtime
    return try await DetachedWork.run { isCanceled in
      let target = try store.open(runtime.schema)
      let copy = try StoreCopy(from: runtime.store, to: target, progress) {
        if isCanceled() { throw CancellationError() }
      }
      guard try copy.writer.isStoreEmpty() else {
        throw PersistenceError(.notEmpty, path: store.name)
      }
      let problems = try copy.run()
      guard problems.isEmpty else {
        let difference = ModelDifference(
          ModelMapping(from: runtime.schema.model, to: runtime.schema.model))
        throw PersistenceError.combining(
          problems.map { difference.error(of: $0) }, as: .multipleProblems)
      }
      return ObjectCopy(runtime.schema, target.identifier, copy.writer)
    }
  }
}

/// What ``PersistentContainer/copyObjects(to:progress:)`` has copied.
public struct ObjectCopy: Sendable {
  private let schema: StoreSchema
  private let identities: [EntityIdentity]
  /// By the position of the root and the key in the former store.
  private let objects: [Int: [Int64: GraphWriter.Place]]

  init(_ schema: StoreSchema, _ store: UUID, _ writer: GraphWriter) {
    self.schema = schema
    objects = writer.objects
    identities = schema.identities(inStore: store)
  }

  /// The number of copied objects.
  public var count: Int { objects.values.reduce(0) { $0 + $1.count } }

  /// The id of the copy of an object; nil for an object that was not copied.
  public func id(of id: ManagedObjectID) -> ManagedObjectID? {
    guard let layout = schema.layout(id.entityName), let key = objects[layout.root]?[id.key]?.key
    else {
      return nil
    }
    return ManagedObjectID(identities[layout.index], key)
  }
}
