/// A table for a terminal: numbers at the right, everything else at the left. The rows of the first
/// page say how wide its columns are.
package struct TextTable {
  private let headings: [String]
  private let widths: [Int]
  private let numbers: [Bool]
  private let cuts: Bool
  private let paints: Bool
  /// The digits after the point of each column of numbers.
  private let digits: [Int]

  /// - Parameters:
  ///   - width: the number of columns of the window, in which wide columns are cut; nil for a file
  ///     or a pipe, where nothing is cut.
  ///   - paints: whether colors are shown beside their texts.
  package init(headings: [String], rows: [[ShownValue]], width: Int?, paints: Bool = false) {
    self.headings = headings.map(\.inOneLine)
    cuts = width != nil
    self.paints = paints
    numbers = headings.indices.map { column in
      !rows.isEmpty && rows.allSatisfy { $0[column].isNumber || $0[column] == .none }
        && rows.contains { $0[column].isNumber }
    }
    let digits = headings.indices.map { column in
      rows.reduce(0) { max($0, $1[column].fractionDigits ?? 0) }
    }
    self.digits = digits
    var widths = headings.indices.map { column in
      rows.reduce(headings[column].displayWidth) {
        max($0, Self.width($1[column].aligned(digits[column]), paints))
      }
    }
    if let width {
      let room = width - 2 * (widths.count - 1)
      while widths.reduce(0, +) > room, let widest = widths.max(), widest > 4,
        let column = widths.firstIndex(of: widest)
      {
        widths[column] -= 1
      }
    }
    self.widths = widths
  }

  private static func width(_ value: ShownValue, _ paints: Bool) -> Int {
    value.text.inOneLine.displayWidth
      + (paints && !value.swatches.isEmpty ? 2 * value.swatches.count + 1 : 0)
  }

  /// The headings and a rule.
  package var head: [String] {
    [
      line(headings.map { ShownValue($0) }),
      widths.map { String(repeating: "─", count: $0) }.joined(separator: "  "),
    ]
  }

  /// A row.
  package func line(_ row: [ShownValue]) -> String {
    let cells = row.indices.map { column -> String in
      let value = row[column].aligned(digits[column])
      var text = value.text.inOneLine
      var room = widths[column]
      var mark = ""
      // As many as have room beside some of the text.
      for color in value.swatches.prefix(paints ? max(0, room - 8) / 2 : 0) where color.count == 3 {
        mark += "\u{1B}[48;2;\(color[0]);\(color[1]);\(color[2])m  \u{1B}[0m"
        room -= 2
      }
      if !mark.isEmpty {
        mark += " "
        room -= 1
      }
      if cuts, text.displayWidth > room {
        text = text.prefix(columns: max(room - 1, 0)) + "…"
      }
      let space = String(repeating: " ", count: max(0, room - text.displayWidth))
      return mark + (numbers[column] ? space + text : text + space)
    }
    var line = cells.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension ShownValue {
  /// Of a number without an exponent, the number of digits after the point; nil for another value.
  fileprivate var fractionDigits: Int? {
    guard isNumber, !text.contains(where: \.isLetter) else { return nil }
    return text.lastIndex(of: ".").map { text[$0...].count - 1 } ?? 0
  }

  /// The number with zeros behind it, so that the points of a column are below each other. After
  /// six digits, spaces are in their place.
  fileprivate func aligned(_ digits: Int) -> ShownValue {
    guard let own = fractionDigits, own < digits else { return self }
    var value = self
    let zeros = max(0, min(digits, 6) - own)
    value.text += (own == 0 ? "." : "") + String(repeating: "0", count: zeros)
    value.text += String(repeating: " ", count: digits - own - zeros)
    return value
  }
}

extension String {
  /// The text in one line, without anything that changes a terminal: control characters and marks
  /// of direction are shown as `\u{1B}`.
  package var inOneLine: String {
    if unicodeScalars.allSatisfy({ !$0.changesTerminals }) { return self }
    return unicodeScalars.map { scalar in
      scalar.changesTerminals
        ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
    }.joined()
  }
}

extension Unicode.Scalar {
  /// Whether it moves the cursor of a terminal, changes its state, or the order of characters.
  package var changesTerminals: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF,
      0xE0000...0xE007F:
      true
    default: false
    }
  }
}
