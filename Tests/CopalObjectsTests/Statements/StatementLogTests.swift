import Copal
import CopalStore
import CopalTestSupport
import Testing

/// A store with artists, and two works and a museum for each of them.
struct StatementGallery {
  let test: TestStore
  let container: PersistentContainer
  let context: ManagedObjectContext

  init(_ kind: StoreKind = .sqlite, artists: Int = 5) throws {
    test = try TestStore(kind)
    container = try test.container(.gallery, transformers: [])
    let writer = container.makeContext()
    for number in 0..<artists {
      let artist = Artist(context: writer, name: "\(number)")
      let museum = Museum(context: writer, name: "\(number)")
      for _ in 0..<2 {
        let work = Work(context: writer, title: "\(number)")
        artist.works.insert(work)
        work.museum = museum
      }
    }
    try writer.save()
    context = container.makeContext()
  }

  /// The counted records of the statements that the body runs.
  func records(_ body: (ManagedObjectContext) throws -> Void) rethrows -> [StatementRecord] {
    let log = StatementLog()
    let former = context.statementLog
    context.statementLog = log
    defer { context.statementLog = former }
    try body(context)
    return log.records.filter(\.statement.isCounted)
  }

  func reasons(_ body: (ManagedObjectContext) throws -> Void) rethrows -> [String] {
    try records(body).map(\.reason.description)
  }
}

