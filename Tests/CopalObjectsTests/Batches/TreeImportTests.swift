import Copal
import CopalTestSupport
import CopalTestTools
import Testing

private struct FeedFile {
  var url, title: String
  var articles: [(guid: String, title: String)]
}

/// The two functions of Docs/Batches.md.
extension Feed {
  fileprivate static func replace(with file: FeedFile, in context: ManagedObjectContext) throws {
    let feed =
      try context.one(Feed.self) { $0.url == file.url }
      ?? Feed(context: context, url: file.url, title: file.title)
    feed.title = file.title
    var known = Dictionary(uniqueKeysWithValues: feed.articles.map { ($0.guid, $0) })
    feed.articles.replaceAll(
      with: file.articles.map { line in
        let article =
          known[line.guid] ?? Article(context: context, guid: line.guid, title: line.title)
        article.title = line.title
        known[line.guid] = article
        return article
      })
    try context.save()
  }

  fileprivate static func replaceRows(with file: FeedFile, in context: ManagedObjectContext) throws
  {
    let guids = file.articles.map(\.guid)
    try context.transaction {
      try context.upsertAll(Feed.self, from: [file], on: \.url) { feed, file in
        feed.url.set(to: file.url)
        feed.title.set(to: file.title)
      }
      try context.deleteAll(Article.self) { $0.feed.url == file.url && !$0.guid.isIn(guids) }
      try context.upsertAll(Article.self, from: file.articles, on: \.guid) { article, line in
        article.guid.set(to: line.guid)
        article.title.set(to: line.title)
        article.feed.set(toObjectWhere: \.url, file.url)
      }
    }
  }
}

@Suite("An import that replaces a tree")
struct TreeImportTests {
  enum Way: CaseIterable, Sendable { case objects, rows }

  /// The articles of a feed as plain values.
  private func articles(_ context: ManagedObjectContext, _ url: String) throws -> [[String]] {
    let feed = try #require(try context.one(Feed.self) { $0.url == url })
    return feed.articles.map { [$0.guid, $0.title, $0.isRead ? "read" : "new"] }
  }

  @Test(
    "what is gone is deleted, the order is that of the file, and what the user has set stays",
    arguments: StoreKind.allCases, Way.allCases)
  func imports(_ kind: StoreKind, _ way: Way) throws {
    let container = try TestStore(kind).container(.reader, transformers: [])
    var random = SplitMix(seed: 7)
    var read: Set<String> = []
    var expected: [String: [[String]]] = [:]
    for round in 0..<30 {
      let url = "https://example.com/\(round % 2)"
      // Guids of a feed are its own.
      let guids = (0..<12).map { "\(url)#\($0)" }.shuffled(using: &random).prefix(round % 9)
      let lines = guids.map { (guid: $0, title: "\($0), \(round / 4)") }
      let file = FeedFile(url: url, title: "Feed \(round)", articles: lines)
      let context = container.makeContext()
      switch way {
      case .objects: try Feed.replace(with: file, in: context)
      case .rows: try Feed.replaceRows(with: file, in: context)
      }

      let before = expected[url] ?? []
      read.subtract(before.map { $0[0] }.filter { !guids.contains($0) })
      expected[url] = lines.map { [$0.guid, $0.title, read.contains($0.guid) ? "read" : "new"] }
      for context in [context, container.makeContext()] {
        for (url, articles) in expected {
          #expect(try self.articles(context, url) == articles, "round \(round), \(url)")
        }
        #expect(try context.count(Article.self) == expected.values.map(\.count).reduce(0, +))
        #expect(try context.one(Feed.self) { $0.url == url }?.title == file.title)
      }

      // The user reads the first two.
      let user = container.makeContext()
      for article in try user.fetch(Article.self, limit: 2, where: { $0.feed.url == url }) {
        article.isRead = true
        read.insert(article.guid)
      }
      try user.save()
      expected[url] = expected[url]?.map {
        [$0[0], $0[1], read.contains($0[0]) ? "read" : "new"]
      }
    }
  }

  @Test("the same file twice writes nothing", arguments: StoreKind.allCases)
  func twice(_ kind: StoreKind) throws {
    let container = try TestStore(kind).container(.reader, transformers: [])
    let file = FeedFile(url: "u", title: "Feed", articles: [("1", "a"), ("2", "b"), ("1", "a")])
    try Feed.replace(with: file, in: container.makeContext())
    let context = container.makeContext()
    #expect(try articles(context, "u") == [["1", "a", "new"], ["2", "b", "new"]])
    let log = StatementLog()
    context.statementLog = log
    try Feed.replace(with: file, in: context)
    #expect(!"\(log)".contains("UPDATE") && !"\(log)".contains("INSERT"), "\(log)")
    #expect(try articles(context, "u") == [["1", "a", "new"], ["2", "b", "new"]])
  }

  @Test(
    "what the user sets during the import stays, with a merge policy", arguments: StoreKind.allCases
  )
  func during(_ kind: StoreKind) throws {
    let container = try TestStore(kind).container(.reader, transformers: [])
    var file = FeedFile(url: "u", title: "Feed", articles: [("1", "a"), ("2", "b")])
    try Feed.replace(with: file, in: container.makeContext())
    let (context, user) = (container.makeContext(), container.makeContext())
    context.mergePolicy = .mergeByPropertyObjectTrump
    _ = try context.fetch(Article.self).map(\.title)
    for article in try user.fetch(Article.self) { article.isRead = true }
    try user.save()
    file.articles = [("2", "c"), ("3", "d")]
    try Feed.replace(with: file, in: context)
    #expect(
      try articles(container.makeContext(), "u") == [["2", "c", "read"], ["3", "d", "new"]])
  }
}
