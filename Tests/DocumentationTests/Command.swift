import Foundation

/// Programs that tests run.
enum Command {
  /// Runs a program that is found in the path, and waits for it.
  static func run(_ words: String..., environment: [String: String] = [:]) throws
    -> (status: Int32, output: String)
  {
    try run(words, environment: environment)
  }

  static func run(_ words: [String], environment: [String: String] = [:]) throws
    -> (status: Int32, output: String)
  {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  /// Where the package's modules and programs were built.
  static let products = Bundle.main.bundleURL.resolvingSymlinksInPath()

  /// Compiles a source file against the package's modules, as far as the checks of isolation go.
  static func compile(_ source: String) throws -> (status: Int32, output: String) {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let map = Repository.root.appending(path: "Sources/CCopalSQLite/module.modulemap")
    return try run([
      "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library",
      "-I", products.appending(path: "Modules").path(percentEncoded: false),
      "-Xcc", "-fmodule-map-file=\(map.path(percentEncoded: false))",
      "-module-name", "Listing", file.path(percentEncoded: false),
    ])
  }
}
