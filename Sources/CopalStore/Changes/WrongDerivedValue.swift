/// A derived column that a row says to hold, and that does not, because another program has written
/// around the triggers of the file; or one that cannot be made, because another row has its value
/// in a unique constraint.
///
/// ``StoreSession/wrongDerivedValues()`` finds them.
public struct WrongDerivedValue: Sendable, Hashable {
  /// The position of the entity that declares the attribute.
  public var entity: Int
  /// The slot of the attribute.
  public var slot: Int
  /// The key of the row.
  public var key: Int64
  /// Whether another row has the value in a unique constraint.
  public var isDuplicate: Bool

  /// A wrong value of an attribute.
  public init(entity: Int, slot: Int, key: Int64, isDuplicate: Bool = false) {
    self.entity = entity
    self.slot = slot
    self.key = key
    self.isDuplicate = isDuplicate
  }
}
