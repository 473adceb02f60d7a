public import CopalStore

extension PersistentContainer {
  /// The saved values that the program keeps in the store beside its objects, by their names.
  ///
  /// A context changes them: ``ManagedObjectContext/metadata``. To read them before the store is
  /// opened, use `StoreConfiguration.inspect()`.
  ///
  /// - Throws: ``PersistenceError`` with a code of `store.…` when the store cannot be read.
  public var metadata: [String: MetadataValue] {
    get throws {
      let store = runtime.store
      return store.keepsMetadata ? try store.makeSession().fetchMetadata(named: nil) : [:]
    }
  }
}
