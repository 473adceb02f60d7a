import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Opens a store: checks the file without changing it, then creates or migrates the store in one
/// transaction. A refused file is not changed, with one exception: damaged tables are
/// found after a migration.
struct StoreOpening {
  let path: String
  let schema: StoreSchema
  let options: SQLiteStore.Options

  /// The format that this version writes. A file with a greater number is refused.
  static let format: Int64 = 1
  /// "Copl" in the file's header, which distinguishes a store from other databases.
  static let applicationID: Int64 = 0x436f_706c

  init(path: String, schema: StoreSchema, options: SQLiteStore.Options) {
    // Absolute, because SQLite gives ":memory:" and "file:…" a meaning of their own, and a program
    // may change its working directory.
    let isComplete = path.isEmpty || path.hasPrefix("/")
    self.path = isComplete ? path : FileManager.default.currentDirectoryPath + "/" + path
    self.schema = schema
    self.options = options
  }

  /// The result of opening a store.
  struct Opened {
    let connection: Connection
    let identifier: UUID
    let entitiesWithoutRowID: Set<Int>
  }

  func open() throws -> Opened {
    try SQLiteLibrary.check()
    try checkPath()
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
    do {
      let connection = try connect(createsFile: true)
      do {
        let metadata = StoreMetadata(connection)
        if try isNew(connection) { try create(connection, metadata) }
        let record = try migrateIfNeeded(connection, metadata)
        let entities = try inspectTables(connection, metadata, record)
        try keepLog(connection)
        return Opened(
          connection: connection, identifier: record.identifier, entitiesWithoutRowID: entities)
      } catch {
        connection.leaveUntouched()
        throw error
      }
    } catch let error as PersistenceError
      where error.code == .cannotOpen || error.code == .notWritable
    {
      throw explained(error)
    }
  }

  /// Opens another connection to an open store.
  ///
  /// - Throws: `store.fileReplaced` when another file, or none, is at the path now.
  func connectAgain(to identifier: UUID, inFile number: UInt64?) throws -> Connection {
    let fileReplaced = PersistenceError(.fileReplaced, path: path)
    // Checked first, because SQLite would write the log of the old file into a new file at its
    // path.
    guard let number, fileNumber == number else { throw fileReplaced }
    let connection = try FileSizeSignal.heldBack { try connectToStore(identifier) }
    guard let connection else { throw fileReplaced }
    return connection
  }

  private func connectToStore(_ identifier: UUID) throws -> Connection? {
    let connection = try connect(createsFile: false)
    guard try connection.integer("PRAGMA application_id") == Self.applicationID,
      try StoreMetadata(connection).read().identifier == identifier
    else { return nil }
    return connection
  }

  /// The file's number (inode), which does not depend on its path; nil when there is no file.
  var fileNumber: UInt64? { LogFiles.number(path) }

  private func connect(createsFile: Bool) throws -> Connection {
    let connection = try Connection(
      path: path, createsFile: createsFile, busyTimeoutSeconds: options.busyTimeoutSeconds,
      pageCacheKilobytes: options.pageCacheKilobytes,
      onStatement: options.onStatement)
    switch options.durability {
    case .normal: try connection.run("PRAGMA synchronous=NORMAL")
    case .full: try connection.run("PRAGMA synchronous=FULL")
    }
    if options.pageCacheKilobytes < Connection.defaultCacheKilobytes {
      try connection.takePageCache()
    }
    return connection
  }

  // MARK: Checking the path

  /// The folder of the file: the absolute path up to its last slash.
  private var parent: String {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    return folder.isEmpty ? "/" : folder
  }

