import Foundation

/// What a growth workload took at one size.
public struct GrowthMeasurement: Codable, Sendable {
  /// CPU time, and what it is shared by.
  public var cpuMilliseconds: Double
  public var units: Int
  /// Whether the time ran out; the units are then those that were done.
  public var isStopped = false
  /// The same for what the cost is set beside, where that is part of the program.
  public var referenceMilliseconds: Double?
  public var referenceUnits: Int?
  /// The memory after the first hundredth of the work, and at its end.
  public var residentStart: Int?
  public var residentEnd: Int?
  public var checksum: UInt64 = 0

  public init(cpuMilliseconds: Double, units: Int, isStopped: Bool = false) {
    self.cpuMilliseconds = cpuMilliseconds
    self.units = units
    self.isStopped = isStopped
  }
}

/// How long a piece of work may take.
///
/// Work that costs the square of its size would take hours at the greatest; it is stopped, and says
/// so.
public struct Budget {
  private let start = Measurement.cpuSeconds()
  private let seconds: Double

  public init(seconds: Double) { self.seconds = seconds }

  public var isSpent: Bool { Measurement.cpuSeconds() - start > seconds }

  /// Measures calls that are all alike: as many as take a fifth of a second, at least three, unless
  /// the time runs out.
  public func measure(_ unitsOfCall: Int = 1, _ call: (Int) throws -> Void) rethrows
    -> GrowthMeasurement
  {
    // One-time set-up is not a part of a call's cost.
    try call(0)
    let start = Measurement.cpuSeconds()
    var (calls, spent) = (0, 0.0)
    while calls < 3 || spent < 0.2, !(calls > 0 && isSpent) {
      calls += 1
      try call(calls)
      spent = Measurement.cpuSeconds() - start
    }
    return GrowthMeasurement(
      cpuMilliseconds: spent * 1000, units: calls * unitsOfCall, isStopped: calls < 3)
  }
}

/// The body of the growth program: `PROGRAM WORKLOAD SIZE FILE SECONDS`, one line of JSON, or
/// `PROGRAM fill CONTENT SIZE FILE`, which makes the file that others work on.
public func growthProgram(
  fill: (GrowthWorkload.Content, _ size: Int, _ file: String) throws -> Void,
  measure: (GrowthWorkload, _ size: Int, _ file: String, Budget) throws -> GrowthMeasurement
) {
  sizedProgram(fill: fill, measure: measure)
}

/// The same for other work at several sizes.
public func sizedProgram<Work: SizedWorkload>(
  fill: (Work.Content, _ size: Int, _ file: String) throws -> Void,
  measure: (Work, _ size: Int, _ file: String, Budget) throws -> GrowthMeasurement
) {
  let arguments = CommandLine.arguments
  do {
    if arguments.count == 5, arguments[1] == "fill", let size = Int(arguments[3]),
      let content = Work.Content(rawValue: arguments[2])
    {
      try fill(content, size, arguments[4])
    } else if arguments.count == 5, let workload = Work(rawValue: arguments[1]),
      let size = Int(arguments[2]), let seconds = Double(arguments[4])
    {
      try printJSON(try measure(workload, size, arguments[3], Budget(seconds: seconds)))
    } else {
      endProgram(64, "usage: PROGRAM WORKLOAD SIZE FILE SECONDS, or PROGRAM fill CONTENT SIZE FILE")
    }
  } catch {
    endProgram(1, "\(arguments[0]): \(error)")
  }
}
