import CopalPatterns
import CopalTestTools
import Foundation
import Testing

/// Compares random patterns and texts with Swift's `Regex`. `COPAL_PATTERN_PAIRS=100000` sets the
/// number of pairs.
///
/// The patterns are those that both support. Known differences, which are listed in
/// `Docs/ModelFormat.md`, are left out, and also patterns for which Swift's engine takes too long.
@Suite("Patterns compared with Swift's Regex")
struct PatternComparisonTests {
  private static let pairCount =
    ProcessInfo.processInfo.environment["COPAL_PATTERN_PAIRS"].flatMap { Int($0) } ?? 4000
  private static let seed: UInt64 = 20_241_121

  @Test("random patterns match the same texts as Swift's Regex")
  func sameMeaning() throws {
    var random = RandomPatterns(seed: Self.seed)
    var matchCount = 0
    for index in 0..<Self.pairCount {
      let (pattern, text) = index % 8 == 0 ? random.longPair() : random.pair()
      let regex = try Regex(pattern)
      let expected = try regex.wholeMatch(in: text).map {
        $0.range == text.startIndex..<text.endIndex
      }
      let found = try TextPattern(pattern).matches(text)
      #expect(
        found == (expected ?? false),
        "seed \(Self.seed), pair \(index): \(pattern.debugDescription) \(text.debugDescription)")
      if found { matchCount += 1 }
    }
    // Both answers are frequent.
    #expect((Self.pairCount / 4...Self.pairCount * 3 / 4).contains(matchCount))
  }
}

