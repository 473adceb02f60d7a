import Foundation

/// Runs a program and returns its output.
enum Tool {
  /// - Throws: when its exit code is not 0.
  static func output(
    _ tool: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: tool)
    process.arguments = arguments
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure("\(tool) \(arguments.joined(separator: " ")) failed")
    }
    return data
  }

  /// The first line of a program's output; nil when it could not be run.
  static func line(_ tool: String, _ arguments: [String]) -> String? {
    guard let data = try? output("/usr/bin/env", [tool] + arguments) else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }

  /// The folder of the programs that were built with this one.
  static let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

  static func path(_ name: String, in folder: URL = folder) -> String {
    folder.appending(path: name).path(percentEncoded: false)
  }
}

/// A folder for one run, which is removed at its end.
struct WorkFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: "copal-bench-\(getpid())")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

  /// Removes a SQLite file and its log files.
  static func removeStore(_ file: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: file + suffix)
    }
  }

  static func copyStore(_ file: String, to copy: String) throws {
    removeStore(copy)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file + suffix) {
      try FileManager.default.copyItem(atPath: file + suffix, toPath: copy + suffix)
    }
  }
}
