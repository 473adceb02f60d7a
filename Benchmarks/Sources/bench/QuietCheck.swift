import BenchKit
import CBenchCore
import Foundation

/// Checks whether the machine is quiet: whether a small reference computation takes as long as its
/// best time so far.
///
/// On a shared machine, other work on the same core makes everything take 50 % longer, for seconds
/// or minutes. Measurements at that time say nothing about the programs.
final class QuietCheck {
  /// The best time of the reference computation in milliseconds.
  private(set) var best = Double.infinity
  /// How many measurements were disturbed and taken again.
  private(set) var disturbed = 0
  /// The number of remaining checks: five minutes of waiting in all.
  private var patience = 5000
  /// Whether the waiting has reached its limit, so that the rest was measured on a busy machine.
  var gaveUp: Bool { patience == 0 }

  /// The time of the reference computation on the machine of the constants in ``Duration``.
  static let usualMilliseconds = 1.0

  /// The factor by which this machine is slower than that one.
  var slowness: Double { best / Self.usualMilliseconds }

  private var core = 0
  // Asked before the process is kept on one.
  private let coreCount = ProcessInfo.processInfo.activeProcessorCount

  init() {
    bench_stay_on_core(0)
    for _ in 0..<50 { best = min(best, Self.time()) }
  }

  /// Measures when the machine is quiet, and again when it did not stay quiet, up to a limit.
  func measure<R>(_ work: () throws -> R) rethrows -> R {
    waitForQuiet()
    var measured = try work()
    // A few times only, because the measured work itself may make the core busy.
    for attempt in 0..<5 where patience > 0 && !(isQuiet() && OtherBuilds.running().isEmpty) {
      if attempt == 0 { disturbed += 1 }
      waitForQuiet()
      measured = try work()
    }
    return measured
  }

  private func waitForQuiet() {
    OtherBuilds.wait()
    while patience > 0, !isQuiet() {
      patience -= 1
      // The next core may be quiet. The check must run on the same core as the work.
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

  /// The CPU milliseconds of the reference computation: independent chains of multiplications,
  /// which keep a core so busy that other work on it shows.
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
    // Never true, but the compiler cannot know that.
    if chains.wrappedSum() == 0 { print(start) }
    return (BenchKit.Measurement.cpuSeconds() - start) * 1000
  }
}
