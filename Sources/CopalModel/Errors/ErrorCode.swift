import CopalEssentials

/// The stable name of a kind of error, such as `model.unknownKey`: what ``PersistenceError/Code``,
/// ``ModelError/Code`` and the codes of other errors have in common.
///
/// Codes are open: libraries and later versions add codes, and no code ever changes its meaning.
/// Every code of Copal has a heading in `Docs/Errors.md` with its meaning, cause and cure.
public protocol ErrorCode: RawRepresentable<String>, Hashable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// A code with the given name, such as `model.unknownKey`. Two codes with one name are equal.
  @inline(never)
  init(rawValue: String)
}

extension ErrorCode {
  /// The code of that name, written as a literal: `let code: PersistenceError.Code =
  /// "app.notSignedIn"`.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
  /// The name of the code.
  public var description: String { rawValue }
}

extension ModelError {
  /// What is wrong with a model file, such as `model.unknownKey`.
  ///
  /// ```swift
  /// let typos = error.problems.filter { $0.code == .unknownKey || $0.code == .unknownType }
  /// ```
  public struct Code: ErrorCode {
    /// The name of the code, such as `model.unknownKey`.
    public let rawValue: String
    /// The sentence of a problem with this code; nil for a code that was made from its name alone.
    let sentence: SentenceTemplate?

    /// The code of that name.
    public init(rawValue: String) {
      self.rawValue = rawValue
      sentence = nil
    }

    /// A code with its sentence, and with what follows it when there is a suggestion and when not.
    init(_ name: String, _ sentence: String, suggestion: String? = nil, otherwise: String? = nil) {
      rawValue = name
      self.sentence = SentenceTemplate(sentence, suggestion: suggestion, otherwise: otherwise)
    }

    public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
  }
}
