import CopalEssentials
import CopalModel
import CopalStore

/// Opens a store: checks the file without changing it, then creates or migrates the store in one
/// transaction. A refused file is not changed.
struct StoreOpening {
  let path: StorePath
  let request: OpeningRequest
  let options: SQLiteStore.Options
  private var schema: StoreSchema { request.schema }

  init(path: StorePath, request: OpeningRequest, options: SQLiteStore.Options) {
    self.path = path
    self.request = request
    self.options = options
  }

  func open() throws -> OpenedFile {
    try SQLiteLibrary.check()
    if options.isReadOnly { return try openForReading() }
    if try !path.checkForWriting() {
      // Before SQLite makes an empty file.
      try checkFolder(beside: path.filePath) { try !path.checkForWriting() }
    }
    return try FileSizeSignal.heldBack { try openOrErase() }
  }

  /// Checks that there are no large values beside a file in which a new store is to be made. They
  /// are those of a store that was deleted or emptied, and a removal of files would delete them.
  ///
  /// - Parameter isStillNew: called when there are large values: another program may have created
  ///   the store in the meantime.
  /// - Throws: `store.filesWithoutStore`.
  private func checkFolder(beside file: String, _ isStillNew: () throws -> Bool) throws {
    if ExternalFolder.isEnding(beside: file), try isStillNew() {
      // What an interrupted removal or move of a store has left.
      return try ExternalFolder(of: file, UUID()).erase()
    }
    guard ExternalFolder.hasValues(beside: file), try isStillNew() else { return }
    throw PersistenceError(
      .filesWithoutStore, path: path.text, found: file + ExternalFolder.suffix)
  }

  private func openOrErase() throws -> OpenedFile {
    do {
      return try openFile()
    } catch let error as PersistenceError
      where options.erasesWhenModelDiffers
      && (error.code == .modelDiffers || error.code == .newerModel)
    {
      try erase()
      return try openFile()
    }
  }

  private func openFile() throws -> OpenedFile {
    try path.explainingWriting {
      let connection = try Connection(path: path.text, options, createsFile: true)
      connection.schema = schema
      do {
        return try openStore(connection)
      } catch {
        connection.leaveUntouched()
        throw error
      }
    }
  }

  private func openStore(_ connection: Connection) throws -> OpenedFile {
    let header = StoreHeader(connection)
    let isNew = try header.isFileEmpty()
    if connection.isReadOnly { throw path.notWritable("the file is read-only") }
    if isNew { try checkFolder(beside: connection.filePath) { try header.isFileEmpty() } }
    if isNew { try SchemaInstaller(connection, schema).createStore() }
    try header.checkFormat()
    let (record, entities) = try migrateAndCheck(connection)
    let isMigrated = !schema.modelGuard.allows(record.model)
    // A copy of a store that another tool has made may lack the write-ahead log.
    _ = try connection.turnLogOn()
    let folder = ExternalFolder(of: connection.filePath, record.identifier)
    tidyUp(connection, folder, isMigrated: isMigrated)
    // Another program may have destroyed or moved the store while this one waited for its lock.
    if connection.hasMoved { throw PersistenceError(.fileReplaced, path: path.text) }
    let formerIDs =
      try isMigrated || record.hasFormerIDs ? MigrationHistory(connection).formerIDs() : FormerIDs()
    return OpenedFile(
      connection: connection, identifier: record.identifier, entitiesWithoutRowID: entities,
      folder: folder, hasExternalValues: schema.entities.contains { !$0.externalSlots.isEmpty },
      formerIDs: formerIDs,
      derivedMark: schema.rootsWithDerivedColumns.isEmpty
        ? nil : try StoreMetadata(connection).read().folding)
  }

  /// Opens the store without writing anything.
  private func openForReading() throws -> OpenedFile {
    guard try path.checkForReading() else { throw PersistenceError(.noStore, path: path.text) }
    return try path.explainingReading {
      let connection = try Connection(reading: path.text, options)
      connection.schema = schema
      let opened = try connection.inReadTransaction { try openForReading(connection) }
      try connection.checkIsUnchanged()
      return opened
    }
  }

  private func openForReading(_ connection: Connection) throws -> OpenedFile {
    let header = StoreHeader(connection)
    if try header.isFileEmpty() { throw PersistenceError(.noStore, path: path.text) }
    try header.checkFormat()
    let record = try StoreUpgrade(connection, request, options).checkIsCurrent()
    let entities = try TableCheck(connection, schema).checkForReading()
    return OpenedFile(
      connection: connection, identifier: record.identifier, entitiesWithoutRowID: entities,
      folder: ExternalFolder(of: connection.filePath, record.identifier),
      hasExternalValues: schema.entities.contains { !$0.externalSlots.isEmpty },
      formerIDs: record.hasFormerIDs ? try MigrationHistory(connection).formerIDs() : FormerIDs(),
      derivedMark: schema.rootsWithDerivedColumns.isEmpty ? nil : record.folding)
  }

  /// Migrates the store if needed, and checks its tables. If another program migrates it in
  /// between, what it says of itself is read again.
  private func migrateAndCheck(_ connection: Connection) throws -> (StoreMetadata.Record, Set<Int>)
  {
    for _ in 0..<10 {
      let record = try StoreUpgrade(connection, request, options).migrateIfNeeded()
      if let entities = try TableCheck(connection, schema).check(record) {
        return (record, entities)
      }
    }
    throw PersistenceError(.busy, path: path.text)
  }

  /// Removes the files that earlier saves have left; all files are looked at after a migration. If
  /// that fails, a later removal does it.
  private func tidyUp(_ connection: Connection, _ folder: ExternalFolder, isMigrated: Bool) {
    if !folder.exists { return }
    folder.removeEnding()
    let wasReplacing = folder.isReplacing
    if wasReplacing { try? folder.finishReplacing() }
    _ = try? FileTidyUp(connection, folder, schema).run(checkingAll: isMigrated || wasReplacing)
  }

  private func erase() throws {
    // The path may be a symbolic link, which is kept.
    let target = path.filePath
    // The files of large values first: after an interruption, the store that is still there is
    // erased again.
    try eraseFolder(beside: target)
    for suffix in ["", "-wal", "-shm"] {
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

  /// Erases the large values, unless there is something among them that is not of this store.
  private func eraseFolder(beside file: String) throws {
    guard let identifier = try StoreInspection(path: path, options: options).describe()?.identifier
    else { return }
    let folder = ExternalFolder(of: file, identifier)
    if FileStatus(folder.path, followsLinks: false)?.isLink == true {
      // The link only, because it can lead to the files of another store.
      guard unlink(folder.path) == 0 else { throw FileFailure.error(errno, folder.path) }
      return
    }
    try folder.checkHasNoOtherMark()
    if let foreign = folder.foreignPath {
      throw path.cannotOpen(
        "it is to be erased because its model differs, and '\(foreign)' is not Copal's; move that away"
      )
    }
    try folder.erase()
  }
}
