import Copal
import CopalTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Work with a store, of which each system call fails once.
struct FailingWork: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case create, open, save, delete, backUp, tidyUp, migrate
  }

  let kind: Kind
  /// The number of saves that the store has before.
  let saves: Int

  /// Makes what the work begins with.
  func prepare(_ folder: URL) throws {
    switch kind {
    case .create: break
    case .migrate: try Notes.make(in: folder)
    default:
      let context = try NumberedSaves.container(in: folder).makeContext()
      for number in 1...saves { try NumberedSaves.save(number, context) }
    }
  }

  /// Does the work. What is not the work is done before `begin` is called.
  func run(_ folder: URL, _ begin: () -> Void) throws {
    switch kind {
    case .create, .open:
      begin()
      _ = try NumberedSaves.container(in: folder).makeContext().count(Negative.self)
    case .migrate:
      begin()
      _ = try Notes.container(in: folder, .new)
    default:
      let container = try NumberedSaves.container(in: folder)
      let context = container.makeContext()
      let objects = try context.fetch(Negative.self)
      begin()
      switch kind {
      case .save: try NumberedSaves.save(saves + 1, context)
      case .delete:
        for object in objects { context.delete(object) }
        try context.save()
      case .backUp:
        let path = folder.appending(path: "backup.sqlite").path(percentEncoded: false)
        try container.store.backup(to: path)
      default: try container.store.removeUnreferencedFiles(checkingAll: true)
      }
    }
  }

  /// What is wrong with what the work has left.
  ///
  /// - Parameter succeeded: whether the work said that it was done.
  func problem(_ folder: URL, succeeded: Bool) throws -> String? {
    if kind == .migrate { return try Notes.problem(in: folder, succeeded: succeeded) }
    let container = try NumberedSaves.container(in: folder)
    let context = container.makeContext()
    if let problem = try container.check().first { return "\(problem)" }
    let (last, found) = (try NumberedSaves.last(context), try NumberedSaves.found(context))
    switch kind {
    case .create: return found.isEmpty ? nil : "a new store has objects"
    case .delete where found.isEmpty: return nil
    case .delete where succeeded: return "\(found.count) objects are left"
    case .save where succeeded && last != saves + 1: return "the save is lost"
    case .backUp where succeeded:
      let backup = folder.appending(path: "backup.sqlite")
      let copy = try PersistentContainer(
        model: .negatives, store: .sqlite(at: backup), transformers: [NegativeNotes()])
      let copied = try NumberedSaves.found(copy.makeContext())
      if copied != found { return "the backup has other objects" }
    default: break
    }
    return found == NumberedSaves.contents(after: last) ? nil : "the objects are of no save"
  }
}

/// A store whose model gets another one.
private enum Notes {
  enum Version { case old, new }

  private static func model(_ version: Version) -> ModelBinding {
    let attributes =
      version == .old
      ? #""text": "string", "rank": "integer""#
      : #""text": "string", "rank": "string", "size": { "type": "integer", "default": 3 }"#
    let json = """
      { "copal": 1, "model": "Notes", "entities": { "Note": { "codegen": "none",
        "attributes": { \(attributes) }, "indexes": ["rank"] } } }
      """
    return ModelBinding(name: "Notes", json: json, classes: [])
  }

  static func container(in folder: URL, _ version: Version) throws -> PersistentContainer {
    try PersistentContainer(
      model: model(version), store: .sqlite(at: folder.appending(path: "notes.sqlite")))
  }

  static func make(in folder: URL) throws {
    let context = try container(in: folder, .old).makeContext()
    for number in 0..<200 {
      let note = try context.insert("Note")
      try note.setValue("note \(number)", forKey: "text")
      try note.setValue(Int64(number), forKey: "rank")
    }
    try context.save()
  }

  /// The store opens with the old model or with the new one, and has each value.
  static func problem(in folder: URL, succeeded: Bool) throws -> String? {
    let container: PersistentContainer
    var isNew = true
    do {
      container = try self.container(in: folder, .new)
    } catch {
      if succeeded { return "\(error)" }
      container = try self.container(in: folder, .old)
      isNew = false
    }
    if let problem = try container.check().first { return "\(problem)" }
    let notes = try container.makeContext().fetch(FetchRequest<ManagedObject>(entityName: "Note"))
    let ranks = try notes.map { note in
      isNew
        ? try note.value(of: "rank", as: String.self) ?? ""
        : "\(try note.value(of: "rank", as: Int64.self) ?? -1)"
    }
    return Set(ranks) == Set((0..<200).map { "\($0)" }) ? nil : "\(ranks.count) values"
  }
}

@Suite(
  "Each system call that fails", .serialized,
  .enabled(if: IOFaults.isLoaded, "Scripts/test-faults runs it"))
struct SystemCallFailureTests {
  /// What may happen to a disk, and to a process.
  private static let errors = [EIO, ENOSPC, EMFILE, EROFS, EACCES, EDQUOT]

  @Test(
    "work of which any system call fails throws a typed error or is complete, and leaves a whole store",
    .modelAsIs)
  func failures() async throws {
    let kinds = FailingWork.Kind.allCases
    let usual = kinds.count * 3
    var runs = 0
    try await FaultCases.run("kinds of work of which each system call fails", usual) {
      number, random in
      let work = FailingWork(
        kind: kinds[number % kinds.count],
        saves: number < usual ? 12 : Int.random(in: 1...40, using: &random))
      let error =
        number < usual
        ? Self.errors[number / kinds.count]
        : Self.errors.randomElement(using: &random) ?? EIO
      for forever in [false, true] {
        let (calls, refused) = try fail(work, error, forever: forever)
        runs += calls
        #expect(calls > 1 && refused > 0, "\(work)")
      }
    }
    print("\(runs) system calls have failed")
  }

  /// Lets each system call of a kind of work fail, until there are no more.
  private func fail(_ work: FailingWork, _ error: Int32, forever: Bool) throws -> (
    calls: Int, refused: Int
  ) {
    let folder = try TemporaryFolder()
    var (number, refused) = (1, 0)
    while true {
      let place = folder.url.appending(path: "\(number)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try work.prepare(place)
      var failure: (any Error)?
      do {
        try work.run(place) { IOFaults.fail(place, at: number, with: error, forever: forever) }
      } catch let thrown {
        failure = thrown
      }
      let calls = IOFaults.end()
      let title =
        "\(work), call \(number)\(forever ? " and all later ones" : ""): \(String(cString: strerror(error)))"
      if let failure {
        refused += 1
        #expect(failure is PersistenceError, "\(title): \(failure)")
      }
      do {
        let problem = try work.problem(place, succeeded: failure == nil)
        #expect(problem == nil, "\(title), \(failure.map { "\($0)" } ?? "done")")
      } catch {
        Issue.record("\(title): the store does not open: \(error)")
      }
      try FileManager.default.removeItem(at: place)
      if calls < number { return (number, refused) }
      number += 1
    }
  }
}
