#if Command
  import CopalConsole
  import CopalEssentials
  import CopalExchange
  import CopalSQLite

  /// Where a dump goes: the standard output, or a file that appears when it is complete.
  final class OutputFile {
    private let path: String?
    private let target: String
    private let beside: String
    private let file: CInt
    private let isTerminal: Bool
    /// Whether the file has no name yet, and goes with the process, however that ends.
    private let isUnnamed: Bool
    private var cleanup: Int?
    private var rest: [UInt8] = []

    /// - Parameter path: the path of the file; nil or `-` for the standard output.
    init(_ path: String?, _ terminal: Terminal) throws(CommandFailure) {
      self.path = path == "-" ? nil : path
      guard let path = self.path else {
        (target, beside, file, isTerminal) = ("", "", STDOUT_FILENO, terminal.isTerminal)
        isUnnamed = false
        return
      }
      isTerminal = false
      let resolved = TextFile.resolved(path)
      var status = stat()
      let isThere = stat(resolved, &status) == 0
      if isThere, status.st_mode & S_IFMT != S_IFREG {
        // A pipe or a device keeps its place.
        (target, beside, isUnnamed) = (resolved, "", false)
        file = open(resolved, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw TextFile.failure(path, "be written") }
        return
      }
      if isThere { try Self.checkIsNoStore(resolved, path) }
      let folder = resolved.lastIndex(of: "/").map { String(resolved[...$0]) } ?? ""
      let name = folder + "." + resolved.dropFirst(folder.count) + ".\(getpid())"
      (target, beside) = (resolved, name)
      if let unnamed = Self.unnamed(in: folder.isEmpty ? "." : folder) {
        (file, isUnnamed) = (unnamed, true)
        return
      }
      isUnnamed = false
      file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard file >= 0 else { throw TextFile.failure(path, "be written") }
      cleanup = Interruption.add { unlink(name) }
    }

    /// Opens a file without a name in a folder; nil where the system has none:
    /// <https://man7.org/linux/man-pages/man2/open.2.html>.
    private static func unnamed(in folder: String) -> CInt? {
      #if os(Linux)
        // O_TMPFILE, which Swift does not import.
        let file = open(folder, O_WRONLY | O_CLOEXEC | O_DIRECTORY | 0o20_000_000, 0o666)
        if file < 0 { return nil }
        if access(path(of: file), F_OK) == 0 { return file }
        close(file)
      #endif
      return nil
    }

    /// The path by which a file without a name gets one.
    private static func path(of file: CInt) -> String { "/proc/self/fd/\(file)" }

    /// Checks that a file is not a store, nor a part of one, before it is replaced.
    private static func checkIsNoStore(_ target: String, _ path: String) throws(CommandFailure) {
      if isPartOfStore(target) {
        throw CommandFailure(
          .usage,
          "copal: \(path.printable) is a store, or belongs to one, and --output would replace it; name another file"
        )
      }
    }

    /// Whether a file is a store, or one of the files that belong to it.
    private static func isPartOfStore(_ path: String) -> Bool {
      func isStore(_ path: String) -> Bool { (try? StoreAddress(path).isStore()) == true }
      if isStore(path) { return true }
      for suffix in ["-wal", "-shm", "-journal"] where path.hasSuffix(suffix) {
        if isStore(String(path.dropLast(suffix.count))) { return true }
      }
      let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
      return folder.hasSuffix("-files") && isStore(String(folder.dropLast("-files".count)))
    }

    deinit {
      guard path != nil else { return }
      close(file)
      if let cleanup {
        Interruption.remove(cleanup)
        unlink(beside)
      }
    }

    /// Takes the bytes of a dump. Nothing that changes a terminal reaches one.
    var bytes: ByteOutput {
      ByteOutput { [self] bytes in
        guard isTerminal else { return try write(bytes) }
        rest += bytes
        guard let end = rest.lastIndex(of: 0x0A) else { return }
        let lines = rest[...end].split(separator: 0x0A, omittingEmptySubsequences: false)
        rest.removeFirst(end + 1)
        let texts = lines.map { String(decoding: $0, as: UTF8.self).printable }
        try write(Array(texts.joined(separator: "\n").utf8))
      }
    }

    /// The bytes of a table, whose cells change no terminal, and have colors.
    var table: ByteOutput { ByteOutput { [self] in try write($0) } }

    private func write(_ bytes: [UInt8]) throws(CommandFailure) {
      guard path != nil else { return try Output.write(bytes, to: file) }
      var bytes = bytes[...]
      while !bytes.isEmpty {
        let count = TextFile.write(file, bytes)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw TextFile.failure(path ?? "", "be written") }
        bytes = bytes.dropFirst(count)
      }
    }

    /// Ends the output: the file gets its name.
    func finish() throws(CommandFailure) {
      if !rest.isEmpty { try write(Array(String(decoding: rest, as: UTF8.self).printable.utf8)) }
      guard let path, !beside.isEmpty else { return }
      var status = stat()
      if stat(target, &status) == 0 { fchmod(file, status.st_mode & 0o7777) }
      guard fsync(file) == 0 else { throw TextFile.failure(path, "be written") }
      if isUnnamed {
        guard linkat(AT_FDCWD, Self.path(of: file), AT_FDCWD, beside, AT_SYMLINK_FOLLOW) == 0
        else { throw TextFile.failure(path, "be written") }
        cleanup = Interruption.add { [beside] in unlink(beside) }
      }
      errno = ExclusiveRename.run(beside, to: target)
      if errno == EEXIST {
        // Another program may have made a store there meanwhile.
        try Self.checkIsNoStore(target, path)
        errno = rename(beside, target) == 0 ? 0 : errno
      }
      guard errno == 0 else { throw TextFile.failure(path, "be written") }
      if let cleanup { Interruption.remove(cleanup) }
      cleanup = nil
    }
  }

  /// The bytes of a file, or of the standard input.
  final class InputFile {
    let name: String
    private let file: CInt
    /// The number of bytes; nil where it is not known.
    let size: Int?

    init(_ path: String) throws(CommandFailure) {
      name = path == "-" ? "standard input" : path.printable
      if path == "-" {
        (file, size) = (STDIN_FILENO, nil)
        return
      }
      file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw TextFile.failure(path, "be read") }
      var status = stat()
      guard fstat(file, &status) == 0 else { throw TextFile.failure(path, "be read") }
      guard status.st_mode & S_IFMT != S_IFDIR else {
        throw CommandFailure(
          .inputOutput, "copal: \(path.printable) cannot be read: it is a folder")
      }
      size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    deinit { if file != STDIN_FILENO { close(file) } }

    var input: ByteInput {
      ByteInput { [self] in
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
          let count = TextFile.read(file, &buffer)
          if count < 0, errno == EINTR, !Interruption.isRequested() { continue }
          guard count >= 0 else { throw TextFile.failure(name, "be read") }
          buffer.removeLast(buffer.count - count)
          return buffer
        }
      }
    }
  }
#endif
