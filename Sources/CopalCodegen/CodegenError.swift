public import CopalModel

/// All parts of a model that the code generator does not support.
public struct CodegenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problems in the order of the model.
  public let problems: [CodegenProblem]
  /// An error with the given problems.
  public init(problems: [CodegenProblem]) { self.problems = problems }
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension CodegenError {
  /// Why code cannot be generated, for example `codegen.nameClash`.
  public struct Code: ErrorCode {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

/// One part of a model that the code generator does not support.
public struct CodegenProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kind of problem.
  public var code: CodegenError.Code
  /// The file, line and column of the problem.
  public var position: ModelProblem.Position
  /// Where in the model, such as `ColorLibrary.colorList`; empty for the model as a whole.
  public var subject: String
  /// What the model has there, or the name that is already used.
  public var found: String

  /// A problem as data. The code generator makes problems; a program reads them.
  public init(
    _ code: CodegenError.Code, at position: ModelProblem.Position, subject: String,
    found: String = ""
  ) {
    self.code = code
    self.position = position
    self.subject = subject
    self.found = found
  }

  /// The problem as a compiler prints it: `file:line:column: error: sentence [code]`.
  public var description: String { "\(position): error: \(sentence) [\(code)]" }

  private var sentence: String {
    switch code {
    case .inheritance where found.isEmpty:
      "\(subject): this version does not support abstract entities; remove \"abstract\""
    case .inheritance:
      "\(subject): this version does not support inheritance (the parent '\(found)'); "
        + "write the parent's attributes out in \(subject)"
    case .relationship:
      "\(subject): this version does not support relationships; remove it"
    case .migration where subject.isEmpty:
      "this version does not support migration between versions of a model (version \(found)); "
        + "remove \"version\""
    case .migration:
      "\(subject): this version does not support renaming ('\(found)' before); "
        + "remove \"renamedFrom\""
    case .nameClash:
      "\(subject): the generated code has another '\(found)' already; rename one of them"
    case .transformableID:
      "\(subject): a transformable cannot be named 'id', because its class would be Identifiable by "
        + "a value that may not be Hashable; rename it"
    default: "\(subject): \(found)"
    }
  }
}

/// The kinds of problems of generated code. Each has a heading in `Docs/Errors.md`.
extension CodegenError.Code {
  /// An entity with a parent, or an abstract one.
  public static let inheritance: Self = "codegen.inheritance"
  /// An entity with a relationship.
  public static let relationship: Self = "codegen.relationship"
  /// A version above 1, or something that is renamed.
  public static let migration: Self = "codegen.migration"
  /// Two things in the generated code with one name.
  public static let nameClash: Self = "codegen.nameClash"
  /// A transformable attribute called `id`.
  public static let transformableID: Self = "codegen.transformableID"

  /// Every code of generated code's problems.
  public static let all: [Self] = [
    .inheritance, .relationship, .migration, .nameClash,
    .transformableID,
  ]
}
