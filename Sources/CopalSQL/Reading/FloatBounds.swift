import CopalModel
import CopalStore

/// What a condition on a column of floats asks of the doubles that are stored there.
///
/// Every store that Copal alone has written holds doubles that are floats, of which these bounds say the same as
/// the floats themselves. They matter for what another program has typed: 0.1 is stored as a double that no
/// float is, reads as the nearest float, and is found by it.
struct FloatBounds {
  /// One bound, or the least and the greatest of the doubles that are equal to a constant.
  let bindings: [SQLBinding]

  /// - Returns: nil where the column is not one of floats.
  init?(
    _ comparison: FetchPredicate.Operator, _ value: PropertyValue, _ layout: EntityLayout,
    _ slot: Int
  ) {
    guard case .double(let number) = value, layout.attributes[slot].type == .float else {
      return nil
    }
    let above = FloatRounding.float(notBelow: number)
    let below = FloatRounding.float(notAbove: number)
    switch comparison {
    case .equal, .notEqual:
      // Nothing is equal to a number that no float is, as nothing lies between 1 and 0.
      let range = FloatRounding.doubles(nearest: above)
      bindings =
        above == below ? [.real(range.lowerBound), .real(range.upperBound)] : [.real(1), .real(0)]
    case .less, .greaterOrEqual:
      bindings = [.real(FloatRounding.doubles(nearest: above).lowerBound)]
    case .greater, .lessOrEqual:
      bindings = [.real(FloatRounding.doubles(nearest: below).upperBound)]
    }
  }

  /// The bounds of a list of values that a column may be equal to.
  ///
  /// - Returns: nil where the column is not one of floats, and for a list so long that a range for each
  ///   would take longer than rounding every float of the table.
  static func list(_ values: [PropertyValue], _ layout: EntityLayout, _ slot: Int) -> [FloatBounds]?
  {
    if values.isEmpty || values.count > 100 { return nil }
    let bounds = values.compactMap { FloatBounds(.equal, $0, layout, slot) }
    return bounds.isEmpty ? nil : bounds
  }
}
