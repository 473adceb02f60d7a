import Foundation
import Testing

@Suite("Conventions of the sources")
struct ConventionTests {
  @Test("only Sources/CopalSQLite/Connection imports SQLite and calls its C functions")
  func onlyTheConnectionSeesC() throws {
    let offenders = SourceFile.all.filter { file in
      !file.path.hasPrefix("CopalSQLite/Connection/")
        && file.lines.contains { $0.isImport(of: "CCopalSQLite") || $0.contains("sqlite3_") }
    }
    #expect(offenders.map(\.path) == [])
  }

  @Test("tests make temporary files only in the folder that goes with their process")
  func temporaryFiles() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
    let paths = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    #expect(paths.count > 100)
    let offenders = try paths.filter {
      let text = try String(contentsOf: $0, encoding: .utf8)
      return ["temporary" + "Directory", "NSTemporary" + "Directory", "mkd" + "temp"].contains {
        text.contains($0)
      }
    }
    #expect(offenders.map(\.lastPathComponent) == ["RunFolder.swift"])
  }

  @Test(
    "the product Copal lists every module that Copal exports, so that SwiftPM rebuilds programs when one changes"
  )
  func productsOfExports() throws {
    let modules = [
      "CopalArchive", "CopalModel", "CopalObjects", "CopalSQL", "CopalSQLite", "CopalStore",
      "CopalTransformers",
    ]
    let exports = try #require(SourceFile.all.first { $0.path == "Copal/Exports.swift" })
    let exported = modules.filter { module in
      exports.lines.contains { $0.hasPrefix("@_exported") && $0.isImport(of: module) }
    }
    let names = exported.map { "\"\($0)\"" }.joined(separator: ", ")
    let words = try Self.manifest.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("let exports: [String] = [ \(names), ]"))
    #expect(words.contains("let copalModules: [String] = [\"Copal\"] + exports"))
    #expect(words.contains(".library(name: \"Copal\", targets: copalModules)"))
  }

  private static var manifest: String {
    get throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Package.swift").standardizedFileURL
      return try String(contentsOf: file, encoding: .utf8)
    }
  }

  // SwiftPM would compile the tool of its plugin for each program that depends on this package,
  // also for one without a plugin.
  @Test("no example is a product: the only program among the products is the command")
  func programs() throws {
    let programs = try Self.manifest.matches(of: /\.executable\(name: "([^"]+)"/).map { $0.1 }
    #expect(programs == ["copal"])
  }

  @Test(
    "only CopalFoundation imports more of Foundation than FoundationEssentials, which makes programs small"
  )
  func foundation() throws {
    let offenders = SourceFile.all.filter { file in
      !file.path.hasPrefix("CopalFoundation/")
        && file.lines.contains {
          $0.isImport(of: "FoundationInternationalization") || $0.isImport(of: "CopalFoundation")
        }
    }
    #expect(offenders.map(\.path) == [])
  }

  @Test(
    "CopalSQL, which makes SQL for every dialect, and the modules below it have no word of a dialect",
    arguments: [
      "rowid", "PRAGMA", "sqlite", "COLLATE", "OR FAIL", "NULLS", "DESC\"", "\"0\"", "\"1\"",
      "DISTINCT FROM", "AUTOINCREMENT", "NOT INDEXED", "GLOB",
    ])
  func dialectWords(word: String) throws {
    // "1" and "0" are conditions in CopalSQL, and digits in the modules below.
    let modules =
      word.count == 3 ? ["CopalSQL/"] : ["CopalSQL/", "CopalStore/", "CopalModel/"]
    // Names that a model cannot use, because a store has them.
    let allowed = ["CopalModel/Descriptions/ReservedNames.swift"]
    for file in SourceFile.all
    where modules.contains(where: file.path.hasPrefix) && !allowed.contains(file.path) {
      let lines = file.lines.filter { !$0.isComment && $0.localizedStandardContains(word) }
      #expect(lines == [], "\(file.path): \(word)")
    }
  }

  @Test(
    "few lines of the modules below CopalSQLite speak of SQLite: a SQL store can have any database")
  func linesAboutSQLite() {
    let modules = ["CopalModel/", "CopalStore/", "CopalSQL/"]
    let lines = SourceFile.all.filter { file in modules.contains(where: file.path.hasPrefix) }
      .flatMap { file in
        file.lines.filter { $0.localizedCaseInsensitiveContains("sqlite") }
          .map { "\(file.path): \($0)" }
      }
    // Names that a model cannot use, limits with their sources, measurements, and one example.
    #expect(lines.count <= 12, "\(lines.joined(separator: "\n"))")
  }

  @Test("a line of a comment has at most 100 columns, unless it is a listing, a table or one word")
  func widthOfComments() {
    for file in SourceFile.all {
      var isListing = false
      for (number, line) in file.lines.enumerated() where line.isComment {
        let text = line.trimmed.drop { $0 == "/" }.drop { $0 == " " }
        if text.hasPrefix("```") { isListing.toggle() }
        let isExcepted = isListing || text.hasPrefix("|") || !text.contains(" ")
        #expect(line.count <= 100 || isExcepted, "\(file.path):\(number + 1)")
      }
    }
  }

  @Test(
    "no source file has a construct that forces or traps",
    arguments: ["try!", "as!", "fatalError(", "[unowned(unsafe)"])
  func force(word: String) throws {
    for file in SourceFile.all {
      #expect(!file.lines.contains { !$0.isComment && $0.contains(word) }, "\(file.path): \(word)")
    }
  }

  @Test(
    "every declaration that the compiler cannot check has a comment with the reason",
    arguments: ["@unchecked Sendable", "nonisolated(unsafe)", "unowned let", "unowned(unsafe)"])
  func reasons(word: String) throws {
    for file in SourceFile.all {
      for (index, line) in file.lines.enumerated() where !line.isComment && line.contains(word) {
        let above = file.lines[..<index].reversed().prefix { $0.isComment || $0.isAttribute }
        #expect(
          line.contains("//") || above.contains { $0.isPlainComment },
          "\(file.path):\(index + 1): \(word) without a reason")
      }
    }
  }

  @Test("only one file changes the state of an object")
  func states() {
    let changes = ["flags.insert", "flags.remove", "flags.form", "flags.subtract", "flags = ["]
    let offenders = SourceFile.all.filter { file in
      file.path != "CopalObjects/Runtime/ManagedObject+State.swift"
        && file.lines.contains { line in changes.contains { line.contains($0) } }
    }
    #expect(offenders.map(\.path) == [])
  }

  @Test("no source file has a note of unfinished work", arguments: ["TODO", "FIXME", "XXX"])
  func later(word: String) throws {
    for file in SourceFile.all {
      #expect(!file.lines.contains { $0.contains(word) }, "\(file.path): \(word)")
    }
  }
}

