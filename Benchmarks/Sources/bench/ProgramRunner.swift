import BenchKit
import BenchReport
import Foundation

/// Runs the programs; each measurement is one process.
struct ProgramRunner {
  private let options: RunOptions
  private let folder: WorkFolder
  fileprivate let quietCheck: QuietCheck
  let programs: [Program]

  init(_ options: RunOptions, _ folder: WorkFolder, _ quietCheck: QuietCheck) {
    self.options = options
    self.folder = folder
    self.quietCheck = quietCheck
    let hasPython =
      options.usesPython && Tool.line("python3", ["-c", "import sqlalchemy; print(1)"]) != nil
    programs = Program.allCases.filter { $0 != .sqlalchemy || hasPython }
  }

  /// Makes the files that all programs read, with Copal.
  func makeData() throws {
    for maker in Stores.makers(of: options.workloads) {
      _ = try run(.copal, maker, folder.file(Stores.name(maker)))
    }
  }

  // MARK: Workloads

  /// Measures every program with every workload; the pairs are shuffled again in each round.
  func measure(_ progress: inout Progress) throws -> [Results.WorkloadResult] {
    var runs: [String: [Program: [BenchKit.Measurement]]] = [:]
    let pairs = programs.flatMap { program in
      options.workloads.filter(program.measures).map { (program, $0) }
    }
    for round in 1...options.rounds {
      for (program, workload) in pairs.shuffled() {
        progress.step("round \(round): \(program.title), \(workload)")
        let measured = try quietCheck.measure { try measure(program, workload) }
        runs[workload.rawValue, default: [:]][program, default: []].append(measured)
      }
    }
    try checkSums(runs)
    return options.workloads.map { workload in
      var samples: [String: Results.Sample] = [:]
      for (program, measured) in runs[workload.rawValue] ?? [:] {
        samples[program.rawValue] = Results.Sample(
          measured.map { ($0.cpuMilliseconds, $0.peakKilobytes) })
      }
      return Results.WorkloadResult(name: workload.rawValue, programs: samples)
    }
  }

  private func measure(_ program: Program, _ workload: any ProgramWorkload) throws
    -> BenchKit.Measurement
  {
    let store = folder.file(Stores.name(workload))
    guard workload.makesFile || workload.changesFile else {
      return try run(program, workload, store)
    }
    let file = folder.file("work.sqlite")
    WorkFolder.removeStore(file)
    if workload.changesFile { try WorkFolder.copyStore(store, to: file) }
    return try run(program, workload, file)
  }

  private func run(_ program: Program, _ workload: any ProgramWorkload, _ file: String) throws
    -> BenchKit.Measurement
  {
    let words = [workload.rawValue, "\(options.rows)", file]
    let line: Data
    switch program {
    case .sqlalchemy:
      let script = URL(filePath: "Python/bench_sqlalchemy.py").path(percentEncoded: false)
      line = try Tool.output("/usr/bin/env", ["python3", script] + words)
    case .copal: line = try Tool.output(Tool.path(type(of: workload).copalProgram), words)
    default: line = try Tool.output(Tool.path("bench-\(program.rawValue)"), words)
    }
    return try JSONDecoder().decode(BenchKit.Measurement.self, from: line)
  }

  /// Checks that all programs have read the same values; SQLAlchemy's sums differ in form.
  private func checkSums(_ runs: [String: [Program: [BenchKit.Measurement]]]) throws {
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

extension ProgramRunner {
  /// Large values in files, conditions, batches, migrations and merges: the median of three runs of
  /// each ratio.
  func measureExternal(_ progress: inout Progress) throws -> [Results.Ratio] {
    var runs: [[NamedFigure]] = []
    for number in 1...Self.accessorRounds {
      progress.step(
        "large values, conditions, batches, migrations, merges, \(number) of \(Self.accessorRounds)"
      )
      runs.append(
        try quietCheck.measure {
          try [
            "bench-external", "bench-queries", "bench-batches", "bench-migration", "bench-contexts",
          ].flatMap { try NamedFigure.lines(of: $0) }
        })
    }
    return runs[0].enumerated().map { index, line in
      Results.Ratio(name: line.name, figure: median(runs.map { $0[index].figure }))
    }
  }
}

/// A line that a program prints: a name, a tab and a number.
struct NamedFigure {
  let name: String
  let figure: Double

  static func lines(of program: String, _ words: [String] = [], in folder: URL = Tool.folder) throws
    -> [NamedFigure]
  {
    let output = try Tool.output(Tool.path(program, in: folder), words)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t")
      guard parts.count == 2, let figure = Double(parts[1]) else { return nil }
      return NamedFigure(name: String(parts[0]), figure: figure)
    }
  }
}

/// What the programs print for accessors: lines of a name and nanoseconds.
enum AccessorLines {
  /// - Parameter withRelationships: whether to add what bench-relationships prints. It does not
  ///   build with commits that had no relationships.
  static func measure(in folder: URL, withRelationships: Bool = true) throws -> [Results.Accessor] {
    try lines("bench-accessors", [], folder)
      + (withRelationships ? lines("bench-relationships", ["accessors"], folder) : [])
  }

  private static func lines(_ program: String, _ words: [String], _ folder: URL) throws
    -> [Results.Accessor]
  {
    try NamedFigure.lines(of: program, words, in: folder).map {
      Results.Accessor(name: $0.name, nanoseconds: $0.figure)
    }
  }
}

/// The files with the data, one for each kind of work.
enum Stores {
  static func name(_ workload: any ProgramWorkload) -> String {
    switch workload {
    case is RelationshipWorkload: "relationships.sqlite"
    case is FamilyWorkload: "families.sqlite"
    default: "data.sqlite"
    }
  }

  /// The work that makes the files of some work.
  static func makers(of workloads: [any ProgramWorkload]) -> [any ProgramWorkload] {
    (workloads.contains { $0 is Workload } ? [Workload.maker] : [])
      + (workloads.contains { $0 is RelationshipWorkload } ? [RelationshipWorkload.maker] : [])
      + (workloads.contains { $0 is FamilyWorkload } ? [FamilyWorkload.maker] : [])
  }
}
