import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Lists that stay up to date", .modelAsIs)
struct FetchedResultsControllerTests {
  /// A list of painters, and what it tells.
  private final class Wall {
    let context: ManagedObjectContext
    let list: FetchedResultsController<Painter>
    var lines: [String] = []
    private var subscription: ChangeSubscription?

    init(
      _ context: ManagedObjectContext, _ request: FetchRequest<Painter>,
      _ sections: ResultsSections<Painter>? = nil
    ) throws {
      self.context = context
      list = try FetchedResultsController(request, sectionedBy: sections, in: context)
      subscription = list.onChange { [unowned self] change in
        var words: [String] = []
        if change.isReload { words.append("all") }
        words += change.deletedSections.map { "-section \($0)" }
        words += change.insertedSections.map { "+section \($0)" }
        words += change.deleted.map { "-\($0)" }
        words += change.inserted.map { "+\($0) \(list[$0].name)" }
        words += change.moves.map { "\($0.from)>\($0.to) \(list[$0.to].name)" }
        words += change.updated.map { "=\($0) \(list[$0].name)" }
        lines.append(words.joined(separator: ", "))
      }
      try list.performFetch()
    }

    /// What a turn tells.
    func turn(_ body: () throws -> Void) rethrows -> [String] {
      lines = []
      try body()
      context.processPendingChanges()
      return lines
    }

    var names: [String] { list.objects.map(\.name) }
    var sections: [String] {
      list.sections.map { "\($0.name ?? "nil"): \($0.objects.map(\.name).joined(separator: " "))" }
    }
  }

  private func context(_ kind: StoreKind, _ names: [String]) throws -> ManagedObjectContext {
    let context = try TestStore(kind).atelier().makeContext()
    context.automaticallyMergesChanges = true
    for (number, name) in names.enumerated() {
      Painter(context: context, name: name).prizes = Int16(number)
    }
    try context.save()
    return context
  }

  private func painter(_ name: String, _ context: ManagedObjectContext) throws -> Painter {
    try #require(try context.fetch(Painter.self) { $0.name == name }.first)
  }

