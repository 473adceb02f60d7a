import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Copies a store with its files to another place, as of one moment, while other programs may write.
///
/// The steps: no files are removed from now on; SQLite copies the database as one state (`VACUUM INTO`,
/// <https://www.sqlite.org/lang_vacuum.html>); the files that the copy refers to are copied; the copy gets its name last, so that a backup
/// that was interrupted is not taken for a complete one.
struct StoreBackup {
  private let connection: Connection
  private let folder: ExternalFolder
  private let schema: StoreSchema
  private let target: StorePath
  private let temporaryPath: String

  init(_ connection: Connection, _ folder: ExternalFolder, _ schema: StoreSchema, to path: String) {
    self.connection = connection
    self.folder = folder
    self.schema = schema
    target = StorePath(path)
    temporaryPath = target.text + "-incomplete"
  }

  func run() throws {
    try target.checkForWriting()
    try checkIsFree()
    removeIncomplete()
    do {
      try copyAll()
      try publish()
    } catch {
      removeIncomplete()
      throw error
    }
  }

  private var targetFolder: ExternalFolder { ExternalFolder(of: target.text) }
  private var temporaryFolder: ExternalFolder { ExternalFolder(of: temporaryPath) }

  private func checkIsFree() throws {
    for path in ["", "-wal", "-shm", ExternalFolder.suffix].map({ target.text + $0 })
    where FileManager.default.fileExists(atPath: path) {
      throw PersistenceError(.backupExists, path: path)
    }
  }

  private func copyAll() throws {
    if !folder.exists {
      try copyDatabase()
      // The first save with a large value may have made the folder meanwhile.
      if !folder.exists { return }
      removeIncomplete()
    }
    try folder.whileWriting { try copyWithFiles() }
  }

  private func copyWithFiles() throws {
    try copyDatabase()
    let names = try referencedNames()
    if names.isEmpty { return }
    try temporaryFolder.create()
    for name in names { try copy(name) }
    try ExternalFolder.sync(temporaryFolder.path)
  }

  private func copyDatabase() throws {
    let statement = try connection.statement("VACUUM INTO ?1")
    defer { statement.reset() }
    try statement.bind([.text(temporaryPath)])
    while try statement.step() {}
  }

  /// The names in the copy of the database.
  private func referencedNames() throws -> [ExternalFileName] {
    let copy = try Connection(
      path: temporaryPath, .readingAlone, busyTimeoutSeconds: 5,
      pageCacheKilobytes: Connection.defaultCacheKilobytes, onStatement: nil)
    return try FileReferences(copy, schema).all()
  }

  /// Copies a file part by part. A file that is missing is missing in the copy, too: its value could not be read before.
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
    if temporaryFolder.exists { try move(temporaryFolder.path, to: targetFolder.path) }
    // SQLite does not wait for the disk when it copies a database.
    try ExternalFolder.sync(temporaryPath)
    try move(temporaryPath, to: target.text)
    try ExternalFolder.sync(target.folder)
  }

  private func move(_ path: String, to new: String) throws {
    guard rename(path, new) == 0 else { throw FileFailure.error(errno, new) }
  }

  private func removeIncomplete() {
    for suffix in ["", "-journal", ExternalFolder.suffix] {
      try? FileManager.default.removeItem(atPath: temporaryPath + suffix)
    }
  }
}
