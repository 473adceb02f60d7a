import CIndexStore
import CopalTestSupport
import Foundation

/// Which file of the sources uses what another one declares, as the compiler has noted it in a debug
/// build: types and members, also those of extensions.
struct CodeIndex {
  /// The names that a file uses, by the file that uses them and the one that declares them. The
  /// paths are those below Sources.
  let uses: [String: [String: Set<String>]]

  /// Nil for a build without an index, in release mode for example.
  static func read() throws -> CodeIndex? {
    let store = Command.products.appending(path: "index/store").path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: store) else { return nil }
    let sources = Repository.root.appending(path: "Sources").path(percentEncoded: false) + "/"
    var notes = Notes(sources: sources)
    let library = try library()
    let failure = withUnsafeMutablePointer(to: &notes) { notes in
      copal_read_index(library, store, notes) { context, occurrence in
        guard let occurrence else { return }
        context?.assumingMemoryBound(to: Notes.self).pointee.add(occurrence.pointee)
      }
    }
    if let failure { throw Failure(reason: String(cString: failure)) }
    return CodeIndex(uses: notes.uses)
  }

  struct Failure: Error { let reason: String }

  /// The library of the toolchain that reads indexes.
  private static func library() throws -> String {
    struct Info: Decodable {
      struct Paths: Decodable { let runtimeResourcePath: String }
      let paths: Paths
    }
    let output = try Command.run("swiftc", "-print-target-info").output
    let info = try JSONDecoder().decode(Info.self, from: Data(output.utf8))
    let folder = URL(filePath: info.paths.runtimeResourcePath).deletingLastPathComponent()
    #if canImport(Darwin)
      let name = "libIndexStore.dylib"
    #else
      let name = "libIndexStore.so"
    #endif
    return folder.appending(path: name).path(percentEncoded: false)
  }

  /// What the index says, as it comes.
  private struct Notes {
    let sources: String
    private var declaringFile: [String: String] = [:]
    private var last: (path: String, file: String?) = ("", nil)
    private var used: [(file: String, symbol: String, name: String)] = []

    init(sources: String) { self.sources = sources }

    mutating func add(_ occurrence: copal_occurrence) {
      let path = String(cString: occurrence.file)
      if path != last.path { last = (path, file(path)) }
      guard let file = last.file else { return }
      let symbol = String(cString: occurrence.symbol)
      if occurrence.isDeclaration {
        declaringFile[symbol] = file
      } else {
        used.append((file, symbol, String(cString: occurrence.name)))
      }
    }

    /// The path below Sources; nil for another file, and for one that is gone.
    private func file(_ path: String) -> String? {
      guard path.hasPrefix(sources), FileManager.default.fileExists(atPath: path) else {
        return nil
      }
      return String(path.dropFirst(sources.count))
    }

    var uses: [String: [String: Set<String>]] {
      var uses: [String: [String: Set<String>]] = [:]
      for use in used {
        guard let other = declaringFile[use.symbol], other != use.file else { continue }
        uses[use.file, default: [:]][other, default: []].insert(use.name)
      }
      return uses
    }
  }
}
