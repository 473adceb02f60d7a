import Copal
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("A removal of files during which another program writes", .modelAsIs)
struct ExternalRemovalTests {
  private let files: NegativeFiles
  private let negative: Negative

  init() throws {
    files = try NegativeFiles()
    negative = Negative(context: files.context, title: "Poppies")
    negative.scan = bytes(5000)
    try files.context.save()
  }

  /// What another program does directly before a statement of a removal.
  private final class Rival: Sendable {
    private let isReady = Locked(false)
    private let moment: String
    private let body: @Sendable () throws -> Void

    init(before moment: String, _ body: @escaping @Sendable () throws -> Void) {
      (self.moment, self.body) = (moment, body)
    }

    func wait() { isReady.withLock { $0 = true } }

    func come(_ statement: String) {
      guard statement == moment else { return }
      let isFirst = isReady.withLock { ready in
        defer { ready = false }
        return ready
      }
      if isFirst { #expect(throws: Never.self) { try body() } }
    }
  }

  /// Removes files in another container, in which the rival comes once.
  ///
  /// - Parameter prepare: called after the opening, which has removed the files of the list.
  private func remove(checkingAll: Bool, _ rival: Rival, _ prepare: () throws -> Void = {}) throws
    -> Int
  {
    let options = SQLiteStore.Options(onStatement: { rival.come($0) })
    let container = try PersistentContainer(
      model: .negatives, store: .sqlite(at: files.test.file, options: options),
      transformers: [NegativeNotes()])
    try prepare()
    rival.wait()
    return try container.store.removeUnreferencedFiles(checkingAll: checkingAll)
  }

  @Test(
    "a file whose name a commit adds to the list during the removal stays, because a reader may have begun before the commit"
  )
  func listedMeanwhile() throws {
    let name = try files.onlyFile().lastPathComponent
    let rival = Rival(before: "BEGIN IMMEDIATE") { [container = files.container] in
      let context = container.makeContext()
      for negative in try context.fetch(Negative.self) { negative.scan = nil }
      try context.save()
    }
    #expect(try remove(checkingAll: true, rival) == 0)
    #expect(try files.test.sqlite3("SELECT name FROM copal_unreferencedFiles") == name)
    #expect(files.names() == [name])
    #expect(try files.container.store.removeUnreferencedFiles(checkingAll: false) == 1)
    #expect(files.names() == [])
  }

  @Test(
    "no file is removed when another program has migrated the store since the removal began",
    arguments: [false, true])
  func migratedMeanwhile(checkingAll: Bool) throws {
    let entities = try ModelBinding.negatives.model.entities.map { entity in
      var entity = entity
      if entity.name == "Negative" {
        var raw = try #require(entity.attributes.first { $0.name == "scan" })
        raw.name = "raw"
        entity.attributes.append(raw)
      }
      return entity
    }
    let schema = StoreSchema(try ManagedObjectModel(name: "Negatives", entities: entities))
    let name = String(repeating: "b", count: 32) + "-3"
    let file = files.folder.appending(path: "new").appending(path: name)
    let rival = Rival(before: "PRAGMA wal_checkpoint(RESTART)") { [test = files.test] in
      _ = try test.open(schema)
      try Data("raw".utf8).write(to: file)
      #expect(try test.sqlite3("UPDATE Negative SET raw = '\(name)'") == "")
    }
    let error = #expect(throws: PersistenceError.self) {
      try remove(checkingAll: checkingAll, rival) {
        // A name in the list, so that every removal has something to do.
        negative.scan = bytes(6000)
        try files.context.save()
      }
    }
    #expect(error?.code == .modelDiffers)
    #expect(files.names().contains(name))
  }
}
