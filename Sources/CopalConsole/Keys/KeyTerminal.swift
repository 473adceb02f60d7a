import CopalEssentials

/// The terminal of the program: its size, and the mode in which each key is read at once.
package final class KeyTerminal {
  /// Whether a person reads and writes: input and output are a terminal that knows escape
  /// sequences.
  package let isInteractive: Bool
  /// The mode that the terminal had when the program began.
  private let original: termios?

  package init() {
    var mode = termios()
    let isTerminal = isatty(STDOUT_FILENO) == 1 && tcgetattr(STDIN_FILENO, &mode) == 0
    isInteractive = isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    original = isTerminal ? mode : nil
  }

  /// The number of columns of the standard output; 80 where it is not known.
  package var width: Int { Self.width(of: STDOUT_FILENO) ?? 80 }

  /// The number of columns of a stream; nil where it is not known.
  package static func width(of file: CInt) -> Int? {
    var size = winsize()
    let isKnown = ioctl(file, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : nil
  }

  /// Runs a closure while each key is read at once and is not shown by the terminal itself. One
  /// mode for all lines: keys that are pressed between two lines would be changed by the other
  /// mode, and Ctrl-D would be lost.
  package func readingKeys<Result>(_ body: () throws -> Result) rethrows -> Result {
    Interruption.keep(original)
    beginReadingKeys()
    defer {
      restore()
      Interruption.keep(nil)
    }
    return try body()
  }

  /// Runs work that Ctrl-C interrupts: it is a signal again meanwhile.
  package func allowingInterruption<Result>(_ body: () throws -> Result) rethrows -> Result {
    setSignals(true)
    defer {
      setSignals(false)
      Interruption.reset()
    }
    return try body()
  }

  private func setSignals(_ areOn: Bool) {
    var mode = termios()
    guard original != nil, tcgetattr(STDIN_FILENO, &mode) == 0 else { return }
    if areOn { mode.c_lflag |= tcflag_t(ISIG) } else { mode.c_lflag &= ~tcflag_t(ISIG) }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
  }

  /// Stops the program, as Ctrl-Z does elsewhere, until the shell continues it.
  func suspend() {
    restore()
    kill(getpid(), SIGTSTP)
    beginReadingKeys()
  }

  private func beginReadingKeys() {
    guard var mode = original else { return }
    cfmakeraw(&mode)
    mode.c_oflag |= tcflag_t(OPOST)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
  }

  private func restore() {
    guard var mode = original else { return }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
  }
}
