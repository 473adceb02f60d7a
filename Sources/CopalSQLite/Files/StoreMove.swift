import CopalEssentials
import CopalModel
import CopalStore

/// Moves a store to another path.
///
/// The files of large values are linked to, or copied into, the new folder first. The decisive step
/// is the new name of the database. After a kill before it, the store is whole at its former path;
/// after a kill behind it, at the new one. The next opening of either path deletes the rest.
struct StoreMove {
  private let source: StorePath
  private let target: StorePath
  private let options: SQLiteStore.Options

  init(_ source: StorePath, to target: StorePath, _ options: SQLiteStore.Options) {
    self.source = source
    self.target = target
    self.options = options
  }

  /// - Parameter limit: the number of steps, for tests of interruptions.
  func run(steps limit: Int = .max) throws {
    guard let store = try ExclusiveStore(source, options) else {
      throw PersistenceError(.noStore, path: source.text)
    }
    defer { store.end() }
    let (old, new) = (store.folder, ExternalFolder(of: target.text, store.identifier))
    let steps: [() throws -> Void] = [
      { try store.checkFolder() },
      { try target.checkForWriting() },
      { try checkIsFree() },
      { if old.exists { try make(new, like: old) } },
      { if old.exists { try addFiles(of: old, to: new) } },
      { if old.exists { try old.setEnding() } },
      { try move(store.file) },
      { new.removeEnding() },
      { if old.exists { try old.erase() } },
    ]
    for step in steps.prefix(limit) { try step() }
  }

  private func checkIsFree() throws {
    if FileStatus(target.text, followsLinks: false) == nil,
      ExternalFolder.isEnding(beside: target.text)
    {
      // An interrupted move or removal has left it.
      try ExternalFolder(of: target.text, UUID()).erase()
    }
    for path in ["", "-wal", "-shm", ExternalFolder.suffix].map({ target.text + $0 })
    where FileStatus(path, followsLinks: false) != nil {
      throw PersistenceError(.pathTaken, path: source.text, found: path)
    }
  }

  /// Makes the new folder. Until the database is there, the folder can be erased.
  private func make(_ new: ExternalFolder, like old: ExternalFolder) throws {
    let status = old.store
    func makeFolder(_ path: String) throws {
      guard mkdir(path, 0o777) == 0 else { throw FileFailure.error(errno, path) }
      if let status { _ = chmod(path, status.permissionsOfFolder) }
    }
    try makeFolder(new.path)
    for file in [new.path + "/" + ExternalFolder.endingMark, new.path + "/lock", new.markPath] {
      try status?.makeEmptyFile(file)
    }
    try makeFolder(new.path + "/new")
    try ExternalFolder.sync(new.path)
    try ExternalFolder.sync(target.folder)
  }

  /// Gives each file a second name in the new folder, or copies it, where that is on another file
  /// system.
  private func addFiles(of old: ExternalFolder, to new: ExternalFolder) throws {
    for name in old.names {
      let file = old.has(name, inNewFolder: true) ? old.newPath(of: name) : old.path(of: name)
      if link(file, new.path(of: name)) == 0 { continue }
      try new.add([name: try old.read(name)], like: old.store)
      new.keep([name])
    }
    try ExternalFolder.sync(new.path)
  }

  private func move(_ file: String) throws {
    if rename(file, target.text) != 0 {
      guard errno == EXDEV else { throw FileFailure.error(errno, target.text) }
      try copy(file)
      try StoreRemoval.remove(file)
    }
    try ExternalFolder.sync(target.folder)
    try ExternalFolder.sync(StorePath(file).folder)
  }

  /// Copies the database to another file system. It gets its name last.
  private func copy(_ file: String) throws {
    let incomplete = target.text + "-incomplete"
    do {
      _ = unlink(incomplete)
      try FileManager.default.copyItem(atPath: file, toPath: incomplete)
      try ExternalFolder.sync(incomplete)
      guard rename(incomplete, target.text) == 0 else {
        throw FileFailure.error(errno, target.text)
      }
    } catch {
      _ = unlink(incomplete)
      throw error
    }
  }
}
