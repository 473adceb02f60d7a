import Copal
import CopalTestSupport
import Foundation
import Testing

/// Every attribute has a value with a mark, and work fails in every way that concerns values.
@Suite("Values of objects in errors, logs and plans")
struct SecretValueTests {
  /// What no text may have.
  private static let mark = "hunter2Geheim"
  private static let number: Int64 = 48_151_623

  private static let model = """
    { "copal": 1, "model": "Vault", "entities": {
      "Secret": {
        "codegen": "none",
        "attributes": {
          "text": { "type": "string?", "private": true },
          "code": { "type": "string?", "pattern": "[A-Z]+" },
          "short": { "type": "string?", "maximumLength": 3 },
          "long": { "type": "string?", "minimumLength": 1000 },
          "small": { "type": "integer64?", "maximum": 10 },
          "large": { "type": "integer64?", "minimum": 99999999 },
          "count": "integer16?",
          "price": { "type": "decimal?", "scale": 1 },
          "kind": { "type": "string?", "cases": ["red", "green"] },
          "link": "uri?", "key": "uuid?", "seen": "date?", "blob": "binary?",
          "scan": { "type": "binary?", "external": 10 },
          "pin": { "type": "string?", "private": true }
        },
        "relationships": { "owner": { "type": "Secret?", "inverse": "items" },
          "items": { "type": "[Secret]", "inverse": "owner" } },
        "unique": ["text"]
      }
    } }
    """

  private let store: TestStore
  private let container: PersistentContainer
  private let context: ManagedObjectContext
  private let texts = Texts()

  /// The texts of errors and logs.
  private final class Texts: @unchecked Sendable {
    // @unchecked: the statements of this test are run by its own thread.
    var all: [String] = []
  }

  init() throws {
    store = try TestStore(.sqlite)
    let texts = texts
    var options = SQLiteStore.Options()
    options.onStatement = { texts.all.append($0) }
    container = try PersistentContainer(
      model: ModelBinding(name: "Vault", json: Self.model, classes: []),
      store: .sqlite(at: store.file, options: options))
    container.readFailureHandler = { texts.all += Self.texts(of: $0) }
    context = container.makeContext()
  }

  /// Everything that a program could log of an error.
  private static func texts(of error: any Error) -> [String] {
    var dumped = ""
    dump(error, to: &dumped)
    let causes = (error as? PersistenceError)?.causes.flatMap(texts) ?? []
    return ["\(error)", "\(String(reflecting: error))", error.localizedDescription, dumped] + causes
  }

  private func secret(_ values: [String: any Sendable]) throws -> ManagedObject {
    let object = try context.insert("Secret")
    for (name, value) in values { try object.setValue(value, forKey: name) }
    return object
  }

  private func failing(_ work: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation)
  {
    do {
      try work()
      Issue.record("nothing was refused", sourceLocation: sourceLocation)
    } catch {
      texts.all += Self.texts(of: error)
    }
    context.rollback()
  }

  private func check(sourceLocation: SourceLocation = #_sourceLocation) {
    for text in texts.all where text.contains(Self.mark) || text.contains("\(Self.number)") {
      Issue.record("\(text)", sourceLocation: sourceLocation)
    }
  }

  // The values of a unique constraint are shown, except private ones: those of "text" are.
  @Test("no error of a save has a value")
  func saves() throws {
    let mark = Self.mark
    for (name, value) in [
      ("code", mark), ("short", mark), ("long", mark), ("small", Self.number),
      ("large", Self.number), ("price", Decimal(string: "\(Self.number).125") ?? 0),
      ("kind", mark),
    ] as [(String, any Sendable)] {
      failing {
        _ = try secret([name: value])
        try context.save()
      }
      failing {
        let constant = try #require((value as? any ValueConvertible)?.value)
        try context.insertAll("Secret", [[name: constant]])
      }
    }
    for (name, value) in [("count", Self.number), ("count", mark), ("small", mark), ("key", mark)]
      as [(String, any Sendable)]
    {
      failing { _ = try secret([name: value]) }
    }
    _ = try secret(["text": mark])
    try context.save()
    failing {
      _ = try secret(["text": mark])
      try context.save()
    }
    failing { try context.insertAll("Secret", [["text": .string(mark)]]) }
    check()
  }

