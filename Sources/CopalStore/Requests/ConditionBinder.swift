import CopalEssentials
import CopalModel

/// Translates one condition, and collects its constants as parameters.
///
/// What a comparison means for a constant is decided here, once for every store: no value equals
/// NaN, and a decimal with more digits than its attribute is between two values of the attribute.
/// So the text of a statement never depends on a constant.
struct ConditionBinder {
  let layout: EntityLayout
  let schema: StoreSchema?
  let keys: (any ObjectKeySource)?
  /// The constants so far.
  var parameters: [PropertyValue] = []
  /// The groups of a ``ValueQuery``; nil for a condition on objects.
  var grouping: Grouping?
  /// The objects around the one that the condition is about, the nearest one first.
  var outer: [ObjectAround] = []
  /// Whether the object is that of a to-one relationship in a path. An expression then counts its
  /// levels from the object that has the path.
  var isOfPath = false

  init(_ layout: EntityLayout, _ schema: StoreSchema?, _ keys: (any ObjectKeySource)?) {
    self.layout = layout
    self.schema = schema
    self.keys = keys
    parameters.reserveCapacity(4)
  }

  mutating func bind(_ predicate: FetchPredicate) throws -> QueryCondition {
    try bind(Negatable(predicate), depth: 0)
  }

  /// A predicate without the negations around it, and whether it is negated.
  struct Negatable {
    var predicate: FetchPredicate
    var isNegated: Bool

    init(_ predicate: FetchPredicate, isNegated: Bool = false) {
      self.predicate = predicate
      self.isNegated = isNegated
      while true {
        switch self.predicate {
        case .not(let inner):
          self.predicate = inner
          self.isNegated.toggle()
        // A list of one condition is that condition.
        case .and(let parts) where parts.count == 1, .or(let parts) where parts.count == 1:
          self.predicate = parts[0]
        default: return
        }
      }
    }
  }

  mutating func bind(_ part: Negatable, depth: Int) throws -> QueryCondition {
    lift(try self.part(part, depth: depth))
  }

  mutating func part(_ part: Negatable, depth: Int) throws -> BoundPart {
    let isNegated = part.isNegated
    switch part.predicate {
    case .constant(let flag): return .constant(flag != isNegated)
    case .not(let inner):
      return try self.part(Negatable(inner, isNegated: !isNegated), depth: depth)
    case .and: return .condition(try bind(list: part, isAnd: !isNegated, depth: depth))
    case .or: return .condition(try bind(list: part, isAnd: isNegated, depth: depth))
    case .comparison(let left, let comparison, let right):
      if grouping == nil, let (collection, exists) = left.existence(comparison, right) {
        return try bind(existsIn: collection, exists == isNegated, depth: depth)
      }
      return try bind(left, comparison, right, isNegated: isNegated)
    case .isIn(let expression, let values): return try bind(expression, in: values, isNegated)
    case .text(let first, let test, let second):
      return try bind(first, test, second, isNegated: isNegated)
    case .isInVariable(_, let name): throw unboundVariable(name)
    case .exists, .quantified, .isKind:
      if grouping != nil {
        throw invalid("a condition on groups asks for relationships or for the entity")
      }
      return try partOfObject(part, depth: depth)
    }
  }

  /// A condition on the relationships, or on the entity, of an object.
  private mutating func partOfObject(_ part: Negatable, depth: Int) throws -> BoundPart {
    let isNegated = part.isNegated
    switch part.predicate {
    case .exists(let collection):
      return try bind(existsIn: collection, isNegated, depth: depth)
    case .quantified(let quantifier, let comparison):
      let expanded = try expand(quantifier, comparison)
      return try self.part(Negatable(expanded, isNegated: isNegated), depth: depth)
    case .isKind(let name):
      guard let kind = try subentity(name) else { return .constant(!isNegated) }
      return .condition(
        .ofKind(kind, .constant(!isNegated), otherwise: .constant(isNegated)))
    default: return .constant(!isNegated)
    }
  }

  /// Binds the parts of an "and" or "or", and flattens nested lists of the same kind, so that a
  /// chain of conditions does not count as nested.
  private mutating func bind(list: Negatable, isAnd: Bool, depth: Int) throws -> QueryCondition {
    guard depth < PredicateBinder.maximumNesting else {
      throw PersistenceError(
        .tooComplex, entity: layout.name,
        found: "'and' and 'or' are nested more than \(PredicateBinder.maximumNesting) levels deep")
    }
    let lists = EqualityLists(isAnd: isAnd)
    var parts: [BoundPart] = []
    var equalityCount = 0
    var rest = [list]
    while let next = rest.popLast() {
      switch next.predicate {
      case .and(let inner) where isAnd != next.isNegated,
        .or(let inner) where isAnd == next.isNegated:
        rest.reserveCapacity(rest.count + inner.count)
        parts.reserveCapacity(parts.count + inner.count)
        for part in inner.reversed() {
          rest.append(Negatable(part, isNegated: next.isNegated))
        }
      default:
        let part = try part(next, depth: depth + 1)
        if lists.isList(part) { equalityCount += 1 }
        switch part {
        case .condition(.and(let inner)) where isAnd, .condition(.or(let inner)) where !isAnd:
          parts += inner.map(BoundPart.condition)
        default: parts.append(part)
        }
      }
    }
    // Most conditions have none that could be joined, and should not pay for the lists.
    if equalityCount > 1 { parts = lists.join(parts) }
    if parts.count == 1 { return lift(parts[0]) }
    let conditions = parts.map { lift($0) }
    return isAnd ? .and(conditions) : .or(conditions)
  }

  /// Makes the constants of a part parameters.
  mutating func lift(_ part: BoundPart) -> QueryCondition {
    switch part {
    case .condition(let condition): return condition
    case .comparison(let term, let comparison, let constant, let resultForNull):
      parameters.append(constant)
      return .holds(
        term, comparison, .parameter(parameters.count - 1), resultForNull: resultForNull)
    case .list(let term, let values, let isNegated, let resultForNull):
      let start = parameters.count
      parameters += values
      return .isIn(
        term, parameters: start..<parameters.count, isNegated: isNegated,
        resultForNull: resultForNull)
    }
  }
}
