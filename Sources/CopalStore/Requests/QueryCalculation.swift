public import CopalModel

/// A value that a ``QueryCondition`` compares, and that is calculated for each object.
///
/// All values have the form of their type, not that of a column: a decimal with a scale is a
/// decimal, and a float is rounded. A NaN is null.
public struct QueryCalculation: Sendable, Hashable {
  /// The type of the value.
  public let type: QueryValueType
  /// How the value is calculated.
  public let operation: Operation

  /// A value of a type.
  public init(_ type: QueryValueType, _ operation: Operation) {
    self.type = type
    self.operation = operation
  }

  /// How a value is calculated.
  public indirect enum Operation: Sendable, Hashable {
    /// The value of a slot.
    case slot(Int)
    /// The key of the object.
    case key
    /// The constant at a position of ``StoreQuery/parameters``, which has the type of the
    /// calculation.
    case parameter(Int)
    /// No value.
    case null
    /// A value of the object that has the collection, or the to-one relationship, around the
    /// condition; with 2, of the object around that one.
    case outer(Int, QueryCalculation)
    /// A value of the object of the to-one relationship at a slot; null where there is none. The
    /// position of its entity.
    case related(slot: Int, entity: Int, QueryCalculation)
    /// A value of an object of a kind, with the slots of that entity; null for another object.
    case ofKind(EntityKind, QueryCalculation)
    /// The value of a function. ``ValueFunction`` has the meaning.
    case call(FetchFunction, [QueryCalculation])
    /// An aggregate of the objects of a collection; nil for their number. ``ValueAggregate`` has
    /// the meaning.
    case aggregate(FetchAggregate, QueryCollection, QueryCalculation?)
    /// Of a ``ValueQuery``: a value by which it groups, by its position in ``ValueQuery/keys``.
    case group(Int)
    /// Of a ``ValueQuery``: an aggregate, by its position in ``ValueQuery/aggregates``.
    case aggregated(Int)
    /// The first value where the condition is true, the second one where it is false.
    case conditional(QueryCondition, QueryCalculation, QueryCalculation)
  }
}

/// The objects of a to-many relationship that meet a condition.
public struct QueryCollection: Sendable, Hashable {
  /// How many collections and to-one relationships are between the condition and the object that
  /// has the relationship: 0 for the object itself.
  public let level: Int
  /// The position of that object's entity.
  public let entity: Int
  /// The position of the relationship in ``StoreSchema/relationships`` of the entity.
  public let relationship: Int
  /// The position of the entity of the objects.
  public let destination: Int
  /// The condition on the objects, whose slots are those of their entity; nil for all of them.
  public let condition: QueryCondition?

  /// The objects of a relationship of an object, or of one some levels around it.
  public init(
    level: Int = 0, entity: Int, relationship: Int, destination: Int,
    condition: QueryCondition? = nil
  ) {
    self.level = level
    self.entity = entity
    self.relationship = relationship
    self.destination = destination
    self.condition = condition
  }
}

extension QueryCalculation {
  /// Whether the value is about related objects, in a part of it at least.
  package var asksForRelated: Bool {
    switch operation {
    case .related, .aggregate: true
    case .outer(_, let inner), .ofKind(_, let inner): inner.asksForRelated
    case .call(_, let arguments): arguments.contains(where: \.asksForRelated)
    case .conditional(let condition, let first, let second):
      condition.asksForRelated || first.asksForRelated || second.asksForRelated
    case .slot, .key, .parameter, .null, .group, .aggregated: false
    }
  }
}

extension QueryCalculation {
  /// Whether a part of the value is about an object more than some levels around it.
  package func isAboutObject(beyond levels: Int) -> Bool {
    switch operation {
    case .slot, .key, .parameter, .null, .group, .aggregated: false
    case .outer(let count, let inner):
      count > levels || inner.isAboutObject(beyond: levels - count)
    case .related(_, _, let inner): inner.isAboutObject(beyond: levels + 1)
    case .ofKind(_, let inner): inner.isAboutObject(beyond: levels)
    case .call(_, let arguments): arguments.contains { $0.isAboutObject(beyond: levels) }
    case .aggregate(_, let collection, let value):
      collection.isAboutObject(beyond: levels)
        || value?.isAboutObject(beyond: levels + 1) ?? false
    case .conditional(let condition, let first, let second):
      condition.isAboutObject(beyond: levels) || first.isAboutObject(beyond: levels)
        || second.isAboutObject(beyond: levels)
    }
  }
}

extension QueryCollection {
  /// Whether the relationship, or a part of the condition, is of an object more than some levels
  /// around.
  package func isAboutObject(beyond levels: Int) -> Bool {
    level > levels || condition?.isAboutObject(beyond: levels + 1) ?? false
  }
}