  @Test("objects come, go, move and change", arguments: bothStores)
  func changes(_ kind: StoreKind) throws {
    let context = try context(kind, ["Berthe", "Rosa", "Sofonisba"])
    let wall = try Wall(
      context,
      Painter.fetchRequest().filter { $0.prizes < 10 }.sorted(by: \.name.ascending))
    #expect(wall.names == ["Berthe", "Rosa", "Sofonisba"])
    #expect(wall.turn { _ = Painter(context: context, name: "Paula") } == ["+[0, 1] Paula"])
    #expect(try wall.turn { try painter("Rosa", context).prizes = 5 } == ["=[0, 2] Rosa"])
    #expect(try wall.turn { try painter("Rosa", context).prizes = 20 } == ["-[0, 2]"])
    #expect(try wall.turn { try painter("Rosa", context).prizes = 1 } == ["+[0, 2] Rosa"])
    #expect(
      try wall.turn { try painter("Sofonisba", context).name = "Anna" } == ["[0, 3]>[0, 0] Anna"])
    #expect(try wall.turn { context.delete(try painter("Berthe", context)) } == ["-[0, 1]"])
    #expect(try wall.turn { try context.save() } == [], "a save changes no list")
    #expect(wall.names == ["Anna", "Paula", "Rosa"])
    #expect(
      try wall.turn {
        try painter("Anna", context).name = "Zoe"
        try painter("Rosa", context).prizes = 3
        context.rollback()
      }.allSatisfy { $0.hasPrefix("=") })
  }

  @Test("sections end and begin", arguments: bothStores)
  func sections(_ kind: StoreKind) throws {
    let context = try context(kind, ["a", "b", "c"])
    let wall = try Wall(
      context, Painter.fetchRequest().sorted(by: \.prizes.ascending, \.name.ascending), "prizes")
    #expect(wall.sections == ["0: a", "1: b", "2: c"])
    #expect(
      try wall.turn { try painter("b", context).prizes = 0 } == ["-section 1, [1, 0]>[0, 1] b"])
    #expect(wall.sections == ["0: a b", "2: c"])
    #expect(
      try wall.turn { try painter("a", context).prizes = 1 }
        == ["+section 1, [0, 0]>[1, 0] a"])
    #expect(wall.sections == ["0: b", "1: a", "2: c"])
    #expect(try wall.turn { context.delete(try painter("b", context)) } == ["-section 0, -[0, 0]"])
    #expect(wall.list.snapshot.sections.map(\.name) == ["1", "2"])
    #expect(
      wall.list.position(of: try painter("c", context)) == ResultsPosition(section: 1, item: 0))
  }

  @Test("the objects of every section begin at 0, in any section", arguments: bothStores)
  func positionsInSections(_ kind: StoreKind) throws {
    let context = try context(kind, [])
    // The second section has several chunks of the list.
    let plain = [0..<3, 3..<700, 700..<800].map { $0.map { "p\($0)" } }
    for (prizes, names) in plain.enumerated() {
      for name in names { Painter(context: context, name: name).prizes = Int16(prizes) }
    }
    let wall = try Wall(
      context, Painter.fetchRequest().sorted(by: \.prizes.ascending), "prizes")
    let sections = wall.list.sections
    #expect(
      sections.map { section in (0..<section.count).map { section.objects[$0].name } } == plain)
    #expect(sections.map { $0.objects.map(\.name) } == plain)
    #expect(sections.map { $0.objects.reversed().map(\.name) } == plain.map { $0.reversed() })
    #expect(sections[1].objects[5..<7].map(\.name) == ["p8", "p9"])
    #expect(sections.map { $0.objects.first?.name } == plain.map(\.first))
    #expect(sections.map { $0.objects.last?.name } == plain.map(\.last))
    for (number, section) in sections.enumerated() {
      for (item, object) in section.objects.enumerated() {
        try #require(wall.list[ResultsPosition(section: number, item: item)] === object)
      }
    }
    // A section is as it was when it was asked for.
    _ = wall.turn { context.delete(sections[0].objects[0]) }
    #expect(sections[1].objects[0].name == "p3" && wall.list.sections[0].objects[0].name == "p1")
  }

  @Test("a key path makes the sections that its text makes", arguments: bothStores)
  func keyPaths(_ kind: StoreKind) throws {
    let context = try context(kind, ["émile", "Eva", "anna", "Zoe"])
    for (number, painter) in try context.fetch(Painter.self).enumerated() where number > 0 {
      painter.born = Date(timeIntervalSince1970: Double(number) * 40 * 86_400)
    }
    let many: @Sendable (PropertyValue) -> String? = {
      if case .integer(let prizes) = $0, prizes > 1 { "many" } else { nil }
    }
    let pairs: [(ResultsSections<Painter>, ResultsSections<Painter>, Int)] = [
      (.value(of: \.name), "name", 4), (.value(of: \.email), "email", 1),
      (.firstLetter(of: \.name), .firstLetter(of: "name"), 3),
      (.day(of: \.born, in: Self.zone(1)), .day(of: "born", in: Self.zone(1)), 4),
      (.month(of: \.born, in: .gmt), .month(of: "born", in: .gmt), 4),
      (.year(of: \.born, in: .gmt), .year(of: "born", in: .gmt), 2),
      (.function(of: \.prizes, many), .function(of: "prizes", many), 2),
    ]
    for (typed, text, count) in pairs {
      let sections = try Wall(context, Painter.fetchRequest(), typed).sections
      #expect(try sections == Wall(context, Painter.fetchRequest(), text).sections)
      #expect(sections.count == count)
    }
  }

  @Test("a key path over a to-one relationship makes sections", arguments: bothStores)
  func keyPathOverToOne(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let hals = Artist(context: context, name: "Hals")
    for (title, artist) in [
      ("b", hals), ("c", Artist(context: context, name: "Leyster")), ("a", hals),
    ] {
      Work(context: context, title: title).artist = artist
    }
    _ = Work(context: context, title: "d")
    let list = try FetchedResultsController(
      Work.fetchRequest().sorted(by: \.title.ascending), sectionedBy: \.artist.name, in: context)
    try list.performFetch()
    #expect(list.sections.map(\.name) == [nil, "Hals", "Leyster"])
    #expect(list.sections.map { $0.objects.map(\.title) } == [["d"], ["a", "b"], ["c"]])
  }

  @Test(
    "sections of dates",
    arguments: [
      (
        ResultsSections<Painter>.day(of: "born", in: zone(1)),
        ["nil: x", "1906-12-31: a", "1907-01-01: b c", "2000-02-29: d"]
      ),
      (
        .day(of: "born", in: zone(-1)),
        ["nil: x", "1906-12-31: a b", "1907-01-01: c", "2000-02-29: d"]
      ),
      (.month(of: "born", in: zone(1)), ["nil: x", "1906-12: a", "1907-01: b c", "2000-02: d"]),
      (.year(of: "born", in: zone(1)), ["nil: x", "1906: a", "1907: b c", "2000: d"]),
    ])
  func dates(_ sections: ResultsSections<Painter>, _ expected: [String]) throws {
    let context = try context(.memory, ["x"])
    for (name, date) in [
      ("a", "1906-12-31T22:00:00Z"), ("b", "1906-12-31T23:30:00Z"), ("c", "1907-01-01T12:00:00Z"),
      ("d", "2000-02-29T01:30:00Z"),
    ] {
      Painter(context: context, name: name).born = try Date(date, strategy: .iso8601)
    }
    #expect(try Wall(context, Painter.fetchRequest(), sections).sections == expected)
  }

  private static func zone(_ hours: Int) -> TimeZone {
    TimeZone(secondsFromGMT: hours * 3600) ?? .gmt
  }

  @Test("sections of first letters, and of a function")
  func letters() throws {
    let context = try context(.memory, ["émile", "Eva", "anna", "Zoe", "Ärne", "10 hands"])
    #expect(
      try Wall(context, Painter.fetchRequest(), .firstLetter(of: "name")).sections == [
        "1: 10 hands", "A: anna Ärne", "E: émile Eva", "Z: Zoe",
      ])
    let natural = Painter.fetchRequest().sorted(by: \.name.natural.ascending)
    #expect(try Wall(context, natural, .firstLetter(of: "name")).sections.first == "#: 10 hands")
    let many = ResultsSections<Painter>.function(of: "prizes") {
      if case .integer(let prizes) = $0, prizes > 3 { "many" } else { nil }
    }
    let wall = try Wall(context, Painter.fetchRequest(), many)
    #expect(wall.sections == ["nil: émile Eva anna Zoe", "many: Ärne 10 hands"])
    #expect(
      try wall.turn { try painter("Zoe", context).prizes = 9 } == ["[0, 3]>[1, 2] Zoe"])
  }

  @Test("sections that go back and forth are refused, and a list stays as it was")
  func sectionPath() throws {
    let context = try context(.memory, ["a", "b", "c"])
    let parity = ResultsSections<Painter>.function(of: "prizes") {
      if case .integer(let prizes) = $0, prizes % 2 == 1 { "odd" } else { "even" }
    }
    let error = #expect(throws: PersistenceError.self) {
      try Wall(context, Painter.fetchRequest(), parity)
    }
    #expect(error?.code == .sectionPath && error?.property == "prizes")
    #expect(error?.found == nil && error?.expected == nil)

    try painter("c", context).prizes = 1
    let wall = try Wall(context, Painter.fetchRequest(), parity)
    var reported: [PersistenceError] = []
    context.readFailureHandler = { reported.append($0) }
    #expect(wall.turn { Painter(context: context, name: "d").prizes = 2 } == [])
    #expect(reported.map(\.code) == [.sectionPath] && wall.names == ["a", "b", "c"])
    let healed = try wall.turn { try painter("d", context).prizes = 3 }
    #expect(healed == ["all, +[1, 2] d"])
  }

  @Test(
    "a limit shows the first objects, and what comes after them is known for a while",
    arguments: bothStores)
  func limit(_ kind: StoreKind) throws {
    let context = try context(kind, (10..<60).map { "p\($0)" })
    var request = Painter.fetchRequest().sorted(by: \.name.ascending)
    request.limit = 2
    let wall = try Wall(context, request)
    let log = StatementLog()
    context.statementLog = log
    #expect(wall.names == ["p10", "p11"])
    let (first, second) = (wall.list.objects[0], wall.list.objects[1])
    #expect(wall.turn { context.delete(first) } == ["-[0, 0], +[0, 1] p12"])
    #expect(wall.turn { _ = Painter(context: context, name: "p0") } == ["-[0, 1], +[0, 0] p0"])
    #expect(wall.turn { second.name = "p99" } == ["-[0, 1], +[0, 1] p12"])
    #expect(wall.turn { _ = Painter(context: context, name: "p98") } == [])
    #expect(log.statementCount == 0, "no statement")
    #expect(
      wall.turn { for object in wall.list.objects { context.delete(object) } }
        == ["-[0, 0], -[0, 1], +[0, 0] p13, +[0, 1] p14"])
  }

  @Test("what others save comes without a statement", arguments: bothStores)
  func merging(_ kind: StoreKind) throws {
    let test = try TestStore(kind)
    let container = try test.atelier()
    let (context, others) = (container.makeContext(), container.makeContext())
    context.automaticallyMergesChanges = true
    let wall = try Wall(
      context, Painter.fetchRequest().filter { $0.prizes > 0 }.sorted(by: \.name.ascending))
    let log = StatementLog()
    context.statementLog = log
    let theirs = Painter(context: others, name: "Rosa")
    theirs.prizes = 1
    try others.save()
    #expect(wall.turn { context.mergeChanges() } == ["+[0, 0] Rosa"])
    theirs.prizes = 0
    try others.save()
    #expect(wall.turn { context.mergeChanges() } == ["-[0, 0]"])
    theirs.prizes = 2
    try others.save()
    #expect(wall.turn { context.mergeChanges() } == ["+[0, 0] Rosa"])
    others.delete(theirs)
    try others.save()
    #expect(wall.turn { context.mergeChanges() } == ["-[0, 0]"])
    #expect(log.statementCount == 0)
    let ids = try others.insertAll(Painter.self, from: ["x"]) {
      $0.name.set(to: $1); $0.prizes.set(to: 3)
    }
    #expect(wall.turn { context.mergeChanges() } == ["+[0, 0] x"])
    _ = try others.updateAll(Painter.self, where: { $0.name == "x" }) { $0.prizes.set(to: 4) }
    #expect(wall.turn { context.mergeChanges() } == ["all"])
    _ = ids
  }

  @Test("sections by days of what is no date, and by a name that does not exist, are refused")
  func wrongSections() throws {
    let context = try context(.memory, [])
    func refusal(_ sections: ResultsSections<Painter>) -> String? {
      #expect(throws: PersistenceError.self) {
        _ = try FetchedResultsController(
          Painter.fetchRequest(), sectionedBy: sections, in: context)
      }.map { "\($0)" }
    }
    for sections: ResultsSections<Painter> in [
      .day(of: "name", in: .gmt), .month(of: "prizes", in: .gmt), .year(of: "email", in: .gmt),
    ] {
      #expect(refusal(sections)?.contains("request.invalidExpression") == true)
    }
    #expect(
      refusal("nmae.length")?.contains("did you mean 'name.length'?") == true)
    _ = try FetchedResultsController(
      Painter.fetchRequest(), sectionedBy: .day(of: "born", in: .gmt), in: context)
  }

  @Test("a list keeps its context, a closure does not keep the list")
  func lifetimes() throws {
    weak var context: ManagedObjectContext?
    weak var list: FetchedResultsController<Painter>?
    do {
      let made = try TestStore(.memory).atelier().makeContext()
      context = made
      let controller = try FetchedResultsController(Painter.fetchRequest(), in: made)
      list = controller
      try controller.performFetch()
    }
    #expect(list == nil && context == nil)
  }
}

