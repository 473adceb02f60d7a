import CopalEssentials
import CopalModel
import CopalStore

/// The folder beside a store in which the files of large values are.
///
/// A save writes its files to the subfolder `new`, syncs them, and moves them to the folder after
/// its commit. So a file in `new` belongs to a save that runs, or that has failed, or whose program
/// was killed. A save and a backup hold a shared lock on the file `lock`. The removal of files
/// needs an exclusive lock on it. This is so in all programs.
struct ExternalFolder: Sendable {
  /// What follows the path of the store's file.
  static let suffix = "-files"

  /// The path of the folder.
  let path: String
  /// The identifier of the store.
  let identifier: UUID

  /// The folder of the store in a file.
  init(of file: String, _ identifier: UUID) {
    path = file + Self.suffix
    self.identifier = identifier
  }

  /// Whether the folder exists. The first save with a large value makes it.
  var exists: Bool { Self.isFolder(path) }

  /// The path of a file.
  func path(of name: ExternalFileName) -> String { path + "/" + name.text }

  /// The file of the store. Who may read or write it may do the same with the files of its values,
  /// as with the log of SQLite.
  var store: FileStatus? { FileStatus(storePath) }

  /// The path of the store's file.
  var storePath: String { String(path.dropLast(Self.suffix.count)) }

  /// Whether there is the subfolder.
  private var hasNewFolder: Bool { Self.isFolder(newPath) }

  /// Whether there is a folder. A link is not one: it can lead to the files of another store.
  static func isFolder(_ path: String) -> Bool {
    FileStatus(path, followsLinks: false)?.isFolder == true
  }

  private var newPath: String { path + "/new" }

  /// The path of a file whose commit has not moved it yet.
  func newPath(of name: ExternalFileName) -> String { newPath + "/" + name.text }

  /// Whether the file of that name is in the subfolder.
  func has(_ name: ExternalFileName, inNewFolder: Bool) -> Bool {
    access(inNewFolder ? newPath(of: name) : path(of: name), F_OK) == 0
  }

  // MARK: Writing

  /// Makes the folder and its subfolder when they do not exist, and syncs their parents, so that a
  /// power failure does not remove them.
  ///
  /// - Throws: `store.filesOfAnotherStore` when the folder is that of another store.
  func create() throws {
    try check()
    if try create(path, in: StorePath(path).folder) {
      // Another program may have made it already.
      try? store?.makeEmptyFile(path + "/lock")
    }
    try claim()
    try create(newPath, in: path)
  }

  /// - Returns: whether there was none.
  @discardableResult
  private func create(_ folder: String, in parent: String) throws -> Bool {
    if mkdir(folder, 0o777) == 0 {
      if let store { _ = chmod(folder, store.permissionsOfFolder) }
      try Self.sync(parent)
      return true
    }
    guard errno == EEXIST else { throw failure(folder) }
    return false
  }

  /// Checks that nothing else is in the place of the folder or of its subfolder.
  ///
  /// - Throws: `store.inputOutput`.
  func check() throws {
    for place in [path, newPath] {
      if let status = FileStatus(place, followsLinks: false), !status.isFolder {
        throw FileFailure.error(ENOTDIR, place)
      }
    }
  }

  /// Writes new files and syncs them, so that a commit may refer to them. After an error, all of
  /// them are removed.
  ///
  /// - Parameter status: the file whose permissions they get; nil for the store's.
  func add(_ values: [ExternalFileName: Data], like status: FileStatus? = nil) throws {
    do {
      let permissions = (status ?? store)?.permissions
      for (name, value) in values { try makeFile(newPath(of: name), value, permissions) }
      try Self.sync(newPath)
    } catch {
      removeNew(values.keys)
      throw error
    }
  }

