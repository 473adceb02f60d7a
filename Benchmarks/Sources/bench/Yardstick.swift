import BenchKit
import CBenchCore
import Foundation

/// Tells whether the machine is quiet: whether a small piece of work takes as long as it did at best.
///
/// On a machine that is shared, another one's work on the same core makes everything take half as long
/// again, for seconds or minutes. What is measured then says nothing about the programs.
final class Yardstick {
  /// The least milliseconds that the piece of work ever took.
  private(set) var best = Double.infinity
  /// How many measurements were disturbed and taken again.
  private(set) var disturbed = 0
  /// How often it may still look: five minutes of waiting in all.
  private var patience = 5000
  /// Whether it waited so long that the rest was measured on a busy machine.
  var gaveUp: Bool { patience == 0 }

  /// What the piece of work takes on the machine that ``Duration`` was measured on.
  static let usualMilliseconds = 1.0

  /// How much slower this machine is than that one.
  var slowness: Double { best / Self.usualMilliseconds }

  private var core = 0
  // Asked before the process is kept on one.
  private let coreCount = ProcessInfo.processInfo.activeProcessorCount

  init() {
    bench_stay_on_core(0)
    for _ in 0..<50 { best = min(best, Self.time()) }
  }

  /// Measures when the machine is quiet, and again when it has not stayed so; not for ever.
  func measure<R>(_ work: () throws -> R) rethrows -> R {
    waitForQuiet()
    var measured = try work()
    // A few times: what makes the core busy may be the work itself.
    for attempt in 0..<5 where patience > 0 && !(isQuiet() && Neighbors.running().isEmpty) {
      if attempt == 0 { disturbed += 1 }
      waitForQuiet()
      measured = try work()
    }
    return measured
  }

  private func waitForQuiet() {
    Neighbors.wait()
    while patience > 0, !isQuiet() {
      patience -= 1
      // The next core may be quiet. A yardstick on another than the work's would tell nothing.
      core += 1
      bench_stay_on_core(Int32(core % coreCount))
      if core % 8 == 0 { Thread.sleep(forTimeInterval: 0.5) }
    }
  }

  private func isQuiet() -> Bool {
    let time = min(Self.time(), Self.time(), Self.time())
    best = min(best, time)
    return time <= best * 1.07
  }

  /// The CPU milliseconds of the piece of work: chains of multiplications that do not wait for each
  /// other, which keep a core so busy that it shows when somebody else has a part of it.
  private static func time() -> Double {
    let start = BenchKit.Measurement.cpuSeconds()
    var chains = SIMD8<UInt64>(1, 2, 3, 4, 5, 6, 7, 8)
    let factor = UInt64(0x100_0000_01b3)
    for number in 0..<UInt64(300_000) {
      chains[0] = (chains[0] ^ number) &* factor
      chains[1] = (chains[1] ^ number) &* factor
      chains[2] = (chains[2] ^ number) &* factor
      chains[3] = (chains[3] ^ number) &* factor
      chains[4] = (chains[4] ^ number) &* factor
      chains[5] = (chains[5] ^ number) &* factor
      chains[6] = (chains[6] ^ number) &* factor
      chains[7] = (chains[7] ^ number) &* factor
    }
    // Never so; but the compiler does not know.
    if chains.wrappedSum() == 0 { print(start) }
    return (BenchKit.Measurement.cpuSeconds() - start) * 1000
  }
}
