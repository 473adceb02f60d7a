import CopalEssentials

/// Blocks the signal that the system sends when a file exceeds the size limit of the process
/// (`ulimit -f`). By default the signal ends the program.
///
/// Linux sends SIGXFSZ to the thread that writes. It is blocked on this thread while SQLite may
/// write, and a pending signal is removed. The write fails in SQLite, and the save throws
/// `store.diskFull`. The program's own handling of the signal stays in effect for its other writes.
/// On Apple's systems the signal goes to the process, so only the program can handle it.
enum FileSizeSignal {
  #if os(Linux)

    private static let signals: sigset_t = {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGXFSZ)
      return signals
    }()

    /// - Parameter failuresAreThrown: whether the body throws when a write fails. Then nothing is
    ///   looked for after a body that succeeds, which saves a call of the system.
    static func heldBack<R>(
      failuresAreThrown: Bool = false, _ body: () throws -> R
    ) rethrows -> R {
      var (signals, former) = (signals, sigset_t())
      guard pthread_sigmask(SIG_BLOCK, &signals, &former) == 0 else { return try body() }
      // A signal that the program itself has blocked is left pending.
      if sigismember(&former, SIGXFSZ) == 1 { return try body() }
      var isSuccess = false
      defer {
        if !(failuresAreThrown && isSuccess) {
          var atOnce = timespec()
          while sigtimedwait(&signals, nil, &atOnce) == SIGXFSZ {}
        }
        pthread_sigmask(SIG_SETMASK, &former, nil)
      }
      let result = try body()
      isSuccess = true
      return result
    }

  #else

    static func heldBack<R>(
      failuresAreThrown: Bool = false, _ body: () throws -> R
    ) rethrows -> R { try body() }

  #endif
}
