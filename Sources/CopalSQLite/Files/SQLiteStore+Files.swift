import CopalEssentials
import CopalModel
public import CopalStore

/// The files of large values, and copies of the store.
extension SQLiteStore {
  /// The folder beside the store in which the values of attributes with `"external"` are, above their thresholds.
  public var externalFiles: (any ExternalFiles)? { folder }

  /// Removes the files that no row refers to.
  ///
  /// Copal removes them by itself when a store is opened, and after each hundred replaced or deleted values. While a save with large values
  /// runs, or a reader sees an older state of the store, nothing is removed.
  ///
  /// - Parameter checkingAll: whether every file in the folder is looked at, for example after another program has deleted rows.
  ///   Otherwise the cost depends on the changes since the last call.
  /// - Returns: the number of removed files.
  /// - Throws: ``PersistenceError`` with a code of `store.…`.
  @discardableResult
  public func removeUnreferencedFiles(checkingAll: Bool = false) throws -> Int {
    try withConnection { connection in
      do {
        return try FileTidyUp(connection, folder, schema).run(checkingAll: checkingAll)
      } catch let error as PersistenceError where error.code == .busy {
        return 0
      }
    }
  }

  /// Copies the store with its files to another path, as of one moment. Other contexts and programs can write meanwhile; those that save
  /// large values wait for nothing.
  ///
  /// The copy is a complete store: open it with the same model. It has the identifier of this store.
  ///
  /// - Parameter path: the path of the copy. Its folder must exist, and there must be no store yet.
  /// - Throws: `store.backupExists`, `store.folderMissing`, `store.diskFull` and other codes of `store.…`. Then there is no copy.
  public func backup(to path: String) throws {
    try withConnection { connection in
      try StoreBackup(connection, folder, schema, to: path).run()
    }
  }

  /// Runs work with a connection of the store that is in no session.
  private func withConnection<R>(_ body: (Connection) throws -> R) throws -> R {
    let connection = try idleConnection()
    defer { release(connection) }
    return try FileSizeSignal.heldBack { try body(connection) }
  }

  /// The number of replaced or deleted values after which a commit removes their files.
  private static let dueCount = 100

  /// Removes files if there are many, after a commit. What fails is done by the next one.
  func tidyUpIfDue(_ connection: Connection) {
    guard unreferencedCount.withLock({ $0 >= Self.dueCount }) else { return }
    unreferencedCount.withLock { $0 = 0 }
    _ = try? FileTidyUp(connection, folder, schema).run()
  }

  /// Notes how many files the commits of this store have left.
  func noteUnreferenced(_ count: Int) { unreferencedCount.withLock { $0 += count } }
}
