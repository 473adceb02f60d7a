public import CopalModel

/// A condition as a store receives it: with slots instead of names, with constants of the attributes' types, and
/// without negations. ``PredicateBinder`` makes it.
///
/// Each comparison contains its own result for a null, so that its meaning does not depend on SQL's three-valued
/// logic.
public indirect enum BoundPredicate: Sendable, Hashable {
  /// True for every object, or for none.
  case constant(Bool)
  /// Whether the slot has no value.
  case isNull(Int)
  /// Whether the slot has a value.
  case isNotNull(Int)
  /// A comparison of a slot with a constant that is not null. `resultForNull` is the result where the slot is
  /// null.
  case compare(Int, FetchPredicate.Operator, PropertyValue, resultForNull: Bool)
  /// A comparison of two slots. For `==` and `!=`, two nulls are equal and a null differs from a value. For the
  /// other operators, `resultForNull` is the result where at least one slot is null.
  case compareSlots(Int, FetchPredicate.Operator, Int, resultForNull: Bool)
  /// Whether the value of the slot is in the list, or is not in it when `isNegated` is true. The list contains no
  /// null. `resultForNull` is the result where the slot is null.
  case isIn(Int, [PropertyValue], isNegated: Bool, resultForNull: Bool)
  /// Whether all conditions are true. True for an empty list.
  case and([BoundPredicate])
  /// Whether at least one condition is true. False for an empty list.
  case or([BoundPredicate])
}

/// A fetch request as a store receives it, with slots instead of names. ``PredicateBinder`` makes it.
public struct StoreQuery: Sendable, Hashable {
  /// The position of the entity in the schema.
  public var entity: Int
  /// The condition; nil for all objects of the entity.
  public var predicate: BoundPredicate?
  /// The order, the most significant key first. Objects that are equal in all keys are in the order of their keys.
  public var sortKeys: [BoundSortKey]
  /// The greatest number of objects in the result; nil means no limit. Never negative.
  public var limit: Int?
  /// The number of objects to leave out at the start. Never negative.
  public var offset: Int

  /// A query for the objects of the entity at a position in the schema.
  public init(
    entity: Int, predicate: BoundPredicate? = nil, sortKeys: [BoundSortKey] = [],
    limit: Int? = nil, offset: Int = 0
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sortKeys = sortKeys
    self.limit = limit
    self.offset = offset
  }
}

/// One key of the order of a ``StoreQuery``. Null sorts before every value.
public struct BoundSortKey: Sendable, Hashable {
  /// The slot of the attribute.
  public var slot: Int
  /// Whether the least value comes first.
  public var isAscending: Bool
  /// A sort key for a slot.
  public init(slot: Int, isAscending: Bool) {
    self.slot = slot
    self.isAscending = isAscending
  }
}
