import Copal
import Foundation
import Testing

/// Random sequences of operations on one to three contexts, compared with a model in dictionaries.
///
/// `COPAL_SEQUENCES=5000` runs as many, and `COPAL_SEQUENCES_FROM=90000` begins with another seed;
/// a sequence that failed runs again with `COPAL_SEQUENCE` and its name. `Scripts/test-sequences`
/// does the same.
@Suite("Random sequences of operations")
struct SequenceTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let total = environment["COPAL_SEQUENCES"].flatMap { Int($0) } ?? 120
  private static let first = environment["COPAL_SEQUENCES_FROM"].flatMap { UInt64($0) } ?? 0
  private static let length = 60
  private static let reportsMax = 4

  @Test("a context behaves like the plain model in random sequences", arguments: Stage.all)
  func sequences(_ stage: Stage) throws {
    let count = UInt64(max(1, Self.total / Stage.all.count))
    var shapes: Set<String> = []
    for seed in Self.first..<Self.first + count where shapes.count < Self.reportsMax {
      let sequence = OperationSequence(stage, seed: seed, length: Self.length)
      guard try failure(of: sequence) != nil else { continue }
      let shortest = try shrunken(sequence)
      // The same difference is reported once.
      let shape = try failure(of: shortest)?.shape ?? ""
      if shapes.insert(shape).inserted { Issue.record("\(try report(of: shortest))") }
    }
  }

  @Test(
    "the sequence in COPAL_SEQUENCE behaves like the plain model",
    .enabled(if: ProcessInfo.processInfo.environment["COPAL_SEQUENCE"] != nil))
  func one() throws {
    let sequence = try #require(
      OperationSequence(named: Self.environment["COPAL_SEQUENCE"] ?? "", length: Self.length))
    if try failure(of: sequence) != nil { Issue.record("\(try report(of: sequence))") }
  }

  /// Where the sequence and the plain model differ; nil when they do not.
  private func failure(of sequence: OperationSequence) throws -> Difference? {
    do {
      try SequenceRun(sequence).run()
      return nil
    } catch let difference as Difference {
      return difference
    }
  }

  /// The sequence without the operations that it fails without, too.
  private func shrunken(_ sequence: OperationSequence) throws -> OperationSequence {
    var sequence = sequence
    var size = max(1, sequence.operations.count / 2)
    while true {
      let before = sequence.operations.count
      var start = 0
      while start < sequence.operations.count {
        var shorter = sequence
        let end = min(start + size, sequence.operations.count)
        shorter.operations.removeSubrange(start..<end)
        if try failure(of: shorter) != nil { sequence = shorter } else { start += size }
      }
      // Until nothing more can be left out.
      if size == 1, sequence.operations.count == before { return sequence }
      size = max(1, size / 2)
    }
  }

  /// The report for reading and repeating a failure.
  private func report(of sequence: OperationSequence) throws -> String {
    let run = try SequenceRun(sequence)
    do {
      try run.run()
      return "\(sequence.name) fails now and then"
    } catch let difference as Difference {
      let steps = run.log.map { "  " + $0 }.joined(separator: "\n")
      return "\(difference)\n\(steps)\nagain: COPAL_SEQUENCE=\(sequence.name)"
    }
  }
}

extension Difference {
  /// The difference without names and numbers.
  fileprivate var shape: String {
    description.replacing(/copal:[^:]*\/[pt][0-9]+/, with: "id").replacing(/[#0-9.]+/, with: "")
  }
}
