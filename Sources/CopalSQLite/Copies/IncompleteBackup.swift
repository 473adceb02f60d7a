import CopalEssentials
import CopalModel
import CopalStore

/// The files of a backup that runs, or of one whose program has ended.
///
/// A backup deletes what an interrupted one has left, and nothing that a person or another program
/// has made under these names. The lock is the first file that a backup makes, and the last one
/// that it removes. So without the lock, a database or a folder is not one of a backup.
struct IncompleteBackup {
  /// The path of the copy, until it gets its name.
  let path: String
  let folder: ExternalFolder

  init(of target: String, _ identifier: UUID) {
    path = target + "-incomplete"
    folder = ExternalFolder(of: path, identifier)
  }

  private var lockPath: String { path + "-lock" }

  private func status(_ suffix: String) -> FileStatus? {
    FileStatus(path + suffix, followsLinks: false)
  }

  /// Runs a backup, after the files of an interrupted one are removed. No other backup to the same
  /// path runs in the meantime.
  ///
  /// - Throws: `store.backupExists` when another backup runs, or when there is a file that no
  ///   backup has made. Nothing is changed then.
  func run(_ body: () throws -> Void) throws {
    let wasInterrupted = status("-lock") != nil
    if status("-lock")?.isEmptyFile == false { throw exists("-lock") }
    guard let lock = try PathLock(lockPath) else { throw exists("") }
    do {
      try check(wasInterrupted)
    } catch {
      // Otherwise the files of the interrupted backup would be taken for others the next time.
      lock.end(keepsFile: wasInterrupted)
      throw error
    }
    defer { lock.end() }
    remove()
    do {
      try body()
    } catch {
      remove()
      throw error
    }
  }

  /// Removes what a backup has left that was killed when its copy had got its name: the lock, and
  /// nothing else. A lock that another backup has stays.
  func tidyUp() {
    guard status("-lock")?.isEmptyFile == true, status("") == nil,
      let lock = try? PathLock(lockPath)
    else { return }
    lock.end()
  }

  /// Removes everything that a backup has made.
  func remove() {
    for suffix in ["", "-journal"] { _ = unlink(path + suffix) }
    try? folder.erase()
  }

  // MARK: Checks

  private func check(_ wasInterrupted: Bool) throws {
    // SQLite would delete these files when it makes the copy.
    for suffix in ["-wal", "-shm"] where status(suffix) != nil { throw exists(suffix) }
    for (suffix, isOwn) in [("", isOwnDatabase), ("-journal", isJournal)] {
      guard let status = status(suffix), !status.isEmptyFile else { continue }
      guard status.isPlainFile, wasInterrupted, isOwn() else { throw exists(suffix) }
    }
    if status(ExternalFolder.suffix) == nil { return }
    guard wasInterrupted else { throw exists(ExternalFolder.suffix) }
    if let foreign = folder.foreignPath { throw PersistenceError(.backupExists, path: foreign) }
  }

  private func exists(_ suffix: String) -> PersistenceError {
    PersistenceError(.backupExists, path: path + suffix)
  }

  /// Whether the file is a part of a copy.
  ///
  /// SQLite reads it first, because it may be an open database of this program: when a program
  /// closes a file, the system releases all locks that it has on it
  /// (<https://www.sqlite.org/howtocorrupt.html>). What SQLite cannot read is a copy whose first
  /// page was not written yet, or whose last ones.
  private func isOwnDatabase() -> Bool {
    do {
      let copy = try Connection(
        path: path, .readingAlone, busyTimeoutSeconds: 0,
        pageCacheKilobytes: Connection.defaultCacheKilobytes, onStatement: nil)
      return try StoreHeader(copy).isMarked()
    } catch {
      let header = firstBytes("", 100)
      return header.allSatisfy { $0 == 0 } || StoreHeader.isMarked(header)
    }
  }

  /// Whether the file begins like a journal of SQLite. Before it is synced, zeros are in the place
  /// of the mark (<https://www.sqlite.org/fileformat.html#the_rollback_journal>).
  private func isJournal() -> Bool {
    let mark = firstBytes("-journal", 8)
    return mark == [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
      || mark == [UInt8](repeating: 0, count: 8)
  }

  private func firstBytes(_ suffix: String, _ count: Int) -> [UInt8] {
    let descriptor = open(path + suffix, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return [1] }
    defer { _ = close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(descriptor, &bytes, count, 0)
    return read > 0 ? Array(bytes.prefix(read)) : [1]
  }
}
