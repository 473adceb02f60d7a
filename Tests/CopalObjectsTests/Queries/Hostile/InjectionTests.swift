import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// A place where a text of a user comes into a query.
struct TextPlace: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Texts whose statements are the only ones that a hostile text may have.
  let harmless: [String]
  /// Uses a text. Returns the names of the objects that it finds.
  let use: @Sendable (ManagedObjectContext, String) throws -> [String]

  init(
    _ name: String, harmless: [String] = ["x"],
    _ use: @escaping @Sendable (ManagedObjectContext, String) throws -> [String]
  ) {
    (testDescription, self.harmless, self.use) = (name, harmless, use)
  }

  /// A place of a condition about makers.
  static func condition(
    _ name: String, harmless: [String] = ["x"],
    _ condition: @escaping @Sendable (String) throws -> FetchPredicate
  ) -> TextPlace {
    TextPlace(name, harmless: harmless) { context, text in
      try context.fetch(FetchRequest<Maker>(predicate: condition(text))).compactMap(\.name)
    }
  }
}

@Suite("Hostile texts in queries", .modelAsIs)
struct InjectionTests {
  private static let makers = QueryProperties<Maker>()

  // MARK: Values

  /// Each place finds the object with the text as its name, and no other one.
  static let values: [TextPlace] = [
    .condition("a closure") { makers.name == $0 },
    .condition("a list") { makers.name.isIn([$0]) },
    .condition("an equal text") { makers.name.isEqual(to: $0, []) },
    .condition("an argument") { try FetchPredicate(format: "name == %@", $0) },
    .condition("a list as an argument") {
      try FetchPredicate(format: "name IN %@", [$0, $0 + "!"])
    },
    .condition("a variable") {
      try FetchPredicate(format: "name == $text").replacing(variables: ["text": .value(.string($0))]
      )
    },
    .condition("the printed text of a condition") {
      try FetchPredicate(format: (makers.name == $0).format)
    },
    .condition("a condition in JSON") {
      try JSONDecoder().decode(FetchPredicate.self, from: JSONEncoder().encode(makers.name == $0))
    },
    .condition("a value in place of nil") { (makers.name ?? $0) == $0 && makers.name != nil },
    .condition("one of two values") {
      .comparison(
        .conditional(makers.label >= 0, .constant(.string($0)), .constant(.string("x"))), .equal,
        .property("name"))
    },
    .condition("a closure about related objects") { text in
      makers.teacher.name == text || makers.name == text
    },
    TextPlace("the condition of values") { context, text in
      let names: [String?] = try context.fetchValues(
        Maker.self, where: { $0.name == text }
      ) { $0.name }
      return names.compactMap(\.self)
    },
    TextPlace("the condition of groups") { context, text in
      let names: [String?] = try context.fetchValues(
        Maker.self, having: { $0.objectID.count > 0 && $0.name.minimum.value == text }
      ) { $0.name }
      return names.compactMap(\.self)
    },
    TextPlace("a batch's value and condition") { context, text in
      let count = try context.updateAll(Maker.self, where: { $0.name == text }) {
        $0.name.set(to: text)
      }
      #expect(count <= 1)
      return count == 0 ? [] : [text]
    },
    TextPlace("a batch's calculated value") { context, text in
      let count = try context.updateAll(Maker.self, where: { $0.name == text }) {
        $0.name.set(to: $0.name ?? text)
      }
      return count == 0 ? [] : [text]
    },
    TextPlace("a new row of a batch") { context, text in
      let added = "new " + text
      try context.insertAll("Maker", [["name": .string(added)]])
      #expect(try context.fetchOne(added) == added)
      #expect(try context.deleteAll(Maker.self) { $0.name == added } == 1)
      return [text]
    },
  ]

  /// Each place finds at least the object with the text as its name. A text without or with special
  /// characters has one of a few statements.
  static let patterns: [TextPlace] = [
    .condition("a prefix", harmless: ["x", "\u{10FFFF}", "\u{7F}"]) { makers.name.hasPrefix($0) },
    .condition("a suffix") { makers.name.hasSuffix($0) },
    .condition("a part") { makers.name.contains($0) },
    .condition("a part without case") { makers.name.contains($0, .caseInsensitive) },
    .condition("a prefix without case and diacritics") {
      makers.name.hasPrefix($0, [.caseInsensitive, .diacriticInsensitive])
    },
    .condition("an equal text without case") { makers.name.isEqual(to: $0, .caseInsensitive) },
    .condition("CONTAINS with an argument") {
      try FetchPredicate(format: "name CONTAINS[cd] %@", $0)
    },
  ]

