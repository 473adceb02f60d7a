import BenchKit
import BenchReport
import Foundation

/// `Benchmarks/compare`: compares two builds of Copal.
///
/// A pair is one process of each, one directly after the other. The order alternates from pair to
/// pair (ABBA), so that a machine that becomes slower affects both. Both processes of a pair have
/// an environment of the same random length, which moves the stack.
struct Compare {
  private let options: CompareOptions
  private let start = ContinuousClock.now

  init(_ options: CompareOptions) { self.options = options }

  private var isOver: Bool {
    options.minutes.map { ContinuousClock.now - start >= .seconds(60 * $0) } ?? false
  }

  /// - Returns: the exit code.
  func perform() throws -> Int32 {
    let folder = try WorkFolder()
    defer { folder.remove() }
    print(Results.Machine.here(folder).line)
    let quietCheck = QuietCheck()
    let sides = [
      Side(options.old, "old", folder, rows: options.rows),
      Side(options.new, "new", folder, rows: options.rows),
    ]
    var subjects = subjects(sides)
    for side in sides { try side.makeData(for: subjects.map(\.work)) }
    let estimate =
      subjects.map { Double(options.pairs) * 2 * $0.seconds(options.rows) }.reduce(0, +)
      * quietCheck.slowness
    Terminal.say(
      "this will take \(Terminal.about(estimate)): \(subjects.count) pieces of work, \(options.pairs) pairs"
        + (options.pairsMax > options.pairs
          ? ", up to \(options.pairsMax) where it is unclear" : ""))
    // A warm-up: the first reads of files and programs come from the disk.
    for subject in subjects { for side in sides { _ = try side.measure(subject.work, padding: 0) } }
    try take(options.pairs, of: Array(subjects.indices), &subjects, sides, quietCheck)
    while case let open = undecided(subjects), !open.isEmpty, !isOver {
      Terminal.say("more pairs for \(open.map { subjects[$0].work.name }.joined(separator: ", "))")
      try take(options.pairs, of: open, &subjects, sides, quietCheck)
    }
    return report(subjects, quietCheck)
  }

  // MARK: Pairs

  private func take(
    _ count: Int, of indices: [Int], _ subjects: inout [Subject], _ sides: [Side],
    _ quietCheck: QuietCheck
  ) throws {
    // Always both orders, so that the number of pairs is even.
    let rounds = (count + 1) / 2
    var progress = Progress(
      rounds * 2 * indices.count,
      indices.map { subjects[$0].seconds(options.rows) * 2 * Double(count) }.reduce(0, +)
        * quietCheck.slowness)
    for round in 0..<rounds {
      // Of the first pairs, as many as an interval needs are always taken.
      if isOver, round > 3 || subjects.allSatisfy({ $0.taken > 6 }) { break }
      for index in indices.shuffled() {
        for newIsFirst in [false, true] {
          progress.step("\(subjects[index].work.name)")
          let padding = Int.random(in: 0..<4096)
          let work = subjects[index].work
          let (old, new) = try quietCheck.measure {
            if newIsFirst {
              let new = try sides[1].measure(work, padding: padding)
              return (try sides[0].measure(work, padding: padding), new)
            }
            let old = try sides[0].measure(work, padding: padding)
            return (old, try sides[1].measure(work, padding: padding))
          }
          try subjects[index].add(old, new)
        }
      }
    }
    Terminal.endSteps()
  }

  /// The workloads without a verdict that may get more pairs.
  private func undecided(_ subjects: [Subject]) -> [Int] {
    subjects.indices.filter { index in
      subjects[index].taken + options.pairs <= options.pairsMax
        && subjects[index].comparisons.contains {
          $0.verdict(threshold: options.threshold) == .unclear
        }
    }
  }

  // MARK: Workloads

  private func subjects(_ sides: [Side]) -> [Subject] {
    var works = options.workloads.map(Work.standard)
    works += options.growth.compactMap { workload in
      workload.comparedSize.map { Work.growth(workload, options.isQuick ? $0 / 4 : $0) }
    }
    if options.measuresAccessors {
      let hasRelationships = sides.allSatisfy { $0.has("bench-relationships") }
      works.append(.accessors(withRelationships: hasRelationships))
    }
    for program in ["bench-growth", "bench-relationships", "bench-families", "bench-accessors"]
    where !sides.allSatisfy({ $0.has(program) }) {
      let count = works.count
      works.removeAll { $0.program == program }
      if works.count == count { continue }
      Terminal.say("left out: the work of \(program), which does not build on both sides")
    }
    return works.map(Subject.init)
  }

  // MARK: Report

  private func report(_ subjects: [Subject], _ quietCheck: QuietCheck) -> Int32 {
    let comparisons = subjects.flatMap(\.comparisons)
    if quietCheck.disturbed > 0 {
      Terminal.say("\(quietCheck.disturbed) pairs taken again, because the machine was busy")
    }
    if quietCheck.gaveUp {
      Terminal.say("the machine did not become quiet: the figures are approximate")
    }
    print("\nold: \(options.old.name)\nnew: \(options.new.name)")
    print("CPU time; slower is more than \((options.threshold * 100).rounded(1)) %\n")
    let lines = comparisons.table(threshold: options.threshold).text.split(separator: "\n")
    print(lines[0])
    for (line, comparison) in zip(lines.dropFirst(), comparisons) {
      switch comparison.verdict(threshold: options.threshold) {
      case .slower: print(Terminal.colored(String(line), .red))
      case .unclear: print(Terminal.colored(String(line), .yellow))
      case .faster: print(Terminal.colored(String(line), .green))
      case .noSlower: print(line)
      }
    }
    let code = comparisons.exitCode(threshold: options.threshold)
    let words =
      switch code {
      case 0: "nothing is slower"
      case 1: "slower: " + names(comparisons, .slower)
      default: "nothing is shown to be slower; not clear: " + names(comparisons, .unclear)
      }
    print("\n\(words)")
    if options.isQuick { print("A first look: too few pairs to rely on.") }
    return code
  }

  private func names(_ comparisons: [Comparison], _ verdict: Comparison.Verdict) -> String {
    comparisons.filter { $0.verdict(threshold: options.threshold) == verdict }.map(\.name)
      .joined(separator: ", ")
  }
}
