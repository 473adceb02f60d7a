#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Where a program's messages go that it has not asked for.
enum StandardError {
  /// Writes a line, as far as somebody reads it.
  static func write(_ line: String) {
    withoutBrokenPipe {
      var bytes = Array((line + "\n").utf8)[...]
      while !bytes.isEmpty {
        let written = bytes.withUnsafeBytes { systemWrite(2, $0.baseAddress, $0.count) }
        if written < 0, errno == EINTR { continue }
        if written <= 0 { return }
        bytes = bytes.dropFirst(written)
      }
    }
  }

  /// Runs the body, and takes away the signal that comes when nobody reads a pipe: it would end a program
  /// that does not expect a library to write.
  private static func withoutBrokenPipe(_ body: () -> Void) {
    var (pipe, former, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    // One that is pending already is somebody else's.
    sigpending(&pending)
    if sigismember(&pending, SIGPIPE) == 1 { return body() }
    pthread_sigmask(SIG_BLOCK, &pipe, &former)
    body()
    sigpending(&pending)
    var signal: CInt = 0
    if sigismember(&pending, SIGPIPE) == 1 { sigwait(&pipe, &signal) }
    pthread_sigmask(SIG_SETMASK, &former, nil)
  }
}

private func systemWrite(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
