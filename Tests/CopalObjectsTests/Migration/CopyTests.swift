import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Copies of all objects")
struct CopyTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private static let entities = #"""
    "Author": { "attributes": { "name": "string" }, "unique": ["name"] },
    "Book": {
      "attributes": { "title": "string", "price": { "type": "decimal?", "scale": 2 }, "scan": { "type": "binary?", "external": 10 } },
      "relationships": {
        "author": { "type": "Author?" }, "sequel": { "type": "Book?", "inverse": "prequels" },
        "prequels": { "type": "[Book]", "inverse": "sequel", "ordered": true },
        "tags": { "type": "[Tag]", "inverse": "books", "ordered": true }
      }
    },
    "Word": { "abstract": true, "attributes": { "name": "string" } },
    "Tag": {
      "parent": "Word",
      "relationships": { "books": { "type": "[Book]", "inverse": "tags", "ordered": true } }
    },
    "Novel": { "parent": "Book", "attributes": { "chapters": "integer" } },
    "Shelf": { "relationships": { "novel": "Novel?", "novels": "[Novel]" } }
    """#

  private func fill(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    let author = try context.insert("Author")
    try author.setValue("Austen", forKey: "name")
    var books: [ManagedObject] = []
    for number in 0..<6 {
      let book = try context.insert(number % 2 == 0 ? "Book" : "Novel")
      try book.setValue("Title \(number)", forKey: "title")
      try book.setValue(author, forKey: "author")
      if number % 2 == 1 { try book.setValue(number, forKey: "chapters") }
      if number == 3 { try book.setValue(Data(repeating: 3, count: 100), forKey: "scan") }
      books.append(book)
    }
    // A ring, and lists whose order is not that of the keys.
    try books[0].setValue([books[4], books[1]], forKey: "prequels")
    try books[1].setValue([books[0]], forKey: "prequels")
    for name in ["old", "new"] {
      let tag = try context.insert("Tag")
      try tag.setValue(name, forKey: "name")
      try tag.setValue([books[5], books[2], books[0]], forKey: "books")
    }
    let shelf = try context.insert("Shelf")
    try shelf.setValue(books[1], forKey: "novel")
    try shelf.setValue([books[1], books[3]], forKey: "novels")
    try context.save()
    return books
  }

  /// Everything that a store has, with titles and names in place of ids.
  private func contents(_ container: PersistentContainer) throws -> [String] {
    let context = container.makeContext()
    let books = try context.fetch(
      FetchRequest<ManagedObject>(entityName: "Book", sortKeys: [FetchSortKey("title")]))
    func titles(_ objects: [ManagedObject], _ key: String) throws -> String {
      try objects.map { try $0.value(of: key, as: String.self) ?? "" }.joined(separator: ",")
    }
    return try books.map { book in
      let sequel = try book.value(of: "sequel", as: ManagedObject.self)
      let author = try book.value(of: "author", as: ManagedObject.self)
      return [
        book.entityName, try titles([book], "title"),
        try titles([author].compactMap(\.self), "name"),
        try titles([sequel].compactMap(\.self), "title"),
        try titles(
          book.value(of: "prequels", as: OrderedToMany<ManagedObject>.self).map(Array.init) ?? [],
          "title"),
        try titles(
          book.value(of: "tags", as: OrderedToMany<ManagedObject>.self).map(Array.init) ?? [],
          "name"),
        "\(try book.value(of: "scan", as: Data.self)?.count ?? 0)",
      ].joined(separator: "|")
    }
      + context.fetch(
        FetchRequest<ManagedObject>(entityName: "Tag", sortKeys: [FetchSortKey("name")])
      )
      .map {
        try titles(
          $0.value(of: "books", as: OrderedToMany<ManagedObject>.self).map(Array.init) ?? [],
          "title")
      }
  }

  @Test(
    "all objects are copied from memory into a file and back, with their relations and orders",
    .modelAsIs)
  func bothWays() async throws {
    let model = try OldProgramTests.model(Self.entities)
    let memory = try PersistentContainer(model: model, store: .inMemory)
    let books = try fill(memory.makeContext())
    let ids = books.map(\.objectID)
    let expected = try contents(memory)
    #expect(expected.count == 8)
    #expect(expected[0] == "Book|Title 0|Austen|Title 1|Title 4,Title 1|old,new|0")
    let copy = try await memory.copyObjects(to: test.configuration())
    #expect(copy.count == 10)
    let file = try PersistentContainer(model: model, store: test.configuration())
    #expect(try contents(file) == expected)
    let context = file.makeContext()
    for (number, id) in ids.enumerated() {
      let new = try #require(copy.id(of: id))
      #expect(
        try context.existingObject(with: new).value(of: "title", as: String.self)
          == "Title \(number)")
    }
    let other = try TestStore()
    _ = try await file.copyObjects(to: other.configuration())
    let again = try PersistentContainer(model: model, store: other.configuration())
    #expect(try contents(again) == expected)
    #expect(try other.sqlite3("PRAGMA foreign_key_check; PRAGMA integrity_check") == "ok")
  }

  @Test("a store that has objects gets no copy", .modelAsIs)
  func notEmpty() async throws {
    let model = try OldProgramTests.model(Self.entities)
    let memory = try PersistentContainer(model: model, store: .inMemory)
    _ = try fill(memory.makeContext())
    _ = try await memory.copyObjects(to: test.configuration())
    let before = try test.sqlite3(".dump")
    let error = await #expect(throws: PersistenceError.self) {
      try await memory.copyObjects(to: test.configuration())
    }
    #expect(error?.code == .notEmpty)
    #expect(try test.sqlite3(".dump") == before)
  }

  @Test("a reference to an object that does not exist is nil in the copy", .modelAsIs)
  func dangling() async throws {
    let model = try OldProgramTests.model(
      #"""
      "Owner": {
        "attributes": { "name": "string" },
        "relationships": { "things": { "type": "[Thing]", "inverse": "owner", "delete": "noAction" } }
      },
      "Thing": { "relationships": { "owner": { "type": "Owner?", "inverse": "things" } } }
      """#)
    let file = try PersistentContainer(model: model, store: test.configuration())
    let context = file.makeContext()
    let owners = try ["one", "two", "three"].map { name in
      let owner = try context.insert("Owner")
      try owner.setValue(name, forKey: "name")
      return owner
    }
    for owner in owners { try context.insert("Thing").setValue(owner, forKey: "owner") }
    try context.save()
    context.delete(owners[0])
    try context.save()
    #expect(try test.sqlite3("SELECT owner FROM Thing ORDER BY owner") == "1\n2\n3")
    let copy = try TestStore()
    _ = try await file.copyObjects(to: copy.configuration())
    // The copies of the owners have the keys 1 and 2.
    #expect(
      try copy.sqlite3(
        """
        SELECT ifnull(Owner.name, 'none') FROM Thing
        LEFT JOIN Owner ON Owner.copal_id = Thing.owner ORDER BY 1
        """) == "none\nthree\ntwo")
  }

  /// What another program has done to a store, and why it cannot be copied.
  struct Broken: Sendable, CustomTestStringConvertible {
    var sql: String
    /// The property and what was found, of each problem.
    var found: [String]
    var testDescription: String { sql }
  }

  @Test(
    "what another program has broken refuses the copy, with the first objects", .modelAsIs,
    arguments: [
      Broken(
        sql: "UPDATE Book SET title = x'05' WHERE copal_id IN (2, 3)",
        found: ["Book.title: 2 values cannot be converted exactly (p3, p2)"]),
      Broken(
        sql: "UPDATE Book SET scan = 'x' WHERE scan IS NOT NULL",
        found: ["Book.scan: a file is missing (p4)"]),
      Broken(
        sql: "UPDATE Book SET sequel = 'text' WHERE copal_id = 2",
        found: ["Book.sequel: 1 value cannot be converted exactly (p2)"]),
      Broken(
        sql: "UPDATE Book SET copal_entity = 'Book', chapters = NULL WHERE copal_id = 2",
        found: ["Shelf.novel: 1 object has an object of another entity (p1)"]),
      Broken(
        sql: "UPDATE Word SET copal_entity = 'Word' WHERE copal_id = 2",
        found: ["Word: the store has 1 object of it that is of no subentity"]),
    ])
  func broken(_ broken: Broken) async throws {
    let model = try OldProgramTests.model(Self.entities)
    let file = try PersistentContainer(model: model, store: test.configuration())
    _ = try fill(file.makeContext())
    if broken.sql.contains("sequel") { test.expectsBrokenReferences() }
    #expect(try test.sqlite3(broken.sql) == "")
    let error = await #expect(throws: PersistenceError.self) {
      try await file.copyObjects(to: .inMemory)
    }
    let errors = error?.code == .multipleProblems ? error?.causes ?? [] : [error].compactMap(\.self)
    let found = errors.compactMap { $0 as? PersistenceError }.map { error in
      [error.entity, error.property].compactMap(\.self).joined(separator: ".")
        + ": \(error.found ?? "")"
    }
    #expect(found == broken.found)
    for error in errors { #expect((error as? PersistenceError)?.code == .migrationInexact) }
  }
}
