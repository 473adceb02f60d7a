import CopalEssentials

/// Writes messages of the library that no handler receives.
package enum StandardError {
  /// Writes a line. Does nothing when the reader of the pipe is gone.
  @inline(never)
  package static func write(_ line: String) {
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

  /// Runs the body and removes the signal SIGPIPE, which would end a program when the pipe has no
  /// reader.
  @inline(never)
  private static func withoutBrokenPipe(_ body: () -> Void) {
    var (pipe, former, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    // A signal that was already pending is left pending.
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

/// Ends the program because of a programming error that no input can cause, with a message.
///
/// An optimized build drops the message of `precondition`. So the message is written to standard
/// error first.
package func misuse(_ message: String) -> Never {
  StandardError.write("Copal: \(message)")
  preconditionFailure(message)
}

/// Ends the program unless the condition holds.
package func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if _slowPath(!condition) { misuse(message()) }
}