@Suite("A log of statements")
struct StatementLogTests {
  @Test(
    "has a record of each statement, with its text, its rows, its time and its reason", .modelAsIs)
  func records() throws {
    let gallery = try StatementGallery()
    let start = ContinuousClock.now
    let records = try gallery.records { _ = try $0.fetch(Artist.self) { $0.name != "secret" } }
    let record = try #require(records.first)
    #expect(records.count == 1)
    #expect(
      record.text
        == #"SELECT "copal_id", "copal_version", "name" FROM "Artist" WHERE "name" <> ? ORDER BY "copal_id""#
    )
    #expect(record.rowCount == 5)
    #expect(record.statement.start >= start && record.duration > .zero)
    #expect(record.duration < ContinuousClock.now - start)
    #expect(record.reason.operation == .fetch && record.reason.entity == "Artist")
    #expect(!record.description.contains("secret"), "no record has a value")
  }

  @Test("names the reason of each kind of operation", .modelAsIs, arguments: bothStores)
  func reasons(store: StoreKind) throws {
    let gallery = try StatementGallery(store)
    let ids = try gallery.context.fetchIDs(Work.fetchRequest())
    func expect(
      _ reasons: [String], _ location: SourceLocation = #_sourceLocation,
      _ body: (ManagedObjectContext) throws -> Void
    ) throws {
      let context = gallery.container.makeContext()
      let log = StatementLog()
      context.statementLog = log
      try body(context)
      let found = log.records.filter(\.statement.isCounted).map(\.reason.description)
      #expect(Set(found) == Set(reasons), sourceLocation: location)
    }
    try expect(["the fetch of Artist"]) { _ = try $0.fetch(Artist.self) }
    try expect(["the fetch of Artist"]) { _ = try $0.first(Artist.fetchRequest()) }
    try expect(["the fetch of ids of Artist"]) { _ = try $0.fetchIDs(Artist.self) }
    try expect(["the count of Artist"]) { _ = try $0.count(Artist.self) }
    try expect(["the fetch of values of Artist"]) {
      _ = try $0.fetchValues(Artist.self) { $0.name }
    }
    try expect(["the explanation of a request for Artist", "the count of Artist"]) {
      _ = try $0.explain(Artist.fetchRequest())
    }
    try expect(["the fetch of Artist", "the prefetching of Artist.works"]) {
      _ = try $0.fetch(Artist.fetchRequest().prefetching(\.works))
    }
    try expect(["the look-up of Work by id"]) { _ = try $0.existingObject(with: ids[0]) }
    try expect(["the look-up of Work by id"]) {
      let fault = try $0.object(with: ids[0])
      _ = try $0.existingObject(with: fault.objectID)
    }
    try expect(["the values of Work for Work.title"]) {
      _ = try $0.object(with: ids[0], as: Work.self).title
    }
    try expect([
      "the values of Work for Work.artist",
      "the values of Artist for Artist.name, through Work.artist",
    ]) {
      _ = try $0.object(with: ids[0], as: Work.self).artist?.name
    }
    try expect(["the values of Work, asked for by fulfill(_:)"]) {
      try $0.fulfill(try $0.object(with: ids[0]))
    }
    try expect(["the values of Work, asked for by fulfill(_:)"]) {
      try $0.fulfill(try $0.objects(with: ids))
    }
    try expect(["the fetch of Artist", "the relationship Artist.works"]) {
      for artist in try $0.fetch(Artist.self) { _ = artist.works.map(\.title) }
    }
    try expect(["the fetch of Artist", "the number of objects of Artist.works"]) {
      for artist in try $0.fetch(Artist.self) { _ = artist.works.count }
    }
    try expect(["the fetch of Artist", "the refresh of Artist"]) {
      guard let artist = try $0.fetch(Artist.self).first else { return }
      try $0.refresh(artist, mergeChanges: true)
    }
    try expect(["the save"]) {
      _ = Artist(context: $0, name: "new")
      try $0.save()
    }
    try expect(["the deletion of Work"]) { $0.delete(try $0.object(with: ids[0])) }
    try expect(["updateAll of Work"]) {
      try $0.updateAll(Work.self) { $0.title.set(to: "untitled") }
    }
    try expect(["insertAll of Artist"]) {
      try $0.insertAll(Artist.self, from: ["Hals"]) { [$0.name.set(to: $1)] }
    }
    try expect(["deleteAll of Ticket"]) { try $0.deleteAll(Ticket.self) }
  }

  @Test("without a log there are no records, and a log that is removed gets no more")
  func off() throws {
    let gallery = try StatementGallery()
    let log = StatementLog()
    #expect(gallery.context.statementLog == nil)
    gallery.context.statementLog = log
    _ = try gallery.context.count(Artist.self)
    #expect(log.statementCount == 1)
    gallery.context.statementLog = nil
    _ = try gallery.context.count(Artist.self)
    #expect(log.statementCount == 1 && log.records.count == 1)
    log.removeAll()
    #expect(log.statementCount == 0 && log.records.isEmpty && log.groups.isEmpty)
  }

  @Test(
    "transactions and statements for the store itself are records that are not counted", .modelAsIs)
  func roles() throws {
    let gallery = try StatementGallery()
    let log = StatementLog()
    gallery.context.statementLog = log
    _ = Artist(context: gallery.context, name: "new")
    try gallery.context.save()
    let roles = log.records.map { "\($0.statement.role)" }
    #expect(
      roles == [
        "transaction", "housekeeping", "housekeeping", "housekeeping", "housekeeping", "write",
        "transaction",
      ], "\(log)")
    #expect(log.statementCount == 1)
  }

  @Test("logs of two contexts are separate, and a log can be shared", .modelAsIs)
  func twoContexts() throws {
    let gallery = try StatementGallery()
    let other = gallery.container.makeContext()
    let (first, second) = (StatementLog(), StatementLog())
    gallery.context.statementLog = first
    other.statementLog = second
    _ = try gallery.context.fetch(Artist.self)
    _ = try other.count(Work.self)
    _ = try other.count(Museum.self)
    #expect(first.records.map(\.reason.description) == ["the fetch of Artist"])
    #expect(second.records.map(\.reason.entity) == ["Work", "Museum"])
    other.statementLog = first
    _ = try other.count(Museum.self)
    #expect(first.statementCount == 2 && second.statementCount == 2)
  }

  @Test("SQL of the program has its own reasons and roles, however it is written")
  func rawSQL() throws {
    let gallery = try StatementGallery()
    let log = StatementLog(keepsCallSites: false)
    gallery.context.statementLog = log
    _ = try gallery.context.fetchRows(sql: "select count(*)\nfrom \(table: Artist.self)")
    _ = try gallery.context.fetchRows(sql: "WITH a(n) AS (VALUES (1)) SELECT n FROM a")
    try gallery.context.executeUnsafe(
      sql: "update \(table: Artist.self) set \(column: "name", of: "Artist") = 'x' where 1 = 0")
    let found = log.records.filter { [.query, .write].contains($0.statement.role) }
    #expect(
      found.map(\.reason.description) == [
        "SQL of the program", "SQL of the program", "SQL of the program that changes rows",
      ])
    #expect(found.map(\.statement.role) == [.query, .query, .write])
    #expect(log.statementCount == 3)
  }

  @Test("statements outside of every operation have places of their own")
  func transactionPlaces() throws {
    let gallery = try StatementGallery()
    let log = StatementLog()
    gallery.context.statementLog = log
    @inline(never) func first() throws { try gallery.context.transaction {} }
    @inline(never) func second() throws { try gallery.context.transaction {} }
    try first()
    try second()
    let places = log.records.compactMap(\.callSite).map(\.function)
    if !places.isEmpty {
      #expect(places.contains { $0.contains("first") } && places.contains { $0.contains("second") })
    }
  }

  @Test("the log of a container is that of each context that is made afterwards", .modelAsIs)
  func container() async throws {
    let gallery = try StatementGallery()
    let log = StatementLog(keepsCallSites: false)
    let container = gallery.container
    container.statementLog = log
    _ = try gallery.context.count(Artist.self)
    #expect(log.statementCount == 0, "the context is older")
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 {
        group.addTask {
          try await container.perform { context in
            for work in try context.fetch(Work.self) { _ = work.artist?.name }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(log.statementCount == 40, "\(log)")
    #expect(Set(log.records.map(\.reason.operation)) == [.fetch, .fault, .other])
    container.statementLog = nil
  }

  @Test("a fetch in the background is recorded in the log of its context", .modelAsIs)
  func background() async throws {
    let gallery = try StatementGallery()
    let log = StatementLog()
    gallery.context.statementLog = log
    _ = try await gallery.context.fetchInBackground(Artist.fetchRequest())
    #expect(log.records.map(\.reason.description) == ["the fetch of Artist"])
    #expect(log.records.first?.rowCount == 5)
  }

  @Test("keeps as many records as it may, and counts the others")
  func limit() throws {
    let gallery = try StatementGallery()
    let seen = Locked(0)
    let log = StatementLog(limit: 2) { _ in seen.withLock { $0 += 1 } }
    gallery.context.statementLog = log
    for _ in 0..<5 { _ = try gallery.context.count(Artist.self) }
    #expect(log.records.count == 2 && log.statementCount == 5)
    #expect(seen.withLock { $0 } == 5)
    #expect(log.description.hasSuffix("\n… and 3 more"))
    let error = try #require(throws: PersistenceError.self) { try log.expectStatements(atMost: 4) }
    #expect(error.found == "5")
    #expect(
      (error.causes.last as? PersistenceError)?.found
        == "3 more statements, beyond the 2 that the log keeps")
  }

  @Test("is read as one line for each statement", .modelAsIs)
  func text() throws {
    let gallery = try StatementGallery()
    let log = StatementLog(keepsCallSites: false)
    gallery.context.statementLog = log
    _ = try gallery.context.count(Artist.self)
    let pattern = /\d+\.\d\d ms, 1 row: the count of Artist: SELECT count\(\*\) FROM "Artist"/
    #expect(try pattern.wholeMatch(in: log.description) != nil, "\(log)")
  }

  @Test("shows how many statements an operation needs", .modelAsIs)
  func counts() throws {
    func statements(_ body: (ManagedObjectContext) throws -> Void) throws -> [String] {
      let gallery = try StatementGallery()
      return try gallery.records(body).map { record in
        "\(record.reason.operation.rawValue) \(record.objectCount ?? 0) \(record.rowCount)"
      }
    }
    #expect(
      try statements { for work in try $0.fetch(Work.self) { _ = work.artist?.name } }
        == ["fetch 0 10", "fault 5 5"], "the artists of neighbors are read together")
    #expect(
      try statements { for artist in try $0.fetch(Artist.self) { _ = artist.works.map(\.title) } }
        == ["fetch 0 5", "toMany 5 10"])
    #expect(
      try statements { _ = try $0.fetch(Artist.fetchRequest().prefetching(\.works.museum)) }
        == ["fetch 0 5", "prefetch 0 10", "prefetch 0 5"])
    #expect(
      try statements { _ = try $0.fetchBatches(Work.fetchRequest(), size: 4).map(\.title) }
        == ["fetch 0 10", "fetch 0 4", "fetch 0 4", "fetch 0 2"])
    #expect(
      try statements { try $0.updateAll(Work.self) { $0.title.set(to: "untitled") } }.count
        == 1)
    #expect(
      try statements { context in
        for number in 0..<3 { _ = Artist(context: context, name: "new \(number)") }
        try context.save()
      } == ["save 0 0", "save 0 0", "save 0 0"])
  }

  @Test("counts the rows of a store without statements", .modelAsIs)
  func memory() throws {
    let gallery = try StatementGallery(.memory)
    let records = try gallery.records { context in
      for artist in try context.fetch(Artist.self) { _ = artist.works.map(\.title) }
      _ = try context.fetchIDs(Work.self)
      _ = try context.fetchValues(Work.self) { $0.title }
    }
    #expect(records.map(\.rowCount) == [5, 10, 10, 10])
    #expect(records.allSatisfy { $0.text == nil && $0.statement.role == .query })
    #expect(
      records.first?.description.contains(/^\d+\.\d\d ms, 5 rows: the fetch of Artist/) == true)
  }

  @Test("is the same inside a read transaction that was open before", arguments: bothStores)
  func readTransaction(store: StoreKind) throws {
    let gallery = try StatementGallery(store)
    let log = StatementLog()
    try gallery.context.readTransaction {
      let before = try gallery.context.count(Work.self)
      gallery.context.statementLog = log
      let other = gallery.container.makeContext()
      _ = Work(context: other, title: "new")
      try other.save()
      #expect(try gallery.context.count(Work.self) == before)
      gallery.context.statementLog = nil
      #expect(try gallery.context.count(Work.self) == before)
    }
    #expect(log.statementCount == 1)
  }

  @Test("an explanation of a request for values has the statement and its plan", .modelAsIs)
  func explainValues() throws {
    let gallery = try StatementGallery()
    var request = ValueRequest(
      entityName: "Work",
      columns: [.init("artist", .property("artist")), .init("works", .objectCount)],
      predicate: .comparison(.property("title"), .notEqual, .constant("x")))
    let explanation = try gallery.context.explain(request)
    #expect(
      explanation.statement?.hasPrefix(#"SELECT "artist", count(*)"#) == true, "\(explanation)")
    #expect(explanation.bindings == ["text"])
    #expect(explanation.scannedTables == ["Work"] || !explanation.steps.isEmpty)
    #expect(explanation.objectCount == 5 && explanation.inMemory.isEmpty)
    #expect(!explanation.description.contains("x\""))
    _ = Work(context: gallery.context, title: "new")
    let changed = try gallery.context.explain(request)
    #expect(changed.objectCount == 6)
    #expect(
      changed.inMemory == [
        "1 object of Work with unsaved changes: the values are grouped and sorted in memory."
      ])
    request.includesPendingChanges = false
    #expect(try gallery.context.explain(request).objectCount == 5)
    let memory = try StatementGallery(.memory).context.explain(request)
    #expect(memory.statement == nil && memory.objectCount == 5)
  }

  @Test("a hook has reasons of its own, and the operation around it goes on", .modelAsIs)
  func hooks() throws {
    let context = try TestStore().studio().makeContext()
    let (paul, emma) = (
      Apprentice(context: context, name: "Paul"), Apprentice(context: context, name: "Emma")
    )
    try context.save()
    try context.refresh(emma, mergeChanges: false)
    paul.onWillSave = {
      _ = try? context.count(Apprentice.self)
      _ = emma.skill
    }
    let log = StatementLog(keepsCallSites: false)
    context.statementLog = log
    paul.task = "gild"
    try context.save()
    // With unsaved changes, a count can need several statements.
    let reasons = log.groups.map(\.reason.description)
    #expect(
      Set(reasons) == [
        "the count of Apprentice", "the values of Apprentice for Apprentice.skill", "the save",
      ])
    #expect(log.records.last?.reason.description == "the save")
  }
}
