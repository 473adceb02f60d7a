import CopalPatterns
import Testing

/// What a match costs, counted in words of 64 positions that are looked at. A thousand of them take
/// about a microsecond.
@Suite("Cost of matching a pattern")
struct PatternCostTests {
  /// Patterns that take exponential or quadratic time in other engines, or many states in this one.
  private static let hostilePatterns: [String] = [
    "(a+)+b", "(a|a)*b", "(.*)*x", "a{0,1000}b", "((a*)*)*b", "(a|aa)+b", "(a|a?)+b",
    "(a?){1000}a{1000}", "(a|b)*a(a|b){1000}", "[ab]*a[ab]{1990}", "(.*a){20}", "(x+x+)+y",
    "(a{1,50}){1,39}b", "(ab|c){600}", "[abc]*a(?:ab|c|[abc]){600}", "[ab]*a(?:a?b?){900}",
    "(?:a?b?c?d?){500}", "(?:ab|cd|ef|gh){250}", ".*.*.*.*.*=.*", #"(\w+\s?)+!"#, "([a-z]+)*!",
    "(a(b?(c?(d?)*)*)*)*", ".*(?:ab|cd|[a-f]e?){280}.*", "(?:[ab][bc]?[ac]*){600}",
    ".*[a-c]{1900}", "(?i)(a|b)*a(a|b){1000}", #"(\p{L}|\p{N}|\p{P}|\p{Z}|\p{M})*x"#,
    ".{0,2000}", "(?:.{0,9}a){200}", "(?:.?){2000}",
    ".*" + String(repeating: "a?b?", count: 240),
    ".*(?:" + String(repeating: ".?", count: 16) + "){120}",
    ".*(?:" + String(repeating: "[a-m].?|.[b-z]?|", count: 15) + "z){31}",
    String(repeating: "(", count: 50) + "a" + String(repeating: "*)", count: 50),
  ]

  private static let texts = [
    "a", "ab", "abc", "x", " ", "\r\n", "e\u{301}", "日", "🇩🇪", "👨‍👩‍👧", "aé",
  ].map { String(repeating: $0, count: 600 / $0.utf8.count) }

  @Test(
    "a match takes at most a thousand steps for each character, for texts of any length",
    arguments: hostilePatterns)
  func hostile(text: String) throws {
    let pattern = try TextPattern(text)
    #expect(pattern.maximumStepsPerCharacter <= 1000)
    for text in Self.texts {
      let steps = pattern.measuredMatch(text).steps
      #expect(steps <= text.count * pattern.maximumStepsPerCharacter)
    }
  }

  @Test("a match stops as soon as the text cannot match any more")
  func dead() throws {
    let pattern = try TextPattern("[a-z]{3}.*")
    let text = "ab1" + String(repeating: "x", count: 100_000)
    #expect(pattern.measuredMatch(text) == (false, pattern.measuredMatch("ab1").steps))
  }

  @Test(
    "a match of a usual pattern takes one to four steps for each character",
    arguments: [
      (#"[A-Z]{2}\d+"#, "AB12345"), ("P[A-Z]+[0-9]+", "PB29"),
      (#"[^@\s]+@[^@\s]+\.[a-z]{2,}"#, "someone@example.org"),
      (#"\+?[0-9 ()/-]{3,40}"#, "+49 (0)30 123456"), ("(?i)#[0-9a-f]{6}", "#FFcc00"),
    ])
  func usual(text: String, matching: String) throws {
    let measured = try TextPattern(text).measuredMatch(matching)
    #expect(measured.matches)
    #expect(measured.steps <= 4 * matching.count)
  }
}
