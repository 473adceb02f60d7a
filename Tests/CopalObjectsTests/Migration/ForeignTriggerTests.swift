import Copal
import CopalTestSupport
import Foundation
import Testing

/// Triggers of another program in a store that is migrated.
@Suite("Triggers of other programs in a migration")
struct ForeignTriggerTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  /// A trigger that another program has made, and what a new model does with its column.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Without `CREATE TRIGGER log`.
    let trigger: String
    let change: Change
    /// The text in the schema after the migration; nil where it is refused.
    let after: String?
    /// What is run after the migration; the trigger then adds a row to `notes`.
    var write = "UPDATE Book SET pages = 'x'"
    /// What the error names.
    var named: [String] = []
  }

  enum Change: String, Sendable {
    case converted, convertedToDate, convertedAndRenamed, removed, both, renamed

    var entities: String {
      let pages =
        switch self {
        case .converted: #""pages": "string?", "pages2": "integer?""#
        case .convertedToDate:
          #""pages": { "type": "date?", "conversion": "secondsSince1970" }, "pages2": "integer?""#
        case .convertedAndRenamed:
          #""sheets": { "type": "string?", "renamedFrom": "pages" }, "pages2": "integer?""#
        case .removed: #""pages2": "integer?""#
        case .both: #""pages": "string?", "pages2": "string?""#
        case .renamed:
          #""sheets": { "type": "integer?", "renamedFrom": "pages" }, "pages2": "integer?""#
        }
      let word = self == .removed ? #""removed": ["pages"], "# : ""
      return ForeignTriggerTests.entities(
        #"\#(word)"attributes": { "title": "string?", \#(pages) }"#)
    }
  }

  private static func entities(_ book: String) -> String {
    #""Book": { \#(book) }, "Shelf": { "attributes": { "pages": "integer?" } }"#
  }

  private static let note = "BEGIN INSERT INTO notes VALUES ('seen'); END"

  static let cases: [Case] = [
    Case(
      testDescription: "an update of a converted column",
      trigger: "AFTER UPDATE OF pages ON Book \(note)", change: .converted,
      after: #"AFTER UPDATE OF "pages" ON Book \#(note)"#),
    Case(
      testDescription: "an update of a column whose numbers become dates",
      trigger: "AFTER UPDATE OF pages ON Book \(note)", change: .convertedToDate,
      after: #"AFTER UPDATE OF "pages" ON Book \#(note)"#, write: "UPDATE Book SET pages = 1.5"),
    Case(
      testDescription: "an update of a converted column with a new name",
      trigger: "BEFORE UPDATE OF title, Pages ON Book WHEN NEW.title = 'x' \(note)",
      change: .convertedAndRenamed,
      after: #"BEFORE UPDATE OF title, "sheets" ON Book WHEN NEW.title = 'x' \#(note)"#,
      write: "UPDATE Book SET title = 'x'; UPDATE Book SET sheets = '3'"),
    Case(
      testDescription: "an update of two converted columns",
      trigger: "AFTER UPDATE OF pages2, [pages] ON Book \(note)", change: .both,
      after: #"AFTER UPDATE OF "pages2", "pages" ON Book \#(note)"#),
    Case(
      testDescription: "an update of a renamed column",
      trigger: "AFTER UPDATE OF pages ON Book \(note)", change: .renamed,
      after: #"AFTER UPDATE OF "sheets" ON Book \#(note)"#, write: "UPDATE Book SET sheets = 1"),
    Case(
      testDescription: "an update of a removed column",
      trigger: "AFTER UPDATE OF pages ON Book \(note)", change: .removed, after: nil,
      named: ["log", "pages", "Book"]),
    Case(
      testDescription: "an update of a removed column and another",
      trigger: "AFTER UPDATE OF title, pages ON Book \(note)", change: .removed, after: nil,
      named: ["log", "pages", "Book"]),
    Case(
      testDescription: "a column with a longer name is not the removed one",
      trigger: "AFTER UPDATE OF pages2 ON Book \(note)", change: .removed,
      after: "AFTER UPDATE OF pages2 ON Book \(note)", write: "UPDATE Book SET pages2 = 1"),
    Case(
      testDescription: "an insert that reads a removed column",
      trigger: "AFTER INSERT ON Book BEGIN INSERT INTO notes VALUES (NEW.pages); END",
      change: .removed, after: nil, named: ["log", "NEW.pages"]),
    Case(
      testDescription: "an insert that reads a converted column",
      trigger: "AFTER INSERT ON Book BEGIN INSERT INTO notes VALUES (NEW.pages); END",
      change: .converted, after: nil, named: ["log", "NEW.pages"]),
    Case(
      testDescription: "a deletion of another table that writes a removed column",
      trigger: "AFTER DELETE ON Shelf BEGIN UPDATE Book SET pages = OLD.pages; END",
      change: .removed, after: nil, named: ["log", "pages", "Book"]),
    Case(
      testDescription: "a deletion of another table that inserts into a removed column",
      trigger:
        "AFTER DELETE ON Shelf BEGIN INSERT INTO Book (copal_version, pages) VALUES (1, 2); END",
      change: .removed, after: nil, named: ["log", "pages", "Book"]),
    Case(
      testDescription: "a deletion of another table that writes a converted column",
      trigger: "AFTER DELETE ON Shelf BEGIN UPDATE Book SET pages = 'x'; \(note.dropFirst(6))",
      change: .converted,
      after:
        #"AFTER DELETE ON Shelf BEGIN UPDATE Book SET "pages" = 'x'; \#(note.dropFirst(6))"#,
      write: "DELETE FROM Shelf"),
    Case(
      testDescription: "an update of the column of another table with the name",
      trigger: "AFTER UPDATE OF pages ON Shelf \(note)", change: .removed,
      after: "AFTER UPDATE OF pages ON Shelf \(note)", write: "UPDATE Shelf SET pages = 3"),
    Case(
      testDescription: "an update of any column",
      trigger: "AFTER UPDATE ON Book \(note)", change: .converted,
      after: "AFTER UPDATE ON Book \(note)"),
    Case(
      testDescription: "a deletion that does not mention the column",
      trigger: "BEFORE DELETE ON Book \(note)", change: .removed,
      after: "BEFORE DELETE ON Book \(note)", write: "DELETE FROM Book"),
    Case(
      testDescription: "a text that is the name of the column",
      trigger: "AFTER UPDATE OF title ON Book BEGIN INSERT INTO notes VALUES ('pages'); END",
      change: .removed,
      after: "AFTER UPDATE OF title ON Book BEGIN INSERT INTO notes VALUES ('pages'); END",
      write: "UPDATE Book SET title = 'y'"),
  ]

  private func open(_ entities: String, version: Int = 1) throws -> PersistentContainer {
    try PersistentContainer(
      model: OldProgramTests.model(entities, version: version), store: test.configuration(),
      migration: StoreMigration(backup: .never))
  }

  private func makeStore() throws {
    let context = try open(
      Self.entities(
        #""attributes": { "title": "string?", "pages": "integer?", "pages2": "integer?" }"#)
    ).makeContext()
    try context.insert("Book").setValue(7, forKey: "pages")
    try context.insert("Shelf").setValue(8, forKey: "pages")
    try context.save()
  }

  @Test("a trigger goes on with the new column, or refuses by name", arguments: cases)
  func trigger(test found: Case) throws {
    try makeStore()
    _ = try test.sqlite3("CREATE TABLE notes (note); CREATE TRIGGER log \(found.trigger)")
    let before = try test.sqlite3(".dump")
    guard let after = found.after else {
      let error = #expect(throws: PersistenceError.self) {
        try open(found.change.entities, version: 2)
      }
      let cause = error?.causes.first as? PersistenceError
      #expect(cause?.code == .migrationOtherProgram)
      let text = cause.map { "\($0)" } ?? ""
      for name in found.named { #expect(text.contains(name), "\(text)") }
      #expect(!text.contains("copal_old_"), "\(text)")
      #expect(try test.sqlite3(".dump") == before)
      return
    }
    _ = try open(found.change.entities, version: 2)
    #expect(
      try test.sqlite3("SELECT sql FROM sqlite_schema WHERE name = 'log'")
        == "CREATE TRIGGER log \(after)")
    #expect(try test.sqlite3("SELECT count(*) FROM notes") == "0")
    #expect(try test.sqlite3(found.write) == "")
    #expect(try test.sqlite3("SELECT count(*) FROM notes") != "0")
    #expect(try test.sqlite3("SELECT sql FROM sqlite_schema WHERE sql LIKE '%copal_old%'") == "")
    // The tables are still those of the model.
    #expect(try open(found.change.entities, version: 2).check().isEmpty)
  }

  @Test(
    "a view or a trigger that uses a table which goes refuses the migration",
    arguments: [
      "CREATE VIEW log AS SELECT copal_id FROM Shelf",
      "CREATE TRIGGER log AFTER DELETE ON Book BEGIN DELETE FROM Shelf; END",
    ])
  func tables(creation: String) throws {
    try makeStore()
    _ = try test.sqlite3(creation)
    let before = try test.sqlite3(".dump")
    let book =
      #""Book": { "attributes": { "title": "string?", "pages": "integer?", "pages2": "integer?" } }"#
    for (keys, entities) in [
      (#""removed": ["Shelf"], "#, book),
      // The rows of the shelf go into the other table.
      ("", book + #", "Shelf": { "parent": "Book" }"#),
    ] {
      let error = #expect(throws: PersistenceError.self) {
        try PersistentContainer(
          model: OldProgramTests.model(entities, version: 2, keys: keys),
          store: test.configuration(), migration: StoreMigration(backup: .never))
      }
      let text = (error?.causes.first).map { "\($0)" } ?? ""
      #expect(text.contains("log uses the table Shelf, which goes"), "\(text)")
      #expect(try test.sqlite3(".dump") == before)
    }
  }

  @Test(
    "a view and an index refuse a conversion by the name of the column",
    arguments: [
      "CREATE VIEW log AS SELECT pages FROM Book", "CREATE INDEX log ON Book (pages)",
      "CREATE VIEW log AS SELECT pages AS p FROM Book; CREATE TRIGGER other INSTEAD OF UPDATE OF p ON log BEGIN SELECT 1; END",
    ])
  func views(creation: String) throws {
    try makeStore()
    _ = try test.sqlite3(creation)
    for change in [Change.converted, .removed] {
      let error = #expect(throws: PersistenceError.self) { try open(change.entities, version: 2) }
      let text = (error?.causes.first).map { "\($0)" } ?? ""
      #expect(
        text.contains("log") && text.contains("pages") && !text.contains("copal_old_"), "\(text)")
    }
  }
}