  /// A pattern need not match itself, and can be a mistake.
  static let languages: [TextPlace] = [
    .condition("LIKE", harmless: ["x", "x*", "*x", "*x*", "x?", "*", "?"]) {
      makers.name.like($0)
    },
    .condition("LIKE without case", harmless: ["x", "x*", "*x", "*x*", "x?", "*", "?"]) {
      makers.name.like($0, .caseInsensitive)
    },
    .condition("LIKE with an argument", harmless: ["x", "x*", "*x", "*x*", "x?", "*", "?"]) {
      try FetchPredicate(format: "name LIKE %@", $0)
    },
    .condition("MATCHES") { makers.name.matches($0) },
    .condition("MATCHES with an argument") { try FetchPredicate(format: "name MATCHES %@", $0) },
    TextPlace("a page after a cursor in JSON") { context, text in
      let maker = try #require(try context.first(Maker.self))
      let cursor = FetchCursor(values: [.string(text)], objectID: maker.objectID)
      let read = try JSONDecoder().decode(FetchCursor.self, from: JSONEncoder().encode(cursor))
      return try context.fetchPage(Maker.self, sortedBy: \.name.ascending, size: 900, after: read)
        .objects.compactMap(\.name)
    },
    TextPlace("a path that is read ahead") { context, text in
      var request = FetchRequest<Maker>()
      request.prefetchedPaths = [text]
      return try context.fetch(request).compactMap(\.name)
    },
    TextPlace("the name of a column") { context, text in
      let request = ValueRequest(entityName: "Maker", columns: [.init(text, .property("name"))])
      return try context.fetchValues(request).map { "\($0)" }
    },
    TextPlace("the names of two columns") { context, text in
      let request = ValueRequest(
        entityName: "Maker",
        columns: [.init(text, .property("label")), .init(text, .objectCount)])
      return try context.fetchValues(request).map { "\($0)" }
    },
  ]

  // MARK: Names

  /// No place accepts a text that is no name of the model, and none sends a statement for it.
  static let names: [TextPlace] = [
    .condition("%K") { try FetchPredicate(format: "%K == 'x'", $0) },
    .condition("%K in a path") { try FetchPredicate(format: "teacher.%K == 'x'", $0) },
    .condition("a property in a text") {
      let quoted = FetchPredicate.comparison(.property($0), .equal, .constant(1)).format
      return try FetchPredicate(format: quoted)
    },
    .condition("a property") { .comparison(.property($0), .equal, .constant(.string("x"))) },
    .condition("a property of a related object") {
      .comparison(.property("teacher.\($0)"), .equal, .constant(.string("x")))
    },
    .condition("a property of a subentity") {
      .comparison(.subentityProperty(entity: $0, property: $0), .equal, .constant(.null))
    },
    .condition("a property in a calculation") {
      .comparison(.call(.add, [.property($0), .constant(1)]), .equal, .constant(1))
    },
    .condition("an entity") { .isKind($0) },
    .condition("a relationship") { .exists(FetchCollection(.property($0))) },
    .condition("a property in a relationship") {
      .exists(
        FetchCollection(
          .property("ware"), where: .comparison(.property($0), .equal, .constant(.null))))
    },
    .condition("an aggregate of a property") {
      .comparison(
        .aggregate(.sum, FetchCollection(.property("ware")), of: .property($0)), .equal,
        .constant(1))
    },
    .condition("a variable without a value") {
      .comparison(.property("name"), .equal, .variable($0))
    },
    TextPlace("a key of an order") { context, text in
      try context.fetch(FetchRequest<Maker>(sortKeys: [.ascending(text)])).compactMap(\.name)
    },
    TextPlace("a path in an order") { context, text in
      try context.fetch(FetchRequest<Maker>(sortKeys: [.descending("teacher.\(text)")]))
        .compactMap(\.name)
    },
    TextPlace("a key of an order of texts") { context, text in
      try context.fetch(FetchRequest<Maker>(sortKeys: [.ascending(text).natural.nilsLast]))
        .compactMap(\.name)
    },
    TextPlace("a key of the order of a page") { context, text in
      try context.fetchPage(FetchRequest<Maker>(sortKeys: [.ascending(text)]), size: 2)
        .objects.compactMap(\.name)
    },
    TextPlace("the entity of a request") { context, text in
      try context.fetch(FetchRequest<ManagedObject>(entityName: text)).map { "\($0)" }
    },
    TextPlace("a column") { context, text in
      try context.fetchValues(
        ValueRequest(entityName: "Maker", columns: [.init("x", .property(text))])
      ).map { "\($0)" }
    },
    TextPlace("an aggregate of a column") { context, text in
      try context.fetchValues(
        ValueRequest(entityName: "Maker", columns: [.init("x", .max(of: .property(text)))])
      ).map { "\($0)" }
    },
    TextPlace("the entity of values") { context, text in
      try context.fetchValues(
        ValueRequest(entityName: text, columns: [.init("x", .objectCount)])
      ).map { "\($0)" }
    },
    TextPlace("a property of a batch") { context, text in
      try context.updateAll("Maker", set: [BatchAssignment(text, .constant(1))])
      return []
    },
    TextPlace("a property in a value of a batch") { context, text in
      try context.updateAll("Maker", set: [BatchAssignment("name", .property(text))])
      return []
    },
    TextPlace("a key of a new row of a batch") { context, text in
      try context.insertAll("Maker", [[text: .string("x")]])
      return []
    },
    TextPlace("the entity of a batch") { context, text in
      try context.deleteAll(text)
      return []
    },
    TextPlace("the constraint of a batch") { context, text in
      _ = try context.upsertAll("Maker", [["name": .string("x")]], on: [text])
      return []
    },
  ]

