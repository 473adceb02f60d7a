/// Every problem of a model file, in the order of the file.
///
/// ```swift
/// do {
///   let model = try ManagedObjectModel(contentsOf: url)
/// } catch let error as ModelError {
///   for problem in error.problems { print(problem) }
///   // Colors.model.json:7:18: error: unknown attribute type 'sting'; did you mean 'string'? [model.unknownType]
/// }
/// ```
public struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problems in the order of the file.
  public let problems: [ModelProblem]
  /// An error with the given problems.
  public init(problems: [ModelProblem]) { self.problems = problems }
  /// Each problem on a line, in the order of the file, as its own `description` says it.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// One problem of a model file, as data. ``ModelWording`` makes the sentence.
public struct ModelProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kind of problem.
  public var code: ModelError.Code
  /// The file, line and column of the problem.
  public var position: Position
  /// Where in the model, such as `ColorLibrary.colorList`; empty for the model as a whole.
  public var subject: String
  /// The key of the subject, such as `default`; empty when the problem does not concern one key.
  public var key: String
  /// What was found in the file.
  public var found: String
  /// What was expected.
  public var expected: String
  /// The valid name that is most similar to the one found.
  public var suggestion: String?

  /// A problem as data. Copal makes problems; a program reads them.
  @inline(never)
  public init(
    _ code: ModelError.Code, at position: Position, subject: String = "", key: String = "",
    found: String = "", expected: String = "", suggestion: String? = nil
  ) {
    self.code = code
    self.position = position
    self.subject = subject
    self.key = key
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
  }

  /// The problem as a compiler prints it: `file:line:column: error: sentence [code]`.
  public var description: String {
    "\(position): error: \(ModelWording.sentence(for: self)) [\(code)]"
  }
}

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

/// A position in a text, without the name of the file. Lines and columns count from 1; a column is
/// a byte of UTF-8.
package struct TextPosition: Sendable, Comparable {
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
