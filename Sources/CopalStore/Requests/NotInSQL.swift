/// A part of a request that the database of a store does not decide as Copal does: the store asks a
/// ``RowDecider`` then.
public struct NotInSQL: Sendable, Hashable {
  /// What the database does not decide, such as "a comparison of texts without case".
  public var part: String
  /// How the model or the request can be changed so that it does.
  public var cure: String

  /// A part of a request.
  public init(_ part: String, cure: String) { (self.part, self.cure) = (part, cure) }
}
