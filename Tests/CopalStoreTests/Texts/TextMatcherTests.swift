import CopalModel
import CopalStore
import CopalTestSupport
import Testing

private typealias Test = FetchPredicate.TextTest

@Suite("Tests of texts")
struct TextMatcherTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let first: String
    let test: FetchPredicate.TextTest
    let second: String
    let isTrue: Bool

    init(
      _ first: String, _ test: FetchPredicate.TextTest, _ second: String, _ isTrue: Bool
    ) {
      (self.first, self.test, self.second, self.isTrue) = (first, test, second, isTrue)
    }

    var testDescription: String { "\(first.debugDescription) \(test) \(second.debugDescription)" }
  }

  private static let noCase: FetchPredicate.TextOptions = .caseInsensitive
  private static let noMarks: FetchPredicate.TextOptions = .diacriticInsensitive
  private static let neither: FetchPredicate.TextOptions = [
    .caseInsensitive, .diacriticInsensitive,
  ]

  static let cases = [
    Case("Ultramarine", .contains([]), "tram", true),
    Case("Ultramarine", .contains([]), "ultra", false),
    Case("Ultramarine", .contains(noCase), "ultra", true),
    Case("Ultramarine", .contains(noCase), "MARINE", true),
    Case("Outremér", .contains(neither), "REMER", true),
    Case("Outremer", .contains(neither), "rémer", true),
    Case("Outremér", .contains(noCase), "REMER", false),
    Case("Outremér", .contains(noMarks), "remer", true),
    Case("Outremér", .contains(noMarks), "REMER", false),
    Case("", .contains([]), "", true), Case("x", .contains(neither), "", true),
    Case("", .contains([]), "x", false),
    Case("aab", .contains([]), "ab", true), Case("aaab", .contains([]), "aab", true),
    Case("a\0b", .contains([]), "\0b", true), Case("a\0B", .contains(noCase), "\0b", true),
    // Without options by bytes: the e of a decomposed é is found, and a precomposed one is not the
    // same.
    Case("e\u{301}", .contains([]), "e", true), Case("e\u{301}", .contains([]), "\u{E9}", false),
    // With an option, the two forms are equal, and an é is no e followed by something.
    Case("e\u{301}", .contains(noCase), "\u{E9}", true),
    Case("E\u{301}", .contains(noCase), "e", false),
    Case("xe\u{301}e", .contains(noCase), "E", true),
    Case("\u{E9}", .hasPrefix(noCase), "e", false),
    Case("\u{E9}t\u{E9}", .hasPrefix(noMarks), "e", true),
    Case("\u{301}", .hasPrefix(noCase), "", true),
    Case("가각", .contains(noCase), "각", true), Case("각", .contains(noCase), "가", false),
    Case("が", .contains(neither), "か", false), Case("STRASSE", .isSame, "Straße", true),
    Case("Straße", .hasSuffix(noCase), "SSE", true), Case("Straße", .hasSuffix([]), "sse", false),
    Case("Woad", .hasPrefix([]), "Wo", true), Case("Woad", .hasPrefix(noCase), "wO", true),
    Case("Woad", .hasPrefix([]), "Woads", false), Case("Woad", .hasSuffix(noCase), "AD", true),
    Case("Woad", .hasSuffix([]), "xWoad", false),
    Case("Woad", .equal(noCase), "WOAD", true), Case("Woad", .equal(noCase), "WOADS", false),
    Case("Wöad", .equal(noMarks), "Woad", true), Case("Woad", .equal([]), "Woad", true),

    Case("Lead white", .like([]), "Lead*", true), Case("Lead white", .like([]), "*white", true),
    Case("Lead white", .like([]), "*d w*", true), Case("Lead white", .like([]), "lead*", false),
    Case("Lead white", .like(noCase), "lead*", true),
    Case("Lead white", .like([]), "Lead?white", true),
    Case("Lead white", .like([]), "Lead?*?white", false),
    Case("Lead white", .like([]), "L*d*e", true),
    Case("Lead white", .like([]), "Lead white", true), Case("Lead white", .like([]), "Lead", false),
    Case("", .like([]), "", true), Case("", .like([]), "*", true), Case("", .like([]), "?", false),
    Case("", .like([]), "**", true), Case("é", .like([]), "?", true),
    Case("e\u{301}", .like([]), "?", true), Case("🎨", .like([]), "?", true),
    Case("각", .like(noCase), "?", true), Case("e\u{301}x", .like(noCase), "e*", false),
    Case("100%", .like([]), "1__%", false), Case("100%", .like([]), "100%", true),
    Case("a*b", .like([]), #"a\*b"#, true), Case("axb", .like([]), #"a\*b"#, false),
    Case(#"a\b"#, .like([]), #"a\\b"#, true), Case(#"a\"#, .like([]), #"a\"#, true),
    Case("abab", .like([]), "*ab", true), Case("ababc", .like([]), "a*b?", true),
    Case("aXbXc", .like([]), "*X*X*", true), Case("aXbc", .like([]), "*X*X*", false),
    Case("Straße", .like(noCase), "STRA*E", true),

    Case("PB29", .matches, #"P[A-Z]\d+"#, true), Case("PB29 ", .matches, #"P[A-Z]\d+"#, false),
    Case("pb29", .matches, #"(?i)P[A-Z]\d+"#, true),
  ]

  @Test("a test of two texts", arguments: cases)
  func table(test: Case) throws {
    #expect(try TextMatcher(test.test, test.second).matches(test.first) == test.isTrue)
  }

  @Test("a long text is found as a short one is: 4,000 random texts of two letters")
  func search() throws {
    var random = SplitMix(seed: 7)
    var foundCount = 0
    for number in 0..<4000 {
      let first = text(Int.random(in: 0...200, using: &random), &random)
      let second =
        number.isMultiple(of: 2)
        ? text(Int.random(in: 0...50, using: &random), &random)
        : part(of: first, Int.random(in: 0...60, using: &random), &random)
      let (bytes, wanted) = (Array(first.utf8), Array(second.utf8))
      let isFound =
        wanted.isEmpty
        || bytes.indices.contains { bytes[$0...].starts(with: wanted) }
      let upper = second.uppercased()
      #expect(try TextMatcher(.contains([]), second).matches(first) == isFound)
      #expect(try TextMatcher(.contains(.caseInsensitive), upper).matches(first) == isFound)
      #expect(try TextMatcher(.like([]), "*\(second)*").matches(first) == isFound)
      // Not only ASCII: the folded form is searched.
      #expect(
        try TextMatcher(.contains(.caseInsensitive), "é" + upper).matches("É" + first)
          == bytes.starts(with: wanted))
      #expect(
        try TextMatcher(.hasPrefix([]), second).matches(first) == bytes.starts(with: wanted))
      #expect(
        try TextMatcher(.hasSuffix([]), second).matches(first)
          == bytes.reversed().starts(with: wanted.reversed()))
      if isFound { foundCount += 1 }
    }
    #expect((1000...3900).contains(foundCount))
  }

  private func text(_ count: Int, _ random: inout SplitMix) -> String {
    String((0..<count).map { _ in Int.random(in: 0..<8, using: &random) == 0 ? "b" : "a" })
  }

  private func part(of text: String, _ count: Int, _ random: inout SplitMix) -> String {
    String(text.dropFirst(Int.random(in: 0...text.count, using: &random)).prefix(count))
  }

  @Test("wildcards mean what a search by backtracking finds: 20,000 random patterns")
  func wildcards() throws {
    var random = SplitMix(seed: 8)
    var trueCount = 0
    for _ in 0..<20_000 {
      let first = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        "abé"[Int.random(in: 0..<3, using: &random)]
      }
      let pattern = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        "ab?*é*"[Int.random(in: 0..<6, using: &random)]
      }
      let isTrue = Self.isLike(first[...], pattern[...])
      #expect(
        try TextMatcher(.like([]), String(pattern)).matches(String(first)) == isTrue,
        "\(first) \(pattern)")
      #expect(
        try TextMatcher(.like(.caseInsensitive), String(pattern).uppercased())
          .matches(String(first)) == isTrue, "\(first) \(pattern)")
      if isTrue { trueCount += 1 }
    }
    #expect(trueCount > 2000)
  }

  private static func isLike(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>)
    -> Bool
  {
    guard let next = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if next == "*" {
      return (text.startIndex...text.endIndex).contains { isLike(text[$0...], rest) }
    }
    guard let character = text.first, next == "?" || next == character else { return false }
    return isLike(text.dropFirst(), rest)
  }

  @Test(
    "a hostile text takes linear time: 1 MB of one letter, and 100 KB of it with another one at its end"
  )
  func hostile() throws {
    let text = String(repeating: "a", count: 1_000_000)
    let wanted = String(repeating: "a", count: 100_000) + "b"
    #expect(try !TextMatcher(.contains([]), wanted).matches(text))
    #expect(try !TextMatcher(.contains(Self.neither), wanted).matches(text + "é"))
    let marks = "e" + String(repeating: "\u{301}\u{323}", count: 100_000)
    #expect(try TextMatcher(.contains(Self.neither), "E").matches(marks))
    #expect(try TextMatcher(.contains(Self.noCase), marks).matches(marks))
  }

  @Test("bytes that are no UTF-8 are read as replacement characters, and end nothing")
  func invalid() throws {
    var random = SplitMix(seed: 9)
    let tests: [FetchPredicate.TextTest] = [
      .equal(Self.neither), .contains([]), .contains(Self.noCase), .hasPrefix(Self.noMarks),
      .hasSuffix(Self.neither), .like([]), .like(Self.neither), .matches,
    ]
    let matchers = try tests.map { try TextMatcher($0, $0 == .matches ? ".*" : "*é?") }
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        [0x61, 0xC3, 0xA9, 0xCC, 0x81, 0xE1, 0xF0, 0xFF, 0x80, 0xED, 0xA0].randomElement(
          using: &random) ?? 0 as UInt8
      }
      bytes.withUnsafeBufferPointer { bytes in
        for matcher in matchers { _ = matcher.matches(bytes) }
      }
    }
  }
}

extension FetchPredicate.TextTest {
  fileprivate static var isSame: Self { .equal(.caseInsensitive) }
}

extension String {
  fileprivate subscript(_ position: Int) -> Character {
    self[index(startIndex, offsetBy: position)]
  }
}
