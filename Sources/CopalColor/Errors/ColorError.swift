public import CopalModel
public import Foundation

/// What went wrong with a colour, as data.
///
/// Look at the `code`; the sentence with its remedy is `description`, and `Docs/Errors.md` has a
/// heading for every code. What a colour transformer throws is found among the causes of the
/// `PersistenceError` that a store or a context throws.
///
/// ```swift
/// do {
///   pigment.tint = try SerializableColor(css: text)
/// } catch let error where error.code == .colorCSS {
///   print("at character", error.position ?? 0, "expected", error.expected ?? "")
/// }
/// ```
///
/// From stored bytes it carries sizes and versions, never the colour itself.
public struct ColorError: Error, Sendable, Hashable {
  public var code: ErrorCode
  /// What there is.
  public var found: String?
  /// What there should be, or the component concerned.
  public var expected: String?
  /// Where in the text, in bytes from its beginning.
  public var position: Int?
  /// The nearest good name.
  public var suggestion: String?

  public init(
    _ code: ErrorCode, found: String? = nil, expected: String? = nil, position: Int? = nil,
    suggestion: String? = nil
  ) {
    self.code = code
    self.found = found
    self.expected = expected
    self.position = position
    self.suggestion = suggestion
  }

  static func unknownSpace(_ space: ColorSpace) -> ColorError {
    ColorError(.colorUnknownSpace, found: "\(space.rawValue)")
  }
}

extension ColorError: CustomStringConvertible, LocalizedError {
  /// The sentence, the remedy and the code.
  public var description: String { "\(ColorErrorWording.sentence(for: self)) [\(code)]" }
  public var errorDescription: String? { description }
}
