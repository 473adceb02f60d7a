import BenchReport
import Testing

@Suite("Comparison of two commits")
struct ComparisonTests {
  static func comparison(_ ratios: [Double], least: Double = 0, old: Double = 100) -> Comparison {
    Comparison(
      name: "insert", leastDifference: least, pairs: ratios.map { .init(old: old, new: old * $0) })
  }

  /// Twenty ratios around a middle.
  static func around(_ middle: Double, _ width: Double) -> [Double] {
    (0..<20).map { middle + width * (Double($0) - 9.5) / 9.5 }
  }

  @Test(
    "the verdict compares the whole interval of ratios with the limit of 3 percent",
    arguments: [
      (around(1.00, 0.01), Comparison.Verdict.noSlower),
      (around(1.02, 0.005), .noSlower),
      (around(1.03, 0.02), .unclear),
      (around(1.05, 0.10), .unclear),
      (around(1.10, 0.02), .slower),
      (around(0.90, 0.02), .faster),
      (around(0.98, 0.005), .noSlower),
      // Half of the pairs were disturbed for a while.
      (around(1.00, 0.60), .unclear),
    ])
  func verdicts(ratios: [Double], verdict: Comparison.Verdict) {
    #expect(Self.comparison(ratios).verdict(threshold: 0.03) == verdict)
  }

  @Test("too few pairs give no verdict")
  func few() {
    #expect(Self.comparison([2, 2, 2]).verdict(threshold: 0.03) == .unclear)
  }

  @Test("10 percent more is no verdict of slower when the difference is below the minimum")
  func least() {
    let ratios = Self.around(1.10, 0.01)
    #expect(Self.comparison(ratios, least: 0.5, old: 0.6).verdict(threshold: 0.03) == .noSlower)
    #expect(Self.comparison(ratios, least: 0.5, old: 60).verdict(threshold: 0.03) == .slower)
  }

  @Test("the exit code is 1 when one workload is slower, 2 when one is unclear, else 0")
  func exitCodes() {
    let (same, slow, open) = (
      Self.comparison(Self.around(1, 0.01)), Self.comparison(Self.around(1.1, 0.01)),
      Self.comparison(Self.around(1.03, 0.02))
    )
    #expect([same, same].exitCode(threshold: 0.03) == 0)
    #expect([same, open].exitCode(threshold: 0.03) == 2)
    #expect([open, slow, same].exitCode(threshold: 0.03) == 1)
    #expect([slow].exitCode(threshold: 0.2) == 0)
  }

  @Test("a lower median with a wide interval gives no verdict")
  func lowerMedian() {
    let ratios = Self.around(0.95, 0.3)
    #expect(Self.comparison(ratios).verdict(threshold: 0.03) == .unclear)
  }

  @Test("a comparison is shown as a table")
  func table() {
    #expect(
      [Self.comparison(Self.around(1.1, 0.02))].table(threshold: 0.03).text == """
                      old        new  new/old  95 % interval  pairs  memory  verdict
        insert  100.00 ms  110.00 ms    1.100  1.091 – 1.109     20          slower
        """)
  }
}
