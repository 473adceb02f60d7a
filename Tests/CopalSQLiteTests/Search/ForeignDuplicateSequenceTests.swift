import CopalModel
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

/// Random writes of another program and of Copal, with a unique constraint that ignores case.
@Suite("Random unique values beside rows of other programs")
struct ForeignDuplicateSequenceTests {
  /// See `Scripts/test-sequences`.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_SEQUENCES"].flatMap(UInt64.init)

  private let test: TestStore

  init() throws { test = try TestStore() }

  /// What a plain dictionary says: by the key of a row, its name.
  private struct Plain {
    var names: [Int64: String?] = [:]

    static func form(_ name: String?) -> String? {
      name?.lowercased().replacing("é", with: "e").replacing("ö", with: "o")
    }

    func keys(like name: String?) -> [Int64] {
      guard let form = Self.form(name) else { return [] }
      return names.keys.filter { Self.form(names[$0] ?? nil) == form }.sorted()
    }

    /// Whether one of some written rows has the value of another row.
    func hasConflict(_ written: some Sequence<Int64>) -> Bool {
      written.contains { key in keys(like: names[key] ?? nil).contains { $0 != key } }
    }

    var next: Int64 { (names.keys.max() ?? 0) + 1 }
  }

  private static let names: [String?] = [
    "ada", "Ada", "ADA", "bob", "BOB", "Zoé", "zoe", "ZOE", "Öl", "öl", "ol", "cleo", "Cleo", nil,
    "Eva", "eva", "Ida", "IDA", "Otto", "otto", "Uwe", "Pia", "PIA", nil,
  ]

  @Test(
    "whatever another program writes between saves, a plain dictionary says which ones conflict",
    arguments: 1...(count.map { max($0 / 10, 1) } ?? 12))
  func sequences(seed: UInt64) throws {
    let tester = try test.storeTester(SearchModels.trade())
    let program = try test.otherProgram()
    var random = RandomTexts(seed: seed)
    var plain = Plain()
    var (last, done, refused): (Int64, Int, Int) = (0, 0, 0)
    func value(_ name: String?) -> PropertyValue { name.map { .string($0) } ?? .null }
    func quoted(_ name: String?) -> String { name.map { "'\($0)'" } ?? "NULL" }
    for step in 0..<60 {
      for _ in 0..<random.number(0..<3) {
        let name = random.pick(Self.names)
        let key = random.pick(Array(plain.names.keys.sorted()) + [0])
        switch random.number(0..<4) {
        case 0 where plain.names[key] != nil:
          try program.run(
            "UPDATE Maker SET name = \(quoted(name)), copal_version = copal_version + 1 WHERE copal_id = \(key)"
          )
          plain.names[key] = .some(name)
        case 1 where plain.names[key] != nil && random.number(0..<3) == 0:
          try program.run("DELETE FROM Maker WHERE copal_id = \(key)")
          plain.names[key] = nil
        default:
          last = max(last + 1, plain.next)
          let entity = random.pick(["Maker", "House"])
          try program.run(
            "INSERT INTO Maker (copal_id, copal_version, copal_entity, name) VALUES (\(last), 1, '\(entity)', \(quoted(name)))"
          )
          plain.names[last] = .some(name)
        }
      }
      var expected = plain
      let keys = Array(
        plain.names.keys.sorted().shuffled(by: &random).prefix(random.number(1..<4)))
      let words: Comment = "seed \(seed), step \(step)"
      var isDone = false
      var hasConflict = false
      switch random.number(0..<6) {
      case 0, 1:
        // A save of new, changed and deleted objects.
        let news = (0..<random.number(0..<3)).map { _ in random.pick(Self.names) }
        let changed = keys.prefix(random.number(0..<3)).map { ($0, random.pick(Self.names)) }
        let deleted = keys.dropFirst(2).prefix(random.number(0..<2))
        for key in deleted { expected.names[key] = nil }
        for (key, name) in changed { expected.names[key] = .some(name) }
        // Negative until the store has chosen the keys.
        let inserted = news.indices.map { -1 - Int64($0) }
        for (key, name) in zip(inserted, news) { expected.names[key] = .some(name) }
        hasConflict = expected.hasConflict(changed.map(\.0) + inserted)
        let found = try tester.conflicts {
          let receipt = try tester.commit { changes in
            for key in deleted { changes.delete(try tester.row(key, of: "Maker")) }
            for (key, name) in changed {
              try changes.update(tester.row(key, of: "Maker"), ["name": value(name)])
            }
            for name in news { try changes.insert("House", ["name": value(name)]) }
          }
          for (key, temporary) in zip(receipt.insertedKeys.joined(), inserted) {
            expected.names[key] = expected.names.removeValue(forKey: temporary)
          }
        }
        isDone = found.isEmpty
        for conflict in found {
          guard case .unique = conflict.kind else {
            Issue.record("\(conflict.kind), \(words)")
            continue
          }
        }
      case 2:
        let name = random.pick(Self.names)
        for key in plain.names.keys where keys.contains(key) { expected.names[key] = .some(name) }
        hasConflict = expected.hasConflict(keys)
        isDone = try tester.updateAll(
          .isIn(.object, keys.map { .object(try tester.id($0, of: "Maker")) }), of: "Maker",
          set: ["name": name.map { .constant(.string($0)) } ?? .constant(.null)]
        ).isDone
      case 3:
        for key in keys { expected.names[key] = .some((plain.names[key] ?? nil)?.uppercased()) }
        hasConflict = expected.hasConflict(keys)
        isDone = try tester.updateAll(
          .isIn(.object, keys.map { .object(try tester.id($0, of: "Maker")) }), of: "Maker",
          set: ["name": .call(.uppercased, [.property("name")])]
        ).isDone
      case 4:
        // An object with no other value, and rows that are written without a name.
        for key in keys {
          try tester.update(tester.row(key, of: "Maker"), ["size": .integer(Int64(step))])
        }
        isDone = true
      default:
        let name = random.pick(Self.names)
        let found = plain.keys(like: name)
        let isHouse = try found.contains {
          try tester.rows(of: "House").map(\.key).contains($0)
        }
        hasConflict = found.count > 1 || isHouse
        let outcome = try tester.upsertAll(
          [["name": value(name), "size": 1]], on: ["name"], of: "Maker")
        if case .done(let result) = outcome {
          isDone = true
          #expect(
            result.updated == found && result.inserted.count == (found.isEmpty ? 1 : 0), words)
          for key in result.inserted + result.updated { expected.names[key] = .some(name) }
        }
      }
      #expect(isDone != hasConflict, words)
      if isDone { plain = expected }
      if isDone { done += 1 } else { refused += 1 }
      let stored = try tester.rows(of: "Maker").reduce(into: [Int64: PropertyValue]()) {
        $0[$1.key] = $1["name"]
      }
      #expect(stored == plain.names.mapValues(value), words)
      if isDone == hasConflict { return }
    }
    #expect(done > 10 && refused > 5, "seed \(seed): \(done) saved, \(refused) refused")
    print("Beside rows of other programs, seed \(seed): \(done) saved, \(refused) refused")
    #expect(try tester.wrongDerivedValues(test) == [])
    #expect(try test.sqlite3("PRAGMA integrity_check") == "ok")
  }
}

extension Array {
  fileprivate func shuffled(by random: inout RandomTexts) -> [Element] {
    var result = self
    for place in result.indices.reversed() {
      result.swapAt(place, random.number(0..<place + 1))
    }
    return result
  }
}
