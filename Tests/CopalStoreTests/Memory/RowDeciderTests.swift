import CopalModel
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@Suite("Requests that a store does not decide itself")
struct RowDeciderTests {
  @Test(
    "have the same answers as in SQL: 1,000 requests for objects, values and groups",
    arguments: Guild.seeds)
  func agreement(seed: UInt64) throws {
    let guild = try Guild(seed: seed)
    let (sqlite, decided) = (guild.sqlite, try guild.decided())
    var random = SplitMix(seed: seed)
    var found = 0
    for number in 0..<1000 {
      let entity = try #require(
        ["Person", "Painter", "Collector", "Painting"].randomElement(using: &random))
      let condition = try guild.condition(entity, depth: 3, &random)
      let place: Comment = "seed \(seed), request \(number): \(entity) where \(condition)"
      if number % 3 > 0 {
        let query = try sqlite.query(
          condition, sortedBy: guild.order(entity, &random), limit: guild.number(&random),
          offset: number % 5 == 0 ? 2 : 0, of: entity)
        let keys = try sqlite.session.fetchKeys(query)
        #expect(try decided.session.fetchKeys(query) == keys, place)
        #expect(try decided.session.count(query) == keys.count, place)
        let rows = RowCollector(sqlite.schema)
        try decided.session.fetch(query, into: rows)
        #expect(rows.rows.map(\.key) == keys, place)
        found += keys.count
      } else {
        let query = try guild.values(entity, condition, &random)
        let rows = try sqlite.session.fetchValues(query)
        #expect(try decided.session.fetchValues(query) == rows, place)
        found += rows.count
      }
    }
    #expect(found > 2000, "the conditions say too little: \(found)")
  }

  @Test("concern the rows and links that they are about, and no others")
  func concerned() throws {
    let guild = try Guild(seed: 1)
    let (sqlite, decided) = (guild.sqlite, try guild.decided())
    func count(_ condition: FetchPredicate, of entity: String) throws -> Int {
      let query = try decided.query(condition, of: entity)
      let text = try #require(try decided.session.explain(query).inMemory.first)
      let number = try #require(
        text.wholeMatch(of: /a request, with (\d+) rows and links; use another store/)?.1)
      return try #require(Int(number))
    }
    func count(_ format: String, of entity: String) throws -> Int {
      try count(FetchPredicate(format: format), of: entity)
    }
    // All paintings, and no painter.
    #expect(try count("title BEGINSWITH[c] 'o'", of: "Painting") == 30)
    // The painters of paintings, too.
    let painters = try sqlite.keys(FetchPredicate(format: "works.@count > 0"), of: "Painter").count
    #expect(try count("painter.name == title", of: "Painting") == 30 + painters)
    // The paintings of painters, which have no links.
    let paintings = try sqlite.keys(FetchPredicate(format: "painter != nil"), of: "Painting").count
    #expect(try count("works.@count > 0", of: "Painter") == 16 + paintings)
    // Those of wishes do, and a painting that several wish is one row.
    let wishes = try sqlite.related("wishes", of: "Collector", Array(1...24)).keys
    #expect(try count("wishes.@count > 0", of: "Collector") == 8 + wishes.count + Set(wishes).count)
    // The painting with a key, and those of a painter.
    let two = try FetchPredicate.isIn(
      .object, [2, 3].map { .object(try sqlite.id($0, of: "Painting")) })
    #expect(try count(.and([FetchPredicate(format: "year > 0"), two]), of: "Painting") == 2)
    let works = try sqlite.members("works", of: "Painter", 1).count
    let his = FetchPredicate.comparison(
      .property("painter"), .equal, .constant(.object(try sqlite.id(1, of: "Painter"))))
    #expect(try count(.and([his, FetchPredicate(format: "year > 0")]), of: "Painting") == works)
  }

  @Test(
    "are refused with more rows and links than the limit, and never where it is not",
    arguments: [(100_000, 100_000), (100_001, 100_000), (0, 0), (7, 0)])
  func limit(count: Int, limit: Int) throws {
    let store = MemoryStore(try StoreModels.sampler())
    let memory = try StoreTester(store)
    try memory.commit { changes in
      for number in 0..<count {
        try changes.insert("Sample", ["whole": .integer(Int64(number % 10))])
      }
    }
    let decided = try StoreTester(DecidedStore(store, limit: limit))
    let condition = FetchPredicate.comparison(.property("whole"), .equal, .constant(3))
    guard count > limit || limit == 0 else {
      return #expect(try decided.keys(condition) == memory.keys(condition))
    }
    let error = #expect(throws: PersistenceError.self) { try decided.keys(condition) }
    #expect(error?.code == .notInSQL)
    #expect(error?.entity == "Sample")
    #expect(error?.found == "a request, for more than \(limit) rows and links")
    #expect(error?.expected == "use another store")
    // The rest is the store's own.
    #expect(try decided.rows().count == count)
  }

  @Test("with links count them: one more than the limit is refused")
  func links() throws {
    let guild = try Guild(seed: 2)
    let wishes = try guild.sqlite.related("wishes", of: "Collector", Array(1...24)).keys
    let all = 8 + wishes.count + Set(wishes).count
    let condition = try FetchPredicate(format: "wishes.@count > 0")
    #expect(
      try guild.decided(limit: all).keys(condition, of: "Collector")
        == guild.sqlite.keys(condition, of: "Collector"))
    for limit in [all - 1, 9, 8, 7] {
      let error = #expect(throws: PersistenceError.self) {
        try guild.decided(limit: limit).keys(condition, of: "Collector")
      }
      #expect(error?.code == .notInSQL)
    }
  }

  @Test("end when their task is canceled, wherever they are")
  func canceled() throws {
    let guild = try Guild(seed: 3, people: 1000, paintings: 900)
    let decided = try guild.decided()
    let (asked, limit) = (Locked(0), Locked(Int.max))
    decided.session.endCalls {
      asked.withLock { asked in
        asked += 1
        return asked >= limit.withLock { $0 }
      }
    }
    let query = try decided.query(
      FetchPredicate(format: "friends.@count >= 0"), sortedBy: [FetchSortKey("name").natural],
      of: "Person")
    let keys = try decided.session.fetchKeys(query)
    #expect(keys.count == 1000)
    let total = asked.withLock { $0 }
    #expect(total > 100)
    for number in 1...total {
      asked.withLock { $0 = 0 }
      limit.withLock { $0 = number }
      let error = #expect(throws: PersistenceError.self) { try decided.session.fetchKeys(query) }
      #expect(error?.code == .interrupted)
    }
    limit.withLock { $0 = .max }
    #expect(try decided.session.fetchKeys(query) == keys)
  }

  @Test("report a row that cannot be read as a fetch does, and have the others")
  func unreadable() throws {
    let guild = try Guild(seed: 4)
    _ = try guild.test.sqlite3("UPDATE Painting SET copal_version = 'x' WHERE copal_id = 5")
    let condition = try FetchPredicate(format: "year >= 0 OR year == nil")
    let results = try [guild.sqlite, guild.decided()].map { tester in
      let rows = RowCollector(tester.schema)
      try tester.session.fetch(tester.query(condition, of: "Painting"), into: rows)
      return (rows.rows.map(\.key), rows.failures.map(\.description))
    }
    #expect(results[0].0.count == 29)
    #expect(results[0].1.count == 1)
    #expect(results[1] == results[0])
    let error = #expect(throws: PersistenceError.self) {
      try guild.decided().keys(condition, of: "Painting")
    }
    #expect(error?.description == results[0].1[0])
    // It counts, so that no other row is left out without a word.
    let few = #expect(throws: PersistenceError.self) {
      try guild.decided(limit: 29).rows(condition, of: "Painting")
    }
    #expect(few?.code == .notInSQL)
    // Nobody knows whether a condition on a related row holds.
    _ = try guild.test.sqlite3("UPDATE Painting SET painter = 1 WHERE copal_id = 5")
    let related = try FetchPredicate(format: "ANY works.year > 1")
    let rows = RowCollector(guild.sqlite.schema)
    let decided = try guild.decided()
    let ofRelated = #expect(throws: PersistenceError.self) {
      try decided.session.fetch(decided.query(related, of: "Painter"), into: rows)
    }
    #expect(ofRelated?.description == results[0].1[0] && rows.rows.isEmpty && rows.failures.isEmpty)
    _ = try guild.test.sqlite3("UPDATE Painting SET copal_version = 1 WHERE copal_id = 5")
  }

  @Test(
    "see one state: an object that a second program moves is in one of two lists in each answer")
  func moved() throws {
    let guild = try Guild(seed: 5)
    let seconds = ProcessInfo.processInfo.environment["COPAL_SECONDS"].flatMap { Int($0) } ?? 1
    let file = guild.test.file.path(percentEncoded: false)
    let mover = Process()
    mover.executableURL = URL(filePath: "/usr/bin/env")
    mover.arguments = ["sqlite3", file]
    let (input, output) = (Pipe(), Pipe())
    (mover.standardInput, mover.standardOutput) = (input, output)
    try mover.run()
    // 1 and 2 are painters. The statements are few, and read again and again.
    let moves = (0..<200).map {
      "UPDATE Painting SET painter = \($0 % 2 + 1) WHERE copal_id = 7;\n"
    }
    let text = Data((".timeout 5000\n" + moves.joined()).utf8)
    let decided = try guild.decided()
    let condition = try FetchPredicate(format: "ANY works.title == 'Moved'")
    _ = try guild.test.sqlite3(
      "UPDATE Painting SET title = NULL; UPDATE Painting SET title = 'Moved', painter = 1 WHERE copal_id = 7"
    )
    var lists: [Int64: Int] = [:]
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      try input.fileHandleForWriting.write(contentsOf: text)
      for _ in 0..<50 {
        let keys = try decided.keys(condition, of: "Painter")
        #expect(keys.count == 1)
        for key in keys { lists[key, default: 0] += 1 }
      }
    }
    try input.fileHandleForWriting.close()
    mover.waitUntilExit()
    #expect(Set(lists.keys) == [1, 2], "\(lists)")
  }
}
