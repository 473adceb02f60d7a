import BenchKit
import Foundation

/// Runs every program on every workload, interleaved and shuffled, one process a measurement, and
/// reports ratios of CPU time.
@main
struct Bench {
  static func main() throws {
    let options = try Options(CommandLine.arguments.dropFirst())
    let folder = FileManager.default.temporaryDirectory.appending(path: "copal-bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let laboratory = Laboratory(options, folder)
    try laboratory.makeData()
    let results = try laboratory.measure()
    let report = Report(options, results, accessors: try laboratory.measureAccessors())
    print(report.table)
    try report.write(to: options.output)
    print(report.verdict)
  }
}

/// What to run: `--rows N --rounds N --output FOLDER --without-python`.
struct Options {
  var rows = 100_000
  var rounds = 9
  var output = URL(filePath: "Results")
  var usesPython = true
  var workloads = Workload.allCases

  init(_ words: some Sequence<String>) throws {
    var rest = Array(words)[...]
    func value(_ word: String) throws -> String {
      guard let value = rest.popFirst() else { throw Failure("\(word) wants a value") }
      return value
    }
    while let word = rest.popFirst() {
      switch word {
      case "--rows": rows = try Self.number(try value(word), word)
      case "--rounds": rounds = try Self.number(try value(word), word)
      case "--output": output = URL(filePath: try value(word))
      case "--only":
        workloads = try value(word).split(separator: ",").compactMap {
          Workload(rawValue: String($0))
        }
      case "--without-python": usesPython = false
      default:
        throw Failure(
          "unknown argument '\(word)'; --rows N, --rounds N, --output FOLDER, --only WORKLOADS, --without-python"
        )
      }
    }
  }

  private static func number(_ text: String, _ word: String) throws -> Int {
    guard let number = Int(text), number > 0 else { throw Failure("\(word) wants a number") }
    return number
  }
}

struct Failure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// One of the programs that are compared.
enum Program: String, CaseIterable {
  case raw, copal, grdb, sqlalchemy

  var title: String {
    switch self {
    case .raw: "raw C"
    case .copal: "Copal"
    case .grdb: "GRDB"
    case .sqlalchemy: "SQLAlchemy"
    }
  }
}
