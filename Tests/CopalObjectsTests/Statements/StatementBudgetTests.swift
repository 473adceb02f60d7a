import Copal
import CopalTestSupport
import Testing

@Suite("A budget of statements")
struct StatementBudgetTests {
  let gallery: StatementGallery

  init() throws { gallery = try StatementGallery(artists: 20) }

  private var context: ManagedObjectContext { gallery.context }

  private func error(atMost limit: Int, _ body: () throws -> Void) throws -> PersistenceError {
    let error = try #require(throws: PersistenceError.self) {
      try context.expectStatements(atMost: limit, body)
    }
    #expect(error.code == .tooManyStatements)
    return error
  }

  private func sentences(_ error: PersistenceError) -> [String] {
    error.causes.compactMap { ($0 as? PersistenceError)?.found }
  }

  /// Shows each work alone: the values of its artist are one statement for each of them.
  // Not inlined, here and below: a release build names the function that the code is inlined into.
  @inline(never)
  private func showWorks(_ ids: [ManagedObjectID]) throws {
    for id in ids { _ = try context.existingObject(with: id, as: Work.self).artist?.name }
  }

  @inline(never)
  private func countWorks() throws -> Int {
    try context.fetch(Artist.self).reduce(0) { $0 + $1.works.count }
  }

  @Test("that is kept returns the result of the body")
  func kept() throws {
    let count = try context.expectStatements(atMost: 2) {
      try context.fetch(Artist.fetchRequest().prefetching(\.works)).reduce(0) {
        $0 + $1.works.count
      }
    }
    #expect(count == 40)
    try context.expectStatements(atMost: 0) {}
  }

  @Test("that is exceeded names an N+1 of a to-one relationship, with its place", .modelAsIs)
  func toOne() throws {
    let ids = try context.fetchIDs(Work.fetchRequest())
    let error = try error(atMost: 3) { try showWorks(ids) }
    #expect(error.found == "60" && error.expected == "3")
    let sentences = sentences(error)
    #expect(sentences.count == 2)
    #expect(
      sentences.first?.hasPrefix("40 times: the look-up of Work by id") == true, "\(sentences)")
    #expect(
      sentences.last?.hasPrefix(
        "20 times: the values of Artist for Artist.name, through Work.artist, of 1 object each")
        == true, "\(sentences)")
    #expect(
      sentences.last?.hasSuffix(
        #"; prefetch it: fetch the owners with prefetching(\.artist)"#) == true)
    #if os(Linux)
      for sentence in sentences {
        #expect(
          sentence.contains(
            /at StatementBudgetTests.showWorks\(_:\) \(StatementBudgetTests.swift:\d+\)/),
          "\(sentence)")
      }
    #endif
  }

  @Test("that is exceeded names an N+1 of a to-many relationship, with its place", .modelAsIs)
  func toMany() throws {
    let error = try error(atMost: 3) { _ = try countWorks() }
    let sentences = sentences(error)
    #expect(sentences.count == 2)
    #expect(
      sentences.first?.hasPrefix("20 times: the number of objects of Artist.works") == true,
      "\(sentences)")
    #expect(sentences.last?.hasPrefix("once: the fetch of Artist") == true)
    #if os(Linux)
      #expect(
        sentences.first?.contains(
          /at (?:closure #1 in )?StatementBudgetTests.countWorks\(\) \(StatementBudgetTests.swift:\d+\)/
        ) == true, "\(sentences)")
    #endif
  }

  @Test("throws the error of the body as it is, and ends with it")
  func bodyError() throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try context.expectStatements(atMost: 0) {
        _ = try countWorks()
        throw Failure()
      }
    }
    #expect(try context.expectStatements(atMost: 0) { context.hasChanges } == false)
  }

  @Test("nests: the statements of the inner body count in the outer one, and the log gets all")
  func nesting() throws {
    let log = StatementLog()
    context.statementLog = log
    let error = try error(atMost: 2) {
      _ = try context.count(Work.self)
      try context.expectStatements(atMost: 2) {
        _ = try context.count(Artist.self)
        _ = try context.count(Museum.self)
      }
    }
    #expect(error.found == "3" && log.statementCount == 3)
    #expect(context.statementLog === log)
  }

  @Test("counts neither transactions nor statements of other contexts")
  func notCounted() throws {
    let other = gallery.container.makeContext()
    try context.expectStatements(atMost: 1) {
      _ = try other.count(Work.self)
      try context.readTransaction { _ = try context.count(Work.self) }
    }
  }

  @Test("of a log works for work that awaits, and for several contexts")
  func ofLog() async throws {
    let log = StatementLog()
    gallery.container.statementLog = log
    try await gallery.container.perform { _ = try $0.count(Work.self) }
    try await gallery.container.perform { _ = try $0.count(Work.self) }
    try log.expectStatements(atMost: 2)
    let error = try #require(throws: PersistenceError.self) {
      try log.expectStatements(atMost: 1)
    }
    #expect(error.code == .tooManyStatements && error.found == "2")
  }
}