/// Makes patterns, and with each a text that matches it or nearly does.
private struct RandomPatterns {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  private static let atoms: [(String, [String])] = [
    ("a", ["a"]), ("b", ["b"]), ("c", ["c"]), ("A", ["A"]), ("1", ["1"]), ("-", ["-"]),
    (" ", [" "]), ("é", ["é", "e\u{301}"]), ("e\u{301}", ["é"]), (#"e\u{301}"#, ["é", "e\u{301}"]),
    (#"\u{E9}"#, ["e\u{301}"]), ("ß", ["ß"]), ("日", ["日"]), ("👩‍👧", ["👩‍👧"]), (#"\x61"#, ["a"]),
    (#"\u0062"#, ["b"]), (#"\."#, ["."]), (#"\\"#, ["\\"]), (#"\n"#, ["\n"]), (#"\t"#, ["\t"]),
    (#"\r\n"#, ["\r\n"]), ("]", ["]"]), ("}", ["}"]), ("Å", ["\u{212B}", "A\u{30A}"]),
    ("한", ["\u{1112}\u{1161}\u{11AB}"]), (".", ["a", "b", "é", "日", " "]),
    (#"\d"#, ["1", "٣", "½"]), (#"\D"#, ["a", "-"]), (#"\w"#, ["a", "_", "é", "1"]),
    (#"\W"#, ["-", " "]), (#"\s"#, [" ", "\n", "\r\n"]), (#"\S"#, ["a"]), (#"\h"#, [" ", "\t"]),
    (#"\v"#, ["\n"]), (#"\R"#, ["\r\n", "\n"]), (#"\X"#, ["a", "\n"]), (#"\p{L}"#, ["a", "é"]),
    (#"\p{Lu}"#, ["A"]), (#"\P{L}"#, ["1"]), (#"\p{N}"#, ["1"]), (#"\p{Nd}"#, ["٣"]),
    (#"\p{P}"#, ["-"]), (#"\p{Zs}"#, [" "]), (#"\p{Alphabetic}"#, ["a"]),
    ("[abc]", ["a", "b", "c"]), ("[^abc]", ["é", "1", "\n"]), ("[a-c]", ["b"]),
    ("[a-cA-C1]", ["A", "c"]), (#"[\w-]"#, ["-", "a"]), (#"[^\s]"#, ["a"]), (#"[\d.]"#, ["."]),
    ("[à-ÿ]", ["é", "e\u{301}"]), ("[^é]", ["e", "a"]), ("[a[b1]]", ["1"]),
    (#"[\]\-]"#, ["]", "-"]), ("[-a]", ["-"]), ("[a-]", ["-"]), ("[^-b]", ["a"]),
    (#"[\p{L}_]"#, ["a", "_"]), ("[가-힣]", ["한"]), ("[一-龠]", ["日"]),
    ("[日é👩‍👧]", ["👩‍👧", "e\u{301}"]), (#"[\x61-\x63]"#, ["b"]), ("[^[a-c]1]", ["é"]),
    ("[[^a]b]", ["b", "c"]),
  ]

  private static let atomsInAnyCase: [(String, [String])] = [
    ("a", ["a", "A"]), ("B", ["b"]), ("é", ["É", "E\u{301}"]), ("[a-c]", ["B"]),
    ("[é-ü]", ["É"]), ("ß", ["ẞ"]), ("σ", ["Σ", "ς"]), ("[^b]", ["B", "a"]), ("1", ["1"]),
    ("[k1]", ["K"]), (#"\p{Lu}"#, ["A", "a"]), ("[A-z]", ["b"]),
  ]

  private static let repetitions: [(String, ClosedRange<Int>)] = [
    ("*", 0...3), ("+", 1...3), ("?", 0...1), ("{2}", 2...2), ("{0,2}", 0...2), ("{1,}", 1...3),
    ("{1,3}", 1...3), ("{,2}", 0...2), ("{0}", 0...0), ("{2,}", 2...3),
  ]

  private static let replacements: [Character] = [
    "a", "b", "c", "1", "A", "-", " ", "é", "e\u{301}", "\n", "\r\n", "日", "ß", "É", "👩‍👧", "_", ".",
    "한",
  ]

  private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

  /// A pattern of nested parts, and a short text.
  mutating func pair() -> (String, String) {
    let isInAnyCase = below(5) == 0
    let atoms = isInAnyCase ? Self.atomsInAnyCase : Self.atoms
    while true {
      var (pattern, text) = part(of: atoms, depth: 4, repetitions: 2, anchors: true)
      // Swift's engine takes exponential time for many repetitions.
      guard pattern.count(where: { "*+{".contains($0) }) <= 6 else { continue }
      pattern = (isInAnyCase ? "(?i)" : "") + pattern
      text = changed(text, maximumLength: 8)
      return (pattern, text)
    }
  }

  /// A pattern of more than 64 positions, and a long text.
  mutating func longPair() -> (String, String) {
    var (pattern, text) = ("", "")
    for _ in 0...below(3) {
      let (atom, samples) = pick(Self.atoms)
      let least = below(60)
      let (sign, range) = pick([
        ("{\(least),\(least + 40)}", least...least + 40), ("{\(least)}", least...least),
        ("{\(least),}", least...least + 5), ("?", 0...1), ("", 1...1),
      ])
      pattern += below(3) == 0 ? "(\(atom)|bc)\(sign)" : "(?:\(atom))\(sign)"
      let sample = pick(samples)
      text += String(repeating: sample, count: Int.random(in: range, using: &random))
    }
    return (pattern, changed(text, maximumLength: 150))
  }

  private mutating func part(
    of atoms: [(String, [String])], depth: Int, repetitions: Int, anchors: Bool
  ) -> (String, String) {
    switch below(depth == 0 ? 4 : 13) {
    case 4...6:
      var (pattern, text) = ("", "")
      for _ in 0...below(3) {
        let next = part(of: atoms, depth: depth - 1, repetitions: repetitions, anchors: anchors)
        pattern += next.0
        text += next.1
      }
      return ("(?:\(pattern))", text)
    case 7...8:
      let branches = (0...1 + below(2)).map { _ in
        below(8) == 0
          ? ("", "")
          : part(of: atoms, depth: depth - 1, repetitions: repetitions, anchors: anchors)
      }
      let open = pick(["(", "(?:", "(?<n\(below(1_000_000_000))>"])
      return (open + branches.map(\.0).joined(separator: "|") + ")", pick(branches).1)
    case 9...11 where repetitions > 0:
      let (repeated, text) = part(
        of: atoms, depth: depth - 1, repetitions: repetitions - 1, anchors: false)
      let (sign, range) = pick(Self.repetitions)
      let count = Int.random(in: range, using: &random)
      return (
        "(?:\(repeated))\(sign)\(below(4) == 0 ? "?" : "")", String(repeating: text, count: count)
      )
    case 12 where anchors:
      let (inner, text) = part(of: atoms, depth: depth - 1, repetitions: repetitions, anchors: true)
      return pick([
        ("(?:^\(inner))", text), ("(?:\(inner)$)", text), ("(?:^|\(inner))", text),
        ("(?:\(inner)|$)", text), ("(?:\\A\(inner)\\z)", text), ("(?:\(inner)|$)", ""),
      ])
    default:
      let (atom, samples) = pick(atoms)
      return (atom, pick(samples))
    }
  }

  /// The text with a few characters changed, so that it may just not match.
  private mutating func changed(_ text: String, maximumLength: Int) -> String {
    var characters = Array(text)
    for _ in 0..<pick([0, 0, 1, 1, 2]) {
      let character = pick(Self.replacements)
      switch below(3) {
      case 0 where !characters.isEmpty: characters.remove(at: below(characters.count))
      case 1 where !characters.isEmpty: characters[below(characters.count)] = character
      default: characters.insert(character, at: below(characters.count + 1))
      }
    }
    return String(characters.prefix(maximumLength))
  }
}
