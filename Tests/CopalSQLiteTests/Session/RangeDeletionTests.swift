import CopalModel
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

/// Rows with consecutive keys and one version are deleted as a range, 16 or more at a time.
@Suite("Deleting rows with consecutive keys")
struct RangeDeletionTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  @Test(
    "exactly the rows of the change set are deleted, or none",
    arguments: ["INTEGER PRIMARY KEY", "INT PRIMARY KEY"], 0..<12 as Range<UInt64>)
  func random(key: String, seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let schema = try StoreModels.wide(3)
    _ = try test.storeTester(schema).insert(["a0": 0])
    // The last keys that there are, or small ones.
    let first: Int64 = seed % 2 == 0 ? 1 : .max - 79
    var versions: [Int64: Int64] = [:]
    for key in first...first + 79 where Int.random(in: 0..<40, using: &random) != 0 {
      versions[key] = Int.random(in: 0..<60, using: &random) == 0 ? 2 : 1
    }
    let rows = versions.map { "(\($0), \($1), 5)" }.joined(separator: ", ")
    _ = try test.sqlite3(
      """
      CREATE TABLE n (copal_id \(key), copal_version INTEGER NOT NULL, a0 INTEGER, a1 TEXT, a2 REAL);
      DROP TABLE Wide; ALTER TABLE n RENAME TO Wide;
      INSERT INTO Wide (copal_id, copal_version, a0) VALUES \(rows)
      """)
    let tester = try test.storeTester(schema)
    for round in 0..<3 {
      var changes = Changes(schema)
      var deleted = versions.filter { _ in Int.random(in: 0..<20, using: &random) != 0 }
      // In the second round, a row that is not there, or that has another version.
      let wrong = round == 1 ? versions.keys.sorted().randomElement(using: &random) : nil
      if let wrong { deleted[wrong] = 3 }
      for (key, version) in deleted.shuffled(using: &random) {
        try changes.delete(key, of: "Wide", version: version)
      }
      if wrong == nil {
        try tester.commit(changeSet: changes.set)
        for key in deleted.keys { versions[key] = nil }
      } else {
        let error = #expect(throws: StoreTester.Refused.self) {
          try tester.commit(changeSet: changes.set)
        }
        #expect(error?.conflicts.map(\.key) == wrong.map { [$0] })
      }
      let left = try test.sqlite3("SELECT copal_id || ' ' || copal_version FROM Wide ORDER BY 1")
      #expect(
        left.split(separator: "\n").map(String.init)
          == versions.map { "\($0) \($1)" }.sorted())
    }
  }
}
