import CopalEssentials
public import CopalModel

/// Translates fetch requests for a store: names become slots, constants take the attributes' types, and negations
/// are moved into the comparisons.
public struct PredicateBinder {
  private let layout: EntityLayout

  /// The greatest depth of nested "and" and "or": every store supports it.
  static let maximumNesting = 25

  /// An upper bound for limits and offsets: larger than any store, and small enough that sums do
  /// not overflow.
  static let maximumCount = Int.max / 4

  /// A binder for the requests of one entity.
  public init(_ layout: EntityLayout) { self.layout = layout }

  /// Translates a request.
  ///
  /// - Throws: ``PersistenceError`` with the code `request.unknownProperty`, `request.predicateType` for a
  ///   constant of another type, `request.notQueryable` for a transient or transformable attribute,
  ///   `request.tooComplex` for a condition that is nested too deeply, or `request.invalidLimit` for a negative
  ///   limit or offset.
  public func bind<Object>(_ request: FetchRequest<Object>) throws -> StoreQuery {
    let parts = [("limit", request.limit ?? 0), ("offset", request.offset)]
    let negative = parts.filter { $0.1 < 0 }.map { "\($0.0) \($0.1)" }
    guard negative.isEmpty else {
      throw PersistenceError(
        .invalidLimit, entity: layout.name, found: negative.joined(separator: " and "))
    }
    return StoreQuery(
      entity: layout.index, predicate: try request.predicate.map { try bind($0) },
      sortKeys: try sortKeys(request.sortKeys),
      limit: request.limit.map { min($0, Self.maximumCount) },
      offset: min(request.offset, Self.maximumCount))
  }

  /// The sort keys without repeated attributes, because the second key of an attribute has no
  /// effect. So there are never more keys than attributes, and every store can sort by them.
  private func sortKeys(_ keys: [FetchSortKey]) throws -> [BoundSortKey] {
    if keys.count < 2 { return try keys.map(bind) }
    var seen = SlotSet(count: layout.attributes.count)
    var bound: [BoundSortKey] = []
    for key in keys {
      let key = try bind(key)
      if seen.contains(key.slot) { continue }
      seen.insert(key.slot)
      bound.append(key)
    }
    return bound
  }

  private func bind(_ key: FetchSortKey) throws -> BoundSortKey {
    BoundSortKey(slot: try slot(key.attribute), isAscending: key.isAscending)
  }

  /// Translates a condition.
  ///
  /// - Throws: as ``bind(_:)`` for a request.
  public func bind(_ predicate: FetchPredicate) throws -> BoundPredicate {
    try bind(Negatable(predicate), depth: 0)
  }

  /// A predicate without the negations around it, and whether it is negated.
  private struct Negatable {
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

  private func bind(_ part: Negatable, depth: Int) throws -> BoundPredicate {
    let isNegated = part.isNegated
    switch part.predicate {
    case .constant(let flag): return .constant(flag != isNegated)
    case .not(let inner): return try bind(Negatable(inner, isNegated: !isNegated), depth: depth)
    case .and: return try bind(list: part, isAnd: !isNegated, depth: depth)
    case .or: return try bind(list: part, isAnd: isNegated, depth: depth)
    case .comparison(let left, let comparison, let right):
      return try bind(left, comparison, right, isNegated)
    case .isIn(let expression, let values): return try bind(expression, in: values, isNegated)
    }
  }

  /// Binds the parts of an "and" or "or", and flattens nested lists of the same kind, so that a
  /// chain of conditions does not count as nested.
  private func bind(list: Negatable, isAnd: Bool, depth: Int) throws -> BoundPredicate {
    guard depth < Self.maximumNesting else {
      throw PersistenceError(
        .tooComplex, entity: layout.name,
        found: "'and' and 'or' are nested more than \(Self.maximumNesting) levels deep")
    }
    var parts: [BoundPredicate] = []
    var rest = [list]
    while let next = rest.popLast() {
      switch next.predicate {
      case .and(let inner) where isAnd != next.isNegated,
        .or(let inner) where isAnd == next.isNegated:
        rest += inner.reversed().map { Negatable($0, isNegated: next.isNegated) }
      default: parts.append(try bind(next, depth: depth + 1))
      }
    }
    parts = EqualityLists(isAnd: isAnd).join(parts)
    if parts.count == 1 { return parts[0] }
    return isAnd ? .and(parts) : .or(parts)
  }

