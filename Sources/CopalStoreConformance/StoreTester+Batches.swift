package import CopalModel
package import CopalStore

/// Values and batches, by names.
extension StoreTester {
  /// The values of columns, as a context asks for them.
  package func values(
    _ columns: [FetchExpression], where predicate: FetchPredicate? = nil,
    having: FetchPredicate? = nil, sortedBy keys: [ValueRequest.SortKey] = [], limit: Int? = nil,
    offset: Int = 0, isDistinct: Bool = false, includesSubentities: Bool = true,
    of entity: String? = nil
  ) throws -> [[PropertyValue]] {
    let layout = try layout(entity)
    var request = ValueRequest(
      entityName: layout.name,
      columns: columns.enumerated().map { ValueRequest.Column("\($0)", $1) }, predicate: predicate)
    (request.having, request.sortKeys, request.isDistinct) = (having, keys, isDistinct)
    (request.limit, request.offset) = (limit, offset)
    request.includesSubentities = includesSubentities
    return try session.fetchValues(
      PredicateBinder(layout, in: store.schema, keys: self).bind(request))
  }

  /// Deletes objects in a batch.
  package func deleteAll(_ predicate: FetchPredicate? = nil, of entity: String? = nil) throws
    -> BatchOutcome
  {
    try session.execute(.delete(try query(predicate, of: entity))) { _, _, _, value in value }
  }

  /// Gives objects other values in a batch.
  package func updateAll(
    _ predicate: FetchPredicate? = nil, of entity: String? = nil,
    set values: KeyValuePairs<String, FetchExpression>,
    check: BatchCheck = { _, _, _, value in value }
  ) throws -> BatchOutcome {
    let layout = try layout(entity)
    let slots = try values.map { try layout.slot($0.key) }
    var (query, bound) = try PredicateBinder(layout, in: store.schema, keys: self).bind(
      predicate, setting: zip(slots, values.map(\.value)).map { ($0, $1) },
      includesSubentities: true)
    let assignments = zip(slots, bound).map { slot, value -> BatchChange.Assignment in
      switch value {
      case .constant(.null): return BatchChange.Assignment(slot: slot, .null)
      case .constant(let constant):
        query.parameters.append(constant)
        return BatchChange.Assignment(slot: slot, .parameter(query.parameters.count - 1))
      case .calculated(_, let calculation):
        return BatchChange.Assignment(slot: slot, .calculated(calculation))
      }
    }
    return try session.execute(.update(query, assignments), check: check)
  }

  /// Inserts or updates rows in a batch, by their values of a unique constraint.
  package func upsertAll(
    _ rows: [[String: PropertyValue]], on names: [String], of entity: String? = nil
  ) throws -> BatchOutcome {
    let layout = try layout(entity)
    let slots = try names.map { try layout.slot($0) }
    guard let constraint = layout.uniqueConstraints.first(where: { $0.slots == slots }) else {
      throw ConformanceFailure("no unique constraint of \(names)")
    }
    let packed = try rows.map { values in
      BatchChange.Row(
        try PackedRow.of(layout, values),
        given: SlotSet(try values.keys.map { try layout.slot($0) }, count: layout.slotCount))
    }
    return try session.execute(
      .upsert(BatchChange.Upsert(entity: layout.index, on: constraint, packed))
    ) { _, _, _, value in value }
  }
}
