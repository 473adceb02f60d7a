import Copal
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Stores that are migrated", .modelAsIs)
struct MigrationStoreTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private func open(
    _ entities: String, keys: String = "", version: Int = 1,
    migration: StoreMigration = .automatic
  ) throws -> PersistentContainer {
    try PersistentContainer(
      model: OldProgramTests.model(entities, version: version, keys: keys),
      store: test.configuration(), migration: migration)
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: test.folder.path(percentEncoded: false))
      .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
  }

  // MARK: The copy before a loss

  private static let two =
    #""Book": { "attributes": { "title": "string", "shelf": "string?", "scan": { "type": "binary?", "external": 10 } } }"#
  private static let one =
    #""Book": { "removed": ["shelf"], "attributes": { "title": "string", "scan": { "type": "binary?", "external": 10 } } }"#

  private func makeBook() throws {
    let context = try open(Self.two).makeContext()
    let book = try context.insert("Book")
    try book.setValue("Emma", forKey: "title")
    try book.setValue("A 7", forKey: "shelf")
    try book.setValue(Data(repeating: 7, count: 100), forKey: "scan")
    try context.save()
  }

  @Test("a store is copied before a migration that can lose values")
  func backup() throws {
    try makeBook()
    _ = try open(Self.one)
    #expect(
      try files() == [
        "Atelier.sqlite", "Atelier.sqlite-before-2", "Atelier.sqlite-before-2-files",
        "Atelier.sqlite-files",
      ])
    let copy = try PersistentContainer(
      model: OldProgramTests.model(Self.two),
      store: .sqlite(at: test.folder.appending(path: "Atelier.sqlite-before-2")),
      migration: .never)
    let book = try #require(
      try copy.makeContext().fetch(FetchRequest<ManagedObject>(entityName: "Book")).first)
    #expect(try book.value(of: "shelf", as: String.self) == "A 7")
    #expect(try book.value(of: "scan", as: Data.self) == Data(repeating: 7, count: 100))
  }

  @Test("no copy is made of a store that loses nothing, nor when the program wants none")
  func noBackup() throws {
    try makeBook()
    _ = try open(Self.two.replacing(#""shelf""#, with: #""note": "string?", "shelf""#))
    _ = try open(
      Self.one.replacing(#"["shelf"]"#, with: #"["shelf", "note"]"#),
      migration: StoreMigration(backup: .never))
    #expect(try files() == ["Atelier.sqlite", "Atelier.sqlite-files"])
    _ = try open(
      Self.one.replacing(#""title""#, with: #""size": "integer?", "title""#), version: 2,
      migration: StoreMigration(backup: .always))
    #expect(try files().contains("Atelier.sqlite-before-4"))
  }

  @Test("a refused migration leaves no copy, and a file with the name of the copy is not replaced")
  func repeatedBackup() throws {
    try makeBook()
    let unique = Self.one.replacing(#""attributes""#, with: #""unique": ["title"], "attributes""#)
    do {
      let context = try open(Self.two).makeContext()
      try context.insert("Book").setValue("Emma", forKey: "title")
      try context.save()
    }
    #expect(throws: PersistenceError.self) { try open(unique) }
    #expect(try files() == ["Atelier.sqlite", "Atelier.sqlite-files"])
    let path = test.folder.appending(path: "Atelier.sqlite-before-2")
    try Data("mine".utf8).write(to: path)
    _ = try open(Self.one)
    #expect(try Data(contentsOf: path) == Data("mine".utf8))
    #expect(try files().contains("Atelier.sqlite-before-2-2"))
  }

  // MARK: Large values

  @Test(
    "a refused migration changes neither the file nor its large values",
    arguments: ["DELETE", "WAL"], [0, 1, 2])
  func refused(journal: String, reason: Int) throws {
    try makeBook()
    let models = [
      // The models alone refuse it.
      Self.two.replacing(#""shelf": "string?", "#, with: ""),
      // A value cannot be converted.
      Self.one.replacing(#""title": "string""#, with: #""title": "integer""#),
      // A new unique constraint, found last, after rows were written.
      Self.one.replacing(
        #""attributes": {"#,
        with: #""unique": ["kind"], "attributes": { "kind": { "type": "string", "default": "x" },"#),
    ]
    do {
      let context = try open(Self.two).makeContext()
      let book = try context.insert("Book")
      try book.setValue("Ulysses", forKey: "title")
      try book.setValue(Data(repeating: 8, count: 5000), forKey: "scan")
      try context.save()
    }
    #expect(try test.sqlite3("PRAGMA journal_mode = \(journal)") == journal.lowercased())
    let before = try test.fileContents()
    #expect(before.count > 3)
    let error = #expect(throws: PersistenceError.self) { try open(models[reason]) }
    #expect(error?.code == .modelDiffers)
    _ = try test.sqlite3("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try test.fileContents() == before)
    #expect(try test.sqlite3("PRAGMA journal_mode") == journal.lowercased())
  }

  @Test("an attribute that is not external any more has its values in the rows")
  func noLongerExternal() throws {
    try makeBook()
    let plain = Self.two.replacing(#", "external": 10"#, with: "")
    let context = try open(plain).makeContext()
    let book = try #require(
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Book")).first)
    #expect(try book.value(of: "scan", as: Data.self) == Data(repeating: 7, count: 100))
    #expect(try test.sqlite3("SELECT typeof(scan) FROM Book") == "blob")
  }

  @Test("a missing file refuses that, unless its value may become nil")
  func missingFile() throws {
    try makeBook()
    let folder = test.file.path(percentEncoded: false) + "-files"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasSuffix("-100") {
      try FileManager.default.removeItem(atPath: folder + "/" + name)
    }
    let plain = Self.two.replacing(#", "external": 10"#, with: "")
    let error = #expect(throws: PersistenceError.self) { try open(plain) }
    let cause = error?.causes.first as? PersistenceError
    #expect(cause?.code == .migrationMissingFile)
    #expect(cause?.found == "all values in their rows, and a file is missing (p1)")
    let context = try open(
      Self.two.replacing(#""external": 10"#, with: #""conversion": "nil""#)
    ).makeContext()
    let book = try #require(
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Book")).first)
    #expect(try book.value(of: "scan", as: Data.self) == nil)
    #expect(try book.value(of: "title", as: String.self) == "Emma")
  }

  // MARK: Ids

  @Test("the text of an id finds its object after two renames, and never another object")
  func ids() throws {
    func model(_ name: String, _ former: String, _ others: String = "") -> String {
      #""\#(name)": { "renamedFrom": \#(former), "attributes": { "title": "string" } }\#(others)"#
    }
    var texts: [String] = []
    do {
      let context = try open(model("Book", "[\"Nothing\"]")).makeContext()
      for title in ["Emma", "Ulysses"] {
        let book = try context.insert("Book")
        try book.setValue(title, forKey: "title")
        try context.save()
        texts.append(book.objectID.description)
      }
    }
    // Another program has added a row, and has not noted its key.
    _ = try test.sqlite3("INSERT INTO Book VALUES (7, 1, 'Letters')")
    _ = try open(model("Volume", #"["Book"]"#), version: 2)
    // The former name comes back, as another entity.
    let again = #", "Book": { "attributes": { "title": "string" } }"#
    let container = try open(model("Copy", #"["Volume", "Book"]"#, again), version: 3)
    let context = container.makeContext()
    let book = try context.insert("Book")
    try book.setValue("new", forKey: "title")
    try context.save()
    #expect(book.objectID.description.hasSuffix("/Book/p8"))
    for (text, title) in zip(texts, ["Emma", "Ulysses"]) {
      let id = try #require(ManagedObjectID(uri: text))
      let found = try context.existingObject(with: id)
      #expect(found.entityName == "Copy")
      #expect(try found.value(of: "title", as: String.self) == title)
    }
    let id = try #require(ManagedObjectID(uri: book.objectID.description))
    #expect(try context.existingObject(with: id) === book)
  }

  @Test("the text of an id of a removed entity finds nothing")
  func idsOfRemoved() throws {
    let book = #""Book": { "attributes": { "title": "string" } }"#
    let text: String
    do {
      let context = try open(book + #", "Tag": {}"#).makeContext()
      let tag = try context.insert("Tag")
      try context.save()
      text = tag.objectID.description
    }
    let id = try #require(ManagedObjectID(uri: text))
    let code = PersistenceError.Code.objectMissing
    let without = try open(book, keys: #""removed": ["Tag"], "#, version: 2).makeContext()
    #expect(
      #expect(throws: PersistenceError.self) { try without.existingObject(with: id) }?.code == code)
    let context = try open(book + #", "Tag": {}"#, version: 3).makeContext()
    let tag = try context.insert("Tag")
    try context.save()
    #expect(tag.objectID != id)
    #expect(
      #expect(throws: PersistenceError.self) { try context.existingObject(with: id) }?.code == code)
  }

  // MARK: Other programs

  private static let book = #""Book": { "attributes": { "title": "string", "shelf": "string?" } }"#
  private static let removing =
    #""Book": { "removed": ["shelf"], "attributes": { "title": "string" } }"#

  @Test(
    "what another program has made follows a rename, and refuses a removal",
    arguments: [
      ("CREATE VIEW shelves AS SELECT shelf FROM Book", "SELECT place FROM shelves"),
      (
        "CREATE INDEX mine ON Book (shelf)", "SELECT place FROM Book INDEXED BY mine ORDER BY place"
      ),
    ])
  func otherProgram(creation: String, query: String) throws {
    do {
      let context = try open(Self.book).makeContext()
      let book = try context.insert("Book")
      try book.setValue("Emma", forKey: "title")
      try book.setValue("A 7", forKey: "shelf")
      try context.save()
    }
    _ = try test.sqlite3(creation)
    let before = try test.sqlite3(".dump")
    let error = #expect(throws: PersistenceError.self) {
      try open(Self.removing, version: 2, migration: StoreMigration(backup: .never))
    }
    #expect(error?.code == .modelDiffers)
    #expect((error?.causes.first as? PersistenceError)?.code == .migrationOtherProgram)
    #expect(try test.sqlite3(".dump") == before)
    let renamed =
      #""Volume": { "renamedFrom": "Book", "attributes": { "title": "string", "place": { "type": "string?", "renamedFrom": "shelf" } } }"#
    _ = try open(renamed, version: 2)
    #expect(try test.sqlite3(query.replacing("FROM Book", with: "FROM Volume")) == "A 7")
  }

  @Test("a column or a table of a new name that is there already refuses the migration")
  func takenName() throws {
    _ = try open(Self.book)
    _ = try test.sqlite3("ALTER TABLE Book ADD COLUMN note TEXT; CREATE TABLE Tag (a)")
    for entities in [
      Self.book.replacing(#""shelf""#, with: #""note": "string?", "shelf""#),
      Self.book + #", "Tag": {}"#,
    ] {
      let error = #expect(throws: PersistenceError.self) { try open(entities, version: 2) }
      #expect((error?.causes.first as? PersistenceError)?.code == .migrationOtherProgram)
    }
  }

  @Test("a value of a wrong type, which another program has stored, is not exact")
  func wrongType() throws {
    do {
      let context = try open(#""Book": { "attributes": { "pages": "integer?" } }"#).makeContext()
      try context.insert("Book").setValue(7, forKey: "pages")
      try context.save()
    }
    _ = try test.sqlite3("INSERT INTO Book VALUES (2, 1, 'many')")
    let error = #expect(throws: PersistenceError.self) {
      try open(#""Book": { "attributes": { "pages": "string?" } }"#, version: 2)
    }
    let cause = error?.causes.first as? PersistenceError
    #expect(
      cause?.code == .migrationInexact && cause?.objectID?.description.hasSuffix("/Book/p2") == true
    )
    _ = try open(
      #""Book": { "attributes": { "pages": { "type": "string?", "conversion": "nil" } } }"#,
      version: 2)
    #expect(try test.sqlite3("SELECT quote(pages) FROM Book") == "'7'\nNULL")
  }

  // MARK: Cost

  @Test("a rename writes no row, whatever there is in the tables")
  func rename() throws {
    let old =
      #""Book": { "attributes": { "title": "string", "pages": "integer" }, "unique": ["title"], "indexes": ["pages"], "relationships": { "next": { "type": "Book?" } } }"#
    do {
      let context = try open(old).makeContext()
      for number in 0..<50 {
        let book = try context.insert("Book")
        try book.setValue("\(number)", forKey: "title")
        try book.setValue(number, forKey: "pages")
      }
      try context.save()
    }
    let new =
      #""Volume": { "renamedFrom": "Book", "attributes": { "name": { "type": "string", "renamedFrom": "title" }, "pages": "integer" }, "unique": ["name"], "indexes": ["pages"], "relationships": { "next": { "type": "Volume?" } } }"#
    let statements = try test.recorder.statements { _ = try open(new, version: 2) }
    let begin = try #require(statements.firstIndex(of: "BEGIN IMMEDIATE"))
    let commit = try #require(statements.firstIndex(of: "COMMIT"))
    let tables = statements[begin...commit].filter {
      $0.contains("\"Book\"") || $0.contains("\"Volume\"")
    }
    #expect(
      tables == [
        #"SELECT max("copal_id") FROM "Book""#,
        #"ALTER TABLE "Book" RENAME TO "Volume""#,
        #"ALTER TABLE "Volume" RENAME COLUMN "title" TO "name""#,
      ])
  }

  @Test("a long migration tells how far it is")
  func progress() throws {
    do {
      let context = try open(#""Book": { "attributes": { "pages": "integer" } }"#).makeContext()
      for number in 0..<45_000 { try context.insert("Book").setValue(number, forKey: "pages") }
      try context.save()
    }
    let seen = Locked<[MigrationProgress]>([])
    let migration = StoreMigration { progress in seen.withLock { $0.append(progress) } }
    _ = try open(
      #""Book": { "attributes": { "pages": "string" } }"#, version: 2, migration: migration)
    let found = seen.withLock { $0 }
    #expect(found.last == MigrationProgress(completedRows: 45_000, totalRows: 45_000))
    #expect(found.first.map { $0.completedRows <= 20_000 } == true)
    #expect(try test.sqlite3("SELECT count(*) FROM Book WHERE pages = copal_id - 1") == "45000")
  }
}
