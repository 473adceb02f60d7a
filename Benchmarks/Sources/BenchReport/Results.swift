/// Everything that one run of `Benchmarks/run` has found: what `Benchmarks/page` and
/// `Benchmarks/draw` read, and what is kept of each machine.
public struct Results: Codable, Sendable {
  public var format = 1
  public var machine: Machine
  /// The day, as 2026-11-21.
  public var date: String
  /// The commit that was measured; with "+" when files were changed since.
  public var commit: String
  public var rows: Int
  public var rounds: Int
  /// Whether the run was a first look: its figures say little.
  public var isQuick: Bool
  /// How many measurements there were, how many were taken again since the machine was busy, and
  /// whether it did not become quiet in the end.
  public var measurements: Int
  public var retaken: Int
  public var gaveUp: Bool
  /// How long it took, and how long it was said to take.
  public var seconds: Double
  public var estimatedSeconds: Double
  public var workloads: [WorkloadResult]
  public var accessors: [Accessor]
  public var growth: [Growth]
  public var memory: [Memory]
  /// What a program has measured beside something else; nil in the results of older versions.
  public var ratios: [Ratio]?
  public var targets: [Target]

  public init(machine: Machine, date: String, commit: String, rows: Int, rounds: Int, isQuick: Bool)
  {
    (self.machine, self.date, self.commit) = (machine, date, commit)
    (self.rows, self.rounds, self.isQuick) = (rows, rounds, isQuick)
    (measurements, retaken, gaveUp, seconds, estimatedSeconds) = (0, 0, false, 0, 0)
    (workloads, accessors, growth, memory, targets) = ([], [], [], [], [])
  }

  /// Where it was measured.
  public struct Machine: Codable, Sendable {
    public var processor: String
    public var architecture: String
    public var cores: Int
    public var memoryGB: Int
    public var isVirtual: Bool
    public var system: String
    public var fileSystem: String
    public var sqlite: String
    public var swift: String

    public init(
      processor: String, architecture: String, cores: Int, memoryGB: Int, isVirtual: Bool,
      system: String, fileSystem: String, sqlite: String, swift: String
    ) {
      (self.processor, self.architecture, self.cores) = (processor, architecture, cores)
      (self.memoryGB, self.isVirtual, self.system) = (memoryGB, isVirtual, system)
      (self.fileSystem, self.sqlite, self.swift) = (fileSystem, sqlite, swift)
    }

    public var line: String {
      let machine = isVirtual ? "a virtual machine" : "a machine"
      return "\(processor), \(machine) with \(cores) cores and \(memoryGB) GB; "
        + "\(system), \(architecture), \(fileSystem); SQLite \(sqlite), Swift \(swift)"
    }
  }

  /// What each program took for a workload.
  public struct WorkloadResult: Codable, Sendable {
    public var name: String
    public var programs: [String: Sample]

    public init(name: String, programs: [String: Sample]) {
      self.name = name
      self.programs = programs
    }

    /// A program's time beside another's; nil when one was not run.
    public func ratio(_ program: String, to other: String) -> Double? {
      guard let a = programs[program], let b = programs[other], b.cpu > 0 else { return nil }
      return a.cpu / b.cpu
    }
  }

  /// Some measurements of one thing.
  public struct Sample: Codable, Sendable {
    /// The median of the CPU milliseconds.
    public var cpu: Double
    /// The slowest over the fastest.
    public var spread: Double
    /// The median of the memory, in kilobytes.
    public var peak: Double

    public init(cpu: Double, spread: Double, peak: Double) {
      (self.cpu, self.spread, self.peak) = (cpu, spread, peak)
    }

    public init(_ runs: [(cpu: Double, peak: Int)]) {
      let times = runs.map(\.cpu)
      cpu = median(times)
      spread = (times.max() ?? 0) / max(times.min() ?? 0, 0.001)
      peak = median(runs.map { Double($0.peak) })
    }
  }

  public struct Accessor: Codable, Sendable {
    public var name: String
    public var nanoseconds: Double

    public init(name: String, nanoseconds: Double) {
      (self.name, self.nanoseconds) = (name, nanoseconds)
    }
  }

  /// The time of one thing beside that of another.
  public struct Ratio: Codable, Sendable {
    public var name: String
    public var figure: Double

    public init(name: String, figure: Double) { (self.name, self.figure) = (name, figure) }
  }

  /// A workload at several sizes.
  public struct Growth: Codable, Sendable {
    public var name: String
    public var sizeName: String
    public var unit: String
    /// What its cost is set beside, in words; nil for nothing.
    public var reference: String?
    public var points: [Point]

    public init(name: String, sizeName: String, unit: String, reference: String?, points: [Point]) {
      (self.name, self.sizeName, self.unit) = (name, sizeName, unit)
      (self.reference, self.points) = (reference, points)
    }

    public struct Point: Codable, Sendable {
      public var size: Int
      /// Nanoseconds of CPU for each unit.
      public var cost: Double
      /// The same for what it is set beside.
      public var reference: Double?
      /// How many units were done when the time ran out; nil when all were.
      public var stoppedAt: Int?

      public init(size: Int, cost: Double, reference: Double?, stoppedAt: Int?) {
        (self.size, self.cost) = (size, cost)
        (self.reference, self.stoppedAt) = (reference, stoppedAt)
      }
    }

    /// How the cost of one unit grows from each size to the next: 1 when it does not.
    public var factors: [Double] {
      zip(points, points.dropFirst()).map { $0.cost > 0 ? $1.cost / $0.cost : 0 }
    }

    /// The same without the part by which that grows which it is set beside: a table that no longer
    /// fits in a cache costs a C program more as well.
    public var ownFactors: [Double] {
      zip(zip(points, points.dropFirst()), factors).map { pair, factor in
        guard let first = pair.0.reference, let second = pair.1.reference, first > 0 else {
          return factor
        }
        return factor / max(1, second / first)
      }
    }

    /// The cost at the last size beside its reference; nil without one, or when the time ran out.
    public var lastRatio: Double? {
      guard let last = points.last, last.stoppedAt == nil, let reference = last.reference else {
        return nil
      }
      return last.cost / reference
    }

    /// What a unit may cost more at the next size, ten times the one before.
    public static let factorMax = 1.5
  }

  /// A workload after which the memory must be what it was.
  public struct Memory: Codable, Sendable {
    public var name: String
    public var operations: Int
    public var startKilobytes: Int
    public var endKilobytes: Int
    public var isStopped: Bool

    public init(
      name: String, operations: Int, startKilobytes: Int, endKilobytes: Int, isStopped: Bool
    ) {
      (self.name, self.operations) = (name, operations)
      (self.startKilobytes, self.endKilobytes) = (startKilobytes, endKilobytes)
      self.isStopped = isStopped
    }

    public var ratio: Double { Double(endKilobytes) / Double(max(1, startKilobytes)) }

    /// What the memory at the end may be of that at the start.
    public static let ratioMax = 1.1
  }

  /// A figure with its limit.
  public struct Target: Codable, Sendable {
    public var name: String
    /// What was measured; nil when it was not run.
    public var figure: Double?
    public var limit: Double
    public var unit: String

    public init(name: String, figure: Double?, limit: Double, unit: String = "") {
      (self.name, self.figure, self.limit, self.unit) = (name, figure, limit, unit)
    }

    public var isMet: Bool { figure.map { $0 <= limit } ?? false }

    public var line: String {
      let found = figure.map { $0.rounded(2) + unit } ?? "not measured"
      return "\(isMet ? "met   " : "missed") \(name): \(found), at most \(limit.rounded(2))\(unit)"
    }
  }
}
