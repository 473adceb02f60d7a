import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Inspecting a store without opening it")
struct InspectionTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private static func schema(_ attributes: String...) throws -> StoreSchema {
    try StoreModels.schema([
      EntityDescription(
        "Tool", attributes: attributes.map { AttributeDescription($0, .string) },
        uniqueConstraints: [[attributes[0]]])
    ])
  }

  private func inspect(_ url: URL? = nil) throws -> StoreDescription? {
    try StoreConfiguration.sqlite(at: url ?? test.file).inspect()
  }

  /// Inspects a file of the test's folder, which stays as it was, byte for byte.
  private func inspectUnchanged(_ name: String = "Atelier.sqlite") throws -> StoreDescription? {
    // The index of a log is shared memory. Only that the file exists is compared.
    func contents() throws -> [String: Data] {
      try Dictionary(
        uniqueKeysWithValues: test.contents().map { ($0, $0.hasSuffix("-shm") ? Data() : $1) })
    }
    let before = try contents()
    let description = try inspect(test.folder.appending(path: name))
    #expect(try contents() == before)
    return description
  }

  /// The error of inspecting the test's file, which stays as it was, byte for byte.
  private func refusal() throws -> PersistenceError? {
    let before = try test.contents()
    let error = #expect(throws: PersistenceError.self) { try inspect() }
    #expect(try test.contents() == before)
    #expect(error?.path == test.file.path(percentEncoded: false))
    return error
  }

  private func copy(_ suffixes: [String], to name: String) throws {
    for suffix in suffixes {
      try FileManager.default.copyItem(
        atPath: test.file.path(percentEncoded: false) + suffix,
        toPath: test.folder.path(percentEncoded: false) + name + suffix)
    }
  }

  // MARK: What it says

  @Test("a description has the identifier of the store, its model and the hash of its schema")
  func description() throws {
    let schema = try StoreModels.atelier()
    let identifier = try test.open(schema).identifier
    let description = try #require(try inspectUnchanged())
    #expect(description.identifier == identifier)
    #expect(description.schemaHash == schema.hash.text)
    #expect(StoreSchema(description.model).hash == schema.hash)
    #expect(description.model.entities.map(\.name) == schema.model.entities.map(\.name))
  }

  @Test("a store of another model is described, although it cannot be opened with the new one")
  func olderModel() throws {
    let old = try Self.schema("name", "shelf")
    let identifier = try test.open(old).identifier
    let new = try Self.schema("title")
    let error = #expect(throws: PersistenceError.self) { try test.open(new) }
    #expect(error?.code == .modelDiffers)
    let description = try #require(try inspectUnchanged())
    #expect(description.identifier == identifier)
    #expect(description.schemaHash == old.hash.text && description.schemaHash != new.hash.text)
    let tool = try #require(description.model.entity("Tool"))
    #expect(tool.attributes.map(\.name) == ["name", "shelf"])
    #expect(tool.uniqueConstraints == [["name"]])
  }

  @Test("a store opens with the model of its description")
  func openingWithDescription() throws {
    try test.storeTester(StoreModels.sampler()).insert(["text": "x"])
    let description = try #require(try inspect())
    let tester = try test.storeTester(StoreSchema(description.model))
    #expect(tester.store.identifier == description.identifier)
    #expect(try tester.rows().map { $0["text"] } == ["x"])
  }

  @Test("a migrated store is described with the new model")
  func migrated() throws {
    _ = try test.open(Self.schema("name"))
    let new = try StoreModels.schema([
      EntityDescription(
        "Tool",
        attributes: [
          AttributeDescription("name", .string),
          AttributeDescription("shelf", .string, isOptional: true),
        ], uniqueConstraints: [["name"]])
    ])
    _ = try test.open(new)
    #expect(try inspect()?.schemaHash == new.hash.text)
    #expect(try inspect()?.model.entity("Tool")?.attributes.count == 2)
  }

  // MARK: No store

  @Test("without a file there is no description, and no file is created")
  func noFile() throws {
    #expect(try inspectUnchanged() == nil)
    #expect(try test.contents() == [:])
    let name = "copal-tests-\(UUID())"
    #expect(try StoreConfiguration.sqlite(named: name).inspect() == nil)
    let folder = SQLiteStore.defaultURL(named: name).deletingLastPathComponent()
    #expect(!FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)))
  }

  @Test("an empty file or an empty database has no description", arguments: [false, true])
  func empty(isDatabase: Bool) throws {
    if isDatabase {
      _ = try test.sqlite3("PRAGMA journal_mode=WAL; CREATE TABLE t (a); DROP TABLE t")
    } else {
      try Data().write(to: test.file)
    }
    #expect(try inspectUnchanged() == nil)
  }

  @Test("a store in memory, and one of closures without an inspection, have no description")
  func nothingToDescribe() throws {
    #expect(try StoreConfiguration.inMemory.inspect() == nil)
    #expect(try StoreConfiguration(name: "x") { MemoryStore($0) }.inspect() == nil)
  }

  @Test("a configuration asks its driver or its closure for the description")
  func ownDescription() throws {
    let schema = try StoreModels.sampler()
    let identifier = UUID()
    let configuration = StoreConfiguration(name: "x") {
      MemoryStore($0)
    } inspect: {
      StoreDescription(identifier: identifier, schema: schema)
    }
    for configuration in [configuration, StoreConfiguration(Wrapper(inner: configuration))] {
      #expect(configuration.name == "x")
      #expect(try configuration.inspect()?.identifier == identifier)
      #expect(try configuration.inspect()?.schemaHash == schema.hash.text)
      #expect(try configuration.open(schema) is MemoryStore)
    }
  }

  private struct Wrapper: StoreDriver {
    let inner: StoreConfiguration

    var name: String { inner.name }
    func open(_ schema: StoreSchema) throws -> any PersistentStore { try inner.open(schema) }
    func inspect() throws -> StoreDescription? { try inner.inspect() }
  }

  // MARK: Something else than a store

  @Test(
    "a file that is not a database is refused, as when it is opened",
    arguments: ["x", "not a database, but longer than the header of one", "SQLite format 3"])
  func notADatabase(text: String) throws {
    try Data(String(repeating: text, count: 100).utf8).write(to: test.file)
    let opening = #expect(throws: PersistenceError.self) {
      try test.open(StoreModels.sampler())
    }
    let error = try refusal()
    #expect(error?.code == .notADatabase)
    #expect(error?.description == opening?.description)
  }

  @Test(
    "the database of another program is refused",
    arguments: [
      "CREATE TABLE t (a)", "CREATE VIEW Pigment AS SELECT 1", "PRAGMA application_id=7; VACUUM",
      "PRAGMA journal_mode=WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)",
      "PRAGMA encoding='UTF-16'; CREATE TABLE t (a)",
    ])
  func foreign(sql: String) throws {
    _ = try test.sqlite3(sql)
    let error = try refusal()
    #expect(error?.code == .notACopalStore && error?.expected == "1131376748")
  }

  @Test("a store of a newer format is refused")
  func newer() throws {
    _ = try test.open(StoreModels.sampler())
    _ = try test.sqlite3("PRAGMA user_version=2")
    #expect(try refusal()?.code == .newerFormat)
  }

  @Test(
    "a store with damaged metadata is refused, and the error names the damage",
    arguments: [
      ("DELETE FROM copal_metadata WHERE name = 'identifier'", "its identifier is missing"),
      ("DELETE FROM copal_metadata WHERE name = 'schemaHash'", "its schema hash is missing"),
      ("DELETE FROM copal_metadata WHERE name = 'model'", "its model is missing"),
      ("UPDATE copal_metadata SET value = '{' WHERE name = 'model'", "its model cannot be read"),
      ("DROP TABLE copal_metadata", "no such table: copal_metadata"),
      ("PRAGMA user_version=0", "its store format is 0"),
    ])
  func damaged(sql: String, found: String) throws {
    _ = try test.open(StoreModels.sampler())
    _ = try test.sqlite3(sql)
    let error = try refusal()
    #expect(error?.code == .damagedMetadata && error?.found == found)
  }

  @Test(
    "a location that opening refuses is refused with the same error",
    arguments: ["no/such/Atelier.sqlite", "file/x", "folder", "Atelier.sqlite-wal", "a\0b"])
  func locations(path: String) throws {
    try Data("a file".utf8).write(to: test.folder.appending(path: "file"))
    try FileManager.default.createDirectory(
      at: test.folder.appending(path: "folder"), withIntermediateDirectories: false)
    let url = URL(filePath: test.folder.path(percentEncoded: false) + path)
    let configuration = StoreConfiguration.sqlite(at: url)
    let opening = #expect(throws: PersistenceError.self) {
      try configuration.open(StoreModels.sampler())
    }
    let inspecting = #expect(throws: PersistenceError.self) { try configuration.inspect() }
    #expect(inspecting?.code == opening?.code)
    #expect(inspecting?.description == opening?.description)
  }

  @Test("a URL that is not a file URL, and an impossible name, are refused as by opening")
  func names() throws {
    let url = try #require(URL(string: "https://example.com/tmp/x.sqlite"))
    for configuration in [StoreConfiguration.sqlite(at: url), .sqlite(named: "..")] {
      let opening = #expect(throws: PersistenceError.self) {
        try configuration.open(StoreModels.sampler())
      }
      let inspecting = #expect(throws: PersistenceError.self) { try configuration.inspect() }
      #expect(inspecting?.code == .cannotOpen)
      #expect(inspecting?.description == opening?.description)
    }
  }

  @Test(
    "a store is described at a path with special characters",
    arguments: [
      "a b", "a?mode=memory", "a#b", "a%20b", "file:x", ":memory:", "é", "e\u{301}", "a\nb", "'",
      "\"", "*", "-x", "\\", "🎨", ".sqlite", "a&b=c", "a;b",
    ])
  func specialCharacters(name: String) throws {
    let path = test.folder.path(percentEncoded: false) + name
    let url = test.folder.appending(path: name, directoryHint: .notDirectory)
    let store = try SQLiteStore(path: path, schema: Self.schema("name"))
    #expect(try inspect(url)?.identifier == store.identifier)
  }

  @Test("a store is described behind a symbolic link")
  func link() throws {
    let manager = FileManager.default
    let folder = test.folder.path(percentEncoded: false)
    try manager.createDirectory(atPath: folder + "real", withIntermediateDirectories: false)
    try manager.createSymbolicLink(atPath: folder + "link", withDestinationPath: "real/store")
    let url = test.folder.appending(path: "link")
    #expect(try inspect(url) == nil)
    let store = try SQLiteStore(path: folder + "link", schema: Self.schema("name"))
    #expect(try inspect(url)?.identifier == store.identifier)
    let names = try manager.contentsOfDirectory(atPath: folder + "real")
    #expect(names.sorted() == ["store", "store-shm", "store-wal"])
  }

  // MARK: Stores in use

  @Test("an open store is described from its log, and keeps its locks")
  func openStore() throws {
    let tester = try test.storeTester(StoreModels.sampler())
    // The test does not read the file, because closing it would end the locks too.
    let attributes = try FileManager.default.attributesOfItem(
      atPath: test.file.path(percentEncoded: false))
    #expect(attributes[.size] as? Int == 4096, "the tables are in the log only")
    #expect(try inspect()?.identifier == tester.store.identifier)
    // If the store had lost its locks, the other program would delete the log when it closes the
    // file.
    #expect(try test.sqlite3("SELECT count(*) FROM Sample") == "0")
    #expect(try tester.insert(["text": "x"]) == 1)
  }

  @Test("a store that another program is writing is described at once, as last committed")
  func otherWriter() throws {
    _ = try test.open(StoreModels.sampler())
    let other = try test.otherProgram()
    let identifier = UUID()
    let update = "UPDATE copal_metadata SET value = '\(identifier)' WHERE name = 'identifier'"
    try other.run(update)
    try other.run("BEGIN IMMEDIATE; UPDATE copal_metadata SET value = 'x'")
    let options = SQLiteStore.Options(busyTimeoutSeconds: 60)
    let begin = ContinuousClock.now
    let description = try StoreConfiguration.sqlite(at: test.file, options: options).inspect()
    #expect(description?.identifier == identifier)
    #expect(ContinuousClock.now - begin < .seconds(30), "it waits for the writer")
    try other.run("ROLLBACK")
  }

  @Test(
    "copies of an open store are described, with and without the index of the log",
    arguments: [["", "-wal", "-shm"], ["", "-wal"]])
  func copies(suffixes: [String]) throws {
    let tester = try test.storeTester(StoreModels.sampler())
    try tester.insert(["text": "x"])
    try copy(suffixes, to: "copy")
    let description = try #require(try inspectUnchanged("copy"))
    #expect(description.identifier == tester.store.identifier)
    // The copy has lost nothing.
    let path = test.folder.path(percentEncoded: false) + "copy"
    let again = try StoreTester(SQLiteStore(path: path, schema: StoreModels.sampler()))
    #expect(try again.rows().map { $0["text"] } == ["x"])
  }

  @Test("a store without a write-ahead log, as other tools copy it, is described")
  func withoutLog() throws {
    let identifier = try test.open(StoreModels.sampler()).identifier
    let file = test.folder.appending(path: "copy")
    #expect(try test.sqlite3("VACUUM INTO '\(file.path(percentEncoded: false))'") == "")
    #expect(try inspectUnchanged("copy")?.identifier == identifier)
    #expect(try test.sqlite3("PRAGMA journal_mode=DELETE") == "delete")
    let other = try test.otherProgram()
    try other.run("BEGIN IMMEDIATE; UPDATE copal_metadata SET value = 'x'")
    #expect(try inspectUnchanged()?.identifier == identifier)
    try other.run("ROLLBACK")
  }

  @Test("a store is described while other connections open it, write to it and close it")
  func busyStore() async throws {
    let schema = try StoreModels.sampler()
    let identifier = try test.open(schema).identifier
    let url = test.file
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<30 {
            try StoreTester(SQLiteStore(path: url.path(percentEncoded: false), schema: schema))
              .insert(["text": "x"])
          }
          return 0
        }
      }
      group.addTask {
        var count = 0
        for _ in 0..<300 {
          if try StoreConfiguration.sqlite(at: url).inspect()?.identifier == identifier {
            count += 1
          }
        }
        return count
      }
      let found = try await group.reduce(0, +)
      #expect(found == 300)
    }
    #expect(try test.storeTester(schema).rows().count == 60)
    #expect(try test.sqlite3("PRAGMA integrity_check") == "ok")
    #expect(try test.contents().keys.sorted() == ["Atelier.sqlite"])
  }

  @Test("a store that is being created has no description, or a complete one")
  func newStore() async throws {
    let schema = try StoreModels.sampler()
    for number in 0..<20 {
      let path = test.folder.path(percentEncoded: false) + "\(number)"
      async let identifier = SQLiteStore(path: path, schema: schema).identifier
      var description: StoreDescription?
      repeat {
        await Task.yield()
        description = try inspect(URL(filePath: path))
      } while description == nil
      #expect(try await identifier == description?.identifier)
      #expect(description?.schemaHash == schema.hash.text)
    }
  }

  // MARK: Permissions

  /// Ends the child process with success when the file has the identifier.
  static func expectDescription(_ path: String, _ identifier: String) {
    FileSystemFailureTests.becomeNobody()
    do {
      let description = try StoreConfiguration.sqlite(at: URL(filePath: path)).inspect()
      exit(description?.identifier.uuidString == identifier ? EXIT_SUCCESS : EXIT_FAILURE)
    } catch {
      print(error)
      exit(EXIT_FAILURE)
    }
  }

  private func set(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test(
    "a store that may only be read is described, closed and open, in a folder that allows no new files",
    arguments: [false, true])
  func readOnly(isOpen: Bool) async throws {
    var store: (any PersistentStore)? = try test.open(StoreModels.sampler())
    let identifier = try #require(store?.identifier.uuidString)
    if !isOpen { store = nil }
    let path = test.file.path(percentEncoded: false)
    let folder = test.folder.path(percentEncoded: false)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let suffixes = isOpen ? ["", "-shm", "-wal"] : [""]
    #expect(names == suffixes.map { "Atelier.sqlite" + $0 })
    // The file of an open store is not read here, because closing it would end its locks.
    let before = isOpen ? [:] : try test.contents()
    for name in names { try set(0o444, folder + name) }
    try set(0o555, folder)
    await #expect(processExitsWith: .success) {
      [path = path as String, identifier = identifier as String] in
      InspectionTests.expectDescription(path, identifier)
    }
    try set(0o755, folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
    #expect(try isOpen || test.contents() == before)
    withExtendedLifetime(store) {}
  }

  @Test("a file that may not be read is refused")
  func unreadable() async throws {
    _ = try test.open(StoreModels.sampler())
    let path = test.file.path(percentEncoded: false)
    try set(0o755, test.folder.path(percentEncoded: false))
    try set(0o200, path)
    await #expect(processExitsWith: .success) { [path = path as String] in
      FileSystemFailureTests.becomeNobody()
      var error: PersistenceError?
      do {
        _ = try StoreConfiguration.sqlite(at: URL(filePath: path)).inspect()
      } catch let caught as PersistenceError { error = caught }
      let isSo = error?.code == .notWritable && error?.found == "the file is not readable"
      exit(isSo ? EXIT_SUCCESS : EXIT_FAILURE)
    }
    try set(0o644, path)
  }
}
