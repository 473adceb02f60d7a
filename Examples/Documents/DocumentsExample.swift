import Copal
import Foundation

/// Keeps documents in a folder: their texts are files, and their scans are large values of the
/// store. Then it copies the folder, and reads the documents there.
@main
struct DocumentsExample {
  static func main() async {
    do {
      try await run(Arguments(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("DocumentsExample: \(error)\n".utf8))
      exit(1)
    }
  }

  static func run(_ arguments: Arguments) async throws {
    let folder = arguments.folder ?? defaultFolder()
    let library = Library(folder.appending(path: "Library", directoryHint: .isDirectory))
    let copy = Library(folder.appending(path: "Copy", directoryHint: .isDirectory))
    if library.exists {
      try await change(library)
    } else {
      try await make(library, copy)
    }
    print("\nthe copy, with its own base:")
    try show(copy)
  }

  // MARK: The first run

  static func make(_ library: Library, _ copy: Library) async throws {
    try library.makeFolders()
    let container = try library.open()
    try makeDocuments(in: container, library)
    print("made two documents:")
    try show(library)
    try showRows(of: library)
    try await library.copy(container, to: copy)
    print("\ncopied the texts, the store and its large values")
    print("  equal scans: \(try scans(in: library) == scans(in: copy))")
  }

  static func makeDocuments(in container: PersistentContainer, _ library: Library) throws {
    let context = container.makeContext()
    let poppies = Document(context: context, title: "Poppies near Argenteuil")
    poppies.url = library.texts.appending(path: "poppies.txt")
    poppies.scan = Scan(width: 400, height: 560).data
    try write("Two figures walk down a slope of red.\nThe sky is the rest.\n", of: poppies)

    let shadows = Document(context: context, title: "The color of shadows")
    shadows.url = library.texts.appending(path: "blue hour 100%.txt")
    shadows.scan = Scan(width: 200, height: 280).data
    try write("A shadow on snow is blue.\n", of: shadows)
    try context.save()
  }

  static func write(_ text: String, of document: Document) throws {
    guard let url = document.url else { return }
    try text.write(to: url, atomically: true, encoding: .utf8)
  }

  // MARK: Later runs

  /// Gives the largest scan another value. The file of the former value is removed.
  static func change(_ library: Library) async throws {
    print("found the documents of an earlier run:")
    try show(library)
    let container = try library.open()
    try invertScan(of: "Poppies near Argenteuil", in: container)
    let removed = try await container.removeUnreferencedFiles()
    print("\ninverted a scan, and removed its former value: files removed: \(removed)")
  }

  static func invertScan(of title: String, in container: PersistentContainer) throws {
    let context = container.makeContext()
    for document in try context.fetch(Document.self, where: { $0.title == title }) {
      document.scan = document.scan.map(Scan.inverted)
    }
    try context.save()
  }

  // MARK: Output

  static func show(_ library: Library) throws {
    let context = try library.open().makeContext()
    for document in try context.fetch(Document.self, sortedBy: \.title.ascending) {
      print(try document.card())
    }
    print("  scans in files: \(try library.countOfLargeValues())")
  }

  static func scans(in library: Library) throws -> [Data?] {
    let context = try library.open().makeContext()
    return try context.fetch(Document.self, sortedBy: \.title.ascending).map(\.scan)
  }

  /// What another program reads: relative texts, whatever the base is.
  static func showRows(of library: Library) throws {
    let base = RelativeURLTransformer("DocumentURLTransformer", base: library.folder)
    let context = try library.open().makeContext()
    print("\nthe store has these URLs:")
    for document in try context.fetch(Document.self, sortedBy: \.title.ascending) {
      if let url = document.url { print("  \(try base.encode(url))") }
    }
  }

  /// The folder in the user's data directory.
  static func defaultFolder() -> URL {
    SQLiteStore.defaultURL(named: "Documents").deletingLastPathComponent()
  }
}
