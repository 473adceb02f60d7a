/// The number of columns that a text has on a terminal: two for a wide character, such as 胡.
extension Character {
  package var displayWidth: Int {
    let scalars = unicodeScalars
    if isASCII { return 1 }
    if scalars.contains(where: { $0.isWide || $0.value == 0xFE0F }) { return 2 }
    guard let first = scalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return 1
    }
  }
}

extension StringProtocol {
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// The longest part from the start that has no more than so many columns.
  package func prefix(columns: Int) -> SubSequence {
    var rest = columns
    return prefix { character in
      rest -= character.displayWidth
      return rest >= 0
    }
  }

  /// The longest part to the end that has no more than so many columns.
  package func suffix(columns: Int) -> SubSequence {
    var (rest, start) = (columns, endIndex)
    while start > startIndex {
      let previous = index(before: start)
      rest -= self[previous].displayWidth
      if rest < 0 { break }
      start = previous
    }
    return self[start...]
  }
}

extension Unicode.Scalar {
  /// Whether a terminal shows it in two columns: East Asian Wide or Fullwidth, or an emoji
  /// (<https://unicode.org/reports/tr11/>).
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: value > 0xFF && properties.isEmojiPresentation
    }
  }
}
