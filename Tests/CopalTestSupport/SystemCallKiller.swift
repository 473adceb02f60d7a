import Foundation

/// Kills this process at one of its system calls, with the program that `Scripts/test-kills` makes
/// from `Scripts/kill-at-syscall.c`.
public struct SystemCallKiller: Sendable {
  private let tracer: String

  /// Nil where `Scripts/test-kills` does not run the tests.
  public init?() {
    guard let tracer = ProcessInfo.processInfo.environment["COPAL_KILL_AT_SYSCALL"] else {
      return nil
    }
    self.tracer = tracer
  }

  /// Counts the system calls from now on, and kills the process at one of them.
  ///
  /// - Parameters:
  ///   - number: the number of beginnings and ends of system calls.
  ///   - ready: a path for a file that tells when the counting has begun.
  public func kill(at number: Int, ready: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: tracer)
    process.arguments = ["\(getpid())", "\(number)", ready]
    try process.run()
    while access(ready, F_OK) != 0 {
      guard process.isRunning else { exit(94) }
      usleep(1000)
    }
  }
}
