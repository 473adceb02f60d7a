import Copal
import CopalTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Scans for absolute URLs of files")
struct AbsoluteFileURLTests {
  private func links(_ texts: [String?], in store: TestStore) throws -> PersistentContainer {
    let container = try store.hangings(in: nil)
    let context = container.makeContext()
    for text in texts {
      let hanging = Hanging(context: context)
      hanging.title = text
      hanging.link = text.flatMap { URL(string: $0) }
    }
    try context.save()
    return container
  }

  /// A URL in a plain `uri` attribute, and whether the scan finds it.
  static let links: [(text: String?, isFound: Bool)] = [
    ("file:///art/wall/a.jpg", true), ("file://localhost/a.jpg", true), ("FILE:///a%20b.jpg", true),
    ("file:///", true), ("https://example.org/file:///a.jpg", false),
    ("ftp://example.org/a", false),
    ("a/b.jpg", false), ("mailto:camille@example.org", false), (nil, false),
  ]

  @Test(
    "row 45: a scan finds the absolute URLs of files in uri attributes, with their objects",
    arguments: StoreKind.allCases)
  func found(_ kind: StoreKind) async throws {
    let container = try links(Self.links.map(\.text), in: TestStore(kind))
    let found = try await container.scanForAbsoluteFileURLs()
    let expected = Self.links.filter(\.isFound).compactMap(\.text)
    #expect(found.map(\.url.absoluteString) == expected)
    #expect(found.allSatisfy { $0.attribute == "link" })
    let context = container.makeContext()
    let titles = try found.map { try (context.object(with: $0.objectID) as? Hanging)?.title }
    #expect(titles == expected)
  }

  @Test("row 45: each URL that is found is a warning with a code, without the stored value")
  func warning() async throws {
    let container = try links(["file:///secret/a.jpg"], in: TestStore(.memory))
    let found = try #require(try await container.scanForAbsoluteFileURLs().first)
    #expect(found.warning.code == .absoluteFileURL)
    #expect(found.warning.objectID == found.objectID && found.warning.property == "link")
    #expect(found.description == found.warning.description)
    #expect(!found.description.contains("secret"))
  }

  @Test("row 45: URLs of files in transformable attributes are not listed, however they are stored")
  func transformable() async throws {
    let store = try TestStore()
    let folder = URL(filePath: "/art/wall/", directoryHint: .isDirectory)
    let container = try store.hangings(in: folder)
    let context = container.makeContext()
    Hanging(context: context).photo = URL(filePath: "/elsewhere/a.jpg")
    Hanging(context: context).photo = folder.appending(path: "a.jpg")
    try context.save()
    #expect(try await container.scanForAbsoluteFileURLs().isEmpty)
  }

  @Test("text that is not a URL and values of another storage class are skipped", .modelAsIs)
  func damaged() async throws {
    let store = try TestStore()
    let container = try links(["file:///a", "file:///b", "file:///c"], in: store)
    _ = try store.sqlite3("UPDATE Hanging SET link = 'file:///a b' WHERE title = 'file:///a'")
    _ = try store.sqlite3("UPDATE Hanging SET link = x'00' WHERE title = 'file:///b'")
    let found = try await container.scanForAbsoluteFileURLs()
    #expect(found.map(\.url.absoluteString) == ["file:///c"])
  }

  @Test("only the objects of entities with uri attributes are read, each once, in batches of 1,000")
  func progress() async throws {
    let container = try links(Array(repeating: "file:///a", count: 2500), in: TestStore(.memory))
    let steps = Mutex<[String]>([])
    let found = try await container.scanForAbsoluteFileURLs(of: "Hanging") { read, all in
      steps.withLock { $0.append("\(read)/\(all)") }
    }
    #expect(found.count == 2500)
    #expect(steps.withLock { $0 } == ["1000/2500", "2000/2500", "2500/2500"])
    let shelf = try TestStore(.memory).shelf()
    Tube(context: shelf.makeContext()).finish = .matt
    #expect(
      try await shelf.scanForAbsoluteFileURLs { read, _ in
        Issue.record("\(read) objects were read")
      }.isEmpty)
  }

  @Test("each object is read once, also where a parent and its subentity have uri attributes")
  func family() async throws {
    let model = """
      {"copal": 1, "model": "Works", "entities": {
        "Work": {"attributes": {"title": "string?"}, "codegen": "none"},
        "Print": {"parent": "Work", "attributes": {"scan": "uri?"}, "codegen": "none"},
        "Etching": {"parent": "Print", "attributes": {"plate": "uri?"}, "codegen": "none"},
        "Fresco": {"parent": "Work", "attributes": {"wall": "uri?", "sketch": {"type": "uri?", "transient": true}},
          "codegen": "none"}
      }}
      """
    let container = try PersistentContainer(
      model: ModelBinding(try ManagedObjectModel(json: model, file: "Works")), store: .inMemory)
    let context = container.makeContext()
    let values = [
      ("Work", "title", "file:///title"), ("Print", "scan", "file:///scan"),
      ("Etching", "scan", "file:///scan2"), ("Etching", "plate", "file:///plate"),
      ("Fresco", "wall", "file:///wall"), ("Fresco", "sketch", "file:///sketch"),
    ]
    for (entity, attribute, text) in values {
      let value: Any = attribute == "title" ? text : try #require(URL(string: text))
      try context.insert(entity).setValue(value, forKey: attribute)
    }
    try context.save()
    let counts = Mutex<[Int]>([])
    let found = try await container.scanForAbsoluteFileURLs { _, all in
      counts.withLock { $0.append(all) }
    }
    #expect(found.map(\.attribute).sorted() == ["plate", "scan", "scan", "wall"])
    #expect(counts.withLock { $0 } == [5, 5])
    let prints = try await container.scanForAbsoluteFileURLs(of: "Etching")
    #expect(prints.map(\.url.lastPathComponent).sorted() == ["plate", "scan2"])
    #expect(try await container.scanForAbsoluteFileURLs(of: "Work").count == 4)
  }

  @Test("an entity that does not exist is a typed error with the nearest name")
  func unknownEntity() async throws {
    let container = try links([], in: TestStore(.memory))
    let error = await #expect(throws: PersistenceError.self) {
      try await container.scanForAbsoluteFileURLs(of: "Hangin")
    }
    #expect(error?.code == .unknownEntity && error?.suggestion == "Hanging")
  }
}
