import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Folding of texts")
struct TextFoldingTests {
  private func folded(_ text: String, _ options: FetchPredicate.TextOptions) -> String {
    String(decoding: TextFolding(options).folded(text), as: UTF8.self)
  }

  private static let both: FetchPredicate.TextOptions = [.caseInsensitive, .diacriticInsensitive]

  @Test(
    "a text is decomposed, and loses its case and its diacritics",
    arguments: [
      ("Ultramarine", "ultramarine", "Ultramarine", "ultramarine"),
      ("\u{E9}", "e\u{301}", "e", "e"), ("e\u{301}", "e\u{301}", "e", "e"),
      ("\u{C9}", "e\u{301}", "E", "e"), ("Straße", "strasse", "Straße", "strasse"),
      ("STRASSE", "strasse", "STRASSE", "strasse"), ("ẞ", "ss", "ẞ", "ss"),
      ("ΣΟΦΟΣ", "σοφοσ", "ΣΟΦΟΣ", "σοφοσ"), ("σοφός", "σοφο\u{301}σ", "σοφος", "σοφοσ"),
      ("ﬁ", "fi", "ﬁ", "fi"), ("İ", "i\u{307}", "I", "i"), ("I", "i", "I", "i"),
      ("ı", "ı", "ı", "ı"), ("ﬃ", "ffi", "ﬃ", "ffi"),
      ("Å", "a\u{30A}", "A", "a"), ("\u{212B}", "a\u{30A}", "A", "a"),
      // The iota below is a letter, behind the accents.
      ("\u{1F84}", "α\u{313}\u{301}ι", "αι", "αι"), ("α\u{345}", "αι", "αι", "αι"),
      ("α\u{345}\u{301}", "α\u{301}ι", "αι", "αι"),
      ("α\u{301}\u{345}", "α\u{301}ι", "αι", "αι"), ("\u{345}", "ι", "ι", "ι"),
      // The marks are sorted by their combining classes.
      ("a\u{301}\u{323}", "a\u{323}\u{301}", "a", "a"),
      ("a\u{323}\u{301}", "a\u{323}\u{301}", "a", "a"),
      // Stroke and bar are parts of these letters, not marks.
      ("Øđ", "øđ", "Øđ", "øđ"),
      // The dots of Japanese and the dot below of Devanagari change the consonant.
      ("が", "か\u{3099}", "か\u{3099}", "か\u{3099}"), ("क़", "क\u{93C}", "क\u{93C}", "क\u{93C}"),
      ("각", "\u{1100}\u{1161}\u{11A8}", "\u{1100}\u{1161}\u{11A8}", "\u{1100}\u{1161}\u{11A8}"),
      ("가", "\u{1100}\u{1161}", "\u{1100}\u{1161}", "\u{1100}\u{1161}"),
      ("漢字🎨", "漢字🎨", "漢字🎨", "漢字🎨"), ("", "", "", ""), ("\u{301}", "\u{301}", "", ""),
      ("a\0B", "a\0b", "a\0B", "a\0b"), ("Ꭰꭰ", "ᎠᎠ", "Ꭰꭰ", "ᎠᎠ"), ("𐐀", "𐐨", "𐐀", "𐐨"),
    ])
  func table(text: String, noCase: String, noDiacritics: String, neither: String) {
    #expect(Array(folded(text, .caseInsensitive).unicodeScalars) == Array(noCase.unicodeScalars))
    #expect(
      Array(folded(text, .diacriticInsensitive).unicodeScalars)
        == Array(noDiacritics.unicodeScalars))
    #expect(Array(folded(text, Self.both).unicodeScalars) == Array(neither.unicodeScalars))
  }

  @Test("what is equal without case, or without diacritics, is equal without both")
  func ignoringMore() {
    let (case_, diacritics) = (TextFolding(.caseInsensitive), TextFolding(.diacriticInsensitive))
    let both = TextFolding(Self.both)
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    var wrong: [String] = []
    for number in 0...0x10FFFF as ClosedRange<UInt32> {
      // Beyond these planes no character has another form.
      guard let scalar = Unicode.Scalar(number), number < 0x20000 || number == 0x2F800 else {
        continue
      }
      let own = Array(String(scalar).utf8)
      if both.folded(String(scalar)) == own, case_.folded(String(scalar)) == own { continue }
      for before in ["", "α", "e\u{301}"] {
        let whole = before + String(scalar) + "\u{323}"
        let form = both.folded(whole)
        if both.folded(text(case_.folded(whole))) != form
          || both.folded(text(diacritics.folded(whole))) != form
          || both.folded(text(form)) != form
        {
          wrong.append(String(number, radix: 16))
        }
      }
    }
    #expect(wrong == [])
  }

  @Test("the tables are of Unicode 14.0.0")
  func version() { #expect(TextFolding.unicodeVersion == "14.0.0") }

  @Test("every scalar of Unicode 14 is decomposed as by Foundation")
  func decompositions() {
    var count = 0
    let folding = TextFolding([])
    for number in 0x80...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(number) else { continue }
      if let age = scalar.properties.age, age.major > 14 { continue }
      let text = String(scalar)
      let expected = Array(text.decomposedStringWithCanonicalMapping.utf8)
      let found = folding.folded(text)
      if found != expected { Issue.record("U+\(String(number, radix: 16)): \(found)") }
      if found != Array(text.utf8) { count += 1 }
    }
    // 2,061 scalars, and 11,172 syllables of Hangul.
    #expect(count == 13_233)
  }

  @Test("two cases of a letter fold to the same text, for every scalar of Unicode 14")
  func cases() {
    for number in 0...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(number) else { continue }
      let properties = scalar.properties
      if let age = properties.age, age.major > 14 { continue }
      if !properties.changesWhenCaseFolded, !properties.changesWhenUppercased { continue }
      // A letter can get its capital letter in a later version.
      if let age = properties.uppercaseMapping.unicodeScalars.first?.properties.age, age.major > 14
      {
        continue
      }
      // The dotless i of Turkish is a capital I, but no i.
      if scalar == "ı" { continue }
      let found = folded(String(scalar), .caseInsensitive)
      // Folding again changes nothing, and the uppercase form folds to the same.
      #expect(folded(found, .caseInsensitive) == found)
      let upper = folded(properties.uppercaseMapping, .caseInsensitive)
      if Array(upper.unicodeScalars) != Array(found.unicodeScalars) {
        Issue.record("U+\(String(number, radix: 16)): \(found) and \(upper)")
      }
    }
  }

  @Test("texts that Swift calls equal have one folded form: 20,000 random texts")
  func canonical() {
    var random = SplitMix(seed: 13)
    let pool: [Unicode.Scalar] = [
      "a", "e", "\u{301}", "\u{323}", "\u{302}", "\u{327}", "\u{1EAD}", "\u{E9}", "\u{1E9B}",
      "\u{345}",
      "α", "\u{1F80}", "\u{1100}", "\u{1161}", "\u{11A8}", "각", "가", "\u{AC1C}", "\u{0F71}",
      "\u{0F74}",
      "\u{0F73}", "か", "\u{3099}",
    ]
    var equalCount = 0
    for _ in 0..<20_000 {
      let texts = (0..<2).map { _ in
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          text.append(pool[Int.random(in: 0..<pool.count, using: &random)])
        }
        return String(text)
      }
      let areEqual = texts[0] == texts[1]
      let folding = TextFolding([])
      #expect((folding.folded(texts[0]) == folding.folded(texts[1])) == areEqual, "\(texts)")
      if areEqual { equalCount += 1 }
    }
    #expect(equalCount > 1000)
  }
}
