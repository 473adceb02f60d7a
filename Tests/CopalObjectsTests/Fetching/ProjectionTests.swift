import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("Projections of transformables")
struct ProjectionTests {
  private static func container(_ store: TestStore) throws -> PersistentContainer {
    try store.container(.palette, transformers: PaletteTransformers.all)
  }

  private static func color(_ red: Float, _ green: Float, _ blue: Float) -> SerializableColor {
    SerializableColor(red: red, green: green, blue: blue)
  }

  private static let colors: [(name: String, color: SerializableColor?)] = [
    ("black", color(0, 0, 0)), ("white", color(1, 1, 1)), ("red", color(1, 0, 0)),
    ("green", color(0, 1, 0)), ("blue", color(0, 0, 1)), ("gray", color(0.5, 0.5, 0.5)),
    ("none", nil),
  ]

  private let store: TestStore
  private let container: PersistentContainer
  private let context: ManagedObjectContext

  init() throws {
    store = try TestStore()
    container = try Self.container(store)
    context = container.makeContext()
  }

  @discardableResult
  private static func fill(_ context: ManagedObjectContext) throws -> [Swatch] {
    let swatches = colors.map { Swatch(context: context, name: $0.name, color: $0.color) }
    try context.save()
    return swatches
  }

  private static func names(
    _ format: String, _ context: ManagedObjectContext, entity: String = "Swatch",
    _ keys: [FetchSortKey] = []
  ) throws -> [String] {
    let request = FetchRequest<ManagedObject>(
      entityName: entity, predicate: try FetchPredicate(format: format), sortKeys: keys)
    return try context.fetch(request).map { try $0.value(of: "name", as: String.self) ?? "" }
  }

  // MARK: Conditions and orders

  static let questions: [(format: String, names: [String])] = [
    ("color.lightness > 0.7", ["green", "white"]),
    ("color.lightness BETWEEN {0.5, 0.7}", ["gray", "red"]),
    ("color.hue == nil", ["black", "gray", "none", "white"]),
    ("color.hue >= 20 AND color.hue < 40", ["red"]),
    ("color.chroma < 0.0001", ["black", "gray", "white"]),
    ("color.lightness != 0", ["blue", "gray", "green", "none", "red", "white"]),
    ("NOT color.lightness > 0.7", ["black", "blue", "gray", "none", "red"]),
    ("color.hue > color.lightness * 400", ["blue"]),
    ("color.alpha == 1 AND color != nil", ["black", "blue", "gray", "green", "red", "white"]),
    ("color.alpha IN {1, 2} AND name BEGINSWITH 'g'", ["gray", "green"]),
    ("TRUEPREDICATE AND color == nil", ["none"]),
  ]

  @Test(
    "conditions of every kind, in both stores", arguments: bothStores, ProjectionTests.questions)
  func conditions(kind: StoreKind, test: (format: String, names: [String])) throws {
    let store = try TestStore(kind)
    let container = try Self.container(store)
    let context = container.makeContext()
    try Self.fill(context)
    let order = [FetchSortKey.ascending("name")]
    #expect(try Self.names(test.format, container.makeContext(), order) == test.names)
    // Also for objects that are not saved, and for those that are not saved yet with this color.
    context.rollback()
    let other = container.makeContext()
    for swatch in try other.fetch(Swatch.self) { other.delete(swatch) }
    for (name, color) in Self.colors { _ = Swatch(context: other, name: name, color: color) }
    #expect(try Self.names(test.format, other, order) == test.names)
  }

