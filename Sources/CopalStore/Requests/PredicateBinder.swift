public import CopalModel

/// Translates fetch requests for a store: names become slots, constants become parameters of the
/// attributes' types, and negations are moved into the comparisons.
public struct PredicateBinder {
  let layout: EntityLayout
  private let schema: StoreSchema?
  private let keys: (any ObjectKeySource)?

  /// The greatest depth of nested "and" and "or": every store supports it.
  static let maximumNesting = 25

  /// An upper bound for limits and offsets: larger than any store, and small enough that sums do
  /// not overflow.
  static let maximumCount = Int.max / 4

  /// A binder for the requests of one entity.
  ///
  /// - Parameters:
  ///   - schema: the schema of the entity, for conditions that name its subentities; nil when there
  ///     are none.
  ///   - keys: finds the objects that a condition names by their ids; nil when there are none.
  public init(
    _ layout: EntityLayout, in schema: StoreSchema? = nil, keys: (any ObjectKeySource)? = nil
  ) {
    self.layout = layout
    self.schema = schema
    self.keys = keys
  }

  /// Translates a request.
  ///
  /// - Throws: ``PersistenceError`` with the code `request.unknownProperty`,
  ///   `request.predicateType` for a constant of another type, `request.notText` for a test of the
  ///   text of another attribute, `request.invalidPattern` for a pattern that is not a regular
  ///   expression, `request.notQueryable` for a transient, transformable or external attribute and
  ///   for an order of objects, `request.unknownEntity` and `request.unrelatedEntity` for an entity
  ///   in a condition, `request.tooComplex` for a condition that is nested too deeply, or
  ///   `request.invalidLimit` for a negative limit or offset.
  public func bind<Object>(_ request: FetchRequest<Object>) throws -> StoreQuery {
    var query = try bind(
      request.predicate, request.sortKeys, limit: request.limit, offset: request.offset)
    query.includesSubentities = request.includesSubentities
    return query
  }

  /// Translates a condition, and the expressions that slots get new values from. They share the
  /// parameters of the query.
  ///
  /// - Returns: for each expression, the constant that it is, or how its value is calculated, with
  ///   the type of the slot.
  /// - Throws: as the other function; `request.predicateType` for a value that does not have the
  ///   type of its slot.
  public func bind(
    _ predicate: FetchPredicate?, setting assignments: [(slot: Int, value: FetchExpression)],
    includesSubentities: Bool
  ) throws -> (query: StoreQuery, values: [BoundValue]) {
    do {
      var query = try bindNames(nil, [], limit: nil, offset: 0)
      query.includesSubentities = includesSubentities
      var binder = ConditionBinder(layout, schema, keys)
      query.condition = try predicate.map { try binder.bind($0) }
      var values: [BoundValue] = []
      for (slot, expression) in assignments {
        switch try binder.operand(expression) {
        case .constant(let value): values.append(.constant(value))
        case .value(let calculation):
          let type = QueryValueType(layout.types[slot]) ?? calculation.type
          values.append(
            .calculated(slot: slot, try binder.converted(.value(calculation), to: type)))
        }
      }
      query.parameters = binder.parameters
      return (query, values)
    } catch let error as PersistenceError where error.code == .unknownProperty {
      throw withSubentities(error)
    }
  }

  /// A new value for a slot.
  public enum BoundValue: Sendable, Hashable {
    /// A constant, which may be of another type than the slot.
    case constant(PropertyValue)
    /// A value that is calculated for each object.
    case calculated(slot: Int, QueryCalculation)
  }

  // Not generic, so that it is compiled once for all classes.
  private func bind(
    _ predicate: FetchPredicate?, _ sortKeys: [FetchSortKey], limit: Int?, offset: Int
  ) throws -> StoreQuery {
    do {
      return try bindNames(predicate, sortKeys, limit: limit, offset: offset)
    } catch let error as PersistenceError where error.code == .unknownProperty {
      throw withSubentities(error)
    }
  }

  /// The error of an unknown property, with the subentities of the fetched entity that have the
  /// property.
  private func withSubentities(_ error: PersistenceError) -> PersistenceError {
    guard let schema, let property = error.property, error.entity == layout.name else {
      return error
    }
    let first = String(property.prefix { $0 != "." })
    let names = schema.descendants[layout.index].map { schema.entities[$0] }
      .filter { $0.slotByName[first] != nil || $0.toManyNames.contains(first) }.map(\.name)
    if names.isEmpty { return error }
    var error = error
    error.expected = names.joined(separator: ", ")
    return error
  }

