import CopalEssentials
import CopalModel
import CopalStore

/// Reading files of large values.
extension ExternalFolder: ExternalFiles {
  func read(_ name: ExternalFileName) throws(PersistenceError) -> Data {
    let descriptor = try descriptor(of: name)
    defer { _ = close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw unreadable(name, FileFailure.text(errno)) }
    guard info.st_mode & S_IFMT == S_IFREG else { throw unreadable(name, "it is not a file") }
    guard info.st_size == name.byteCount else {
      throw unreadable(name, "it has \(info.st_size) bytes instead of \(name.byteCount)")
    }
    if name.byteCount < Self.smallestMapping { return try bytes(descriptor, name) }
    return try map(descriptor, name)
  }

  /// The size of a file, without a look at its bytes.
  func size(of name: ExternalFileName) -> StoredRowCheck.FileSize {
    // As for reading: a commit may move the file during the search.
    for path in [path(of: name), newPath(of: name), path(of: name)] {
      if let status = FileStatus(path, followsLinks: false) {
        return status.isPlainFile ? .bytes(Int(status.size)) : .noFile
      }
    }
    return .missing
  }

  /// Smaller files are read. A process can have some ten thousand mappings only:
  /// <https://man7.org/linux/man-pages/man2/mmap.2.html>.
  private static let smallestMapping = 1 << 16

  /// Reads a small file.
  private func bytes(_ descriptor: Int32, _ name: ExternalFileName) throws(PersistenceError) -> Data
  {
    var data = Data(count: name.byteCount)
    var filled = 0
    while filled < data.count {
      let count = data.withUnsafeMutableBytes { bytes in
        let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
        return pread(descriptor, rest.baseAddress, rest.count, off_t(filled))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(name, FileFailure.text(errno)) }
      guard count > 0 else { throw unreadable(name, "it was made shorter meanwhile") }
      filled += count
    }
    return data
  }

  /// Opens a file. The file may be in the subfolder, and a commit may move it during the search, so
  /// the folder is searched twice.
  private func descriptor(of name: ExternalFileName) throws(PersistenceError) -> Int32 {
    for path in [path(of: name), path + "/new/" + name.text, path(of: name)] {
      // NONBLOCK: without it, opening a pipe of that name would wait.
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 { return descriptor }
      if errno == EMFILE || errno == ENFILE { throw FileFailure.error(errno, path) }
      if errno != ENOENT { throw unreadable(name, FileFailure.text(errno)) }
    }
    throw PersistenceError(.externalFileMissing, path: path, found: name.text)
  }

  /// Maps a file into memory, until the data is released. The memory stays valid when the file is
  /// removed.
  private func map(_ descriptor: Int32, _ name: ExternalFileName) throws(PersistenceError) -> Data {
    let count = name.byteCount
    let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let address, address != MAP_FAILED else {
      throw unreadable(name, FileFailure.text(errno))
    }
    return Data(
      bytesNoCopy: address, count: count,
      deallocator: .custom { memory, size in munmap(memory, size) }
    )
  }

  private func unreadable(_ name: ExternalFileName, _ found: String) -> PersistenceError {
    PersistenceError(
      .externalFileUnreadable, path: path, found: "'\(name.text)': \(found)")
  }
}
