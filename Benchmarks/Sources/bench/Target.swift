import BenchKit

/// A number to reach: a ratio to raw C or GRDB, or nanoseconds of an accessor.
struct Target {
  var name: String
  var limit: Double
  var unit: String
  /// What was measured; nil when it was not run.
  var figure: Double?

  var isMet: Bool { figure.map { $0 <= limit } ?? false }

  var line: String {
    let found = figure.map { "\(rounded($0))\(unit)" } ?? "not measured"
    return "\(isMet ? "met   " : "missed") \(name): \(found), at most \(rounded(limit))\(unit)"
  }

  private func rounded(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  /// The ratios to reach at 100,000 rows: to raw C, and to GRDB's fastest record.
  static let ratios: [(Workload, raw: Double, grdb: Double)] = [
    (.fetchAll, 1.15, 0.70), (.fetchOne, 1.0, 0.65), (.ids, 1.2, 0.65), (.getReading, 1.25, 0.08),
    (.filter, 1.05, 0.90), (.insert, 1.15, 0.28), (.update, 1.10, 0.30), (.delete, 1.10, 0.62),
    (.reopen, 1.6, 0.37),
  ]

  /// The nanoseconds to reach, by the names that bench-accessors prints.
  static let nanoseconds: [(String, Double)] = [
    ("number", 1), ("date", 1), ("flag", 1), ("text of 7 bytes", 12), ("text of 15 bytes", 12),
    ("text of 40 bytes", 25), ("decimal from text", 25), ("decimal from a scaled integer", 25),
    ("identity map hit", 10), ("fault, 100 at once", 1600),
  ]

  static func all(_ results: Results, _ accessors: [(name: String, nanoseconds: Double)])
    -> [Target]
  {
    var targets: [Target] = []
    for (workload, raw, grdb) in ratios {
      guard let samples = results[workload], let copal = samples[.copal] else { continue }
      for (program, limit) in [(Program.raw, raw), (.grdb, grdb)] {
        targets.append(
          Target(
            name: "\(workload) / \(program.title)", limit: limit, unit: "",
            figure: samples[program].map { copal.cpu / $0.cpu }))
      }
    }
    if let fetch = results[.fetchAll], let copal = fetch[.copal], let raw = fetch[.raw] {
      targets.append(
        Target(
          name: "memory of an object / the plain struct", limit: 0.95, unit: "",
          figure: raw.peak > 0 ? copal.peak / raw.peak : nil))
    }
    for (name, limit) in nanoseconds {
      targets.append(
        Target(
          name: name, limit: limit, unit: " ns",
          figure: accessors.first { $0.name == name }?.nanoseconds))
    }
    return targets
  }
}
