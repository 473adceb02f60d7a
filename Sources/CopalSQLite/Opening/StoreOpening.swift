import CopalEssentials
import CopalModel
import CopalStore

/// Opens a store: checks the file without changing it, then creates or migrates the store in one
/// transaction. A refused file is not changed, with one exception: damaged tables are
/// found after a migration.
struct StoreOpening {
  let path: StorePath
  let schema: StoreSchema
  let options: SQLiteStore.Options

  /// The result of opening a store.
  struct Opened {
    let connection: Connection
    let identifier: UUID
    let entitiesWithoutRowID: Set<Int>
    let folder: ExternalFolder
    let hasExternalValues: Bool
  }

  func open() throws -> Opened {
    try SQLiteLibrary.check()
    try path.checkForWriting()
    return try FileSizeSignal.heldBack { try openOrErase() }
  }

  private func openOrErase() throws -> Opened {
    do {
      return try openFile()
    } catch let error as PersistenceError
      where error.code == .modelDiffers && options.erasesWhenModelDiffers
    {
      try erase()
      return try openFile()
    }
  }

  private func openFile() throws -> Opened {
    try path.explainingWriting {
      let connection = try Connection(path: path.text, options, createsFile: true)
      do {
        return try openStore(connection)
      } catch {
        connection.leaveUntouched()
        throw error
      }
    }
  }

  private func openStore(_ connection: Connection) throws -> Opened {
    let header = StoreHeader(connection)
    let isNew = try header.isFileEmpty()
    if connection.isReadOnly { throw path.notWritable("the file is read-only") }
    if isNew { try SchemaInstaller(connection, schema).createStore() }
    try header.checkFormat()
    let record = try LightweightMigration(connection, schema).migrateIfNeeded()
    let entities = try TableCheck(connection, schema).check(record)
    try keepLog(connection)
    let folder = ExternalFolder(of: connection.filePath)
    tidyUp(connection, folder, isMigrated: record.schemaHash != schema.hash.text)
    return Opened(
      connection: connection, identifier: record.identifier, entitiesWithoutRowID: entities,
      folder: folder, hasExternalValues: schema.entities.contains { !$0.externalSlots.isEmpty })
  }

  /// Removes the files that earlier saves have left; all files are looked at after a migration. If that fails, a later removal does it.
  private func tidyUp(_ connection: Connection, _ folder: ExternalFolder, isMigrated: Bool) {
    if folder.exists {
      _ = try? FileTidyUp(connection, folder, schema).run(checkingAll: isMigrated)
    }
  }

  /// Turns the write-ahead log on. A copy of a store made by another tool may lack it.
  private func keepLog(_ connection: Connection) throws {
    try connection.run("PRAGMA journal_mode=WAL")
  }

  private func erase() throws {
    // The path may be a symbolic link, which is kept.
    let target = path.filePath
    // The files of large values first: after an interruption, the store that is still there is erased again.
    for suffix in [ExternalFolder.suffix, "", "-wal", "-shm"] {
      let file = target + suffix
      if FileManager.default.fileExists(atPath: file) {
        do {
          try FileManager.default.removeItem(atPath: file)
        } catch {
          throw PersistenceError(
            .notWritable, path: file, found: "it cannot be deleted", causes: [error])
        }
      }
    }
  }
}
