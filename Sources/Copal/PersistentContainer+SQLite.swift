public import CopalObjects
import CopalSQLite
import CopalStore

extension PersistentContainer {
  /// Opens a SQLite store by its name, and creates it when it does not exist. The short form of
  /// `init(model: model, store: .sqlite(named: name))`.
  ///
  /// ```swift
  /// let container = try PersistentContainer(name: "Colors", model: .colors)
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the store; `SQLiteStore.defaultURL(named:)` returns the URL of its file.
  ///   - model: the model and its classes, for example the generated `.colors`.
  /// - Throws: `ModelError` when the embedded model cannot be read; `PersistenceError` with a code
  ///   of `container.…`, `transformer.…` or `store.…`.
  public convenience init(name: String, model: ModelBinding) throws {
    try self.init(model: model, store: .sqlite(named: name))
  }
}
