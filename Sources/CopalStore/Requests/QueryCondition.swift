public import CopalModel

/// The condition of a ``StoreQuery``: with slots instead of names, without negations around
/// conditions, and with numbers of parameters instead of constants. ``PredicateBinder`` makes it.
///
/// Queries that differ only in their constants have equal conditions. So a store can make its
/// statement once for all of them.
///
/// A condition is true or false. Each comparison contains its own result for a null, so that its
/// meaning does not depend on SQL's three-valued logic.
public indirect enum QueryCondition: Sendable, Hashable {
  /// True for every object, or for none.
  case constant(Bool)
  /// Whether the term is null, or is not null when `isNegated` is true.
  case isNull(QueryTerm, isNegated: Bool)
  /// Whether the comparison of the two terms is true. Two nulls are equal. `resultForNull` is the
  /// result where only one term is null, and for `<`, `<=`, `>` and `>=` where both are: false for
  /// `==` and true for `!=`. A parameter is the second term, and has the type of the first one. Two
  /// calculated terms can be a double and a number of another type, which compare by their exact
  /// values, as ``ValueOrder`` compares them.
  case holds(QueryTerm, FetchPredicate.Operator, QueryTerm, resultForNull: Bool)
  /// Whether a list of parameters contains the value of the term; with `isNegated`, whether it does
  /// not. `resultForNull` is the result where the term is null. There is at least one parameter.
  case isIn(QueryTerm, parameters: Range<Int>, isNegated: Bool, resultForNull: Bool)
  /// Whether the test of two texts is true; with `isNegated`, whether it is not. At least one of
  /// them is a slot. A null makes the test false.
  case text(QueryTerm, FetchPredicate.TextTest, QueryTerm, isNegated: Bool)
  /// Whether the to-one relationship at the slot has an object that meets a condition, whose slots
  /// are those of the entity at the other end; with `isNegated`, whether it has none.
  case related(slot: Int, entity: Int, QueryCondition, isNegated: Bool)
  /// Whether a collection has an object; with `isNegated`, whether it has none.
  case exists(QueryCollection, isNegated: Bool)
  /// For an object of a kind, the first condition, whose slots are those of the kind's entity. For
  /// another object, `otherwise`, whose slots are those of the query's entity.
  case ofKind(EntityKind, QueryCondition, otherwise: QueryCondition)
  /// Whether all conditions are true. True for an empty list.
  case and([QueryCondition])
  /// Whether at least one condition is true. False for an empty list.
  case or([QueryCondition])
}

extension QueryCondition {
  /// Whether the condition is about related objects, in a part of it at least.
  package var asksForRelated: Bool {
    switch self {
    case .related, .exists: true
    case .ofKind(_, let condition, let otherwise):
      condition.asksForRelated || otherwise.asksForRelated
    case .and(let parts), .or(let parts): parts.contains(where: \.asksForRelated)
    case .isNull(let term, _), .isIn(let term, _, _, _): term.asksForRelated
    case .holds(let a, _, let b, _), .text(let a, _, let b, _):
      a.asksForRelated || b.asksForRelated
    case .constant: false
    }
  }
}

extension QueryCondition {
  /// Whether a part of the condition is about an object more than some levels around the one that
  /// the condition is about.
  package func isAboutObject(beyond levels: Int) -> Bool {
    switch self {
    case .constant: false
    case .isNull(let term, _), .isIn(let term, _, _, _): term.isAboutObject(beyond: levels)
    case .holds(let a, _, let b, _), .text(let a, _, let b, _):
      a.isAboutObject(beyond: levels) || b.isAboutObject(beyond: levels)
    case .related(_, _, let inner, _): inner.isAboutObject(beyond: levels + 1)
    case .exists(let collection, _): collection.isAboutObject(beyond: levels)
    case .ofKind(_, let condition, let otherwise):
      condition.isAboutObject(beyond: levels) || otherwise.isAboutObject(beyond: levels)
    case .and(let parts), .or(let parts): parts.contains { $0.isAboutObject(beyond: levels) }
    }
  }
}

/// The objects of an entity and of its subentities.
public struct EntityKind: Sendable, Hashable {
  /// The position of the entity in the schema.
  public let entity: Int
  /// The positions of the entity and of its subentities.
  public let entities: [Int]
}

/// What a ``QueryCondition`` compares.
public enum QueryTerm: Sendable, Hashable {
  /// The value of a slot.
  case slot(Int)
  /// The key of the object, an integer. Never null.
  case key
  /// The constant at a position of ``StoreQuery/parameters``. Never null.
  case parameter(Int)
  /// A value that is calculated. A parameter that is compared with it has its type.
  indirect case calculated(QueryCalculation)
}

extension QueryTerm {
  fileprivate func isAboutObject(beyond levels: Int) -> Bool {
    if case .calculated(let calculation) = self { return calculation.isAboutObject(beyond: levels) }
    return false
  }

  fileprivate var asksForRelated: Bool {
    if case .calculated(let calculation) = self { return calculation.asksForRelated }
    return false
  }
}
