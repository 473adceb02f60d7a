import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Searches of a container")
struct SearchTests {
  private static let model = """
    { "copal": 1, "model": "Library", "entities": {
      "Author": {
        "codegen": "none",
        "attributes": {
          "name": { "type": "string", "search": "normalized" }, "town": "string?"
        },
        "relationships": { "books": { "type": "[Book]", "inverse": "author" } }
      },
      "Book": {
        "codegen": "none",
        "attributes": { "title": { "type": "string", "search": ["normalized", "case", "substring"] } },
        "relationships": { "author": { "type": "Author?", "inverse": "books" } }
      }
    } }
    """

  private let store: TestStore
  private let container: PersistentContainer
  private let context: ManagedObjectContext

  init() throws {
    store = try TestStore(.sqlite)
    container = try PersistentContainer(
      model: ModelBinding(name: "Library", json: Self.model, classes: []),
      store: store.configuration())
    context = container.makeContext()
    for (name, title) in [("Émile Zola", "Germinal"), ("Böll", "Ansichten"), ("EMMA", "ÉCRITS")] {
      let author = try context.insert("Author")
      try author.setValue(name, forKey: "name")
      let book = try context.insert("Book")
      try book.setValue(title, forKey: "title")
      try book.setValue(author, forKey: "author")
    }
    try context.save()
  }

  /// The names that a new context finds.
  private func names(_ format: String) throws -> [String] {
    let request = FetchRequest<ManagedObject>(
      entityName: "Author", predicate: try FetchPredicate(format: format),
      sortKeys: [.ascending("name")])
    return try container.makeContext().fetch(request).map {
      try $0.value(of: "name", as: String.self) ?? ""
    }
  }

  @Test(
    "what explain says of a search",
    arguments: [
      ("name BEGINSWITH[cd] 'em'", ["name: found by the index of \"search\""]),
      ("name ==[c] 'emma'", ["name: found by the index of \"search\""]),
      ("name IN[cd] {'emma', 'boll'}", ["name: found by the index of \"search\""]),
      ("name <[cd] 'c'", ["name: found by the index of \"search\""]),
      (
        "name <[c] 'c'",
        ["name: the order without one of case and diacritics is not that of the index"]
      ),
      (
        "name CONTAINS[cd] 'm'",
        [
          "name: every text of the index of \"search\" is compared; \"substring\" makes an index of parts"
        ]
      ),
      (
        "name LIKE[d] '*m*'",
        ["name: every text is compared; \"search\": [\"normalized\", \"substring\"] finds some"]
      ),
      (
        "town ENDSWITH[cd] 'm'",
        [
          "town: no index, so every text is compared; \"search\": [\"normalized\", \"substring\"] makes one"
        ]
      ),
      (
        "ANY books.title CONTAINS[c] 'min'",
        ["title: found by its parts of three characters; a shorter text is compared with all"]
      ),
      (
        "NOT name ==[cd] 'emma'",
        ["name: what it finds is no range of the index, so every text is compared"]
      ),
      (
        "town BEGINSWITH[cd] 'k'",
        ["town: no index, so every text is compared; \"search\": \"normalized\" makes one"]
      ),
      (
        "name ==[cd] town",
        [
          "name: the second text is not the same for all rows",
          "town: the second text is not the same for all rows",
        ]
      ),
      ("ANY books.title BEGINSWITH[cd] 'e'", ["title: found by the index of \"search\""]),
      ("name BEGINSWITH 'em'", []),
    ] as [(String, [String])])
  func explained(format: String, sentences: [String]) throws {
    let request = FetchRequest<ManagedObject>(
      entityName: "Author", predicate: try FetchPredicate(format: format))
    let explanation = try context.explain(request)
    #expect(explanation.searches == sentences, "\(explanation)")
  }

  @Test(
    "what explain says of an order",
    arguments: [
      (FetchSortKey.ascending("title").alphabetical, "in the order of the index of \"search\""),
      (.descending("title").caseInsensitive, "in the order of the index of \"search\""),
      (.ascending("title").natural, "no index has the order \"natural\""),
    ])
  func explainedOrders(key: FetchSortKey, words: String) throws {
    let request = FetchRequest<ManagedObject>(entityName: "Book", sortKeys: [key])
    #expect(try context.explain(request).searches == ["title: \(words)"])
  }