  @Test("no error of a conflict or of a read has a value")
  func reads() throws {
    let mark = Self.mark
    let object = try secret(["text": mark, "pin": mark])
    try context.save()
    let other = container.makeContext()
    let same = try other.existingObject(with: object.objectID)
    try same.setValue(mark + "2", forKey: "text")
    try other.save()
    failing {
      try object.setValue(mark + "3", forKey: "text")
      try context.save()
    }
    // Another program has written texts into columns of numbers and of bytes.
    for column in ["small", "count", "price", "key", "seen", "blob", "scan", "kind", "link"] {
      _ = try store.sqlite3("UPDATE Secret SET \(column) = '\(mark)'")
      let reader = container.makeContext()
      let read = try #require(
        try reader.fetch(FetchRequest<ManagedObject>(entityName: "Secret")).first)
      do {
        _ = try read.value(forKey: column)
      } catch {
        texts.all += Self.texts(of: error)
      }
    }
    check()
  }

  @Test("no error of a request, no plan and no log has a constant")
  func requests() throws {
    let mark = Self.mark
    let log = StatementLog()
    context.statementLog = log
    func request(_ format: String, _ argument: any PredicateArgument) throws
      -> FetchRequest<ManagedObject>
    {
      FetchRequest<ManagedObject>(
        entityName: "Secret", predicate: try FetchPredicate(format: format, argument))
    }
    for format in ["small == %@", "price == %@", "blob == %@", "key == %@", "nothing == %@"] {
      failing { _ = try context.fetch(request(format, mark)) }
    }
    // The pattern of MATCHES is a part of the program: its error shows it.
    let asked = try request("text == %@ AND small < 3", mark)
    #expect(try context.fetch(asked).isEmpty)
    texts.all.append("\(try context.explain(asked))")
    failing { _ = try context.fetchRows(sql: "SELECT nothing FROM Secret WHERE text = \(mark)") }
    texts.all.append("\(log)")
    check()
  }

  @Test("no error of a batch has a value")
  func batches() throws {
    let (mark, number) = (Self.mark, Self.number)
    _ = try secret(["text": mark])
    try context.save()
    let changes: [(String, PropertyValue)] = [
      ("code", .string(mark)), ("short", .string(mark)), ("small", .integer(number)),
      ("count", .integer(number)), ("key", .string(mark)), ("kind", .string(mark)),
    ]
    for (name, value) in changes {
      failing { _ = try context.insertAll("Secret", [["text": .string("x")], [name: value]]) }
      failing {
        _ = try context.updateAll("Secret", set: [BatchAssignment(name, .constant(value))])
      }
    }
    check()
  }

  @Test("no refusal of a migration has a value")
  func migrations() throws {
    _ = try secret(["text": Self.mark, "code": "A", "small": 1])
    try context.save()
    _ = try store.sqlite3(
      "INSERT INTO Secret (copal_id, copal_version, text, code) VALUES (71, 1, '\(Self.mark)3', '\(Self.mark)'), (72, 1, '\(Self.mark)4', '\(Self.mark)')"
    )
    for change in [
      // Texts that are no numbers, values that are there twice, and required ones that are missing.
      {
        $0.replacing(
          #""code": { "type": "string?", "pattern": "[A-Z]+" }"#, with: #""code": "integer64?""#)
      },
      { $0.replacing(#""unique": ["text"]"#, with: #""unique": ["text", "code"]"#) },
      { $0.replacing(#""blob": "binary?""#, with: #""blob": "binary""#) },
      {
        $0.replacing(
          #""text": { "type": "string?", "private": true }"#, with: #""text": "uuid?""#)
      },
    ] as [(String) -> String] {
      let json = change(Self.model)
      #expect(json != Self.model)
      failing {
        _ = try PersistentContainer(
          model: ModelBinding(name: "Vault", json: json, classes: []),
          store: .sqlite(at: store.file))
      }
    }
    check()
  }

  @Test("no error of other programs' rows, SQL, or metadata has a value")
  func otherPrograms() throws {
    let mark = Self.mark
    context.metadata["n"] = 1
    try context.save()
    _ = try store.sqlite3("UPDATE copal_programMetadata SET value = '\(mark)'")
    failing { _ = try context.metadata.value(of: "n") }
    failing { _ = try context.fetchRows(sql: "SELECT text + \(mark) FROM Secret WHERE") }
    failing { _ = try context.fetchRows(sql: "SELECT abs(-9223372036854775808), \(mark)") }
    check()
  }

  @Test("a private attribute is not in the description of its object")
  func descriptions() throws {
    let object = try secret(["pin": Self.mark, "count": 3])
    #expect(object.description.contains("pin: ‹private›"))
    #expect(object.description.contains("count: 3"))
    try context.save()
    try context.refresh(object, mergeChanges: false)
    _ = try object.value(forKey: "count")
    texts.all.append("\(object) \(object.debugDescription)")
    check()
    try object.setValue(nil, forKey: "pin")
    #expect(!object.description.contains("pin"))
  }
}
