import CopalPatterns
import Foundation
import Testing

@Suite("Patterns")
struct PatternTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let pattern: String
    let matching: [String]
    let others: [String]
    var testDescription: String { pattern }

    init(_ pattern: String, _ matching: [String], not others: [String]) {
      (self.pattern, self.matching, self.others) = (pattern, matching, others)
    }
  }

  private static let charactersCases: [Case] = [
    Case("", [""], not: ["a", " "]),
    Case("a", ["a"], not: ["", "A", "aa", "a\u{301}"]),
    Case("é", ["é", "e\u{301}"], not: ["e", "\u{301}", "É"]),
    Case("e\u{301}", ["é", "e\u{301}"], not: ["e"]),
    Case(#"e\u{301}"#, ["é", "e\u{301}"], not: ["e"]),
    Case(#"e\u{301}+"#, [], not: ["é", "e\u{301}", "e\u{301}\u{301}"]),
    Case("Å", ["\u{212B}", "A\u{30A}"], not: ["A"]),
    Case("K", ["K", "\u{212A}"], not: ["k"]),
    Case("👩‍👧", ["👩‍👧"], not: ["👩", "👧"]),
    Case("🇩🇪+", ["🇩🇪", "🇩🇪🇩🇪"], not: ["🇩", "🇪🇩"]),
    Case(#"\.\*\\\/\-\ \""#, [#".*\/- ""#], not: [#".*//- ""#]),
    Case(#"\x41\x{42}\u0043\u{44}\U00000045"#, ["ABCDE"], not: ["ABCD"]),
    Case(#"\n\r\t\f\e\a"#, ["\n\r\t\u{C}\u{1B}\u{7}"], not: ["\n"]),
    Case(#"\r\n"#, ["\r\n"], not: ["\n", "\r", "\n\r"]),
    Case(#"\r?\n"#, ["\n"], not: ["\r\n"]),
    Case("]}", ["]}"], not: ["]"]),
    Case(
      ".", ["a", "é", "e\u{301}", "👨‍👩‍👧", "\u{1C}"],
      not: ["", "\n", "\r\n", "\u{85}", "\u{2028}", "ab"]),
    Case("(?s).", ["a", "\n", "\r\n", "\u{2029}"], not: [""]),
    Case("(?s:.).", ["\na"], not: ["a\n"]),
  ]

  private static let propertiesCases: [Case] = [
    Case(#"\d"#, ["5", "٣", "½", "一", "5\u{301}"], not: ["a", "-", ""]),
    Case(#"\D"#, ["a", "\n"], not: ["5", "٣"]),
    Case(#"\w"#, ["a", "é", "e\u{301}", "5", "_", "ⓐ"], not: ["-", " ", "‿", "🙂", "\u{301}"]),
    Case(#"\W"#, ["-", " "], not: ["a", "_"]),
    Case(#"\s"#, [" ", "\u{A0}", "\t", "\n", "\r\n", "\u{2028}"], not: ["a", "\u{200B}"]),
    Case(#"\S"#, ["a"], not: [" ", "\r\n"]),
    Case(#"\h"#, [" ", "\t", "\u{A0}"], not: ["\n", "a"]),
    Case(#"\H"#, ["\n", "a"], not: [" "]),
    Case(#"\v"#, ["\n", "\u{B}", "\r\n", "\u{2029}"], not: [" ", "a"]),
    Case(#"\V"#, ["a", " "], not: ["\n"]),
    Case(#"\R"#, ["\r\n", "\n", "\r"], not: ["a"]),
    Case(#"\N"#, ["a"], not: ["\n", "\r\n"]),
    Case(#"\X"#, ["a", "\n", "e\u{301}"], not: [""]),
    Case(#"\p{L}"#, ["a", "é", "e\u{301}", "日"], not: ["1", "_"]),
    Case(#"\P{L}"#, ["1", "_"], not: ["a"]),
    Case(#"\p{Lu}\p{Uppercase_Letter}\p{uppercase letter}"#, ["AÉΩ"], not: ["AÉa"]),
    Case(#"\p{Lt}"#, ["ᾈ", "Α\u{313}\u{345}"], not: ["Α"]),
    Case(#"\p{Nd}"#, ["5", "٣"], not: ["½"]),
    Case(#"\p{P}\p{S}\p{Zs}\p{Cc}"#, ["-+ \n"], not: ["-- \n"]),
    Case(#"\p{LC}"#, ["a", "A", "ǅ"], not: ["日"]),
    Case(#"\p{Alphabetic}\p{White_Space}\p{ASCII}\p{Any}"#, ["é a\n"], not: ["é éa"]),
    Case(#"\p{ASCII}"#, ["a", "\r\n"], not: ["é", "e\u{301}"]),
  ]

  private static let classesCases: [Case] = [
    Case("[abc]", ["a", "b", "c"], not: ["d", "ab", "a\u{301}", ""]),
    Case("[^abc]", ["d", "é", "\n", "a\u{301}"], not: ["a", ""]),
    Case("[a-c]", ["a", "b", "c"], not: ["d", "-", "b\u{301}"]),
    Case("[à-ÿ]", ["é", "e\u{301}"], not: ["e", "x\u{301}"]),
    Case("[가-힣]", ["한", "\u{1112}\u{1161}\u{11AB}"], not: ["a"]),
    Case("[é👩‍👧]", ["e\u{301}", "👩‍👧"], not: ["e", "👩"]),
    Case("[-a]", ["-", "a"], not: ["b"]),
    Case("[a-]", ["-", "a"], not: ["b"]),
    Case("[a-c-e]", ["b", "-", "e"], not: ["d"]),
    Case(#"[\w.-]"#, ["a", ".", "-"], not: [","]),
    Case(#"[\]\[\\^]"#, ["]", "[", "\\", "^"], not: ["a"]),
    Case(#"[\x61-\u{63}]"#, ["b"], not: ["d"]),
    Case(#"[^\s\d]"#, ["a"], not: [" ", "1"]),
    Case(#"[\p{Lu}\P{L}]"#, ["A", "1"], not: ["a"]),
    Case("[a[b1]]", ["a", "b", "1"], not: ["c"]),
    Case("[^a[^b]]", ["b"], not: ["a", "c"]),
    Case("[.*+?(){}|$]", [".", "(", "$", "|"], not: ["a"]),
    Case(#"[\r\n]"#, ["\r", "\n", "\r\n"], not: ["a"]),
    Case(#"[^\n]"#, ["a", "\r"], not: ["\n", "\r\n"]),
    Case(#"[^\x00-\x1F]"#, ["a", " "], not: ["\n", "\r\n"]),
    Case(#"[e\u{301}]"#, ["e", "\u{301}"], not: ["é"]),
  ]

  private static let combinationsCases: [Case] = [
    Case("ab|c|", ["ab", "c", ""], not: ["a", "b", "abc"]),
    Case("(a|b)(?:c|d)(?<n>e)(?P<m>f)('g')(?'o'h)", ["acef'g'h", "bdef'g'h"], not: ["ab"]),
    Case("(|a)b", ["b", "ab"], not: ["a", "aab"]),
    Case("a*", ["", "a", "aaa"], not: ["b", "ab"]),
    Case("a+b?", ["a", "aab"], not: ["", "b", "abb"]),
    Case("a{2}", ["aa"], not: ["a", "aaa"]),
    Case("a{2,}", ["aa", "aaaa"], not: ["a"]),
    Case("a{,2}", ["", "a", "aa"], not: ["aaa"]),
    Case("a{1,3}", ["a", "aaa"], not: ["", "aaaa"]),
    Case("(ab){0}c", ["c"], not: ["abc"]),
    Case("a*?b+?c??d{2}?", ["bdd", "aabbcdd"], not: ["dd"]),
    Case("(a*)*", ["", "aaa"], not: ["b"]),
    Case("(a?){3}b", ["b", "aab", "aaab"], not: ["aaaab"]),
    Case("(a|b?)+c", ["c", "abac"], not: ["abd"]),
    Case("((a|ab)(c|bcd))(d*)", ["abcd", "acd", "ac"], not: ["ab"]),
    Case("[A-Z]{2}[0-9]{3,}", ["AB123", "XY12345"], not: ["A123", "AB12"]),
    Case(
      "(?:ab|c){70}d", [String(repeating: "abc", count: 35) + "d"],
      not: [String(repeating: "abc", count: 36) + "d"]),
    Case(
      "(a?b?c?){50}", [String(repeating: "cba", count: 16), ""],
      not: [String(repeating: "c", count: 51)]),
    Case(
      "a.{100}b", ["a" + String(repeating: "é", count: 100) + "b"],
      not: ["a" + String(repeating: "é", count: 99) + "b"]),
  ]

  private static let anchorsCases: [Case] = [
    Case("^a$", ["a"], not: ["a\n", ""]),
    Case(#"\Aa\z"#, ["a"], not: ["a\n"]),
    Case("a^b", [], not: ["ab", "a\nb"]),
    Case("a$b", [], not: ["ab"]),
    Case("(^|a)b", ["b", "ab"], not: ["aab"]),
    Case("a($|b)", ["a", "ab"], not: ["abb"]),
    Case("(?:^a)+", ["a"], not: ["aa"]),
    Case("(?:^|a){2}", ["", "a", "aa"], not: ["aaa"]),
    Case("(?:^|a){2,}", ["", "a", "aaa"], not: ["b"]),
    Case("(a|$){2}", ["", "a", "aa"], not: ["aaa"]),
    Case("^^$$", [""], not: ["a"]),
    Case("(^$)*", [""], not: ["a"]),
    Case("a(^b)?c", ["ac"], not: ["abc"]),
    Case("a(b$)?c?", ["a", "ab", "ac"], not: ["abc"]),
    Case("a?(^b{80})?c?d", ["d", "ad", "acd"], not: ["abd"]),
  ]

  private static let optionsCases: [Case] = [
    Case("(?i)aB", ["ab", "AB"], not: ["a"]),
    Case("(?i:a)b", ["Ab", "ab"], not: ["AB"]),
    Case("a(?i)b|c", ["aB", "C"], not: ["Ab"]),
    Case("((?i)a)b", ["Ab"], not: ["AB"]),
    Case("(?i)a(?-i)b", ["Ab"], not: ["AB"]),
    Case("(?i)é", ["É", "E\u{301}"], not: ["E"]),
    Case("(?i)ß", ["ß", "ẞ"], not: ["SS", "ss"]),
    Case("(?i)σ", ["Σ"], not: ["ς"]),
    Case("(?i)i", ["I"], not: ["İ", "ı"]),
    Case("(?i)[a-z]", ["K", "k", "\u{212A}"], not: ["É"]),
    Case("(?i)[à-ÿ]", ["É", "e\u{301}"], not: ["E"]),
    Case("(?i)[^a]", ["b"], not: ["A", "a"]),
    Case(#"(?i)\p{Lu}"#, ["A"], not: ["a"]),
    Case("(?is)a.", ["A\n"], not: ["b\n"]),
    Case("(?s-i:.)a", ["\na"], not: ["\nA"]),
  ]

  @Test("a pattern matches whole texts", arguments: charactersCases)
  func characters(_ row: Case) throws { try check(row) }

  @Test("a pattern supports Unicode properties of Characters", arguments: propertiesCases)
  func properties(_ row: Case) throws { try check(row) }

  @Test("a pattern supports classes", arguments: classesCases)
  func classes(_ row: Case) throws { try check(row) }

  @Test("a pattern supports groups, alternatives and repetitions", arguments: combinationsCases)
  func combinations(_ row: Case) throws { try check(row) }

  @Test("a pattern supports anchors at the ends of the text", arguments: anchorsCases)
  func anchors(_ row: Case) throws { try check(row) }

  @Test("a pattern supports options", arguments: optionsCases)
  func options(_ row: Case) throws { try check(row) }

  private func check(_ row: Case) throws {
    let pattern = try TextPattern(row.pattern)
    for text in row.matching { #expect(pattern.matches(text), "\(text.debugDescription)") }
    for text in row.others { #expect(!pattern.matches(text), "\(text.debugDescription)") }
  }

  @Test("a pattern treats canonically equivalent texts as equal")
  func canonicalEquivalence() throws {
    let classes = try ["L", "M", "N", "P", "S", "Z", "C", "Lu", "Ll", "Lt", "Lm", "Mn", "Mc", "Sk"]
      .map { try TextPattern("\\p{\($0)}") }
    let others = try [
      #"\d"#, #"\w"#, #"\s"#, ".", #"\p{ASCII}"#, #"\p{Alphabetic}"#, "[a-\u{10FFFF}]",
    ]
    .map { try TextPattern($0) }
    let patterns = classes + others
    var count = 0
    var different: [UInt32] = []
    for value in UInt32(0xC0)...0x2FFFF where !(0xAC00...0xD7A3).contains(value) || value % 97 == 0
    {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar))
      let decomposed = text.decomposedStringWithCanonicalMapping
      guard decomposed.unicodeScalars.first != scalar, decomposed.count == 1 else { continue }
      count += 1
      let literal = try TextPattern("\\u{\(String(value, radix: 16))}")
      let differs = patterns.contains { $0.matches(text) != $0.matches(decomposed) }
      if differs || !literal.matches(text) || !literal.matches(decomposed) {
        different.append(value)
      }
    }
    #expect(different == [])
    #expect(count > 1500)
  }
}
