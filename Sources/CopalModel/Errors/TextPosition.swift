/// A position in a text, without the name of the file. Lines and columns count from 1; a column is
/// a byte of UTF-8.
package struct TextPosition: Sendable, Hashable, Comparable {
  // 32 bits each, because the tree of a large file has one position for every value.
  private let storedLine: Int32
  private let storedColumn: Int32

  package init(line: Int, column: Int) {
    storedLine = Int32(clamping: line)
    storedColumn = Int32(clamping: column)
  }

  package var line: Int { Int(storedLine) }
  package var column: Int { Int(storedColumn) }

  package static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }
}
