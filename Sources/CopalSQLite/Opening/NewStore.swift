import CopalEssentials
import CopalModel
import CopalStore

/// A store that is made in a folder beside its path, and moved to its path when it is whole.
///
/// So nobody finds a part of it, and nothing has to be removed that another program may use by
/// then.
/// The folder has a lock as long as the store is made. What a killed program has left in it is
/// removed by the next one.
package struct NewStore {
  private let target: StorePath
  private let isCanceled: @Sendable () -> Bool

  /// A store at a path. If a symbolic link is there, it is made where the link leads.
  ///
  /// - Parameter isCanceled: asked while it waits for another program: whether to give up.
  package init(at path: String, isCanceled: @escaping @Sendable () -> Bool) {
    target = StorePath(StorePath(path).filePath)
    self.isCanceled = isCanceled
  }

  /// Makes the store, unless there is one.
  ///
  /// - Parameter body: makes it at another path, and releases it.
  /// - Returns: what the body returns; nil when there is a file already. It may be one that another
  ///   program was making when this one began.
  /// - Throws: what the body throws; `store.busy` while another program makes it for longer than
  ///   the busy timeout; `store.pathTaken` when another program has made a file meanwhile;
  ///   `store.interrupted`; other codes of `store.…`. Then this program has left nothing.
  package func make<R>(_ body: (_ path: String) throws -> R) throws -> R? {
    if try target.checkForWriting() {
      tidyUp()
      return nil
    }
    guard let lock = try lock(waits: true) else {
      throw PersistenceError(.busy, path: target.text)
    }
    defer { end(lock) }
    try removeRest()
    if FileStatus(target.text) != nil { return nil }
    try prepareTarget()
    do {
      let result = try body(path)
      try FileSizeSignal.heldBack {
        try StoreMove(StorePath(path), to: target, SQLiteStore.Options()).run()
      }
      try? removeRest()
      return result
    } catch {
      try? removeRest()
      throw named(error)
    }
  }

  // MARK: The folder

  private var folder: String { target.text + "-new" }
  private var path: String { folder + "/store" }

  /// Makes the folder, and takes its lock.
  ///
  /// - Returns: nil while another program has it.
  private func lock(waits: Bool) throws -> PathLock? {
    let end = ContinuousClock.now + .seconds(SQLiteStore.Options().busyTimeoutSeconds)
    while true {
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
        throw FileFailure.error(errno, target.text)
      }
      try checkFolder()
      do {
        if let lock = try PathLock(folder + "/lock") { return lock }
      } catch {
        // The program that has made it may have just removed it.
        if FileStatus(folder) == nil { continue }
        _ = rmdir(folder)
        throw error
      }
      if !waits || ContinuousClock.now >= end { return nil }
      if isCanceled() { throw PersistenceError(.interrupted, path: target.text) }
      usleep(10_000)
    }
  }

  private func end(_ lock: PathLock) {
    lock.end()
    _ = rmdir(folder)
  }

  /// Removes what a program has left that was killed when the store had got its name.
  private func tidyUp() {
    guard FileStatus(folder) != nil, let lock = try? lock(waits: false) else { return }
    try? removeRest()
    end(lock)
  }

  /// Checks that nothing is in the folder but a store and its lock.
  private func checkFolder() throws {
    guard let status = FileStatus(folder, followsLinks: false) else { return }
    guard status.isFolder else {
      throw target.cannotOpen("'\(folder)' is in the way; move it away")
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let own = ["lock"] + Self.suffixes.map { "store" + $0 }
    guard let foreign = names.inOrder().first(where: { !own.contains($0) }) else { return }
    throw target.cannotOpen("'\(folder)/\(foreign)' is not Copal's; move it away")
  }

  private static let suffixes = ["", "-wal", "-shm", "-journal", ExternalFolder.suffix]

  /// Removes the store in the folder. The program has the lock, so that nobody uses it.
  private func removeRest() throws {
    let files = ExternalFolder(of: path, UUID())
    if FileStatus(files.path, followsLinks: false) != nil {
      if let foreign = files.foreignPath {
        throw target.cannotOpen("'\(foreign)' is not Copal's; move it away")
      }
      try files.erase()
    }
    for suffix in Self.suffixes.dropLast() where unlink(path + suffix) != 0 && errno != ENOENT {
      throw FileFailure.error(errno, path + suffix)
    }
  }

  // MARK: The target

  /// Checks, before the work begins, that nothing will be in the way at its end.
  private func prepareTarget() throws {
    let files = ExternalFolder(of: target.text, UUID())
    let hasValues = ExternalFolder.hasValues(beside: target.text)
    if ExternalFolder.isEnding(beside: target.text) {
      // An interrupted move or removal has left it.
      try files.erase()
    } else if hasValues {
      throw PersistenceError(.filesWithoutStore, path: target.text, found: files.path)
    } else if files.exists, files.foreignPath == nil {
      try files.erase()
    }
    guard let taken = target.firstTaken else { return }
    // Another program may have made the store just now.
    if taken == target.text { throw PersistenceError(.busy, path: taken) }
    throw target.cannotOpen("'\(taken)' is of a store that is gone; move it away")
  }

  /// An error of the store in the folder, as one of the store that it becomes.
  private func named(_ error: any Error) -> any Error {
    guard var error = error as? PersistenceError, let found = error.path, found.hasPrefix(path)
    else { return error }
    error.path = target.text + found.dropFirst(path.count)
    return error
  }
}
