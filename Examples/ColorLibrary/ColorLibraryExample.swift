import Copal
import CopalColor
import Foundation

/// Keeps a library of colors in a SQLite file, and shows it: the first run makes it, the second one
/// finds what the first one stored.
@main
struct ColorLibraryExample {
  static let libraryName = "好看的颜色呀!^_^"

  static func main() {
    do {
      try run(Arguments(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("ColorLibraryExample: \(error)\n".utf8))
      exit(1)
    }
  }

  static func run(_ arguments: Arguments) throws {
    // First of all: a container finds its transformers when it opens.
    try ColorArrayTransformer.register()

    let store = try arguments.store ?? defaultStore()
    print("store: \(store.path(percentEncoded: false))")

    let isNew = try makeLibraryUnlessThere(in: store)
    print(isNew ? "made the library and saved it" : "found what an earlier run stored")

    print("\nread back in a fresh container:")
    try showLibraries(in: store)

    print("\nas sqlite3 sees it:")
    try showRows(in: store)
  }

  /// - Returns: whether the library had to be made.
  static func makeLibraryUnlessThere(in store: URL) throws -> Bool {
    let container = try PersistentContainer(model: .colors, store: .sqlite(at: store))
    let context = container.makeContext()
    guard try context.count(ColorLibrary.self, where: { $0.name == libraryName }) == 0 else {
      return false
    }
    let library = ColorLibrary(context: context)
    library.name = libraryName
    library.colorList = [.red, .yellow, .orange, .green, .blue]
    try context.save()
    return true
  }

  static func showLibraries(in store: URL) throws {
    let container = try PersistentContainer(model: .colors, store: .sqlite(at: store))
    let context = container.makeContext()
    let libraries = try context.fetch(
      ColorLibrary.self, sortedBy: \.added.ascending, \.name.ascending)
    for library in libraries {
      print("  \(library.name ?? "without a name")")
      for color in library.colorList ?? [] {
        print("    \(Swatch(color).line)")
      }
    }
  }

  /// The file's own words, from the tool that every system has.
  static func showRows(in store: URL) throws {
    let query = """
      SELECT copal_id, name, strftime('%Y-%m-%dT%H:%M:%SZ', added + 978307200, 'unixepoch') AS added,
      length(colorList) || ' bytes' AS colorList FROM ColorLibrary ORDER BY copal_id
      """
    let tool = Process()
    tool.executableURL = URL(filePath: "/usr/bin/env")
    tool.arguments = ["sqlite3", "-readonly", "-header", store.path(percentEncoded: false), query]
    let output = Pipe()
    tool.standardOutput = output
    tool.standardError = FileHandle.nullDevice
    try tool.run()
    let rows = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    tool.waitUntilExit()
    if tool.terminationStatus == 127 {
      print("  (the sqlite3 tool is not installed)")
      return
    }
    for row in rows.split(separator: "\n") { print("  \(row)") }
  }

  /// The store in the user's data directory.
  static func defaultStore() throws -> URL {
    let store = SQLiteStore.defaultURL(named: "Colors")
    try FileManager.default.createDirectory(
      at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
    return store
  }
}
