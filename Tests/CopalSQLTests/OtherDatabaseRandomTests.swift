import CopalModel
import CopalSQL
import CopalStore
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@Suite("Every statement for another database")
struct OtherDatabaseRandomTests {
  /// What only SQLite has.
  private static let words = [
    "?", "rowid", "OR FAIL", "OR IGNORE", "COLLATE BINARY", "INDEXED", "unlikely(", "typeof(",
    "ifnull(", " INTEGER", "WITHOUT ROWID", "copal_folded", "copal_stale", "copal_old_",
    "copal_project_", "copal_normalized_", "MATCH ", "TRIGGER", " IN ($",
  ]

  /// What is wrong with a statement: a word of SQLite's, a placeholder without a value or a type.
  private func problems(_ statement: SQLStatement) -> [String] {
    var problems = Self.words.filter(statement.text.contains)
    let numbers = statement.text.matches(of: /\$(\d+)/).compactMap { Int($0.1) }
    if numbers != Array(1..<statement.values.count + 1) { problems.append("numbers") }
    if statement.types.count != statement.values.count { problems.append("types") }
    return problems
  }

  /// Whether a value of a query is one of a type.
  private func isValue(_ value: PlaceholderValue, of type: PlaceholderType) -> Bool {
    switch (value, type) {
    case (.values(let values), .list(let type)): values.allSatisfy { isValue($0, of: type) }
    case (.integer, .integer), (.real, .double), (.text, .text), (.blob, .bytes): true
    case (.integer, .attribute(_, .integer, _)), (.real, .attribute(_, .real, _)),
      (.text, .attribute(_, .text, _)), (.blob, .attribute(_, .blob, _)):
      true
    default: false
    }
  }

  @Test("of random requests has types, and each value is of its type", arguments: Guild.seeds)
  func requests(seed: UInt64) throws {
    let guild = try Guild(seed: seed, people: 3, paintings: 3)
    let schema = guild.sqlite.schema
    var random = SplitMix(seed: seed)
    var lists = 0
    for number in 0..<1000 {
      let entity = try #require(
        ["Person", "Painter", "Collector", "Painting"].randomElement(using: &random))
      let layout = try guild.sqlite.layout(entity)
      let condition = try guild.condition(entity, depth: 3, &random)
      let select = SelectTranslator(
        TableMapping(layout, in: schema, CopalNaming(hasDerivedColumns: false)), OtherDialect())
      let statement: SQLStatement
      var query: StoreQuery
      if number % 3 > 0 {
        query = try guild.sqlite.query(
          condition, sortedBy: guild.order(entity, &random), limit: guild.number(&random),
          of: entity)
        let results: [QueryResult] = [.rows, .keys, .count]
        statement = select.statement(query.shape(results[number % 3]))
      } else {
        let values = try guild.values(entity, condition, &random)
        query = values.objects
        (query.limit, query.offset) = (values.limit, values.offset)
        statement = select.statement(values)
      }
      #expect(problems(statement) == [], "\(statement.text)")
      for (value, type) in zip(statement.values, statement.types) {
        let found = value.value(in: query, layout)
        #expect(isValue(found, of: type), "\(found) as \(type): \(statement.text)")
        if case .list = type { lists += 1 }
      }
    }
    #expect(lists > 50)
  }

  /// The statements of a save and of the batches of an entity, with every slot.
  private func rows(_ mapping: TableMapping) -> [SQLStatement] {
    let (layout, dialect) = (mapping.layout, OtherDialect())
    let (write, batch) = (WriteTranslator(mapping, dialect), BatchTranslator(mapping, dialect))
    var all = SlotSet(count: layout.slotCount)
    for column in layout.columns { all.insert(column.slot) }
    let slots = Array(all)
    let shape = StoreQuery(entity: layout.index).shape(.keys)
    var statements = [
      write.append(rowCount: 3), write.update(all), write.delete(),
      write.updateRange(all), write.deleteRange(), batch.delete(shape), batch.set(slots),
      batch.touch(),
      batch.update(
        shape,
        slots.enumerated().map {
          BatchChange.Assignment(slot: $1, $0 % 3 == 0 ? .null : .parameter($0))
        }),
    ]
    for constraint in layout.uniqueConstraints {
      statements.append(write.clearUniqueValues(constraint.slots))
      statements += [false, true].flatMap { isByKey in
        [false, true].map {
          batch.upsert(on: constraint, given: all, isByKey: isByKey, returnsKey: $0)
        }
      }
    }
    return statements
  }

  /// The statements of a deletion that follows the rules of an entity's relationships.
  private func deletions(
    _ layout: EntityLayout, _ schema: StoreSchema, _ naming: any StoreNaming
  ) -> [SQLStatement] {
    let plan = schema.deletionPlan(of: schema.kinds(of: layout.index))
    let deletion = DeletionTranslator(schema, OtherDialect(), naming)
    return deletion.begin()
      + [deletion.mark(StoreQuery(entity: layout.index).shape(.count)), deletion.end()]
      + plan.edges.flatMap { edge in
        [
          deletion.cascade(edge, from: 0), deletion.denied(edge), deletion.required(edge),
          deletion.tooFew(edge, minimum: edge.minimum ?? 1), deletion.raiseOwners(edge),
          deletion.delete(root: edge.root),
        ] + deletion.removeLinks(edge) + (deletion.nullify(edge).map { [$0] } ?? [])
      }
  }

  @Test("of a save, a batch, a table and an index of every model of the tests")
  func models() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let names = ["Models", "Examples", "Tests"].flatMap { folder in
      (try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path))?
        .map { "\(folder)/\($0)" } ?? []
    }.filter {
      $0.hasSuffix(".model.json") && !$0.hasPrefix("Models/Broken/") && !$0.contains("/Misspelled/")
    }
    #expect(names.count > 10)
    var (upserts, nullified) = (0, 0)
    for name in names {
      let model = try ManagedObjectModel(contentsOf: root.appending(path: name))
      let schema = StoreSchema(model)
      let naming = LimitedNaming(CopalNaming(hasDerivedColumns: false), byteLimit: 63)
      let translator = SchemaTranslator(OtherDialect())
      for layout in schema.entities {
        let mapping = TableMapping(layout, in: schema, naming)
        var statements = rows(mapping) + deletions(layout, schema, naming)
        if layout.root == layout.index { statements.append(translator.createTable([mapping])) }
        for statement in statements { #expect(problems(statement) == [], "\(statement.text)") }
        upserts += statements.count { $0.text.contains("ON CONFLICT (") }
        nullified += statements.count { $0.text.contains(" = NULL, ") }
        // The keys of a save are no list of a condition.
        let several = WriteTranslator(mapping, OtherDialect()).delete(rowCount: 3)
        #expect(problems(several) == [" IN ($"], "\(several.text)")
        for index in translator.indexes(mapping) {
          #expect(Self.words.filter(index.definition.contains) == [], "\(index.definition)")
        }
      }
    }
    #expect(upserts > 20)
    #expect(nullified > 20)
  }
}
