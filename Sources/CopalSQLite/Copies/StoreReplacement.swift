import CopalEssentials
import CopalModel
import CopalStore

/// Gives a store the contents of another one, which stays as it is: how a backup is restored.
///
/// The pages are written into the same file, in one transaction of SQLite
/// (<https://www.sqlite.org/backup.html>), so that no connection stays on a former file. The files
/// of large values are copied before it, and the former ones are removed behind it. After a kill,
/// the store has all of its former contents or all of the new ones, and the next opening removes
/// the other files.
struct StoreReplacement {
  private let target: StorePath
  private let source: StorePath
  private let options: SQLiteStore.Options
  private let sourceOptions: SQLiteStore.Options

  init(
    of target: StorePath, with source: StorePath, _ options: SQLiteStore.Options,
    _ sourceOptions: SQLiteStore.Options
  ) {
    self.target = target
    self.source = source
    self.options = options
    self.sourceOptions = sourceOptions
  }

  /// - Parameter limit: the number of steps, for tests of interruptions.
  func run(steps limit: Int = .max) throws {
    try SQLiteLibrary.check()
    if FileStatus(source.text)?.isSameFile(as: FileStatus(target.text)) == true {
      throw source.cannotOpen("it is the store that is to be replaced")
    }
    guard try source.checkForReading(), try source.checkForWriting() else {
      throw PersistenceError(.noStore, path: source.text)
    }
    let reader = try source.explainingWriting {
      try Connection(path: source.text, sourceOptions, createsFile: false)
    }
    let header = StoreHeader(reader)
    if try header.isFileEmpty() { throw PersistenceError(.noStore, path: source.text) }
    try header.checkFormat()
    // One state of the source for its rows and its files.
    try reader.inReadTransaction {
      let identifier = try StoreMetadata(reader).read().identifier
      let files = ExternalFolder(of: reader.filePath, identifier)
      try files.checkHasNoOtherMark()
      if files.exists {
        try files.whileWriting { try replace(reader, files, limit) }
      } else {
        try replace(reader, files, limit)
      }
    }
  }

  private func replace(_ reader: Connection, _ files: ExternalFolder, _ limit: Int) throws {
    let store = try ExclusiveStore(target, options)
    defer { store?.end() }
    let isMade = FileStatus(target.filePath) == nil
    let connection = try store?.connection ?? makeFile()
    let folder = ExternalFolder(of: connection.filePath, files.identifier)
    let former = store?.folder ?? folder
    let names = files.exists ? files.names : []
    let steps: [() throws -> Void] = [
      { try store?.checkFolder() },
      { if !names.isEmpty { try former.create() } },
      { if store == nil, folder.exists { try folder.setEnding() } },
      { if former.exists { try former.setReplacing(by: files.identifier) } },
      { for name in names where !former.has(name) { try copy(name, files, former) } },
      { try connection.takeContents(of: reader) },
      { if store == nil { folder.removeEnding() } },
      { if folder.exists { try removeOthers(names, folder) } },
      { if folder.exists { try folder.finishReplacing() } },
    ]
    do {
      for step in steps.prefix(limit) { try step() }
    } catch {
      if isMade { remove(connection, folder) }
      throw error
    }
  }

  /// Removes the file that was made for a store that was not written, for example because the disk
  /// is full. Its lock shows that nobody has written to it.
  private func remove(_ connection: Connection, _ folder: ExternalFolder) {
    guard (try? StoreHeader(connection).isFileEmpty()) == true else { return }
    folder.eraseIfOwn()
    try? StoreRemoval.remove(connection.filePath)
  }

  /// Makes the file of a store that does not exist yet.
  private func makeFile() throws -> Connection {
    let file = target.filePath
    if ExternalFolder.isEnding(beside: file) { try ExternalFolder(of: file, UUID()).erase() }
    if ExternalFolder.hasValues(beside: file) {
      throw PersistenceError(
        .filesWithoutStore, path: target.text, found: file + ExternalFolder.suffix)
    }
    let connection = try target.explainingWriting {
      try Connection(path: target.text, options, createsFile: true)
    }
    guard try ExclusiveStore.locking(target, connection, StoreHeader(connection).isFileEmpty) else {
      throw PersistenceError(.inUse, path: target.text)
    }
    return connection
  }

  private func copy(_ name: ExternalFileName, _ files: ExternalFolder, _ folder: ExternalFolder)
    throws
  {
    do {
      try folder.add([name: try files.read(name)])
      folder.keep([name])
    } catch let error as PersistenceError where error.code == .externalFileMissing {
      // Missing in the source: missing here, too.
    }
  }

  /// Removes the files of the former contents.
  private func removeOthers(_ names: [ExternalFileName], _ folder: ExternalFolder) throws {
    let kept = Set(names)
    for name in folder.names where !kept.contains(name) { folder.remove(name) }
  }
}