@Suite("Results as sequences")
struct ResultsSequenceTests {
  private actor Reader {
    private let context: ManagedObjectContext
    init(_ container: PersistentContainer) { context = container.makeContext() }

    func read(_ body: @escaping @Sendable ([String]) async -> Void) async throws {
      let request = Painter.fetchRequest().sorted(by: \.name.ascending)
      for try await painters in context.results(of: request) {
        await body(painters.map(\.name))
      }
    }
  }

  @Test("the result of a request, again when it has changed", arguments: bothStores)
  func results(_ kind: StoreKind) async throws {
    let container = try TestStore(kind).atelier()
    let reader = Reader(container)
    let (results, continuation) = AsyncStream<[String]>.makeStream()
    let task = Task { try await reader.read { continuation.yield($0) } }
    var iterator = results.makeAsyncIterator()
    #expect(await iterator.next() == [])
    let context = container.makeContext()
    let rosa = Painter(context: context, name: "Rosa")
    try context.save()
    #expect(await iterator.next() == ["Rosa"])
    rosa.name = "R"
    _ = Painter(context: context, name: "Anna")
    try context.save()
    #expect(await iterator.next() == ["Anna", "R"])
    task.cancel()
    try await task.value
  }

  @Test("values and a count, only after commits that their requests read", arguments: bothStores)
  func values(_ kind: StoreKind) async throws {
    struct Line: Decodable, Sendable, Equatable { var name: String }
    let test = try TestStore(kind)
    let container = try test.atelier()
    let context = container.makeContext()
    let request = ValueRequest(
      entityName: "Painter", columns: [.init("name", .property("name"))])
    var values = container.values(of: request, as: Line.self).makeAsyncIterator()
    var counts = container.count(of: Painter.fetchRequest().filter { $0.name == "Rosa" })
      .makeAsyncIterator()
    #expect(try await values.next() == [])
    #expect(try await counts.next() == 0)
    let rosa = Painter(context: context, name: "Rosa")
    try context.save()
    #expect(try await values.next() == [Line(name: "Rosa")])
    #expect(try await counts.next() == 1)
    for number in 1...1000 {
      rosa.prizes = Int16(number % 100)
      try context.save()
    }
    rosa.name = "R"
    try context.save()
    #expect(try await values.next() == [Line(name: "R")])
    #expect(try await counts.next() == 0)
  }