  private func bind(
    _ left: FetchPredicate.Expression, _ comparison: FetchPredicate.Operator,
    _ right: FetchPredicate.Expression, _ isNegated: Bool
  ) throws -> BoundPredicate {
    switch (left, right) {
    case (.attribute(let name), .constant(let value)):
      let slot = try slot(name, isNullTest: value.isNull)
      return try bind(slot, comparison, value, isNegated)
    case (.constant(let value), .attribute(let name)):
      let slot = try slot(name, isNullTest: value.isNull)
      return try bind(slot, comparison.mirrored, value, isNegated)
    case (.attribute(let a), .attribute(let b)):
      let (first, second) = (try slot(a), try slot(b))
      guard areComparable(first, second) else {
        throw wrongType(second, found: layout.attributes[second].type.rawValue, comparedWith: first)
      }
      let effective = isNegated ? comparison.negated : comparison
      // NOT (a < b) is also true where one of them is null.
      let isOrder = comparison != .equal && comparison != .notEqual
      return .compareSlots(first, effective, second, resultForNull: isNegated && isOrder)
    case (.constant(let a), .constant(let b)):
      return .constant(ValueOrder.compare(a, comparison, b) != isNegated)
    }
  }

  private func bind(
    _ slot: Int, _ comparison: FetchPredicate.Operator, _ value: PropertyValue, _ isNegated: Bool
  ) throws -> BoundPredicate {
    if value.isNull {
      switch comparison {
      case .equal: return isNegated ? .isNotNull(slot) : .isNull(slot)
      case .notEqual: return isNegated ? .isNull(slot) : .isNotNull(slot)
      default: return .constant(isNegated)
      }
    }
    let constant = try convert(value, for: slot)
    if constant.isNaN { return .constant((comparison == .notEqual) != isNegated) }
    let effective = isNegated ? comparison.negated : comparison
    // With a null, every comparison is false, except that a null differs from every constant.
    let forNull = (comparison == .notEqual) != isNegated
    return .compare(slot, effective, constant, resultForNull: forNull)
  }

  private func bind(
    _ expression: FetchPredicate.Expression, in values: [PropertyValue], _ isNegated: Bool
  ) throws -> BoundPredicate {
    switch expression {
    case .constant(let value):
      let isIn = values.contains { ValueOrder.compare(value, .equal, $0) }
      return .constant(isIn != isNegated)
    case .attribute(let name):
      let slot = try slot(name)
      let hasNull = values.contains(.null)
      let others = try values.filter { !$0.isNull }.map { try convert($0, for: slot) }
        .filter { !$0.isNaN }
      return .isIn(slot, others, isNegated: isNegated, resultForNull: hasNull != isNegated)
    }
  }

  /// - Parameter isNullTest: whether the query only asks for null, which is allowed for every
  ///   stored attribute.
  private func slot(_ name: String, isNullTest: Bool = false) throws -> Int {
    guard let slot = layout.slotByName[name] else {
      throw PersistenceError(
        .unknownProperty, entity: layout.name, property: name,
        suggestion: NearestName.of(name, among: layout.slotByName.keys))
    }
    let attribute = layout.attributes[slot]
    guard !attribute.isTransient else {
      throw PersistenceError(
        .notQueryable, entity: layout.name, property: name, found: "transient")
    }
    guard attribute.type != .transformable || isNullTest else {
      throw PersistenceError(
        .notQueryable, entity: layout.name, property: name, found: "transformable")
    }
    return slot
  }

  private func areComparable(_ a: Int, _ b: Int) -> Bool {
    let (first, second) = (layout.attributes[a], layout.attributes[b])
    func family(_ type: AttributeType) -> String {
      switch type {
      case .integer16, .integer32, .integer64, .integer: "integer"
      case .float, .double: "real"
      default: type.rawValue
      }
    }
    return family(first.type) == family(second.type) && first.scale == second.scale
  }

  /// A constant as the attribute's type; integers are converted to reals and decimals.
  private func convert(_ value: PropertyValue, for slot: Int) throws -> PropertyValue {
    let attribute = layout.attributes[slot]
    switch (attribute.type, value) {
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer),
      (.integer, .integer), (.float, .double), (.double, .double), (.decimal, .decimal),
      (.boolean, .boolean), (.date, .date), (.string, .string), (.binary, .binary),
      (.uuid, .uuid), (.uri, .uri):
      return value
    case (.float, .integer(let number)), (.double, .integer(let number)):
      guard let exact = Double(exactly: number) else { break }
      return .double(exact)
    case (.decimal, .integer(let number)): return .decimal(Decimal(number))
    default: break
    }
    throw wrongType(slot, found: value.kind, comparedWith: slot)
  }

  private func wrongType(_ slot: Int, found: String, comparedWith other: Int) -> PersistenceError {
    PersistenceError(
      .predicateType, entity: layout.name, property: layout.attributes[other].name, found: found,
      expected: layout.attributes[other].type.rawValue)
  }
}

extension PropertyValue {
  /// Whether the value is not a number: it equals nothing.
  fileprivate var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    case .decimal(let number): number.isNaN
    default: false
    }
  }
}
