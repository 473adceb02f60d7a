import CopalPatterns
import Testing

@Suite("Problems of patterns")
struct PatternProblemTests {
  typealias Reason = PatternProblem.Reason

  @Test(
    "an unsupported or invalid part of a pattern is refused at its position",
    arguments: [
      (#"(a){0}\1"#, 6, #"\1"#, .backReference), (#"a\k<n>"#, 1, #"\k"#, .backReference),
      ("é(?=a)", 2, "(?=", .lookAround), ("(?!a)", 0, "(?!", .lookAround),
      ("(?<=a)b", 0, "(?<=", .lookAround), ("(?<!a)b", 0, "(?<!", .lookAround),
      ("a++b", 2, "+", .possessive), ("a{2}+", 4, "+", .possessive),
      ("a(?>b)", 1, "(?>", .possessive),
      (#"a\b"#, 1, #"\b"#, .wordBoundary), (#"\B"#, 0, #"\B"#, .wordBoundary),
      (#"a\Z"#, 1, #"\Z"#, .lastLineEnd),
      ("[a&&b]", 2, "&&", .setOperation), ("[a-z--b]", 4, "--", .setOperation),
      ("[~~]", 1, "~~", .setOperation), ("[+--]", 2, "--", .setOperation),
      ("[[:alpha:]]", 1, "[:alpha:]", .posixClass), ("[:^digit:]", 0, "[:^digit:]", .posixClass),
      (#"\q"#, 0, #"\q"#, .unknownEscape), (#"\é"#, 0, #"\é"#, .unknownEscape),
      (#"\012"#, 0, #"\0"#, .unknownEscape), (#"[\A]"#, 1, #"\A"#, .unknownEscape),
      (#"\Qa\E"#, 0, #"\Q"#, .unknownEscape),
      (#"\p{Greek}"#, 0, #"\p{Greek}"#, .unknownProperty), (#"\pL"#, 0, #"\p"#, .unknownProperty),
      (#"\p{L"#, 0, #"\p{L"#, .unknownProperty),
      ("(?|a)", 0, "(?|", .unknownGroup), ("(?#x)", 0, "(?#", .unknownGroup),
      ("(*FAIL)", 0, "(*", .unknownGroup), ("(?<1>a)", 0, "(?<1", .unknownGroup),
      ("(?<n-m>a)", 0, "(?<n", .unknownGroup), ("(?", 0, "(?", .unclosedGroup),
      ("(?m)^a", 0, "(?m", .unknownOption), ("(?ix)a", 0, "(?ix", .unknownOption),
      ("a(b", 1, "(", .unclosedGroup), ("((a)", 0, "(", .unclosedGroup),
      ("(?i", 0, "(?i", .unclosedGroup), ("a)b", 1, ")", .unopenedGroup),
      ("a[b", 1, "[", .unclosedClass), ("[[b]", 0, "[", .unclosedClass),
      ("[]a]", 0, "[]", .emptyClass), ("[^]", 0, "[^]", .emptyClass),
      (#"a\"#, 1, #"\"#, .trailingBackslash),
      ("*a", 0, "*", .nothingToRepeat), ("a|+", 2, "+", .nothingToRepeat),
      ("({2})", 1, "{2}", .nothingToRepeat), ("^*", 1, "*", .nothingToRepeat),
      ("(?i)?", 4, "?", .nothingToRepeat),
      ("a**", 2, "*", .repeatedTwice), ("a{2}{3}", 4, "{", .repeatedTwice),
      ("a???", 3, "?", .repeatedTwice),
      ("a{", 1, "{", .badRepetition), ("a{b}", 1, "{", .badRepetition),
      ("a{,}", 1, "{,", .badRepetition), ("a{ 2 }", 1, "{", .badRepetition),
      ("a{2.3}", 1, "{2", .badRepetition),
      ("a{3,2}", 1, "{3,2}", .reversedRepetition),
      (#"\x4"#, 0, #"\x4"#, .badScalar), (#"\u{110000}"#, 0, #"\u{110000}"#, .badScalar),
      (#"\uD800"#, 0, #"\uD800"#, .badScalar), (#"\u{}"#, 0, #"\u{"#, .badScalar),
      (#"[a-\d]"#, 1, #"a-\d"#, .badRange), (#"[\w-z]"#, 1, #"\w-z"#, .badRange),
      ("[a-👩‍👧]", 1, "a-👩‍👧", .badRange), ("[z-a]", 1, "z-a", .reversedRange),
      ("a.\u{301}", 1, ".\u{301}", .combiningMark), ("[\u{301}a]", 0, "[\u{301}", .combiningMark),
      (String(repeating: "a", count: 1001), 1000, "a", .tooLong),
      (String(repeating: "a", count: 999) + "é", 999, "é", .tooLong),
      (String(repeating: "(", count: 51), 50, "(", .tooDeep),
      (String(repeating: "[", count: 51), 50, "[", .tooDeep),
      ("a{1000}(b{1001})", 7, "(b{1001})", .tooManyPositions),
      ("(a{50}){41}", 7, "{41}", .tooManyPositions), ("a{2001}", 1, "{2001", .tooManyPositions),
      ("(){99999999999999999999}", 2, "{99999999999999999999", .tooManyPositions),
      ("a{1500}|b{501}", 9, "{501}", .tooManyPositions),
    ] as [(String, Int, String, Reason)])
  func refused(_ pattern: String, _ offset: Int, _ found: String, _ reason: Reason) {
    let expected = PatternProblem(reason: reason, offset: offset, found: found)
    #expect(TextPattern.problem(in: pattern) == expected)
    #expect(throws: expected) { try TextPattern(pattern) }
  }

  @Test("each problem of a pattern has its own remedy")
  func remedies() {
    let remedies = Reason.allCases.map {
      PatternProblem(reason: $0, offset: 0, found: "").expected
    }
    #expect(Set(remedies).count == remedies.count)
    #expect(!remedies.contains { $0.isEmpty })
  }

  @Test(
    "a pattern exactly at a limit is accepted",
    arguments: [
      "a{2000}", "(a{40}){50}", "(?:a|b|c){2000}", "a{1500}|b{500}", "(){2000}",
      String(repeating: "a", count: 1000),
      "(" + String(repeating: "(", count: 49) + String(repeating: ")", count: 50),
    ])
  func limits(pattern: String) throws {
    #expect(try TextPattern(pattern).positionCount <= TextPattern.maximumPositionCount)
  }
}
