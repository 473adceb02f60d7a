import CopalEssentials
public import CopalModel

/// Every problem that prevents generating code for a model.
public struct CodegenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problems in the order of the model.
  public let problems: [CodegenProblem]
  /// An error with the given problems.
  public init(problems: [CodegenProblem]) { self.problems = problems }
  /// Every problem on lines of its own, with file, line, column and code.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension CodegenError {
  /// Why code cannot be generated, for example `codegen.nameClash`.
  public struct Code: ErrorCode {
    /// The name of the code, such as `codegen.nameClash`.
    public let rawValue: String
    /// The sentence of an error with this code.
    let sentence: SentenceTemplate

    /// The code of that name.
    public init(rawValue: String) {
      self.init(
        rawValue, Self.all.first { $0.rawValue == rawValue }?.sentence ?? "{subject}: {found}")
    }

    init(_ name: String, _ sentence: SentenceTemplate) {
      (rawValue, self.sentence) = (name, sentence)
    }
  }
}

/// One problem that prevents generating code for a model.
public struct CodegenProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kind of problem.
  public var code: CodegenError.Code
  /// The file, line and column of the problem.
  public var position: ModelProblem.Position
  /// Where in the model, such as `ColorLibrary.colorList`; empty for the model as a whole.
  public var subject: String
  /// What the model says there, or the name that two things have.
  public var found: String
  /// What to write, or the file of the other model; often empty.
  public var expected: String

  /// A problem as data. The code generator makes problems; a program reads them.
  public init(
    _ code: CodegenError.Code, at position: ModelProblem.Position, subject: String,
    found: String = "", expected: String = ""
  ) {
    self.code = code
    self.position = position
    self.subject = subject
    self.found = found
    self.expected = expected
  }

  /// The problem as a compiler prints it: `file:line:column: error: sentence [code]`.
  public var description: String { "\(position): error: \(sentence) [\(code)]" }

  private var sentence: String {
    code.sentence.filled(found: found, expected: expected) { $0 == "subject" ? subject : nil }
  }
}

/// The kinds of problems of generated code. Each has a heading in `Docs/Errors.md`.
extension CodegenError.Code {
  /// Two things in the generated code would have the same name.
  public static let nameClash = Self(
    "codegen.nameClash",
    "{subject}: the generated code already contains the name '{found}'; rename one of them")
  /// A transformable attribute is the identity: it has the name `id`, or is named by `identity`.
  public static let transformableID = Self(
    "codegen.transformableID",
    "{subject}: a transformable attribute cannot be the identity of a class, because its values need not be Hashable; {found}"
  )

  /// An import of a product that the target does not depend on.
  public static let missingProduct = Self(
    "codegen.missingProduct",
    "the model imports '{found}', but the target '{subject}' does not depend on it; add {expected} to the dependencies of the target in Package.swift"
  )
  /// Two models of one target with the same name.
  public static let duplicateModel = Self(
    "codegen.duplicateModel",
    #"another model of the target has the name '{found}' too: {expected}; give one of them another "model""#
  )
  /// Two models of one target with the same class.
  public static let duplicateClass = Self(
    "codegen.duplicateClass",
    #"{subject}: another model of the target has a class '{found}' too: {expected}; give one of them another "class""#
  )

  /// Every code of this library.
  public static let all: [Self] = [
    .nameClash, .transformableID, .missingProduct, .duplicateModel, .duplicateClass,
  ]
}
