import BenchKit
import BenchReport
import Foundation
import Testing

@Suite("Results of a run")
struct ResultsTests {
  static func growth(_ costs: [Double], _ references: [Double?], stopped: Int? = nil)
    -> Results.Growth
  {
    Results.Growth(
      name: "findOrCreate", sizeName: "questions", unit: "question", reference: "the floor",
      points: zip(costs, references).enumerated().map { number, point in
        .init(
          size: [1000, 10_000, 100_000][number], cost: point.0, reference: point.1,
          stoppedAt: number == costs.count - 1 ? stopped : nil)
      })
  }

  static func targets(_ growth: Results.Growth) -> [String] {
    var results = Self.empty
    results.growth = [growth]
    results.judge()
    return results.targets.map(\.line)
  }

  static var empty: Results {
    Results(
      machine: .init(
        processor: "P", architecture: "x86_64", cores: 2, memoryGB: 23, isVirtual: true,
        system: "Debian", fileSystem: "ext4", sqlite: "3.40.1", swift: "6.3.1"),
      date: "2026-11-21", commit: "43aba87", rows: 100_000, rounds: 9, isQuick: false)
  }

  @Test("quadratic growth misses the target, growth like the C program's meets it")
  func growthTargets() {
    #expect(
      Self.targets(Self.growth([10, 100, 1000], [5, 5, 5])) == [
        "missed findOrCreate: cost of a question from size to size: 10.00 times, at most 1.50 times",
        "missed findOrCreate / the floor: 200.00, at most 3.00",
      ])
    #expect(
      Self.targets(Self.growth([10, 20, 40], [5, 10, 20])) == [
        "met    findOrCreate: cost of a question from size to size: 1.00 times, at most 1.50 times",
        "met    findOrCreate / the floor: 2.00, at most 3.00",
      ])
  }

  @Test("a cost that falls while the C program's rises meets the target")
  func fallingReference() {
    #expect(Self.growth([10, 10, 10], [20, 10, 5]).ownFactors == [1, 1])
  }

  @Test("a workload that was stopped misses its targets")
  func stopped() {
    #expect(
      Self.targets(Self.growth([10, 10, 10], [5, 5, 5], stopped: 40_000)) == [
        "missed findOrCreate: cost of a question from size to size: not measured, at most 1.50 times",
        "missed findOrCreate / the floor: not measured, at most 3.00",
      ])
  }

  @Test("the time of a chain at the last size has a limit in seconds")
  func chainTargets() {
    func lines(_ costs: [Double], stopped: Int? = nil) -> [String] {
      var growth = Self.growth(costs, [nil, nil, nil], stopped: stopped)
      (growth.name, growth.sizeName, growth.unit) = ("cascadeChain", "folders", "folder")
      growth.reference = nil
      return Self.targets(growth)
    }
    #expect(
      lines([15_000, 16_000, 19_000]) == [
        "met    cascadeChain: cost of a folder from size to size: 1.19 times, at most 1.50 times",
        "met    cascadeChain: 100000 folders: 1.90 s, at most 2.00 s",
      ])
    #expect(
      lines([15_000, 16_000, 21_000]).last
        == "missed cascadeChain: 100000 folders: 2.10 s, at most 2.00 s")
    #expect(
      lines([15_000, 16_000, 17_000], stopped: 50_000).last
        == "missed cascadeChain: 100000 folders: not measured, at most 2.00 s")
  }

  @Test(
    "work with relationships has its limit relative to raw C, and to GRDB where there is one",
    arguments: [
      (RelationshipWorkload.insertGraph, 1.3, 0.35 as Double?), (.children, 1.15, 0.7),
      (.childrenLazy, 1.3, nil), (.parents, 1.15, 0.7), (.move, 0.9, nil), (.cascade, 4, nil),
      (.cascadeRows, 1.5, nil),
    ])
  func relationshipTargets(workload: RelationshipWorkload, raw: Double, grdb: Double?) {
    func targets(raw: Double, grdb: Double) -> [Results.Target] {
      var results = Self.empty
      let programs: [String: Double] = ["copal": 100, "raw": 100 / raw, "grdb": 100 / grdb]
      results.workloads = [
        .init(name: workload.rawValue, programs: programs.mapValues { .init([($0, 10)]) })
      ]
      results.judge()
      return results.targets.filter { $0.name.hasPrefix("\(workload.rawValue) /") }
    }
    let names =
      ["\(workload.rawValue) / raw C"] + (grdb == nil ? [] : ["\(workload.rawValue) / GRDB"])
    let met = targets(raw: raw * 0.99, grdb: (grdb ?? 1) * 0.99)
    #expect(met.map(\.name) == names)
    #expect(met.filter { !$0.isMet }.isEmpty)
    let missed = targets(raw: raw * 1.01, grdb: (grdb ?? 1) * 1.01)
    #expect(missed.filter(\.isMet).isEmpty)
  }

  @Test("each workload has another name, by which --only chooses it")
  func names() {
    let names =
      Workload.allCases.map(\.rawValue) + RelationshipWorkload.allCases.map(\.rawValue)
      + GrowthWorkload.allCases.map(\.rawValue) + RelationshipGrowth.allCases.map(\.rawValue)
    #expect(Set(names).count == names.count)
  }

  @Test("results are equal after writing and reading")
  func roundTrip() throws {
    var results = Self.empty
    results.growth = [Self.growth([10, 20], [nil, nil])]
    results.workloads = [
      .init(name: "insert", programs: ["raw": .init([(200, 10), (210, 12), (190, 11)])])
    ]
    let data = try JSONEncoder().encode(results)
    let read = try JSONDecoder().decode(Results.self, from: data)
    #expect(read.text == results.text)
    #expect(read.workloads[0].programs["raw"]?.cpu == 200)
    #expect(read.machine.line == results.machine.line)
  }

  @Test(
    "numbers of results are rounded for reading",
    arguments: [
      (0.0, 2, "0.00"), (1.005, 1, "1.0"), (1.96, 1, "2.0"), (12.3456, 3, "12.346"),
      (-0.04, 1, "0.0"), (-1.25, 2, "-1.25"), (99.999, 2, "100.00"), (7.07, 2, "7.07"),
      (1234.5, 0, "1235"), (.infinity, 2, "–"),
    ])
  func rounding(number: Double, digits: Int, text: String) {
    #expect(number.rounded(digits) == text)
  }
}
