import Foundation
import Testing

/// The texts of the repository use the words of the field: Core Data's, SwiftData's, SQL's,
/// Swift's.
///
/// `OldWords.phrases` lists words that stopped readers, each beside the word to write instead. A
/// phrase is found in prose and inside names alike: `takeOver` counts as "take over".
@Suite("Plain words")
struct PlainWordsTests {
  @Test("no file has a word of the list of old words")
  func oldWords() throws {
    let texts = try RepositoryText.all()
    #expect(texts.count > 400, "the search must find the repository")
    for text in texts {
      for finding in OldWords.findings(in: text.content) where !text.allows(finding.phrase) {
        Issue.record(
          "\(text.path):\(finding.line): \"\(finding.phrase)\"; write: \(finding.instead)")
      }
    }
  }

  @Test(
    "the search finds an old word in prose, in names and across lines",
    arguments: [
      ("The store takes over a model.", 1, "takes over"),
      ("let x = 1\nfunc takeOver() {}", 2, "take over"),
      ("/// what it hands\n/// over to others", 1, "hands over"),
      ("the object lets go\nof it", 1, "lets go"),
      ("It is nobody's row.", 1, "nobody's"),
      ("let orNull = true", 1, "orNull"),
      ("the Colour of it", 1, "colour"),
    ])
  func finds(text: String, line: Int, phrase: String) {
    let findings = OldWords.findings(in: text)
    #expect(findings.map(\.line) == [line])
    #expect(findings.map(\.phrase) == [phrase])
  }

  @Test(
    "the search leaves similar words alone",
    arguments: [
      "It takes overhead.", "a handover", "hands overnight", "NULL or null", "the outdoor light",
      "behavior, color, neighbor", "read the house" + "hold",
    ])
  func leaves(text: String) {
    #expect(OldWords.findings(in: text).map(\.phrase) == [])
  }

  @Test("every exception names a file that exists")
  func exceptionsExist() throws {
    let paths = Set(try RepositoryText.all(includingExceptions: true).map(\.path))
    for path in RepositoryText.exceptions + RepositoryText.allowed.keys {
      #expect(paths.contains(path), "\(path)")
    }
  }
}

/// A text file of the repository.
struct RepositoryText {
  /// The path from the root of the repository.
  let path: String
  let content: String

  /// Files that need the old words: the list itself, and the history.
  static let exceptions = [
    "CHANGELOG.md", "Tests/ConventionTests/OldWords.swift",
    "Tests/ConventionTests/PlainWordsTests.swift",
  ]

  /// Words that one file needs although the list has them.
  static let allowed: [String: Set<String>] = [
    // Words that are misspelled on purpose.
    "Models/Broken/everything.model.json": ["colour"],
    "Models/Broken/invalidName.model.json": ["colour"],
    "Models/Broken/unknownKey.model.json": ["colour"],
    "Models/Broken/unknownType.model.json": ["colour"],
    "Scripts/test-clients": ["colour"],
    "Tests/CopalModelTests/WordingTests.swift": ["colour"],
    "Tests/ExampleTests/GenerationToolTests.swift": ["colour"],
    // The name of an index of pigments.
    "Models/Atelier.model.json": ["colour"],
    // CSS has both spellings.
    "Sources/CopalColor/Text/CSSColorNames.swift": ["grey"],
    "Tests/CopalColorTests/ColorTextTests.swift": ["grey"],
    // An element of SVG.
    "Scripts/draw-example": ["circle"],
  ]

  func allows(_ phrase: String) -> Bool { Self.allowed[path]?.contains(phrase) ?? false }

  private static let extensions: Set<String> = [
    "swift", "md", "json", "jsonc", "py", "sh", "c", "h", "yml",
  ]
  /// The folders of builds, such as `.build` and `.build-release`, and of tools.
  private static func isSkipped(_ folder: String) -> Bool {
    folder.hasPrefix(".build") || folder == ".git" || folder == ".swiftpm"
  }

  /// Every Swift, Markdown, JSON, Python, C and shell text of the repository.
  static func all(includingExceptions: Bool = false) throws -> [RepositoryText] {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../..").standardizedFileURL
    var found: [RepositoryText] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let url = folder.isEmpty ? root : root.appending(path: folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() {
        let path = folder.isEmpty ? name : folder + "/" + name
        let file = root.appending(path: path)
        let values = try file.resourceValues(forKeys: [.isDirectoryKey, .isSymbolicLinkKey])
        if values.isSymbolicLink == true { continue }
        if values.isDirectory == true {
          if !isSkipped(name) { folders.append(path) }
          continue
        }
        guard includingExceptions || !exceptions.contains(path),
          let data = try? Data(contentsOf: file), isText(name, data)
        else { continue }
        found.append(RepositoryText(path: path, content: String(decoding: data, as: UTF8.self)))
      }
    }
    return found.sorted { $0.path < $1.path }
  }

  /// Scripts have no extension and begin with `#!`.
  private static func isText(_ name: String, _ data: Data) -> Bool {
    extensions.contains((name as NSString).pathExtension) || data.starts(with: Data("#!".utf8))
  }
}
