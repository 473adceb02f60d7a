import BenchKit
import Foundation

/// The measurements of one program and workload.
struct Sample {
  var runs: [BenchKit.Measurement] = []

  var cpu: Double { median(runs.map(\.cpuMilliseconds)) }
  var peak: Double { median(runs.map { Double($0.peakKilobytes) }) }
  /// The slowest run over the fastest.
  var spread: Double {
    let times = runs.map(\.cpuMilliseconds)
    return (times.max() ?? 0) / max(times.min() ?? 0, 0.001)
  }

  private func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let middle = sorted.indices.middle else { return 0 }
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

extension Range<Int> {
  var middle: Int? { isEmpty ? nil : lowerBound + count / 2 }
}

typealias Results = [Workload: [Program: Sample]]

/// Where the programs are run.
struct Laboratory {
  private let options: Options
  private let folder: URL
  private let bin = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
  private let progress = ProgressLine()
  private let yardstick = Yardstick()

  init(_ options: Options, _ folder: URL) {
    self.options = options
    self.folder = folder
  }

  private var store: String { folder.appending(path: "data.sqlite").path(percentEncoded: false) }

  /// The file that everybody reads. Copal makes it; the tables are readable by all.
  func makeData() throws {
    progress.say("making \(options.rows) rows")
    _ = try run(.copal, .insert, store)
  }

  func measure() throws -> Results {
    var results: Results = [:]
    var pairs: [(Program, Workload)] = []
    for program in programs { pairs += options.workloads.map { (program, $0) } }
    let total = pairs.count * options.rounds
    var done = 0
    for round in 1...options.rounds {
      for (program, workload) in pairs.shuffled() {
        done += 1
        progress.step(done, total, "round \(round): \(program.title), \(workload)")
        let measured = try yardstick.measure { try measure(program, workload) }
        results[workload, default: [:]][program, default: Sample()].runs.append(measured)
      }
    }
    progress.end()
    if yardstick.repeats > 0 {
      progress.say("\(yardstick.repeats) of \(total) taken again, for the machine was busy")
    }
    if yardstick.gaveUp { progress.say("the machine did not become quiet: the figures are rough") }
    try checkSums(results)
    return results
  }

  private var programs: [Program] {
    Program.allCases.filter { $0 != .sqlalchemy || (options.usesPython && hasPython) }
  }

  private var hasPython: Bool {
    (try? output("/usr/bin/env", ["python3", "-c", "import sqlalchemy"])) != nil
  }

  private func measure(_ program: Program, _ workload: Workload) throws -> BenchKit.Measurement {
    let file: String
    switch workload {
    case .insert, .update, .delete:
      file = folder.appending(path: "work.sqlite").path(percentEncoded: false)
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file + suffix)
        if workload != .insert, FileManager.default.fileExists(atPath: store + suffix) {
          try FileManager.default.copyItem(atPath: store + suffix, toPath: file + suffix)
        }
      }
    default: file = store
    }
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
      line = try output("/usr/bin/env", ["python3", script] + words)
    default:
      let tool = bin.appending(path: "bench-\(program.rawValue)").path(percentEncoded: false)
      line = try output(tool, words)
    }
    return try JSONDecoder().decode(BenchKit.Measurement.self, from: line)
  }

  /// The accessor benchmarks: the best of three runs of each.
  func measureAccessors() throws -> [(name: String, nanoseconds: Double)] {
    var best: [(name: String, nanoseconds: Double)] = []
    for number in 1...3 {
      progress.say("accessors, \(number) of 3")
      let run = try yardstick.measure(accessorLines)
      best =
        best.isEmpty
        ? run : zip(best, run).map { ($0.name, min($0.nanoseconds, $1.nanoseconds)) }
    }
    return best
  }

  /// The accessor benchmarks' own lines: a name and nanoseconds.
  private func accessorLines() throws -> [(name: String, nanoseconds: Double)] {
    let tool = bin.appending(path: "bench-accessors").path(percentEncoded: false)
    return String(decoding: try output(tool, []), as: UTF8.self).split(separator: "\n")
      .compactMap { line in
        let parts = line.split(separator: "\t")
        guard parts.count == 2, let time = Double(parts[1]) else { return nil }
        return (String(parts[0]), time)
      }
  }

  /// Every program must have read the same; SQLAlchemy sums in its own way.
  private func checkSums(_ results: Results) throws {
    for (workload, samples) in results {
      let sums = Set(
        samples.filter { $0.key != .sqlalchemy }.flatMap { $0.value.runs.map(\.checksum) })
      guard sums.count == 1 else { throw Failure("\(workload): the checksums differ: \(sums)") }
    }
  }

  private func output(_ tool: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: tool)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure("\(tool) \(arguments.joined(separator: " ")) failed")
    }
    return data
  }
}

/// Says how far the work is: one line that moves on a terminal, plain lines elsewhere.
struct ProgressLine {
  private let isTerminal = isatty(STDERR_FILENO) == 1

  func say(_ text: String) { write(text + "\n") }

  func step(_ done: Int, _ total: Int, _ text: String) {
    if isTerminal {
      let filled = done * 24 / total
      let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: 24 - filled)
      write("\r\u{1B}[K\(bar) \(done)/\(total) \(text)")
    } else if done % max(1, total / 20) == 0 {
      write("\(done)/\(total) \(text)\n")
    }
  }

  func end() { if isTerminal { write("\r\u{1B}[K") } }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
