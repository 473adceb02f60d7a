import CopalModel
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Testing

/// The forms of texts, and what searches find, as Python says. `Scripts/make-folding-reference` has
/// written them from the definitions, without Copal's tables.
@Suite("Folding and searches, compared with Python's")
struct FoldingReferenceTests {
  private struct Broken: Error { let line: String }

  private static let options: [String: FetchPredicate.TextOptions] = [
    "c": .caseInsensitive, "d": .diacriticInsensitive,
    "cd": [.caseInsensitive, .diacriticInsensitive],
  ]

  private static func bytes(_ hex: Substring) throws -> [UInt8] {
    if hex == "-" { return [] }
    let digits = Array(hex)
    return try stride(from: 0, to: digits.count, by: 2).map { place in
      guard let byte = UInt8(String(digits[place...place + 1]), radix: 16) else {
        throw Broken(line: String(hex))
      }
      return byte
    }
  }

  private static func text(_ hex: Substring) throws -> String {
    String(decoding: try bytes(hex), as: UTF8.self)
  }

  private static func lines(_ kinds: String...) throws -> [[Substring]] {
    try References.lines("Folding.txt").map { $0.split(separator: "\t") }
      .filter { kinds.contains(String($0[0])) }
  }

  @Test("the three forms of a text are those of Python")
  func forms() throws {
    let lines = try Self.lines("character", "text")
    #expect(lines.count > 7000)
    for words in lines {
      let text = try Self.text(words[1])
      for (option, expected) in zip(["c", "d", "cd"], words[2...]) {
        let folding = TextFolding(try #require(Self.options[option]))
        #expect(try folding.folded(text) == Self.bytes(expected), "\(words[1]) \(option)")
      }
    }
  }

  @Test("a search finds what Python finds, by the index, by a scan and beside stale rows")
  func searches() throws {
    let (store, twin) = (try TestStore(), try TestStore())
    let indexed = try store.storeTester(SearchModels.schema())
    let plain = try twin.storeTester(SearchModels.schema(search: false))
    let searches = try Self.lines("equals", "begins", "contains", "ends")
    // The searches are among these.
    let texts = try Self.lines("text").prefix(400).map { try Self.text($0[1]) }
    for tester in [indexed, plain] {
      try tester.commit { changes in
        for text in texts {
          try changes.insert("Maker", ["name": .string(text)])
          try changes.insert("Paint", ["note": .string(text)])
        }
      }
    }
    var found = 0
    for isStale in [false, true] {
      if isStale {
        _ = try store.sqlite3(
          """
          UPDATE Maker SET name = name WHERE copal_id % 2 = 0;
          UPDATE Paint SET note = note WHERE copal_id % 2 = 0
          """)
        #expect(try store.sqlite3("SELECT count(*) FROM Maker WHERE copal_stale = 1") == "200")
      }
      for words in searches {
        let options = try #require(Self.options[String(words[1])])
        let wanted = FetchExpression.constant(.string(try Self.text(words[2])))
        let test: FetchPredicate.TextTest =
          switch words[0] {
          case "equals": .equal(options)
          case "begins": .hasPrefix(options)
          case "contains": .contains(options)
          default: .hasSuffix(options)
          }
        let expected =
          words[3] == "-"
          ? [] : words[3].split(separator: " ").compactMap { Int64($0) }.map { $0 + 1 }
        // The first has the normalized form, the second one trigrams as well.
        for (entity, name) in [("Maker", "name"), ("Paint", "note")] {
          let condition = FetchPredicate.text(.property(name), test, wanted)
          #expect(try indexed.keys(condition, of: entity) == expected, "\(words)")
          #expect(try plain.keys(condition, of: entity) == expected, "\(words)")
        }
        found += expected.count
      }
    }
    #expect(found > 10_000)
  }
}
