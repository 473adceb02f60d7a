public import CopalModel

/// A predicate whose names are slots, whose constants have the attributes' types, and in which nothing
/// is negated any more.
///
/// Each leaf says itself what it is for a null, so that a store may translate it to a logic with
/// three values and still mean the same. Made by ``PredicateBinder``.
public indirect enum BoundPredicate: Sendable, Hashable {
  case constant(Bool)
  case isNull(Int)
  case isNotNull(Int)
  /// Slot against constant. `resultForNull` is the result where the slot is null.
  case compare(Int, FetchPredicate.Operator, PropertyValue, resultForNull: Bool)
  /// Slot against slot. `resultForNull` is the result of an order where one is null; two nulls are equal.
  case compareSlots(Int, FetchPredicate.Operator, Int, resultForNull: Bool)
  /// Whether the slot is one of the values (or none of them). `resultForNull` as above.
  case isIn(Int, [PropertyValue], isNegated: Bool, resultForNull: Bool)
  case and([BoundPredicate])
  case or([BoundPredicate])
}

/// A request whose names are slots: what crosses the door to a store.
public struct StoreQuery: Sendable, Hashable {
  public var entity: Int
  public var predicate: BoundPredicate?
  public var sortKeys: [BoundSortKey]
  public var limit: Int?
  public var offset: Int

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

public struct BoundSortKey: Sendable, Hashable {
  public var slot: Int
  public var isAscending: Bool
  public init(slot: Int, isAscending: Bool) {
    self.slot = slot
    self.isAscending = isAscending
  }
}
