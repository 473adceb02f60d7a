import Foundation

/// Keeps the signal away that the system sends when a file grows beyond the limit of the process
/// (`ulimit -f`), and that ends a program which does not expect it.
///
/// Linux sends SIGXFSZ to the thread that writes. It is held back on this thread while SQLite may write, and
/// taken away before it can arrive; SQLite sees the write fail, and the save throws `store.diskFull`. What the
/// program has chosen to do about the signal stays as it is, for all its other writing. On Apple's systems the
/// signal goes to the process, where only the program can decide about it.
enum FileSizeSignal {
  #if os(Linux)

    private static let signals: sigset_t = {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGXFSZ)
      return signals
    }()

    /// - Parameter failuresAreThrown: whether the body throws when a write fails. Then nothing is looked for
    ///   after a body that succeeds, which saves a call of the system.
    static func heldBack<R>(
      failuresAreThrown: Bool = false, _ body: () throws -> R
    ) rethrows -> R {
      var (signals, former) = (signals, sigset_t())
      guard pthread_sigmask(SIG_BLOCK, &signals, &former) == 0 else { return try body() }
      // One that the program holds back itself is the program's.
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

    @inline(__always)
    static func heldBack<R>(
      failuresAreThrown: Bool = false, _ body: () throws -> R
    ) rethrows -> R { try body() }

  #endif
}