  // MARK: Texts of conditions

  /// A program that joins a user's text to its own one has the conditions that the user writes, but
  /// no other statement than a SELECT of the model's tables.
  static let texts: [TextPlace] = [
    .condition("a whole text") { try FetchPredicate(format: $0) },
    .condition("a text in quotes") { try FetchPredicate(format: "name == '\($0)'") },
    .condition("a text in double quotes") { try FetchPredicate(format: "name == \"\($0)\"") },
    .condition("an operand") { try FetchPredicate(format: "name == \($0)") },
    .condition("a path") { try FetchPredicate(format: "\($0) == name") },
    .condition("a name after #") { try FetchPredicate(format: "#\($0) == name") },
    .condition("a variable's name") { try FetchPredicate(format: "name == $\($0)") },
    .condition("the type of a cast") { try FetchPredicate(format: "CAST(name, '\($0)') == 1") },
    .condition("a constant in a cast") {
      try FetchPredicate(format: "founded == CAST('\($0)', 'NSDate')")
    },
    .condition("an option") { try FetchPredicate(format: "name ==[\($0)] 'x'") },
    .condition("a function") { try FetchPredicate(format: "\($0):(name) == 1") },
    .condition("an aggregate") { try FetchPredicate(format: "ware.@\($0) == 1") },
    .condition("a variable of SUBQUERY") {
      try FetchPredicate(format: "SUBQUERY(ware, $\($0), TRUEPREDICATE).@count > 0")
    },
  ]

  // MARK: The tests

  /// A store with a maker for each text and for a harmless one, and a table of another program.
  private struct World {
    let test: TestStore
    let context: ManagedObjectContext
    let before: String

    init() throws {
      test = try TestStore()
      context = try test.container(.graph).makeContext()
      for (number, text) in (["x"] + HostileTexts.all).enumerated() {
        let maker = Maker(context: context)
        (maker.label, maker.name) = (number, text)
      }
      try context.save()
      _ = try test.sqlite3("CREATE TABLE canary (x); INSERT INTO canary VALUES (3), (4)")
      before = try Self.contents(test)
      #expect(before.contains("canary"))
    }

    /// All tables with their columns and the number of their rows, the rows of the other program's
    /// table, and a sum of names.
    private static func contents(_ test: TestStore) throws -> String {
      let names = try test.sqlite3(
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
      ).split(separator: "\n")
      let counts = try names.map { try test.sqlite3("SELECT '\($0)', count(*) FROM \"\($0)\"") }
      return try counts.joined(separator: "\n") + "\n"
        + test.sqlite3(
          """
          SELECT type, name, sql FROM sqlite_master ORDER BY name; SELECT * FROM canary;
          SELECT label, hex(name) FROM Maker ORDER BY label; PRAGMA integrity_check
          """)
    }

