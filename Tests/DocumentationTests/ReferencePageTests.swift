import Copal
import Foundation
import Testing

/// The pages that list something: each list is complete.
@Suite("A reference page")
struct ReferencePageTests {
  /// The texts between backquotes in a column of the tables of a part of a page.
  private func names(in text: some StringProtocol, column: Int) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("|") }.flatMap { line -> [String] in
      let cells = String(line).replacing("\\|", with: "").split(
        separator: "|", omittingEmptySubsequences: false)
      guard cells.count > column else { return [] }
      return cells[column].matches(of: /`([^`]+)`/).map { String($0.output.1) }
    }
  }

  @Test("Options.md has every option of a SQLite store and every property of a request")
  func options() throws {
    let names = try names(in: Page("Docs/Options.md").text, column: 1)
    // Only a test replaces the folding.
    let options = Mirror(reflecting: SQLiteStore.Options()).children.compactMap(\.label)
      .filter { $0 != "folding" }
    let properties = Mirror(reflecting: FetchRequest<Never>(entityName: "")).children
      .compactMap(\.label)
    #expect(options.count == 9 && properties.count == 11)
    for name in options + properties { #expect(names.contains(name), "\(name)") }
  }

  @Test("Saving.md has every hook of a managed object")
  func hooks() throws {
    let names = try Set(
      names(in: Page("Docs/Saving.md").text, column: 1).map { $0.replacing("()", with: "") })
    let source = try Repository.text("Sources/CopalObjects/Runtime/ManagedObject.swift")
    let hooks = source.matches(of: /open func (\w+)\(/).map { String($0.output.1) }
    #expect(hooks.count >= 9)
    for hook in hooks { #expect(names.contains(hook), "\(hook)") }
  }

  @Test("ComingFromCoreData.md has no name of Copal that does not exist")
  func coreDataNames() throws {
    let page = try Page("Docs/ComingFromCoreData.md").text
    let existing = try #require(page.components(separatedBy: "\n## Habits").first)
    let sources = try (Repository.files(under: "Sources") + ["Docs/ModelFormat.md"])
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }
      .map { try Repository.text($0) }.joined()
    let known = Set(sources.matches(of: /\w+/).map(\.output))
    // The attributes and classes of the examples.
    let examples: Set<Substring> = ["Book", "NAME", "md", "pages", "primitiveName"]
    let words = names(in: existing, column: 2).flatMap {
      $0.matches(of: /[A-Za-z]\w+/).map(\.output)
    }
    #expect(words.count > 100)
    for word in words where !examples.contains(word) { #expect(known.contains(word), "\(word)") }
  }

  @Test("Glossary.md is in alphabetical order, and has every term that it refers to")
  func glossary() throws {
    let page = try Page("Docs/Glossary.md")
    let text = page.text
    let terms = page.headings(level: 3).map { $0.lowercased() }
    #expect(terms.count > 60)
    #expect(terms == terms.sorted())
    for reference in text.matches(of: /[^*]\*([a-z][a-z -]+)\*[^*]/).map({ String($0.output.1) }) {
      let singular = reference.hasSuffix("s") ? String(reference.dropLast()) : reference
      let isThere = terms.contains { $0.hasPrefix(singular) || reference.hasPrefix($0) }
      #expect(isThere, "\(reference)")
    }
  }
}
