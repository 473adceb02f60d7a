import CopalEssentials
import CopalModel
import CopalStore

/// Reads the store in a file without opening it. No file is created, changed or locked for
/// writing. Only the index of the log, which is shared memory, may be made again, as by every
/// reader.
struct StoreInspection {
  let path: StorePath
  let options: SQLiteStore.Options

  /// - Returns: nil when there is no file, or an empty one.
  func describe() throws -> StoreDescription? {
    try read { try StoreMetadata($0).readDescription() }
  }

  /// Reads the store in one transaction. When another program has changed the files meanwhile, they
  /// are read again.
  ///
  /// - Returns: nil when there is no file, or an empty one.
  /// - Throws: `store.busy` when the files change for longer than the busy timeout.
  func read<R>(_ body: (Connection) throws -> R?) throws -> R? {
    try SQLiteLibrary.check()
    guard try path.checkForReading() else { return nil }
    return try path.explainingReading { try readUnchangedFiles(body) }
  }

  private func readUnchangedFiles<R>(_ body: (Connection) throws -> R?) throws -> R? {
    let end = ContinuousClock.now + .seconds(max(0, min(options.busyTimeoutSeconds, 1e9)))
    repeat {
      let files = FilesOnDisk(path.filePath)
      if files.hasNoContent { return nil }
      do {
        let result = try read(files.access, body)
        if files.access.hasLocks || files.isUnchanged { return result }
      } catch let error as PersistenceError where error.code == .busy || files.isUnchanged {
        throw error
      } catch is PersistenceError {}
      usleep(1000)
    } while ContinuousClock.now < end
    throw PersistenceError(.busy, path: path.text)
  }

  private func read<R>(
    _ access: Connection.Access, _ body: (Connection) throws -> R?
  ) throws -> R? {
    let connection = try Connection(
      path: path.text, access, busyTimeoutSeconds: options.busyTimeoutSeconds,
      pageCacheKilobytes: options.pageCacheKilobytes, onStatement: options.onStatement)
    return try connection.inReadTransaction {
      let header = StoreHeader(connection)
      if try header.isFileEmpty() { return nil }
      try header.checkFormat()
      return try body(connection)
    }
  }
}

/// A database file and the other files that SQLite keeps beside it, as the file system shows them.
///
/// They are never opened here: when a program closes a file, the system releases all locks that the
/// program has on it, also those of its SQLite connections
/// (<https://www.sqlite.org/howtocorrupt.html>).
private struct FilesOnDisk: Equatable {
  private struct File: Equatable {
    let number: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    init?(_ path: String) {
      var info = stat()
      guard stat(path, &info) == 0 else { return nil }
      number = UInt64(info.st_ino)
      size = Int64(info.st_size)
      #if canImport(Darwin)
        let changed = info.st_mtimespec
      #else
        let changed = info.st_mtim
      #endif
      seconds = changed.tv_sec
      nanoseconds = changed.tv_nsec
    }
  }

  private let path: String
  private let database: File?
  private let log: File?
  private let journal: File?
  private let hasIndexOfLog: Bool

  init(_ path: String) {
    self.path = path
    database = File(path)
    log = File(path + "-wal")
    journal = File(path + "-journal")
    // Only whether it exists: its time does not show changes.
    hasIndexOfLog = File(path + "-shm") != nil
  }

  /// Whether there is no database, or an empty file.
  var hasNoContent: Bool { (database?.size ?? 0) == 0 }

  var isUnchanged: Bool { self == Self(path) }

  /// How a connection reads the database without creating a file.
  var access: Connection.Access {
    // A connection that writes has a log or a journal.
    if log == nil && journal == nil { return .readingAlone }
    return log == nil || hasIndexOfLog ? .reading : .readingAloneWithLog
  }
}
