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

/// Eight processes with one file. Their models are three versions of a program. The second version
/// has a harmless change, and the third has others.
@Suite("Many programs of several models", .modelAsIs)
struct ManyProgramsTests {
  /// How long rounds are started, each with new programs.
  private static let seconds =
    ProcessInfo.processInfo.environment["COPAL_PROGRAMS"].flatMap(Double.init) ?? 1

  @Test(
    "programs of three models save in one file, and no value is lost or wrong, and each stops with an error of its name"
  )
  func processes() async throws {
    let end = ContinuousClock.now + .seconds(Self.seconds)
    var seed: UInt64 = 0
    repeat {
      seed += 1
      try await Self.run(seed: seed)
    } while ContinuousClock.now < end
  }

  private static func run(seed: UInt64) async throws {
    let test = try TestStore()
    let programs = Program.all(test.folder.path(percentEncoded: false), seed: seed)
    await withTaskGroup(of: Void.self) { group in
      for program in programs {
        let text = program.text
        group.addTask {
          await #expect(processExitsWith: .success) { [text = text as String] in
            try Program(text: text).run()
          }
        }
      }
    }
    let reports = try programs.map { try $0.report() }
    for (program, report) in zip(programs, reports) {
      let allowed = ["", "store.modelDiffers", "store.newerModel", "store.busy"]
      let story = "seed \(seed), version \(program.version): \(report)"
      #expect(allowed.contains(report.error), "\(story)")
      // Only older programs stop.
      #expect(program.version < 3 || ["", "store.busy"].contains(report.error), "\(story)")
      #expect(report.problems == [], "\(story)")
    }

    // Each model is there once, in its order, if a program has had the file open with it.
    let versions = Set(zip(programs, reports).filter(\.1.hasOpened).map(\.0.version)).sorted()
    let newest = try #require(versions.last)
    #expect(
      try test.sqlite3("SELECT version FROM copal_migrations ORDER BY number")
        == versions.map { "\($0)" }.joined(separator: "\n"), "seed \(seed)")
    #expect(try test.sqlite3("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")

    // The file has what the programs have noted, and nothing else.
    let container = try PersistentContainer(
      model: ProgramBook.model(newest), store: test.configuration())
    let found = try ProgramBook.all(container.makeContext(), version: newest)
    let expected = zip(programs, reports).flatMap { program, report in
      report.saved.map { key, revision in
        ProgramBook(key: key, revision: revision, madeBy: program.version).seen(by: newest)
      }
    }
    #expect(Set(found) == Set(expected), "seed \(seed)")
    #expect(found.count == expected.count, "seed \(seed)")
  }
}

/// What a program has done.
private struct Report: Codable {
  /// Whether the program had the file open.
  var hasOpened = false
  /// The revision of each book that it has saved and not deleted.
  var saved: [String: Int] = [:]
  /// The code of the error that stopped it; empty for a program that came to its end.
  var error = ""
  /// The text of the error.
  var message = ""
  /// What it has read and not expected.
  var problems: [String] = []
}

/// A book as one of the models has it. Its values follow from its key, its revision and the version
/// of the program that has made it, so each reader can check them.
private struct ProgramBook: Hashable {
  let key: String
  let revision: Int
  var title: String
  var price: Decimal
  /// New in version 2.
  var note: String?
  /// New in version 3.
  var author: String?

  init(key: String, revision: Int, madeBy version: Int) {
    self.key = key
    self.revision = revision
    title = "\(key), revision \(revision)"
    price = Decimal(revision) / 4
    note = version >= 2 ? "note of \(title)" : nil
    author = version >= 3 ? "author of \(title)" : nil
  }

  /// The book that programs of another version see.
  func seen(by version: Int) -> ProgramBook {
    var book = self
    if version < 2 { book.note = nil }
    book.author = version < 3 ? nil : author ?? "unknown"
    return book
  }

  // MARK: The three models

