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
      let files = StoreFilesOnDisk(path.filePath)
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
