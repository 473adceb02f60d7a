import CopalEssentials
import CopalModel
import CopalStore

/// Deletes a store with its log and its large values.
///
/// The decisive step is the deletion of the database. After a kill before it, the store is whole.
/// After a kill behind it there is no store, and the next opening or the next removal deletes the
/// rest.
struct StoreRemoval {
  private let path: StorePath
  private let options: SQLiteStore.Options

  init(_ path: StorePath, _ options: SQLiteStore.Options) {
    self.path = path
    self.options = options
  }

  /// - Parameter limit: the number of steps, for tests of interruptions.
  func run(steps limit: Int = .max) throws {
    guard let store = try ExclusiveStore(path, options) else { return try removeRest() }
    defer { store.end() }
    let folder = store.folder
    let steps: [() throws -> Void] = [
      { try store.checkFolder() },
      { if folder.exists { try folder.setEnding() } },
      { try Self.remove(store.file) },
      { if folder.exists { try folder.erase() } },
    ]
    for step in steps.prefix(limit) { try step() }
  }

  /// Deletes a file, and syncs its folder.
  static func remove(_ file: String) throws {
    guard unlink(file) == 0 else { throw FileFailure.error(errno, file) }
    try ExternalFolder.sync(StorePath(file).folder)
  }

  /// Deletes what an interrupted removal, or a person who has deleted the database, has left.
  private func removeRest() throws {
    let file = path.filePath
    let folder = ExternalFolder(of: file, UUID())
    if folder.exists {
      if let foreign = folder.foreignPath {
        throw path.cannotOpen(
          "'\(foreign)' in the folder of its files is not Copal's; move that away")
      }
      try folder.erase()
    }
    for suffix in ["", "-wal", "-shm"] where FileStatus(file + suffix)?.isPlainFile == true {
      guard unlink(file + suffix) == 0 else { throw FileFailure.error(errno, file + suffix) }
    }
  }
}