  private func checkPath() throws {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw PersistenceError(
        .cannotOpen, path: path,
        found: path.isEmpty ? "the path is empty" : "the path contains a NUL character")
    }
    // SQLite deletes such a file when a database with the rest of its name is closed.
    if let ending = ["-wal", "-shm", "-journal"].first(where: path.hasSuffix) {
      throw PersistenceError(
        .cannotOpen, path: path,
        found: "a name that ends in \(ending) is that of another file of a database")
    }
    if isReadyFile { return }
    guard FileManager.default.fileExists(atPath: parent) else {
      throw isOutOfReach(parent) ? mayNotEnter() : PersistenceError(.folderMissing, path: path)
    }
    guard FileManager.default.isFolder(parent) else {
      throw PersistenceError(.cannotOpen, path: path, found: "'\(parent)' is not a folder")
    }
    guard FileManager.default.isExecutableFile(atPath: parent) else { throw mayNotEnter() }
    if FileManager.default.isFolder(path) {
      throw PersistenceError(.cannotOpen, path: path, found: "it is a folder")
    }
    try checkPermissions()
  }

  /// Whether there is a file that may be read and written, so that no further check is needed.
  private var isReadyFile: Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
      && access(path, R_OK | W_OK) == 0
  }

  /// Checked before SQLite opens the file: it would open it read-only and create further files.
  private func checkPermissions() throws {
    let manager = FileManager.default
    guard manager.fileExists(atPath: path) else { return }
    if !manager.isReadableFile(atPath: path) { throw notWritable("the file is not readable") }
    if !manager.isWritableFile(atPath: path) { throw notWritable("the file is read-only") }
  }

  /// Whether a folder cannot be inspected because of permissions, and not because it is missing.
  private func isOutOfReach(_ folder: String) -> Bool {
    do {
      _ = try FileManager.default.contentsOfDirectory(atPath: folder)
      return false
    } catch {
      return (error as? CocoaError)?.code == .fileReadNoPermission
    }
  }

  private func mayNotEnter() -> PersistenceError {
    notWritable("there is no permission to enter the folder '\(parent)'")
  }

  private func notWritable(_ found: String) -> PersistenceError {
    PersistenceError(.notWritable, path: path, found: found)
  }

  /// Whether the file is empty.
  ///
  /// - Throws: `store.notACopalStore` when it has content of another program.
  private func isNew(_ connection: Connection) throws -> Bool {
    var id = try connection.integer("PRAGMA application_id") ?? 0
    var objects: Int64 = 0
    if id != Self.applicationID {
      // The tables are counted before the mark is read again: a store that another process creates
      // in between has its mark as soon as it has tables.
      objects = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
      id = try connection.integer("PRAGMA application_id") ?? 0
    }
    guard id == Self.applicationID || (id == 0 && objects == 0) else {
      throw PersistenceError(
        .notACopalStore, path: path, found: "\(id)", expected: "\(Self.applicationID)")
    }
    if connection.isReadOnly { throw notWritable("the file is read-only") }
    return id == 0
  }

  /// The path of the file itself, where symbolic links end.
  private var filePath: String {
    func resolved(_ path: String) -> String? {
      guard let found = realpath(path, nil) else { return nil }
      defer { free(found) }
      return String(cString: found)
    }
    if let file = resolved(path) { return file }
    // The file does not exist yet, here or at the end of a link.
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
      return target.hasPrefix("/") ? target : parent + "/" + target
    }
    let name = Substring(path.utf8.dropFirst(parent.utf8.count))
    return resolved(parent).map { $0 + name } ?? path
  }

  /// The longest path in bytes: SQLite's limit of 512, minus the longer names of its other files.
  private static let longestPath = 504

  /// Adds what the path and its folder show to an error of a file that SQLite could not open or
  /// write.
  private func explained(_ error: PersistenceError) -> PersistenceError {
    let length = filePath.utf8.count
    if error.code == .cannotOpen, length > Self.longestPath {
      var error = error
      error.found = "its path has \(length) bytes, and the maximum of SQLite is \(Self.longestPath)"
      return error
    }
    if FileManager.default.isWritableFile(atPath: parent) { return error }
    var error = error
    error.code = .notWritable
    error.found = "there is no permission to create files in the folder '\(parent)'"
    return error
  }

  // MARK: Creating

  private func create(_ connection: Connection, _ metadata: StoreMetadata) throws {
    guard try connection.text("PRAGMA journal_mode=WAL") == "wal" else {
      throw PersistenceError(
        .cannotOpen, path: path, found: "its file system does not support SQLite's write-ahead log")
    }
    try connection.inImmediateTransaction {
      // Another process may have created the store first.
      if try connection.integer("PRAGMA application_id") == Self.applicationID { return }
      try metadata.createTables()
      for layout in schema.entities { try createTable(layout, connection) }
      try metadata.write(identifier: UUID(), schema)
      try metadata.note(knownTables: metadata.tables(for: schema))
      try connection.run("PRAGMA user_version=1")
      // The mark comes last, so that a file with the mark is complete.
      try connection.run("PRAGMA application_id=1131376748")
    }
  }

  /// Turns the write-ahead log on. A copy of a store made by another tool may lack it.
  private func keepLog(_ connection: Connection) throws {
    try connection.run("PRAGMA journal_mode=WAL")
  }

  func createTable(_ layout: EntityLayout, _ connection: Connection) throws {
    let translator = SchemaTranslator(SQLiteDialect())
    let mapping = TableMapping(layout)
    try connection.run(translator.createTable(mapping).text)
    for index in translator.indexes(mapping) { try connection.run(index.creation) }
  }

  private func erase() throws {
    // The path may be a symbolic link, which is kept.
    let target = filePath
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
}
