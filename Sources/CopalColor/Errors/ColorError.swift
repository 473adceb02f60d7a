public import CopalEssentials
public import CopalModel

/// What went wrong with a color, as data.
///
/// Look at the `code`; the sentence with its remedy is `description`, and `Docs/Errors.md` has a
/// heading for every code. What a color transformer throws is found among the causes of the
/// `PersistenceError` that a store or a context throws.
///
/// ```swift
/// do {
///   pigment.tint = try SerializableColor(css: text)
/// } catch let error where error.code == .css {
///   print("at byte", error.position ?? 0, "expected", error.expected ?? "")
/// }
/// ```
///
/// From stored bytes it carries sizes and versions, never the color itself.
public struct ColorError: Error, Sendable, Hashable {
  /// The kind of error.
  public var code: ColorError.Code
  /// What was found.
  public var found: String?
  /// What was expected; for `color.notFinite` the name of the component.
  public var expected: String?
  /// Where in the text: the number of UTF-8 bytes before the mistake.
  public var position: Int?
  /// The valid name that is most similar to the one found.
  public var suggestion: String?

  /// An error as data. Copal makes color errors; a program reads them.
  public init(
    _ code: ColorError.Code, found: String? = nil, expected: String? = nil, position: Int? = nil,
    suggestion: String? = nil
  ) {
    self.code = code
    self.found = found
    self.expected = expected
    self.position = position
    self.suggestion = suggestion
  }

  static func unknownSpace(_ space: ColorSpace) -> ColorError {
    ColorError(.unknownSpace, found: "\(space.rawValue)")
  }
}

extension ColorError {
  /// What is wrong with a color, its text or its stored bytes, such as `color.hex`.
  public struct Code: ErrorCode {
    /// The name of the code, such as `color.hex`.
    public let rawValue: String
    /// The sentence of an error with this code.
    let sentence: SentenceTemplate

    /// The code with a name. It can be a name that this version does not know.
    public init(rawValue: String) {
      self.init(rawValue, Self.all.first { $0.rawValue == rawValue }?.sentence ?? "{found}")
    }

    init(_ name: String, _ sentence: SentenceTemplate) {
      (rawValue, self.sentence) = (name, sentence)
    }
  }
}

extension ColorError: CustomStringConvertible, LocalizedError {
  /// The sentence, the remedy and the code.
  public var description: String { "\(sentence) [\(code)]" }
  /// The same text as `description`, for Foundation's `localizedDescription`.
  public var errorDescription: String? { description }

  private var sentence: String {
    let isOne = found == "1"
    return code.sentence.filled(
      found: found ?? "", expected: expected ?? "", suggestion: suggestion
    ) { place in
      switch place {
      case "position": position.map { " at byte \($0 + 1)" } ?? ""
      case "are": isOne ? "is" : "are"
      case "bytes": isOne ? "byte" : "bytes"
      default: nil
      }
    }
  }
}
