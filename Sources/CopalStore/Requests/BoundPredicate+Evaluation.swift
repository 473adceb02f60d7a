public import CopalModel

/// A condition evaluated in memory, with the same result as its SQL.
extension BoundPredicate {
  /// Whether the condition is true for an object, evaluated in memory.
  ///
  /// - Parameter value: returns the object's value at a slot.
  public func isTrue(_ value: (Int) -> PropertyValue) -> Bool {
    switch self {
    case .constant(let flag): return flag
    case .isNull(let slot): return value(slot).isNull
    case .isNotNull(let slot): return !value(slot).isNull
    case .compare(let slot, let comparison, let constant, let resultForNull):
      let found = value(slot)
      return found.isNull ? resultForNull : ValueOrder.compare(found, comparison, constant)
    case .compareSlots(let a, let comparison, let b, let resultForNull):
      let (first, second) = (value(a), value(b))
      let isOrder = comparison != .equal && comparison != .notEqual
      if isOrder, first.isNull || second.isNull { return resultForNull }
      return ValueOrder.compare(first, comparison, second)
    case .isIn(let slot, let values, let isNegated, let resultForNull):
      let found = value(slot)
      if found.isNull { return resultForNull }
      return values.contains { ValueOrder.compare(found, .equal, $0) } != isNegated
    case .and(let parts): return parts.allSatisfy { $0.isTrue(value) }
    case .or(let parts): return parts.contains { $0.isTrue(value) }
    }
  }
}
