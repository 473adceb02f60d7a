import CopalModel

/// What a query returns for the objects that it finds.
public enum QueryResult: UInt8, Sendable, Hashable {
  /// The rows of the objects.
  case rows
  /// Their keys.
  case keys
  /// Their number.
  case count
}

/// A query without its constants: everything that its statement depends on. Queries of one shape
/// use the same statement with other parameters.
///
/// Two shapes are equal when their conditions, their orders and their results are. A store that
/// prepares statements keeps them in a dictionary by shape.
public struct QueryShape: Sendable, Hashable {
  /// The position of the entity in the schema.
  public let entity: Int
  /// Whether objects of subentities are found as well.
  public let includesSubentities: Bool
  /// The condition; nil for all objects of the entity.
  public let condition: QueryCondition?
  /// The order, the most significant key first. A count has none.
  public let sortKeys: [BoundSortKey]
  /// What the query returns.
  public let result: QueryResult
  /// Whether the query has a limit.
  public let hasLimit: Bool
  /// Whether the query leaves out objects at the start.
  public let hasOffset: Bool

  // Written by hand, because it runs in every fetch that is not like the one before: one number
  // goes into the hasher, not each part of the condition.
  public func hash(into hasher: inout Hasher) {
    var mix = Mix()
    mix.add(includesSubentities ? entity : ~entity)
    mix.add(Int(result.rawValue) &* 4 &+ (hasLimit ? 2 : 0) &+ (hasOffset ? 1 : 0))
    for key in sortKeys {
      mix.add(key.isAscending ? key.slot : ~key.slot)
      if let related = key.related { mix.add(related.hashValue) }
      if !key.isOrderOfValues {
        mix.add(key.textOrder.rawValue.utf8.count * 2 + (key.isNullFirst ? 1 : 0))
      }
    }
    if let condition { mix.add(condition) }
    hasher.combine(mix.value)
  }
}

extension StoreQuery {
  /// The shape of the query for a result.
  public func shape(_ result: QueryResult) -> QueryShape { QueryShape(self, result) }
}

extension QueryShape {
  fileprivate init(_ query: StoreQuery, _ result: QueryResult) {
    entity = query.entity
    includesSubentities = query.includesSubentities
    condition = query.condition
    sortKeys = result == .count ? [] : query.sortKeys
    self.result = result
    hasLimit = query.limit != nil
    hasOffset = query.offset != 0
  }
}

/// Mixes numbers into one, as FNV-1a does with bytes.
private struct Mix {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ number: Int) {
    value = (value ^ UInt64(truncatingIfNeeded: number)) &* 0x0000_0100_0000_01b3
  }

  mutating func add(_ condition: QueryCondition) {
    switch condition {
    case .constant(let flag): add(flag ? 1 : 2)
    case .isNull(let term, let isNegated):
      add(isNegated ? 3 : 4)
      add(term)
    case .holds(let a, let comparison, let b, let resultForNull):
      add(resultForNull ? 5 : 6)
      add(comparison)
      add(a)
      add(b)
    case .isIn(let term, let parameters, let isNegated, let resultForNull):
      add((isNegated ? 7 : 8) &+ (resultForNull ? 2 : 0))
      add(term)
      add(parameters.count)
    case .text(let a, let test, let b, let isNegated):
      add(isNegated ? 14 : 15)
      add(test)
      add(a)
      add(b)
    case .related(let slot, let entity, let condition, let isNegated):
      add(isNegated ? 16 : 17)
      add(slot)
      add(entity)
      add(condition)
    case .exists(let collection, let isNegated):
      add(isNegated ? 18 : 19)
      add(collection.hashValue)
    case .ofKind(let kind, let condition, let otherwise):
      add(13)
      add(kind.entity)
      add(condition)
      add(otherwise)
    case .and(let parts):
      add(11)
      add(parts)
    case .or(let parts):
      add(12)
      add(parts)
    }
  }

  private mutating func add(_ parts: [QueryCondition]) {
    add(parts.count)
    for part in parts { add(part) }
  }

  private mutating func add(_ comparison: FetchPredicate.Operator) {
    switch comparison {
    case .equal: add(1)
    case .notEqual: add(2)
    case .less: add(3)
    case .lessOrEqual: add(4)
    case .greater: add(5)
    case .greaterOrEqual: add(6)
    }
  }

  private mutating func add(_ test: FetchPredicate.TextTest) {
    let number =
      switch test {
      case .equal: 1
      case .contains: 2
      case .hasPrefix: 3
      case .hasSuffix: 4
      case .like: 5
      case .matches: 6
      }
    add(number &* 4 &+ Int(test.options.rawValue))
  }

  private mutating func add(_ term: QueryTerm) {
    switch term {
    case .slot(let slot): add(slot &* 4)
    case .key: add(1)
    case .parameter(let number): add(number &* 4 &+ 2)
    case .calculated(let calculation): add(calculation.hashValue)
    }
  }
}
