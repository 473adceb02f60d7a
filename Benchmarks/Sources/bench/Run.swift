import BenchKit
import BenchReport
import Foundation

/// `Benchmarks/run`: estimates the duration, measures everything, reports, and stores the results.
struct Run {
  private let options: RunOptions

  init(_ options: RunOptions) { self.options = options }

  func perform() throws {
    let folder = try WorkFolder()
    defer { folder.remove() }
    let machine = Results.Machine.here(folder)
    let quietCheck = QuietCheck()
    let runner = ProgramRunner(options, folder, quietCheck)
    let plan = Plan(options, runner.programs)
    let estimate = plan.seconds * quietCheck.slowness
    print(machine.line)
    Terminal.say("this will take \(Terminal.about(estimate)): \(plan.words)")

    var progress = Progress(plan.steps, estimate)
    var results = Results(
      machine: machine, date: Self.today(), commit: Self.commit(), rows: options.rows,
      rounds: options.rounds, isQuick: options.isQuick)
    if !options.workloads.isEmpty {
      try runner.makeData()
      results.workloads = try runner.measure(&progress)
    }
    if options.measuresExternal { results.ratios = try runner.measureExternal(&progress) }
    if options.measuresAccessors {
      results.accessors = try runner.measureAccessors(&progress)
    }
    let growth = GrowthRunner(options, folder, quietCheck)
    results.growth = try growth.measure(&progress)
    results.memory = try growth.measureMemory(&progress)
    Terminal.endSteps()

    results.measurements = progress.done
    results.retaken = quietCheck.disturbed
    results.gaveUp = quietCheck.gaveUp
    results.seconds = progress.elapsed
    results.estimatedSeconds = estimate
    results.judge()
    try report(results)
  }

  private func report(_ results: Results) throws {
    Terminal.say(
      "took \(Terminal.about(results.seconds)), was said to take \(Terminal.about(results.estimatedSeconds))"
    )
    if results.retaken > 0 {
      Terminal.say(
        "\(results.retaken) of \(results.measurements) measurements were taken again, because the machine was busy"
      )
    }
    if results.gaveUp { Terminal.say("the machine did not become quiet: the figures are rough") }
    print("\n" + results.text + "\n")
    for target in results.targets {
      print(Terminal.colored(target.line, target.isMet ? .green : .red))
    }
    print(results.verdictLines.last ?? "")
    if results.isQuick {
      print("A first look at few rows and in few rounds; the limits are of a whole run.")
    }
    try write(results)
  }

  private func write(_ results: Results) throws {
    try FileManager.default.createDirectory(
      at: options.output.deletingLastPathComponent(), withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(results).write(to: options.output)
    Terminal.say("kept in \(options.output.relativePath)")
  }

  private static func today() -> String {
    Date.now.formatted(.iso8601.year().month().day())
  }

  /// The measured commit, marked when files differ from it.
  private static func commit() -> String {
    guard let commit = Tool.line("git", ["rev-parse", "--short=7", "HEAD"]) else { return "" }
    let isChanged = Tool.line("git", ["status", "--porcelain", "--", ".."]) != nil
    return commit + (isChanged ? "+" : "")
  }
}

/// The number of measurements, and their estimated duration.
struct Plan {
  private let options: RunOptions
  private let programs: [Program]

  init(_ options: RunOptions, _ programs: [Program]) {
    self.options = options
    self.programs = programs
  }

  var steps: Int {
    var steps = programs.map { options.workloads.filter($0.measures).count }.reduce(0, +)
    steps *= options.rounds
    if options.measuresAccessors { steps += ProgramRunner.accessorRounds }
    if options.measuresExternal { steps += ProgramRunner.accessorRounds }
    for workload in options.growth {
      steps += options.sizes(of: workload).count * (workload.isMemory ? 1 : options.growthRounds)
    }
    return steps
  }

  var words: String {
    var parts: [String] = []
    if !options.workloads.isEmpty {
      parts.append(
        "\(options.workloads.count) workloads, \(programs.count) programs, \(options.rows) rows, \(options.rounds) rounds"
      )
    }
    if options.measuresExternal { parts.append("large values in files, conditions") }
    if options.measuresAccessors { parts.append("accessors") }
    if !options.growth.isEmpty {
      parts.append("\(options.growth.count) workloads at several sizes")
    }
    return parts.joined(separator: "; ")
  }

  /// On the machine of ``QuietCheck/usualMilliseconds``, a tenth of the measurements being taken
  /// again.
  var seconds: Double {
    var seconds = 0.0
    for program in programs {
      for workload in options.workloads.filter(program.measures) {
        seconds +=
          Duration.seconds(program, workload, options.rows) * Double(options.rounds) * 1.1
      }
    }
    if options.measuresAccessors {
      seconds += Duration.accessors * Double(ProgramRunner.accessorRounds)
    }
    if options.measuresExternal {
      seconds += Duration.external * Double(ProgramRunner.accessorRounds)
    }
    for workload in options.growth {
      for size in options.sizes(of: workload) {
        let rounds = Double(workload.isMemory ? 1 : options.growthRounds)
        seconds += Duration.seconds(workload, size, budget: options.budget) * rounds
      }
    }
    return seconds
  }
}

/// The progress of the measurements.
struct Progress {
  private let total: Int
  private let estimate: Double
  private let start = ContinuousClock.now
  private(set) var done = 0

  init(_ total: Int, _ estimate: Double) {
    self.total = total
    self.estimate = estimate
  }

  var elapsed: Double {
    let elapsed = start.duration(to: .now).components
    return Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
  }

  mutating func step(_ text: String) {
    done += 1
    // The first estimate is used until there are measurements.
    let share = Double(done - 1) / Double(max(1, total))
    let rest = share < 0.1 ? estimate - elapsed : elapsed / share * (1 - share)
    Terminal.step(done, total, "\(text); \(Terminal.about(max(5, rest))) left")
  }
}
