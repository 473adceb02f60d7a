import CopalModel
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

/// Random texts and conditions, and random writes of other programs: with search, without it, and
/// in memory.
@Suite("Random searches")
struct SearchSequenceTests {
  /// See `Scripts/test-sequences`: 1,000 are 20,000 conditions, and as many sequences of writes.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_SEQUENCES"].flatMap(UInt64.init)

  private let test: TestStore

  init() throws { test = try TestStore() }

  @Test(
    "conditions and orders have the same result by index, by scan and in memory",
    arguments: 1...(count.map { max($0 / 25, 1) } ?? 4))
  func agreement(seed: UInt64) throws {
    let twin = try TestStore()
    let (schema, plain) = (try SearchModels.schema(), try SearchModels.schema(search: false))
    let indexed = try test.storeTester(schema)
    let testers = [indexed, try twin.storeTester(plain), try StoreTester(MemoryStore(plain))]
    var random = RandomTexts(seed: seed)
    var texts: [String] = []
    var rows: [(entity: String, values: [String: PropertyValue])] = []
    for _ in 0..<400 {
      texts.append(random.text())
      let entity = random.pick(["Paint", "Paint", "Glaze"])
      var values: [String: PropertyValue] = [
        "name": random.number(0..<10) == 0 ? .null : .string(texts[texts.count - 1]),
        "note": .string(random.text(0...2)),
      ]
      if entity == "Glaze" { values["base"] = .string(random.text()) }
      rows.append((entity, values))
    }
    for tester in testers {
      try tester.commit { changes in
        for row in rows { try changes.insert(row.entity, row.values) }
      }
    }
    var found = 0
    for number in 0..<500 {
      let entity = random.pick(["Paint", "Glaze"])
      let condition = random.condition(
        on: random.pick(entity == "Glaze" ? ["name", "note", "base"] : ["name", "note"]), of: texts)
      let predicate = random.pick([
        condition, .not(condition),
        .and([condition, .comparison(.property("note"), .notEqual, .constant(.null))]),
      ])
      let order = random.pick([
        [], [FetchSortKey.ascending("name").alphabetical, .ascending("note")],
        [.descending("name").caseInsensitive], [.ascending("note").alphabetical.nilsLast],
      ])
      let limit = random.pick([nil, nil, 3, 20])
      let results = try testers.map {
        try $0.keys(predicate, sortedBy: order, limit: limit, of: entity)
      }
      #expect(results[0] == results[1], "seed \(seed), condition \(number): \(predicate)")
      #expect(results[1] == results[2], "seed \(seed), condition \(number): \(predicate)")
      let count = try indexed.session.count(indexed.query(predicate, of: entity))
      #expect(limit != nil || count == results[0].count)
      found += results[0].count
    }
    #expect(found > 1000)
    #expect(try indexed.wrongDerivedValues(test) == [])
  }

  @Test(
    "whatever another program writes between searches, no answer is wrong",
    arguments: 1...(count ?? 9))
  func foreignWrites(seed: UInt64) throws {
    let twin = try TestStore()
    let indexed = try test.storeTester(SearchModels.schema())
    let plain = try twin.storeTester(SearchModels.schema(search: false))
    let programs = [try test.otherProgram(), try twin.otherProgram()]
    var random = RandomTexts(seed: seed)
    var texts: [String] = []
    func quoted(_ text: String) -> String {
      "CAST(X'\(text.utf8.map { String(format: "%02X", $0) }.joined())' AS TEXT)"
    }
    for step in 0..<20 {
      for _ in 0..<random.number(1..<4) {
        let (key, text) = (random.number(1..<30), random.text())
        texts.append(text)
        let entity = random.pick(["Paint", "Glaze"])
        let sql = random.pick([
          "INSERT OR IGNORE INTO Paint (copal_id, copal_version, copal_entity, name) VALUES (\(key), 1, '\(entity)', \(quoted(text)))",
          "REPLACE INTO Paint (copal_id, copal_version, copal_entity, name, note) VALUES (\(key), 1, '\(entity)', \(quoted(text)), \(quoted(text)))",
          "UPDATE Paint SET name = \(quoted(text)), copal_version = copal_version + 1 WHERE copal_id = \(key)",
          "UPDATE Paint SET note = \(quoted(text)) WHERE copal_id % 3 = \(key % 3)",
          "UPDATE Paint SET price = \(key)",
          "DELETE FROM Paint WHERE copal_id = \(key)",
          "UPDATE OR IGNORE Paint SET copal_id = \(random.number(1..<30)) WHERE copal_id = \(key)",
          "UPDATE OR REPLACE Paint SET rowid = \(random.number(1..<30)) WHERE copal_id = \(key)",
        ])
        for program in programs { try program.run(sql) }
      }
      if random.number(0..<4) == 0 {
        let values: [String: PropertyValue] = ["name": .string(random.text())]
        for tester in [indexed, plain] { try tester.insert(values, into: "Glaze") }
      }
      for _ in 0..<5 {
        let condition = random.condition(on: random.pick(["name", "note"]), of: texts)
        let order = random.pick([[], [FetchSortKey.ascending("name").alphabetical]])
        let limit = random.pick([nil, 2])
        #expect(
          try indexed.keys(condition, sortedBy: order, limit: limit, of: "Paint")
            == plain.keys(condition, sortedBy: order, limit: limit, of: "Paint"),
          "seed \(seed), step \(step): \(condition)")
      }
    }
    #expect(try indexed.wrongDerivedValues(test) == [])
    #expect(try test.sqlite3("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
  }
}
