import BenchKit
import Foundation

/// The options of `Benchmarks/run`.
struct RunOptions {
  var rows = 100_000
  var rounds = 9
  var isQuick = false
  var workloads = Self.allWorkloads
  var growth = Self.allGrowth
  var measuresAccessors = true
  /// Whether large values in files are measured.
  var measuresExternal = true
  var usesPython = true
  /// CPU seconds that a growth workload may take at one size.
  var budget = 30.0
  var output = URL(filePath: "Results/results.json")

  static let allWorkloads: [any ProgramWorkload] =
    Workload.allCases + RelationshipWorkload.allCases
    + FamilyWorkload.allCases.filter { !$0.makesFile }
  static let allGrowth: [any SizedWorkload] = GrowthWorkload.allCases + RelationshipGrowth.allCases

  /// The words of `--only` for several workloads.
  static func has(_ workload: any ProgramWorkload, _ names: [String]) -> Bool {
    names.contains(workload.rawValue)
      || workload is RelationshipWorkload && names.contains("relationships")
      || workload is FamilyWorkload && names.contains("families")
  }

  static func has(_ workload: any SizedWorkload, _ names: [String]) -> Bool {
    names.contains(workload.rawValue) || names.contains("growth")
      || workload is RelationshipGrowth && names.contains("relationships")
  }

  static let help = """
    Benchmarks/run: measures Copal beside a floor in C, raw C, GRDB and SQLAlchemy.

      --quick             a first look: few rows, few rounds, small sizes
      --rows N            the rows of the tables; 100000 by default
      --rounds N          how often everything is measured; 9 by default
      --only NAMES        some workloads, separated by commas; also: relationships,
                          families, external, accessors, growth
      --without-python    leaves SQLAlchemy out
      --without-growth    leaves the workloads at several sizes out
      --budget SECONDS    what a workload may take at one size before it is stopped; 30 by default
      --output FILE       where the results go as JSON; Results/results.json by default
      --write-page        keeps the results for this machine, and writes them into Docs/Measurements.md
      --no-wait           ends with 75 instead of waiting until no other benchmark or build runs
    """

  init(_ arguments: some Sequence<String>) throws {
    var words = Words(arguments)
    var (rows, rounds): (Int?, Int?)
    while let word = words.next() {
      switch word {
      case "--quick": isQuick = true
      case "--rows": rows = try words.number(of: word)
      case "--rounds": rounds = try words.number(of: word)
      case "--only": try choose(try words.value(of: word))
      case "--without-python": usesPython = false
      case "--without-growth": growth = []
      case "--budget": budget = Double(try words.number(of: word))
      case "--output": output = URL(filePath: try words.value(of: word))
      default: throw Usage("unknown word '\(word)'\n\n\(Self.help)")
      }
    }
    self.rows = rows ?? (isQuick ? 10_000 : 100_000)
    self.rounds = rounds ?? (isQuick ? 3 : 9)
    if isQuick { budget = min(budget, 5) }
  }

  private mutating func choose(_ list: String) throws {
    let names = list.split(separator: ",").map(String.init)
    workloads = Self.allWorkloads.filter { Self.has($0, names) }
    growth = Self.allGrowth.filter { Self.has($0, names) }
    measuresAccessors = names.contains("accessors")
    measuresExternal = names.contains("external")
    let known =
      Self.allWorkloads.map { $0.rawValue } + Self.allGrowth.map { $0.rawValue }
      + ["relationships", "families", "external", "growth", "accessors"]
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw Usage("no workload '\(unknown)'; there are \(known.joined(separator: ", "))")
    }
  }

  /// How often a growth workload is measured.
  var growthRounds: Int { max(1, rounds / 3) }

  func sizes(of workload: any SizedWorkload) -> [Int] {
    isQuick ? workload.quickSizes : workload.sizes
  }
}
