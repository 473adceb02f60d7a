import CopalModel
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Programs that are killed while they write texts with search: each column, and each table of
/// trigrams, is what the rows give.
@Suite("Search in programs that are killed")
struct SearchKillTests {
  /// The number of kills of each kind of work.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_KILLS"].flatMap(Int.init) ?? 2

  enum Work: String, CaseIterable, Sendable {
    case commits, batches, rebuilds
  }

  /// Writes until the process is killed.
  static func write(_ work: Work, _ path: String, seed: UInt64) throws {
    let store = try StoreConfiguration.sqlite(at: URL(filePath: path)).open(SearchModels.schema())
    let tester = try StoreTester(store)
    var random = RandomTexts(seed: seed)
    while true {
      switch work {
      case .commits:
        try tester.commit { changes in
          for _ in 0..<20 {
            try changes.insert(
              "Glaze", ["name": .string(random.text()), "note": .string(random.text(2...9))])
          }
        }
      case .batches:
        _ = try tester.updateAll(of: "Paint", set: ["note": .constant(.string(random.text(2...9)))])
        _ = try tester.updateAll(
          of: "Paint", set: ["name": .call(.uppercased, [.property("note")])])
      case .rebuilds: try tester.session.deriveAll()
      }
    }
  }

  @Test("each column and each table of trigrams is what the rows give", arguments: Work.allCases)
  func kills(work: Work) async throws {
    let test = try TestStore()
    let path = test.file.path(percentEncoded: false)
    let first = try test.storeTester(SearchModels.schema())
    try first.commit { changes in
      for number in 0..<300 {
        try changes.insert(
          "Paint", ["name": .string("Ölfarbe \(number)"), "note": .string("Tempera \(number)")])
      }
    }
    var random = SplitMix(seed: 51)
    for number in 0..<Self.count {
      let (seed, microseconds) = (
        UInt64(number), UInt32.random(in: 1_000..<60_000, using: &random)
      )
      // Rows that the next program derives.
      _ = try test.sqlite3(
        "UPDATE Paint SET note = 'Other \(number)' WHERE copal_id % 7 = \(number % 7); DELETE FROM Paint WHERE copal_id = \(number + 1)"
      )
      let name = work.rawValue
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          path = path as String, microseconds = microseconds as UInt32, seed = seed as UInt64,
          name = name as String
        ] in
        guard let work = Work(rawValue: name) else { return }
        Thread.detachNewThread {
          usleep(microseconds)
          kill(getpid(), SIGKILL)
        }
        try SearchKillTests.write(work, path, seed: seed)
      }
      let tester = try test.storeTester(SearchModels.schema())
      #expect(try tester.session.wrongDerivedValues() == [], "\(work), kill \(number)")
      #expect(try tester.wrongDerivedValues(test) == [], "\(work), kill \(number)")
    }
    #expect(try test.sqlite3("PRAGMA integrity_check") == "ok")
  }
}
