import CopalEssentials
import CopalModel
public import CopalStore

/// The files of large values.
extension SQLiteStore {
  /// The folder beside the store in which the large values of external attributes are. Never nil:
  /// the folder itself need not exist.
  public var externalFiles: (any ExternalFiles)? { folder }

  /// Removes the files that no row refers to.
  ///
  /// Copal removes them by itself when a store is opened, and after each hundred replaced or
  /// deleted values. While a save writes large values, a backup copies files, or a reader sees an
  /// older state of the store, files are kept, and a later call removes them. A program that has a
  /// container calls the method of the container, which does not block its thread.
  ///
  /// - Parameter checkingAll: whether every file in the folder is looked at, for example after
  ///   another program has deleted rows; the cost then grows with the number of files. Otherwise it
  ///   grows with the number of values that were replaced or deleted since the last removal.
  /// - Returns: the number of removed files; 0 when the files are needed now.
  /// - Throws: `store.fileReplaced` or `store.modelDiffers` when another program has replaced or
  ///   migrated the store; no file is removed. `store.filesOfAnotherStore` when the folder is that
  ///   of another store. Other codes of `store.…` when the disk fails.
  @discardableResult
  public func removeUnreferencedFiles(checkingAll: Bool = false) throws -> Int {
    commitCounter?.noteOtherWrite()
    defer { commitCounter?.noteOtherWrite() }
    return try withConnection { connection in
      do {
        return try FileTidyUp(connection, folder, schema).run(checkingAll: checkingAll)
      } catch let error as PersistenceError where error.code == .busy {
        return 0
      }
    }
  }

  /// Runs work with a connection of the store that is in no session.
  func withConnection<R>(_ body: (Connection) throws -> R) throws -> R {
    let connection = try idleConnection()
    defer { release(connection) }
    // Otherwise the rows of the former file would decide about the files of the new one.
    if connection.hasMoved { throw PersistenceError(.fileReplaced, path: path) }
    // Another program may have migrated the store, and may have files in an attribute that this one
    // does not know.
    try FileReferences(connection, schema).checkModel()
    try checkLog()
    return try FileSizeSignal.heldBack { try body(connection) }
  }

  /// The number of replaced or deleted values after which a commit removes their files.
  private static let dueCount = 100

  /// Removes files after a commit, if there are many. If that fails, a later removal does it.
  func tidyUpIfDue(_ connection: Connection) {
    guard unreferencedCount.withLock({ $0 >= Self.dueCount }) else { return }
    unreferencedCount.withLock { $0 = 0 }
    commitCounter?.noteOtherWrite()
    defer { commitCounter?.noteOtherWrite() }
    _ = try? FileTidyUp(connection, folder, schema).run()
  }

  /// Counts the replaced and deleted values of a commit.
  func noteUnreferenced(_ count: Int) { unreferencedCount.withLock { $0 += count } }
}
