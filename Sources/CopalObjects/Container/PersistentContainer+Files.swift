public import CopalEssentials
import CopalModel
import CopalStore

/// Backups, and the files of large values.
extension PersistentContainer {
  /// Copies the store to another place, together with the files of its large values, as of one moment.
  ///
  /// It is safe while this program and others read and write. The copy is a complete store: open it with the same model. A copy that was
  /// interrupted has another name, so it is not taken for a complete one.
  ///
  /// ```swift
  /// try await container.backup(to: URL(filePath: "/backups/Atelier-2026-03-01.sqlite"))
  /// ```
  ///
  /// It works on a background thread. The cost grows with the size of the store.
  ///
  /// - Parameter url: the URL of a file. Its folder must exist.
  /// - Throws: `store.backupExists` when there is a store at the URL; `store.noBackup` for a store in memory; `store.cannotOpen` for a URL
  ///   that is not of a file; `store.folderMissing`, `store.diskFull` and other codes of `store.…`. Then there is no copy.
  public func backup(to url: URL) async throws {
    guard url.isFileURL else {
      throw PersistenceError(
        .cannotOpen, path: url.absoluteString, found: "it is not a file URL",
        expected: "URL(filePath:)")
    }
    let (store, path) = (runtime.store, url.path(percentEncoded: false))
    try await onBackgroundThread { try store.backup(to: path) }
  }

  /// Removes the files of large values that no object has any more.
  ///
  /// Copal does this by itself when a store is opened, and after each hundred replaced or deleted values. Call it to make room at once, or
  /// with `checkingAll` after another program has deleted rows. While a save with large values runs, or a reader sees an older state of
  /// the store, nothing is removed.
  ///
  /// An object that another context has read before the value was replaced, and that has not read the value, finds no file then:
  /// reading gives `object.externalFileMissing` until the object is refreshed.
  ///
  /// - Parameter checkingAll: whether every file is looked at; the cost then grows with their number. Otherwise it grows with the number of
  ///   values that were replaced or deleted since the last time.
  /// - Returns: the number of removed files; 0 for a store in memory.
  /// - Throws: a code of `store.…` when the store cannot be read or written.
  @discardableResult
  public func removeUnreferencedFiles(checkingAll: Bool = false) async throws -> Int {
    let store = runtime.store
    return try await onBackgroundThread {
      try store.removeUnreferencedFiles(checkingAll: checkingAll)
    }
  }
}
