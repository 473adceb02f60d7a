import Foundation
import Testing

/// Which folder of a module may use types of which other ones, as modules have their layers.
@Suite("Folders of the sources")
struct FolderTests {
  /// Each folder of CopalModel, from the lowest to the highest, and the folders whose types it may
  /// use. The files beside the folders may use all.
  static let folders: [(name: String, uses: Set<String>)] = [
    ("Values", []),
    ("Errors", []),
    ("Requests", ["Values"]),
    ("Descriptions", ["Errors", "Requests", "Values"]),
    ("PredicateText", ["Descriptions", "Errors", "Requests", "Values"]),
    ("Reading", ["Descriptions", "Errors", "Requests", "Values"]),
    ("Checking", ["Descriptions", "Errors", "PredicateText", "Reading", "Requests", "Values"]),
  ]

  @Test("a folder of CopalModel uses types only of the folders below it")
  func folders() throws {
    let files = SourceFile.all.filter { $0.path.hasPrefix("CopalModel/") }
    let types = Self.types(of: files)
    #expect(types.count > 100)
    var used: [String: Set<String>] = [:]
    for file in files {
      guard let folder = file.folder else { continue }
      let allowed = Self.folders.first { $0.name == folder }?.uses
      #expect(allowed != nil, "\(folder) is not in the list")
      for word in file.words {
        guard let other = types[word], other != folder else { continue }
        used[folder, default: []].insert(other)
        #expect(allowed?.contains(other) == true, "\(file.path) uses \(word) of \(other)")
      }
    }
    // What no file needs any more leaves the list.
    for (name, uses) in Self.folders { #expect(used[name, default: []] == uses, "\(name)") }
  }

  /// The folder of each type that a file declares for others.
  private static func types(of files: [SourceFile]) -> [String: String] {
    var found: [String: String] = [:]
    for file in files {
      guard let folder = file.folder else { continue }
      for line in file.lines where !line.hasPrefix("private") && !line.hasPrefix("fileprivate") {
        // A type that is not inside another one.
        guard let first = line.first, first.isLetter || first == "@" else { continue }
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        guard
          let kind = words.firstIndex(where: {
            ["struct", "class", "enum", "protocol", "typealias"].contains($0)
          }), words[..<kind].allSatisfy({ $0 != "import" && $0 != "extension" }),
          kind + 1 < words.count
        else { continue }
        found[words[kind + 1]] = folder
      }
    }
    return found
  }
}

extension SourceFile {
  /// The first folder inside the module; nil for a file beside the folders.
  fileprivate var folder: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 ? String(parts[1]) : nil
  }

  /// The words of the code, without comments and texts.
  fileprivate var words: Set<String> {
    var all: Set<String> = []
    for line in lines where !line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") {
      let code = line.replacing(/"(\\.|[^"\\])*"/, with: "")
      for word in code.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
        all.insert(String(word))
      }
    }
    return all
  }
}
