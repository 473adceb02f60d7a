import Copal
import CopalTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Backups", .modelAsIs)
struct BackupTests {
  private let files: NegativeFiles
  private var copy: URL { files.test.folder.appending(path: "Copy.sqlite") }

  init() throws { files = try NegativeFiles() }

  private func opened() throws -> ManagedObjectContext {
    let container = try PersistentContainer(
      model: .negatives, store: .sqlite(at: copy), transformers: [NegativeNotes()])
    return container.makeContext()
  }

  @Test("a backup has the objects and the files, and changes of the store do not reach it")
  func backup() async throws {
    let container = files.container
    let negative = Negative(context: files.context, title: "Poppies")
    negative.scan = bytes(5000)
    _ = ContactPrint(context: files.context, image: bytes(10))
    try files.context.save()
    try await container.backup(to: copy)
    negative.scan = bytes(6000)
    try files.context.save()
    try container.store.removeUnreferencedFiles(checkingAll: true)
    let context = try opened()
    let found = try #require(try context.fetch(Negative.self).first)
    #expect(found.scan == bytes(5000))
    #expect(try context.count(ContactPrint.self) == 1)
    found.scan = bytes(7000)
    try context.save()
    #expect(try files.scan(negative) == bytes(6000))
  }

  @Test("a backup without large values is one file")
  func oneFile() async throws {
    _ = Negative(context: files.context, title: "Poppies")
    try files.context.save()
    try await files.container.backup(to: copy)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: files.test.folder.path(percentEncoded: false))
    #expect(names.filter { $0.hasPrefix("Copy") } == ["Copy.sqlite"])
    #expect(try opened().count(Negative.self) == 1)
  }

  @Test("a backup replaces nothing", arguments: ["Copy.sqlite", "Copy.sqlite-files"])
  func exists(name: String) async throws {
    let path = files.test.folder.appending(path: name)
    try Data("mine".utf8).write(to: path)
    let error = await #expect(throws: PersistenceError.self) {
      try await files.container.backup(to: copy)
    }
    #expect(error?.code == .backupExists)
    #expect(try Data(contentsOf: path) == Data("mine".utf8))
  }

  @Test("a backup does not replace a folder, and one that cannot get its name leaves nothing")
  func folder() async throws {
    let negative = Negative(context: files.context, title: "Poppies")
    negative.scan = bytes(5000)
    try files.context.save()
    let manager = FileManager.default
    try manager.createDirectory(at: copy, withIntermediateDirectories: false)
    let error = await #expect(throws: PersistenceError.self) {
      try await files.container.backup(to: copy)
    }
    #expect(error?.code == .backupExists)
    let names = try manager.contentsOfDirectory(
      atPath: files.test.folder.path(percentEncoded: false))
    #expect(names.filter { $0.hasPrefix("Copy") } == ["Copy.sqlite"])
  }

  @Test("a backup to no folder, or to no file URL, and of a store in memory, is an error")
  func refused() async throws {
    let memory = try NegativeFiles(.memory)
    let cases: [(PersistentContainer, URL, PersistenceError.Code)] = [
      (files.container, files.test.folder.appending(path: "no/such/Copy.sqlite"), .folderMissing),
      (files.container, try #require(URL(string: "https://example.com/Copy.sqlite")), .cannotOpen),
      (memory.container, copy, .noBackup),
    ]
    for (container, url, code) in cases {
      let error = await #expect(throws: PersistenceError.self) {
        try await container.backup(to: url)
      }
      #expect(error?.code == code)
    }
  }

  @Test("a backup while others write has one state of the store with all its files")
  func whileWriting() async throws {
    let container = files.container
    let isDone = Mutex(false)
    let writer = Task.detached {
      for number in 0..<200 {
        if isDone.withLock({ $0 }) { return }
        try await container.perform { context in
          // Both always have the same value.
          let all = try context.fetch(Negative.self)
          let pair =
            all.isEmpty ? (0..<2).map { Negative(context: context, title: "\($0)") } : all
          for negative in pair { negative.scan = bytes(2000, UInt8(number)) }
          try context.save()
        }
      }
    }
    for number in 0..<10 {
      let url = files.test.folder.appending(path: "Copy\(number).sqlite")
      try await container.backup(to: url)
      let copy = try PersistentContainer(
        model: .negatives, store: .sqlite(at: url), transformers: [NegativeNotes()])
      let scans = try copy.makeContext().fetch(Negative.self).map { negative in
        try negative.value(of: "scan", as: Data.self)
      }
      #expect(scans.isEmpty || scans.count == 2 && scans[0] != nil && scans[0] == scans[1])
    }
    isDone.withLock { $0 = true }
    try await writer.value
  }
}