  private func bindNames(
    _ predicate: FetchPredicate?, _ sortKeys: [FetchSortKey], limit: Int?, offset: Int
  ) throws -> StoreQuery {
    if limit ?? 0 < 0 || offset < 0 { throw invalidLimit(limit ?? 0, offset) }
    var query = StoreQuery(
      entity: layout.index, sortKeys: try bind(sortKeys),
      limit: limit.map { min($0, Self.maximumCount) }, offset: min(offset, Self.maximumCount))
    if let predicate {
      var binder = ConditionBinder(layout, schema, keys)
      let condition = try binder.bind(predicate)
      try binder.requireNesting { $0.of(condition) }
      query.condition = condition
      query.parameters = binder.parameters
    }
    return query
  }

  /// A key for an attribute of related objects; nil for a name that is no path.
  private func bindRelated(_ key: FetchSortKey) throws -> BoundSortKey? {
    var binder = conditionBinder()
    guard try binder.hop(.property(key.property)) != nil,
      case .value(let value) = try binder.operand(.property(key.property))
    else { return nil }
    if case .object = value.type { throw hasNoOrder(key) }
    if key.textOrder != .bytes, value.type != .string {
      throw PersistenceError(
        .notText, entity: layout.name, property: key.property, found: value.type.name)
    }
    try binder.requireNesting { $0.of(value) }
    return BoundSortKey(
      related: value, isAscending: key.isAscending, textOrder: key.textOrder,
      nilOrder: key.nilOrder)
  }

  private func hasNoOrder(_ key: FetchSortKey) -> PersistenceError {
    PersistenceError(
      .notQueryable, entity: layout.name, property: key.property,
      found: "a relationship to one object",
      expected:
        "so it has no order; sort by an attribute of the object, with a path that begins with '\(key.property).'"
    )
  }

  /// The binder of a condition of the entity.
  func conditionBinder() -> ConditionBinder { ConditionBinder(layout, schema, keys) }

  private func invalidLimit(_ limit: Int, _ offset: Int) -> PersistenceError {
    let negative = [("limit", limit), ("offset", offset)].filter { $0.1 < 0 }
    return PersistenceError(
      .invalidLimit, entity: layout.name,
      found: negative.map { "\($0.0) \($0.1)" }.joined(separator: " and "))
  }

  /// The sort keys without those that have no effect: a second key of an attribute with the same
  /// order of texts, or after one that orders all values. So there are only a few keys for each
  /// attribute, and every store can sort by them.
  private func bind(_ keys: [FetchSortKey]) throws -> [BoundSortKey] {
    if keys.isEmpty { return [] }
    if keys.count == 1 { return [try bind(keys[0])] }
    var seen: Set<OrderedSlot> = []
    var bound: [BoundSortKey] = []
    for key in keys {
      let key = try bind(key)
      if key.related != nil {
        // A second key for the same value has no effect.
        if !bound.contains(where: { $0.related == key.related && $0.textOrder == key.textOrder }) {
          bound.append(key)
        }
        continue
      }
      if seen.contains(OrderedSlot(slot: key.slot, textOrder: .bytes)) { continue }
      if seen.insert(OrderedSlot(slot: key.slot, textOrder: key.textOrder)).inserted {
        bound.append(key)
      }
    }
    return bound
  }

  private struct OrderedSlot: Hashable {
    let slot: Int
    let textOrder: FetchSortKey.TextOrder
  }

  private func bind(_ key: FetchSortKey) throws -> BoundSortKey {
    if key.property.utf8.contains(UInt8(ascii: ".")), let related = try bindRelated(key) {
      return related
    }
    let slot = try layout.querySlot(key.property)
    if layout.reference(ofSlot: slot) != nil { throw hasNoOrder(key) }
    if key.textOrder != .bytes, layout.types[slot] != .string {
      throw PersistenceError(
        .notText, entity: layout.name, property: key.property, found: layout.types[slot].rawValue)
    }
    // Only a value that cannot be read is missing in a required attribute.
    return BoundSortKey(
      slot: slot, isAscending: key.isAscending, textOrder: key.textOrder,
      nilOrder: layout.attributes[slot].isOptional ? key.nilOrder : nil)
  }
}

/// Finds the keys of the objects that a condition names by their ids. A context implements it.
public protocol ObjectKeySource {
  /// The key of the object of an id, if it is an object of a root's entities.
  ///
  /// - Parameter root: the position of the root in the schema.
  /// - Returns: nil for an id of another store, or of an entity with another root; a negative key
  ///   for an object that has not been saved.
  func key(of id: ManagedObjectID, root: Int) -> Int64?
}
