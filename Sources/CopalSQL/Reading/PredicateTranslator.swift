import CopalEssentials
import CopalModel
import CopalStore

/// Translates a bound predicate into a condition in SQL with the same meaning.
struct PredicateTranslator {
  private let mapping: TableMapping
  private let dialect: any SQLDialect

  init(_ mapping: TableMapping, _ dialect: any SQLDialect) {
    self.mapping = mapping
    self.dialect = dialect
  }

  func condition(_ predicate: BoundPredicate) -> SQLFragment {
    switch predicate {
    case .constant(let flag): return dialect.truth(flag)
    case .isNull(let slot): return mapping.column(slot) + " IS NULL"
    case .isNotNull(let slot): return mapping.column(slot) + " IS NOT NULL"
    case .compare(let slot, let comparison, let value, let resultForNull):
      return or(slot, isNull: resultForNull, compare(slot, comparison, value))
    case .compareSlots(let a, let comparison, let b, let resultForNull):
      return compareSlots(a, comparison, b, resultForNull: resultForNull)
    case .isIn(let slot, let values, let isNegated, let resultForNull):
      return or(slot, isNull: resultForNull, isIn(slot, values, isNegated))
    case .and(let parts): return balanced(parts[...], " AND ", empty: true)
    case .or(let parts): return balanced(parts[...], " OR ", empty: false)
    }
  }

  /// Joins parts as a balanced tree, because databases limit the depth of an expression.
  private func balanced(
    _ parts: ArraySlice<BoundPredicate>, _ word: SQLFragment, empty: Bool
  ) -> SQLFragment {
    guard let first = parts.first else { return dialect.truth(empty) }
    if parts.count == 1 { return condition(first) }
    let middle = parts.startIndex + parts.count / 2
    return "(" + balanced(parts[..<middle], word, empty: empty) + word
      + balanced(parts[middle...], word, empty: empty) + ")"
  }

  /// A condition that is also true for null. The column of a required attribute is never null.
  private func or(_ slot: Int, isNull needed: Bool, _ condition: SQLFragment) -> SQLFragment {
    or(
      mapping.column(slot) + " IS NULL", if: needed && mapping.layout.attributes[slot].isOptional,
      condition)
  }

  private func or(_ alternative: SQLFragment, if needed: Bool, _ condition: SQLFragment)
    -> SQLFragment
  {
    needed ? "(" + condition + " OR " + alternative + ")" : condition
  }

  private func compare(
    _ slot: Int, _ comparison: FetchPredicate.Operator, _ value: PropertyValue
  ) -> SQLFragment {
    let column = mapping.column(slot)
    if case .decimal(let number) = value {
      if let scale = mapping.layout.attributes[slot].scale {
        return compareScaled(column, comparison, number, scale)
      }
      if comparison != .equal, comparison != .notEqual {
        return dialect.decimalOrder(column) + sign(comparison)
          + .binding(mapping.binding(ofConstant: value, slot: slot))
      }
    }
    if let bounds = FloatBounds(comparison, value, mapping.layout, slot) {
      return compare(column, comparison, bounds)
    }
    return ordered(slot, column, comparison) + sign(comparison)
      + .binding(mapping.binding(ofConstant: value, slot: slot))
  }

  /// A column in a comparison. Texts compare by their bytes; for equality every database compares them so.
  private func ordered(
    _ slot: Int, _ column: SQLFragment, _ comparison: FetchPredicate.Operator
  ) -> SQLFragment {
    let isOrder = comparison != .equal && comparison != .notEqual
    return isOrder && mapping.layout.storage(slot) == .text ? dialect.bytewise(column) : column
  }

  /// Floats are compared by the range of doubles that are read as them, because other programs may
  /// have stored a double that is not an exact float.
  private func compare(
    _ column: SQLFragment, _ comparison: FetchPredicate.Operator, _ bounds: FloatBounds
  ) -> SQLFragment {
    let values = bounds.bindings.map { SQLFragment.binding($0) }
    guard values.count == 2 else { return column + sign(comparison) + values[0] }
    return column + (comparison == .equal ? " BETWEEN " : " NOT BETWEEN ") + values[0] + " AND "
      + values[1]
  }

  /// Compares a scaled integer with a decimal that may have more digits than the scale. Such a
  /// decimal is between two integers, and the comparison uses the one that gives the same result.
  private func compareScaled(
    _ column: SQLFragment, _ comparison: FetchPredicate.Operator, _ number: Decimal, _ scale: Int
  ) -> SQLFragment {
    if let exact = DecimalText.scaled(number, by: scale) {
      return column + sign(comparison) + .binding(.integer(exact))
    }
    switch comparison {
    case .equal: return dialect.truth(false)
    case .notEqual: return column + " IS NOT NULL"
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let isAbove = comparison == .greater || comparison == .greaterOrEqual
      guard let floor = DecimalText.floor(number, by: scale) else {
        // Beyond all integers: every value is on the same side.
        let isAll = (number < 0) == isAbove
        return isAll ? column + " IS NOT NULL" : dialect.truth(false)
      }
      return column + (isAbove ? " > " : " <= ") + .binding(.integer(floor))
    }
  }

  private func compareSlots(
    _ a: Int, _ comparison: FetchPredicate.Operator, _ b: Int, resultForNull: Bool
  ) -> SQLFragment {
    let (first, second) = (rounded(a), rounded(b))
    switch comparison {
    case .equal: return dialect.isSame(first, second)
    case .notEqual: return dialect.isDifferent(first, second)
    default: break
    }
    let isDecimalText =
      mapping.layout.attributes[a].type == .decimal && mapping.layout.storage(a) == .text
    let order =
      (isDecimalText ? dialect.decimalOrder(first) : ordered(a, first, comparison))
      + sign(comparison) + second
    return or(first + " IS NULL OR " + second + " IS NULL", if: resultForNull, order)
  }

  /// An expression that rounds a column to floats.
  private func rounded(_ slot: Int) -> SQLFragment {
    let column = mapping.column(slot)
    return mapping.layout.attributes[slot].type == .float ? dialect.roundedToFloat(column) : column
  }

  private func isIn(_ slot: Int, _ values: [PropertyValue], _ isNegated: Bool) -> SQLFragment {
    let scale = mapping.layout.attributes[slot].scale
    // A decimal with more digits than the scale equals no stored value.
    let possible = values.filter { value in
      guard let scale, case .decimal(let number) = value else { return true }
      return DecimalText.scaled(number, by: scale) != nil
    }
    if possible.isEmpty {
      return isNegated ? mapping.column(slot) + " IS NOT NULL" : dialect.truth(false)
    }
    if let ranges = FloatBounds.list(values, mapping.layout, slot) {
      let column = mapping.column(slot)
      return (isNegated ? "NOT (" : "(")
        + ranges.map { compare(column, .equal, $0) }.joined(by: " OR ") + ")"
    }
    let list = possible.map { SQLFragment.binding(mapping.binding(ofConstant: $0, slot: slot)) }
    return rounded(slot) + (isNegated ? " NOT IN (" : " IN (") + list.joined(by: ", ")
      + ")"
  }

  private func sign(_ comparison: FetchPredicate.Operator) -> SQLFragment {
    switch comparison {
    case .equal: " = "
    case .notEqual: " <> "
    case .less: " < "
    case .lessOrEqual: " <= "
    case .greater: " > "
    case .greaterOrEqual: " >= "
    }
  }
}