  @Test("a thousand commits that a request does not read run no statement of it")
  func commits() async throws {
    let test = try TestStore()
    let container = try test.atelier()
    let context = container.makeContext()
    let rosa = Painter(context: context, name: "Rosa")
    try context.save()
    let request = ValueRequest(
      entityName: "Painter", columns: [.init("name", .property("name"))])
    let (names, continuation) = AsyncStream<[String]>.makeStream()
    let task = Task {
      for try await rows in container.values(of: request, as: String.self) {
        continuation.yield(rows)
      }
    }
    var iterator = names.makeAsyncIterator()
    #expect(await iterator.next() == ["Rosa"])
    _ = test.recorder.take()
    for number in 1...1000 {
      rosa.prizes = Int16(number % 100)
      try context.save()
      if number % 10 == 0 { await Task.yield() }
    }
    // The reader has seen them all when it has seen this one.
    let reads = test.recorder.take().filter {
      $0.hasPrefix("SELECT") && $0.contains("Painter")
    }
    rosa.name = "R"
    try context.save()
    #expect(await iterator.next() == ["R"])
    let last = test.recorder.take().filter {
      $0.hasPrefix("SELECT") && $0.contains("Painter")
    }
    #expect(reads.isEmpty && last.count == 1, "\(reads) \(last)")
    task.cancel()
    try await task.value
  }

  @Test("the sequences end with the container")
  func ends() async throws {
    var container: PersistentContainer? = try TestStore(.memory).atelier()
    let counts = try #require(container).count(of: Painter.fetchRequest())
    var iterator = counts.makeAsyncIterator()
    #expect(try await iterator.next() == 0)
    container = nil
    #expect(try await iterator.next() == nil)
    var late = counts.makeAsyncIterator()
    #expect(try await late.next() == nil)
  }
}
