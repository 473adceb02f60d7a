import CopalEssentials
import CopalModel
import CopalStore

/// Moves a store to another path.
///
/// The files of large values are linked to, or copied into, the new folder first. The decisive step
/// is the new name of the database. After an error or a kill before it, the store is whole at its
/// former path; after a kill behind it, at the new one. The next opening of either path deletes
/// what
/// a kill has left.
struct StoreMove {
  private let source: StorePath
  private let target: StorePath
  private let options: SQLiteStore.Options

  init(_ source: StorePath, to target: StorePath, _ options: SQLiteStore.Options) {
    self.source = source
    self.target = target
    self.options = options
  }

  /// - Parameters:
  ///   - limit: the number of steps, for tests of interruptions.
  ///   - willMove: called before the decisive step, for tests of what others do meanwhile.
  func run(steps limit: Int = .max, willMove: @escaping () throws -> Void = {}) throws {
    guard let store = try ExclusiveStore(source, options) else {
      throw PersistenceError(.noStore, path: source.text)
    }
    defer { store.end() }
    let (old, new) = (store.folder, ExternalFolder(of: target.text, store.identifier))
    var (isMade, isMoved, isCopied) = (false, false, false)
    let steps: [() throws -> Void] = [
      { try store.checkFolder() },
      { try target.checkForWriting() },
      { try checkIsFree() },
      {
        guard old.exists else { return }
        try makeFolder(new.path, like: old.store)
        isMade = true
      },
      { if old.exists { try mark(new, like: old) } },
      { if old.exists { try addFiles(of: old, to: new) } },
      { if old.exists { try old.setEnding() } },
      willMove,
      {
        isCopied = try move(store.file)
        isMoved = true
      },
      { try ExternalFolder.sync(target.folder) },
      {
        if isCopied { try StoreRemoval.remove(store.file) }
        try ExternalFolder.sync(StorePath(store.file).folder)
      },
      { new.removeEnding() },
      { if old.exists { try old.erase() } },
    ]
    do {
      for step in steps.prefix(limit) { try step() }
    } catch {
      if !isMoved {
        old.removeEnding()
        if isMade, ExternalFolder.isEnding(beside: target.text) { new.eraseIfOwn() }
      }
      throw error
    }
  }

  private func checkIsFree() throws {
    if FileStatus(target.text, followsLinks: false) == nil,
      ExternalFolder.isEnding(beside: target.text)
    {
      // An interrupted move or removal has left it.
      try ExternalFolder(of: target.text, UUID()).erase()
    }
    if let path = target.firstTaken { throw isTaken(path) }
  }

  private func isTaken(_ path: String) -> PersistenceError {
    PersistenceError(.pathTaken, path: source.text, found: path)
  }

  private func makeFolder(_ path: String, like status: FileStatus?) throws {
    guard mkdir(path, 0o777) == 0 else { throw FileFailure.error(errno, path) }
    if let status { _ = chmod(path, status.permissionsOfFolder) }
  }

  /// Makes what is in the new folder beside the files. Until the database is there, the folder can
  /// be erased.
  private func mark(_ new: ExternalFolder, like old: ExternalFolder) throws {
    let status = old.store
    for file in [new.path + "/" + ExternalFolder.endingMark, new.path + "/lock", new.markPath] {
      try status?.makeEmptyFile(file)
    }
    try makeFolder(new.path + "/new", like: status)
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

  /// - Returns: whether the database was copied, because the target is on another file system.
  private func move(_ file: String) throws -> Bool {
    let code = ExclusiveRename.run(file, to: target.text)
    if code == EXDEV {
      try copy(file)
      return true
    }
    try check(code)
    return false
  }

  private func check(_ code: Int32) throws {
    if code == EEXIST { throw isTaken(target.text) }
    if code != 0 { throw FileFailure.error(code, target.text) }
  }

  /// Copies the database to another file system. It gets its name last.
  private func copy(_ file: String) throws {
    let incomplete = target.text + "-incomplete"
    do {
      _ = unlink(incomplete)
      try FileManager.default.copyItem(atPath: file, toPath: incomplete)
      try ExternalFolder.sync(incomplete)
      try check(ExclusiveRename.run(incomplete, to: target.text))
    } catch {
      _ = unlink(incomplete)
      throw error
    }
  }
}
