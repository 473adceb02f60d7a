import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// A change of a model in which entities inherit from each other, and what it does to a file.
struct FamilyChange: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The entities of the store, as JSON.
  let old: String
  /// The entities of the program.
  let new: String
  /// The objects of the store, in the order in which they are inserted.
  let objects: [(entity: String, values: [String: PropertyValue])]
  /// Statements of the `sqlite3` tool, and what they print after the migration.
  let results: [(sql: String, output: String)]

  init(
    _ description: String, from old: String, to new: String,
    objects: [(entity: String, values: [String: PropertyValue])],
    results: [(sql: String, output: String)]
  ) {
    testDescription = description
    self.old = old
    self.new = new
    self.objects = objects
    self.results = results
  }

  static func schema(_ entities: String, version: Int = 1) throws -> StoreSchema {
    StoreSchema(
      try ManagedObjectModel(
        json:
          #"{ "copal": 1, "model": "Test", "version": \#(version), "entities": { \#(entities) } }"#,
        file: "Test.model.json"))
  }
}

/// What the `sqlite3` tool prints of the tables and indexes of a file.
enum Shape {
  /// The definition of a table.
  static func table(_ name: String) -> String {
    "SELECT sql FROM sqlite_schema WHERE name = '\(name)'"
  }

  /// The names of the indexes of a table, with the conditions of partial ones.
  static func indexes(_ table: String) -> String {
    "SELECT name || coalesce(substr(sql, nullif(instr(sql, ' WHERE '), 0)), '') FROM sqlite_schema WHERE type = 'index' AND tbl_name = '\(table)' AND sql IS NOT NULL ORDER BY name"
  }

  /// Everything that must be equal in a migrated file and in a new one: columns in any order,
  /// references, and each index without its name.
  static let whole = """
    SELECT t.name, c.name, c.type, c."notnull", c.pk FROM sqlite_schema t, pragma_table_xinfo(t.name) c
      WHERE t.type = 'table' ORDER BY 1, 2;
    SELECT t.name, f."from", f."table", f."to", f.on_delete FROM sqlite_schema t, pragma_foreign_key_list(t.name) f
      WHERE t.type = 'table' ORDER BY 1, 2;
    SELECT tbl_name, substr(sql, 1, 13), substr(sql, instr(sql, ' ON ')) FROM sqlite_schema
      WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1, 3;
    """
}

