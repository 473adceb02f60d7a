import Foundation

/// One measurement: what a process reports about the work it did.
public struct Measurement: Codable, Sendable {
  public var cpuMilliseconds: Double
  public var wallMilliseconds: Double
  /// The greatest memory above what there was before the work.
  public var peakKilobytes: Int
  public var checksum: UInt64

  /// Runs the work once and measures it.
  public static func of(_ work: () throws -> UInt64) rethrows -> Measurement {
    let before = residentKilobytes()
    resetPeak()
    let (cpu, wall) = (cpuSeconds(), ContinuousClock.now)
    let checksum = try work()
    let elapsed = wall.duration(to: .now)
    return Measurement(
      cpuMilliseconds: (cpuSeconds() - cpu) * 1000,
      wallMilliseconds: Double(elapsed.components.attoseconds) / 1e15
        + Double(elapsed.components.seconds) * 1000,
      peakKilobytes: max(0, peakKilobytes() - before), checksum: checksum)
  }

  /// User and system time of the process so far.
  public static func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Linux lets a process lower its high-water mark; elsewhere peaks are not measured.
  private static func resetPeak() {
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  }

  private static func residentKilobytes() -> Int { status("VmRSS:") }
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

/// The body of a benchmark program: `PROGRAM WORKLOAD ROWS FILE`.
///
/// It prints one line of JSON. For `insert` the file does not exist yet; for the others it is a store
/// that Copal made.
public func benchmarkProgram(
  _ work: (Workload, _ rows: Int, _ file: String) throws -> () throws -> UInt64
) {
  let arguments = CommandLine.arguments
  guard arguments.count == 4, let workload = Workload(rawValue: arguments[1]),
    let rows = Int(arguments[2])
  else {
    FileHandle.standardError.write(Data("usage: PROGRAM WORKLOAD ROWS FILE\n".utf8))
    exit(64)
  }
  do {
    let prepared = try work(workload, rows, arguments[3])
    let measurement = try Measurement.of(prepared)
    let json = try JSONEncoder().encode(measurement)
    print(String(decoding: json, as: UTF8.self))
  } catch {
    FileHandle.standardError.write(Data("\(arguments[0]): \(error)\n".utf8))
    exit(1)
  }
}
