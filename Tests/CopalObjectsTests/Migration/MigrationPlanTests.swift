import Copal
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Plans of migrations", .modelAsIs)
struct MigrationPlanTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private static let two = #"""
    "Book": {
      "attributes": {
        "title": "string", "isbn": "string", "pages": "string?", "shelf": "string?", "price": "double?"
      }
    },
    "Author": { "attributes": { "name": "string" } }
    """#

  private func open(_ entities: String) throws -> ManagedObjectContext {
    try PersistentContainer(
      model: OldProgramTests.model(entities, version: 2), store: test.configuration()
    ).makeContext()
  }

  /// 1,200 books: pages of each but of two of them are numbers; 310 have a shelf; three pairs have
  /// the same ISBN.
  private func makeBooks() throws {
    let context = try open(Self.two)
    for number in 1...1200 {
      let book = try context.insert("Book")
      try book.setValue("Title \(number)", forKey: "title")
      try book.setValue("\(number > 1197 ? number - 1000 : number)", forKey: "isbn")
      try book.setValue(number == 7 || number == 900 ? "many" : "\(number)", forKey: "pages")
      try book.setValue(number <= 310 ? "A" : nil, forKey: "shelf")
      try book.setValue(Double(number) + (number <= 20 ? 0.5 : 0), forKey: "price")
    }
    try context.save()
  }

  private func migrator(
    _ entities: String, keys: String = "", migration: StoreMigration = .automatic
  ) throws -> StoreMigrator {
    StoreMigrator(
      test.configuration(), to: try OldProgramTests.model(entities, version: 3, keys: keys),
      migration: migration)
  }

  private static func three(unique: String) -> String {
    #"""
    "Volume": {
      "renamedFrom": "Book",
      "removed": ["shelf"],\#(unique)
      "attributes": {
        "title": "string", "isbn": "string",
        "pages": { "type": "integer16?", "conversion": "nil" },
        "price": { "type": "integer?", "conversion": "nearest" },
        "note": "string?",
        "author": { "type": "string", "default": "unknown" }
      }
    }
    """#
  }

  @Test(
    "objects that move, values and links that get lost, and entities that become one are counted")
  func moves() throws {
    func model(_ version: Int, _ entities: String) throws -> ModelBinding {
      ModelBinding(
        try ManagedObjectModel(
          json:
            #"{ "copal": 1, "model": "Test", "version": \#(version), "entities": { \#(entities) } }"#,
          file: "Test.model.json"))
    }
    do {
      let container = try PersistentContainer(
        model: model(
          1,
          #"""
          "Asset": { "attributes": { "a": "string?" } }, "Photo": { "parent": "Asset" },
          "Tag": { "relationships": { "all": "[Photo]" } }, "Author": {}, "Editor": {}
          """#), store: test.configuration())
      let context = container.makeContext()
      let photo = try context.insert("Photo")
      for text in ["x", nil, "y"] { try context.insert("Asset").setValue(text, forKey: "a") }
      for _ in 0..<2 { try context.insert("Tag").setValue([photo], forKey: "all") }
      for entity in ["Author", "Editor", "Editor"] { _ = try context.insert(entity) }
      try context.save()
    }
    let migrator = try StoreMigrator(
      test.configuration(),
      to: model(
        2,
        #"""
        "Asset": { "removed": ["a"] }, "Photo": { "parent": "Asset", "attributes": { "a": "string?" } },
        "Tag": { "removed": ["all"] }, "Party": { "merges": ["Author", "Editor"] }
        """#))
    let text = try migrator.plan()?.description
    #expect(
      text == """
        Test, version 1 to 2: 3 Asset, 1 Photo, 2 Tag, 1 Author, 2 Editor
          Asset.a  moved to the subentity Photo with 2 values  4 rows, lossy ("removed")
          Tag.all  removed with 2 values                       2 rows, lossy ("removed")
          Party    new                                         in place
          Party    has the objects of Author and Editor        3 rows
        writes 9 rows of 4 tables
        """)
  }

  // MARK: Pairs at one end

  /// What a model makes of the ends of a one-to-one relationship, and what becomes of them.
  struct OneSided: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The relationships of lids and of pots. The subentities of lids have further ones.
    let lid: String
    let pot: String
    var glass = ""
    /// The lines of the plan, without the spaces at their beginning.
    let plan: [String]
    /// A query of the migrated file, and its result.
    let query: String
    let result: String
    /// The number of objects that lose something; nil where others do, which nobody counts.
    var failingCount: Int?
    /// What another program changes before.
    var change = ""
  }

  private static let pots = "SELECT copal_id, lid FROM Pot WHERE lid IS NOT NULL ORDER BY copal_id"
  private static let lids = "SELECT copal_id, pot FROM Lid WHERE pot IS NOT NULL ORDER BY copal_id"

  static let oneSided = [
    OneSided(
      testDescription: "the end of the lids is removed", lid: "", pot: #""lid": "Lid?""#,
      plan: [
        "Lid.pot  removed, and its objects are kept at the other end: 3 values are lost, because the other end does not have them  5 rows, lossy"
      ], query: pots, result: "1|1\n3|4\n5|5", failingCount: 3),
    OneSided(
      testDescription: "the end of the pots is removed", lid: #""pot": "Pot?""#, pot: "",
      plan: [
        "Pot.lid  removed, and its objects are kept at the other end: 2 values are lost, because the other end does not have them  5 rows, lossy"
      ], query: lids, result: "1|1\n2|2\n3|3\n4|99", failingCount: 2),
    OneSided(
      testDescription: "a lid has several pots",
      lid: #""pot": { "type": "[Pot]", "inverse": "lid" }"#,
      pot: #""lid": { "type": "Lid?", "inverse": "pot" }"#,
      plan: [
        "Lid.pot  to-one to to-many: 3 values are lost, because the other end does not have them  5 rows, lossy"
      ], query: pots, result: "1|1\n3|4\n5|5", failingCount: 3),
    OneSided(
      testDescription: "a pot has several lids, under another name",
      lid: #""pot": { "type": "Pot?", "inverse": "lids" }"#,
      pot: #""lids": { "type": "[Lid]", "inverse": "pot", "renamedFrom": "lid" }"#,
      plan: [
        "Pot.lids  renamed from lid                                              in place",
        "Pot.lids  to-one to to-many: 2 values are lost, because the other end does not have them  5 rows, lossy",
      ], query: lids, result: "1|1\n2|2\n3|3\n4|99", failingCount: 2),
    OneSided(
      testDescription: "both have several: the links are those of the lids, which come first",
      lid: #""pot": { "type": "[Pot]", "inverse": "lid" }"#,
      pot: #""lid": { "type": "[Lid]", "inverse": "pot" }"#,
      plan: [
        "Lid.pot  to-one to to-many                                             5 rows",
        "Pot.lid  to-one to to-many: 2 values are lost, because the other end does not have them  5 rows, lossy",
      ], query: #"SELECT owner, member FROM "copal_links_Lid.pot" ORDER BY owner"#,
      result: "1|1\n2|2\n3|3", failingCount: 2, change: "UPDATE Lid SET pot = NULL WHERE pot = 99"),
    OneSided(
      testDescription: "only glasses have a pot", lid: "",
      pot: #""lid": { "type": "Glass?", "inverse": "pot", "conversion": "nil" }"#,
      glass: #""relationships": { "pot": { "type": "Pot?", "inverse": "lid" } }"#,
      plan: [
        "Pot.lid  Lid to Glass: 2 values are lost, because the other end does not have them  5 rows, lossy (\"conversion\": \"nil\")"
      ], query: pots, result: "3|4\n5|5"),
  ]

  private static func kitchen(lid: String, pot: String, glass: String = "") -> String {
    #"""
    "Lid": { "relationships": { \#(lid) } }, "Glass": { "parent": "Lid", \#(glass) },
    "Pot": { "relationships": { \#(pot) } }
    """#.replacing(", }", with: " }")
  }

  /// Three lids and two glasses, with the keys 4 and 5, and five pots.
  ///
  /// - Parameter agree: whether each end has what the other one has. Otherwise lid 1 and pot 1 have
  ///   each other, lids 2 and 3 have pots that do not have them, glass 4 has a pot that does not
  ///   exist, and pots 3 and 5 have lids that do not have them.
  private func makeKitchen(agree: Bool) throws {
    do {
      let context = try open(
        Self.kitchen(
          lid: #""pot": { "type": "Pot?", "inverse": "lid" }"#,
          pot: #""lid": { "type": "Lid?", "inverse": "pot" }"#))
      for entity in ["Lid", "Lid", "Lid", "Glass", "Glass"] {
        _ = try context.insert(entity)
        _ = try context.insert("Pot")
        try context.save()
      }
    }
    _ = try test.sqlite3(
      agree
        ? "UPDATE Lid SET pot = 6 - copal_id; UPDATE Pot SET lid = 6 - copal_id"
        : """
        UPDATE Lid SET pot = copal_id WHERE copal_id < 4; UPDATE Lid SET pot = 99 WHERE copal_id = 4;
        UPDATE Pot SET lid = copal_id WHERE copal_id IN (1, 5); UPDATE Pot SET lid = 4 WHERE copal_id = 3;
        """)
  }

  private func copies() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: test.folder.path(percentEncoded: false))
      .filter { $0.contains("-before-") }
  }

  @Test(
    "a pair that another program has set at one end only is counted where that end goes, and the store is copied before",
    arguments: oneSided)
  func pairsAtOneEnd(one: OneSided) async throws {
    if one.change.isEmpty { test.expectsBrokenReferences() }
    try makeKitchen(agree: false)
    _ = try test.sqlite3(one.change)
    let migrator = try migrator(Self.kitchen(lid: one.lid, pot: one.pot, glass: one.glass))
    let plan = try #require(try migrator.plan())
    let lines = plan.description.split(separator: "\n").dropFirst().dropLast()
    #expect(lines.map { $0.trimmingCharacters(in: .whitespaces) } == one.plan)
    #expect(plan.isLossy && plan.isAllowed)
    let lossy = try #require(plan.changes.first { $0.isLossy })
    #expect(lossy.failingCount == one.failingCount)
    try await migrator.migrate()
    let result = try test.sqlite3(one.query)
    #expect(result == one.result)
    #expect(try copies().count == 1)
  }

  @Test("nothing is lost where both ends of each pair agree", arguments: oneSided.prefix(4))
  func pairsAtBothEnds(one: OneSided) async throws {
    try makeKitchen(agree: true)
    let migrator = try migrator(Self.kitchen(lid: one.lid, pot: one.pot, glass: one.glass))
    let plan = try #require(try migrator.plan())
    #expect(!plan.description.contains("lost") && !plan.isLossy)
    #expect(plan.changes.allSatisfy { $0.failingCount ?? 0 == 0 })
    try await migrator.migrate()
    #expect(try copies().isEmpty)
    #expect(try test.sqlite3(one.query) == "1|5\n2|4\n3|3\n4|2\n5|1")
  }

  @Test("the rows are counted, and what they refuse is told with groups of objects")
  func text() throws {
    try makeBooks()
    let migrator = try migrator(
      Self.three(unique: #" "unique": ["isbn"],"#), keys: #""removed": ["Author"], "#)
    let before = try test.fileContents()
    let plan = try #require(try migrator.plan())
    #expect(
      plan.description == """
        Bookshop, version 2 to 3: 1,200 Book, 0 Author
          Author         removed with 0 objects                                        0 rows, lossy ("removed")
          Volume         renamed from Book                                             in place
          Volume.pages   string? to integer16?: 2 values become nil                    1,200 rows, lossy ("conversion": "nil")
          Volume.price   double? to integer?: 20 values are rounded                    1,200 rows, lossy ("conversion": "nearest")
          Volume.note    new                                                           in place
          Volume.author  new, with a value for old objects                             1,200 rows
          Volume.shelf   removed with 310 values                                       1,200 rows, lossy ("removed")
          Volume (isbn)  unique: 3 groups of objects have equal values (p198, p1198; p199, p1199; p200, p1200)  REFUSED: make the values different with the program that had the model, or remove the constraint
        writes 1,200 rows of 1 table
        """)
    #expect(!plan.isAllowed)
    #expect(!plan.keepsOldPrograms)
    #expect(plan.isLossy)
    #expect(plan.writtenRows == 1200)
    #expect(plan.refusals.map(\.code) == [.migrationDuplicates])
    #expect(plan.refusals.first?.objectID?.description.hasSuffix("/Book/p198") == true)
    #expect(plan.refusals.first?.otherID?.description.hasSuffix("/Book/p1198") == true)
    let unique = try #require(plan.changes.first { $0.kind == .unique })
    #expect(unique.rowCount == 1200)
    #expect(unique.failingCount == 3)
    #expect(try test.fileContents() == before)
  }

  @Test("from the models alone, what the rows decide stays open")
  func fromModels() throws {
    try makeBooks()
    let plan = try #require(
      try migrator(
        Self.three(unique: #" "unique": ["isbn"],"#), keys: #""removed": ["Author"], "#
      ).plan(.model))
    #expect(
      plan.description == """
        Bookshop, version 2 to 3
          Author         removed                            writes rows, lossy ("removed")
          Volume         renamed from Book                  in place
          Volume.pages   string? to integer16?              writes rows, lossy ("conversion": "nil")
          Volume.price   double? to integer?                writes rows, lossy ("conversion": "nearest")
          Volume.note    new                                in place
          Volume.author  new, with a value for old objects  writes rows
          Volume.shelf   removed                            writes rows, lossy ("removed")
          Volume (isbn)  unique                             in place, depends on the rows
        the rows were not read
        """)
    #expect(plan.isAllowed)
    #expect(plan.dependsOnRows)
    #expect(plan.objectCounts.isEmpty)
    #expect(plan.writtenRows == 0)
  }

  @Test("what the models refuse is told with what would be lost")
  func refusedByModels() throws {
    try makeBooks()
    let plan = try #require(
      try migrator(
        #""Book": { "attributes": { "title": "string", "isbn": "string", "pages": "string?", "price": "double?" } }"#
      ).plan())
    #expect(plan.refusals.map(\.code) == [.migrationRemoved, .migrationRemoved])
    #expect(plan.refusals.map(\.found) == ["removed with 0 objects", "removed with 310 values"])
    #expect(
      plan.changes.map { "\($0.subject): \($0.detail)" }
        == ["Author: removed with 0 objects", "Book.shelf: removed with 310 values"])
  }

  @Test("a migration returns its plan, and there is none when nothing is to do")
  func migrate() async throws {
    let model = Self.three(unique: "")
    let migrator = try migrator(model, keys: #""removed": ["Author"], "#)
    #expect(try migrator.plan() == nil)
    #expect(try await migrator.migrate() == nil)
    #expect(!FileManager.default.fileExists(atPath: test.file.path(percentEncoded: false)))
    try makeBooks()
    let plan = try #require(try await migrator.migrate())
    #expect(plan.fromVersion == 2)
    #expect(try test.sqlite3("SELECT count(*) FROM Volume WHERE pages IS NULL") == "2")
    #expect(try migrator.plan() == nil)
    #expect(try await migrator.migrate() == nil)
    let error = #expect(throws: PersistenceError.self) {
      try StoreMigrator(test.configuration(), to: OldProgramTests.model(Self.two)).plan()
    }
    #expect(error?.code == .newerModel)
  }

  @Test("a plan is made while another program writes", arguments: ["DELETE", "WAL"])
  func otherWriter(journal: String) throws {
    try makeBooks()
    #expect(try test.sqlite3("PRAGMA journal_mode = \(journal)") == journal.lowercased())
    let other = try test.otherProgram()
    try other.run("BEGIN IMMEDIATE; UPDATE Book SET shelf = 'B'")
    let plan = try migrator(Self.three(unique: ""), keys: #""removed": ["Author"], "#).plan()
    #expect(plan?.changes.first { $0.kind == .removed && $0.property != nil }?.failingCount == 310)
    try other.run("COMMIT")
  }

  @Test("a memory store has no plan")
  func memory() throws {
    let migrator = StoreMigrator(.inMemory, to: try OldProgramTests.model(Self.two))
    #expect(try migrator.plan() == nil)
  }

  // MARK: Cancellation

  @Test("a canceled migration leaves the file as it was", arguments: [false, true])
  func cancel(opens: Bool) async throws {
    try makeBooks()
    #expect(try test.sqlite3("PRAGMA journal_mode = DELETE") == "delete")
    let before = try test.fileContents()
    let running = Locked<Task<Void, any Error>?>(nil)
    // Tells that rows were written, and is canceled there.
    let migration = StoreMigration(progress: { _ in
      while running.withLock({ $0 }) == nil { usleep(1000) }
      running.withLock { $0 }?.cancel()
    })
    let model = try OldProgramTests.model(
      Self.three(unique: ""), version: 3, keys: #""removed": ["Author"], "#)
    let store = test.configuration()
    let task = Task {
      if opens {
        _ = try await PersistentContainer.open(model: model, store: store, migration: migration)
      } else {
        try await StoreMigrator(store, to: model, migration: migration).migrate()
      }
    }
    running.withLock { $0 = task }
    let error = await #expect(throws: PersistenceError.self) { try await task.value }
    #expect(error?.code == .interrupted)
    // Neither a copy nor a part of one is left.
    #expect(try test.fileContents() == before)
    try await StoreMigrator(store, to: model).migrate()
    #expect(try test.sqlite3("SELECT count(*) FROM Volume") == "1200")
  }

  @Test("a copy of objects ends when its task is canceled")
  func cancelCopy() async throws {
    try makeBooks()
    let container = try PersistentContainer(
      model: OldProgramTests.model(Self.two, version: 2), store: test.configuration())
    let task = Task { try await container.copyObjects(to: .inMemory) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
