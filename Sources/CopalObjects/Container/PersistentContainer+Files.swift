public import CopalEssentials
import CopalModel
import CopalStore

/// Backups, and the files of large values.
extension PersistentContainer {
  /// Copies the store to another path, together with the files of its large values, as of one
  /// moment.
  ///
  /// Use it for backups, while this program and others read and write. The copy is a complete store
  /// with the same identifier: open it with the same model. It has no unsaved changes of contexts.
  /// Until the copy is complete, the names of its files contain `-incomplete`, so a file with the
  /// name of the URL is a complete copy.
  ///
  /// ```swift
  /// try await container.backup(to: URL(filePath: "/backups/Atelier-2026-03-01.sqlite"))
  /// ```
  ///
  /// The copying runs on a background thread. Its cost grows with the size of the database and of
  /// its files. Saves do not wait for it, and no files are removed in the meantime. A file that is
  /// missing in the store is missing in the copy, too.
  ///
  /// - Parameter url: the URL of the copy. Its folder must exist, and there must be no file of that
  ///   name.
  /// - Throws: `store.backupExists` when there is something at the URL, or when another backup
  ///   writes to it; `store.noBackup` for a store in memory; `store.cannotOpen` for a URL that is
  ///   not of a file; `object.externalFileUnreadable` for a file that cannot be read;
  ///   `store.folderMissing`, `store.diskFull`; `store.fileReplaced` or `store.modelDiffers` when
  ///   another program has replaced or migrated the store; other codes of `store.…`. If the disk
  ///   fails in the last step, parts of the copy can be left.
  public func backup(to url: URL) async throws {
    guard url.isFileURL else {
      throw PersistenceError(
        .cannotOpen, path: url.absoluteString, found: "it is not a file URL",
        expected: "URL(filePath:)")
    }
    let (store, path) = (runtime.store, url.path(percentEncoded: false))
    try await onBackgroundThread { try store.backup(to: path) }
  }

  /// Gives the room of deleted rows back to the system. Use it after a large deletion: otherwise
  /// the room is used again by new rows.
  ///
  /// ```swift
  /// try context.deleteAll(Reading.self) { $0.date < lastYear }
  /// try await container.compact()
  /// ```
  ///
  /// It runs on a background thread. For a SQLite store the cost grows with the size of the file,
  /// the disk needs room for a second copy, and other writers wait meanwhile.
  ///
  /// - Throws: `store.busy` while somebody writes for longer than the busy timeout;
  ///   `store.diskFull`; other codes of `store.…`. Then the store is as it was.
  public func compact() async throws {
    let store = runtime.store
    try await onBackgroundThread { try store.compact() }
  }

  /// Removes the files of large values that no object has any more.
  ///
  /// Copal does this by itself when a store is opened, and after each hundred replaced or deleted
  /// values. Call it to free space on the disk at once, or with `checkingAll` after another program
  /// has deleted rows. While a save writes large values, a backup copies files, or a reader sees an
  /// older state of the store, files are kept, and a later call removes them.
  ///
  /// An object that was read before its value was replaced still has the name of the former file.
  /// Once that file is removed, the property cannot be read (`object.externalFileMissing`) until
  /// the object is refreshed.
  ///
  /// ```swift
  /// let count = try await container.removeUnreferencedFiles()
  /// ```
  ///
  /// The removal runs on a background thread.
  ///
  /// - Parameter checkingAll: whether every file is looked at; the cost then grows with the number
  ///   of files. Otherwise the cost grows with the number of values that were replaced or deleted
  ///   since the last removal.
  /// - Returns: the number of removed files; 0 for a store in memory, and when the files are needed
  ///   now.
  /// - Throws: `store.fileReplaced` or `store.modelDiffers` when another program has replaced or
  ///   migrated the store, and `store.filesOfAnotherStore` when the folder of the files is that of
  ///   another store; no file is removed. Other codes of `store.…` when the store cannot be read or
  ///   written.
  @discardableResult
  public func removeUnreferencedFiles(checkingAll: Bool = false) async throws -> Int {
    let store = runtime.store
    return try await onBackgroundThread {
      try store.removeUnreferencedFiles(checkingAll: checkingAll)
    }
  }
}
