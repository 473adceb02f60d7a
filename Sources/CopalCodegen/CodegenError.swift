public import CopalModel

/// Everything that a model asks for and generated code cannot give.
public struct CodegenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problems in the order of the model.
  public let problems: [CodegenProblem]
  public init(problems: [CodegenProblem]) { self.problems = problems }
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// One thing that a model asks for and generated code cannot give.
public struct CodegenProblem: Sendable, Hashable, CustomStringConvertible {
  public var code: ErrorCode
  public var position: SourcePosition
  /// Where in the model, such as `ColorLibrary.colorList`; empty for the model as a whole.
  public var subject: String
  /// What the model says there, or the name that is in the way.
  public var found: String

  public init(
    _ code: ErrorCode, at position: SourcePosition, subject: String, found: String = ""
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
    case .codegenInheritance where found.isEmpty:
      "\(subject): this version does not support abstract entities; remove \"abstract\""
    case .codegenInheritance:
      "\(subject): this version does not support inheritance (the parent '\(found)'); "
        + "write the parent's attributes out in \(subject)"
    case .codegenRelationship:
      "\(subject): this version does not support relationships; remove it"
    case .codegenMigration where subject.isEmpty:
      "this version does not support migration between versions of a model (version \(found)); "
        + "remove \"version\""
    case .codegenMigration:
      "\(subject): this version does not support renaming ('\(found)' before); "
        + "remove \"renamedFrom\""
    case .codegenNameClash:
      "\(subject): the generated code has another '\(found)' already; rename one of them"
    case .codegenTransformableID:
      "\(subject): a transformable cannot be named 'id', because its class would be Identifiable by "
        + "a value that may not be Hashable; rename it"
    default: "\(subject): \(found)"
    }
  }
}

/// The kinds of problems of generated code. Each has a heading in `Docs/Errors.md`.
extension ErrorCode {
  /// An entity with a parent, or an abstract one.
  public static let codegenInheritance: ErrorCode = "codegen.inheritance"
  /// An entity with a relationship.
  public static let codegenRelationship: ErrorCode = "codegen.relationship"
  /// A version above 1, or something that is renamed.
  public static let codegenMigration: ErrorCode = "codegen.migration"
  /// Two things in the generated code with one name.
  public static let codegenNameClash: ErrorCode = "codegen.nameClash"
  /// A transformable attribute called `id`.
  public static let codegenTransformableID: ErrorCode = "codegen.transformableID"

  /// Every code of generated code's problems.
  public static let allCodegenCodes: [ErrorCode] = [
    .codegenInheritance, .codegenRelationship, .codegenMigration, .codegenNameClash,
    .codegenTransformableID,
  ]
}
