import Foundation

/// One measurement: what a process reports about the work it did.
public struct Measurement: Codable, Sendable {
  public var cpuMilliseconds: Double
  public var wallMilliseconds: Double
  /// The greatest memory above what there was before the work.
  public var peakKilobytes: Int
  public var checksum: UInt64
  /// The CPU time of each time that the process has done the work again.
  public var again: [Double]?
  /// What the cost is shared by.
  public var units: Int?
  /// When the work began and ended, in seconds of the system's monotonic clock: for
  /// `Benchmarks/profile`.
  public var began: Double?
  public var ended: Double?

  /// Runs the work once and measures it.
  public static func of(_ work: () throws -> UInt64) rethrows -> Measurement {
    let before = residentKilobytes()
    resetPeak()
    let (cpu, began) = (cpuSeconds(), seconds(CLOCK_MONOTONIC))
    let checksum = try work()
    let (spent, ended) = (cpuSeconds() - cpu, seconds(CLOCK_MONOTONIC))
    return Measurement(
      cpuMilliseconds: spent * 1000, wallMilliseconds: (ended - began) * 1000,
      peakKilobytes: max(0, peakKilobytes() - before), checksum: checksum, began: began,
      ended: ended)
  }

  /// User and system time of the process so far.
  public static func cpuSeconds() -> Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Linux lets a process lower its high-water mark; elsewhere peaks are not measured.
  private static func resetPeak() {
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  }

  /// What the process has in memory; 0 where the system does not say.
  public static func residentKilobytes() -> Int { status("VmRSS:") }
  private static func peakKilobytes() -> Int { status("VmHWM:") }

  private static func status(_ key: String) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return 0
    }
    for line in text.split(separator: "\n") where line.hasPrefix(key) {
      return Int(line.filter(\.isNumber)) ?? 0
    }
    return 0
  }
}
