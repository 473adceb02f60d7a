/// The name under which a transformer is registered and which a model file gives to an attribute.
///
/// Generated code has a constant for every name in the model, so that the compiler finds a misspelled name.
///
/// ```swift
/// let name: TransformerName = "ColorArrayTransformer"
/// ```
public struct TransformerName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible, Comparable
{
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The transformer name with the given text.
  public init(_ name: String) { rawValue = name }
  public init(stringLiteral value: String) { rawValue = value }
  public var description: String { rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
