import Copal
import CopalTestSupport
import Testing

@Suite("References to objects that do not exist")
struct DanglingReferenceTests {
  private let test: TestStore
  private let container: PersistentContainer
  private let context: ManagedObjectContext

  /// Ten artists with a work each; another program has deleted the artists 3 and 4.
  init() throws {
    test = try TestStore(.sqlite)
    container = try test.gallery()
    let writer = container.makeContext()
    for number in 1...10 {
      Work(context: writer, title: "\(number)").artist = Artist(context: writer, name: "\(number)")
    }
    try writer.save()
    #expect(try test.sqlite3("DELETE FROM Artist WHERE copal_id IN (3, 4)") == "")
    test.expectsBrokenReferences()
    context = container.makeContext()
  }

  private func expectReport(of works: [Work], _ reports: [PersistenceError]) {
    #expect(reports.map(\.code) == works.map { _ in .danglingReference })
    #expect(reports.map(\.entity) == works.map { _ in "Work" })
    #expect(reports.map(\.property) == works.map { _ in "artist" })
    #expect(reports.map(\.objectID) == works.map(\.objectID))
    #expect(reports.map { $0.otherID?.description.last } == works.map(\.title.last))
  }

  @Test(
    "a relationship reads nil once a read has found that its object is missing, and tells it once",
    .modelAsIs)
  func readFault() throws {
    let work = try #require(try context.fetch(Work.self) { $0.title == "3" }.first)
    let artist = try #require(work.artist, "a relationship does not read its object")
    #expect(artist.name == "" && artist.isMissingInStore)
    #expect(test.takeReadFailures().map(\.code) == [.objectMissing])
    let statements = test.recorder.statements {
      for _ in 0..<3 { #expect(work.artist == nil) }
    }
    #expect(statements == [])
    expectReport(of: [work], test.takeReadFailures())
    #expect(!context.hasChanges && !work.isFault && work.title == "3")
  }

  @Test("neighbors that are read in the same statement are known to be missing at once", .modelAsIs)
  func neighbors() throws {
    let works = try context.fetch(Work.self)
    let statements = test.recorder.statements {
      #expect(works[0].artist?.name == "1")
      #expect(works.map(\.artist?.name) == ["1", "2", nil, nil, "5", "6", "7", "8", "9", "10"])
    }
    #expect(statements.count == 1)
    expectReport(of: [works[2], works[3]], test.takeReadFailures())
    #expect(works[2].artist == nil && test.takeReadFailures().isEmpty)
  }

  @Test("prefetched objects that do not exist are known at once", .modelAsIs)
  func prefetching() throws {
    var works: [Work] = []
    let statements = try test.recorder.statements {
      works = try context.fetch(Work.fetchRequest().prefetching(\.artist, \.artist.works))
      #expect(works[2].artist == nil && works[4].artist?.works.first === works[4])
    }
    #expect(statements.count == 3)
    expectReport(of: [works[2]], test.takeReadFailures())
  }

  @Test("the reference can be replaced, and a refresh looks again", .modelAsIs)
  func replaced() throws {
    let works = try context.fetch(Work.fetchRequest().prefetching(\.artist))
    #expect(works[2].artist == nil && works[3].artist == nil)
    works[2].artist = nil
    works[3].artist = works[0].artist
    #expect(works[2].hasChanges && works[3].artist?.name == "1")
    try context.save()
    #expect(try container.check() == [])
    #expect(
      try test.sqlite3("SELECT ifnull(artist, 0) FROM Work WHERE copal_id IN (3, 4)") == "0\n1")
    #expect(try test.sqlite3("UPDATE Work SET artist = 4 WHERE copal_id = 5") == "")
    _ = test.takeReadFailures()
    try context.refresh(works[4], mergeChanges: false)
    #expect(works[4].artist == nil)
    #expect(test.takeReadFailures().map(\.otherID?.description.last) == ["4"])
    try context.refresh(works[4], mergeChanges: true)
    #expect(works[4].artist == nil)
    #expect(test.takeReadFailures().count == 1)
  }

