public import Foundation

/// A program of this package, as it was built with the tests.
public struct Program {
  private let file: URL

  public init(_ name: String) {
    file = Bundle.main.bundleURL.resolvingSymlinksInPath().appending(path: name)
  }

  public struct Result {
    public var status: Int32
    public var output: String
    public var errors: String
  }

  /// Runs a program that is found in the path, and waits for it. What it writes to its output and
  /// as errors is one text.
  public static func run(_ words: [String], environment: [String: String] = [:]) throws
    -> (status: Int32, output: String)
  {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(RunFolder.variables) { $1 }
      .merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  /// Runs the program with its output in pipes. It reads the input, which is short enough for the
  /// buffer of a pipe.
  public func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    in folder: URL? = nil
  ) throws -> Result {
    let process = process(arguments, environment)
    if let folder { process.currentDirectoryURL = folder }
    let (lines, output, errors) = (Pipe(), Pipe(), Pipe())
    if !input.isEmpty { process.standardInput = lines }
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    if !input.isEmpty { try lines.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
    try lines.fileHandleForWriting.close()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: complaint, as: UTF8.self))
  }

  /// Runs the program with a terminal as its output. With keys, the terminal is also its input:
  /// they are pressed after the program has written its prompt.
  public func runOnTerminal(
    _ arguments: [String], environment: [String: String],
    pressing keys: String? = nil, after prompt: String = ""
  ) throws -> Result {
    let terminal = try Terminal()
    let process = process(arguments, environment)
    if keys != nil { process.standardInput = terminal.theirs }
    process.standardOutput = terminal.theirs
    process.standardError = terminal.theirs
    try process.run()
    try terminal.theirs.close()
    let output = terminal.readToEnd(pressing: keys, after: prompt)
    process.waitUntilExit()
    return Result(status: process.terminationStatus, output: output, errors: "")
  }

  public func process(_ arguments: [String], _ environment: [String: String]) -> Process {
    let process = Process()
    process.executableURL = file
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(RunFolder.variables) { $1 }
      .merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// What an example is expected to print.
  public static func expectedOutput(of example: String, _ name: String = "expected-output.txt")
    throws
    -> String
  {
    let file = URL(filePath: #filePath)
      .appending(path: "../../../Examples/\(example)/\(name)").standardized
    return try String(contentsOf: file, encoding: .utf8)
  }
}

/// The two ends of a pseudo-terminal.
public struct Terminal {
  private let ours: FileHandle
  public let theirs: FileHandle

  public struct Unavailable: Error { public init() {} }

  public init() throws {
    var (one, other): (Int32, Int32) = (-1, -1)
    guard openpty(&one, &other, nil, nil, nil) == 0 else { throw Unavailable() }
    ours = FileHandle(fileDescriptor: one, closeOnDealloc: true)
    theirs = FileHandle(fileDescriptor: other, closeOnDealloc: true)
  }

  /// The output until the other end is closed.
  public func readToEnd(pressing keys: String? = nil, after prompt: String = "") -> String {
    var keys = keys
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(ours.fileDescriptor, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[..<count]
      if let text = keys, String(decoding: bytes, as: UTF8.self).contains(prompt) {
        ours.write(Data(text.utf8))
        keys = nil
      }
    }
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }
}
