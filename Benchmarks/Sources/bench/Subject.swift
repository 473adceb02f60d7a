import BenchKit
import BenchReport
import Foundation

/// A workload of a comparison.
enum Work {
  case standard(any ProgramWorkload)
  case growth(any SizedWorkload, Int)
  case accessors(withRelationships: Bool)

  var name: String {
    switch self {
    case .standard(let workload): workload.rawValue
    case .growth(let workload, let size): "\(workload.rawValue) at \(size)"
    case .accessors: "accessors"
    }
  }

  /// The program that does it.
  var program: String {
    switch self {
    case .standard(let workload): type(of: workload).copalProgram
    case .growth(let workload, _): type(of: workload).program
    case .accessors: "bench-accessors"
    }
  }
}

/// The measurements of one process: a number for each name, and the checksum that must be equal on
/// both sides.
struct Figures {
  struct Figure {
    var name: String
    var value: Double
    var unit = "ms"
    var leastDifference = 0.0
    var peakKilobytes = 0
  }

  var figures: [Figure]
  var checksum: UInt64 = 0
}

/// A workload with its measured pairs.
struct Subject {
  let work: Work
  private(set) var comparisons: [Comparison] = []
  private(set) var taken = 0

  init(_ work: Work) { self.work = work }

  mutating func add(_ old: Figures, _ new: Figures) throws {
    guard old.checksum == new.checksum else {
      throw Failure("\(work.name): old and new have read different things")
    }
    taken += 1
    for (a, b) in zip(old.figures, new.figures) {
      guard a.name == b.name else {
        throw Failure("\(work.name): old measures \(a.name) where new measures \(b.name)")
      }
      let pair = Comparison.Pair(old: a.value, new: b.value)
      let peak = Comparison.Pair(old: Double(a.peakKilobytes), new: Double(b.peakKilobytes))
      if let index = comparisons.firstIndex(where: { $0.name == a.name }) {
        comparisons[index].pairs.append(pair)
        comparisons[index].peaks.append(peak)
      } else {
        comparisons.append(
          Comparison(
            name: a.name, unit: a.unit, leastDifference: a.leastDifference, pairs: [pair],
            peaks: [peak]))
      }
    }
  }

  /// How long one process takes, about.
  func seconds(_ rows: Int) -> Double {
    switch work {
    case .standard(let workload):
      Duration.seconds(.copal, workload, rows) * Double(workload.repeats + 1) * 0.8 + 0.1
    case .growth(let workload, let size):
      Duration.seconds(workload, size, budget: Side.budget) + 0.1
    case .accessors: Duration.accessors
    }
  }
}

/// One of the two builds, with its own stores.
struct Side {
  private let folder: URL
  private let files: WorkFolder
  private let prefix: String
  private let rows: Int

  /// The limit of CPU seconds for a growth workload, the same on both sides.
  static let budget = 60.0

  init(_ side: CompareOptions.Side, _ prefix: String, _ files: WorkFolder, rows: Int) {
    folder = side.folder
    self.files = files
    self.prefix = prefix
    self.rows = rows
  }

  /// Makes the files that some work reads.
  func makeData(for works: [Work]) throws {
    let workloads = works.compactMap { work -> (any ProgramWorkload)? in
      if case .standard(let workload) = work { workload } else { nil }
    }
    for maker in Stores.makers(of: workloads) {
      _ = try Tool.output(
        program(type(of: maker).copalProgram), [maker.rawValue, "\(rows)", store(maker)])
    }
  }

  private func program(_ name: String) -> String { Tool.path(name, in: folder) }

  private func store(_ workload: any ProgramWorkload) -> String {
    files.file("\(prefix)-\(Stores.name(workload))")
  }

  func has(_ name: String) -> Bool { FileManager.default.isExecutableFile(atPath: program(name)) }

  func measure(_ work: Work, padding: Int) throws -> Figures {
    let environment = ["COPAL_BENCH_PADDING": String(repeating: "x", count: padding)]
    switch work {
    case .standard(let workload): return try measure(workload, environment)
    case .growth(let workload, let size): return try measure(workload, size, environment)
    case .accessors(let withRelationships):
      let lines = try AccessorLines.measure(in: folder, withRelationships: withRelationships)
      let figures = lines.map {
        // Half a nanosecond is two instructions, which can change with the layout of the code.
        Figures.Figure(
          name: $0.name, value: $0.nanoseconds, unit: "ns", leastDifference: 0.5)
      }
      return Figures(figures: figures)
    }
  }

  /// The first time in a new process, which uses memory for the first time, and the best of the
  /// others, which noise disturbs least.
  private func measure(_ workload: any ProgramWorkload, _ environment: [String: String]) throws
    -> Figures
  {
    let line = try Tool.output(
      program(type(of: workload).copalProgram),
      [workload.rawValue, "\(rows)", store(workload), "\(workload.repeats)"],
      environment: environment)
    let measured = try JSONDecoder().decode(BenchKit.Measurement.self, from: line)
    guard let best = measured.again?.min() else {
      throw Failure("\(workload): the program does not repeat its work")
    }
    return Figures(
      figures: [
        .init(name: workload.rawValue, value: best),
        .init(
          name: "\(workload.rawValue), first", value: measured.cpuMilliseconds,
          peakKilobytes: measured.peakKilobytes),
      ], checksum: measured.checksum)
  }

  private func measure(
    _ workload: any SizedWorkload, _ size: Int, _ environment: [String: String]
  ) throws -> Figures {
    let tool = program(type(of: workload).program)
    let file = try GrowthFiles(files, tool, prefix: prefix).file(workload, size)
    let line = try Tool.output(
      tool, [workload.rawValue, "\(size)", file, "\(Self.budget)"],
      environment: environment)
    let measured = try JSONDecoder().decode(GrowthMeasurement.self, from: line)
    if measured.isStopped { throw Failure("\(workload) at \(size) takes more than a minute") }
    // Microseconds a unit: how many calls there were may differ.
    let cost = measured.cpuMilliseconds * 1000 / Double(max(1, measured.units))
    return Figures(
      figures: [.init(name: "\(workload.rawValue) at \(size)", value: cost, unit: "µs")],
      checksum: measured.checksum)
  }
}
