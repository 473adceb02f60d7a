import BenchReport
import Testing

@Suite("Confidence interval of a median")
struct MedianIntervalTests {
  // The ranks are those of every table of the sign test: Conover, Practical Nonparametric Statistics.
  @Test(
    "the interval of n values has two of them as bounds",
    arguments: [
      (6, 1, 6, 0.969), (9, 2, 8, 0.961), (15, 4, 12, 0.965), (20, 6, 15, 0.959),
      (40, 14, 27, 0.962), (60, 22, 39, 0.973),
    ])
  func ranks(count: Int, low: Int, high: Int, confidence: Double) throws {
    let values = (1...count).map(Double.init).shuffled()
    let interval = try #require(MedianInterval(values))
    #expect(interval.low == Double(low))
    #expect(interval.high == Double(high))
    #expect((interval.confidence * 1000).rounded() / 1000 == confidence)
    #expect(interval.median == Double(count + 1) / 2)
  }

  @Test("an interval with 95 percent needs six values", arguments: 0...5)
  func tooFew(count: Int) {
    #expect(MedianInterval((0..<count).map(Double.init)) == nil)
  }

  @Test("the interval contains the true median with the stated probability, for every kind of noise")
  func coverage() throws {
    // Typical noise of machines: mostly small, sometimes 50 %.
    var random = Linear(state: 7)
    var held = 0
    for _ in 0..<2000 {
      let values = (0..<20).map { _ -> Double in
        let small = random.unit() - 0.5
        return random.unit() < 0.2
          ? 1 + small.magnitude * 0.5 * (small > 0 ? 1 : -1) : 1 + small * 0.02
      }
      let interval = try #require(MedianInterval(values))
      if interval.low <= 1, interval.high >= 1 { held += 1 }
    }
    #expect((1890...1945).contains(held), "of 2000 expected about 1917 (95.9 %)")
  }

  @Test("one outlier does not move the bounds of an interval")
  func outlier() throws {
    let calm = (0..<20).map { 1 + Double($0) / 1000 }
    let wild = calm.dropLast() + [1000]
    #expect(MedianInterval(calm)?.high == MedianInterval(Array(wild))?.high)
  }
}

/// Numbers that are the same in every run.
struct Linear {
  var state: UInt64
  mutating func unit() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / Double(UInt64(1) << 53)
  }
}
