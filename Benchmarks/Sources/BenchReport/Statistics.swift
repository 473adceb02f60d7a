/// The value in the middle; the mean of the two when there are two. 0 for none.
public func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return 0 }
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// Where the median of what was sampled lies, with a confidence that assumes nothing of the noise
/// but that the values do not depend on each other.
///
/// The bounds are two of the values themselves. Each value is above the true median with a chance
/// of one half, so that the number of values above it is a binomial; the bounds are the narrowest
/// pair, equally far from both ends, that holds the median with the confidence asked for.
public struct MedianInterval: Sendable, Equatable {
  public var median: Double
  public var low: Double
  public var high: Double
  /// The chance that an interval made so holds the median.
  public var confidence: Double

  /// nil when there are too few values for the confidence: fewer than six for 95 %.
  public init?(_ values: [Double], confidence wanted: Double = 0.95) {
    let sorted = values.sorted()
    let count = sorted.count
    guard count > 0 else { return nil }
    // The chance that fewer than `rank` of the values are below the median, for the rank that is
    // tried.
    var (tail, term) = (0.0, Double.pow2(-count))
    var best: (rank: Int, confidence: Double)?
    for rank in 1...max(1, (count + 1) / 2) {
      tail += term
      term *= Double(count - rank + 1) / Double(rank)
      guard 1 - 2 * tail >= wanted else { break }
      best = (rank, 1 - 2 * tail)
    }
    guard let best else { return nil }
    median = BenchReport.median(sorted)
    low = sorted[best.rank - 1]
    high = sorted[count - best.rank]
    confidence = best.confidence
  }
}

extension Double {
  fileprivate static func pow2(_ exponent: Int) -> Double {
    Double(sign: .plus, exponent: exponent, significand: 1)
  }
}