  @Test("orders by projections, with the objects without a value at the end that they have")
  func orders() throws {
    try Self.fill(context)
    func names(_ key: FetchSortKey) throws -> [String] {
      try Self.names("TRUEPREDICATE", container.makeContext(), [key])
    }
    #expect(
      try names(.ascending("color.lightness"))
        == ["none", "black", "blue", "gray", "red", "green", "white"])
    #expect(
      try names(.descending("color.lightness"))
        == ["white", "green", "red", "gray", "blue", "black", "none"])
    #expect(try Array(names(.ascending("color.hue")).suffix(3)) == ["red", "green", "blue"])
  }

  @Test("typed queries: of the object, through a relationship, and of a subentity")
  func typed() throws {
    let swatches = try Self.fill(context)
    let drawer = Drawer(context: context, number: 1)
    swatches[2].drawer = drawer
    let made = Date(timeIntervalSinceReferenceDate: 86_400)
    let foil = Foil(
      context: context, name: "foil", color: Self.color(1, 1, 0),
      edition: Edition(count: 12, isSigned: true, made: made))
    foil.drawer = drawer
    try context.save()
    let other = container.makeContext()
    let light = try other.fetch(Swatch.self, sortedBy: \.color.lightness.descending) {
      $0.color.lightness > 0.9
    }
    #expect(light.map(\.name) == ["white", "foil"])
    let reds = try other.fetch(Swatch.self) { $0.color.hue.isBetween(20, and: 40) }
    #expect(reds.map(\.name) == ["red"])
    #expect(try other.fetch(Swatch.self) { $0.color == nil }.map(\.name) == ["none"])
    #expect(
      try other.fetch(Drawer.self) { $0.swatches.contains { $0.color.lightness < 0.7 } }.count == 1)
    #expect(
      try other.fetch(Drawer.self) { $0.swatches.contains { $0.color.lightness < 0.2 } }.count == 0)
    #expect(
      try other.fetch(Swatch.self) { $0.as(Foil.self).edition.count > 11 }.map(\.name) == ["foil"])
    #expect(
      try other.fetch(Foil.self) { $0.edition.isSigned == true && $0.edition.made == made }.count
        == 1)
    #expect(try other.fetch(Foil.self) { $0.edition != nil && $0.color.lightness > 0.9 }.count == 1)
  }

  @Test("aggregates and groups", arguments: bothStores)
  func aggregates(kind: StoreKind) throws {
    let store = try TestStore(kind)
    let context = try Self.container(store).makeContext()
    for (name, host) in [("a", "B.org"), ("b", "b.ORG"), ("c", "c.org"), ("d", nil as String?)] {
      _ = Swatch(
        context: context, name: name, link: host.flatMap { URL(string: "https://\($0)/x") })
    }
    try context.save()
    var request = ValueRequest(
      entityName: "Swatch",
      columns: [.init("host", .property("link.host")), .init("count", .objectCount)])
    request.sortKeys = [.init(.property("link.host"))]
    let rows = try context.fetchValues(request)
    #expect(rows == [[.null, 1], ["b.org", 2], ["c.org", 1]])
    request.columns = [.init("most", .max(of: .property("link.host")))]
    request.sortKeys = []
    #expect(try context.fetchValues(request) == [["c.org"]])
    #expect(try Self.names("link.host.length == 5 AND link.scheme == 'https'", context).count == 3)
    #expect(try Self.names("link.host BEGINSWITH[c] 'B'", context) == ["a", "b"])
  }

  @Test("unsaved changes of a value count, also those in an order and in a page")
  func pending() throws {
    let swatches = try Self.fill(context)
    swatches[0].color = Self.color(1, 1, 1)
    swatches[1].color = nil
    _ = Swatch(context: context, name: "new", color: Self.color(1, 1, 0))
    #expect(
      try Self.names("color.lightness > 0.8", context, [.descending("color.lightness")])
        == ["black", "new", "green"])
    let request = FetchRequest<Swatch>(sortKeys: [.descending("color.lightness")])
    var names: [String] = []
    var cursor: FetchCursor?
    repeat {
      let page = try context.fetchPage(request, size: 2, after: cursor)
      names += page.objects.map(\.name)
      cursor = page.next
    } while cursor != nil
    #expect(names == ["black", "new", "green", "red", "gray", "blue", "white", "none"])
    try context.save()
    #expect(
      try Self.names("color.lightness > 0.8", container.makeContext()) == ["black", "green", "new"])
    #expect(try container.check() == [])
  }

  // MARK: The store

  @Test("a store keeps each projection in a column, and an index if the model says so")
  func columns() throws {
    try Self.fill(context)
    #expect(
      try store.sqlite3(
        "SELECT name || ' ' || type FROM pragma_table_info('Swatch') WHERE name LIKE 'copal_project%'"
      ) == """
        copal_project_color.lightness REAL
        copal_project_color.chroma REAL
        copal_project_color.hue REAL
        copal_project_color.alpha REAL
        copal_project_link.host TEXT
        copal_project_link.scheme TEXT
        copal_project_edition.count INTEGER
        copal_project_edition.isSigned INTEGER
        copal_project_edition.made REAL
        """)
    #expect(
      try store.sqlite3("SELECT value FROM copal_metadata WHERE name = 'requires'") == """
        projection Foil.edition.count 1 EditionTransformer
        projection Foil.edition.isSigned 1 EditionTransformer
        projection Foil.edition.made 1 EditionTransformer
        projection Swatch.color.alpha 1 SerializableColorTransformer
        projection Swatch.color.chroma 1 SerializableColorTransformer
        projection Swatch.color.hue 1 SerializableColorTransformer
        projection Swatch.color.lightness 1 SerializableColorTransformer
        projection Swatch.link.host 1 LinkTransformer
        projection Swatch.link.scheme 1 LinkTransformer
        """)
    let condition = try FetchPredicate(format: "color.lightness == 1")
    let explanation = try context.explain(
      FetchRequest<ManagedObject>(entityName: "Swatch", predicate: condition))
    #expect(
      explanation.description.contains(
        "copal_index_Swatch(copal_project_color.lightness)"), "\(explanation)")
    let sorted = try context.explain(
      FetchRequest<ManagedObject>(
        entityName: "Swatch", sortKeys: [.descending("link.host"), .ascending("name")], limit: 3))
    #expect(sorted.description.contains("copal_index_Swatch"), "\(sorted)")
    #expect(!sorted.description.contains("TEMP B-TREE"), "\(sorted)")
  }

  @Test("explain says that a projection has no forms for searches")
  func explainedForms() throws {
    for format in ["link.host BEGINSWITH[cd] 'a'", "link.host CONTAINS[cd] 'a'"] {
      let request = FetchRequest<ManagedObject>(
        entityName: "Swatch", predicate: try FetchPredicate(format: format))
      #expect(
        try context.explain(request).searches == [
          "link.host: no index, so every text is compared; a projection has no \"search\""
        ])
    }
    let order = FetchRequest<ManagedObject>(
      entityName: "Swatch", sortKeys: [.ascending("link.host").alphabetical])
    #expect(
      try context.explain(order).searches == [
        "link.host: no index has the order; a projection has no \"search\""
      ])
  }

  @Test("what another program writes is found by its value, and derived by the next save")
  func foreignWrites() throws {
    try Self.fill(context)
    // Black becomes what white is, red loses its color, and a copy of green comes in.
    _ = try store.sqlite3(
      """
      UPDATE Swatch SET color = (SELECT color FROM Swatch WHERE name = 'white') WHERE name = 'black';
      UPDATE Swatch SET color = NULL WHERE name = 'red';
      INSERT INTO Swatch (copal_version, copal_entity, name, color)
      SELECT 1, 'Swatch', 'copy', color FROM Swatch WHERE name = 'green'
      """)
    #expect(try store.sqlite3("SELECT count(*) FROM Swatch WHERE copal_stale = 1") == "3")
    for _ in 0..<2 {
      let reader = container.makeContext()
      #expect(
        try Self.names("color.lightness > 0.8", reader, [.ascending("name")])
          == ["black", "copy", "green", "white"])
      #expect(
        try Self.names(
          "TRUEPREDICATE", reader, [.ascending("color.lightness"), .ascending("name")])
          == ["none", "red", "blue", "gray", "copy", "green", "black", "white"])
      let values = ValueRequest(
        entityName: "Swatch",
        columns: [.init("least", .min(of: .property("color.lightness")))])
      #expect(try reader.fetchValues(values).first?.first != .double(0))
      #expect(try Self.names("color.hue == nil", reader).count == 5)
      #expect(try container.check() == [])
      _ = Swatch(context: reader, name: "zz", color: nil)
      try reader.save()
      #expect(try store.sqlite3("SELECT count(*) FROM Swatch WHERE copal_stale = 1") == "0")
      _ = try store.sqlite3("DELETE FROM Swatch WHERE name = 'zz'")
    }
  }

  @Test(
    "while a row is marked, an index of a projection still finds the others",
    arguments: [
      ("color.lightness > 0.8", 2), ("color.lightness == 0", 1),
      ("color.lightness BETWEEN { 0.5, 0.9 }", 3), ("color.lightness IN { 0, 2 }", 1),
      ("color.lightness == nil", 2001),
    ])
  func indexBesideMarks(text: String, count: Int) throws {
    try Self.fill(context)
    // More rows, so that the number of an answer decides how to read.
    try context.insertAll("Swatch", (0..<2000).map { ["name": .string("n\($0)")] })
    _ = try store.sqlite3("UPDATE Swatch SET color = color WHERE name = 'gray'")
    #expect(try store.sqlite3("SELECT count(*) FROM Swatch WHERE copal_stale = 1") == "1")
    let reader = container.makeContext()
    #expect(try Self.names(text, reader).count == count)
    let request = FetchRequest<ManagedObject>(
      entityName: "Swatch", predicate: try FetchPredicate(format: text))
    let explanation = try reader.explain(request)
    #expect(explanation.usesIndexes, "\(explanation)")
    let steps = explanation.steps.joined(separator: "\n")
    #expect(steps.contains("copal_project_color.lightness"), "\(steps)")
    #expect(steps.contains("copal_stale"), "\(steps)")
  }

  @Test("a check finds what was written around the trigger, and a rebuild mends it")
  func rebuilt() throws {
    try Self.fill(context)
    _ = try store.sqlite3(
      """
      UPDATE Swatch SET "copal_project_color.lightness" = 0.3 WHERE name = 'white';
      UPDATE Swatch SET copal_stale = NULL
      """)
    let found = try container.check()
    #expect(found.map(\.kind) == [.wrongSearchValue])
    #expect(found.first?.propertyName == "color")
    try container.rebuildSearch()
    #expect(try container.check() == [])
    #expect(try Self.names("color.lightness > 0.99", container.makeContext()) == ["white"])
  }

  @Test("a value that cannot be decoded has no projections, and is reported once")
  func undecodable() throws {
    try Self.fill(context)
    _ = try store.sqlite3("UPDATE Swatch SET color = x'00' WHERE name IN ('white', 'red')")
    #expect(try Self.names("color.lightness > 0.8", container.makeContext()) == ["green"])
    #expect(try Self.names("color.lightness == nil", container.makeContext()).count == 3)
    #expect(store.takeReadFailures().map(\.code) == [.decodeFailed])
    let reader = container.makeContext()
    _ = Swatch(context: reader, name: "new", color: nil)
    try reader.save()
    #expect(try Self.names("color.lightness > 0.8", container.makeContext()) == ["green"])
    #expect(try container.check() == [])
    #expect(store.takeReadFailures().isEmpty)
  }

  @Test("a value of an older version of its transformer is projected as it is decoded")
  func versions() throws {
    _ = Foil(
      context: context, name: "new",
      edition: Edition(count: 3, isSigned: false, made: Date(timeIntervalSinceReferenceDate: 9)))
    try context.save()
    _ = try store.sqlite3(
      """
      INSERT INTO Swatch (copal_version, copal_entity, name, edition, copal_transformerVersion_edition)
      VALUES (1, 'Foil', 'old', '7 1', 1), (1, 'Foil', 'older', '8 1', NULL), (1, 'Foil', 'newer', '9 1', 3)
      """)
    for _ in 0..<2 {
      #expect(
        try Self.names("edition.count > 2", container.makeContext(), entity: "Foil")
          == ["new", "old", "older"])
      #expect(
        try Self.names(
          "edition.made == %@".replacing("%@", with: "CAST(0, 'NSDate')"), container.makeContext(),
          entity: "Foil")
          == ["old", "older"])
      let writer = container.makeContext()
      _ = Swatch(context: writer, name: "x")
      try writer.save()
    }
    #expect(store.takeReadFailures().map(\.code) == [.decodeFailed])
  }

  @Test("batches find objects by projections")
  func batches() throws {
    for (name, color) in [("a", Self.color(1, 1, 1)), ("b", Self.color(0, 0, 0))] {
      _ = Swatch(context: context, name: name, color: color)
    }
    try context.save()
    #expect(try Self.names("color.lightness > 0.5", container.makeContext()) == ["a"])
    #expect(
      try context.updateAll(Swatch.self, where: { $0.color.lightness < 0.5 }) {
        $0.name.set(to: "dark")
      } == 1)
    #expect(try context.deleteAll(Swatch.self) { $0.color.lightness > 0.5 } == 1)
    #expect(try Self.names("TRUEPREDICATE", container.makeContext()) == ["dark"])
    #expect(try container.check() == [])
  }

  // MARK: Errors

  @Test("a condition names a projection that the model does not have")
  func unknownProjection() throws {
    func error(_ format: String) -> PersistenceError? {
      #expect(throws: PersistenceError.self) { try Self.names(format, context) }
    }
    let near = error("color.lightnes > 1")
    #expect(near?.code == .notQueryable)
    #expect(near?.suggestion == "color.lightness")
    #expect(
      near?.description.contains("color.lightness, color.chroma, color.hue, color.alpha") == true)
    #expect(error("color > 1")?.code == .notQueryable)
    #expect(error("color.lightness == 'a'")?.code == .predicateType)
    #expect(error("color.lightness BEGINSWITH 'a'")?.code == .notText)
  }

  @Test("a container finds a projection that a transformer does not have, and one of another type")
  func wrongProjections() throws {
    func open(_ project: String) throws {
      let json = """
        { "copal": 1, "model": "Palette", "entities": { "Swatch": { "codegen": "none", "attributes": {
          "color": { "type": "transformable?", "transformer": "SerializableColorTransformer",
          "class": "SerializableColor", "project": \(project) } } } } }
        """
      _ = try PersistentContainer(
        model: ModelBinding(name: "Palette", json: json, classes: []), store: .inMemory,
        transformers: PaletteTransformers.all)
    }
    try open(#"{ "hue": "double" }"#)
    let unknown = #expect(throws: PersistenceError.self) { try open(#"{ "hu": "double" }"#) }
    #expect(unknown?.code == .transformerUnknownProjection)
    #expect(unknown?.suggestion == "hue")
    let wrong = #expect(throws: PersistenceError.self) { try open(#"{ "hue": "integer" }"#) }
    #expect(wrong?.code == .transformerWrongProjection)
  }
}
