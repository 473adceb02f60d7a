/// A place in a text whose file goes without saying. Lines and columns count from 1; a column is a
/// UTF-8 byte.
package struct TextPosition: Sendable, Hashable, Comparable {
  // 32 bits each: a tree of a large file holds one for every value.
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
