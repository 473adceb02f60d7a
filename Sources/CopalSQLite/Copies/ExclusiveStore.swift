import CopalEssentials
import CopalModel
import CopalStore

/// A store that nobody else has open, in this program or in another one, and whose log is empty and
/// gone: the database file and the folder of large values are all of it.
///
/// In the mode of the write-ahead log, each connection keeps a lock on the file as long as it is
/// open. So the exclusive lock shows that there is no other one
/// (<https://www.sqlite.org/pragma.html#pragma_locking_mode>).
struct ExclusiveStore {
  let connection: Connection
  let path: StorePath
  let identifier: UUID
  private let lock: FileLock?

  /// - Returns: nil when there is no store: no file, or an empty one.
  /// - Throws: `store.inUse`; the error of opening when there is something else than a store.
  init?(_ path: StorePath, _ options: SQLiteStore.Options) throws {
    try SQLiteLibrary.check()
    guard try path.checkForWriting() else { return nil }
    let connection = try path.explainingWriting {
      try Connection(path: path.text, options, createsFile: false)
    }
    let record = try Self.locking(path, connection) { () -> StoreMetadata.Record? in
      let header = StoreHeader(connection)
      if try header.isFileEmpty() { return nil }
      try header.checkFormat()
      return try StoreMetadata(connection).read()
    }
    guard let record else { return nil }
    let folder = ExternalFolder(of: connection.filePath, record.identifier)
    try folder.check()
    if folder.exists {
      lock = try FileLock(folder.path + "/lock", isExclusive: true, waits: false)
      if lock == nil { throw PersistenceError(.inUse, path: path.text) }
    } else {
      lock = nil
    }
    (self.connection, self.path, identifier) = (connection, path, record.identifier)
  }

  /// The database file, where symbolic links end.
  var file: String { connection.filePath }

  var folder: ExternalFolder { ExternalFolder(of: file, identifier) }

  /// Releases the locks.
  func end() { lock?.end() }

  /// Takes the lock for good, reads, and empties the log. SQLite does not wait for this lock, so it
  /// is tried until the busy timeout.
  static func locking<R>(_ path: StorePath, _ connection: Connection, _ read: () throws -> R) throws
    -> R
  {
    let end = ContinuousClock.now + .milliseconds(connection.busyTimeout)
    return try connection.withoutWaiting {
      while true {
        do {
          try connection.run("PRAGMA locking_mode=EXCLUSIVE")
          try connection.run("PRAGMA synchronous=FULL")
          let result = try read()
          guard try connection.text("PRAGMA journal_mode=DELETE") == "delete" else {
            throw PersistenceError(.busy, path: path.text)
          }
          try connection.run("BEGIN EXCLUSIVE")
          try connection.run("COMMIT")
          // Left by a connection that was killed.
          _ = unlink(connection.filePath + "-shm")
          return result
        } catch let error as PersistenceError where error.code == .busy {
          if ContinuousClock.now >= end { throw PersistenceError(.inUse, path: path.text) }
          usleep(.random(in: 1000...10_000))
        }
      }
    }
  }

  /// Checks that the folder has nothing but what Copal has written for this store.
  func checkFolder() throws {
    try folder.checkHasNoOtherMark()
    if let foreign = folder.foreignPath {
      throw path.cannotOpen(
        "'\(foreign)' in the folder of its files is not Copal's; move that away")
    }
  }
}
