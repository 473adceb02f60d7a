import Copal
import CopalFoundation
import CopalTestSupport
import CopalTestTools
import Foundation
import Observation
import Testing

@Suite("What ported models have")
struct PortedModelTests {
  private static let url = URL(filePath: "/srv/apps.json")

  private func container(_ kind: StoreKind) throws -> PersistentContainer {
    try TestStore(kind).container(.ported, transformers: [])
  }

  private func source(_ context: ManagedObjectContext) -> Source {
    let source = Source(context: context, name: "First", sourceURL: Self.url)
    for name in ["c", "a"] { _ = App(context: context, bundleIdentifier: name, source: source) }
    return source
  }

  @Test(
    "a relationship with a custom accessor has the property that people write",
    arguments: StoreKind.allCases)
  func customRelationships(_ kind: StoreKind) throws {
    let container = try container(kind)
    let context = container.makeContext()
    let first = source(context)
    #expect(first.apps.map(\.bundleIdentifier) == ["a", "c"])
    let beta = Beta(context: context, bundleIdentifier: "b")
    beta.source = first
    #expect(beta.source == nil && first.apps.count == 2)
    try context.save()
    let added = App(context: context, bundleIdentifier: "b2")
    first.apps = [added, first.apps[1]]
    #expect(context.hasChanges)
    try context.save()
    let other = container.makeContext()
    let read = try #require(try other.first(Source.self))
    #expect(read.apps.map(\.bundleIdentifier) == ["b2", "c"])
    #expect(try other.count(App.self) { $0.source == nil } == 2)
    #expect(
      try other.fetch(Source.self) { $0.apps.contains { $0.bundleIdentifier == "b2" } } == [read])
    #expect(try read.value(of: "apps", as: ToMany<ManagedObject>.self)?.count == 2)
  }

  @Test("the attribute that the model names is the identity", arguments: StoreKind.allCases)
  func identity(_ kind: StoreKind) throws {
    func id<Value: Identifiable>(_ value: Value) -> Value.ID { value.id }
    let container = try container(kind)
    let context = container.makeContext()
    let first = source(context)
    let beta = Beta(context: context, bundleIdentifier: "b")
    #expect(id(first) == Self.url)
    #expect(id(beta) == "b")
    try context.save()
    let other = container.makeContext()
    #expect(try other.fetch(Source.self).map(\.id) == [Self.url])
    // The key path in a predicate is that of the attribute.
    #expect(try other.count(#Predicate<App> { $0.id == "b" }) == 1)
    let url: URL? = Self.url
    #expect(try other.count(#Predicate<Source> { $0.id == url }) == 1)
  }

  @Test("a custom accessor of a relationship is observed through its primitive property")
  func observed() throws {
    let context = try container(.memory).makeContext()
    let first = source(context)
    let app = try #require(first.apps.first)
    let second = Source(context: context, name: "Second", sourceURL: Self.url)
    context.processPendingChanges()
    let changes = Tally()
    withObservationTracking {
      _ = app.source
    } onChange: {
      changes.add(1)
    }
    app.downloads = 3
    context.processPendingChanges()
    #expect(changes.value == 0)
    app.source = second
    context.processPendingChanges()
    #expect(changes.value == 1)
  }

  @Test(
    "an object is an argument of a text, and a relationship is a list",
    arguments: StoreKind.allCases)
  func arguments(_ kind: StoreKind) throws {
    let context = try container(kind).makeContext()
    let first = source(context)
    first.featured = OrderedToMany(first.apps)
    _ = App(context: context, bundleIdentifier: "d")
    // Unsaved objects, and saved ones.
    for _ in 1...2 {
      let of = try FetchPredicate(format: "source == %@", first)
      #expect(try context.count(App.self, where: of) == 2)
      let notOf = try FetchPredicate(format: "source != %@ OR source == %@", first, nil)
      #expect(try context.count(App.self, where: notOf) == 1)
      let array = try FetchPredicate(
        format: "source == %@ OR source == %@", argumentArray: [first, nil])
      #expect(try context.count(App.self, where: array) == 3)
      let among = try FetchPredicate(format: "SELF IN %@", first.primitiveApps)
      #expect(try context.count(App.self, where: among) == 2)
      let featured = try FetchPredicate(format: "NOT SELF IN %@", first.featured)
      #expect(try context.fetch(App.self, where: featured).map(\.bundleIdentifier) == ["d"])
      let one = try FetchPredicate(format: "SELF IN %@", [first.apps[0]])
      #expect(try context.fetch(App.self, where: one).map(\.bundleIdentifier) == ["a"])
      try context.save()
    }
  }

  // MARK: Texts of URLs and UUIDs

  /// Conditions of the text of a URL or a UUID, with the names of the sources that meet it.
  private static let token = UUID(uuidString: "6F1C2D3E-0000-4000-8000-00000000ABCD")
  private static let textConditions: [(FetchPredicate, [String])] = [
    (Source.properties.sourceURL.hasPrefix("https://"), ["b", "c"]),
    (Source.properties.sourceURL.hasPrefix("HTTPS://"), []),
    (Source.properties.sourceURL.hasPrefix("HTTPS://", .caseInsensitive), ["b", "c"]),
    (Source.properties.sourceURL.hasSuffix(".json"), ["a", "c"]),
    (Source.properties.sourceURL.contains("%20"), ["b"]),
    (Source.properties.sourceURL.like("*/apps.*"), ["a", "c"]),
    (Source.properties.sourceURL.matches("https://[a-z.]+/.*"), ["b", "c"]),
    (Source.properties.sourceURL.asString == "https://example.com/apps.json", ["c"]),
    (!Source.properties.sourceURL.contains("example"), ["a"]),
    (Source.properties.token.hasPrefix("6F1C"), ["c"]),
    (Source.properties.token.hasPrefix("6f1c"), []),
    (Source.properties.token.contains("abcd", .caseInsensitive), ["c"]),
    (Source.properties.token.asString == nil, ["a", "b"]),
  ]

  @Test(
    "conditions test the texts of URLs and UUIDs, in the store and in memory",
    arguments: StoreKind.allCases)
  func texts(_ kind: StoreKind) throws {
    let context = try container(kind).makeContext()
    let urls = [
      "a": "file:///srv/apps.json", "b": "https://example.com/a%20b",
      "c": "https://example.com/apps.json",
    ]
    for (name, text) in urls.sorted(by: <) {
      let url = try #require(URL(string: text))
      _ = Source(
        context: context, name: name, sourceURL: url, token: name == "c" ? Self.token : nil)
    }
    for _ in 1...2 {
      for (condition, names) in Self.textConditions {
        let found = try context.fetch(Source.self, sortedBy: \.name.ascending, where: condition)
        #expect(found.map(\.name) == names, "\(condition)")
        let reparsed = try FetchPredicate(format: condition.format)
        #expect(reparsed == condition)
      }
      let cast = try FetchPredicate(
        format: #"CAST(sourceURL, "NSString") BEGINSWITH %@"#, "https://")
      #expect(try context.count(Source.self, where: cast) == 2)
      #expect(
        try context.count(
          #Predicate<Source> { $0.primitiveSourceURL?.absoluteString.contains(".json") == true })
          == 2)
      let prefix = "6F1C"
      #expect(
        try context.count(
          #Predicate<Source> { $0.token?.uuidString.starts(with: prefix) == true }) == 1)
      try context.save()
    }
  }

  @Test("a test of the text of a URL without a conversion says how to convert it")
  func notText() throws {
    let context = try container(.memory).makeContext()
    for (name, advice) in [("sourceURL", "'sourceURL.asString'"), ("token", "'token.asString'")] {
      let condition = try FetchPredicate(format: "\(name) BEGINSWITH %@", "https:")
      let error = #expect(throws: PersistenceError.self) {
        try context.count(Source.self, where: condition)
      }
      #expect(error?.code == .notText && error?.property == name)
      #expect(error?.description.contains(advice) == true)
      #expect(error?.description.contains("CAST(\(name), \"NSString\")") == true)
    }
  }

  @Test("a test of the text of a boolean is advised what there is: a conversion in a text")
  func notTextOfBoolean() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let condition = try FetchPredicate(format: "isLightfast BEGINSWITH '1'")
    let error = #expect(throws: PersistenceError.self) {
      try context.count(Pigment.self, where: condition)
    }
    #expect(error?.expected == "'CAST(isLightfast, \"NSString\")' in a text")
    let cast = try FetchPredicate(format: #"CAST(isLightfast, "NSString") BEGINSWITH '1'"#)
    #expect(try context.count(Pigment.self, where: cast) == 0)
  }
}
