import CopalModel
public import CopalStore

/// The choice between ``ReadingPlan/byIndex`` and ``ReadingPlan/byKey`` for a fetch that has no
/// order and has a range of an indexed attribute as its condition: the index is better for a small
/// range, the key for a large one, and with a limit that is reached soon.
///
/// A database chooses when it prepares a statement. It does not know the constants then, and
/// usually not the distribution of the values: it reads the complete table by key for `price >
/// 1000`. So the objects in the range are counted first, up to the number from which on reading by
/// key is faster. The count takes a thirtieth of the time of the fetch of this many objects.
public struct RangeChoice {
  /// The part of the condition that the index can answer: the range to count. It has the parameters
  /// of the query.
  public let range: QueryCondition
  /// The limit of the fetch plus its offset.
  private let wantedCount: Double?

  /// The choice for a query.
  ///
  /// - Parameter schema: the schema of the entity, for conditions about subentities.
  /// - Returns: nil when there is no choice: for a query with an order or without such a range, for
  ///   a query that an index answers with the objects of one value, which are in the order of the
  ///   key, and for ranges of several attributes, because only the database can choose between
  ///   their indexes.
  public init?(_ query: StoreQuery, _ layout: EntityLayout, in schema: StoreSchema? = nil) {
    guard query.sortKeys.isEmpty, let condition = query.condition,
      !layout.leadingSlots.isEmpty || schema?.descendants[layout.index].isEmpty == false
    else { return nil }
    let parts: [QueryCondition] = if case .and(let parts) = condition { parts } else { [condition] }
    var ranges: [QueryCondition] = []
    var rangeProperty: Property?
    for part in parts {
      let (condition, layout) = Self.ofSubentity(part, schema) ?? (part, layout)
      switch condition {
      // An equality of the key finds its rows without an index.
      case .holds(.key, .equal, .parameter, _), .isIn(.key, parameters: _, isNegated: false, _):
        return nil
      case .holds(.slot(let slot), .equal, .parameter, _),
        .isIn(.slot(let slot), parameters: _, isNegated: false, _):
        if layout.leadingSlots.contains(slot) { return nil }
      case .isNull(.slot(let slot), isNegated: false):
        if layout.completeLeadingSlots.contains(slot) { return nil }
      case .holds(.slot(let slot), let comparison, .parameter, let resultForNull):
        guard comparison != .notEqual, layout.leadingSlots.contains(slot),
          // Not for conditions that also include nulls, which are in another part of the index, and
          // not for decimals, which the index has as texts.
          !(resultForNull && layout.attributes[slot].isOptional),
          layout.attributes[slot].type != .decimal
        else { continue }
        let property = Property(entity: layout.declaringEntities[slot], slot: slot)
        if property != rangeProperty ?? property { return nil }
        rangeProperty = property
        ranges.append(part)
      default: continue
      }
    }
    guard let first = ranges.first else { return nil }
    range = ranges.count == 1 ? first : .and(ranges)
    wantedCount = query.limit.map { Double($0) + Double(query.offset) }
  }

  private struct Property: Equatable {
    let entity: Int
    let slot: Int
  }

  /// The condition for a property that a subentity declares, and the layout of its slots. Only rows
  /// of the subentity should have a value in this column, so the index has hardly any other rows.
  private static func ofSubentity(
    _ part: QueryCondition, _ schema: StoreSchema?
  ) -> (QueryCondition, EntityLayout)? {
    guard let schema, case .ofKind(let kind, let condition, otherwise: .constant(false)) = part,
      case .holds(.slot(let slot), _, .parameter, _) = condition
    else { return nil }
    let layout = schema.entities[kind.entity]
    return layout.declaringEntities[slot] == kind.entity ? (condition, layout) : nil
  }

  /// The number of objects in the range from which on reading by key is faster; nil for a small
  /// table, where the way makes no difference.
  ///
  /// Reading one object through the index costs as much as leaving out sixteen. With a limit, fewer
  /// rows are read when more objects are in the range. `Docs/Optimizations.md` has the times.
  ///
  /// - Parameter rowCount: an upper bound for the number of rows in the table.
  public func threshold(rowCount: Int64) -> Int? {
    if rowCount < 1000 { return nil }
    let rows = Double(rowCount)
    let sixteenth = rows / 16
    return Int(
      min(sixteenth, wantedCount.map { (rows * $0).squareRoot() / 2 } ?? sixteenth))
  }
}
