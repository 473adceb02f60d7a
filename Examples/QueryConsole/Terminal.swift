import Foundation

/// The terminal of the program: its size, and the mode in which each key is read at once.
final class Terminal {
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

  /// The number of columns.
  var width: Int {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  /// Runs a closure while each key is read at once and is not shown by the terminal itself. One
  /// mode for all lines: keys that are pressed between two lines would be changed by the other
  /// mode, and Ctrl-D would be lost.
  func readingKeys<Result>(_ body: () -> Result) -> Result {
    beginReadingKeys()
    defer { Self.restore(original) }
    return body()
  }

  /// Stops the program, as Ctrl-Z does elsewhere, until the shell continues it.
  func suspend() {
    Self.restore(original)
    kill(getpid(), SIGTSTP)
    beginReadingKeys()
  }

  private func beginReadingKeys() {
    guard var mode = original else { return }
    cfmakeraw(&mode)
    mode.c_oflag |= tcflag_t(OPOST)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
  }

  /// When a signal ends the program, the terminal gets its mode back, and the closure runs before.
  func whenInterrupted(_ body: @escaping @Sendable () -> Void) {
    let original = original
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        Self.restore(original)
        body()
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
      source.activate()
      signals.append(source)
    }
  }

  private static func restore(_ mode: termios?) {
    guard var mode else { return }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
  }
}
