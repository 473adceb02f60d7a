import CopalEssentials
import CopalModel
import CopalStore

/// What the file system says of a file.
struct FileStatus {
  private let info: stat

  /// - Returns: nil when there is no file.
  init?(_ path: String, followsLinks: Bool = true) {
    var info = stat()
    guard (followsLinks ? stat(path, &info) : lstat(path, &info)) == 0 else { return nil }
    self.info = info
  }

  /// What is said of an open file.
  init?(_ descriptor: Int32) {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return nil }
    self.info = info
  }

  /// Whether two paths lead to one file.
  func isSameFile(as other: Self?) -> Bool {
    other.map { info.st_dev == $0.info.st_dev && info.st_ino == $0.info.st_ino } ?? false
  }

  var isFolder: Bool { info.st_mode & S_IFMT == S_IFDIR }

  /// Whether it is a symbolic link, if those were not followed.
  var isLink: Bool { info.st_mode & S_IFMT == S_IFLNK }

  /// Whether it is a file, and not a folder, a link or something else.
  var isPlainFile: Bool { info.st_mode & S_IFMT == S_IFREG }

  var isEmptyFile: Bool { isPlainFile && info.st_size == 0 }

  /// The size in bytes.
  var size: Int64 { Int64(info.st_size) }

  // MARK: Permissions

  /// Who may read and write; the owner may write in any case, because something is made with it.
  var permissions: mode_t { info.st_mode & 0o666 | 0o200 }

  /// The same for a folder: who may read may also enter it.
  var permissionsOfFolder: mode_t { permissions | (permissions & 0o444) >> 2 }

  /// Makes an empty file with the same permissions.
  func makeEmptyFile(_ path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure.error(errno, path) }
    defer { _ = close(descriptor) }
    _ = fchmod(descriptor, permissions)
  }
}
