extension ModelProblem {
  /// A place in a file. Lines and columns count from 1; a column is a UTF-8 byte, as the Swift
  /// compiler counts.
  public struct Position: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The path or name of the file, as it was given to the reader.
    public var file: String
    /// The line, counted from 1.
    public var line: Int
    /// The column in UTF-8 bytes, counted from 1.
    public var column: Int

    /// The position at a line and a column of a file.
    public init(file: String, line: Int, column: Int) {
      self.file = file
      self.line = line
      self.column = column
    }

    /// The position as compilers write it: `Colors.model.json:7:18`.
    public var description: String { "\(file):\(line):\(column)" }

    public static func < (a: Self, b: Self) -> Bool {
      (a.file, a.line, a.column) < (b.file, b.line, b.column)
    }
  }
}