/// A Swift file of the libraries, tools and plugins.
struct SourceFile {
  /// The path below Sources.
  let path: String
  let lines: [String]

  var module: String { String(path.prefix { $0 != "/" }) }
  /// The number of lines without comments and empty ones.
  var codeLines: Int { lines.count { !$0.trimmed.isEmpty && !$0.isComment } }

  static let all: [SourceFile] = get()

  private static func get() -> [SourceFile] {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources").standardizedFileURL
    let root = sources.path(percentEncoded: false)
    guard let paths = FileManager.default.enumerator(atPath: root) else { return [] }
    return paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
      .compactMap { path in
        (try? String(contentsOf: sources.appending(path: path), encoding: .utf8)).map {
          SourceFile(path: path, lines: $0.components(separatedBy: "\n"))
        }
      }
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
  fileprivate var isComment: Bool { trimmed.hasPrefix("//") }
  fileprivate var isPlainComment: Bool { isComment && !trimmed.hasPrefix("///") }
  fileprivate var isAttribute: Bool { trimmed.hasPrefix("@") }

  /// Whether the line imports a module, with any words before `import`.
  fileprivate func isImport(of module: String) -> Bool {
    let words = trimmed.split(separator: " ")
    guard let position = words.firstIndex(of: "import"), !isComment else { return false }
    return words[(position + 1)...].contains { $0.split(separator: ".").first == module[...] }
  }
}
