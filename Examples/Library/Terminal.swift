import Foundation

/// The terminal of the program, and the mode in which each key is read at once.
final class Terminal: @unchecked Sendable {
  // @unchecked: nothing changes after the initializer but `signals`, which only `whenInterrupted`
  // sets, before other threads have the terminal.

  /// Whether a person reads and writes: input and output are a terminal that knows escape
  /// sequences.
  let isInteractive: Bool
  /// The mode that the terminal had when the program began.
  private let original: termios?
  private var signals: [any DispatchSourceSignal] = []

  init() {
    var mode = termios()
    let isTerminal = isatty(STDOUT_FILENO) == 1 && tcgetattr(STDIN_FILENO, &mode) == 0
    isInteractive = isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    original = isTerminal ? mode : nil
  }

  /// Reads each key at once from now on, and does not show it. A line that is too long is cut.
  func beginReadingKeys() {
    guard var mode = original else { return }
    cfmakeraw(&mode)
    mode.c_oflag |= tcflag_t(OPOST)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    write("\u{1B}[?7l")
  }

  /// Gives the terminal the mode that it had.
  func restore() {
    guard var mode = original else { return }
    write("\u{1B}[?7h")
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
  }

  /// The bytes of the keys, as they are pressed.
  func keys() -> AsyncStream<UInt8> {
    AsyncStream { stream in
      // Reading blocks a thread, so it has one of its own.
      let reader = Thread {
        var byte: UInt8 = 0
        while true {
          let count = read(STDIN_FILENO, &byte, 1)
          if count == 1 { stream.yield(byte) } else if count == 0 || errno != EINTR { break }
        }
        stream.finish()
      }
      reader.start()
    }
  }

  func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

  /// When a signal ends the program, the terminal gets its mode back, and the closure runs before.
  func whenInterrupted(_ body: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in
        restore()
        body()
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
      source.activate()
      signals.append(source)
    }
  }
}
