/// Which stored doubles read as which float.
///
/// A float is stored as a double, exactly. Another program can store a double between two floats,
/// such as 0.1. It reads as the nearest float. Conditions use the same rounding: they compare with
/// the boundaries between floats.
public enum FloatRounding {
  /// The doubles that round to the given float, which must not be NaN. Only an infinity itself
  /// rounds to it.
  public static func doubles(nearest float: Float) -> ClosedRange<Double> {
    guard float.isFinite else { return Double(float)...Double(float) }
    if float == 0 { return -half(of: .leastNonzeroMagnitude)...half(of: .leastNonzeroMagnitude) }
    let (below, above) = (boundary(float, float.nextDown), boundary(float, float.nextUp))
    // A double halfway between two floats is rounded to the one with the even last digit.
    let isEven = float.bitPattern & 1 == 0
    return isEven ? below...above : below.nextUp...above.nextDown
  }

  /// The greatest float that is less than or equal to the number.
  public static func float(notAbove number: Double) -> Float {
    let nearest = Float(number)
    return Double(nearest) > number ? nearest.nextDown : nearest
  }

  /// The least float that is greater than or equal to the number.
  public static func float(notBelow number: Double) -> Float {
    let nearest = Float(number)
    return Double(nearest) < number ? nearest.nextUp : nearest
  }

  /// The number rounded to the nearest float; nil when it is finite and too large for a float.
  @inlinable
  public static func rounded(_ number: Double) -> Double? {
    // A database can lose a negative zero, so rows have none.
    let float = Double(Float(number)) + 0
    return float.isFinite || number.isInfinite ? float : nil
  }

  /// The double halfway between two neighbors; beyond the greatest float, at the same distance as
  /// on its other side.
  private static func boundary(_ float: Float, _ neighbor: Float) -> Double {
    guard neighbor.isFinite else {
      let inner = float > 0 ? float.nextDown : float.nextUp
      return Double(float) + (Double(float) - Double(inner)) / 2
    }
    return Double(float) + (Double(neighbor) - Double(float)) / 2
  }

  private static func half(of float: Float) -> Double { Double(float) / 2 }
}