@Suite("Migration of families")
struct FamilyMigrationTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  static let changes: [FamilyChange] = [
    FamilyChange(
      "the first child of an entity",
      from: #"""
        "Person": { "attributes": { "name": "string" }, "unique": [["name"]], "indexes": ["name"] },
        "Workshop": { "relationships": { "owner": { "type": "Person?" } } }
        """#,
      to: #"""
        "Person": { "attributes": { "name": "string" }, "unique": [["name"]], "indexes": ["name"] },
        "Restorer": {
          "parent": "Person", "attributes": { "rate": "double", "code": "string", "grade": { "type": "integer16", "default": 1 } },
          "relationships": { "mentor": { "type": "Person?" } },
          "unique": [["code"], ["code", "name"]], "indexes": ["rate"]
        },
        "Workshop": { "relationships": { "owner": { "type": "Person?" } } }
        """#,
      objects: [
        ("Person", ["name": "Rosa"]), ("Person", ["name": "Jan"]), ("Workshop", ["owner": 2]),
      ],
      results: [
        (
          Shape.table("Person"),
          """
          CREATE TABLE "Person" ("copal_id" INTEGER PRIMARY KEY, "copal_version" INTEGER NOT NULL, \
          "name" TEXT, "copal_entity" TEXT NOT NULL DEFAULT 'Person', "rate" REAL, "code" TEXT, \
          "grade" INTEGER, \
          "mentor" INTEGER REFERENCES "Person" ("copal_id") DEFERRABLE INITIALLY DEFERRED)
          """
        ),
        (
          Shape.indexes("Person"),
          """
          copal_index_Person(copal_entity)
          copal_index_Person(name)
          copal_index_Restorer(mentor)
          copal_index_Restorer(rate)
          copal_unique_Person(name)
          copal_unique_Restorer(code) WHERE "code" IS NOT NULL
          copal_unique_Restorer(code,name) WHERE "code" IS NOT NULL
          """
        ),
        ("SELECT * FROM Person", "1|1|Rosa|Person||||\n2|1|Jan|Person||||"),
        ("SELECT owner FROM Workshop", "2"),
        ("SELECT * FROM copal_keys ORDER BY entity", "Person|2\nWorkshop|1"),
      ]),
    FamilyChange(
      "a child and a grandchild of a family, with names of properties that others have",
      from: #"""
        "Asset": { "attributes": { "name": "string", "added": "date?" } },
        "Media": { "parent": "Asset", "unique": [["added"]] },
        "Photo": {
          "parent": "Media", "attributes": { "width": "integer32" }, "unique": [["width"]],
          "indexes": [["name", "width"]]
        }
        """#,
      to: #"""
        "Scan": { "parent": "Photo", "attributes": { "device": "string" } },
        "Video": { "parent": "Media", "attributes": { "Width": "integer32" }, "indexes": ["Width"] },
        "Asset": { "attributes": { "name": "string", "added": "date?" } },
        "Media": { "parent": "Asset", "unique": [["added"]] },
        "Photo": {
          "parent": "Media", "attributes": { "width": "integer32" }, "unique": [["width"]],
          "indexes": [["name", "width"]]
        }
        """#,
      objects: [
        ("Photo", ["name": "Delft", "width": 640]), ("Asset", ["name": "Note"]),
        ("Media", ["name": "Tape"]),
      ],
      results: [
        (
          Shape.table("Asset"),
          """
          CREATE TABLE "Asset" ("copal_id" INTEGER PRIMARY KEY, "copal_version" INTEGER NOT NULL, \
          "copal_entity" TEXT NOT NULL, "name" TEXT, "added" REAL, "Photo.width" INTEGER, \
          "device" TEXT, "Video.Width" INTEGER)
          """
        ),
        (
          Shape.indexes("Asset"),
          """
          copal_index_Asset(copal_entity)
          copal_index_Photo(name,width)
          copal_index_Video(Video.Width)
          copal_unique_Media(added) WHERE "copal_entity" IN ('Media', 'Photo', 'Scan', 'Video')
          copal_unique_Photo(width) WHERE "Photo.width" IS NOT NULL
          """
        ),
        (
          #"SELECT copal_id, copal_version, copal_entity, name, "Photo.width", device FROM Asset"#,
          "1|1|Photo|Delft|640|\n2|1|Asset|Note||\n3|1|Media|Tape||"
        ),
        ("SELECT * FROM copal_keys", "Asset|3"),
      ]),
    FamilyChange(
      "an abstract parent of an entity, to which properties move",
      from: #"""
        "Album": { "relationships": {
          "photos": { "type": "[Photo]", "inverse": "album", "ordered": true }, "cover": { "type": "Photo?" }
        } },
        "Photo": {
          "attributes": { "title": "string", "added": "date?", "width": "integer32" },
          "relationships": {
            "album": { "type": "Album?", "inverse": "photos" }, "original": { "type": "Photo?" },
            "tags": { "type": "[Tag]", "inverse": "photos", "ordered": true }
          },
          "unique": [["title"], ["added", "title"]], "indexes": ["added", "width"]
        },
        "Tag": { "relationships": { "photos": { "type": "[Photo]", "inverse": "tags" } } }
        """#,
      to: #"""
        "Album": { "relationships": {
          "photos": { "type": "[Asset]", "inverse": "album", "ordered": true }, "cover": { "type": "Photo?" }
        } },
        "Asset": {
          "abstract": true, "attributes": { "title": "string", "added": "date?" },
          "relationships": {
            "album": { "type": "Album?", "inverse": "photos" },
            "tags": { "type": "[Tag]", "inverse": "photos", "ordered": true }
          },
          "unique": [["title"]], "indexes": ["added"]
        },
        "Photo": {
          "parent": "Asset", "attributes": { "width": "integer32" },
          "relationships": { "original": { "type": "Photo?" } },
          "unique": [["added", "title"]], "indexes": ["width"]
        },
        "Link": { "parent": "Asset", "attributes": { "url": "uri" } },
        "Tag": { "relationships": { "photos": { "type": "[Asset]", "inverse": "tags" } } }
        """#,
      objects: [
        ("Album", [:]),
        ("Photo", ["title": "Delft", "width": 640, "album": 1]),
        ("Photo", ["title": "Rome", "width": 320, "original": 1]),
        ("Album", ["cover": 2]),
      ],
      results: [
        (
          Shape.table("Asset"),
          """
          CREATE TABLE "Asset" ("copal_id" INTEGER PRIMARY KEY, "copal_version" INTEGER NOT NULL, \
          "title" TEXT, "added" REAL, "width" INTEGER, \
          "album" INTEGER REFERENCES "Album" ("copal_id") DEFERRABLE INITIALLY DEFERRED, \
          "original" INTEGER REFERENCES "Asset" ("copal_id") DEFERRABLE INITIALLY DEFERRED, \
          "copal_order_album" INTEGER, "copal_entity" TEXT NOT NULL DEFAULT 'Photo', "url" TEXT)
          """
        ),
        (
          Shape.indexes("Asset"),
          """
          copal_index_Asset(copal_entity)
          copal_index_Photo(added)
          copal_index_Photo(album,copal_order_album)
          copal_index_Photo(original)
          copal_index_Photo(width)
          copal_unique_Photo(added,title) WHERE "copal_entity" = 'Photo'
          copal_unique_Photo(title)
          """
        ),
        (
          Shape.table("Album"),
          """
          CREATE TABLE "Album" ("copal_id" INTEGER PRIMARY KEY, "copal_version" INTEGER NOT NULL, \
          "cover" INTEGER REFERENCES "Asset" ("copal_id") DEFERRABLE INITIALLY DEFERRED)
          """
        ),
        (
          Shape.table("copal_links_Asset.tags"),
          """
          CREATE TABLE "copal_links_Asset.tags" (\
          "owner" INTEGER NOT NULL REFERENCES "Asset" ("copal_id") DEFERRABLE INITIALLY DEFERRED, \
          "member" INTEGER NOT NULL REFERENCES "Tag" ("copal_id") DEFERRABLE INITIALLY DEFERRED, \
          "position" INTEGER, PRIMARY KEY ("owner", "member")) WITHOUT ROWID
          """
        ),
        (
          Shape.indexes("copal_links_Asset.tags"),
          "copal_index_Photo.tags(member)\ncopal_index_Photo.tags(owner)"
        ),
        (
          "SELECT copal_id, copal_entity, title, width, album, original FROM Asset",
          "1|Photo|Delft|640|1|\n2|Photo|Rome|320||1"
        ),
        ("SELECT * FROM copal_keys ORDER BY entity", "Album|2\nAsset|2\nPhoto|2"),
      ]),
    FamilyChange(
      "a parent of the root of a family, which is not abstract",
      from: #"""
        "Photo": { "attributes": { "width": "integer32" } },
        "Scan": { "parent": "Photo", "attributes": { "device": "string?" }, "unique": [["device"]] }
        """#,
      to: #"""
        "Asset": { "attributes": { "name": { "type": "string", "default": "?" } }, "indexes": ["name"] },
        "Photo": { "parent": "Asset", "attributes": { "width": "integer32" } },
        "Scan": { "parent": "Photo", "attributes": { "device": "string?" }, "unique": [["device"]] }
        """#,
      objects: [("Photo", ["width": 1]), ("Scan", ["width": 2, "device": "A"])],
      results: [
        (
          Shape.table("Asset"),
          """
          CREATE TABLE "Asset" ("copal_id" INTEGER PRIMARY KEY, "copal_version" INTEGER NOT NULL, \
          "copal_entity" TEXT NOT NULL, "width" INTEGER, "device" TEXT, "name" TEXT)
          """
        ),
        (
          Shape.indexes("Asset"),
          """
          copal_index_Asset(name)
          copal_index_Photo(copal_entity)
          copal_unique_Scan(device) WHERE "device" IS NOT NULL
          """
        ),
        ("SELECT * FROM Asset", "1|1|Photo|1||?\n2|1|Scan|2|A|?"),
        ("SELECT * FROM copal_keys ORDER BY entity", "Asset|2\nPhoto|2"),
      ]),
    FamilyChange(
      "an entity between a parent and its children, to which a property moves",
      from: #"""
        "Asset": { "attributes": { "name": "string" } },
        "Photo": { "parent": "Asset", "attributes": { "width": "integer32", "size": "integer" }, "unique": [["size"]] },
        "Video": { "parent": "Asset", "attributes": { "width": "integer32" } },
        "Link": { "parent": "Asset" }
        """#,
      to: #"""
        "Asset": { "attributes": { "name": "string" } },
        "Media": {
          "parent": "Asset", "abstract": true,
          "attributes": { "size": { "type": "integer", "default": 7 }, "note": "string?" }
        },
        "Photo": { "parent": "Media", "attributes": { "width": "integer32" }, "unique": [["size"]] },
        "Video": { "parent": "Media", "attributes": { "width": "integer32" } },
        "Link": { "parent": "Asset" }
        """#,
      objects: [
        ("Photo", ["name": "Delft", "width": 1, "size": 2]),
        ("Video", ["name": "Rome", "width": 3]),
        ("Link", ["name": "Oslo"]),
      ],
      results: [
        (
          Shape.indexes("Asset"),
          """
          copal_index_Asset(copal_entity)
          copal_unique_Photo(size) WHERE "copal_entity" = 'Photo'
          """
        ),
        (
          #"SELECT copal_entity, name, "Photo.width", "Video.width", size, note FROM Asset"#,
          "Photo|Delft|1||2|\nVideo|Rome||3|7|\nLink|Oslo||||"
        ),
      ]),
    FamilyChange(
      "a property whose column loses the name of its entity or gets another one",
      from: #"""
        "Asset": { "attributes": { "n": "integer?" } },
        "Photo": {
          "parent": "Asset", "attributes": { "width": "integer32?" },
          "relationships": { "album": { "type": "Album?", "inverse": "photos" } }, "indexes": ["width"]
        },
        "Video": { "parent": "Asset", "attributes": { "width": "string?" } },
        "Album": {
          "attributes": { "n": "integer?" },
          "relationships": { "photos": { "type": "[Photo]", "inverse": "album", "ordered": true } }
        }
        """#,
      to: #"""
        "Asset": { "attributes": { "n": "integer?" } },
        "Picture": {
          "parent": "Asset", "attributes": { "width": "integer32?" },
          "relationships": { "album": { "type": "Album?", "inverse": "photos" } }, "indexes": ["width"]
        },
        "Photo": { "parent": "Picture" },
        "Video": {
          "parent": "Asset", "attributes": { "width": "string?" }, "relationships": { "Album": { "type": "Album?" } }
        },
        "Album": {
          "attributes": { "n": "integer?" },
          "relationships": { "photos": { "type": "[Picture]", "inverse": "album", "ordered": true } }
        }
        """#,
      objects: [
        ("Album", [:]), ("Photo", ["width": 1, "album": 1]), ("Video", ["width": "wide"]),
        ("Asset", [:]),
      ],
      results: [
        (
          Shape.table("Asset"),
          """
          CREATE TABLE "Asset" ("copal_id" INTEGER PRIMARY KEY, "copal_version" INTEGER NOT NULL, \
          "copal_entity" TEXT NOT NULL, "n" INTEGER, "Picture.width" INTEGER, \
          "Picture.album" INTEGER REFERENCES "Album" ("copal_id") DEFERRABLE INITIALLY DEFERRED, \
          "copal_order_album" INTEGER, "Video.width" TEXT, \
          "Video.Album" INTEGER REFERENCES "Album" ("copal_id") DEFERRABLE INITIALLY DEFERRED)
          """
        ),
        (
          Shape.indexes("Asset"),
          """
          copal_index_Asset(copal_entity)
          copal_index_Photo(Photo.width)
          copal_index_Photo(album,copal_order_album)
          copal_index_Video(Video.Album)
          """
        ),
        (
          #"SELECT copal_entity, "Picture.width", "Picture.album", "Video.width" FROM Asset"#,
          "Photo|1|1|\nVideo|||wide\nAsset|||"
        ),
      ]),
    FamilyChange(
      "defaults for the rows of some entities, and for all",
      from: #"""
        "Asset": { "attributes": { "n": "integer?" } },
        "Photo": { "parent": "Asset" }, "Scan": { "parent": "Photo" }, "Link": { "parent": "Asset" }
        """#,
      to: #"""
        "Asset": { "attributes": { "n": "integer?", "name": { "type": "string", "default": "?" } } },
        "Photo": {
          "parent": "Asset",
          "attributes": { "width": { "type": "integer", "default": 1 }, "mark": { "type": "string?", "default": "m" } }
        },
        "Scan": { "parent": "Photo" },
        "Link": {
          "parent": "Asset",
          "attributes": { "width": { "type": "integer", "default": 2 }, "id": { "type": "uuid", "default": "new" } }
        }
        """#,
      objects: [("Asset", [:]), ("Photo", [:]), ("Scan", [:]), ("Link", [:]), ("Link", [:])],
      results: [
        (
          #"SELECT copal_entity, name, "Photo.width", mark, "Link.width", length(id) FROM Asset"#,
          "Asset|?||||\nPhoto|?|1|m||\nScan|?|1|m||\nLink|?|||2|16\nLink|?|||2|16"
        ),
        ("SELECT count(DISTINCT id) FROM Asset", "2"),
      ]),
    FamilyChange(
      "an entity without objects becomes abstract, an abstract one has objects from now on",
      from: #"""
        "Asset": { "attributes": { "n": "integer?" } },
        "Media": { "parent": "Asset", "abstract": true }, "Photo": { "parent": "Media" },
        "Tool": {}
        """#,
      to: #"""
        "Asset": { "abstract": true, "attributes": { "n": "integer?", "name": "string?" } },
        "Media": { "parent": "Asset", "attributes": { "size": "integer?" } },
        "Photo": { "parent": "Media" }, "Tool": { "abstract": true }
        """#,
      objects: [("Photo", [:])],
      results: [("SELECT copal_entity, name FROM Asset", "Photo|")]),
    FamilyChange(
      "required properties of abstract entities, of which there are no rows",
      from: #"""
        "Asset": { "abstract": true }, "Photo": { "parent": "Asset", "attributes": { "width": "integer" } },
        "Tool": { "abstract": true }, "Frame": { "attributes": { "n": "integer?" } }
        """#,
      to: #"""
        "Asset": { "abstract": true, "attributes": { "width": "integer" } }, "Photo": { "parent": "Asset" },
        "Tool": { "abstract": true, "attributes": { "name": "string" } },
        "Frame": { "abstract": true, "attributes": { "n": "integer?", "name": "string" }, "unique": [["name"]] }
        """#,
      objects: [("Photo", ["width": 640])],
      results: [
        ("SELECT copal_entity, width FROM Asset", "Photo|640"),
        (Shape.indexes("Frame"), "copal_unique_Frame(name)"),
      ]),
  ]

  @Test(
    "a changed family is migrated in place: rows, keys, versions and references stay, and the file has the shape of a new one",
    arguments: changes)
  func change(change: FamilyChange) throws {
    let (old, new) = (try FamilyChange.schema(change.old), try FamilyChange.schema(change.new))
    var inserted: [(entity: String, key: Int64, values: [String: PropertyValue])] = []
    do {
      let tester = try test.storeTester(old)
      for (entity, values) in change.objects {
        inserted.append((entity, try tester.insert(values, into: entity), values))
      }
    }
    let migrated = try test.storeTester(new)
    for (sql, output) in change.results {
      let found = try test.sqlite3(sql)
      #expect(found == output)
    }
    for (entity, key, values) in inserted {
      let row = try migrated.row(key, of: entity)
      #expect(row.layout.name == entity && row.row.version == 1)
      for (name, value) in values { #expect(row[name] == value, "\(entity) \(key) \(name)") }
      try migrated.update(row, values)
      #expect(try migrated.row(key, of: entity).row.version == 2)
    }
    try expectShapeOfNewFile(new)
    try expectNoChange(new)
  }

  /// Compares the file with one that was made with the model.
  private func expectShapeOfNewFile(_ schema: StoreSchema) throws {
    let other = try TestStore()
    _ = try other.open(schema)
    #expect(try test.sqlite3(Shape.whole) == other.sqlite3(Shape.whole))
    #expect(try test.sqlite3("PRAGMA foreign_key_check; PRAGMA integrity_check") == "ok")
  }

  /// Opens the store again, and expects that nothing is compared or written.
  private func expectNoChange(_ schema: StoreSchema) throws {
    let statements = try test.recorder.statements { _ = try test.open(schema) }
    #expect(statements.contains { $0.hasPrefix("SELECT") })
    for word in ["ALTER", "CREATE", "DROP", "UPDATE", "INSERT", "table_xinfo"] {
      #expect(!statements.contains { $0.contains(word) }, "\(word) \(statements)")
    }
  }

  // MARK: References and links

  @Test(
    "links follow an entity whose relationships move to a new parent, also when owners become members"
  )
  func links() throws {
    let old = try FamilyChange.schema(
      #"""
      "Article": { "attributes": { "n": "integer?" }, "relationships": {
        "pigments": { "type": "[Pigment]", "inverse": "works", "ordered": true },
        "related": { "type": "[Article]", "inverse": "related" }
      } },
      "Pigment": { "attributes": { "n": "integer?" }, "relationships": { "works": { "type": "[Article]", "inverse": "pigments", "ordered": true } } }
      """#)
    let new = try FamilyChange.schema(
      #"""
      "Work": { "attributes": { "n": "integer?" }, "relationships": {
        "pigments": { "type": "[Pigment]", "inverse": "works", "ordered": true },
        "related": { "type": "[Work]", "inverse": "related" }
      } },
      "Article": { "parent": "Work" },
      "Pigment": { "attributes": { "n": "integer?" }, "relationships": { "works": { "type": "[Work]", "inverse": "pigments", "ordered": true } } }
      """#)
    do {
      let tester = try test.storeTester(old)
      for _ in 0..<2 { try tester.insert([:], into: "Article") }
      for _ in 0..<3 { try tester.insert([:], into: "Pigment") }
      try tester.commit {
        try $0.link(
          "Article", "pigments",
          added: [
            Link(owner: 1, member: 3, position: 0, inversePosition: 8),
            Link(owner: 1, member: 1, position: 1, inversePosition: 7),
            Link(owner: 2, member: 2, position: 0, inversePosition: 9),
          ])
        try $0.link(
          "Article", "related", added: [Link(owner: 1, member: 2), Link(owner: 2, member: 1)])
      }
      #expect(try tester.members("pigments", of: "Article", 1) == [3, 1])
    }
    let tester = try test.storeTester(new)
    #expect(try tester.members("pigments", of: "Work", 1) == [3, 1])
    #expect(try tester.members("pigments", of: "Article", 2) == [2])
    #expect(try tester.members("works", of: "Pigment", 3) == [1])
    #expect(try tester.members("related", of: "Article", 1) == [2])
    #expect(
      try test.sqlite3(
        "SELECT owner, member, position, inverse_position FROM \"copal_links_Pigment.works\" ORDER BY owner"
      )
        == "1|1|7|1\n2|2|9|0\n3|1|8|0")
    #expect(
      try test.sqlite3("SELECT name FROM sqlite_schema WHERE name LIKE 'copal_links%' ORDER BY 1")
        == "copal_links_Pigment.works\ncopal_links_Work.related")
    try expectShapeOfNewFile(new)
    try expectNoChange(new)
    let work = try tester.insert([:], into: "Work")
    try tester.commit {
      try $0.link(
        "Work", "pigments", added: [Link(owner: work, member: 1, position: 0, inversePosition: 8)])
    }
    #expect(try tester.members("works", of: "Pigment", 1) == [1, 3])
  }

  @Test(
    "a reference from another table is still checked after the table of its objects was renamed")
  func references() throws {
    let album = #""Album": { "relationships": { "cover": { "type": "Photo" } } }"#
    do {
      let tester = try test.storeTester(
        FamilyChange.schema(#""Photo": { "attributes": { "name": "string" } }, \#(album)"#))
      try tester.insert(["name": "Delft"], into: "Photo")
      try tester.insert(["cover": 1], into: "Album")
    }
    let new = try FamilyChange.schema(
      #"""
      "Asset": { "attributes": { "n": "integer?" } },
      "Photo": { "parent": "Asset", "attributes": { "name": "string" } }, \#(album)
      """#)
    let tester = try test.storeTester(new)
    #expect(throws: StoreTester.Refused.self) { try tester.insert(["cover": 2], into: "Album") }
    #expect(throws: StoreTester.Refused.self) {
      try tester.commit { $0.delete(try tester.row(1, of: "Photo")) }
    }
    // The keys continue.
    #expect(try tester.insert([:], into: "Asset") == 2)
    #expect(try tester.rows(of: "Asset").map(\.layout.name) == ["Photo", "Asset"])
    let error = try test.sqlite3("PRAGMA foreign_keys=ON; DELETE FROM Asset WHERE copal_id = 1")
    #expect(error.contains("FOREIGN KEY constraint failed"))
  }

  // MARK: Unique constraints

  @Test(
    "unique constraints are enforced for old and new rows, within the entities that they are for")
  func uniqueConstraints() throws {
    do {
      let tester = try test.storeTester(
        FamilyChange.schema(
          #"""
          "Photo": { "attributes": { "title": "string", "code": "string?" }, "unique": [["title"], ["code"]] }
          """#))
      try tester.insert(["title": "Delft", "code": "A"], into: "Photo")
    }
    let tester = try test.storeTester(
      FamilyChange.schema(
        #"""
        "Asset": { "attributes": { "title": "string" }, "unique": [["title"]] },
        "Photo": { "parent": "Asset", "attributes": { "code": "string?" }, "unique": [["code"]] },
        "Link": { "parent": "Asset", "attributes": { "code": "string?" }, "unique": [["code"]] }
        """#))
    func refused(_ values: [String: PropertyValue], _ entity: String) -> Bool {
      (try? tester.insert(values, into: entity)) == nil
    }
    #expect(refused(["title": "Delft"], "Asset"))
    #expect(refused(["title": "Delft"], "Link"))
    #expect(refused(["title": "Rome", "code": "A"], "Photo"))
    #expect(try tester.insert(["title": "Rome", "code": "A"], into: "Link") == 2)
    #expect(refused(["title": "Oslo", "code": "A"], "Link"))
    #expect(throws: StoreTester.Refused.self) {
      try tester.update(try tester.row(1, of: "Photo"), ["title": "Rome"])
    }
  }

  @Test(
    "the order of entities and attributes in a model file does not matter to the indexes of a family"
  )
  func order() throws {
    let asset = #""Asset": { "attributes": { "added": "date?", "name": "string?" } }"#
    let media = #""Media": { "parent": "Asset", "unique": [["name", "added"]] }"#
    let photo =
      #""Photo": { "parent": "Media", "attributes": { "a": "integer?", "b": "integer?" }, "unique": [["a", "b"]] }"#
    _ = try test.open(FamilyChange.schema([asset, media, photo].joined(separator: ", ")))
    let before = try test.sqlite3(".schema")
    let reordered = [
      photo.replacing(#"["a", "b"]"#, with: #"["b", "a"]"#),
      media.replacing(#"["name", "added"]"#, with: #"["added", "name"]"#), asset,
    ]
    let schema = try FamilyChange.schema(reordered.joined(separator: ", "))
    _ = try test.open(schema)
    #expect(try test.sqlite3(".schema") == before)
    try expectNoChange(schema)
    func replaceIndex(condition: String) throws {
      _ = try test.sqlite3(
        #"""
        DROP INDEX "copal_unique_Photo(a,b)";
        CREATE UNIQUE INDEX "copal_unique_Photo(a,b)" ON "Asset" ("a", "b") WHERE \#(condition)
        """#)
    }
    // An earlier version of Copal took the attribute that came first in the model file.
    try replaceIndex(condition: #""b" IS NOT NULL"#)
    _ = try test.open(schema)
    // Another condition is still a difference.
    try replaceIndex(condition: #""added" IS NOT NULL"#)
    let error = #expect(throws: PersistenceError.self) { try test.open(schema) }
    #expect(
      error?.found
        == "the index 'copal_unique_Photo(a,b)' differs from the model's; drop it, so that Copal can create it again"
    )
  }

  // MARK: Cost

  @Test("each row is written at most once, by the index of entities where only some rows change")
  func cost() throws {
    do {
      let tester = try test.storeTester(
        FamilyChange.schema(
          #"""
          "Asset": { "attributes": { "n": "integer?" } }, "Photo": { "parent": "Asset" }, "Link": { "parent": "Asset" }
          """#))
      try tester.insert([:], into: "Photo")
    }
    let new = try FamilyChange.schema(
      #"""
      "Asset": { "attributes": {
        "n": "integer?", "a": { "type": "integer", "default": 1 }, "b": { "type": "integer", "default": 2 }
      } },
      "Photo": { "parent": "Asset", "attributes": { "c": { "type": "integer", "default": 3 } } },
      "Link": { "parent": "Asset" }
      """#)
    let statements = try test.recorder.statements { _ = try test.open(new) }
    #expect(
      statements.filter { $0.hasPrefix("UPDATE") } == [
        #"UPDATE "Asset" SET "a" = ?, "b" = ? WHERE "copal_entity" IN ('Asset', 'Link')"#,
        #"UPDATE "Asset" SET "a" = ?, "b" = ?, "c" = ? WHERE "copal_entity" = 'Photo'"#,
      ])
    for statement in statements where statement.hasPrefix("UPDATE") {
      #expect(
        try test.sqlite3("EXPLAIN QUERY PLAN " + statement.replacing("?", with: "0")).contains(
          "USING INDEX copal_index_Asset(copal_entity)"))
    }
    let other = try TestStore()
    try other.storeTester(FamilyChange.schema(#""Tool": {}"#)).insert([:], into: "Tool")
    let changed = try FamilyChange.schema(
      #""Tool": { "attributes": { "a": { "type": "integer", "default": 1 }, "b": { "type": "integer", "default": 2 } } }"#
    )
    #expect(
      try other.recorder.statements { _ = try other.open(changed) }.filter {
        $0.hasPrefix("UPDATE")
      } == [
        #"UPDATE "Tool" NOT INDEXED SET "a" = ?, "b" = ? WHERE "copal_id" BETWEEN ? AND ?"#
      ])
  }

  @Test("rows whose keys are far from each other are all written")
  func farKeys() throws {
    _ = try test.open(FamilyChange.schema(#""Tool": {}"#))
    let keys: [Int64] = [.min + 1, -70_000, -1, 1, 20_000, 20_001, 1 << 40, 1 << 62, .max]
    let rows = keys.map { "(\($0), 1)" }.joined(separator: ", ")
    _ = try test.sqlite3("INSERT INTO Tool VALUES \(rows)")
    _ = try test.open(
      FamilyChange.schema(
        #""Tool": { "attributes": { "a": { "type": "integer", "default": 7 } } }"#))
    #expect(try test.sqlite3("SELECT count(*) FROM Tool WHERE a = 7") == "\(keys.count)")
  }

  @Test(
    "a line of 33 entities gets 16 ancestors and 16 descendants around the one that has objects")
  func depth() throws {
    func model(_ numbers: ClosedRange<Int>) throws -> StoreSchema {
      try FamilyChange.schema(
        numbers.map { number in
          let parent = number == numbers.lowerBound ? "" : #""parent": "G\#(number - 1)","#
          let unique = number == 16 ? #", "unique": [["a16"]]"# : ""
          return
            #""G\#(number)": { \#(parent) "attributes": { "a\#(number)": { "type": "integer", "default": \#(number) } }\#(unique) }"#
        }.joined(separator: ","))
    }
    try test.storeTester(model(16...16)).insert(["a16": 5])
    let new = try model(0...32)
    let tester = try test.storeTester(new)
    let row = try tester.row(1, of: "G0")
    #expect(row.layout.name == "G16" && row["a16"] == 5)
    #expect((0..<16).map { row["a\($0)"] } == (0..<16).map { .integer($0) })
    var values: [String: PropertyValue] = [:]
    for number in 0...32 { values["a\(number)"] = .integer(Int64(100 + number)) }
    #expect(try tester.insert(values, into: "G32") == 2)
    #expect(try tester.row(2, of: "G32").values == values)
    #expect(throws: StoreTester.Refused.self) { try tester.insert(["a16": 116], into: "G20") }
    try expectShapeOfNewFile(new)
    try expectNoChange(new)
  }

  // MARK: Refusals

  static let refusals: [(old: String, new: String, lines: [String])] = [
    (
      #""Asset": {}, "Photo": { "attributes": { "width": "integer" } }"#,
      #""Asset": {}, "Photo": { "parent": "Asset", "attributes": { "size": "integer" } }"#,
      ["Photo.width: removed"]
    ),
    (
      #""Asset": {}, "Media": { "parent": "Asset" }, "Photo": { "parent": "Media" }"#,
      #""Asset": {}, "Photo": { "parent": "Asset" }"#,
      ["Media: removed"]
    ),
    // The entity that has left says what goes.
    (
      #""Asset": { "attributes": { "a": "string" } }, "Photo": { "parent": "Asset" }, "Scan": { "parent": "Photo" }"#,
      #""Asset": { "attributes": { "a": "string" } }, "Photo": {}, "Scan": { "parent": "Photo" }"#,
      ["Photo.a: removed"]
    ),
    (
      #""Author": { "attributes": { "a": "string", "b": "string" } }"#,
      #""Party": { "merges": ["Author"], "attributes": { "a": "string" } }"#,
      ["Party.b: removed"]
    ),
    (
      #"""
      "Asset": { "abstract": true, "attributes": { "width": "integer", "size": "integer" } },
      "Photo": { "parent": "Asset" }
      """#,
      #"""
      "Asset": { "abstract": true }, "Photo": { "parent": "Asset", "attributes": { "width": "integer" } }
      """#, ["Asset.size: removed"]
    ),
    (
      #""Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer?" } }"#,
      #"""
      "Asset": { "attributes": { "width": { "type": "integer?", "transient": true } } }, "Photo": { "parent": "Asset" }
      """#, ["Photo.width: removed, and transient now"]
    ),
  ]

  @Test(
    "what cannot be migrated has one line each, and the file stays as it was", arguments: refusals)
  func refusal(old: String, new: String, lines: [String]) throws {
    _ = try test.open(FamilyChange.schema(old))
    let before = try test.sqlite3(".dump")
    let schema = try FamilyChange.schema(new)
    let error = #expect(throws: PersistenceError.self) { try test.open(schema) }
    #expect(error?.code == .modelDiffers)
    #expect(error?.refusals == lines)
    #expect(try test.sqlite3(".dump") == before)
  }

  @Test("an entity becomes abstract only when all objects are of its subentities")
  func abstract() throws {
    func model(_ asset: String, version: Int = 1) throws -> StoreSchema {
      try FamilyChange.schema(
        #""Asset": { \#(asset) "attributes": { "n": "integer?" } }, "Photo": { "parent": "Asset" }"#,
        version: version)
    }
    let concrete = try model("")
    let abstract = try model(#""abstract": true,"#)
    do {
      let tester = try test.storeTester(concrete)
      try tester.insert([:], into: "Photo")
      try tester.insert([:], into: "Asset")
    }
    let error = #expect(throws: PersistenceError.self) { try test.open(abstract) }
    #expect(
      error?.refusals
        == ["Asset: abstract now, and the store has 1 object of it that is of no subentity"])
    do {
      let tester = try test.storeTester(concrete)
      try tester.commit { $0.delete(try tester.row(2, of: "Asset")) }
    }
    let statements = try test.recorder.statements { _ = try test.open(abstract) }
    #expect(
      statements.contains(
        #"SELECT count(*) FROM "Asset" WHERE "copal_entity" = 'Asset'"#))
    try expectNoChange(abstract)
    // The way back is always allowed.
    #expect(try test.storeTester(model("", version: 2)).insert([:], into: "Asset") == 3)
  }

  // MARK: Failures

  @Test("a program that still has the old model gets an error that says so, also when it reads")
  func openStore() throws {
    let photo = #""attributes": { "width": "integer" }"#
    let old = try test.storeTester(FamilyChange.schema(#""Photo": { \#(photo) }"#))
    try old.insert(["width": 1])
    #expect(try old.keys() == [1])
    let new = try FamilyChange.schema(#""Asset": {}, "Photo": { "parent": "Asset", \#(photo) }"#)
    _ = try test.open(new)
    for work in [
      { _ = try old.keys() }, { _ = try old.rows() }, { try old.insert(["width": 2]) },
      { _ = try StoreTester(old.store).rows() },
    ] as [() throws -> Void] {
      let error = #expect(throws: PersistenceError.self) { try work() }
      #expect(error?.code == .modelDiffers && error?.causes.isEmpty == true)
    }
  }

  @Test("a migration that fails in the middle leaves the file as it was")
  func failure() throws {
    let photo = #""attributes": { "title": "string" }, "unique": [["title"]], "indexes": ["title"]"#
    do {
      try test.storeTester(FamilyChange.schema(#""Photo": { \#(photo) }"#)).insert(["title": "x"])
    }
    // The table that the migration wants to rename to.
    _ = try test.sqlite3("CREATE TABLE Asset (x)")
    let before = try test.sqlite3(".dump")
    let new = try FamilyChange.schema(#""Asset": { \#(photo) }, "Photo": { "parent": "Asset" }"#)
    let error = #expect(throws: PersistenceError.self) { try test.open(new) }
    #expect(error?.codedRefusals.first?.hasPrefix("migration.otherProgram") == true)
    #expect(try test.sqlite3(".dump") == before)
    _ = try test.sqlite3("DROP TABLE Asset")
    #expect(try test.storeTester(new).row(1, of: "Photo")["title"] == "x")
  }
}
