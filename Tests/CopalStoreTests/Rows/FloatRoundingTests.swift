import CopalStore
import CopalTestSupport
import Testing

@Suite("FloatRounding")
struct FloatRoundingTests {
  private func check(_ float: Float) {
    let range = FloatRounding.doubles(nearest: float)
    for double in [range.lowerBound, range.upperBound, Double(float)] {
      #expect(Float(double) == float, "\(float): \(double)")
      #expect(range.contains(double))
    }
    #expect(Float(range.lowerBound.nextDown) != float, "\(float)")
    #expect(Float(range.upperBound.nextUp) != float, "\(float)")
  }

  @Test(
    "the doubles that are read as a float are exactly those up to halfway to its neighbors",
    arguments: [
      0, 1, 2, 0.1, 0.5, 16_777_216, 16_777_218, .pi, .greatestFiniteMagnitude,
      .leastNonzeroMagnitude, .leastNormalMagnitude, .leastNormalMagnitude.nextDown, .ulpOfOne,
    ] as [Float])
  func edges(float: Float) {
    check(float)
    if float != 0 { check(-float) }
    if float.nextUp.isFinite { check(float.nextUp) }
  }

  @Test("the range of doubles that are read as a float is right for 100,000 floats of every size")
  func random() {
    var random = SplitMix(seed: 4)
    for _ in 0..<100_000 {
      let float = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &random))
      if float.isFinite { check(float) }
    }
  }

  @Test("only infinity is read as an infinite float")
  func infinity() {
    #expect(FloatRounding.doubles(nearest: .infinity) == .infinity ... .infinity)
    #expect(FloatRounding.doubles(nearest: -.infinity) == -.infinity ... -.infinity)
    #expect(FloatRounding.rounded(.infinity) == .infinity)
    #expect(FloatRounding.rounded(1e300) == nil && FloatRounding.rounded(-1e39) == nil)
    #expect(FloatRounding.rounded(3.4e38) == Double(Float(3.4e38)))
    #expect(FloatRounding.rounded(-1e-60)?.sign == .plus)
  }

  @Test(
    "every double is a float, or is between two neighboring floats",
    arguments: [0.1, -0.1, 1, 1e300, -1e300, 1e-60, -1e-60, .infinity, -.infinity, 0x1.000001p0])
  func sides(number: Double) {
    let (below, above) = (
      FloatRounding.float(notAbove: number), FloatRounding.float(notBelow: number)
    )
    #expect(Double(below) <= number && number <= Double(above))
    #expect(below == above || below.nextUp == above)
    #expect((below == above) == (Double(Float(number)) == number))
  }
}
