public import Copal
import CopalStore
import Foundation

/// Texts that look random and are the same in every run, of the shapes that comparisons without
/// case and diacritics can be wrong about.
public struct RandomTexts {
  private var random: SplitMix

  public init(seed: UInt64) { random = SplitMix(seed: seed) }

  /// Characters whose forms differ: by case, by marks, in length, and by neighbors.
  private static let parts = [
    "a", "A", "e", "E", "\u{E9}", "e\u{301}", "E\u{301}", "\u{C9}", "ss", "ß", "ẞ", "SS", "i", "I",
    "\u{130}", "\u{131}", "σ", "ς", "Σ", "\u{1FB3}", "α\u{345}", "αι", "Αι", "\u{1F84}", "\u{345}",
    "\u{301}", "\u{323}", "a\u{301}\u{323}", "a\u{323}\u{301}", "か", "が", "か\u{3099}", "각", "가",
    "\u{1100}\u{1161}", "क", "क\u{93C}", "\u{958}", "ﬁ", "fi", "🎨", "👩‍🎨", "\0", " ", "漢", "é\u{327}",
    "Å", "\u{212B}", "\u{1E9B}\u{323}", "ŉ", "ǰ", "և", "Ꭰ", "ꭰ", "𐐀", "𐐨", "z", "Z", "\u{D7FF}",
    "\u{E000}", "\u{FFFF}", "\u{10FFFF}", "~", "[", "_",
  ]

  /// A text of some parts.
  public mutating func text(_ lengths: ClosedRange<Int> = 0...5) -> String {
    (0..<Int.random(in: lengths, using: &random)).map { _ in pick(Self.parts) }.joined()
  }

  /// One of a list.
  public mutating func pick<T>(_ list: [T]) -> T {
    list[Int.random(in: 0..<list.count, using: &random)]
  }

  /// A number of a range.
  public mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  /// What a test of texts can ignore.
  public static let options: [FetchPredicate.TextOptions] = [
    .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
  ]

  /// A condition on a text attribute that ignores something, with a constant that finds something
  /// now and then.
  public mutating func condition(on name: String, of texts: [String]) -> FetchPredicate {
    let property = FetchExpression.property(name)
    let options = pick(Self.options)
    func part(_ text: String) -> String {
      let scalars = Array(text.unicodeScalars)
      if scalars.isEmpty { return text }
      let start = Int.random(in: 0..<scalars.count, using: &random)
      let end = Int.random(in: start...scalars.count, using: &random)
      return String(String.UnicodeScalarView(scalars[start..<end]))
    }
    let some = texts.isEmpty || number(0..<3) == 0 ? text(0...2) : pick(texts)
    let prefix = String(
      String.UnicodeScalarView(some.unicodeScalars.prefix(Int.random(in: 0...3, using: &random))))
    switch number(0..<10) {
    case 0, 1: return .text(property, .equal(options), .constant(.string(some)))
    case 2, 3, 4: return .text(property, .hasPrefix(options), .constant(.string(prefix)))
    case 5: return .text(property, .contains(options), .constant(.string(part(some))))
    case 6: return .text(property, .hasSuffix(options), .constant(.string(part(some))))
    case 7: return .text(property, .like(options), .constant(.string("*" + part(some) + "?*")))
    case 8:
      let function = pick([FetchFunction.fold, .foldCase, .foldDiacritics])
      return .comparison(
        .call(function, [property]), pick(FetchPredicate.Operator.allCases),
        .call(function, [.constant(.string(some))]))
    default:
      return .or(
        [some, text(), part(some)].map {
          .text(property, .equal(options), .constant(.string($0)))
        })
    }
  }
}
