import CopalArchive
import CopalCodegen
import CopalColor
import CopalExchange
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Pages of the documentation")
struct PageTests {
  @Test("every link of a page has a target", arguments: Page.all)
  func links(page: Page) throws {
    let folder = Repository.root.appending(path: page.path).deletingLastPathComponent()
    for link in page.links where !link.hasPrefix("https://") && !link.hasPrefix("http://") {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let file = parts[0].isEmpty ? page.path : String(parts[0])
      let url =
        parts[0].isEmpty
        ? Repository.root.appending(path: file) : folder.appending(path: file).standardized
      let path = url.path(percentEncoded: false)
      #expect(FileManager.default.fileExists(atPath: path), "\(page): \(link)")
      guard parts.count == 2, let anchors = Self.anchors(of: url) else { continue }
      #expect(anchors.contains(String(parts[1])), "\(page): \(link)")
    }
  }

  /// The anchors of files that were asked for.
  private static let known = Mutex<[String: Set<String>]>([:])

  /// The anchors of a page; nil for a file that is not one.
  private static func anchors(of file: URL) -> Set<String>? {
    let path = file.path(percentEncoded: false)
    if let found = known.withLock({ $0[path] }) { return found }
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
    let anchors = Page(path: path, text: text).anchors
    known.withLock { $0[path] = anchors }
    return anchors
  }

  @Test("a page has no path of a local machine", arguments: Page.all)
  func paths(page: Page) {
    for place in ["/home/", "/Users/", "/work/", "/root/", "C:\\"] {
      #expect(!page.text.contains(place), "\(page) names \(place)")
    }
  }

  @Test("Docs/Errors.md has exactly one heading for every code")
  func codes() throws {
    let page = try Page("Docs/Errors.md")
    let codes =
      ModelError.Code.all.map(\.rawValue) + ModelWarning.Code.all.map(\.rawValue)
      + CodegenError.Code.all.map(\.rawValue) + PersistenceError.Code.all.map(\.rawValue)
      + ColorError.Code.all.map(\.rawValue) + ArchiveError.Code.all.map(\.rawValue)
      + PredicateFormatError.Code.all.map(\.rawValue) + ImportProblem.Code.all.map(\.rawValue)
    #expect(page.headings(level: 2).sorted() == codes.sorted())
  }

  @Test("every code that a comment of the sources names has a heading in Docs/Errors.md")
  func codesInComments() throws {
    let codes = Set(try Page("Docs/Errors.md").headings(level: 2))
    let families = Set(codes.map { $0.prefix { $0 != "." } })
    let sources = Repository.root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
    var count = 0
    for case let path as String in files where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for line in text.split(separator: "\n") where line.drop(while: { $0 == " " }).hasPrefix("//")
      {
        for word in line.split(separator: "`") {
          let parts = word.split(separator: ".", omittingEmptySubsequences: false)
          guard parts.count == 2, families.contains(parts[0]), let first = parts[1].first,
            first.isLetter, parts[1].allSatisfy({ $0.isLetter || $0.isNumber })
          else { continue }
          count += 1
          #expect(codes.contains(String(word)), "\(path): \(word)")
        }
      }
    }
    #expect(count > 300)
  }

  @Test("about errors says for each code why it happens and what to do")
  func cures() throws {
    let sections = try Repository.text("Docs/Errors.md").components(separatedBy: "\n## ")
      .dropFirst()
    for section in sections {
      let code = section.prefix { $0 != "\n" }
      #expect(section.contains("\n\n**Cause.** "), "\(code) has no cause")
      #expect(section.contains("\n\n**Cure.** "), "\(code) has no cure")
    }
  }

  @Test("the picture of the README has the output of the example")
  func picture() throws {
    let picture = try Repository.text("Docs/Images/color-library.svg")
    let output = try Repository.text("Examples/ColorLibrary/expected-output.txt")
    for line in output.split(separator: "\n") {
      let text = line.trimmingCharacters(in: .whitespaces)
      let part = text.replacing("PATH", with: "").split(separator: "TIME")[0]
      #expect(picture.contains(part), "Scripts/draw-example draws it again")
    }
  }

  @Test("every page that a source file names exists")
  func namedPages() throws {
    let root = Repository.root
    for name in ["Docs/Errors.md", "Docs/Deviations.md", "Docs/Architecture.md", "CHANGELOG.md"] {
      #expect(FileManager.default.fileExists(atPath: root.appending(path: name).path))
    }
  }
}

extension Page {
  init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
