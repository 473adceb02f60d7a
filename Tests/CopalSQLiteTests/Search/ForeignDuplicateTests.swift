import CopalModel
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

/// Unique constraints that ignore case, beside rows that another program has written.
@Suite("Unique values beside rows of other programs")
struct ForeignDuplicateTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private func foreign(_ rows: String) throws {
    #expect(
      try test.sqlite3(
        "INSERT INTO Maker (copal_id, copal_version, copal_entity, name, code, town) VALUES " + rows
      )
        == "")
  }

  private func isRefused(_ outcome: BatchOutcome, _ slots: [Int]) -> Bool {
    guard case .refused(let refusals) = outcome else { return false }
    return refusals.map(\.kind) == [.unique(slots)]
  }

  @Test("a save is in conflict with a row that another program has just written, also again")
  func justWritten() throws {
    let tester = try test.storeTester(SearchModels.trade())
    try tester.insert(["name": "Ada"], into: "House")
    try foreign("(7, 1, 'House', 'Cleo', NULL, NULL)")
    for _ in 0..<2 {
      let new = try tester.conflicts { try tester.insert(["name": "CLEO"], into: "Maker") }
      #expect(new.map(\.other) == [7])
      let changed = try tester.conflicts {
        try tester.update(tester.row(1, of: "House"), ["name": "clèo"])
      }
      #expect(changed.map(\.other) == [7] && changed.map(\.key) == [1])
    }
    let batch = try tester.updateAll(of: "Maker", set: ["name": .constant("cleo")])
    #expect(isRefused(batch, [try tester.layout("Maker").slotByName["name"] ?? -1]))
    _ = try tester.upsertAll([["name": "CLEO", "size": 3]], on: ["name"], of: "House")
    #expect(try tester.rows(of: "Maker").map { $0["name"] } == ["Ada", "CLEO"])
    #expect(try tester.row(7, of: "House")["size"] == 3)
  }

  @Test("a row that is outside of the constraint gets its columns when Copal writes its value")
  func outside() throws {
    let tester = try test.storeTester(SearchModels.trade())
    try foreign("(1, 1, 'Maker', 'Bob', NULL, NULL), (2, 1, 'Maker', 'BOB', NULL, NULL)")
    try tester.insert(["name": "Ada"], into: "Maker")
    #expect(try tester.session.wrongDerivedValues().map(\.key) == [2])
    let row = try tester.row(2, of: "Maker")
    let found = try tester.conflicts { try tester.update(row, ["name": "ADA"]) }
    #expect(found.map(\.other) == [3] && found.map(\.key) == [2])
    // Another value of the row is no duplicate, and leaves it outside.
    try tester.update(row, ["size": 4])
    // What another row has outside is taken as well, and what is written in two saves.
    for name in ["bob", "BOB", "Bób"] {
      let new = try tester.conflicts { try tester.insert(["name": .string(name)], into: "House") }
      #expect(new.count == 1)
      let first = try tester.conflicts {
        try tester.update(tester.row(1, of: "Maker"), ["name": .string(name)])
      }
      #expect(first.map(\.other) == [2])
      #expect(
        isRefused(try tester.upsertAll([["name": .string(name)]], on: ["name"], of: "Maker"), [0]))
    }
    try tester.update(tester.row(2, of: "Maker"), ["name": "Bea"])
    #expect(
      try test.sqlite3("SELECT name, copal_search_name, copal_stale, size FROM Maker")
        == "Bob|bob||\nBea|bea||4\nAda|ada||")
    #expect(try tester.session.wrongDerivedValues() == [])
  }

  @Test("in one save, the value of a deleted row is free, and that of a row outside is not")
  func freed() throws {
    let tester = try test.storeTester(SearchModels.trade())
    try foreign("(1, 1, 'Maker', 'Bob', NULL, NULL), (2, 1, 'Maker', 'BOB', NULL, NULL)")
    try tester.insert(["name": "Ada"], into: "Maker")
    let found = try tester.conflicts {
      try tester.commit { changes in
        changes.delete(try tester.row(1, of: "Maker"))
        try changes.insert("Maker", ["name": "bob"])
      }
    }
    #expect(found.map(\.other) == [2])
    try tester.commit { changes in
      changes.delete(try tester.row(1, of: "Maker"))
      try changes.update(tester.row(2, of: "Maker"), ["name": "ada"])
      try changes.update(tester.row(3, of: "Maker"), ["name": "bob"])
    }
    #expect(try tester.rows(of: "Maker").map { $0["name"] } == ["ada", "bob"])
    #expect(
      try test.sqlite3("SELECT copal_search_name FROM Maker WHERE copal_stale IS NULL")
        == "ada\nbob")
  }

  @Test("each constraint counts for itself, also for a row that another keeps outside")
  func severalConstraints() throws {
    let tester = try test.storeTester(SearchModels.trade())
    try foreign("(1, 1, 'Maker', 'Bob', 'x', 'Rome'), (2, 1, 'Maker', 'BOB', 'y', 'Rome')")
    try tester.insert(["name": "Ada", "code": "z", "town": "Rome"], into: "House")
    let (code, town) = (
      try #require(tester.layout("Maker").slotByName["code"]),
      try #require(tester.layout("Maker").slotByName["town"])
    )
    // Outside because of its name, and its code is taken nevertheless.
    let taken = try tester.conflicts {
      try tester.insert(["name": "Cleo", "code": "Y", "town": "Rome"], into: "House")
    }
    #expect(taken.map(\.other) == [2])
    for conflict in taken {
      guard case .unique(let slots) = conflict.kind else { continue }
      #expect(Set(slots) == [code, town])
    }
    let own = try tester.conflicts { try tester.update(tester.row(2, of: "Maker"), ["code": "X"]) }
    #expect(own.map(\.other) == [1])
    let batch = try tester.updateAll(
      .comparison(.property("name"), .equal, .constant("Ada")), of: "Maker",
      set: ["code": .constant("Y")])
    #expect(!batch.isDone)
    try tester.update(tester.row(2, of: "Maker"), ["code": "w"])
    try tester.insert(["name": "Cleo", "code": "Y", "town": "Rome"], into: "House")
    #expect(try tester.session.wrongDerivedValues().map(\.key) == [2])
  }

  @Test("more rows than a save makes columns of are compared as well")
  func manyRows() throws {
    let tester = try test.storeTester(SearchModels.trade())
    _ = try test.sqlite3(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
      INSERT INTO Maker (copal_id, copal_version, copal_entity, name)
      SELECT i, 1, 'Maker', 'N' || i FROM n
      """)
    let found = try tester.conflicts {
      try tester.commit { changes in
        for number in [24_000, 30_000, 25_000] {
          try changes.insert("House", ["name": .string("n\(number)")])
        }
      }
    }
    #expect(found.compactMap(\.other) == [24_000, 25_000])
    let result = try tester.upsertAll(
      [["name": "n24001", "size": 1], ["name": "new"]], on: ["name"], of: "Maker")
    guard case .done(let done) = result else { throw CocoaError(.coderInvalidValue) }
    #expect(done.updated == [24_001] && done.inserted == [25_001])
    try tester.update(tester.row(24_500, of: "Maker"), ["name": "other"])
    #expect(
      try test.sqlite3(
        "SELECT copal_search_name, copal_stale FROM Maker WHERE copal_id IN (24001, 24500)")
        == "n24001|\nother|")
    #expect(
      try tester.updateAll(
        .comparison(.property("name"), .equal, .constant("N24999")), of: "Maker",
        set: ["name": .constant("n24998")]
      ).isDone == false)
  }

  @Test("a program without the transformers of projections refuses equal values, too")
  func withoutTransformers() throws {
    let sheet =
      #", "sheet": { "type": "transformable?", "transformer": "Sheet", "class": "String", "storage": "text", "project": { "size": "integer" } }"#
    let tester = try test.storeTester(SearchModels.trade(attributes: sheet))
    try tester.insert(["name": "Ada"], into: "Maker")
    #expect(try tester.conflicts { try tester.insert(["name": "ADA"], into: "House") }.count == 1)
    let pair = try tester.conflicts {
      try tester.commit { changes in
        try changes.insert("House", ["name": "Bob"])
        try changes.insert("Maker", ["name": "bob"])
      }
    }
    #expect(pair.count == 1)
    for name in ["ADA", "Cleo", "CLEO"] {
      _ = try tester.upsertAll(
        [["name": .string(name)], ["name": "ada", "size": 2]], on: ["name"], of: "Maker")
    }
    #expect(try tester.rows(of: "Maker").map { $0["name"] } == ["ada", "CLEO"])
    #expect(!(try tester.updateAll(of: "Maker", set: ["name": .constant("x")])).isDone)
    #expect(
      !(try tester.updateAll(
        .comparison(.property("name"), .equal, .constant("CLEO")), of: "Maker",
        set: ["name": .call(.lowercased, [.constant("ADA")])])).isDone)
  }
}
