import CopalEssentials

/// What is valid in a model, and has a cost or is probably a mistake.
///
/// ```swift
/// for warning in model.warnings { print(warning) }
/// // warning: Painting.museum has no inverse: the deletion of its Museum searches for … [model.oneWay]
/// ```
///
/// The code generator adds the position in the model's file. A build shows the warnings beside
/// those of the compiler.
public struct ModelWarning: Sendable, Hashable, CustomStringConvertible {
  /// The kind of warning.
  public var code: Code
  /// The file, line and column of the subject; nil when the file is not known.
  public var position: ModelProblem.Position?
  /// The path of keys to it in the model's file, such as `entities`, `Painting`, `relationships`,
  /// `museum`.
  public var keys: [String]
  /// Where in the model, such as `Painting.museum`.
  public var subject: String
  /// What was found in the model.
  public var found: String
  /// What was expected.
  public var expected: String
  /// A valid name to write.
  public var suggestion: String?

  /// A warning as data. Copal makes warnings; a program reads them.
  @inline(never)
  public init(
    _ code: Code, at position: ModelProblem.Position? = nil, keys: [String], subject: String,
    found: String = "", expected: String = "", suggestion: String? = nil
  ) {
    self.code = code
    self.position = position
    self.keys = keys
    self.subject = subject
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
  }

  /// The warning as a compiler prints it: `file:line:column: warning: sentence [code]`, without the
  /// position if it is not known.
  public var description: String {
    let place = position.map { "\($0): " } ?? ""
    return "\(place)warning: \(ModelWording.sentence(for: self)) [\(code)]"
  }
}

extension ModelWarning {
  /// The kind of a warning, such as `model.oneWay`.
  public struct Code: ErrorCode {
    /// The name of the code, such as `model.oneWay`.
    public let rawValue: String
    /// The sentence of an error with this code.
    let sentence: SentenceTemplate

    /// The code of that name.
    public init(rawValue: String) {
      self.init(rawValue, Self.all.first { $0.rawValue == rawValue }?.sentence ?? "")
    }

    init(_ name: String, _ sentence: SentenceTemplate) {
      (rawValue, self.sentence) = (name, sentence)
    }
  }
}

/// The kinds of warnings. Each has a heading in `Docs/Errors.md`.
extension ModelWarning.Code {
  /// A relationship without an inverse.
  public static let oneWay = Self("model.oneWay", "{subject} has no inverse: {cost}; {remedy}")
  /// A deletion would empty a required relationship, so that the save fails.
  public static let nullifiesRequired = Self(
    "model.nullifiesRequired",
    #"{subject} has the delete rule nullify, but its inverse {found} is required, so the save of a deletion fails while there are related objects; write "delete": "cascade" to delete these with it, "delete": "deny" to refuse the deletion while there are any, or "type": "{expected}?" for {found} to keep them without it"#
  )
  /// A relationship and its inverse both have the delete rule cascade, so a deletion spreads in
  /// both directions.
  public static let cascadesBothWays = Self(
    "model.cascadesBothWays",
    #"{subject} and its inverse {found} both have the delete rule cascade, so a deletion also deletes every object that the two relationships connect with the deleted one; usually only the owner deletes its objects: remove "delete" from {expected}"#
  )
  /// An attribute has a transformer of Core Data that decodes objects of every class.
  public static let insecureTransformer = Self(
    "model.insecureTransformer",
    #"{subject} uses the transformer '{found}', which is for archives of any class; write "transformer": "{suggestion}", and register a SecureUnarchiveTransformer of that name with the classes that you allow"#
  )

  /// Every code of a warning.
  public static let all: [Self] = [
    .oneWay, .nullifiesRequired, .cascadesBothWays, .insecureTransformer,
  ]
}
