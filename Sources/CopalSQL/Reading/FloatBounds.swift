import CopalModel
import CopalStore

/// A condition on a float attribute, as bounds for the doubles in its column.
///
/// Copal writes only doubles that are exact floats; for them the bounds select the same rows as the
/// floats. They matter for values of other programs: the double 0.1 is not a float. It is read as
/// the nearest float, and a query for that float must find it.
struct FloatBounds {
  /// One bound, or the least and the greatest double that are read as the constant.
  let bindings: [SQLBinding]

  /// - Returns: nil when the attribute is not a float.
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
      // No float equals the constant. The empty range from 1 to 0 expresses that.
      let range = FloatRounding.doubles(nearest: above)
      bindings =
        above == below ? [.real(range.lowerBound), .real(range.upperBound)] : [.real(1), .real(0)]
    case .less, .greaterOrEqual:
      bindings = [.real(FloatRounding.doubles(nearest: above).lowerBound)]
    case .greater, .lessOrEqual:
      bindings = [.real(FloatRounding.doubles(nearest: below).upperBound)]
    }
  }

  /// The bounds for each value of a list.
  ///
  /// - Returns: nil when the attribute is not a float, and for a list so long that rounding every
  ///   float of the table is faster than one range for each value.
  static func list(_ values: [PropertyValue], _ layout: EntityLayout, _ slot: Int) -> [FloatBounds]?
  {
    if values.isEmpty || values.count > 100 { return nil }
    let bounds = values.compactMap { FloatBounds(.equal, $0, layout, slot) }
    return bounds.isEmpty ? nil : bounds
  }
}
