extension PatternReader {
  /// The meaning of an escape sequence.
  private enum Escape {
    case scalar(Unicode.Scalar)
    case property(CharacterProperty, isNegated: Bool)
    case anchor(PatternTree)
  }

  /// Reads an escape outside of a class.
  mutating func readEscapedPart() throws(PatternProblem) -> Part {
    switch try readEscape() {
    case .scalar(let scalar): .literal(String(scalar), ignoresCase: options.ignoresCase)
    case .property(let property, let isNegated):
      .tree(.character(CharacterClass(property, isNegated: isNegated)))
    case .anchor(let tree): .anchor(tree)
    }
  }

  /// Reads an escape in a class.
  ///
  /// - Returns: the character that it means, which may begin or end a range; `nil` for a property,
  ///   which is added.
  mutating func readEscape(
    into characters: inout CharacterClass
  ) throws(PatternProblem) -> Character? {
    let start = index
    switch try readEscape() {
    case .scalar(let scalar): return Character(scalar)
    case .property(let property, let isNegated):
      characters.insert(property, isNegated: isNegated)
      return nil
    case .anchor: throw problem(.unknownEscape, from: start)
    }
  }

  private mutating func readEscape() throws(PatternProblem) -> Escape {
    let start = index
    index += 1
    guard let letter = current else { throw problem(.trailingBackslash, from: start) }
    index += 1
    switch letter {
    case "d", "D": return .property(.number, isNegated: letter == "D")
    case "w", "W": return .property(.word, isNegated: letter == "W")
    case "s", "S": return .property(.whitespace, isNegated: letter == "S")
    case "h", "H": return .property(.horizontalSpace, isNegated: letter == "H")
    case "v", "V": return .property(.lineEnd, isNegated: letter == "V")
    case "R": return .property(.lineEnd, isNegated: false)
    case "N": return .property(.lineEnd, isNegated: true)
    case "X": return .property(.any, isNegated: false)
    case "p", "P": return .property(try readProperty(from: start), isNegated: letter == "P")
    case "A": return .anchor(.start)
    case "z": return .anchor(.end)
    case "n": return .scalar("\n")
    case "t": return .scalar("\t")
    case "r": return .scalar("\r")
    case "f": return .scalar("\u{C}")
    case "e": return .scalar("\u{1B}")
    case "a": return .scalar("\u{7}")
    case "x": return .scalar(try readScalar(digits: 2, from: start))
    case "u": return .scalar(try readScalar(digits: 4, from: start))
    case "U": return .scalar(try readScalar(digits: 8, from: start))
    case "b", "B": throw problem(.wordBoundary, from: start)
    case "Z": throw problem(.lastLineEnd, from: start)
    case "1"..."9", "k", "g": throw problem(.backReference, from: start)
    default:
      // An escaped sign is that sign. Escaped letters and digits are refused, because they have
      // meanings in other engines.
      guard let scalar = letter.unicodeScalars.first, letter.unicodeScalars.count == 1,
        letter.isASCII, !letter.isLetter, !letter.isNumber
      else { throw problem(.unknownEscape, from: start) }
      return .scalar(scalar)
    }
  }

  /// Reads a fixed number of hexadecimal digits, or one to eight between braces.
  private mutating func readScalar(
    digits count: Int, from start: Int
  ) throws(PatternProblem) -> Unicode.Scalar {
    let isInBraces = count < 8 && take("{")
    var number: UInt32 = 0
    var read = 0
    while read < (isInBraces ? 8 : count), let character = current, character.isASCII,
      let digit = character.hexDigitValue
    {
      number = number << 4 | UInt32(digit)
      index += 1
      read += 1
    }
    let isComplete = isInBraces ? read > 0 && take("}") : read == count
    guard isComplete, let scalar = Unicode.Scalar(number) else {
      throw problem(.badScalar, from: start)
    }
    return scalar
  }

  private mutating func readProperty(from start: Int) throws(PatternProblem) -> CharacterProperty {
    guard take("{") else { throw problem(.unknownProperty, from: start) }
    let first = index
    while let character = current, character != "}" { index += 1 }
    let name = text(from: first)
    guard take("}"), let property = CharacterProperty(named: name) else {
      throw problem(.unknownProperty, from: start)
    }
    return property
  }
}
