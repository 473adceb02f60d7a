import CopalEssentials
import CopalObjects
import CopalStore
import Synchronization

/// What happens when a signal ends a program: the running work is asked to end, files that are half
/// written are removed, and the terminal gets its mode back.
///
/// A thread waits for the signals, which are blocked everywhere else. So nothing runs in the
/// handler of a signal.
package enum Interruption {
  private struct State: Sendable {
    /// The mode that the terminal had, while keys are read.
    var mode: TerminalMode?
    /// Whether the program only waits, so that there is no work to end.
    var isWaiting = false
    var cleanups: [Int: @Sendable () -> Void] = [:]
    var last = 0
  }

  // @unchecked: a plain value of the system's library.
  private struct TerminalMode: @unchecked Sendable {
    let value: termios
  }

  private static let state = Locked(State())
  private static let number = Atomic<CInt>(0)

  /// From now on, a signal first asks the work to end, which has two seconds for it.
  ///
  /// It is called before the program has other threads.
  ///
  /// - Parameter cleanup: runs before a signal ends the program.
  package static func begin(_ cleanup: (@Sendable () -> Void)? = nil) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    if let cleanup { _ = add(cleanup) }
    SystemThread.start {
      while true {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&signals, number) }
        var found: CInt = 0
        guard sigwait(&signals, &found) == 0 else { continue }
        receive(found)
      }
    }
  }

  private static func receive(_ signal: CInt) {
    let isSecond = number.exchange(signal, ordering: .sequentiallyConsistent) != 0
    let (readsKeys, isWaiting) = state.withLock { ($0.mode != nil, $0.isWaiting) }
    // In a shell, Ctrl-C ends the statement that runs.
    if readsKeys, signal == SIGINT { return }
    if readsKeys || isWaiting || isSecond { end(signal) }
    SystemThread.start {
      sleep(2)
      // The work waits for something that does not come.
      if isRequested() { end(signal) }
    }
  }

  /// Whether a signal has come.
  package static let isRequested: @Sendable () -> Bool = {
    number.load(ordering: .relaxed) != 0
  }

  /// Runs what only waits, for a person or for a change of a file: a signal ends the program at
  /// once.
  package static func waiting<R>(_ body: () throws -> R) rethrows -> R {
    state.withLock { $0.isWaiting = true }
    defer { state.withLock { $0.isWaiting = false } }
    return try body()
  }

  /// Forgets a signal: the work that it was for has ended.
  package static func reset() { number.store(0, ordering: .sequentiallyConsistent) }

  /// Ends the program by the signal that has come, so that a shell sees it; does nothing without
  /// one.
  package static func endIfRequested() {
    let signal = number.load(ordering: .sequentiallyConsistent)
    if signal != 0 { end(signal) }
  }

  /// Adds what runs before a signal ends the program.
  ///
  /// - Returns: its number, for ``remove(_:)``.
  package static func add(_ cleanup: @escaping @Sendable () -> Void) -> Int {
    state.withLock {
      $0.last += 1
      $0.cleanups[$0.last] = cleanup
      return $0.last
    }
  }

  /// Removes what was added.
  package static func remove(_ cleanup: Int) {
    _ = state.withLock { $0.cleanups.removeValue(forKey: cleanup) }
  }

  private static func end(_ number: CInt) {
    let (mode, cleanups) = state.withLock { ($0.mode, Array($0.cleanups.values)) }
    for cleanup in cleanups { cleanup() }
    if var mode = mode?.value { tcsetattr(STDIN_FILENO, TCSADRAIN, &mode) }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    signal(number, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    kill(getpid(), number)
    // The signal may go to another thread, which ends the process meanwhile.
    while true { sleep(1) }
  }

  /// The mode that the terminal gets back when a signal ends the program; nil for none.
  static func keep(_ mode: termios?) {
    let mode = mode.map { TerminalMode(value: $0) }
    state.withLock { $0.mode = mode }
  }
}
