import CopalEssentials
package import CopalModel

/// The form in which two texts are equal when they differ only in what is to be ignored.
///
/// It is the canonical decomposition, NFD; without differences of case it is
/// NFD(casefold(NFD(text))), the canonical caseless match of the Unicode Standard, section 3.13,
/// definition D145. Without diacritics, the combining marks above, below and through letters are
/// left out: those of the combining classes from 10 on. Marks of lower classes change the consonant
/// or the vowel itself, as the dots of Japanese and the signs of Indic scripts do.
///
/// The iota below a Greek letter, U+0345, is a letter for case folding and a mark for everything
/// else. Here it is a letter wherever something is ignored, as in the Unicode Collation Algorithm:
/// what is equal without diacritics is then also equal without case and diacritics. It becomes the
/// letter after the marks are sorted, because its class puts it behind those of lower classes.
///
/// The tables are our own, so that the result does not depend on the machine: ``unicodeVersion``.
package struct TextFolding: Sendable {
  /// The version of Unicode of the tables.
  package static let unicodeVersion = FoldingTables.unicodeVersion

  private static let decompositions = ScalarMapping(FoldingTables.decompositions)
  private static let foldings = ScalarMapping(FoldingTables.foldings)
  private static let combiningClasses: ScalarTable = {
    var table = ScalarTable()
    let runs = FoldingTables.combiningClasses
    var last: UInt32 = 0
    for start in stride(from: 0, to: runs.count, by: 3) {
      let first = last + runs[start]
      last = first + runs[start + 1]
      for scalar in first...last { table[scalar] = UInt16(runs[start + 2]) }
    }
    return table
  }()

  /// The least combining class of the marks that are left out.
  private static let leastDiacriticClass = 10

  private let ignoresCase: Bool
  private let ignoresDiacritics: Bool

  package init(_ options: FetchPredicate.TextOptions) {
    ignoresCase = options.contains(.caseInsensitive)
    ignoresDiacritics = options.contains(.diacriticInsensitive)
  }

  /// The folded form of a text, as UTF-8.
  package func folded(_ text: String) -> [UInt8] {
    var text = text
    let ascii = text.withUTF8 { bytes -> [UInt8]? in
      guard bytes.isASCII else { return nil }
      return ignoresCase ? bytes.map(\.lowercased) : Array(bytes)
    }
    return ascii ?? foldedScalars(text)
  }

  private func foldedScalars(_ text: String) -> [UInt8] {
    var scalars: [UInt32] = []
    scalars.reserveCapacity(text.utf8.count)
    // The start of the marks that have to be sorted.
    var marks = 0
    for scalar in text.unicodeScalars {
      Self.decompose(scalar.value) { scalar in
        guard ignoresCase else { return append(scalar, to: &scalars, &marks) }
        Self.fold(scalar) { append($0, to: &scalars, &marks) }
      }
    }
    Self.sort(&scalars, from: marks)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(scalars.count * 2)
    for scalar in scalars {
      let scalar = scalar == Self.iotaBelow ? Self.iota(ignoresCase || ignoresDiacritics) : scalar
      if scalar < 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: scalar))
      } else if let scalar = Unicode.Scalar(scalar) {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return bytes
  }

  private static let iotaBelow: UInt32 = 0x345

  private static func iota(_ isLetter: Bool) -> UInt32 { isLetter ? 0x3B9 : iotaBelow }

  private func append(_ scalar: UInt32, to scalars: inout [UInt32], _ marks: inout Int) {
    if scalar >= 0x300 {
      let combiningClass = Self.combiningClasses[scalar]
      if combiningClass != 0 {
        if !ignoresDiacritics || combiningClass < Self.leastDiacriticClass
          || scalar == Self.iotaBelow
        {
          scalars.append(scalar)
        }
        return
      }
    }
    if scalars.count - marks > 1 { Self.sort(&scalars, from: marks) }
    scalars.append(scalar)
    marks = scalars.count
  }

  /// Sorts the marks behind a letter by their combining classes; those of one class stay in their
  /// order.
  @inline(never)  // It is seldom called, and long.
  private static func sort(_ scalars: inout [UInt32], from start: Int) {
    guard scalars.count - start > 1 else { return }
    let marks = scalars[start...]
    let sorted = marks.indices.inOrder {
      combiningClasses[marks[$0]] < combiningClasses[marks[$1]]
    }
    scalars.replaceSubrange(start..., with: sorted.map { marks[$0] })
  }

  private static func fold(_ scalar: UInt32, _ body: (UInt32) -> Void) {
    if scalar < 0x80 { return body(UInt32(UInt8(truncatingIfNeeded: scalar).lowercased)) }
    // It must be sorted among the marks before it becomes a letter.
    if scalar == iotaBelow { return body(scalar) }
    foldings.map(scalar, body)
  }

  private static func decompose(_ scalar: UInt32, _ body: (UInt32) -> Void) {
    if scalar < 0xC0 { return body(scalar) }
    guard HangulSyllable.all.contains(scalar) else { return decompositions.map(scalar, body) }
    HangulSyllable.decompose(scalar, body)
  }

  /// Whether a scalar belongs to the character before it: a combining mark, or the vowel or the
  /// last consonant of a Hangul syllable.
  static func continuesCharacter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x300 { return false }
    return combiningClasses[scalar.value] != 0 || HangulSyllable.laterParts.contains(scalar.value)
  }
}

/// The decomposition of the syllables of Hangul by arithmetic: the Unicode Standard, section 3.12.
private enum HangulSyllable {
  static let all: ClosedRange<UInt32> = 0xAC00...0xD7A3
  /// The vowels and the last consonants.
  static let laterParts: ClosedRange<UInt32> = 0x1160...0x11FF
  private static let vowelCount: UInt32 = 21
  private static let lastCount: UInt32 = 28

  static func decompose(_ scalar: UInt32, _ body: (UInt32) -> Void) {
    let index = scalar - all.lowerBound
    body(0x1100 + index / (vowelCount * lastCount))
    body(0x1161 + index / lastCount % vowelCount)
    if index % lastCount != 0 { body(0x11A7 + index % lastCount) }
  }
}

extension UInt8 {
  /// The byte as a small letter if it is a capital letter of ASCII.
  @inline(__always)
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
