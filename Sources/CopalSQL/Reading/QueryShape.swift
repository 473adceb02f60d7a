import CopalModel
public import CopalStore

/// A query without its constants. Queries of one shape use the same statement with other bindings.
///
/// Programs repeat a few queries. Comparing a query with a shape takes a tenth of the time that making its SQL
/// text takes.
public struct QueryShape: Sendable {
  private let predicate: BoundPredicate?
  private let sortKeys: [BoundSortKey]
  private let hasLimit: Bool
  private let hasOffset: Bool

  /// The shape of a query. It does not keep the constants, because a blob can be large.
  public init(of query: StoreQuery) {
    predicate = query.predicate.map(Self.withoutConstants)
    sortKeys = query.sortKeys
    hasLimit = query.limit != nil
    hasOffset = query.offset != 0
  }

  /// Whether a query of the same entity has this shape.
  public func fits(_ query: StoreQuery) -> Bool {
    hasLimit == (query.limit != nil) && hasOffset == (query.offset != 0)
      && sortKeys == query.sortKeys && Self.isSame(predicate, query.predicate)
  }

  private static func withoutConstants(_ predicate: BoundPredicate) -> BoundPredicate {
    switch predicate {
    case .constant, .isNull, .isNotNull, .compareSlots: predicate
    case .compare(let slot, let comparison, _, let resultForNull):
      .compare(slot, comparison, .null, resultForNull: resultForNull)
    case .isIn(let slot, let values, let isNegated, let resultForNull):
      .isIn(
        slot, [PropertyValue](repeating: .null, count: values.count), isNegated: isNegated,
        resultForNull: resultForNull)
    case .and(let parts): .and(parts.map(withoutConstants))
    case .or(let parts): .or(parts.map(withoutConstants))
    }
  }

  private static func isSame(_ a: BoundPredicate?, _ b: BoundPredicate?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    switch (a, b) {
    case (
      .compare(let slot, let comparison, _, let resultForNull), .compare(let s, let c, _, let o)
    ):
      return slot == s && comparison == c && resultForNull == o
    case (
      .isIn(let slot, let values, let isNegated, let resultForNull),
      .isIn(let s, let v, let n, let o)
    ):
      return slot == s && values.count == v.count && isNegated == n && resultForNull == o
    case (.and(let parts), .and(let others)), (.or(let parts), .or(let others)):
      guard parts.count == others.count else { return false }
      for index in parts.indices where !isSame(parts[index], others[index]) { return false }
      return true
    default: return a == b
    }
  }
}

extension SelectTranslator {
  /// The bindings that the statements of ``rows(_:_:)`` and ``keys(_:_:)`` have for a query, without the text.
  ///
  /// - Returns: nil where the text depends on the constants: a decimal that has more digits than its
  ///   attribute's scale becomes another condition.
  public func bindings(_ query: StoreQuery) -> [SQLBinding]? {
    var bindings: [SQLBinding] = []
    if let predicate = query.predicate, !collect(predicate, &bindings) { return nil }
    if query.limit != nil || query.offset != 0 {
      bindings += dialect.limitBindings(query.limit, offset: query.offset)
    }
    return bindings
  }

  private func collect(_ predicate: BoundPredicate, _ bindings: inout [SQLBinding]) -> Bool {
    switch predicate {
    case .constant, .isNull, .isNotNull, .compareSlots: return true
    case .compare(let slot, let comparison, let value, _):
      if mapping.layout.attributes[slot].scale != nil { return false }
      if let bounds = FloatBounds(comparison, value, mapping.layout, slot) {
        bindings += bounds.bindings
      } else {
        bindings.append(mapping.binding(ofConstant: value, slot: slot))
      }
      return true
    case .isIn(let slot, let values, _, _):
      if mapping.layout.attributes[slot].scale != nil { return false }
      if let ranges = FloatBounds.list(values, mapping.layout, slot) {
        for range in ranges { bindings += range.bindings }
      } else {
        for value in values { bindings.append(mapping.binding(ofConstant: value, slot: slot)) }
      }
      return true
    case .and(let parts), .or(let parts):
      for part in parts where !collect(part, &bindings) { return false }
      return true
    }
  }
}
