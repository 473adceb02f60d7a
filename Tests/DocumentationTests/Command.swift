import CopalTestSupport
import Foundation

/// Programs that tests run.
enum Command {
  /// Runs a program that is found in the path, and waits for it.
  static func run(_ words: String..., environment: [String: String] = [:]) throws
    -> (status: Int32, output: String)
  {
    try Program.run(words, environment: environment)
  }

  /// Where the package's modules and programs were built.
  static let products = Bundle.main.bundleURL.resolvingSymlinksInPath()

  /// Compiles a source file against the package's modules, as far as the checks of isolation go.
  static func compile(_ source: String) throws -> (status: Int32, output: String) {
    let file = RunFolder.url.appending(path: "\(UUID().uuidString).swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return try compile(["-emit-sil", "-o", "/dev/null", "-parse-as-library"], [file])
  }

  /// Compiles a source file to a module in a folder, for `check`.
  static func compileModule(_ name: String, _ source: String, in folder: URL) throws
    -> (status: Int32, output: String)
  {
    let file = folder.appending(path: "\(name).swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    let module = folder.appending(path: "\(name).swiftmodule").path(percentEncoded: false)
    return try compile(
      ["-module-name", name, "-parse-as-library", "-emit-module", "-o", module], [file])
  }

  /// Checks the types of a program that also imports the modules in a folder.
  static func check(_ files: [URL], modules: URL) throws -> (status: Int32, output: String) {
    try compile(["-typecheck", "-I", modules.path(percentEncoded: false)], files)
  }

  /// Builds a program from source files and the package's libraries, as a client of the package
  /// does.
  static func build(_ files: [URL], program: URL) throws -> (status: Int32, output: String) {
    let library = try libraries.get().path(percentEncoded: false)
    return try compile(
      ["-o", program.path(percentEncoded: false), "-Xlinker", library] + sanitizer, files)
  }

  /// The libraries of the package as one library, which is linked once and not again for each
  /// program.
  private static let libraries = Result { try linkedLibraries() }

  private static func linkedLibraries() throws -> URL {
    let names = [
      "Copal", "CopalArchive", "CopalColor", "CopalEssentials", "CopalExchange", "CopalFoundation",
      "CopalModel",
      "CopalObjects", "CopalPatterns", "CopalSQL", "CopalSQLite", "CopalStore", "CopalTransformers",
    ]
    // On Linux, the compiler writes a file with the name of the module beside the first object file
    // of a link. So that one is a copy, and nothing is written where others link.
    let objects = names.flatMap(objects)
    let first = RunFolder.url.appending(path: "first.o")
    try FileManager.default.copyItem(atPath: objects[0], toPath: first.path(percentEncoded: false))
    let library = RunFolder.url.appending(path: "libGuides.so")
    let result = try compile(
      ["-emit-library", "-o", library.path(percentEncoded: false), "-lsqlite3"] + sanitizer
        + [first.path(percentEncoded: false)] + objects.dropFirst(), [])
    guard result.status == 0 else { throw Failure(output: result.output) }
    return library
  }

  /// The libraries could not be linked.
  private struct Failure: Error { let output: String }

  /// Libraries that were built with the address sanitizer need its runtime.
  private static var sanitizer: [String] {
    dlsym(nil, "__asan_init") == nil ? [] : ["-sanitize=address"]
  }

  /// The object files of a library. The build folder also keeps those of files that are gone.
  private static func objects(of library: String) -> [String] {
    let folder = products.appending(path: "\(library).build").path(percentEncoded: false)
    return Repository.files(under: "Sources/\(library)")
      .compactMap { $0.split(separator: "/").last }.filter { $0.hasSuffix(".swift") }
      .map { "\(folder)/\($0).o" }
  }

  private static func compile(_ options: [String], _ files: [URL]) throws
    -> (status: Int32, output: String)
  {
    let map = Repository.root.appending(path: "Sources/CCopalSQLite/module.modulemap")
    return try Program.run(
      [
        "swiftc", "-swift-version", "6", "-module-name", "Guide",
        "-I", products.appending(path: "Modules").path(percentEncoded: false),
        "-Xcc", "-fmodule-map-file=\(map.path(percentEncoded: false))",
      ] + options + files.map { $0.path(percentEncoded: false) })
  }
}
