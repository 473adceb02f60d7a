extension ModelProblem {
  /// A place in a file. Lines and columns count from 1; a column is a UTF-8 byte, as the Swift
  /// compiler counts.
  public struct Position: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var file: String
    public var line: Int
    public var column: Int

    public init(file: String, line: Int, column: Int) {
      self.file = file
      self.line = line
      self.column = column
    }

    public var description: String { "\(file):\(line):\(column)" }

    public static func < (a: Self, b: Self) -> Bool {
      (a.file, a.line, a.column) < (b.file, b.line, b.column)
    }
  }
}
