/// Copies of the store, and its size on the disk.
extension SQLiteStore {
  /// Copies the store with its files to another path, as of one moment. Other contexts and programs
  /// can write in the meantime. Their saves do not wait for the backup.
  ///
  /// The copy is a complete store: open it with the same model. It has the identifier of this
  /// store. The cost grows with the size of the database and of its files.
  ///
  /// - Parameter path: the path of the copy. Its folder must exist, and there must be nothing at
  ///   the path.
  /// - Throws: `store.backupExists`, also while another backup writes to the path;
  ///   `store.folderMissing`; `store.diskFull`; `store.fileReplaced` or `store.modelDiffers` when
  ///   another program has replaced or migrated the store; other codes of `store.…`;
  ///   `object.externalFileUnreadable` for a file that cannot be read. If the disk fails in the
  ///   last step, parts of the copy can be left.
  public func backup(to path: String) throws { try backup(to: path, isCanceled: nil) }

  /// The same, and asks meanwhile whether to give up.
  ///
  /// - Throws: also `store.interrupted`. Then nothing of the copy is left.
  package func backup(to path: String, isCanceled: (@Sendable () -> Bool)?) throws {
    try withConnection { connection in
      try connection.unless(isCanceled) {
        try StoreBackup(connection, folder, schema, to: path, isCanceled: isCanceled).run()
      }
    }
  }

  /// Gives free pages of the file back to the disk, and orders the others: SQLite writes the file
  /// again (<https://www.sqlite.org/lang_vacuum.html>). Then it empties the log.
  ///
  /// The disk needs room for a second copy meanwhile. The cost grows with the size of the file, and
  /// other writers wait. The log keeps its size while somebody reads an older state.
  ///
  /// - Throws: `store.busy` while somebody writes for longer than the busy timeout;
  ///   `store.diskFull`; other codes of `store.…`. Then the file is as it was.
  public func compact() throws {
    commitCounter?.noteOtherWrite()
    defer { commitCounter?.noteOtherWrite() }
    try withConnection { connection in
      try connection.run("VACUUM")
      // Another reader may need the log.
      _ = try? connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }
}
