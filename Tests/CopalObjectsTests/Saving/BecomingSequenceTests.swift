import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// New objects that become stored ones, among other changes, with lists on the screen.
@Suite("Random becomings", .modelAsIs)
struct BecomingSequenceTests {
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_BECOMINGS"].flatMap(UInt64.init) ?? 12
  private static let first =
    ProcessInfo.processInfo.environment["COPAL_BECOMINGS_FROM"].flatMap(UInt64.init) ?? 1

  @Test(
    "values, lists and live lists after random becomings are those of plain dictionaries",
    arguments: bothStores)
  func random(_ kind: StoreKind) async throws {
    var (becomings, joins, differences) = (0, 0, 0)
    for seed in Self.first..<Self.first + Self.count {
      await Task.yield()
      let run = try BecomingRun(kind, seed: seed)
      var failure = ""
      do {
        for _ in 0..<60 where run.problems.isEmpty { try run.step() }
      } catch {
        failure = "\(error)"
      }
      becomings += run.becomings
      joins += run.joins
      differences += run.differences
      if run.problems.isEmpty, failure.isEmpty { continue }
      Issue.record(
        "seed \(seed), \(kind): \(failure) \(run.problems.prefix(4))\n\(run.log.joined(separator: "\n"))"
      )
      return
    }
    if Self.count >= 100 {
      print("\(kind): \(becomings) becomings, \(joins) of two new ones, \(differences) differences")
    }
    #expect(becomings > 2 * Int(Self.count) && joins > 0 && differences > 20 * Int(Self.count))
  }
}
