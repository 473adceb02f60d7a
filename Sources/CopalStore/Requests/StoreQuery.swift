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

  /// Whether objects of an entity can be in the result.
  public func finds(entity: Int, in schema: StoreSchema) -> Bool {
    includesSubentities
      ? schema.isEntity(entity, kindOf: self.entity) : entity == self.entity
  }
}
