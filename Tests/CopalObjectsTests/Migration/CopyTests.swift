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
    "Tag": {
      "attributes": { "name": "string" },
      "relationships": { "books": { "type": "[Book]", "inverse": "tags", "ordered": true } }
    },
    "Novel": { "parent": "Book", "attributes": { "chapters": "integer" } }
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
    #expect(copy.count == 9)
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
}
