import CopalModel
import CopalStore

/// What must be known of an open transaction until its end.
struct OpenTransaction {
  /// The new files of each transaction, the outermost first.
  var files: [[ExternalFileName]] = [[]]
  /// The greatest key that was used for each root entity.
  var usedKeys: [String: Int64] = [:]
  /// The lock of the folder, which keeps others from removing the new files; nil before the first
  /// one.
  var lock: FileLock?

  var isOutermost: Bool { files.count == 1 }
}

/// Transactions of several commits and batches. Each of these is a savepoint, and so is each
/// transaction, the outermost one too: after it is undone, the keys that it has used are noted
/// before the lock is released.
extension SQLiteSession {
  private static let savepoint = "SAVEPOINT copal_transaction"
  private static let undo = "ROLLBACK TO copal_transaction"
  private static let release = "RELEASE copal_transaction"

  func beginTransaction() throws {
    if transaction != nil {
      try checkTransaction()
      try connection.run(Self.savepoint)
      transaction?.files.append([])
      return
    }
    try FileSizeSignal.heldBack {
      try prepareToWrite()
      try connection.run("BEGIN IMMEDIATE")
      do {
        try connection.run(Self.savepoint)
      } catch {
        try? connection.runToEnd("ROLLBACK")
        throw error
      }
    }
    transaction = OpenTransaction()
    // Reads of a lost transaction must not begin one of their own.
    readTransactionDepth += 1
  }

  @discardableResult
  func commitTransaction() throws -> CommitPlace? {
    guard let open = transaction else { return nil }
    return try FileSizeSignal.heldBack {
      var place: CommitPlace?
      do {
        try checkTransaction()
        if open.isOutermost { place = try reserve() }
        try connection.runToEnd(open.isOutermost ? "COMMIT" : Self.release)
      } catch {
        place.map(takeBack)
        undoTransaction(isUncertain: true)
        throw error
      }
      let files = transaction?.files.popLast() ?? []
      if !open.isOutermost {
        transaction?.files[open.files.count - 2] += files
        return nil
      }
      store.folder.keep(files)
      endTransaction()
      return place
    }
  }

  func rollBackTransaction() { FileSizeSignal.heldBack { undoTransaction(isUncertain: false) } }

  /// - Parameter isUncertain: whether a commit has failed.
  private func undoTransaction(isUncertain: Bool) {
    guard let open = transaction else { return }
    if open.isOutermost { undoAll(open.usedKeys) } else { undoInner(open.usedKeys) }
    let files = transaction?.files.popLast() ?? []
    if isUncertain, open.isOutermost {
      removeUnlessCommitted(files)
    } else {
      store.folder.removeNew(files)
    }
    if open.isOutermost { endTransaction() }
  }

  private func undoInner(_ usedKeys: [String: Int64]) {
    // When a statement has failed, SQLite may have undone everything.
    guard connection.isInTransaction else { return }
    do {
      try connection.runToEnd(Self.undo)
      try connection.run(Self.release)
      try note(usedKeys)
    } catch {
      // Otherwise a part of what is to be undone could be committed.
      if connection.isInTransaction { try? connection.runToEnd("ROLLBACK") }
    }
  }

  private func undoAll(_ usedKeys: [String: Int64]) {
    store.commitCounter?.noteOtherWrite()
    defer { store.commitCounter?.noteOtherWrite() }
    do {
      if usedKeys.isEmpty {
        if connection.isInTransaction { try connection.runToEnd("ROLLBACK") }
      } else if connection.isInTransaction {
        try connection.runToEnd(Self.undo)
        try note(usedKeys)
        try connection.runToEnd("COMMIT")
      } else {
        try connection.inImmediateTransaction { try note(usedKeys) }
      }
    } catch {
      if connection.isInTransaction { try? connection.runToEnd("ROLLBACK") }
      unnotedKeys.merge(usedKeys, uniquingKeysWith: max)
    }
  }

  /// Notes keys as used, so that the ids of objects whose insertion was undone do not become those
  /// of others.
  private func note(_ usedKeys: [String: Int64]) throws {
    let last = LastKeys(connection)
    for (entity, key) in usedKeys where try last[entity] < key { try last.set(key, of: entity) }
  }

  private func endTransaction() {
    transaction?.lock?.end()
    transaction = nil
    // Something has failed, and the end of a read transaction would commit it.
    if connection.isInTransaction { try? connection.runToEnd("ROLLBACK") }
    endReadTransaction()
    if store.hasExternalValues { store.tidyUpIfDue(connection) }
  }

  /// - Throws: `store.transactionLost` when SQLite has undone the transaction, as it does when the
  ///   disk is full.
  func checkTransaction() throws {
    if !connection.isInTransaction { throw PersistenceError(.transactionLost, path: store.path) }
  }

  // MARK: Writing

  /// What comes before each transaction that writes.
  func prepareToWrite() throws {
    try endView()
    // Otherwise SQLite would continue to write to a file that was deleted or moved.
    if connection.hasMoved { throw PersistenceError(.fileReplaced, path: store.path) }
    try store.checkLog()
    if store.hasSubstrings, !connection.keepsTrigrams {
      try connection.keepTrigrams { store.schema.entities.map { table($0.index).mapping } }
    }
  }

  /// Runs the body of a commit or a batch in a transaction of its own, or as a part of the open
  /// one. An error undoes it.
  ///
  /// - Returns: what the body returns, and the place of the commit; nil in an open transaction.
  func inWriteTransaction<R>(_ body: () throws -> R) throws -> (R, CommitPlace?) {
    if transaction == nil {
      var place: CommitPlace?
      do {
        let result = try connection.inImmediateTransaction(
          willCommit: { place = try reserve() }, body)
        return (result, place)
      } catch {
        place.map(takeBack)
        throw error
      }
    }
    // Outside of a transaction, a savepoint would begin one, and its end would commit it.
    try checkTransaction()
    return (try connection.inSavepoint(body), nil)
  }

  /// The place of a commit, directly before it. The commit is counted, if others are to notice it.
  private func reserve() throws -> CommitPlace {
    try store.commitCounter?.count(connection)
    return store.order.reserve()
  }

  /// The commit of a place has failed.
  private func takeBack(_ place: CommitPlace) {
    store.commitCounter?.takeBack()
    store.order.end(place)
  }

  /// Notes the last key of a root entity as used.
  func use(_ key: Int64, of entity: String) throws {
    try LastKeys(connection).set(key, of: entity)
    if transaction != nil { transaction?.usedKeys[entity] = key }
  }
}
