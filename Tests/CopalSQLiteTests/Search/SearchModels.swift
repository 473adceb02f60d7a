import CopalModel
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation

/// Paints with makers, and glazes, which are paints: with search, and the same without.
enum SearchModels {
  static func schema(
    search: Bool = true, version: Int = 1,
    _ edit: (inout [EntityDescription]) -> Void = { _ in }
  ) throws -> StoreSchema {
    func text(_ name: String, _ forms: Set<AttributeDescription.SearchForm>)
      -> AttributeDescription
    {
      AttributeDescription(name, .string, isOptional: true, search: search ? forms : [])
    }
    var entities = [
      EntityDescription(
        "Paint",
        attributes: [
          text("name", [.normalized, .caseInsensitive]), text("note", [.normalized, .substring]),
          AttributeDescription("price", .integer64, isOptional: true),
        ],
        relationships: [
          RelationshipDescription("maker", to: "Maker", isOptional: true, inverse: "paints")
        ]),
      EntityDescription(
        "Glaze", parent: "Paint", attributes: [text("base", [.normalized, .substring])]),
      EntityDescription(
        "Maker", attributes: [text("name", [.normalized])],
        relationships: [
          RelationshipDescription("paints", to: "Paint", isToMany: true, inverse: "maker")
        ]),
    ]
    edit(&entities)
    return StoreSchema(
      try ManagedObjectModel(name: "Search", version: version, entities: entities))
  }

  /// Makers, and houses, which are makers.
  static func trade(attributes: String = "") throws -> StoreSchema {
    StoreSchema(
      try ManagedObjectModel(
        json: """
          { "copal": 1, "model": "Trade", "entities": {
            "Maker": {
              "attributes": {
                "name": { "type": "string?", "search": ["normalized", "substring"] },
                "code": { "type": "string?", "search": ["normalized", "case"] },
                "town": "string?", "size": "integer?"\(attributes)
              },
              "unique": [
                { "attribute": "name", "ignoring": ["case", "diacritics"] },
                [{ "attribute": "code", "ignoring": ["case"] }, "town"]
              ]
            },
            "House": { "parent": "Maker", "attributes": { "door": "string?" } }
          } }
          """, file: "Trade.model.json"))
  }
}

extension StoreTester {
  /// The conflicts for which a store refuses a commit.
  func conflicts(_ body: () throws -> Void) throws -> [CommitConflict] {
    do {
      try body()
      return []
    } catch let refused as StoreTester.Refused {
      return refused.conflicts
    }
  }

  /// The rows whose derived columns say that they hold, and do not: nothing, whoever writes.
  func wrongDerivedValues(_ test: TestStore) throws -> [String] {
    var wrong: [String] = []
    for layout in schema.entities {
      let rows = try rows(of: layout.name).filter { $0.layout.index == layout.index }
      for column in layout.derivedColumns {
        guard case .folded(let options) = column.function else { continue }
        let name = layout.slots[column.source].propertyName
        let kind = options == .caseInsensitive ? "case" : "search"
        let found = try test.sqlite3(
          """
          SELECT copal_id, CASE WHEN copal_\(kind)_\(name) IS NULL THEN 'NULL' ELSE hex(copal_\(kind)_\(name)) END
          FROM \(schema.entities[layout.root].name) WHERE copal_stale IS NULL
          """
        ).split(separator: "\n").map { $0.split(separator: "|", omittingEmptySubsequences: false) }
        let values = Dictionary(
          found.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
        for row in rows {
          guard let value = values["\(row.key)"] else { continue }
          var expected = "NULL"
          if case .string(let text) = row[name] {
            expected = TextFolding(options).folded(text).map { String(format: "%02X", $0) }.joined()
          }
          if value != expected {
            wrong.append("\(layout.name) \(row.key) \(name): \(value), expected \(expected)")
          }
        }
      }
    }
    return try wrong + wrongTrigrams(test)
  }

  /// The rows whose texts a table of trigrams does not have as it should, and the texts of rows
  /// that are gone: nothing, whoever writes.
  private func wrongTrigrams(_ test: TestStore) throws -> [String] {
    var wrong: [String] = []
    for layout in schema.entities {
      for slot in layout.ownSubstringSlots {
        let (name, root) = (layout.slots[slot].propertyName, schema.entities[layout.root].name)
        let table = "\"copal_substring_\(layout.name).\(name)\""
        let differences = try test.sqlite3(
          """
          SELECT copal_id FROM \(root) LEFT JOIN \(table) AS kept ON kept.rowid = copal_id
          WHERE copal_stale IS NULL AND hex(text) <> hex(copal_search_\(name))
          AND instr(CAST(copal_search_\(name) AS BLOB), X'00') = 0
          """)
        let others = try test.sqlite3(
          """
          SELECT rowid FROM \(table) WHERE rowid NOT IN (SELECT copal_id FROM \(root))
          AND rowid NOT IN (SELECT key FROM copal_gone WHERE entity = '\(root)');
          INSERT INTO \(table) (\(table)) VALUES ('integrity-check')
          """)
        if differences + others != "" { wrong.append("\(table): \(differences) \(others)") }
      }
    }
    return wrong
  }
}