  @Test("an object that is back is found again after a refresh", .modelAsIs)
  func back() throws {
    let work = try #require(try context.fetch(Work.self) { $0.title == "3" }.first)
    let artist = try #require(work.artist)
    _ = artist.name
    #expect(work.artist == nil)
    #expect(
      try test.sqlite3("INSERT INTO Artist (copal_id, copal_version, name) VALUES (3, 1, 'back')")
        == "")
    try context.refresh(artist, mergeChanges: false)
    #expect(work.artist === artist && artist.name == "back" && !artist.isMissingInStore)
  }

  @Test("access by name throws the error", .modelAsIs)
  func byName() throws {
    let works = try context.fetch(Work.fetchRequest().prefetching(\.artist))
    let error = try #require(throws: PersistenceError.self) {
      try works[2].value(of: "artist", as: Artist.self)
    }
    expectReport(of: [works[2]], [error])
    #expect(try works[0].value(of: "artist", as: Artist.self)?.name == "1")
    #expect(test.takeReadFailures().isEmpty)
  }

  @Test(
    "an object that another context has deleted reads nil, too", .modelAsIs, arguments: bothStores)
  func otherContext(_ kind: StoreKind) throws {
    let test = try TestStore(kind)
    let container = try test.gallery()
    let (mine, theirs) = (container.makeContext(), container.makeContext())
    let works = ["Milkmaid", "Delft"].map { Work(context: mine, title: $0) }
    for work in works { work.museum = Museum(context: mine, name: work.title) }
    try mine.save()
    let reader = container.makeContext()
    let found = try reader.fetch(Work.self)
    let same = try theirs.fetch(Work.fetchRequest().prefetching(\.museum))
    let museum = try #require(same[0].museum)
    same[0].museum = nil
    theirs.delete(museum)
    try theirs.save()
    #expect(found[1].museum?.name == "Delft")
    #expect(found[0].museum == nil)
    #expect(test.takeReadFailures().map(\.code) == [.danglingReference])
    try reader.refresh(found[0], mergeChanges: false)
    #expect(found[0].museum == nil && test.takeReadFailures().isEmpty, "nothing refers to it now")
    #expect(try container.check() == [])
  }

  private static let noAction = ModelBinding(
    name: "Loose",
    json: """
      { "copal": 1, "model": "Loose", "entities": {
        "Owner": { "attributes": { "name": "string?" }, "relationships": {
          "things": { "type": "[Thing]", "inverse": "owner", "delete": "noAction" } } },
        "Thing": { "attributes": { "name": "string?" }, "relationships": {
          "owner": { "type": "Owner?", "inverse": "things" } } } } }
      """, classes: [])

  @Test(
    "a reference that the rule noAction leaves behind reads nil and tells nothing", .modelAsIs,
    arguments: bothStores)
  func noAction(_ kind: StoreKind) throws {
    let test = try TestStore(kind)
    let container = try test.container(Self.noAction, transformers: [])
    let writer = container.makeContext()
    let owner = try writer.insert("Owner")
    for _ in 0..<2 { try writer.insert("Thing").setValue(owner, forKey: "owner") }
    try writer.save()
    writer.delete(owner)
    try writer.save()
    let context = container.makeContext()
    var request = FetchRequest<ManagedObject>(entityName: "Thing")
    request.prefetchedPaths = ["owner"]
    let things = try context.fetch(request)
    #expect(things.count == 2)
    for thing in things {
      #expect(try thing.value(forKey: "owner") == nil)
      #expect(thing._copalToOne(1, as: ManagedObject.self) == nil)
    }
    #expect(test.takeReadFailures().isEmpty)
    #expect(try container.check() == [])
  }
}

@Suite("Checking a store for what other programs have left broken")
struct StoreCheckTests {
  private func store(_ sql: String) throws -> (TestStore, PersistentContainer) {
    let test = try TestStore(.sqlite)
    let container = try test.gallery()
    let context = container.makeContext()
    for number in 1...3 {
      let work = Work(context: context, title: "\(number)")
      work.artist = Artist(context: context, name: "\(number)")
      work.museum = Museum(context: context, name: "\(number)")
      work.frame = Frame(context: context)
      Topic(context: context, name: "\(number)").parent = Topic(context: context, name: "parent")
    }
    try context.save()
    #expect(try container.check() == [])
    #expect(try test.sqlite3(sql) == "")
    return (test, container)
  }

  @Test(
    "finds each reference to a row that does not exist, by entity and key, and changes nothing",
    .modelAsIs)
  func missing() throws {
    let (test, container) = try store(
      """
      DELETE FROM Artist WHERE copal_id = 2; DELETE FROM Museum WHERE copal_id > 1; \
      UPDATE Topic SET parent = 99 WHERE copal_id = 1;
      """)
    let before = try test.sqlite3(".dump")
    let problems = try container.check()
    #expect(try test.sqlite3(".dump") == before)
    #expect(
      problems.map(\.description) == [
        "Work.artist of Work p2 refers to Artist p2, which does not exist",
        "Work.museum of Work p2 refers to Museum p2, which does not exist",
        "Work.museum of Work p3 refers to Museum p3, which does not exist",
        "Topic.parent of Topic p1 refers to Topic p99, which does not exist",
      ])
    let first = try #require(problems.first)
    #expect(first.kind == .missingObject)
    #expect(first.entityName == "Work" && first.propertyName == "artist")
    let context = container.makeContext()
    let work = try context.existingObject(with: try #require(first.objectID), as: Work.self)
    #expect(work.title == "2" && work.artist?.objectID == first.otherID)
    for problem in problems {
      let object = try context.existingObject(with: try #require(problem.objectID))
      try object.setValue(nil, forKey: try #require(problem.propertyName))
    }
    try context.save()
    #expect(try container.check() == [])
    #expect(try test.sqlite3("PRAGMA foreign_key_check") == "")
  }

  @Test("finds a value that is no key", .modelAsIs)
  func noKey() throws {
    let (test, container) = try store("UPDATE Work SET artist = 'Vermeer' WHERE copal_id = 3")
    test.expectsBrokenReferences()
    let problem = try #require(try container.check().first)
    #expect(problem.kind == .noKey && problem.otherID == nil)
    #expect(problem.description == "Work.artist of Work p3 contains a value that is no key")
  }

  @Test("throws when the store cannot be read")
  func unreadable() throws {
    let outage = Outage()
    let container = try PersistentContainer(model: .gallery, store: outage.configuration)
    #expect(try container.check() == [])
    outage.isDown = true
    #expect(throws: PersistenceError.self) { try container.check() }
  }
}
