#if Command
  import CopalEssentials

  /// Where a subcommand writes: results on the standard output, all else on the standard error.
  struct Output {
    /// What the standard output is.
    let terminal = Terminal(STDOUT_FILENO)
    /// What the standard error is.
    let errorTerminal = Terminal(STDERR_FILENO)
    /// Whether the command has found problems, and ends with 1.
    var foundProblems = false
    /// What has stopped a part of the work; nil for nothing.
    var failure: ExitStatus?
    private var pending = ""

    /// Writes a text on the standard output.
    mutating func write(_ text: String) { pending += text }

    /// Writes a line on the standard output.
    mutating func line(_ text: String = "") { pending += text + "\n" }

    /// Writes what is pending. A reader that has ended, as `head`, ends the process without a word.
    mutating func flush() throws(CommandFailure) {
      defer { pending = "" }
      try Self.write(pending, to: STDOUT_FILENO)
    }

    /// Writes a message on the standard error.
    func complain(_ message: String) {
      let end = message.hasSuffix("\n") ? "" : "\n"
      try? Self.write(message + end, to: STDERR_FILENO)
    }

    private static func write(_ text: String, to file: CInt) throws(CommandFailure) {
      try write(Array(text.utf8), to: file)
    }

    /// Writes bytes on a stream.
    static func write(_ all: [UInt8], to file: CInt) throws(CommandFailure) {
      var bytes = all[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EPIPE { exit(0) }
        guard count > 0 else {
          throw CommandFailure(
            .inputOutput, "copal: cannot write: \(String(cString: strerror(errno)))")
        }
        bytes = bytes.dropFirst(count)
      }
    }
  }

  // Outside the type, where `write` is another function.
  private func systemWrite(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(file, bytes, count)
  }
#endif
