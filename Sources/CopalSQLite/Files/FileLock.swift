import CopalEssentials
import CopalModel
import CopalStore

/// A lock on a file, between programs and between the sessions of one program:
/// <https://man7.org/linux/man-pages/man2/flock.2.html>.
struct FileLock {
  fileprivate let descriptor: Int32

  /// Takes the lock; nil when another session or program has it and `waits` is false.
  init?(_ file: String, isExclusive: Bool, waits: Bool) throws {
    var descriptor = open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
    if descriptor < 0, !isExclusive, [EACCES, EPERM, EROFS].contains(errno) {
      // A shared lock is also for those who may only read.
      descriptor = open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    }
    guard descriptor >= 0 else { throw FileFailure.error(errno, file) }
    self.descriptor = descriptor
    let operation = (isExclusive ? LOCK_EX : LOCK_SH) | (waits ? 0 : LOCK_NB)
    while flock(descriptor, operation) != 0 {
      let code = errno
      if code == EINTR { continue }
      _ = close(descriptor)
      if code == EWOULDBLOCK { return nil }
      throw FileFailure.error(code, file)
    }
  }

  /// Releases the lock, and closes the file.
  ///
  /// Closing alone is not enough: a child process that another thread is just starting has a copy
  /// of the descriptor until its program begins, and the lock with it.
  func end() {
    _ = flock(descriptor, LOCK_UN)
    _ = close(descriptor)
  }
}

/// A lock whose file is usually removed at its end.
struct PathLock {
  private let path: String
  private let lock: FileLock

  /// Takes the lock; nil when another session or program has it.
  init?(_ path: String) throws {
    self.path = path
    while true {
      guard let lock = try FileLock(path, isExclusive: true, waits: false) else { return nil }
      // The former owner may have removed the file after it was opened here. Then the lock protects
      // nothing.
      if FileStatus(lock.descriptor).map({ $0.isSameFile(as: FileStatus(path)) }) == true {
        self.lock = lock
        return
      }
      lock.end()
    }
  }

  /// Removes the file unless it is to be kept, and releases the lock.
  func end(keepsFile: Bool = false) {
    if !keepsFile { _ = unlink(path) }
    lock.end()
  }
}
