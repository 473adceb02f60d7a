public import CopalObjects
import CopalSQLite
import CopalStore

extension PersistentContainer {
  /// Opens a SQLite store by its name, and creates it when there is none: the short form of
  /// `init(model: model, store: .sqlite(named: name))`.
  ///
  /// ```swift
  /// let container = try PersistentContainer(name: "Colors", model: .colors)
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the store; `SQLiteStore.defaultURL(named:)` says where its file is.
  ///   - model: the model and its classes, such as the generated `.colors`.
  /// - Throws: `ModelError`; `PersistenceError` with a code of `container.…`, `transformer.…` or `store.…`.
  public convenience init(name: String, model: ModelBinding) throws {
    try self.init(model: model, store: .sqlite(named: name))
  }
}
