import CopalModel
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

/// Unique constraints that ignore case and diacritics, in both stores.
@Suite("Unique constraints that ignore differences")
struct UniqueIgnoringTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private static func schema(version: Int = 1, isUnique: Bool = true) throws -> StoreSchema {
    try SearchModels.schema(version: version) { entities in
      if !isUnique { return }
      entities[2].uniqueConstraints = [
        UniqueConstraintDescription(
          ["name"], ignoring: ["name": [.case, .diacritics]])
      ]
    }
  }

  private func testers() throws -> [StoreTester] {
    let schema = try Self.schema()
    return [try test.storeTester(schema), try StoreTester(MemoryStore(schema))]
  }

  /// The conflicts for which a store refuses a commit.
  private func conflicts(
    _ tester: StoreTester, _ body: (inout Changes) throws -> Void
  ) throws -> [CommitConflict] {
    do {
      try tester.commit(body)
      return []
    } catch let refused as StoreTester.Refused {
      return refused.conflicts
    }
  }

  @Test("the unique index is that of the derived column, and there is no second one")
  func index() throws {
    _ = try test.storeTester(Self.schema())
    #expect(
      try test.sqlite3(
        "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'Maker' ORDER BY name")
          == """
          CREATE INDEX "copal_index_Maker(copal_stale)" ON "Maker" ("copal_stale") WHERE "copal_stale" IS NOT NULL
          CREATE UNIQUE INDEX "copal_unique_Maker(copal_search_name)" ON "Maker" ("copal_search_name") WHERE "copal_stale" IS NULL
          """)
  }

  @Test("a save with an equal value is in conflict with the object that has it")
  func conflicts() throws {
    for tester in try testers() {
      try tester.insert(["name": "Krémer"], into: "Maker")
      let found = try conflicts(tester) { try $0.insert("Maker", ["name": "KREMER"]) }
      #expect(found.map(\.other) == [1])
      try tester.insert(["name": .null], into: "Maker")
      try tester.insert(["name": .null], into: "Maker")
      try tester.insert(["name": "Kreme"], into: "Maker")
      // Two objects of one save.
      let pair = try conflicts(tester) {
        try $0.insert("Maker", ["name": "Straße"])
        try $0.insert("Maker", ["name": "STRASSE"])
      }
      #expect(pair.count == 1)
    }
  }

  @Test("two objects swap their values in one save")
  func swap() throws {
    for tester in try testers() {
      for name in ["Äther", "Öl"] { try tester.insert(["name": .string(name)], into: "Maker") }
      try tester.commit { changes in
        try changes.update(tester.row(1, of: "Maker"), ["name": "öl"])
        try changes.update(tester.row(2, of: "Maker"), ["name": "ATHER"])
      }
      #expect(try tester.rows(of: "Maker").map { $0["name"] } == ["öl", "ATHER"])
    }
  }

  @Test("an upsert finds the object with an equal value, and gives it the new text")
  func upsert() throws {
    for tester in try testers() {
      try tester.insert(["name": "Krémer"], into: "Maker")
      _ = try tester.upsertAll(
        [["name": "KREMER"], ["name": "Lukas"], ["name": "lukàs"]], on: ["name"], of: "Maker")
      #expect(try tester.rows(of: "Maker").map { $0["name"] } == ["KREMER", "lukàs"])
    }
    #expect(
      try test.sqlite3("SELECT copal_search_name FROM Maker ORDER BY 1") == "kremer\nlukas")
  }

  @Test("what another program writes never blocks, and check finds it")
  func foreignWrites() throws {
    let tester = try test.storeTester(Self.schema())
    try tester.insert(["name": "Krémer"], into: "Maker")
    _ = try test.sqlite3(
      "INSERT INTO Maker (copal_id, copal_version, name) VALUES (7, 1, 'kremer'), (8, 1, 'Zoë')")
    try tester.insert(["name": "Lukas"], into: "Maker")
    // One row could be derived; the other keeps its mark.
    #expect(
      try test.sqlite3("SELECT copal_id, copal_stale, copal_search_name FROM Maker")
        == "1||kremer\n7|1|\n8||zoe\n9||lukas")
    let wrong = try tester.session.wrongDerivedValues()
    #expect(wrong.map(\.key) == [7])
    #expect(wrong.map(\.isDuplicate) == [true])
    let query = try tester.query(
      .text(.property("name"), .hasPrefix([.caseInsensitive]), .constant("KR")), of: "Maker")
    #expect(try tester.session.fetchKeys(query) == [1, 7])
    // To make everything again changes nothing of it, and an opening succeeds.
    try tester.session.deriveAll()
    #expect(try tester.session.wrongDerivedValues().count == 1)
    let again = try test.storeTester(Self.schema())
    #expect(try again.session.fetchKeys(query) == [1, 7])
    // Once one of the two is another one, the next commit derives it.
    try again.commit { try $0.update(again.row(7, of: "Maker"), ["name": "Kreide"]) }
    try again.insert(["name": "new"], into: "Maker")
    #expect(try again.session.wrongDerivedValues() == [])
    #expect(try test.sqlite3("SELECT count(*) FROM Maker WHERE copal_stale IS NOT NULL") == "0")
  }

  @Test("a migration refuses the constraint where objects have equal values")
  func migration() throws {
    let former = try test.storeTester(Self.schema(isUnique: false))
    for name in ["Krémer", "KREMER", "Lukas"] {
      try former.insert(["name": .string(name)], into: "Maker")
    }
    let error = #expect(throws: PersistenceError.self) {
      _ = try test.storeTester(Self.schema(version: 2))
    }
    #expect(error?.code == .modelDiffers)
    #expect(error?.causes.count == 1)
    let cause = error?.causes.first.map { "\($0)" } ?? ""
    #expect(cause.contains("1 group of objects have equal values"), "\(cause)")
    try former.commit { try $0.update(former.row(2, of: "Maker"), ["name": "other"]) }
    let tester = try test.storeTester(Self.schema(version: 2))
    #expect(try conflicts(tester) { try $0.insert("Maker", ["name": "lukás"]) }.count == 1)
  }
}
