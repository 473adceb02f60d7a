import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Names of entities and attributes in SQL")
struct NamesTests {
  /// Keywords of SQL that a model may use.
  private static let words = [
    "Order", "Select", "Group", "Table", "Index", "Where", "From", "Values", "Transaction",
    "Commit", "Null", "Default", "Check", "Unique", "Primary", "Key", "References", "Collate",
    "Limit", "Offset", "Union", "Join", "Case", "When", "Then", "End", "Exists", "Between", "Like",
    "Glob", "Trigger", "View", "Pragma", "Attach", "Vacuum", "Abort", "Returning", "Éclair",
    "Größe", "色", "名前", "x", "_x", "a1",
  ]

  @Test("keywords of SQL work as names of entities and attributes in every statement")
  func keywords() throws {
    let entities = Self.words.map { word in
      EntityDescription(
        word,
        attributes: Self.words.map {
          AttributeDescription($0.lowercased(), .string, isOptional: true)
        }, uniqueConstraints: [[word.lowercased()]],
        indexes: [IndexDescription([word.lowercased(), "x"])].filter { $0.attributes[0] != "x" })
    }
    // The model's error names the refused names; all others work.
    let usable = entities.compactMap { try? ManagedObjectModel(name: "M", entities: [$0]) }
    let names = Set(usable.flatMap(\.entities).map(\.name))
    #expect(names.count > 30)
    let schema = try StoreModels.schema(entities.filter { names.contains($0.name) })
    let test = try TestStore()
    let tester = try test.storeTester(schema)
    for layout in schema.entities {
      let name = layout.name.lowercased()
      let key = try tester.insert(["x": "b"].merging([name: "a"]) { $1 }, into: layout.name)
      try tester.update(tester.row(key, of: layout.name), [name: "c"])
      let isC = FetchPredicate.comparison(.property(name), .equal, .constant("c"))
      #expect(try tester.keys(isC, sortedBy: [.descending(name)], of: layout.name) == [key])
      #expect(try tester.session.count(tester.query(isC, of: layout.name)) == 1)
      let refused = #expect(throws: StoreTester.Refused.self) {
        try tester.insert([name: "c"], into: layout.name)
      }
      #expect(refused?.conflicts.map(\.word) == ["unique"])
      try tester.commit { $0.delete(try tester.row(key, of: layout.name)) }
    }
    #expect(try test.sqlite3("PRAGMA integrity_check") == "ok")
    _ = try test.open(schema)
  }

  @Test(
    "names that contain SQL or belong to the store are refused by the model",
    arguments: [
      "", "a b", "a\"b", "a'b", "a;b", "a`b", "a]b", "a\\b", "a\0b", "1a", "a-b", "a.b", "a(b",
      "a%b",
      "rowid", "oid", "_rowid_", "RowID", "copal_id", "copal_version", "COPAL_x", "sqlite_x",
      "🎨 x", "e\u{301}", "a\u{200B}b", "\u{202E}abc", String(repeating: "x", count: 10_000),
    ])
  func refused(name: String) {
    #expect(throws: ModelError.self) {
      try StoreModels.schema([
        EntityDescription("A", attributes: [AttributeDescription(name, .string)])
      ])
    }
    // The names of the store's columns are allowed for entities.
    if !["rowid", "oid", "_rowid_", "RowID"].contains(name) {
      #expect(throws: ModelError.self) {
        try StoreModels.schema([
          EntityDescription(name, attributes: [AttributeDescription("a", .string)])
        ])
      }
    }
  }

  @Test(
    "names may have the greatest length, and an entity the greatest number of attributes",
    arguments: [63, 64, 65, 1990])
  func wide(count: Int) throws {
    let test = try TestStore()
    let tester = try test.storeTester(StoreModels.wide(count))
    func value(_ slot: Int, _ round: Int) -> PropertyValue {
      switch slot % 5 {
      case 0: .integer(Int64(slot + round))
      case 1: .string("\(slot) \(round)")
      case 2: .double(Double(slot) + Double(round) / 2)
      case 3: .binary(Data([UInt8(slot % 256), UInt8(round)]))
      default: .decimal(Decimal(slot + round))
      }
    }
    func values(_ round: Int) -> [String: PropertyValue] {
      Dictionary(uniqueKeysWithValues: (0..<count).map { ("a\($0)", value($0, round)) })
    }
    let key = try tester.insert(values(0))
    let empty = try tester.insert([:])
    #expect(try tester.row(key).values == values(0))
    #expect(try tester.row(empty).values.values.allSatisfy(\.isNull))
    try tester.update(tester.row(key), values(1))
    #expect(try tester.row(key).values == values(1))
    let last = "a\(count - 1)"
    try tester.update(tester.row(key), [last: .null])
    #expect(try tester.row(key).values == values(1).merging([last: .null]) { $1 })
    #expect(
      try tester.keys(.comparison(.property(last), .equal, .constant(.null))) == [key, empty])
    #expect(try test.sqlite3("PRAGMA integrity_check") == "ok")
  }
}
