import CopalModel
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

@Suite("Relationships in a SQLite file")
struct RelationshipTableTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  /// Vermeer with two paintings and two pigments, as a program of today writes them.
  private func fill(_ schema: StoreSchema) throws {
    let tester = try test.storeTester(schema)
    try tester.commit { changes in
      let painter = try changes.insert("Painter", ["name": "Jan Vermeer"])
      let other = try changes.insert("Painter", ["name": "Pieter de Hooch"])
      let step = ListPosition.step
      let milkmaid = try changes.insert(
        "Painting", ["title": "The Milkmaid", "painter": .integer(painter)],
        positions: ["painter": ListPosition.end + 2 * step])
      try changes.insert(
        "Painting", ["title": "View of Delft", "painter": .integer(painter)],
        positions: ["painter": ListPosition.end + step])
      let blue = try changes.insert("Pigment", ["name": "Ultramarine"])
      let yellow = try changes.insert("Pigment", ["name": "Lead-tin yellow"])
      try changes.link(
        "Painting", "pigments",
        added: [
          Link(owner: milkmaid, member: blue, position: 2),
          Link(owner: milkmaid, member: yellow, position: 1),
        ])
      try changes.link("Painter", "friends", added: [Link(owner: painter, member: other)])
    }
  }

  @Test("are read by SQLite's own tool, which finds no reference to a missing row")
  func readable() throws {
    try fill(StoreModels.gallery())
    #expect(
      try test.sqlite3(
        #"SELECT p.name, title FROM Painting JOIN Painter p ON painter = p.copal_id ORDER BY copal_order_painter"#
      ) == "Jan Vermeer|View of Delft\nJan Vermeer|The Milkmaid")
    #expect(
      try test.sqlite3(
        #"SELECT title, name FROM "copal_links_Painting.pigments" JOIN Painting t ON owner = t.copal_id JOIN Pigment g ON member = g.copal_id ORDER BY position"#
      ) == "The Milkmaid|Lead-tin yellow\nThe Milkmaid|Ultramarine")
    #expect(
      try test.sqlite3(#"SELECT owner, member FROM "copal_links_Painter.friends" ORDER BY owner"#)
        == "1|2\n2|1")
    #expect(try test.sqlite3("PRAGMA foreign_key_check") == "")
    #expect(try test.sqlite3("PRAGMA integrity_check") == "ok")
  }

  @Test("a fetch of related objects uses the index and sorts nothing")
  func plans() throws {
    try fill(StoreModels.gallery())
    let tester = try test.storeTester(StoreModels.gallery())
    _ = test.recorder.take()
    _ = try tester.members("paintings", of: "Painter", 1)
    _ = try tester.members("pigments", of: "Painting", 1)
    _ = try tester.members("paintings", of: "Pigment", 1)
    _ = try tester.related("paintings", of: "Painter", [1, 2])
    _ = try tester.related("pigments", of: "Painting", [1, 3])
    _ = try tester.related("paintings", of: "Pigment", [1, 2])
    let statements = test.recorder.take().filter { $0.hasPrefix("SELECT") }
    #expect(statements.count == 6)
    #expect(statements.count { $0.contains("BETWEEN ? AND ?") } == 2)
    for sql in statements {
      let plan = try test.sqlite3("EXPLAIN QUERY PLAN " + sql.replacing("?", with: "1"))
      #expect(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "\(sql)\n\(plan)")
    }
  }

  @Test("an appended object needs no look at the list")
  func appendPlan() throws {
    try fill(StoreModels.gallery())
    let tester = try test.storeTester(StoreModels.gallery())
    _ = test.recorder.take()
    try tester.commit { changes in
      let painting = try changes.insert(
        "Painting", ["title": "The Little Street", "painter": 1],
        positions: ["painter": ListPosition.end + 1])
      try changes.link(
        "Painting", "pigments",
        added: [Link(owner: painting, member: 1, position: ListPosition.end + 1)])
    }
    let searches = test.recorder.take().filter {
      $0.hasPrefix("SELECT max(\"copal_order")
        || $0.hasPrefix("SELECT max(\"position")
    }
    #expect(searches.count == 2)
    for sql in searches {
      let plan = try test.sqlite3("EXPLAIN QUERY PLAN " + sql.replacing("?", with: "1"))
      #expect(plan.contains("USING COVERING INDEX"), "\(sql)\n\(plan)")
    }
  }

  @Test("a file whose tables are not the model's is refused with every difference")
  func changedTables() throws {
    try fill(StoreModels.gallery())
    #expect(
      try test.sqlite3(
        """
        DROP INDEX "copal_index_Painting.pigments(member)";
        DROP TABLE "copal_links_Painter.friends";
        CREATE TABLE copy (copal_id INTEGER PRIMARY KEY, copal_version INTEGER NOT NULL, title TEXT, \
        painter INTEGER, copal_order_painter INTEGER);
        INSERT INTO copy SELECT * FROM Painting;
        DROP TABLE Painting;
        ALTER TABLE copy RENAME TO Painting;
        """) == "")
    let error = try #require(throws: PersistenceError.self) {
      try test.open(StoreModels.gallery())
    }
    #expect(error.code == .damagedSchema)
    #expect(
      error.found == """
        the column painter of Painting does not refer to the table Painter
        the table copal_links_Painter.friends is missing
        """)
  }

  @Test("an index that another tool has dropped is created again")
  func droppedIndex() throws {
    try fill(StoreModels.gallery())
    #expect(try test.sqlite3(#"DROP INDEX "copal_index_Painting.pigments(member)""#) == "")
    _ = try test.open(StoreModels.gallery())
    #expect(
      try test.sqlite3(
        "SELECT count(*) FROM sqlite_schema WHERE name = 'copal_index_Painting.pigments(member)'")
        == "1")
  }

  @Test("a row that another program has made dangling does not hinder other saves")
  func otherProgram() throws {
    test.expectsBrokenReferences()
    try fill(StoreModels.gallery())
    #expect(try test.sqlite3("DELETE FROM Painter WHERE name = 'Jan Vermeer'") == "")
    #expect(try test.sqlite3("PRAGMA foreign_key_check") != "")
    let tester = try test.storeTester(StoreModels.gallery())
    let painting = try tester.row(1, of: "Painting")
    #expect(painting["painter"] == 1)
    try tester.update(painting, ["title": "The Kitchen Maid"])
    #expect(try tester.row(1, of: "Painting")["title"] == "The Kitchen Maid")
    try tester.insert(["title": "The Little Street"], into: "Painting")
    #expect(try tester.members("paintings", of: "Painter", 1) == [2, 1])
  }

  @Test("a table whose key is not its primary key is refused where others refer to it")
  func keyWithoutIndex() throws {
    // SQLite cannot check references to a column that is not unique.
    test.expectsBrokenReferences()
    try fill(StoreModels.gallery())
    let copy = { (table: String, columns: String) in
      """
      CREATE TABLE copy (\(columns));
      INSERT INTO copy SELECT * FROM \(table);
      DROP TABLE \(table);
      ALTER TABLE copy RENAME TO \(table);
      """
    }
    #expect(
      try test.sqlite3(
        copy("Painter", "copal_id INTEGER, copal_version INTEGER, name TEXT")
          + copy("Pigment", "copal_id INTEGER UNIQUE, copal_version INTEGER, name TEXT")) == "")
    let error = try #require(throws: PersistenceError.self) {
      try test.open(StoreModels.gallery())
    }
    #expect(error.code == .damagedSchema)
    #expect(
      error.found
        == "the column copal_id of Painter is not unique, and other tables refer to it")
  }

  @Test("a link of an ordered relationship that is its own inverse is the same in both stores")
  func symmetricPositions() throws {
    let schema = try StoreModels.gallery { $0[0].relationships[1].isOrdered = true }
    var found: [[Int64?]] = []
    for kind in StoreKind.allCases {
      let test = try TestStore(kind)
      let tester = try test.storeTester(schema)
      let keys = try tester.commit { changes in
        for name in ["Jan Vermeer", "Pieter de Hooch"] {
          try changes.insert("Painter", ["name": .string(name)])
        }
      }.insertedKeys[0]
      // The same link from both objects. The last one counts.
      try tester.commit { changes in
        try changes.link(
          "Painter", "friends",
          added: [
            Link(owner: keys[0], member: keys[1], position: 1, inversePosition: 5),
            Link(owner: keys[1], member: keys[0], position: 2, inversePosition: 3),
          ])
      }
      found.append(try tester.related("friends", of: "Painter", keys).positions)
    }
    #expect(found == [[3, 2], [3, 2]])
  }

  // MARK: Migration

  @Test("an attribute that has become a relationship is refused by name")
  func attributeBecomesRelationship() throws {
    let flat = try StoreModels.gallery { entities in
      for index in entities.indices { entities[index].relationships = [] }
      entities[1].attributes.append(AttributeDescription("painter", .string, isOptional: true))
    }
    try test.storeTester(flat).insert(["title": "The Milkmaid"], into: "Painting")
    let error = try #require(throws: PersistenceError.self) {
      try test.open(StoreModels.gallery())
    }
    #expect(error.code == .modelDiffers)
    #expect(error.refusals == ["Painting.painter: was an attribute, and is a relationship now"])
  }

  @Test("a delete rule that changes no table needs no migration")
  func deleteRules() throws {
    try fill(StoreModels.gallery())
    let changed = try StoreModels.gallery { entities in
      entities[1].relationships[0].deleteRule = .noAction
      entities[1].relationships[1].deleteRule = .noAction
      entities[2].relationships[0].deleteRule = .cascade
    }
    #expect(try test.storeTester(changed).keys(of: "Painting") == [1, 2])
  }

  @Test("new relationships are added to a store that has none")
  func migration() throws {
    let flat = try StoreModels.gallery { entities in
      for index in entities.indices { entities[index].relationships = [] }
    }
    try test.storeTester(flat).insert(["name": "Jan Vermeer"], into: "Painter")
    try fill(StoreModels.gallery())
    #expect(
      try test.sqlite3("SELECT title FROM Painting WHERE painter = 2 ORDER BY copal_order_painter")
        == "View of Delft\nThe Milkmaid")
    #expect(try test.sqlite3("PRAGMA foreign_key_check") == "")
    // A new opening finds the tables of a new store.
    _ = try test.open(StoreModels.gallery())
  }

  @Test(
    "a difference that loses objects is refused by name",
    arguments: [
      ("Painter.friends: removed", 0),
      ("Painting.curator: new and required, and 2 objects have no value", 1),
      ("Painting.pigments: not ordered any more", 2),
      ("Painter.paintings: to-many to to-one, and 1 object has several objects (p1)", 3),
    ])
  func refused(line: String, edit: Int) throws {
    try fill(StoreModels.gallery())
    let changed = try StoreModels.gallery { entities in
      switch edit {
      case 0: entities[0].relationships.removeLast()
      case 1:
        entities[1].relationships.append(
          RelationshipDescription("curator", to: "Painter", inverse: "curated"))
        entities[0].relationships.append(
          RelationshipDescription("curated", to: "Painting", isToMany: true, inverse: "curator"))
      case 2: entities[1].relationships[1].isOrdered = false
      default:
        entities[0].relationships[0] = RelationshipDescription(
          "paintings", to: "Painting", isOptional: true, inverse: "painter")
      }
    }
    let error = try #require(throws: PersistenceError.self) { try test.open(changed) }
    #expect(error.code == .modelDiffers)
    #expect(error.refusals == [line])
  }
}
