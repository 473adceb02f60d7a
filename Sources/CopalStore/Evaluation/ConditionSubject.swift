public import CopalModel

/// An object of which a condition is true or false, in memory. A store that evaluates conditions in
/// memory makes one for each row.
public protocol ConditionSubject {
  /// The key of the object.
  var key: Int64 { get }
  /// The position of the object's entity in the schema.
  var entity: Int { get }
  /// The value at a slot of the object's entity. For a to-one relationship, the key of the other
  /// object.
  func value(_ slot: Int) -> PropertyValue
  /// The object of the to-one relationship at a slot; nil when there is none.
  func related(_ slot: Int) -> Self?
  /// The objects of a to-many relationship, in any order.
  ///
  /// - Parameter relationship: the position of the relationship in ``StoreSchema/relationships`` of
  ///   the object's entity.
  func members(_ relationship: Int) -> [Self]
}
