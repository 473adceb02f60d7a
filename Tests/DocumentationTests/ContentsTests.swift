import Foundation
import Testing

/// What `Scripts/make-contents` writes, checked without it: the line below each title, the tables
/// of sections, and `Docs/README.md`.
@Suite("The order of the pages")
struct ContentsTests {
  static let map = "Docs/README.md"

  /// The pages of `Docs` that the map lists.
  static let pages = Page.all.filter { page in
    page.path.hasPrefix("Docs/") && page.path != map
  }

  @Test("Docs/README.md has each page of Docs exactly once, below the heading of its kind")
  func listed() throws {
    let lines = try Page(Self.map).prose
    var kinds: [String: [String]] = [:]
    var heading = ""
    for line in lines {
      if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
      for match in line.matches(of: /\]\(([A-Za-z]+\.md)\)/) {
        kinds["Docs/\(match.output.1)", default: []].append(heading)
      }
    }
    #expect(Set(kinds.keys) == Set(Self.pages.map(\.path)))
    for page in Self.pages {
      #expect(kinds[page.path] == [page.topLine?.kind ?? "a line below the title"], "\(page)")
    }
  }

  @Test(
    "A page says below its title for whom it is, and how long it takes", arguments: Self.pages)
  func topLine(page: Page) throws {
    let top = try #require(page.topLine, "\(page) has none; Scripts/make-contents writes it")
    #expect(top.reader.hasPrefix("for "), "\(page)")
    if top.kind == "Look up" {
      #expect(top.end == "to search in, not to read", "\(page)")
    } else {
      let minutes = try #require(top.end.wholeMatch(of: /(\d+) minutes?/)).output.1
      // The line itself has a dozen words.
      let expected = Double(page.wordCount - 12) / 180
      #expect(try abs(#require(Double(minutes)) - expected) <= 0.6, "\(page): \(minutes)")
    }
  }

  @Test("A page that is read has at most 3,000 words", arguments: Self.pages)
  func length(page: Page) {
    guard let top = page.topLine, top.kind != "Look up" else { return }
    #expect(page.wordCount <= 3000, "\(page)")
  }

  @Test(
    "A page that is searched has a table at its top with a link to each section",
    arguments: Self.pages)
  func sections(page: Page) throws {
    guard let top = page.topLine, top.kind == "Look up" else { return }
    let lines = page.prose.map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("<!-- The sections of this page") })
    let end = try #require(lines.firstIndex(of: "<!-- The end of the sections. -->"))
    // The title, an empty line, the line for the reader, and an empty line.
    #expect(start == 4, "\(page)")
    let table = lines[start..<end].filter { $0.hasPrefix("|") }.joined(separator: "\n")
    let links = table.matches(of: /\]\(#([^)]+)\)/).map { String($0.output.1) }
    #expect(Set(links).count == links.count, "\(page)")
    let anchors = Set(page.anchors)
    for link in links { #expect(anchors.contains(link), "\(page): \(link)") }
    let titles = page.headings(level: 2)
    for title in titles {
      let anchor = Page(path: "", text: "# \(title)").anchors.first ?? ""
      let isThere = links.contains { $0 == anchor || $0.hasPrefix("\(anchor)-") }
      #expect(isThere && table.contains("[\(title)](#"), "\(page): \(title)")
    }
    #expect(links.count >= titles.count, "\(page)")
  }

  @Test("A term of the glossary is a heading, so that a page can lead to it")
  func terms() throws {
    #expect(try Page("Docs/Glossary.md").headings(level: 3).count > 60)
  }

  @Test("each code that a program can name has its name in Swift on the page of the errors")
  func codes() throws {
    let named = try Repository.text("Docs/Errors.md").matches(of: #/\nIn Swift: `([\w.]+)`\.\n/#)
      .map { String($0.1) }
    // The public interface is recorded from the compiler's symbols.
    var declared: Set<String> = []
    for file in Repository.files(under: "Docs/Interface") {
      for line in try Repository.text(file).split(separator: "\n") {
        guard let name = line.firstMatch(of: #/^(\w+\.Code\.\w+): static let /#)?.1 else {
          continue
        }
        declared.insert(String(name))
      }
    }
    declared = declared.filter { !$0.hasSuffix(".Code.all") }
    #expect(named.count == Set(named).count && declared.count > 300)
    #expect(Set(named) == declared)
  }
}

extension Page {
  /// The line below the title: `*Do · for everyone who saves · 12 minutes*`.
  fileprivate var topLine: (kind: String, reader: String, end: String)? {
    let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count > 3, lines[1].isEmpty,
      let match = lines[2].wholeMatch(
        of: /\*(Learn|Do|Look up|Understand) · ([^·]+) · ([^·]+)\*/)
    else { return nil }
    return (String(match.output.1), String(match.output.2), String(match.output.3))
  }

  /// What `wc -w` counts.
  fileprivate var wordCount: Int { text.split(whereSeparator: \.isWhitespace).count }
}
