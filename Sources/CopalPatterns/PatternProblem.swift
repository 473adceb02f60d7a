/// Why a text is not a valid pattern, and where.
package struct PatternProblem: Error, Sendable, Hashable, CustomStringConvertible {
  package var reason: Reason
  /// The offset of the mistake in the pattern, in bytes of UTF-8.
  package var offset: Int
  /// The text at that offset.
  package var found: String

  package init(reason: Reason, offset: Int, found: String) {
    self.reason = reason
    self.offset = offset
    self.found = found
  }

  package enum Reason: Sendable, Hashable, CaseIterable {
    // What patterns do not have.
    case backReference, lookAround, possessive, wordBoundary, lastLineEnd, setOperation, posixClass
    case unknownEscape, unknownProperty, unknownGroup, unknownOption
    // What is not complete.
    case unclosedGroup, unopenedGroup, unclosedClass, emptyClass, trailingBackslash
    // What does not fit.
    case nothingToRepeat, repeatedTwice, badRepetition, reversedRepetition
    case badScalar, badRange, reversedRange, combiningMark
    // What is too much.
    case tooLong, tooDeep, tooManyPositions
  }

  /// What to write instead.
  package var expected: String {
    switch reason {
    case .backReference:
      "a pattern without back-references, because they can take exponential time; "
        + "compare the parts in a validation hook"
    case .lookAround:
      "a pattern without look-ahead and look-behind; check the text in a validation hook"
    case .possessive:
      "a pattern without possessive repetitions and atomic groups; remove the +, or write "
        + "(?: for the group"
    case .wordBoundary:
      "a pattern without word boundaries; write the characters that may stand beside the word, "
        + "such as \\s"
    case .lastLineEnd: "\\z or $, the end of the text"
    case .setOperation:
      "a list of characters; write \\ before the second character to use the character itself"
    case .posixClass: "a class such as \\p{L}, \\d or \\s"
    case .unknownEscape:
      "an escape such as \\d, \\n or \\.; write other letters without a backslash"
    case .unknownProperty: "a general category such as \\p{L}, \\p{Lu} or \\p{Nd}"
    case .unknownGroup: "a group that begins with (, (?: or (?<name>"
    case .unknownOption: "the option i or s, as in (?i)"
    case .unclosedGroup: "a ) that closes this group; write \\( for the character itself"
    case .unopenedGroup: "a ( before it; write \\) for the character itself"
    case .unclosedClass: "a ] that closes this class; write \\[ for the character itself"
    case .emptyClass: "a character in the class; write \\] for the character ]"
    case .trailingBackslash: "a character after the backslash; write \\\\ for a backslash"
    case .nothingToRepeat:
      "something before it to repeat; write \\ before it for the character itself"
    case .repeatedTwice: "one repetition; write (?:…) around what is repeated twice"
    case .badRepetition:
      "a repetition such as {2}, {2,} or {2,5}; write \\{ for the character itself"
    case .reversedRepetition: "the smaller number first"
    case .badScalar: "a Unicode scalar such as \\x41, \\u00E9, \\u{1F3A8} or \\U0001F3A8"
    case .badRange: "a range from one character to another; write \\- for the character itself"
    case .reversedRange: "the smaller character first"
    case .combiningMark:
      "a combining mark after an ordinary character only; write the mark as \\u{…}"
    case .tooLong: "a pattern of at most \(TextPattern.maximumLength) bytes"
    case .tooDeep: "at most \(TextPattern.maximumDepth) levels of groups"
    case .tooManyPositions:
      "at most \(TextPattern.maximumPositionCount) characters and classes; {9} counts nine times"
    }
  }

  package var description: String { "found '\(found)'; expected \(expected)" }
}