    func check() throws { #expect(try Self.contents(test) == before) }

    /// What a place finds, or the typed error, and the statements that it sends.
    func use(_ place: TextPlace, _ text: String) -> (found: [String]?, statements: [String]) {
      var found: [String]?
      let statements = test.recorder.statements {
        do {
          found = try place.use(context, text)
        } catch is PersistenceError {
        } catch is PredicateFormatError {
        } catch is DecodingError {
        } catch {
          Issue.record("\(text.prefix(40)): \(error)")
        }
      }
      context.reset()
      // Not a part of a query: the size of the cache of a connection.
      return (found, statements.filter { !$0.hasPrefix("PRAGMA cache_size") })
    }

    /// Uses a place with every text. The statements are those of harmless texts.
    func use(
      _ place: TextPlace, _ check: (_ text: String, _ found: [String]?) throws -> Void
    ) throws {
      let harmless = Set(place.harmless.map { use(place, $0).statements })
      for text in HostileTexts.all {
        let (found, statements) = use(place, text)
        // After a mistake that is found before the statement, there is none.
        let isKnown = harmless.contains(statements) || (found == nil && statements.isEmpty)
        #expect(isKnown, "\(text.prefix(40)): \(statements)")
        try check(text, found)
      }
      try self.check()
    }
  }

  @Test("there are more than 60 texts, which are all different")
  func count() {
    #expect(HostileTexts.all.count > 60)
    #expect(Set(HostileTexts.all.map { Array($0.utf8) }).count == HostileTexts.all.count)
    let places = Self.values + Self.patterns + Self.languages + Self.names + Self.texts
    #expect(places.count * HostileTexts.all.count > 300)
  }

  @Test("a hostile value is found, with the statement of a harmless one", arguments: values)
  func hostileValue(_ place: TextPlace) throws {
    try World().use(place) { text, found in
      #expect(found.map { $0.map { Array($0.utf8) } } == [Array(text.utf8)], "\(text.prefix(40))")
    }
  }

  @Test(
    "a hostile part of a text is found, with the statement of a harmless one", arguments: patterns)
  func hostilePart(_ place: TextPlace) throws {
    try World().use(place) { text, found in
      #expect(found?.contains { $0.utf8.elementsEqual(text.utf8) } == true, "\(text.prefix(40))")
    }
  }

  @Test(
    "a hostile pattern, cursor, path or name of a column has the statement of a harmless one",
    arguments: languages)
  func hostilePattern(_ place: TextPlace) throws { try World().use(place) { _, _ in } }

  @Test("a hostile name is a typed error, and no statement", arguments: names)
  func hostileName(_ place: TextPlace) throws {
    let world = try World()
    for text in HostileTexts.all {
      let (found, statements) = world.use(place, text)
      #expect(found == nil, "\(text.prefix(40))")
      #expect(statements.isEmpty, "\(text.prefix(40)): \(statements)")
    }
    try world.check()
  }

  @Test("a hostile text of a condition is a condition or a typed error", arguments: texts)
  func hostileText(_ place: TextPlace) throws {
    let world = try World()
    for text in HostileTexts.all {
      let (_, statements) = world.use(place, text)
      for statement in statements {
        #expect(statement.hasPrefix("SELECT \"copal_id\", "), "\(text.prefix(40)): \(statement)")
        for part in [";", "--", "/*", "canary", "sqlite_", "\0"] {
          #expect(!statement.contains(part), "\(text.prefix(40)): \(statement)")
        }
      }
    }
    try world.check()
  }

  @Test("hostile unique values are inserted and updated by a batch, with one statement")
  func upserts() throws {
    let test = try TestStore()
    let context = try test.atelier().makeContext()
    _ = try test.sqlite3("CREATE TABLE canary (x); INSERT INTO canary VALUES (3), (4)")
    func rows(_ price: Int) -> [[String: PropertyValue]] {
      HostileTexts.all.filter { $0.count <= 200 }.map {
        ["name": .string($0), "price": .decimal(Decimal(price))]
      }
    }
    var statements: [[String]] = []
    for price in 1...2 {
      for row in [["name": .string("x"), "price": .decimal(1)]] + rows(price) {
        statements.append(
          try test.recorder.statements {
            _ = try context.upsertAll("Pigment", [row], on: ["name"])
          })
      }
    }
    let found = try context.fetch(Pigment.self) { $0.name != "x" }
    #expect(
      found.map { Array($0.name.utf8) }
        == rows(1).map { row in
          if case .string(let name)? = row["name"] { Array(name.utf8) } else { [] }
        })
    #expect(found.allSatisfy { $0.price == 2 })
    #expect(try test.sqlite3("SELECT * FROM canary") == "3\n4")
    #expect(Set(statements).count <= 2, "\(Set(statements))")
  }
}

extension ManagedObjectContext {
  /// The name of the only maker with a name.
  fileprivate func fetchOne(_ name: String) throws -> String? {
    try one(Maker.self) { $0.name == name }?.name
  }
}
