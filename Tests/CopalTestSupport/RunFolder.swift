public import Foundation

/// The folder of this process, in which everything is that its tests leave. It goes when the
/// process ends, however it ends.
///
/// Nothing of a process runs after a trap, and that is how most exit tests end. So another program
/// removes the folder: it waits for the end of its input, which comes when the process is gone.
public enum RunFolder {
  /// Where the folder is. The first use makes it.
  public static let url: URL = {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "copal-tests-\(UUID().uuidString)", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try removeAtEnd(url.path(percentEncoded: false))
    } catch {
      preconditionFailure("The tests need a folder for temporary files: \(error)")
    }
    return url
  }()

  /// The environment in which other programs leave their temporary files there, too.
  public static var variables: [String: String] { ["TMPDIR": url.path(percentEncoded: false)] }

  /// Open as long as the process.
  private static let input = Pipe()

  private static func removeAtEnd(_ path: String) throws {
    // A child of this process must not keep it open.
    let descriptor = input.fileHandleForWriting.fileDescriptor
    _ = fcntl(descriptor, F_SETFD, fcntl(descriptor, F_GETFD) | FD_CLOEXEC)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    // Control-C ends all programs of a terminal. Another program may still write into the folder
    // for a moment.
    let script = """
      trap '' HUP INT TERM
      read -r line
      for time in 1 2 3 4 5; do rm -rf -- "$0" 2>/dev/null && exit; sleep 0.2; done
      """
    process.arguments = ["-c", script, path]
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }
}