  private func makeFile(_ file: String, _ value: Data, _ permissions: mode_t?) throws {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(file) }
    defer { _ = close(descriptor) }
    if let permissions { _ = fchmod(descriptor, permissions) }
    try value.withUnsafeBytes { try append($0, to: descriptor, file) }
    guard fsync(descriptor) == 0 else { throw failure(file) }
  }

  /// The number of bytes for one call of `write`. The greatest that Linux writes in one call is a
  /// little below 2^31.
  private static let largestWrite = 1 << 30

  private func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ file: String) throws
  {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.largestWrite))
      let count = write(descriptor, part.baseAddress, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(file) }
      rest = rest.dropFirst(count)
    }
  }

  /// Syncs a file, or a folder: then the names of the folder's new files are on the disk.
  static func sync(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure.error(errno, path) }
    defer { _ = close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileFailure.error(errno, path) }
  }

  /// Moves the files of a commit out of the subfolder. If a file cannot be moved, readers find it
  /// in the subfolder.
  func keep(_ names: some Sequence<ExternalFileName>) {
    for name in names { _ = rename(newPath(of: name), path(of: name)) }
  }

  /// Removes the files of a save that has failed.
  func removeNew(_ names: some Sequence<ExternalFileName>) {
    for name in names { _ = unlink(newPath(of: name)) }
  }

  /// Removes a file from the folder and from its subfolder.
  ///
  /// - Returns: whether there was a file of that name.
  @discardableResult
  func remove(_ name: ExternalFileName) -> Bool {
    let wasNew = hasNewFolder && unlink(newPath(of: name)) == 0
    return unlink(path(of: name)) == 0 || wasNew
  }

  // MARK: Names

  /// The names of the files in the subfolder.
  var newNames: [ExternalFileName] { hasNewFolder ? Self.names(newPath) : [] }

  /// The names of all files. A file whose name has another form is not Copal's, and is left out.
  var names: [ExternalFileName] { Self.names(path) + newNames }

  /// Whether there are large values beside the file of a store.
  static func hasValues(beside file: String) -> Bool {
    let path = file + suffix
    guard isFolder(path) else { return false }
    return !names(path).isEmpty || (isFolder(path + "/new") && !names(path + "/new").isEmpty)
  }

  private static func names(_ folder: String) -> [ExternalFileName] {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return found.compactMap { ExternalFileName($0) }
  }

  /// Whether there is a file of that name. A commit may move the file during the search, so the
  /// folder is searched twice.
  func has(_ name: ExternalFileName) -> Bool {
    [path(of: name), newPath(of: name), path(of: name)].contains { (file: String) in
      access(file, F_OK) == 0
    }
  }

  // MARK: The lock

  /// Runs work that writes or copies files. No program removes files in the meantime.
  func whileWriting<R>(_ body: () throws -> R) throws -> R {
    let lock = try lockForWriting()
    defer { lock.end() }
    return try body()
  }

  /// The lock of a save that writes files.
  func lockForWriting() throws -> FileLock {
    guard let lock = try FileLock(path + "/lock", isExclusive: false, waits: true) else {
      throw failure(path)
    }
    return lock
  }

  /// Runs the removal of files.
  ///
  /// - Returns: nil when a save or a backup runs.
  func whileNobodyWrites<R>(_ body: () throws -> R) throws -> R? {
    guard let lock = try FileLock(path + "/lock", isExclusive: true, waits: false) else {
      return nil
    }
    defer { lock.end() }
    return try body()
  }

  /// The error of the last call of the system, from `errno`.
  private func failure(_ file: String) -> PersistenceError { FileFailure.error(errno, file) }
}

/// The error of a call of the system.
enum FileFailure {
  static func error(_ code: Int32, _ path: String) -> PersistenceError {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: PersistenceError(.diskFull, path: path)
    case EMFILE, ENFILE: PersistenceError(.tooManyFiles, path: path)
    case EACCES, EPERM, EROFS: PersistenceError(.notWritable, path: path, found: text(code))
    default: PersistenceError(.inputOutput, path: path, found: text(code))
    }
  }

  /// The system's text for an error.
  static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
