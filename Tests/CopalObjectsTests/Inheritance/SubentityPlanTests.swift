import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("The plans of statements for subentities")
struct SubentityPlanTests {
  private static let json = """
    { "copal": 1, "model": "Library", "entities": {
      "Author": { "attributes": { "name": "string?" },
        "relationships": {
          "books": { "type": "[Book]", "inverse": "author" },
          "loans": { "type": "[Book]", "inverse": "borrowers" } } },
      "Item": { "attributes": { "title": "string?", "shelf": "integer64?" }, "indexes": ["shelf"] },
      "Book": { "parent": "Item",
        "attributes": { "isbn": "string?", "edition": "integer64?", "pages": "integer64?" },
        "relationships": {
          "author": { "type": "Author?", "inverse": "books" },
          "borrowers": { "type": "[Author]", "inverse": "loans" } },
        "unique": [["isbn"], ["title"], ["shelf", "edition"]], "indexes": ["pages"] },
      "EBook": { "parent": "Book", "attributes": { "format": "string?" } },
      "Photo": { "parent": "Item", "attributes": { "width": "integer64?" } } } }
    """

  private let test: TestStore
  private let context: ManagedObjectContext

  init() throws {
    test = try TestStore()
    let container = try test.container(ModelBinding(name: "Library", json: Self.json, classes: []))
    let writer = container.makeContext()
    for number in 0..<50 {
      let author = try writer.insert("Author")
      let book = try writer.insert(number % 2 == 0 ? "Book" : "EBook")
      try book.setValue(author, forKey: "author")
      try book.setValue("\(number)", forKey: "isbn")
      _ = try writer.insert("Photo")
    }
    try writer.save()
    context = container.makeContext()
    _ = try context.count(FetchRequest<ManagedObject>(entityName: "Item"))
  }

  /// The plan of the last statement that reads items.
  private func plan(_ body: () throws -> Void) throws -> String {
    _ = test.recorder.take()
    try body()
    let all = test.recorder.take().filter {
      $0.hasPrefix("SELECT \"") && $0.contains("\"Item\"") && $0.contains("copal_version")
    }
    let sql = try #require(all.last).replacing("?", with: "1")
    return try test.sqlite3("EXPLAIN QUERY PLAN " + sql)
  }

  private func plan(
    _ entity: String, _ predicate: FetchPredicate, sortKeys: [FetchSortKey] = [], limit: Int? = nil,
    includesSubentities: Bool = true
  ) throws -> String {
    var request = FetchRequest<ManagedObject>(
      entityName: entity, predicate: predicate, sortKeys: sortKeys, limit: limit)
    request.includesSubentities = includesSubentities
    return try plan { _ = try context.fetch(request) }
  }

  private func equals(_ name: String, _ value: PropertyValue) -> FetchPredicate {
    .comparison(.property(name), .equal, .constant(value))
  }

  @Test("the objects of many owners are found by their owners")
  func members() throws {
    let authors = try context.fetch(FetchRequest<ManagedObject>(entityName: "Author"))
    let books = try plan {
      _ = try authors[0].value(of: "books", as: ToMany<ManagedObject>.self).map(Array.init)
    }
    #expect(books.contains("(author") && !books.contains("copal_entity"), "\(books)")
    let loans = try plan {
      _ = try authors[0].value(of: "loans", as: ToMany<ManagedObject>.self).map(Array.init)
    }
    #expect(!loans.contains("copal_entity"), "\(loans)")
    context.refreshAllObjects()
    let some = try plan {
      for author in [authors[3], authors[17]] {
        _ = try author.value(of: "books", as: ToMany<ManagedObject>.self).map(Array.init)
      }
    }
    #expect(!some.contains("copal_entity"), "\(some)")
  }

  @Test(
    "a condition that an index of values answers uses it, and another one uses the index of entities"
  )
  func conditions() throws {
    for entity in ["Book", "EBook"] {
      let unique = try plan(entity, equals("isbn", "7"))
      #expect(unique.contains("(isbn=?)"), "\(unique)")
      let list = try plan(entity, .isIn(.property("isbn"), ["7", "8"]))
      #expect(list.contains("(isbn=?)"), "\(list)")
      let inherited = try plan(entity, equals("title", "x"))
      #expect(inherited.contains("(title=?)"), "\(inherited)")
      let null = try plan(entity, equals("isbn", .null))
      #expect(null.contains("(copal_entity=?)"), "\(null)")
      let shelf = try plan(entity, equals("shelf", 5))
      #expect(shelf.contains("(shelf=?)"), "\(shelf)")
      let negated = try plan(entity, .not(.comparison(.property("isbn"), .less, .constant("5"))))
      #expect(negated.contains("(copal_entity=?)"), "\(negated)")
      let sorted = try plan(entity, .constant(true), sortKeys: [.ascending("isbn")], limit: 10)
      #expect(sorted.contains("(copal_entity=?)"), "\(sorted)")
    }
    let alone = try plan("Book", equals("title", "x"), includesSubentities: false)
    #expect(alone.contains("(title=?)"), "\(alone)")
  }

  @Test("a range of an indexed attribute uses its index if few objects are in the range")
  func ranges() throws {
    try add(1500)
    for entity in ["Book", "EBook"] {
      for name in ["isbn", "pages"] {
        let few = try plan(entity, greater(name, name == "isbn" ? "97" : 9999))
        #expect(few.contains("(\(name)>?)"), "\(few)")
        let many = try plan(entity, greater(name, name == "isbn" ? "1" : 1))
        #expect(many.contains(entity == "Book" ? "(copal_entity=?)" : "(\(name)>?)"), "\(many)")
        let two = try plan(entity, .and([greater("isbn", "1"), greater("pages", 1)]))
        #expect(!two.contains("SCAN"), "\(two)")
      }
    }
  }

  @Test("a sorted fetch with a limit uses the index of its order if many objects are of the entity")
  func sorted() throws {
    func plan(_ entity: String) throws -> String {
      try self.plan(entity, .constant(true), sortKeys: [.ascending("shelf")], limit: 10)
    }
    #expect(try plan("Book").contains("shelf"))
    try add(10_000)
    #expect(try plan("Photo").contains("shelf"))
    let books = try plan("EBook")
    #expect(books.contains("(copal_entity=?)"), "\(books)")
  }

  private func greater(_ name: String, _ value: PropertyValue) -> FetchPredicate {
    .comparison(.property(name), .greater, .constant(value))
  }

  /// Adds photos and a tenth as many books.
  private func add(_ count: Int) throws {
    for number in 0..<count {
      if number % 10 == 0 {
        let book = try context.insert("Book")
        try book.setValue("\(100 + number)", forKey: "isbn")
        try book.setValue(number, forKey: "pages")
      }
      _ = try context.insert("Photo")
    }
    try context.save()
  }
}
