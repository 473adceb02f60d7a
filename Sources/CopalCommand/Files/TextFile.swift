#if Command
  import CopalEssentials
  import CopalModel

  /// A file that the command reads, and may replace.
  struct TextFile {
    /// The path as the person wrote it; `-` for the standard input.
    let path: String
    let bytes: [UInt8]

    /// More bytes than any model may have.
    private static let limit = 64 << 20

    /// Reads a file.
    ///
    /// - Parameter count: the most bytes that are read; nil for the whole file.
    /// - Throws: with 74 where it cannot be read.
    init(_ path: String, upToCount count: Int? = nil) throws(CommandFailure) {
      self.path = path
      bytes =
        try path == "-"
        ? Self.read(STDIN_FILENO, "the standard input", count) : Self.read(path, count)
    }

    /// The text.
    ///
    /// - Throws: with 65 for bytes that are no UTF-8.
    var text: String {
      get throws(CommandFailure) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw CommandFailure(.badInput, "\(name): error: the file is not UTF-8")
        }
        return text
      }
    }

    /// What errors call the file.
    var name: String { path == "-" ? "standard input" : path.printable }

    private static func read(_ path: String, _ wanted: Int?) throws(CommandFailure) -> [UInt8] {
      // To open a pipe would wait until somebody writes into it.
      let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard file >= 0 else { throw failure(path, "be read") }
      defer { close(file) }
      return try read(file, path, wanted)
    }

    private static func read(_ file: CInt, _ path: String, _ wanted: Int?) throws(CommandFailure)
      -> [UInt8]
    {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = systemRead(file, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw failure(path, "be read") }
        if count == 0 { return bytes }
        bytes += buffer[..<count]
        if let wanted, bytes.count >= wanted { return bytes }
        if bytes.count > limit {
          throw CommandFailure(.badInput, "copal: \(path.printable) has more than 64 MB")
        }
      }
    }

    // MARK: Writing

    /// Replaces a file by a text, or makes it: through a file beside it, so that nobody sees a part
    /// of it. The permissions stay.
    ///
    /// - Throws: with 74.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
      // A link leads to the file that is replaced.
      let target = resolved(path)
      let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
      let beside = folder + "." + target.dropFirst(folder.count) + ".\(getpid())"
      var status = stat()
      let isThere = stat(target, &status) == 0
      let mode = isThere ? status.st_mode & 0o7777 : 0o666
      if isThere, status.st_mode & S_IFMT != S_IFREG {
        // A pipe or a device keeps its place.
        let file = open(target, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(path, "be written") }
        defer { close(file) }
        return try write(Array(text.utf8)[...], to: file, path)
      }
      let file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard file >= 0 else { throw failure(path, "be written") }
      var isDone = false
      defer { if !isDone { unlink(beside) } }
      do {
        defer { close(file) }
        if status.st_mode != 0 { fchmod(file, mode) }
        try write(Array(text.utf8)[...], to: file, path)
        guard fsync(file) == 0 else { throw failure(path, "be written") }
      }
      guard rename(beside, target) == 0 else { throw failure(path, "be written") }
      isDone = true
    }

    private static func write(_ all: ArraySlice<UInt8>, to file: CInt, _ path: String)
      throws(CommandFailure)
    {
      var bytes = all
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw failure(path, "be written") }
        bytes = bytes.dropFirst(count)
      }
    }

    /// Makes a folder, and those around it, if it is not there.
    ///
    /// - Throws: with 74.
    static func makeFolder(_ path: String) throws(CommandFailure) {
      do {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      } catch {
        throw failure(path, "be made")
      }
    }

    static func resolved(_ path: String) -> String {
      guard let found = realpath(path, nil) else { return path }
      defer { free(found) }
      return String(cString: found)
    }

    static func failure(_ path: String, _ what: String) -> CommandFailure {
      let reason = String(cString: strerror(errno))
      return CommandFailure(.inputOutput, "copal: \(path.printable) cannot \(what): \(reason)")
    }
  }

  extension TextFile {
    /// Reads into a buffer.
    static func read(_ file: CInt, _ buffer: inout [UInt8]) -> Int {
      systemRead(file, &buffer, buffer.count)
    }

    /// Writes bytes.
    static func write(_ file: CInt, _ bytes: ArraySlice<UInt8>) -> Int {
      bytes.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
    }
  }

  // Outside the type, where `read` and `write` are other functions.
  private func systemRead(_ file: CInt, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(file, bytes, count)
  }

  private func systemWrite(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(file, bytes, count)
  }
#endif
