import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Copies a store with its files to another path, as of one moment, while other programs may write.
///
/// The steps:
///
/// 1. The lock of the folder makes sure that no files are removed from now on.
/// 2. SQLite copies the database as one state (`VACUUM INTO`,
///    <https://www.sqlite.org/lang_vacuum.html>).
/// 3. The backup copies the files whose names the copied rows have.
/// 4. The copied folder gets its name, and then the copied database. So a database with that name
///    is a complete backup.
struct StoreBackup {
  private let connection: Connection
  private let folder: ExternalFolder
  private let schema: StoreSchema
  private let target: StorePath
  private let incomplete: IncompleteBackup
  private let isCanceled: (@Sendable () -> Bool)?

  /// - Parameter isCanceled: asked before each file: whether to give up.
  init(
    _ connection: Connection, _ folder: ExternalFolder, _ schema: StoreSchema, to path: String,
    isCanceled: (@Sendable () -> Bool)? = nil
  ) {
    self.isCanceled = isCanceled
    self.connection = connection
    self.folder = folder
    self.schema = schema
    target = StorePath(path)
    incomplete = IncompleteBackup(of: target.text, folder.identifier)
  }

  func run() throws {
    try checkIsNotStore()
    if let path = target.firstTaken {
      incomplete.tidyUp()
      throw PersistenceError(.backupExists, path: path)
    }
    try target.checkForWriting()
    try incomplete.run {
      // Another backup may have ended since the first check.
      if let path = target.firstTaken { throw PersistenceError(.backupExists, path: path) }
      try copyAll()
      try publish()
    }
  }

  private var targetFolder: ExternalFolder { ExternalFolder(of: target.text, folder.identifier) }
  private var temporaryFolder: ExternalFolder { incomplete.folder }
  private var temporaryPath: String { incomplete.path }

  /// The backup removes what an interrupted one has left. That must not be the store, nor may the
  /// copy take the place of its folder.
  private func checkIsNotStore() throws {
    if target.filePath == folder.path {
      throw target.cannotOpen("it is the path of the folder of the store's files")
    }
    if FileStatus(temporaryPath)?.isSameFile(as: FileStatus(connection.filePath)) == true {
      throw target.cannotOpen("the store has the name of an interrupted backup to this path")
    }
  }

  private func copyAll() throws {
    try folder.check()
    if !folder.exists {
      try copyDatabase()
      // In the meantime, the first save with a large value may have made the folder.
      if !folder.exists { return }
      incomplete.remove()
    }
    try folder.whileWriting { try copyWithFiles() }
  }

  private func copyWithFiles() throws {
    try copyDatabase()
    let names = try referencedNames()
    if names.isEmpty { return }
    try temporaryFolder.create()
    for name in names {
      if isCanceled?() == true { throw PersistenceError(.interrupted, path: connection.path) }
      try copy(name)
    }
    try ExternalFolder.sync(temporaryFolder.path)
  }

  private func copyDatabase() throws {
    // SQLite writes to an empty file that exists. It would give its own the usual permissions.
    try FileStatus(connection.filePath)?.makeEmptyFile(temporaryPath)
    let statement = try connection.statement("VACUUM INTO ?1")
    defer { statement.reset() }
    try statement.setPlaceholders([.text(temporaryPath)])
    while try statement.step() {}
  }

  /// The names in the copy of the database.
  private func referencedNames() throws -> Set<ExternalFileName> {
    let copy = try Connection(
      path: temporaryPath, .readingAlone, busyTimeoutSeconds: 5,
      pageCacheKilobytes: Connection.defaultCacheKilobytes, onStatement: nil)
    let references = FileReferences(copy, schema)
    try references.checkModel()
    return try references.all()
  }

  /// Copies a file, which is mapped into memory. A file that is missing in the store is missing in
  /// the copy, too.
  private func copy(_ name: ExternalFileName) throws {
    let value: Data
    do {
      value = try folder.read(name)
    } catch  where error.code == .externalFileMissing {
      return
    }
    try temporaryFolder.add([name: value])
    temporaryFolder.keep([name])
  }

  private func publish() throws {
    let hasFiles = temporaryFolder.exists
    if hasFiles { try move(temporaryFolder.path, to: targetFolder.path) }
    do {
      // SQLite does not wait for the disk when it copies a database.
      try ExternalFolder.sync(temporaryPath)
      try move(temporaryPath, to: target.text)
    } catch {
      if hasFiles { targetFolder.eraseIfOwn() }
      throw error
    }
    try ExternalFolder.sync(target.folder)
  }

  private func move(_ path: String, to new: String) throws {
    switch ExclusiveRename.run(path, to: new) {
    case 0: break
    case EEXIST: throw PersistenceError(.backupExists, path: new)
    case let code: throw FileFailure.error(code, new)
    }
  }
}
