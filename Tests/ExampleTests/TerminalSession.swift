import CopalTestSupport
import Foundation

/// A program at work on a pseudo-terminal, on which keys are pressed. Every wait ends after 60
/// seconds at the latest.
final class TerminalSession {
  private let process: Process
  private let terminal: FileHandle
  private let width: Int
  private(set) var output: [UInt8] = []
  private var isAtEnd = false

  struct TimedOut: Error, CustomStringConvertible {
    let description: String
  }

  init(
    _ program: Program, columns: Int = 80, environment: [String: String] = [:]
  ) throws {
    var (one, other): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 100, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&one, &other, nil, nil, &size) == 0 else { throw Terminal.Unavailable() }
    terminal = FileHandle(fileDescriptor: one, closeOnDealloc: true)
    width = columns
    let theirs = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    process = program.process([], ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 })
    process.standardInput = theirs
    process.standardOutput = theirs
    process.standardError = theirs
    try process.run()
    try theirs.close()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// All that the program has written so far, with its escape sequences.
  var text: String { String(decoding: output, as: UTF8.self) }
  var screen: Screen { Screen(width: width, output: text) }

  /// Presses keys, and waits for a screen.
  @discardableResult
  func press(_ keys: String, until isReached: (Screen) -> Bool) throws -> Screen {
    terminal.write(Data(keys.utf8))
    return try wait(until: isReached)
  }

  /// Waits for a screen.
  @discardableResult
  func wait(until isReached: (Screen) -> Bool) throws -> Screen {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let screen = screen
      if isReached(screen) { return screen }
      if isAtEnd || ContinuousClock.now > deadline {
        throw TimedOut(description: "the screen is\n\(screen.text)\nwith the line '\(screen.line)'")
      }
      read()
    }
  }

  /// Presses keys, and waits until the program has ended. Its status.
  func pressToEnd(_ keys: String) throws -> Int32 {
    terminal.write(Data(keys.utf8))
    let deadline = ContinuousClock.now + .seconds(60)
    while !isAtEnd || process.isRunning {
      if ContinuousClock.now > deadline { throw TimedOut(description: "\(screen.text)\nno end") }
      if isAtEnd { usleep(10_000) } else { read() }
    }
    return process.terminationStatus
  }

  /// Whether the terminal shows what is typed and gives the program whole lines, as it does for a
  /// shell.
  var isInLineMode: Bool {
    var mode = termios()
    guard tcgetattr(terminal.fileDescriptor, &mode) == 0 else { return false }
    return mode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
  }

  private func read() {
    var file = pollfd(fd: terminal.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&file, 1, 100) > 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(terminal.fileDescriptor, &buffer, buffer.count)
    if count > 0 { output += buffer[..<count] } else { isAtEnd = true }
  }
}
