/// The doubles that read as each float.
///
/// A float is stored as a double, exactly. Another program may store a double that no float is, such as 0.1;
/// it reads as the nearest float, and conditions see it so too: they ask for the doubles on the right side of
/// the boundaries between two floats.
public enum FloatRounding {
  /// The doubles whose nearest float is the given one, which is a number. An infinity is nothing else's.
  public static func doubles(nearest float: Float) -> ClosedRange<Double> {
    guard float.isFinite else { return Double(float)...Double(float) }
    if float == 0 { return -half(of: .leastNonzeroMagnitude)...half(of: .leastNonzeroMagnitude) }
    let (below, above) = (boundary(float, float.nextDown), boundary(float, float.nextUp))
    // What lies just between two floats reads as the one with the even last digit.
    let isEven = float.bitPattern & 1 == 0
    return isEven ? below...above : below.nextUp...above.nextDown
  }

  /// The greatest float that is not above a number.
  public static func float(notAbove number: Double) -> Float {
    let nearest = Float(number)
    return Double(nearest) > number ? nearest.nextDown : nearest
  }

  /// The least float that is not below a number.
  public static func float(notBelow number: Double) -> Float {
    let nearest = Float(number)
    return Double(nearest) < number ? nearest.nextUp : nearest
  }

  /// The number as a column of floats has it; nil where it is beyond every float.
  @inlinable
  public static func rounded(_ number: Double) -> Double? {
    // SQLite keeps no negative zero, so no row does.
    let float = Double(Float(number)) + 0
    return float.isFinite || number.isInfinite ? float : nil
  }

  /// The double halfway between two neighbors; beyond the greatest float as far as on its other side.
  private static func boundary(_ float: Float, _ neighbor: Float) -> Double {
    guard neighbor.isFinite else {
      let inner = float > 0 ? float.nextDown : float.nextUp
      return Double(float) + (Double(float) - Double(inner)) / 2
    }
    return Double(float) + (Double(neighbor) - Double(float)) / 2
  }

  private static func half(of float: Float) -> Double { Double(float) / 2 }
}
