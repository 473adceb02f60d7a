import BenchKit
import Foundation

/// The options of `Benchmarks/compare`, and the folders of the two builds.
struct CompareOptions {
  /// A build: its name, and the folder of its programs.
  struct Side {
    var name = ""
    var folder = URL(filePath: ".")
  }

  var old = Side()
  var new = Side()
  var isQuick = false
  var rows = 100_000
  /// The pairs for each workload at first and at most: more are measured while there is no verdict.
  var pairs = 20
  var pairsMax = 60
  var threshold = 0.03
  /// After this many minutes there are no more pairs, and the report says what is unclear; nil for
  /// no limit.
  var minutes: Int?
  var workloads = RunOptions.allWorkloads
  var growth = RunOptions.allGrowth.filter { $0.comparedSize != nil }
  var measuresAccessors = true

  init(_ arguments: some Sequence<String>) throws {
    var words = Words(arguments)
    var pairs: Int?
    while let word = words.next() {
      switch word {
      case "--old":
        old = Side(
          name: try words.value(of: word), folder: URL(filePath: try words.value(of: word)))
      case "--new":
        new = Side(
          name: try words.value(of: word), folder: URL(filePath: try words.value(of: word)))
      case "--quick": isQuick = true
      case "--only": try choose(try words.value(of: word))
      case "--pairs": pairs = try words.number(of: word)
      case "--minutes": minutes = try words.number(of: word)
      case "--threshold": threshold = try Self.percent(try words.value(of: word))
      default: throw Usage("compare: unknown word '\(word)'")
      }
    }
    if isQuick {
      rows = 20_000
      self.pairs = 6
      pairsMax = 6
    }
    if let pairs {
      guard isQuick || pairs >= 15 else {
        throw Usage("compare: at least 15 pairs, or --quick for a first look")
      }
      self.pairs = pairs
      pairsMax = isQuick ? pairs : pairs * 3
    }
  }

  private static func percent(_ text: String) throws -> Double {
    guard let percent = Double(text), percent > 0, percent < 1000 else {
      throw Usage("--threshold wants a number of percents, not '\(text)'")
    }
    return percent / 100
  }

  private mutating func choose(_ list: String) throws {
    let names = list.split(separator: ",").map(String.init)
    let all = growth
    workloads = workloads.filter { RunOptions.has($0, names) }
    growth = growth.filter { RunOptions.has($0, names) }
    measuresAccessors = names.contains("accessors")
    let known =
      RunOptions.allWorkloads.map { $0.rawValue } + all.map { $0.rawValue }
      + ["relationships", "growth", "accessors"]
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw Usage("no workload '\(unknown)'; there are \(known.joined(separator: ", "))")
    }
  }
}
