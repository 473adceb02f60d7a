public import CopalTestTools
import Foundation

/// The random cases of a suite of faults: a few in each run of the tests, and as many as there is
/// time for in a deep run.
///
/// `COPAL_FAULT_SECONDS` is the time for each test, and `COPAL_FAULT_SEED` the seed of its first
/// case: the next one has the next number.
public enum FaultCases {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seconds = environment["COPAL_FAULT_SECONDS"].flatMap(Double.init)

  public static var isDeepRun: Bool { seconds != nil }
  public static let seed = environment["COPAL_FAULT_SEED"].flatMap(UInt64.init) ?? 1

  /// Runs cases, and says how many there were.
  ///
  /// - Parameters:
  ///   - name: what the cases are.
  ///   - count: how many there are in a usual run.
  public static func run(
    _ name: String, _ count: Int,
    _ body: (_ number: Int, _ random: inout SplitMix) async throws -> Void
  ) async rethrows {
    let end = seconds.map { ContinuousClock.now + .seconds($0) }
    var number = 0
    while end.map({ ContinuousClock.now < $0 }) ?? (number < count) {
      var random = SplitMix(seed: seed &+ UInt64(number))
      try await body(number, &random)
      number += 1
    }
    if isDeepRun { print("faults: \(number) \(name) from seed \(seed)") }
  }
}
