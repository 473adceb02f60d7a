/// The stable name of a kind of error, such as `model.unknownKey`.
///
/// Open: libraries and later versions add codes, and none ever changes its meaning. Every code of
/// Copal has a heading in `Docs/Errors.md` with its meaning, cause and cure.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(stringLiteral value: String) { rawValue = value }
  public var description: String { rawValue }
}
