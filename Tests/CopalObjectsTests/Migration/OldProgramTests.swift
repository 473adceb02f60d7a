import Copal
import CopalTestSupport
import Foundation
import Testing

/// Programs of two models and one file, as containers of one process: a file has no other state.
@Suite("Programs with an older model", .modelAsIs)
struct OldProgramTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private func open(
    _ entities: String, version: Int = 1, migration: StoreMigration = .automatic
  ) throws -> PersistentContainer {
    try PersistentContainer(
      model: Self.model(entities, version: version), store: test.configuration(),
      migration: migration)
  }

  static func model(_ entities: String, version: Int = 1, keys: String = "") throws -> ModelBinding
  {
    ModelBinding(
      try ManagedObjectModel(
        json:
          #"{ "copal": 1, "model": "Bookshop", "version": \#(version), \#(keys)"entities": { \#(entities) } }"#,
        file: "Bookshop.model.json"))
  }

  static let book =
    #""Book": { "attributes": { "title": "string", "price": { "type": "decimal?", "scale": 2 } } }"#

  @discardableResult
  private func insert(_ title: String, _ context: ManagedObjectContext, price: Decimal? = nil)
    throws
    -> ManagedObject
  {
    let book = try context.insert("Book")
    try book.setValue(title, forKey: "title")
    if let price { try book.setValue(price, forKey: "price") }
    try context.save()
    return book
  }

  /// Edits after which old programs go on.
  static let harmless: [(description: String, entities: String)] = [
    ("a new optional attribute", book.replacing(#""title""#, with: #""note": "string?", "title""#)),
    (
      "a new entity", book + #", "Tag": { "attributes": { "name": "string" }, "unique": ["name"] }"#
    ),
    ("a new index", book.replacing("} } }", with: #"} }, "indexes": ["title"] }"#)),
  ]

  @Test(
    "after a harmless change, an old program reads and saves, and opens again", arguments: harmless)
  func goesOn(description: String, entities: String) throws {
    let old = try open(Self.book)
    let context = old.makeContext()
    let emma = try insert("Emma", context)
    let new = try open(entities, version: 2)
    #expect(try new.makeContext().count(FetchRequest<ManagedObject>(entityName: "Book")) == 1)
    try insert("Ulysses", context)
    try emma.setValue("Emma 2", forKey: "title")
    try context.save()
    #expect(try old.makeContext().count(FetchRequest<ManagedObject>(entityName: "Book")) == 2)
    // Neither of them changes the model of the file.
    for _ in 0..<2 {
      try insert("Letters", try open(Self.book).makeContext())
      #expect(try open(entities, version: 2).model.version == 2)
    }
    let found = try new.makeContext().fetch(
      FetchRequest<ManagedObject>(entityName: "Book", sortKeys: [FetchSortKey("title")]))
    #expect(
      try found.map { try $0.value(of: "title", as: String.self) } == [
        "Emma 2", "Letters", "Letters", "Ulysses",
      ])
    #expect(try test.sqlite3("PRAGMA integrity_check") == "ok")
  }

  /// Edits after which old programs stop.
  static let others: [(description: String, entities: String)] = [
    ("another scale", book.replacing(#""scale": 2"#, with: #""scale": 3"#)),
    ("a name", book.replacing(#""Book": {"#, with: #""Volume": { "renamedFrom": "Book","#)),
    (
      "raw values, without a change of a table",
      book.replacing(
        #""title": "string""#,
        with:
          #""title": { "type": "string", "cases": ["emma"], "renamedCases": { "Emma": "emma" } }"#)
    ),
    (
      "a new attribute with a default",
      book.replacing(#""title""#, with: #""note": { "type": "string", "default": "x" }, "title""#)
    ),
    ("a unique constraint", book.replacing("} } }", with: #"} }, "unique": ["title"] }"#)),
  ]

  private static func code(_ body: () throws -> Void) -> PersistenceError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? PersistenceError)?.code
    }
  }

  @Test(
    "after another change, an old program's next read or save throws, and reads no wrong value",
    arguments: others)
  func stops(description: String, entities: String) throws {
    let old = try open(Self.book)
    let (reader, writer, other) = (old.makeContext(), old.makeContext(), old.makeContext())
    let id = try insert("Emma", writer, price: 1.25).objectID
    // The statements are prepared before the migration.
    _ = try reader.existingObject(with: id)
    _ = try other.count(FetchRequest<ManagedObject>(entityName: "Book"))
    let new = try open(entities, version: 2)
    // Each of them a second time: the statement is prepared for the new tables by then.
    for _ in 0..<2 {
      #expect(Self.code { try insert("Ulysses", writer) } == .modelDiffers)
      writer.rollback()
      reader.reset()
      #expect(Self.code { _ = try reader.existingObject(with: id) } == .modelDiffers)
      #expect(
        Self.code { _ = try other.count(FetchRequest<ManagedObject>(entityName: "Book")) }
          == .modelDiffers)
      // A context that is made now.
      #expect(
        Self.code {
          _ = try old.makeContext().fetch(FetchRequest<ManagedObject>(entityName: "Book"))
        } == .modelDiffers)
    }
    let before = try test.sqlite3(".dump")
    #expect(Self.code { _ = try open(Self.book) } == .newerModel)
    #expect(try test.sqlite3(".dump") == before)
    let name = new.model.entities[0].name
    let found = try new.makeContext().fetch(FetchRequest<ManagedObject>(entityName: name))
    #expect(found.count == 1)
    #expect(try found.first?.value(of: "price", as: Decimal.self) == 1.25)
  }

  @Test("a reader in a read transaction finishes in its state of the store")
  func snapshot() throws {
    let old = try open(Self.book)
    try insert("Emma", old.makeContext(), price: 1.25)
    let reader = old.makeContext()
    try reader.readTransaction {
      _ = try reader.count(FetchRequest<ManagedObject>(entityName: "Book"))
      _ = try open(Self.others[0].entities, version: 2)
      let books = try reader.fetch(FetchRequest<ManagedObject>(entityName: "Book"))
      #expect(try books.first?.value(of: "price", as: Decimal.self) == 1.25)
    }
    #expect(
      Self.code { _ = try reader.count(FetchRequest<ManagedObject>(entityName: "Book")) }
        == .modelDiffers)
  }

  @Test("pages and batches that began before a migration stop by name, after right values only")
  func pagesAndBatches() throws {
    let context = try open(Self.book).makeContext()
    let prices: [Decimal] = [1, 2, 3, 4, 5, 6]
    for price in prices { try insert("Book \(price)", context, price: price) }
    let request = FetchRequest<ManagedObject>(
      entityName: "Book", sortKeys: [FetchSortKey("title")])
    let page = try context.fetchPage(request, size: 2)
    let batches = try context.fetchBatches(request, size: 2)
    context.reset()
    var found: [Decimal?] = []
    let code = Self.code {
      try batches.forEachBatch { books in
        for book in books { found.append(try book.value(of: "price", as: Decimal.self)) }
        // After the first batch.
        if found.count == 2 { _ = try open(Self.others[0].entities, version: 2) }
      }
    }
    #expect(code == .modelDiffers)
    #expect(found == [1, 2])
    #expect(
      Self.code { _ = try context.fetchPage(request, size: 2, after: page.next) } == .modelDiffers)
  }

  @Test("a cursor of before a rename gives the next page in a program with the newer model")
  func cursor() throws {
    let context = try open(Self.book).makeContext()
    for number in 1...4 { try insert("Book \(number)", context) }
    let page = try context.fetchPage(
      FetchRequest<ManagedObject>(entityName: "Book", sortKeys: [FetchSortKey("title")]), size: 2)
    let renamed = Self.book.replacing(
      #""title": "string""#, with: #""name": { "type": "string", "renamedFrom": "title" }"#)
    let next = try open(renamed, version: 2).makeContext().fetchPage(
      FetchRequest<ManagedObject>(entityName: "Book", sortKeys: [FetchSortKey("name")]), size: 2,
      after: page.next)
    #expect(
      try next.objects.map { try $0.value(of: "name", as: String.self) } == ["Book 3", "Book 4"])
  }

  @Test("a large value that was read before its attribute was removed stays what it was")
  func mappedValue() throws {
    let scanned =
      #""Book": { "attributes": { "title": "string", "scan": { "type": "binary?", "external": 10 } } }"#
    let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
    let old = try open(scanned)
    do {
      let context = old.makeContext()
      let book = try insert("Emma", context)
      try book.setValue(large, forKey: "scan")
      try context.save()
    }
    let request = FetchRequest<ManagedObject>(entityName: "Book")
    let book = try #require(try old.makeContext().fetch(request).first)
    let value = try #require(try book.value(of: "scan", as: Data.self))
    let other = try #require(try old.makeContext().fetch(request).first)
    _ = try open(
      #""Book": { "removed": ["scan"], "attributes": { "title": "string" } }"#, version: 2,
      migration: StoreMigration(backup: .never))
    #expect(value == large)
    // The file may be gone. Then it is missed by name, and is never another value.
    var later: Data?
    let code = Self.code { later = try other.value(of: "scan", as: Data.self) }
    #expect(code == nil ? later == large : code == .externalFileMissing)
  }

  @Test("a model that the file has had is older, unless its version says otherwise")
  func formerModel() throws {
    _ = try open(Self.book)
    _ = try open(Self.others[3].entities)
    let error = #expect(throws: PersistenceError.self) { try open(Self.book) }
    #expect(error?.code == .newerModel)
    #expect(error?.found == "1" && error?.expected == "1")
    let raised = #expect(throws: PersistenceError.self) { try open(Self.book, version: 2) }
    #expect(raised?.code == .modelDiffers)
    _ = try open(
      Self.book.replacing(#""Book": {"#, with: #""Book": { "removed": ["note"],"#), version: 2)
    // The table of models has all three.
    #expect(
      try test.sqlite3("SELECT number || ' ' || version FROM copal_migrations") == "1 1\n2 1\n3 2")
  }

  @Test("a greater version of the same model is noted, and the program with the smaller one opens")
  func sameSchema() throws {
    let version = "SELECT value FROM copal_metadata WHERE name = 'version'"
    _ = try open(Self.book, version: 3)
    #expect(try test.sqlite3(version) == "3")
    try insert("Emma", try open(Self.book, version: 1).makeContext())
    #expect(try test.sqlite3(version) == "3")
    _ = try open(Self.book, version: 4)
    #expect(try test.sqlite3(version) == "4")
  }

  @Test("a container that does not migrate refuses an older store, and opens one of its schema")
  func never() throws {
    _ = try open(Self.book)
    let before = try test.sqlite3(".dump")
    let error = #expect(throws: PersistenceError.self) {
      try open(Self.harmless[0].entities, version: 2, migration: .never)
    }
    #expect(error?.code == .migrationNeeded && error?.found == "1")
    #expect(try test.sqlite3(".dump") == before)
    #expect(try open(Self.book, migration: .never).model.version == 1)
  }

  @Test("what a later version of Copal requires, or has written into the model, is a newer format")
  func newerFormat() throws {
    _ = try open(Self.book)
    _ = try test.sqlite3("UPDATE copal_metadata SET value = 'history' WHERE name = 'requires'")
    let error = #expect(throws: PersistenceError.self) { try open(Self.book) }
    #expect(error?.code == .newerFormat && error?.found == "the feature 'history'")
    _ = try test.sqlite3(
      """
      UPDATE copal_metadata SET value = '' WHERE name = 'requires';
      UPDATE copal_metadata SET value = replace(value, '"title":', '"later": { "type": "string", "sealed": true }, "title":')
        WHERE name = 'model'
      """)
    let other = #expect(throws: PersistenceError.self) {
      try open(Self.harmless[0].entities, version: 2)
    }
    #expect(other?.code == .newerFormat)
  }

  @Test("a store of a version without history gets it with its first migration")
  func withoutHistory() throws {
    try insert("Emma", try open(Self.book).makeContext())
    _ = try test.sqlite3(
      """
      DROP TABLE copal_migrations; DROP TABLE copal_ids;
      DELETE FROM copal_metadata WHERE name IN ('version', 'accepts', 'requires', 'writer')
      """)
    try insert("Ulysses", try open(Self.book).makeContext())
    #expect(
      try test.sqlite3("SELECT count(*) FROM sqlite_schema WHERE name = 'copal_migrations'") == "0")
    let new = try open(Self.others[1].entities, version: 2)
    #expect(try new.makeContext().count(FetchRequest<ManagedObject>(entityName: "Volume")) == 2)
    #expect(
      try test.sqlite3("SELECT number, version, plan FROM copal_migrations")
        == "1|1|the store is made\n2|2|Volume: renamed from Book")
    #expect(try test.sqlite3("SELECT * FROM copal_ids") == "Book|2|Volume|0")
    #expect(try test.sqlite3("SELECT value FROM copal_metadata WHERE name = 'writer'") == "0.9.0")
  }
}
