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
  /// Where in the model, such as `ColorLibrary.colorList`.
  public var subject: String
  /// The name that is in the way.
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
    case .codegenInheritance:
      "\(subject): code for an entity with a parent ('\(found)') is not generated in this version; "
        + "write its attributes out, or set \"codegen\": \"none\""
    case .codegenRelationship:
      "\(subject): code for relationships is not generated in this version; remove it, or set "
        + "\"codegen\": \"none\" for the entity"
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
  /// An entity with a parent.
  public static let codegenInheritance: ErrorCode = "codegen.inheritance"
  /// An entity with a relationship.
  public static let codegenRelationship: ErrorCode = "codegen.relationship"
  /// Two things in the generated code with one name.
  public static let codegenNameClash: ErrorCode = "codegen.nameClash"
  /// A transformable attribute called `id`.
  public static let codegenTransformableID: ErrorCode = "codegen.transformableID"

  /// Every code of generated code's problems.
  public static let allCodegenCodes: [ErrorCode] = [
    .codegenInheritance, .codegenRelationship, .codegenNameClash, .codegenTransformableID,
  ]
}
