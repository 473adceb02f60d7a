import Copal
import Foundation

/// A search field over the titles and authors of books: it answers at each key.
@main
struct LibraryExample {
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      if arguments.wantsHelp { return print(Arguments.usage) }
      try await run(arguments)
    } catch {
      FileHandle.standardError.write(Data("LibraryExample: \(error)\n".utf8))
      exit(1)
    }
  }

  static func run(_ arguments: Arguments) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "copal-library-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try PersistentContainer(
      model: .library, store: .sqlite(at: folder.appending(path: "Library.sqlite")))
    try await container.perform { context in
      try Catalog(copies: arguments.copies).write(to: context)
    }
    let search = BookSearch(container)
    let terminal = Terminal()
    if terminal.isInteractive {
      terminal.whenInterrupted { try? FileManager.default.removeItem(at: folder) }
      await SearchField(search, terminal).run()
    } else {
      // Each line is what a person has typed.
      while let line = readLine() {
        print("Search: \(line)")
        for line in Answer(try await search.books(for: line)).lines { print("  " + line) }
      }
    }
  }
}
