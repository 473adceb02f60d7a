import Foundation

/// The `sqlite3` tool at work on a file: another program that has a store open.
public final class OtherProgram {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ path: String) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sqlite3", path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Runs statements, and waits until they are done.
  public func run(_ sql: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((sql + ";\n.print done\n").utf8))
    var answer = ""
    while !answer.contains("done\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { throw ConformanceFailure("sqlite3 ended: \(answer)") }
      answer += String(decoding: data, as: UTF8.self)
    }
    if answer.localizedStandardContains("error") { throw ConformanceFailure(answer) }
  }
}
