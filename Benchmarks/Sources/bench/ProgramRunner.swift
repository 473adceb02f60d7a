import BenchKit
import BenchReport
import Foundation

/// Runs the programs; each measurement is one process.
struct ProgramRunner {
  private let options: RunOptions
  private let folder: WorkFolder
  private let quietCheck: QuietCheck
  let programs: [Program]

  init(_ options: RunOptions, _ folder: WorkFolder, _ quietCheck: QuietCheck) {
    self.options = options
    self.folder = folder
    self.quietCheck = quietCheck
    let hasPython =
      options.usesPython && Tool.line("python3", ["-c", "import sqlalchemy; print(1)"]) != nil
    programs = Program.allCases.filter { $0 != .sqlalchemy || hasPython }
  }

  private var store: String { folder.file("data.sqlite") }

  /// The file that all programs read. Copal makes it.
  func makeData() throws { _ = try run(.copal, .insert, store) }

  // MARK: Workloads

  /// Measures every program with every workload; the pairs are shuffled again in each round.
  func measure(_ progress: inout Progress) throws -> [Results.WorkloadResult] {
    var runs: [Workload: [Program: [BenchKit.Measurement]]] = [:]
    let pairs = programs.flatMap { program in options.workloads.map { (program, $0) } }
    for round in 1...options.rounds {
      for (program, workload) in pairs.shuffled() {
        progress.step("round \(round): \(program.title), \(workload)")
        let measured = try quietCheck.measure { try measure(program, workload) }
        runs[workload, default: [:]][program, default: []].append(measured)
      }
    }
    try checkSums(runs)
    return options.workloads.map { workload in
      var samples: [String: Results.Sample] = [:]
      for (program, measured) in runs[workload] ?? [:] {
        samples[program.rawValue] = Results.Sample(
          measured.map { ($0.cpuMilliseconds, $0.peakKilobytes) })
      }
      return Results.WorkloadResult(name: workload.rawValue, programs: samples)
    }
  }

  private func measure(_ program: Program, _ workload: Workload) throws -> BenchKit.Measurement {
    guard workload == .insert || workload.changesFile else {
      return try run(program, workload, store)
    }
    let file = folder.file("work.sqlite")
    WorkFolder.removeStore(file)
    if workload.changesFile { try WorkFolder.copyStore(store, to: file) }
    return try run(program, workload, file)
  }

  private func run(_ program: Program, _ workload: Workload, _ file: String) throws
    -> BenchKit.Measurement
  {
    let words = [workload.rawValue, "\(options.rows)", file]
    let line: Data
    switch program {
    case .sqlalchemy:
      let script = URL(filePath: "Python/bench_sqlalchemy.py").path(percentEncoded: false)
      line = try Tool.output("/usr/bin/env", ["python3", script] + words)
    default: line = try Tool.output(Tool.path("bench-\(program.rawValue)"), words)
    }
    return try JSONDecoder().decode(BenchKit.Measurement.self, from: line)
  }

  /// Checks that all programs have read the same values; SQLAlchemy's sums differ in form.
  private func checkSums(_ runs: [Workload: [Program: [BenchKit.Measurement]]]) throws {
    for (workload, programs) in runs {
      let sums = Set(
        programs.filter { $0.key != .sqlalchemy }.flatMap { $0.value.map(\.checksum) })
      guard sums.count == 1 else { throw Failure("\(workload): the checksums differ: \(sums)") }
    }
  }

  // MARK: Accessors

  static let accessorRounds = 3

  /// The accessor benchmarks: the best of three runs of each.
  func measureAccessors(_ progress: inout Progress) throws -> [Results.Accessor] {
    var best: [Results.Accessor] = []
    for number in 1...Self.accessorRounds {
      progress.step("accessors, \(number) of \(Self.accessorRounds)")
      let run = try quietCheck.measure { try AccessorLines.measure(in: Tool.folder) }
      best =
        best.isEmpty
        ? run
        : zip(best, run).map {
          Results.Accessor(name: $0.name, nanoseconds: min($0.nanoseconds, $1.nanoseconds))
        }
    }
    return best
  }
}

/// What bench-accessors prints: lines of a name and nanoseconds.
enum AccessorLines {
  static func measure(in folder: URL) throws -> [Results.Accessor] {
    let output = try Tool.output(Tool.path("bench-accessors", in: folder), [])
    return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t")
      guard parts.count == 2, let time = Double(parts[1]) else { return nil }
      return Results.Accessor(name: String(parts[0]), nanoseconds: time)
    }
  }
}
