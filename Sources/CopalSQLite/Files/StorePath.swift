import CopalEssentials
import CopalModel
import CopalStore

/// Where the file of a store is, and whether it may be used.
struct StorePath: Sendable {
  /// The absolute path.
  let text: String

  init(_ path: String) {
    // Absolute, because SQLite gives ":memory:" and "file:…" a meaning of their own, and a program
    // may change its working directory.
    let isComplete = path.isEmpty || path.hasPrefix("/")
    text = isComplete ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  // MARK: Checks

  /// Checks before SQLite opens the file for writing.
  ///
  /// - Returns: whether there is a file.
  /// - Throws: `store.cannotOpen`, `store.folderMissing`, `store.notWritable`.
  @discardableResult
  func checkForWriting() throws -> Bool {
    try checkName()
    if isReadyFile { return true }
    try checkFolder()
    try checkIsFile()
    try checkPermissions()
    return isReadyFile
  }

  /// Checks before SQLite opens the file for reading only.
  ///
  /// - Returns: whether there is a file.
  /// - Throws: `store.cannotOpen`, `store.folderMissing`, `store.notWritable`.
  func checkForReading() throws -> Bool {
    try checkName()
    try checkFolder()
    try checkIsFile()
    let hasFile = FileManager.default.fileExists(atPath: text)
    if hasFile { try checkIsReadable() }
    return hasFile
  }

  private func checkName() throws {
    guard !text.isEmpty, !text.utf8.contains(0) else {
      throw cannotOpen(text.isEmpty ? "the path is empty" : "the path contains a NUL character")
    }
    // SQLite deletes such a file when a database with the rest of its name is closed.
    if let ending = ["-wal", "-shm", "-journal"].first(where: text.hasSuffix) {
      throw cannotOpen("a name that ends in \(ending) is that of another file of a database")
    }
  }

  /// Whether there is a file that may be read and written, so that no further check is needed.
  private var isReadyFile: Bool {
    var info = stat()
    return stat(text, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
      && access(text, R_OK | W_OK) == 0
  }

  private func checkFolder() throws {
    guard FileManager.default.fileExists(atPath: folder) else {
      throw isOutOfReach(folder) ? mayNotEnter() : PersistenceError(.folderMissing, path: text)
    }
    guard FileManager.default.isFolder(folder) else {
      throw cannotOpen("'\(folder)' is not a folder")
    }
    guard FileManager.default.isExecutableFile(atPath: folder) else { throw mayNotEnter() }
  }

  /// Whether a folder cannot be read because of permissions, and not because it is missing.
  private func isOutOfReach(_ folder: String) -> Bool {
    do {
      _ = try FileManager.default.contentsOfDirectory(atPath: folder)
      return false
    } catch {
      return (error as? CocoaError)?.code == .fileReadNoPermission
    }
  }

  /// SQLite would wait for a pipe, and read from a device.
  private func checkIsFile() throws {
    guard let status = FileStatus(text), !status.isPlainFile else { return }
    throw cannotOpen(
      status.isFolder ? "it is a folder" : "it is a device, a pipe or a socket, and not a file")
  }

  /// Checked before SQLite opens the file: it would open it read-only and create further files.
  private func checkPermissions() throws {
    let manager = FileManager.default
    guard manager.fileExists(atPath: text) else { return }
    try checkIsReadable()
    if !manager.isWritableFile(atPath: text) { throw notWritable("the file is read-only") }
  }

  private func checkIsReadable() throws {
    if !FileManager.default.isReadableFile(atPath: text) {
      throw notWritable("the file is not readable")
    }
  }

  // MARK: The file and its folder

  /// The folder of the file: the absolute path up to its last slash.
  var folder: String {
    let folder = text.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(text[..<$0]) } ?? ""
    return folder.isEmpty ? "/" : folder
  }

  /// The path of the file itself, where symbolic links end.
  var filePath: String {
    func resolved(_ path: String) -> String? {
      guard let found = realpath(path, nil) else { return nil }
      defer { free(found) }
      return String(cString: found)
    }
    if let file = resolved(text) { return file }
    // The file does not exist yet, here or at the end of a link.
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: text) {
      return target.hasPrefix("/") ? target : folder + "/" + target
    }
    let name = Substring(text.utf8.dropFirst(folder.utf8.count))
    return resolved(folder).map { $0 + name } ?? text
  }

  /// The first path that is taken of those that a store has; nil when nothing is there. A journal
  /// of
  /// a database that is gone would be played back into the new one.
  var firstTaken: String? {
    ["", "-wal", "-shm", "-journal", ExternalFolder.suffix].map { text + $0 }.first {
      FileStatus($0, followsLinks: false) != nil
    }
  }

  // MARK: Errors

  /// The longest path in bytes: SQLite's limit of 512, minus the longer names of its other files.
  private static let longestPath = 504

  /// Opens the file with SQLite for writing. The error of a file that SQLite cannot open or write
  /// gets what the path and its folder show.
  func explainingWriting<R>(_ body: () throws -> R) throws -> R {
    do {
      return try explainingReading(body)
    } catch let error as PersistenceError where mayConcernFolder(error) {
      var error = error
      error.code = .notWritable
      error.found = "there is no permission to create files in the folder '\(folder)'"
      throw error
    }
  }

  /// Opens the file with SQLite for reading. The error of a file that SQLite cannot open says when
  /// its path is too long.
  func explainingReading<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as PersistenceError where error.code == .cannotOpen && isTooLong {
      var error = error
      error.found =
        "its path has \(filePath.utf8.count) bytes, and the maximum of SQLite is \(Self.longestPath)"
      throw error
    }
  }

  private func mayConcernFolder(_ error: PersistenceError) -> Bool {
    guard error.code == .notWritable || (error.code == .cannotOpen && !isTooLong) else {
      return false
    }
    return !FileManager.default.isWritableFile(atPath: folder)
  }

  private var isTooLong: Bool { filePath.utf8.count > Self.longestPath }

  func cannotOpen(_ found: String) -> PersistenceError {
    PersistenceError(.cannotOpen, path: text, found: found)
  }

  func notWritable(_ found: String) -> PersistenceError {
    PersistenceError(.notWritable, path: text, found: found)
  }

  private func mayNotEnter() -> PersistenceError {
    notWritable("there is no permission to enter the folder '\(folder)'")
  }
}
