/// What two commits took for one workload: pairs of measurements that stood next to each other in
/// time.
public struct Comparison: Sendable {
  public struct Pair: Sendable {
    public var old: Double
    public var new: Double

    public init(old: Double, new: Double) {
      self.old = old
      self.new = new
    }
  }

  /// What can be said of a workload.
  public enum Verdict: String, Sendable {
    /// The whole interval is below 1 by more than the threshold.
    case faster
    /// The whole interval is below the limit.
    case noSlower = "no slower"
    /// The interval has the limit in it: the pairs say neither.
    case unclear
    /// The whole interval is above the limit.
    case slower
  }

  public var name: String
  public var unit: String
  /// A difference below this is none, in the unit: what the layout of the code does to a read of
  /// half a nanosecond.
  public var leastDifference: Double
  public var pairs: [Pair]
  /// The memory at its highest, old and new; 0 where it was not measured.
  public var peaks: [Pair]

  public init(
    name: String, unit: String = "ms", leastDifference: Double = 0, pairs: [Pair] = [],
    peaks: [Pair] = []
  ) {
    self.name = name
    self.unit = unit
    self.leastDifference = leastDifference
    self.pairs = pairs
    self.peaks = peaks
  }

  public var old: Double { median(pairs.map(\.old)) }
  public var new: Double { median(pairs.map(\.new)) }

  /// Where the median of the ratios lies; nil while there are too few.
  public var interval: MedianInterval? { MedianInterval(pairs.map { $0.new / $0.old }) }

  /// The ratio of memory; nil where it was not measured.
  public var memory: Double? {
    let measured = peaks.filter { $0.old > 0 }
    return measured.isEmpty ? nil : median(measured.map { $0.new / $0.old })
  }

  /// - Parameter threshold: how much slower counts as slower: 0.03 for 3 %.
  public func verdict(threshold: Double) -> Verdict {
    guard let interval else { return .unclear }
    let limit = 1 + threshold
    if interval.high < 1 - threshold { return .faster }
    let differenceMax = (interval.high - 1) * old
    if interval.high <= limit || differenceMax < leastDifference { return .noSlower }
    return interval.low > limit ? .slower : .unclear
  }
}

extension [Comparison] {
  /// The exit code of a comparison: 0 when every workload is shown to be no slower, 1 when one is
  /// slower, 2 when none is slower but it is unclear for some.
  public func exitCode(threshold: Double) -> Int32 {
    let verdicts = map { $0.verdict(threshold: threshold) }
    if verdicts.contains(.slower) { return 1 }
    return verdicts.contains(.unclear) ? 2 : 0
  }

  /// The table of a comparison: what each took, the median of the ratios with its interval, the
  /// memory.
  public func table(threshold: Double) -> TextTable {
    var table = TextTable(
      ["", "old", "new", "new/old", "95 % interval", "pairs", "memory", "verdict"])
    for comparison in self {
      let interval = comparison.interval
      table.add([
        comparison.name, comparison.old.rounded(2) + " " + comparison.unit,
        comparison.new.rounded(2) + " " + comparison.unit,
        (interval?.median ?? median(comparison.pairs.map { $0.new / $0.old })).rounded(3),
        interval.map { "\($0.low.rounded(3)) – \($0.high.rounded(3))" } ?? "too few pairs",
        "\(comparison.pairs.count)", comparison.memory?.rounded(2) ?? "",
        comparison.verdict(threshold: threshold).rawValue,
      ])
    }
    return table
  }
}