  static func model(_ version: Int) throws -> ModelBinding {
    let entities =
      switch version {
      case 1:
        #"""
        "Book": {
          "attributes": {
            "key": "string", "revision": "integer", "title": "string",
            "price": { "type": "decimal", "scale": 2 }
          },
          "unique": ["key"]
        }
        """#
      case 2:
        #"""
        "Book": {
          "attributes": {
            "key": "string", "revision": "integer", "title": "string",
            "price": { "type": "decimal", "scale": 2 }, "note": "string?"
          },
          "unique": ["key"], "indexes": ["title"]
        },
        "Tag": { "attributes": { "name": "string" } }
        """#
      default:
        #"""
        "Volume": {
          "renamedFrom": "Book",
          "attributes": {
            "key": "string", "revision": "string", "name": { "type": "string", "renamedFrom": "title" },
            "price": { "type": "decimal", "scale": 3 }, "note": "string?",
            "author": { "type": "string", "default": "unknown" }
          },
          "unique": ["key"], "indexes": ["name"]
        },
        "Tag": { "attributes": { "name": "string" } }
        """#
      }
    return try OldProgramTests.model(entities, version: version)
  }

  static func entity(_ version: Int) -> String { version < 3 ? "Book" : "Volume" }

  func write(to object: ManagedObject, version: Int) throws {
    try object.setValue(key, forKey: "key")
    try object.setValue(price, forKey: "price")
    try object.setValue(title, forKey: version < 3 ? "title" : "name")
    if version < 3 {
      try object.setValue(revision, forKey: "revision")
    } else {
      try object.setValue("\(revision)", forKey: "revision")
      try object.setValue(author, forKey: "author")
    }
    if version >= 2 { try object.setValue(note, forKey: "note") }
  }

  /// The book of an object.
  init(_ object: ManagedObject, version: Int) throws {
    func text(_ name: String) throws -> String? { try object.value(of: name, as: String.self) }
    key = try text("key") ?? ""
    revision =
      version < 3
      ? try object.value(of: "revision", as: Int.self) ?? -1
      : Int(try text("revision") ?? "") ?? -1
    title = try text(version < 3 ? "title" : "name") ?? ""
    price = try object.value(of: "price", as: Decimal.self) ?? -1
    note = version < 2 ? nil : try text("note")
    author = version < 3 ? nil : try text("author")
  }

  /// All books of a store.
  static func all(_ context: ManagedObjectContext, version: Int) throws -> [ProgramBook] {
    let request = FetchRequest<ManagedObject>(entityName: entity(version))
    return try context.fetch(request).map { try ProgramBook($0, version: version) }
  }
}

/// A program of one of the versions, in a process of its own.
private struct Program: Codable {
  private static let duration = 1.2
  /// The time in which the processes start.
  private static let preparation = 1.0

  let folder: String
  let number: Int
  let version: Int
  let seed: UInt64
  /// When it opens the file, as seconds since 2001.
  let start: Double
  /// When it has done its work.
  let end: Double

  /// Eight programs in a random order. Those of the newest version tend to come later: otherwise no
  /// older one could open the file.
  static func all(_ folder: String, seed: UInt64) -> [Program] {
    var random = SplitMix(seed: seed)
    let begin = Date().timeIntervalSinceReferenceDate + preparation
    return [1, 1, 1, 2, 2, 2, 3, 3].shuffled(using: &random).enumerated().map { number, version in
      let delays = [0...0.3, 0...0.6, 0.1...0.9][version - 1]
      let delay = Double.random(in: delays, using: &random) * duration
      return Program(
        folder: folder, number: number, version: version, seed: random.next(),
        start: begin + delay, end: begin + duration)
    }
  }

  /// The program as an argument of its process.
  var text: String {
    (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  init(text: String) throws {
    self = try JSONDecoder().decode(Program.self, from: Data(text.utf8))
  }

  private init(
    folder: String, number: Int, version: Int, seed: UInt64, start: Double, end: Double
  ) {
    self.folder = folder
    self.number = number
    self.version = version
    self.seed = seed
    self.start = start
    self.end = end
  }

  private var reportFile: URL { URL(filePath: folder + "report-\(number).json") }

  func report() throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(contentsOf: reportFile))
  }

  // MARK: The work

  /// Works until its time is over, or an error stops it, and then notes what it has done.
  func run() throws {
    let wait = start - Date().timeIntervalSinceReferenceDate
    if wait > 0 { Thread.sleep(forTimeInterval: wait) }
    var work = ProgramWork(self)
    do {
      try work.run(until: end)
    } catch let error as PersistenceError {
      work.report.error = error.code.rawValue
      work.report.message = "\(error)"
      work.openAgain(after: error)
    }
    try JSONEncoder().encode(work.report).write(to: reportFile)
  }

  func open() throws -> PersistentContainer {
    try PersistentContainer(
      model: ProgramBook.model(version),
      store: .sqlite(at: URL(filePath: folder + "Atelier.sqlite"))
    )
  }
}

/// Inserts, changes, deletes and reads books. A program changes only its own, and reads all.
private struct ProgramWork {
  private let program: Program
  private var random: SplitMix
  private var count = 0
  var report = Report()

  init(_ program: Program) {
    self.program = program
    random = SplitMix(seed: program.seed)
  }

  mutating func run(until end: Double) throws {
    var container = try program.open()
    report.hasOpened = true
    var context = container.makeContext()
    repeat {
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        container = try program.open()
        context = container.makeContext()
      case 1...3: try insert(context)
      case 4, 5: try change(context)
      case 6: try delete(context)
      default: try read(context)
      }
      usleep(UInt32.random(in: 0..<15_000, using: &random))
    } while Date().timeIntervalSinceReferenceDate < end
  }

  private func book(_ key: String, _ revision: Int) -> ProgramBook {
    ProgramBook(key: key, revision: revision, madeBy: program.version)
  }

  private mutating func insert(_ context: ManagedObjectContext) throws {
    var keys: [String] = []
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      count += 1
      let key = "v\(program.version) p\(program.number) \(count)"
      let object = try context.insert(ProgramBook.entity(program.version))
      try book(key, 1).write(to: object, version: program.version)
      keys.append(key)
    }
    try context.save()
    for key in keys { report.saved[key] = 1 }
  }

  /// One of the program's own books.
  private mutating func own(_ context: ManagedObjectContext) throws -> (String, ManagedObject)? {
    guard let key = report.saved.keys.sorted().randomElement(using: &random) else { return nil }
    let request = FetchRequest<ManagedObject>(
      entityName: ProgramBook.entity(program.version),
      predicate: .comparison(.property("key"), .equal, .constant(.string(key))))
    let found = try context.fetch(request)
    if found.count != 1 { report.problems.append("\(found.count) books have the key \(key)") }
    return found.first.map { (key, $0) }
  }

  private mutating func change(_ context: ManagedObjectContext) throws {
    guard let (key, object) = try own(context) else { return }
    let revision = report.saved[key, default: 0] + 1
    try book(key, revision).write(to: object, version: program.version)
    try context.save()
    report.saved[key] = revision
  }

  private mutating func delete(_ context: ManagedObjectContext) throws {
    guard let (key, object) = try own(context) else { return }
    context.delete(object)
    try context.save()
    report.saved[key] = nil
  }

  private mutating func read(_ context: ManagedObjectContext) throws {
    context.reset()
    var own: [String: Int] = [:]
    for found in try ProgramBook.all(context, version: program.version) {
      let maker = found.key.dropFirst().first?.wholeNumberValue ?? 0
      let expected = ProgramBook(key: found.key, revision: found.revision, madeBy: maker)
      if found != expected.seen(by: program.version) { report.problems.append("\(found)") }
      if found.key.contains(" p\(program.number) ") { own[found.key] = found.revision }
    }
    if own != report.saved { report.problems.append("\(own) in place of \(report.saved)") }
  }

  /// A program that was stopped because of its model cannot open the file again.
  mutating func openAgain(after error: PersistenceError) {
    if error.code != .modelDiffers { return }
    do {
      _ = try program.open()
      report.problems.append("opened again after \(error)")
    } catch let again as PersistenceError {
      if again.code != .newerModel { report.problems.append("\(again)") }
    } catch {
      report.problems.append("\(error)")
    }
  }
}
