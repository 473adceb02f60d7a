import BenchKit
import Foundation

/// What comes out: a table for people, the same as Markdown, a picture, and a verdict.
struct Report {
  private let options: Options
  private let results: Results
  private let accessors: [(name: String, nanoseconds: Double)]

  init(
    _ options: Options, _ results: Results, accessors: [(name: String, nanoseconds: Double)]
  ) {
    self.options = options
    self.results = results
    self.accessors = accessors
  }

  private var programs: [Program] {
    Program.allCases.filter { program in results.values.contains { $0[program] != nil } }
  }

  private var workloads: [Workload] { Workload.allCases.filter { results[$0] != nil } }

  private func number(_ value: Double, _ digits: Int = 2) -> String {
    String(format: "%.\(digits)f", value)
  }

  // MARK: Text

  /// CPU milliseconds, and in brackets the ratio to raw C and the spread.
  var table: String {
    var lines = ["", "CPU ms at \(options.rows) rows (ratio to raw C; slowest run over fastest)"]
    lines.append(
      padded("", 12) + programs.map { padded($0.title, 24) }.joined())
    for workload in workloads {
      let cells = programs.map { program in padded(cell(workload, program), 24) }
      lines.append(padded("\(workload)", 12) + cells.joined())
    }
    lines.append("")
    lines += accessors.map { padded($0.name, 36) + number($0.nanoseconds) + " ns" }
    return lines.joined(separator: "\n")
  }

  private func cell(_ workload: Workload, _ program: Program) -> String {
    guard let sample = results[workload]?[program] else { return "–" }
    let raw = results[workload]?[.raw]?.cpu ?? 0
    return "\(number(sample.cpu, 1)) (\(number(sample.cpu / raw)); \(number(sample.spread)))"
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  /// Every target with its figure, and the count.
  var verdict: String {
    let targets = Target.all(results, accessors)
    let met = targets.count(where: \.isMet)
    return (targets.map(\.line) + ["\(met) met, \(targets.count - met) missed"])
      .joined(separator: "\n")
  }

  // MARK: Files

  func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let name = "rows-\(options.rows)"
    try markdown.write(
      to: folder.appending(path: "\(name).md"), atomically: true, encoding: .utf8)
    try picture.write(
      to: folder.appending(path: "\(name).svg"), atomically: true, encoding: .utf8)
  }

  private var markdown: String {
    let head =
      ["| CPU ms at \(options.rows) rows (ratio to raw C) |"] + programs.map { " \($0.title) |" }
    var lines = [head.joined(), "|---|" + programs.map { _ in "---:|" }.joined()]
    for workload in workloads {
      lines.append("| \(workload) |" + programs.map { " \(cell(workload, $0)) |" }.joined())
    }
    lines += ["", "| accessor | ns |", "|---|---:|"]
    lines += accessors.map { "| \($0.name) | \(number($0.nanoseconds)) |" }
    lines += ["", "```", verdict, "```", ""]
    return lines.joined(separator: "\n")
  }

  /// Bars of the ratio to raw C: one group a workload, one bar a program, drawn to three times raw C.
  private var picture: String {
    let compared = programs.filter { $0 != .sqlalchemy }
    let colors: [Program: String] = [.raw: "#9aa5b1", .copal: "#e07b00", .grdb: "#3b6ea8"]
    let (left, unit, bar) = (110.0, 110.0, 14.0)
    let height = 60 + Double(workloads.count) * (bar * Double(compared.count) + 14)
    var y = 50.0
    var shapes: [String] = []
    for workload in workloads {
      shapes.append("<text x=\"8\" y=\"\(y + bar * 1.8)\">\(workload)</text>")
      for program in compared {
        guard let sample = results[workload]?[program], let raw = results[workload]?[.raw] else {
          continue
        }
        let ratio = sample.cpu / raw.cpu
        let width = min(ratio, 5) * unit
        shapes.append(
          "<rect x=\"\(left)\" y=\"\(y)\" width=\"\(number(width, 1))\" height=\"\(bar - 2)\" fill=\"\(colors[program] ?? "#888")\"/><text x=\"\(number(left + width + 6, 1))\" y=\"\(y + bar - 3)\" font-size=\"11\">\(program.title) \(number(ratio))</text>"
        )
        y += bar
      }
      y += 14
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="820" height="\(number(height, 0))" font-family="sans-serif" font-size="13">
      <rect width="100%" height="100%" fill="white"/>
      <text x="8" y="24" font-size="16">CPU time at \(options.rows) rows, raw C = 1 (shorter is better)</text>
      \(shapes.joined(separator: "\n"))
      </svg>

      """
  }
}
