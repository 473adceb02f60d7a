import CopalModel
import CopalStore

/// Lines 7, 22, 25, 28 and 50 to 60 of the table: relationships.
extension MigrationCase {
  /// Relationships of the entities Book and Author, of which there are three objects each.
  private static func pair(
    _ description: String, _ book: String, _ author: String, to newBook: String,
    _ newAuthor: String, removed: String = "", _ statements: String = "",
    gives relations: [String: String] = [:], refusals: [String] = [], refusesEmpty: Bool = false,
    writes: Bool = false
  ) -> MigrationCase {
    func entities(_ book: String, _ author: String, _ keys: String = "") -> String {
      #""Book": { \#(keys) "relationships": { \#(book) } }, "Author": { "relationships": { \#(author) } }"#
    }
    return MigrationCase(
      description, from: entities(book, author),
      to: entities(newBook, newAuthor, removed.isEmpty ? "" : #""removed": ["\#(removed)"],"#),
      objects: (1...3).flatMap { _ in [("Book", [:]), ("Author", [:])] }, statements: statements,
      relations: relations, refusals: refusals, refusesEmpty: refusesEmpty, writes: writes)
  }

  // MARK: Parts of models

  private static let author = #""author": { "type": "Author?", "inverse": "books" }"#
  private static let books = #""books": { "type": "[Book]", "inverse": "author" }"#
  private static let orderedBooks =
    #""books": { "type": "[Book]", "inverse": "author", "ordered": true }"#
  private static let authors = #""authors": { "type": "[Author]", "inverse": "books" }"#
  private static let manyBooks = #""books": { "type": "[Book]", "inverse": "authors" }"#
  private static let oneWay = #""author": "Author?""#
  private static let oneWayMany = #""authors": "[Author]""#

  // MARK: Objects

  /// Books 1 and 2 have author 1, book 3 has none.
  private static let references = "UPDATE Book SET author = 1 WHERE copal_id < 3;"
  /// Author 1 has the books 2 and 1, in this order.
  private static let orderedReferences = """
    UPDATE Book SET author = 1, copal_order_author = 7 WHERE copal_id = 1;
    UPDATE Book SET author = 1, copal_order_author = 5 WHERE copal_id = 2;
    """
  /// Book 1 has the authors 1 and 3, book 2 has author 1. The author is the owner.
  private static let links =
    #"INSERT INTO "copal_links_Author.books" VALUES (1, 1), (3, 1), (1, 2);"#
  /// Each book has one author at most, and the other way round.
  private static let singleLinks =
    #"INSERT INTO "copal_links_Author.books" VALUES (1, 2), (2, 1);"#

  static let relationships: [MigrationCase] =
    [
      // MARK: 7
      pair(
        "line 7: a new to-one relationship with an inverse", "", "", to: author, books,
        gives: ["Book.author": "", "Author.books": ""]),
      pair(
        "line 7: a new many-to-many relationship", "", "", to: authors, manyBooks,
        gives: ["Book.authors": "", "Author.books": ""]),
      pair(
        "line 7: a new required to-one relationship", "", "",
        to: #""author": { "type": "Author", "inverse": "books" }"#, books,
        refusals: [
          "migration.newRequired Book.author: new and required, and 3 objects have no value"
        ]),
      // MARK: 22
      pair(
        "line 22: a to-one relationship renamed, with an ordered inverse", author, orderedBooks,
        to: #""writer": { "type": "Author?", "inverse": "books", "renamedFrom": "author" }"#,
        #""books": { "type": "[Book]", "inverse": "writer", "ordered": true }"#, orderedReferences,
        gives: ["Book.writer": "1: 1; 2: 1", "Author.books": "1: 2 1"]),
      pair(
        "line 22: a to-many relationship renamed, whose inverse is to-one", author, orderedBooks,
        to: #""author": { "type": "Author?", "inverse": "works" }"#,
        #""works": { "type": "[Book]", "inverse": "author", "ordered": true }"#, orderedReferences,
        gives: ["Book.author": "1: 1; 2: 1", "Author.works": "1: 2 1"]),
      pair(
        "line 22: the same with its former name, which it does not need", author, orderedBooks,
        to: #""author": { "type": "Author?", "inverse": "works" }"#,
        #""works": { "type": "[Book]", "inverse": "author", "ordered": true, "renamedFrom": "books" }"#,
        orderedReferences, gives: ["Book.author": "1: 1; 2: 1", "Author.works": "1: 2 1"]),
      pair(
        "line 22: a to-one relationship renamed without the word", author, books,
        to: #""writer": { "type": "Author?", "inverse": "books" }"#,
        #""books": { "type": "[Book]", "inverse": "writer" }"#, references,
        refusals: [
          "migration.removed Book.author: removed"
        ], refusesEmpty: true),
      pair(
        "line 22: a many-to-many relationship renamed at one end", authors, manyBooks,
        to: #""writers": { "type": "[Author]", "inverse": "books", "renamedFrom": "authors" }"#,
        #""books": { "type": "[Book]", "inverse": "writers" }"#, links,
        gives: ["Book.writers": "1: 1 3; 2: 1", "Author.books": "1: 1 2; 3: 1"]),
      MigrationCase(
        "line 22: a many-to-many relationship renamed so that its owners are its members",
        from: #"""
          "Book": { "relationships": {
            "alike": { "type": "[Book]", "inverse": "like", "ordered": true },
            "like": { "type": "[Book]", "inverse": "alike" } } }
          """#,
        to: #"""
          "Book": { "relationships": {
            "similar": { "type": "[Book]", "inverse": "like", "ordered": true, "renamedFrom": "alike" },
            "like": { "type": "[Book]", "inverse": "similar" } } }
          """#,
        objects: [("Book", [:]), ("Book", [:]), ("Book", [:])],
        statements:
          #"INSERT INTO "copal_links_Book.alike" VALUES (1, 2, 9), (1, 3, 4), (2, 1, 1);"#,
        relations: ["Book.similar": "1: 3 2; 2: 1", "Book.like": "1: 2; 2: 1; 3: 1"], writes: true),
      // MARK: Removed
      pair(
        "a to-one relationship removed with the word", author, books, to: "", "", removed: "author",
        references, gives: [:]),
      pair(
        "a many-to-many relationship removed without the word", authors, manyBooks, to: "", "",
        links,
        refusals: ["migration.removed Book.authors: removed"], refusesEmpty: true),
      pair(
        "a many-to-many relationship removed with the word at one end", authors, manyBooks, to: "",
        "", removed: "authors", links),
      // MARK: 25
      MigrationCase(
        "line 25: an entity removed, and the relationships to it",
        from: #"""
          "Book": { "attributes": { "a": "string" }, "relationships": { "author": { "type": "Author?", "inverse": "books" } } },
          "Author": { "relationships": { "books": { "type": "[Book]", "inverse": "author" } } }
          """#,
        to: #""Book": { "removed": ["author"], "attributes": { "a": "string" } }"#,
        keys: #""removed": ["Author"]"#, objects: [("Book", ["a": "x"]), ("Author", [:])],
        gives: ["Book": [["a": "x"]]], statements: "UPDATE Book SET author = 1;"),
      MigrationCase(
        "line 25: an entity removed, and a relationship to it without the word",
        from: #"""
          "Book": { "attributes": { "a": "string" }, "relationships": { "author": "Author?" } },
          "Author": {}
          """#,
        to: #""Book": { "attributes": { "a": "string" } }"#, keys: #""removed": ["Author"]"#,
        objects: [("Book", ["a": "x"])], refusals: ["migration.removed Book.author: removed"],
        refusesEmpty: true),
      // MARK: 28
      MigrationCase(
        "line 28: an attribute became a relationship",
        from: #""Book": { "attributes": { "author": "string?" } }, "Author": {}"#,
        to: #""Book": { "relationships": { "author": "Author?" } }, "Author": {}"#,
        refusals: ["migration.needsStep Book.author: was an attribute, and is a relationship now"],
        refusesEmpty: true),
      MigrationCase(
        "line 28: a relationship became an attribute",
        from: #""Book": { "relationships": { "author": "Author?" } }, "Author": {}"#,
        to: #""Book": { "attributes": { "author": "string?" } }, "Author": {}"#,
        refusals: ["migration.needsStep Book.author: was a relationship, and is an attribute now"],
        refusesEmpty: true),
      // MARK: 50
      pair(
        "line 50: a to-one relationship is required, and no object lacks it", author, books,
        to: #""author": { "type": "Author", "inverse": "books" }"#, books,
        "UPDATE Book SET author = 2;", gives: ["Book.author": "1: 2; 2: 2; 3: 2"]),
      pair(
        "line 50: a to-one relationship is required, and an object lacks it", author, books,
        to: #""author": { "type": "Author", "inverse": "books" }"#, books, references,
        refusals: [
          "migration.missingValues Book.author: required, and 1 of 3 objects have no value (p3)"
        ]),
      MigrationCase(
        "line 50: a required to-one relationship is optional",
        from: #""Book": { "relationships": { "author": "Author" } }, "Author": {}"#,
        to: #""Book": { "relationships": { "author": "Author?" } }, "Author": {}"#,
        objects: [("Author", [:]), ("Book", ["author": 1])], relations: ["Book.author": "1: 1"]),
      // MARK: 53 to 55
      pair(
        "line 53: to-one becomes to-many, with the same inverse", author, books,
        to:
          #""authors": { "type": "[Author]", "inverse": "books", "renamedFrom": "author" }"#,
        manyBooks, references,
        gives: ["Book.authors": "1: 1; 2: 1", "Author.books": "1: 1 2"], writes: true),
      pair(
        "line 53: to-one becomes to-many, and both ends are ordered", author, orderedBooks,
        to:
          #""authors": { "type": "[Author]", "inverse": "books", "renamedFrom": "author", "ordered": true }"#,
        #""books": { "type": "[Book]", "inverse": "authors", "ordered": true }"#, orderedReferences,
        gives: ["Book.authors": "1: 1; 2: 1", "Author.books": "1: 2 1"], writes: true),
      pair(
        "line 54: many-to-many becomes to-one, one object each", authors, manyBooks,
        to: #""author": { "type": "Author?", "inverse": "books", "renamedFrom": "authors" }"#,
        books,
        singleLinks, gives: ["Book.author": "1: 2; 2: 1", "Author.books": "1: 2; 2: 1"],
        writes: true),
      pair(
        "line 54: many-to-many becomes to-one, and an object has two", authors, manyBooks,
        to: #""author": { "type": "Author?", "inverse": "books", "renamedFrom": "authors" }"#,
        books,
        links,
        refusals: [
          "migration.severalObjects Book.author: to-many to to-one, and 1 object has several objects (p1)"
        ]),
      pair(
        "line 54: many-to-many becomes to-one, and the first object stays", authors, manyBooks,
        to:
          #""author": { "type": "Author?", "inverse": "books", "renamedFrom": "authors", "conversion": "first" }"#,
        orderedBooks, links,
        gives: ["Book.author": "1: 1; 2: 1", "Author.books": "1: 1 2"], writes: true),
      pair(
        "line 54: an ordered relationship becomes to-one, and the first of the list stays",
        #""authors": { "type": "[Author]", "inverse": "books", "ordered": true }"#, manyBooks,
        to:
          #""author": { "type": "Author?", "inverse": "books", "renamedFrom": "authors", "conversion": "first" }"#,
        books,
        #"INSERT INTO "copal_links_Author.books" (owner, member, inverse_position) VALUES (1, 1, 9), (3, 1, 2), (1, 2, 1);"#,
        gives: ["Book.author": "1: 3; 2: 1", "Author.books": "1: 2; 3: 1"], writes: true),
      pair(
        "line 55: one-to-one becomes one-to-many", author,
        #""books": { "type": "Book?", "inverse": "author" }"#, to: author, books,
        "UPDATE Book SET author = 2 WHERE copal_id = 3; UPDATE Author SET books = 3 WHERE copal_id = 2;",
        gives: ["Book.author": "3: 2", "Author.books": "2: 3"]),
      pair(
        "line 55: one-to-many becomes one-to-one, one object each", author, books, to: author,
        #""books": { "type": "Book?", "inverse": "author" }"#,
        "UPDATE Book SET author = 4 - copal_id;",
        gives: ["Book.author": "1: 3; 2: 2; 3: 1", "Author.books": "1: 3; 2: 2; 3: 1"], writes: true
      ),
      pair(
        "line 55: one-to-many becomes one-to-one, and an object has two", author, books, to: author,
        #""books": { "type": "Book?", "inverse": "author" }"#, references,
        refusals: [
          "migration.severalObjects Author.books: to-many to to-one, and 1 object has several objects (p1)"
        ]),
      pair(
        "line 55: one-to-many becomes one-to-one, and the first object stays", author, books,
        to: author,
        #""books": { "type": "Book?", "inverse": "author", "conversion": "first" }"#, references,
        gives: ["Book.author": "1: 1", "Author.books": "1: 1"], writes: true),
      pair(
        "line 55: one-to-many becomes one-to-one, and the first object stays, where one is required",
        #""author": { "type": "Author", "inverse": "books" }"#, books,
        to: #""author": { "type": "Author", "inverse": "books" }"#,
        #""books": { "type": "Book?", "inverse": "author", "conversion": "first" }"#,
        "UPDATE Book SET author = 1",
        refusals: [
          "migration.missingValues Book.author: required, and its inverse keeps one object of several"
        ], refusesEmpty: true),
      // Another program has let the ends disagree. The word was for an earlier migration.
      pair(
        "a one-to-one relationship that has kept the first object stays as it is", author,
        #""books": { "type": "Book?", "inverse": "author", "conversion": "first" }"#, to: author,
        #""books": { "type": "Book?", "inverse": "author", "conversion": "first" }, "more": "Book?""#,
        references, gives: ["Book.author": "1: 1; 2: 1"]),
      pair(
        "line 55: the to-one end and the to-many end change places", author, books,
        to: #""author": { "type": "[Author]", "inverse": "books" }"#,
        #""books": { "type": "Book?", "inverse": "author" }"#,
        "UPDATE Book SET author = 4 - copal_id;",
        gives: ["Book.author": "1: 3; 2: 2; 3: 1", "Author.books": "1: 3; 2: 2; 3: 1"], writes: true
      ),
      // MARK: 56 and 57
      pair(
        "line 56: an order where the inverse is to-one", author, books, to: author, orderedBooks,
        references, gives: ["Book.author": "1: 1; 2: 1", "Author.books": "1: 1 2"], writes: true),
      pair(
        "line 56: an order of links", authors, manyBooks, to: authors,
        #""books": { "type": "[Book]", "inverse": "authors", "ordered": true }"#, links,
        gives: ["Book.authors": "1: 1 3; 2: 1", "Author.books": "1: 1 2; 3: 1"], writes: true),
      pair(
        "line 57: an order removed without the word", author, orderedBooks, to: author, books,
        orderedReferences,
        refusals: ["migration.needsWord Author.books: not ordered any more"], refusesEmpty: true),
      pair(
        "line 57: an order removed with the word", author, orderedBooks, to: author,
        #""books": { "type": "[Book]", "inverse": "author", "conversion": "unordered" }"#,
        orderedReferences, gives: ["Book.author": "1: 1; 2: 1", "Author.books": "1: 1 2"]),
      // MARK: 58 and 59
      pair(
        "line 58: a one-way to-one relationship gets a to-many inverse", oneWay, "", to: author,
        books, references, gives: ["Book.author": "1: 1; 2: 1", "Author.books": "1: 1 2"]),
      pair(
        "line 58: a one-way to-one relationship gets an ordered inverse", oneWay, "", to: author,
        orderedBooks, references, gives: ["Book.author": "1: 1; 2: 1", "Author.books": "1: 1 2"],
        writes: true),
      pair(
        "line 58: a one-way to-many relationship gets a to-many inverse", oneWayMany, "",
        to: authors,
        manyBooks, #"INSERT INTO "copal_links_Book.authors" VALUES (1, 1), (1, 3), (2, 1);"#,
        gives: ["Book.authors": "1: 1 3; 2: 1", "Author.books": "1: 1 2; 3: 1"], writes: true),
      pair(
        "line 58: a one-way to-many relationship gets a to-one inverse", oneWayMany, "",
        to: #""authors": { "type": "[Author]", "inverse": "book" }"#,
        #""book": { "type": "Book?", "inverse": "authors" }"#,
        #"INSERT INTO "copal_links_Book.authors" VALUES (1, 1), (1, 3), (2, 2);"#,
        gives: ["Book.authors": "1: 1 3; 2: 2", "Author.book": "1: 1; 2: 2; 3: 1"], writes: true),
      pair(
        "line 58: a one-way to-many relationship gets a to-one inverse, and an object has two owners",
        oneWayMany, "",
        to: #""authors": { "type": "[Author]", "inverse": "book" }"#,
        #""book": { "type": "Book?", "inverse": "authors" }"#,
        #"INSERT INTO "copal_links_Book.authors" VALUES (1, 1), (2, 1);"#,
        refusals: [
          "migration.severalObjects Author.book: to-many to to-one, and 1 object has several objects (p1)"
        ]),
      pair(
        "line 59: the to-many end is removed, and the to-one end stays", author, books, to: oneWay,
        "",
        references, gives: ["Book.author": "1: 1; 2: 1"]),
      pair(
        "line 59: the to-one end is removed, and the to-many end stays", author, books, to: "",
        #""books": "[Book]""#, references, gives: ["Author.books": "1: 1 2"], writes: true),
      pair(
        "line 59: the inverse is removed, and both ends stay", author, books, to: oneWay,
        #""books": "[Book]""#, references,
        gives: ["Book.author": "1: 1; 2: 1", "Author.books": "1: 1 2"], writes: true),
      // MARK: 60
      pair(
        "line 60: a delete rule becomes noAction", author, books, to: author,
        #""books": { "type": "[Book]", "inverse": "author", "delete": "noAction" }"#, references,
        gives: ["Book.author": "1: 1; 2: 1", "Author.books": "1: 1 2"], writes: true),
      pair(
        "line 60: a delete rule was noAction, and all objects exist", author,
        #""books": { "type": "[Book]", "inverse": "author", "delete": "noAction" }"#, to: author,
        books, references, gives: ["Book.author": "1: 1; 2: 1", "Author.books": "1: 1 2"],
        writes: true),
      pair(
        "line 60: a delete rule was noAction, and an object does not exist", author,
        #""books": { "type": "[Book]", "inverse": "author", "delete": "noAction" }"#, to: author,
        books, references + "UPDATE Book SET author = 9 WHERE copal_id = 3;",
        refusals: [
          "migration.missingObject Book.author: its objects must exist now, and 1 object has an object that does not exist (p3)"
        ]),
      pair(
        "line 60: a delete rule was noAction, and an object that does not exist becomes nil",
        author,
        #""books": { "type": "[Book]", "inverse": "author", "delete": "noAction" }"#,
        to: #""author": { "type": "Author?", "inverse": "books", "conversion": "nil" }"#,
        books, references + "UPDATE Book SET author = 9 WHERE copal_id = 3;",
        gives: ["Book.author": "1: 1; 2: 1", "Author.books": "1: 1 2"], writes: true),
    ] + destinations

  // MARK: 51 and 52

  /// A relationship to a family of Party, with its subentities Author and Shop.
  private static func destination(
    _ description: String, _ old: String, to new: String, gives relations: [String: String] = [:],
    refusals: [String] = [], refusesEmpty: Bool = false, writes: Bool = false
  ) -> MigrationCase {
    func entities(_ relationship: String) -> String {
      #""Book": { "relationships": { \#(relationship) } }, "Party": {}, "Author": { "parent": "Party" }, "Shop": { "parent": "Party" }, "Other": {}"#
    }
    return MigrationCase(
      description, from: entities(old), to: entities(new),
      objects: [("Author", [:]), ("Shop", [:]), ("Book", [:]), ("Book", [:])],
      statements: old.contains("[")
        ? #"INSERT INTO "copal_links_Book.of" VALUES (1, 1), (1, 2), (2, 1);"#
        : #"UPDATE Book SET "of" = copal_id;"#,
      relations: relations, refusals: refusals, refusesEmpty: refusesEmpty, writes: writes)
  }

  private static let destinations = [
    destination(
      "line 51: the destination becomes an ancestor", #""of": "Author?""#, to: #""of": "Party?""#,
      gives: ["Book.of": "1: 1; 2: 2"]),
    MigrationCase(
      "line 51: the destination becomes a subentity, and all objects fit",
      from:
        #""Book": { "relationships": { "of": "Party?" } }, "Party": {}, "Author": { "parent": "Party" }"#,
      to:
        #""Book": { "relationships": { "of": "Author?" } }, "Party": {}, "Author": { "parent": "Party" }"#,
      objects: [("Party", [:]), ("Author", [:]), ("Book", ["of": 2]), ("Book", [:])],
      relations: ["Book.of": "1: 2"]),
    destination(
      "line 51: the destination becomes a subentity, and an object does not fit",
      #""of": "Party?""#, to: #""of": "Author?""#,
      refusals: [
        "migration.wrongEntity Book.of: Party to Author, and 1 object has an object of another entity (p2)"
      ]),
    destination(
      "line 51: the destination becomes a subentity, and other objects become nil",
      #""of": "Party?""#, to: #""of": { "type": "Author?", "conversion": "nil" }"#,
      gives: ["Book.of": "1: 1"], writes: true),
    destination(
      "line 51: the destination of links becomes a subentity, and an object does not fit",
      #""of": "[Party]""#, to: #""of": "[Author]""#,
      refusals: [
        "migration.wrongEntity Book.of: Party to Author, and 1 object has an object of another entity (p1)"
      ]),
    destination(
      "line 51: the destination of links becomes a subentity, and others are left out",
      #""of": "[Party]""#, to: #""of": { "type": "[Author]", "conversion": "nil" }"#,
      gives: ["Book.of": "1: 1; 2: 1"], writes: true),
    destination(
      "line 52: the destination is of another family", #""of": "Party?""#, to: #""of": "Other?""#,
      refusals: ["migration.needsStep Book.of: led to Party, and leads to Other now"],
      refusesEmpty: true),
  ]
}
