public import CopalModel

/// A fetch request as a store receives it, with slots instead of names. ``PredicateBinder`` makes
/// it.
///
/// The condition has numbers in place of its constants; the constants are the ``parameters``.
/// Everything that the statement of a query depends on is its ``shape(_:)``.
public struct StoreQuery: Sendable, Hashable {
  /// The position of the entity in the schema.
  public var entity: Int
  /// Whether objects of subentities are found as well.
  public var includesSubentities: Bool
  /// The condition; nil for all objects of the entity.
  public var condition: QueryCondition?
  /// The constants of the condition: not null, not NaN, and of the types of the slots that they are
  /// compared with. A parameter that is compared with the key of the object is an integer: a key.
  public var parameters: [PropertyValue]
  /// The order, the most significant key first. Objects that are equal in all keys are in the order
  /// of their keys.
  public var sortKeys: [BoundSortKey]
  /// The greatest number of objects in the result; nil means no limit. Never negative.
  public var limit: Int?
  /// The number of objects to leave out at the start. Never negative.
  public var offset: Int

  /// A query for the objects of the entity at a position in the schema.
  public init(
    entity: Int, condition: QueryCondition? = nil, parameters: [PropertyValue] = [],
    sortKeys: [BoundSortKey] = [], limit: Int? = nil, offset: Int = 0,
    includesSubentities: Bool = true
  ) {
    self.entity = entity
    self.includesSubentities = includesSubentities
    self.condition = condition
    self.parameters = parameters
    self.sortKeys = sortKeys
    self.limit = limit
    self.offset = offset
  }
}

extension StoreQuery {
  /// A query for the objects of the entity at a position in the schema that have some keys.
  package init(entity: Int, keys: ArraySlice<Int64>) {
    self.init(
      entity: entity,
      condition: .isIn(.key, parameters: 0..<keys.count, isNegated: false, resultForNull: false),
      parameters: keys.map { .integer($0) })
  }

  /// A number for the place of an object in the order of insertion: objects that have not been
  /// saved, whose keys are negative, come after all others.
  static func orderOfInsertion(_ key: Int64) -> Int64 { key > 0 ? key : (1 << 62) &- key }

  /// Whether the query has no condition and no order: all objects of the entity are found, in the
  /// order of their keys. The limit and the offset can leave out some of them.
  public var findsAll: Bool { condition == nil && sortKeys.isEmpty }

  /// Whether objects of an entity can be in the result.
  public func finds(entity: Int, in schema: StoreSchema) -> Bool {
    includesSubentities
      ? schema.isEntity(entity, kindOf: self.entity) : entity == self.entity
  }
}

/// The only objects that a query can find.
enum QueryCandidates {
  /// Those of some keys.
  case keys(Set<Int64>)
  /// Those that refer to the object of a key.
  case referrers(Int64, EntityLayout.Reference)
}

extension StoreQuery {
  /// The only objects that the condition can be true for, if it has a key or a related object; nil
  /// if it can be true for any.
  func candidates(_ layout: EntityLayout) -> QueryCandidates? {
    condition.flatMap { candidates($0, layout) }
  }

  private func candidates(_ condition: QueryCondition, _ layout: EntityLayout) -> QueryCandidates? {
    func integer(_ parameter: Int) -> Int64? {
      guard case .integer(let number) = parameters[parameter] else { return nil }
      return number
    }
    switch condition {
    case .isIn(.key, let parameters, isNegated: false, resultForNull: _):
      return .keys(Set(parameters.compactMap(integer)))
    case .holds(.key, .equal, .parameter(let parameter), resultForNull: _):
      return integer(parameter).map { .keys([$0]) }
    case .holds(.slot(let slot), .equal, .parameter(let parameter), resultForNull: false):
      guard let reference = layout.references.first(where: { $0.slot == slot }) else { return nil }
      return integer(parameter).map { .referrers($0, reference) }
    case .and(let parts): return parts.lazy.compactMap { candidates($0, layout) }.first
    default: return nil
    }
  }
}
