import Copal
import Foundation

/// A table whose columns are aligned: numbers at the right, everything else at the left.
struct TextTable {
  let headings: [String]
  private(set) var rows: [[Cell]]

  init(headings: [String], rows: [[Cell]]) {
    (self.headings, self.rows) = (headings, rows)
    for column in headings.indices { alignPoints(column) }
  }

  struct Cell {
    var text: String
    var isNumber = false

    /// Of a decimal number, the number of digits after the point.
    var fractionDigits: Int? {
      guard isNumber, !text.contains(where: \.isLetter) else { return nil }
      return text.lastIndex(of: ".").map { text[$0...].count - 1 } ?? 0
    }
  }

  /// The lines of the table: the headings, a rule, and the rows. In a window, wide columns are cut
  /// until the table fits.
  func lines(width: Int?) -> [String] {
    let widths = columnWidths(width)
    let numbers = headings.indices.map { column in
      !rows.isEmpty && rows.allSatisfy { $0[column].isNumber || $0[column].text == Cell.none.text }
    }
    func line(_ texts: [String]) -> String {
      let padded = texts.indices.map { column in
        let text = Self.cut(texts[column], to: widths[column])
        let space = String(repeating: " ", count: widths[column] - text.displayWidth)
        return numbers[column] ? space + text : text + space
      }
      return padded.joined(separator: "  ").trimmedAtEnd
    }
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    return [line(headings), rule] + rows.map { line($0.map(\.text)) }
  }

  /// Gives all numbers of a column as many digits after the point.
  private mutating func alignPoints(_ column: Int) {
    let digits = rows.map { $0[column].fractionDigits ?? 0 }.max() ?? 0
    for row in rows.indices {
      guard let own = rows[row][column].fractionDigits, own < digits else { continue }
      let zeros = String(repeating: "0", count: digits - own)
      rows[row][column].text += (own == 0 ? "." : "") + zeros
    }
  }

  private func columnWidths(_ limit: Int?) -> [Int] {
    var widths = headings.indices.map { column in
      rows.reduce(headings[column].displayWidth) { max($0, $1[column].text.displayWidth) }
    }
    guard let limit else { return widths }
    let room = limit - 2 * (widths.count - 1)
    while widths.reduce(0, +) > room, let widest = widths.max(), widest > 4,
      let column = widths.firstIndex(of: widest)
    {
      widths[column] -= 1
    }
    return widths
  }

  private static func cut(_ text: String, to width: Int) -> String {
    text.displayWidth <= width ? text : text.prefix(columns: width - 1) + "…"
  }
}

extension TextTable.Cell {
  /// No value.
  static let none = Self(text: "nil")

  /// A value of an object or of a column as a text in one line. Numbers have up to two digits after
  /// the point.
  init(_ value: Any?) {
    switch value {
    case nil: self = .none
    case let value as PropertyValue: self.init(value)
    case let text as String: self.init(text: text.inOneLine)
    case let number as Double: self.init(text: "\((number * 100).rounded() / 100)", isNumber: true)
    case let number as Decimal: self.init(text: "\(number.rounded)", isNumber: true)
    case let number as any BinaryInteger: self.init(text: "\(number)", isNumber: true)
    case let value?: self.init(text: "\(value)".inOneLine)
    }
  }

  private init(_ value: PropertyValue) {
    switch value {
    case .null: self = .none
    case .integer(let number): self.init(number)
    case .double(let number): self.init(number)
    case .decimal(let number): self.init(number)
    case .string(let text): self.init(text)
    case .boolean(let value): self.init(value)
    case .date(let date): self.init(date)
    case .binary(let data): self.init(data)
    case .uuid(let uuid): self.init(uuid)
    case .uri(let url): self.init(url)
    case .object(let id): self.init(id)
    }
  }
}

extension Decimal {
  /// Two digits after the point: an average can have very many.
  fileprivate var rounded: Decimal {
    var (result, exact) = (Decimal(), self)
    NSDecimalRound(&result, &exact, 2, .plain)
    return result
  }
}

extension String {
  /// A space in place of each control character, so that a value cannot move the cursor.
  var inOneLine: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  fileprivate var trimmedAtEnd: String {
    String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
  }
}