  @Test(
    "a text that cannot be read has the place of nil in an order of texts",
    arguments: ["CAST(x'7aff' AS TEXT)", "x'7a'"], ["name", "town"])
  func unreadable(_ value: String, _ attribute: String) throws {
    store.allowsDamage()
    for author in try context.fetch(FetchRequest<ManagedObject>(entityName: "Author")) {
      try author.setValue(author.value(forKey: "name"), forKey: "town")
    }
    try context.save()
    _ = try store.sqlite3("UPDATE Author SET \(attribute) = \(value) WHERE copal_id = 2")
    func check(isPending: Bool) throws {
      let reader = container.makeContext()
      reader.readFailureHandler = { _ in }
      // What is changed is sorted in memory, and the rest is compared with it.
      if isPending {
        let last = try reader.fetch(FetchRequest<ManagedObject>(entityName: "Author"))[2]
        try last.setValue("EMMA", forKey: attribute)
      }
      for order in [FetchSortKey.TextOrder.caseInsensitive, .alphabetical, .natural] {
        for (isAscending, isNilFirst) in [
          (true, true), (true, false), (false, true), (false, false),
        ] {
          var key: FetchSortKey = isAscending ? .ascending(attribute) : .descending(attribute)
          key.textOrder = order
          key.nilOrder = isNilFirst ? .nilsFirst : .nilsLast
          let request = FetchRequest<ManagedObject>(entityName: "Author", sortKeys: [key])
          let ids = try reader.fetch(request).map(\.objectID.key)
          // A required attribute has no nil, so its order names no place for it.
          let isFirst = attribute == "name" ? isAscending : isNilFirst
          #expect(
            ids.firstIndex(of: 2) == (isFirst ? 0 : 2),
            "\(order), ascending \(isAscending), nil first \(isNilFirst): \(ids)")
        }
      }
    }
    for isPending in [false, true] { try check(isPending: isPending) }
    // The next save makes the column of the order.
    _ = try context.insert("Book").setValue("Emma", forKey: "title")
    try context.save()
    for isPending in [false, true] { try check(isPending: isPending) }
  }

  @Test("a search through relationships finds the same")
  func related() throws {
    #expect(try names("ANY books.title BEGINSWITH[cd] 'ec'") == ["EMMA"])
    #expect(try names("name BEGINSWITH[cd] 'em'") == ["EMMA", "Émile Zola"])
    _ = try store.sqlite3("UPDATE Book SET title = 'Ecart', copal_version = 9 WHERE copal_id = 2")
    #expect(try names("ANY books.title BEGINSWITH[cd] 'ec'") == ["Böll", "EMMA"])
  }

  @Test("a check finds what was written around the trigger, and a rebuild mends it")
  func rebuilt() throws {
    #expect(try container.check() == [])
    _ = try store.sqlite3(
      "UPDATE Author SET name = 'Zola', copal_version = 7 WHERE copal_id = 1; UPDATE Author SET copal_stale = NULL"
    )
    let found = try container.check()
    #expect(found.map(\.kind) == [.wrongSearchValue])
    #expect(
      found.first?.description
        == "Author.name of Author p1 has another value than the store keeps for searches")
    #expect(try names("name BEGINSWITH[cd] 'zo'") == [])
    try container.rebuildSearch()
    #expect(try container.check() == [])
    #expect(try names("name BEGINSWITH[cd] 'zo'") == ["Zola"])
  }

  @Test("requirement 70: Ångström is found by angstrom, and in its order, by the index")
  func ångström() throws {
    for name in ["Ångström", "Angus", "Anders", "Zeeman"] {
      try context.insert("Author").setValue(name, forKey: "name")
    }
    try context.save()
    #expect(try names("name BEGINSWITH[cd] 'angstrom'") == ["Ångström"])
    #expect(try names("name CONTAINS[cd] 'NGSTRÖ'") == ["Ångström"])
    var request = FetchRequest<ManagedObject>(
      entityName: "Author",
      predicate: try FetchPredicate(format: "name BEGINSWITH[cd] 'ang'"),
      sortKeys: [.ascending("name").alphabetical])
    request.limit = 10
    #expect(
      try container.makeContext().fetch(request).map { try $0.value(of: "name", as: String.self) }
        == ["Ångström", "Angus"])
    let plan = try context.explain(request).description
    #expect(plan.contains("SEARCH Author USING"), "\(plan)")
    #expect(plan.contains("copal_search_name"), "\(plan)")
    #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
  }

  @Test("parts of texts are found in a context, through relationships, and in unsaved objects")
  func parts() throws {
    #expect(try names("ANY books.title CONTAINS[cd] 'CRIT'") == ["EMMA"])
    #expect(try names("ANY books.title LIKE[cd] '*nsic?te*'") == ["Böll"])
    let book = try context.insert("Book")
    try book.setValue("Manuscrits", forKey: "title")
    let request = FetchRequest<ManagedObject>(
      entityName: "Book", predicate: try FetchPredicate(format: "title CONTAINS[cd] 'crits'"))
    #expect(try context.fetch(request).count == 2)
    try context.save()
    #expect(try context.fetch(request).count == 2)
    #expect(try container.check() == [])
  }
}
