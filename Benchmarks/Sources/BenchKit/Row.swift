/// One row of the data: the same for every program.
public struct Row {
  public var name: String
  public var note: String?
  public var count: Int64
  public var ratio: Double
  public var price: String
  /// Seconds since 2001-01-01.
  public var created: Double
  public var flag: Bool
  public var color: [UInt8]

  /// The rows of a benchmark: deterministic, a seed for each row.
  public static func make(_ count: Int) -> [Row] {
    (0..<count).map { index in
      var random = SplitMix(seed: UInt64(index) &+ 0x5eed)
      let name = text(12 + Int(random.next() % 9), &random)
      let note = random.next() % 2 == 0 ? text(40, &random) : nil
      let cents = random.next() % 1_000_000
      return Row(
        name: name, note: note, count: Int64(random.next() % 1000),
        ratio: Double(random.next() % 1_000_000) / 1_000_003,
        price: "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)",
        created: Double(random.next() % 800_000_000) + 0.25, flag: random.next() % 3 == 0,
        color: (0..<(21 + Int(random.next() % 16))).map { _ in
          UInt8(truncatingIfNeeded: random.next())
        })
    }
  }

  private static func text(_ count: Int, _ random: inout SplitMix) -> String {
    String(
      decoding: (0..<count).map { _ in UInt8(97 + random.next() % 26) }, as: UTF8.self)
  }
}

/// SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>).
struct SplitMix {
  var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
