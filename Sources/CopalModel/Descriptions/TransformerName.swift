/// The name under which a transformer is registered and which a model file gives to an attribute.
///
/// Generated code has a constant for every name in the model, so that the compiler finds a
/// misspelled name.
///
/// ```swift
/// let name: TransformerName = "ColorArrayTransformer"
/// ```
public struct TransformerName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible, Comparable
{
  /// The text of the name, as it is in the model file.
  public let rawValue: String
  /// The transformer name with the given text, as ``init(_:)`` makes it.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The transformer name with the given text.
  public init(_ name: String) { rawValue = name }
  /// The transformer name with the text of the literal.
  public init(stringLiteral value: String) { rawValue = value }
  /// The text of the name: `ColorArrayTransformer`.
  public var description: String { rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
