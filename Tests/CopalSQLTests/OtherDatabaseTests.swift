import CopalModel
import CopalSQL
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// A dialect as PostgreSQL's.
struct OtherDialect: SQLDialect {
  var search: (any SearchDialect)? { nil }
  func quote(_ name: String) -> String { "\"\(name)\"" }
  func placeholder(_ position: Int) -> String { "$\(position)" }
  func columnType(_ storage: StorageType) -> String {
    switch storage {
    case .integer: "bigint"
    case .real: "double precision"
    case .text: "text"
    case .blob: "bytea"
    }
  }
  func columnType(of attribute: AttributeDescription, _ storage: StorageType) -> String {
    switch attribute.type {
    case .integer16: "smallint"
    case .uuid: "uuid"
    default: columnType(storage)
    }
  }
  var keyColumnType: String { "bigint PRIMARY KEY" }
  func truth(_ flag: Bool) -> SQLFragment { flag ? "true" : "false" }
  var insertInto: SQLFragment { "INSERT INTO " }
  func bytewise(_ expression: SQLFragment) -> SQLFragment { expression + " COLLATE \"C\"" }
  func sorted(_ expression: SQLFragment, isAscending: Bool) -> SQLFragment {
    expression + (isAscending ? " NULLS FIRST" : " DESC NULLS LAST")
  }
  func sorted(_ expression: SQLFragment, isAscending: Bool, isNullFirst: Bool) -> SQLFragment? {
    expression + (isAscending ? "" : " DESC") + (isNullFirst ? " NULLS FIRST" : " NULLS LAST")
  }
  func from(_ selection: SQLFragment) -> SQLFragment { "(" + selection + ") AS copal_part" }
  func isNotIn(_ value: SQLFragment, selection: SQLFragment) -> SQLFragment {
    "NOT EXISTS (SELECT 1 FROM (" + selection
      + ") AS copal_list (copal_item) WHERE copal_list.copal_item = " + value + ")"
  }
  func isIn(_ value: SQLFragment, _ list: SQLFragment, isNegated: Bool) -> SQLFragment? {
    value + (isNegated ? " <> ALL (" : " = ANY (") + list + ")"
  }
  func decimalOrder(_ expression: SQLFragment) -> SQLFragment { expression + "::numeric" }
  func roundedToFloat(_ expression: SQLFragment) -> SQLFragment { expression + "::real" }
  func textOrder(_ order: FetchSortKey.TextOrder, _ expression: SQLFragment) -> SQLFragment {
    "copal.text_order(" + expression + ")"
  }
  func textTest(
    _ test: FetchPredicate.TextTest, _ first: SQLFragment, _ second: SQLFragment
  ) -> SQLFragment {
    switch test {
    case .contains([]): "strpos(" + first + ", " + second + ") > 0"
    case .like: .notInSQL(NotInSQL("LIKE", cure: "use CONTAINS"))
    default: "copal.text_test(" + first + ", " + second + ")"
    }
  }
  func call(_ function: FetchFunction, _ arguments: [(sql: SQLFragment, type: QueryValueType)])
    -> SQLFragment
  {
    "copal.call(" + arguments.map(\.sql).reduce("") { $0 + $1 } + ")"
  }
  func run(_ steps: [CalculationProgram.Step], _ inputs: [SQLFragment]) -> SQLFragment {
    "copal.run(" + inputs.reduce("") { $0 + $1 } + ")"
  }
  func aggregate(
    _ aggregate: FetchAggregate, _ value: SQLFragment, of type: QueryValueType, scale: Int?
  ) -> SQLFragment {
    "sum(" + value + ")"
  }
  func decimalText(_ expression: SQLFragment, scale: Int) -> SQLFragment {
    expression + "::text"
  }
  func exactDecimal(_ expression: SQLFragment) -> SQLFragment { expression + "::numeric" }
  func isSame(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment {
    a + " IS NOT DISTINCT FROM " + b
  }
  func isDifferent(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment {
    a + " IS DISTINCT FROM " + b
  }
  func sortedLast(_ key: SQLFragment) -> SQLFragment { key }
  var withoutIndexes: SQLFragment { "" }
  var newUUID: SQLFragment { "gen_random_uuid()" }
  func converted(_ value: SQLFragment, ofRow key: SQLFragment, conversion: Int) -> SQLFragment {
    "convert(" + value + ")"
  }
  var keptByPrimaryKey: SQLFragment { "" }
  func limit(hasLimit: Bool, hasOffset: Bool) -> SQLFragment {
    (hasLimit ? " LIMIT " + .value(.limit, .integer) : "")
      + (hasOffset ? " OFFSET " + .value(.offset, .integer) : "")
  }
}

/// Names as in a store of Core Data.
private struct OtherNaming: StoreNaming {
  var key: String { "Z_PK" }
  var version: String { "Z_OPT" }
  var entity: String { "Z_ENT" }
  var stale: String? { nil }
  func table(of root: EntityLayout) -> String { "Z" + root.name.uppercased() }
  func column(of slot: Int, in layout: EntityLayout, of schema: StoreSchema) -> String {
    "Z" + layout.attributes[slot].name.uppercased()
  }
  func links(_ table: LinkTable, in schema: StoreSchema) -> LinkNames {
    LinkNames(
      table: "Z_LINKS", owner: "Z_OWNER", member: "Z_MEMBER", position: "Z_FOK",
      inversePosition: "Z_FOK2",
      orderIndex: "Z_INDEX1", inverseIndex: "Z_INDEX2")
  }
  func index(of columns: [String], in layout: EntityLayout, isUnique: Bool) -> String {
    "Z_" + layout.name + "_" + columns.joined(separator: "_")
  }
}

/// A question and its SQL.
struct OtherStatement: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let condition: FetchPredicate
  let sql: String

  init(_ condition: FetchPredicate, _ sql: String) {
    testDescription = sql
    self.condition = condition
    self.sql = sql
  }
}

@Suite("SQL for another database and with other names")
struct OtherDatabaseTests {
  private static func mapping(_ naming: any StoreNaming = CopalNaming()) throws -> TableMapping {
    let schema = try StoreModels.schema([
      EntityDescription(
        "Tool",
        attributes: [
          AttributeDescription("name", .string),
          AttributeDescription("size", .double, isOptional: true),
          AttributeDescription("note", .string, isOptional: true, isTransient: true),
          AttributeDescription("cost", .decimal, isOptional: true, scale: 2),
          AttributeDescription("rate", .decimal, isOptional: true),
        ], uniqueConstraints: [["name"]])
    ])
    return TableMapping(try #require(schema.layout("Tool")), in: schema, naming)
  }

  @Test("the dialect chooses the type of a column by the attribute")
  func columnTypes() throws {
    let model = try ManagedObjectModel(
      json:
        #"{ "copal": 1, "model": "Test", "entities": { "Tool": { "attributes": { "a": "integer16", "b": "integer", "c": "uuid", "d": "binary" } } } }"#,
      file: "Test.model.json")
    let schema = StoreSchema(model)
    let mapping = TableMapping(schema.entities[0], in: schema)
    let translator = SchemaTranslator(OtherDialect())
    #expect(
      translator.createTable([mapping]).text == """
        CREATE TABLE "Tool" ("copal_id" bigint PRIMARY KEY, "copal_version" bigint NOT NULL, \
        "a" smallint, "b" bigint, "c" uuid, "d" bytea)
        """)
    #expect(translator.addColumn(2, mapping).text == #"ALTER TABLE "Tool" ADD COLUMN "c" uuid"#)
  }

  @Test("every word that differs between databases comes from the dialect")
  func words() throws {
    let mapping = try Self.mapping()
    #expect(
      SchemaTranslator(OtherDialect()).createTable([mapping]).text == """
        CREATE TABLE "Tool" ("copal_id" bigint PRIMARY KEY, "copal_version" bigint NOT NULL, \
        "name" text, "size" double precision, "cost" bigint, "rate" text)
        """)
    #expect(
      WriteTranslator(mapping, OtherDialect()).append(rowCount: 2).text == """
        INSERT INTO "Tool" ("copal_version", "name", "size", "cost", "rate") \
        VALUES ($1, $2, $3, $4, $5), ($6, $7, $8, $9, $10)
        """)
    let order = StoreQuery(
      entity: 0,
      sortKeys: [
        BoundSortKey(slot: 0, isAscending: true), BoundSortKey(slot: 1, isAscending: false),
        BoundSortKey(slot: 3, isAscending: true),
      ])
    #expect(
      SelectTranslator(mapping, OtherDialect()).statement(order.shape(.keys)).text == """
        SELECT "copal_id" FROM "Tool" ORDER BY "name" COLLATE "C" NULLS FIRST, \
        "size" DESC NULLS LAST, "rate"::numeric NULLS FIRST, "copal_id"
        """)
  }

  @Test(
    "conditions have the dialect's words for truth, and texts compare by their bytes",
    arguments: [
      OtherStatement(.constant(true), "true"),
      OtherStatement(.isIn(.property("name"), []), "false"),
      OtherStatement(
        .comparison(.property("name"), .less, .constant("b")), #""name" COLLATE "C" < $1"#),
      OtherStatement(.comparison(.property("name"), .equal, .constant("b")), #""name" = $1"#),
      OtherStatement(.comparison(.property("cost"), .equal, .constant(.decimal(1.005))), "false"),
      OtherStatement(
        .comparison(.property("rate"), .less, .constant(.decimal(1.5))), #""rate"::numeric < $1"#),
      OtherStatement(.comparison(.property("size"), .greater, .constant(1.0)), #""size" > $1"#),
    ])
  func conditions(statement: OtherStatement) throws {
    let mapping = try Self.mapping()
    let query = try PredicateBinder(mapping.layout).bind(
      FetchRequest<Never>(entityName: "Tool", predicate: statement.condition))
    let text = SelectTranslator(mapping, OtherDialect()).statement(query.shape(.keys)).text
    #expect(
      text == #"SELECT "copal_id" FROM "Tool" WHERE "# + statement.sql + #" ORDER BY "copal_id""#)
  }

  @Test("every name of a table, a column and an index comes from the naming")
  func names() throws {
    let mapping = try Self.mapping(OtherNaming())
    let schema = SchemaTranslator(OtherDialect())
    #expect(
      schema.createTable([mapping]).text == """
        CREATE TABLE "ZTOOL" ("Z_PK" bigint PRIMARY KEY, "Z_OPT" bigint NOT NULL, \
        "ZNAME" text, "ZSIZE" double precision, "ZCOST" bigint, "ZRATE" text)
        """)
    #expect(
      schema.indexes(mapping).map(\.definition) == [
        #"CREATE UNIQUE INDEX "Z_Tool_ZNAME" ON "ZTOOL" ("ZNAME" NULLS FIRST)"#
      ])
    let write = WriteTranslator(mapping, OtherDialect())
    #expect(
      write.delete().text == #"DELETE FROM "ZTOOL" WHERE "Z_PK" = $1 AND "Z_OPT" = $2"#)
    var changed = SlotSet(count: 5)
    changed.insert(2)
    #expect(
      write.update(changed).text
        == #"UPDATE "ZTOOL" SET "Z_OPT" = $1, "ZCOST" = $2 WHERE "Z_PK" = $3 AND "Z_OPT" = $4"#)
    let select = SelectTranslator(mapping, OtherDialect())
    #expect(
      select.rows(keyCount: 1).text
        == #"SELECT "Z_PK", "Z_OPT", "ZNAME", "ZSIZE", "ZCOST", "ZRATE" FROM "ZTOOL" WHERE "Z_PK" = $1"#
    )
    #expect(mapping.columnNames == ["ZNAME", "ZSIZE", "ZCOST", "ZRATE", ""])
  }

  @Test("what the dialect does not decide is in the statement: the first part, wherever it is")
  func notInSQL() throws {
    let mapping = try Self.mapping()
    func statement(_ format: String) throws -> SQLStatement {
      let query = try PredicateBinder(mapping.layout).bind(
        FetchRequest<Never>(entityName: "Tool", predicate: FetchPredicate(format: format)))
      return SelectTranslator(mapping, OtherDialect()).statement(query.shape(.keys))
    }
    #expect(try statement("name CONTAINS 'a' AND cost > 1").notInSQL == nil)
    let found = try statement("cost > 1 OR NOT (name LIKE 'a*' AND name CONTAINS 'b')")
    #expect(found.notInSQL == NotInSQL("LIKE", cure: "use CONTAINS"))
    #expect(
      SelectTranslator(mapping, SQLiteDialect()).statement(
        try PredicateBinder(mapping.layout).bind(
          FetchRequest<Never>(
            entityName: "Tool", predicate: FetchPredicate(format: "name LIKE 'a*'"))
        ).shape(.keys)
      ).notInSQL == nil)
  }

  @Test("a projection is not in SQL where the dialect has no derived columns")
  func projections() throws {
    let model = try ManagedObjectModel(
      json: """
        { "copal": 1, "model": "Test", "entities": { "Tool": { "attributes": { "color": {
          "type": "transformable?", "transformer": "SerializableColorTransformer",
          "class": "SerializableColor", "project": { "lightness": "double" } } } } } }
        """, file: "Test.model.json")
    let schema = StoreSchema(model)
    let naming = CopalNaming(hasDerivedColumns: false)
    let mapping = TableMapping(schema.entities[0], in: schema, naming)
    let query = try PredicateBinder(mapping.layout, in: schema).bind(
      FetchRequest<Never>(
        entityName: "Tool", predicate: FetchPredicate(format: "color.lightness > 0.5")))
    let statement = SelectTranslator(mapping, OtherDialect()).statement(query.shape(.keys))
    #expect(statement.notInSQL?.part == "the projection 'lightness'")
    #expect(statement.types == [.attribute(.double, .real, scale: nil)])
  }

  @Test("where nulls are in an order, a list, and a selection are written by the dialect")
  func parts() throws {
    let mapping = try Self.mapping()
    let query = try PredicateBinder(mapping.layout).bind(
      FetchRequest<Never>(
        entityName: "Tool", predicate: FetchPredicate(format: "name IN {'a', 'b'}"),
        sortKeys: [
          FetchSortKey("size").nilsLast, FetchSortKey("cost", isAscending: false).nilsFirst,
        ],
        limit: 3))
    let select = SelectTranslator(mapping, OtherDialect())
    let keys = select.statement(query.shape(.keys))
    #expect(
      keys.text == """
        SELECT "copal_id" FROM "Tool" WHERE "name" = ANY ($1) ORDER BY "size" NULLS LAST, \
        "cost" DESC NULLS FIRST, "copal_id" LIMIT $2
        """)
    #expect(keys.types == [.list(.attribute(.string, .text, scale: nil)), .integer])
    #expect(
      keys.values.map { $0.value(in: query, mapping.layout) } == [
        .values([.text("a"), .text("b")]), .integer(3),
      ])
    #expect(
      select.statement(query.shape(.count)).text == """
        SELECT count(*) FROM (SELECT 1 FROM "Tool" WHERE "name" = ANY ($1) LIMIT $2) AS copal_part
        """)
  }

  @Test("a database without derived columns reads the texts themselves")
  func withoutSearch() throws {
    let schema = try StoreModels.schema([
      EntityDescription(
        "Tool",
        attributes: [AttributeDescription("name", .string, search: [.normalized, .substring])])
    ])
    let mapping = TableMapping(schema.entities[0], in: schema, OtherNaming())
    let translator = SchemaTranslator(OtherDialect())
    #expect(
      translator.createTable([mapping]).text == """
        CREATE TABLE "ZTOOL" ("Z_PK" bigint PRIMARY KEY, "Z_OPT" bigint NOT NULL, "ZNAME" text)
        """)
    #expect(translator.indexes(mapping).isEmpty)
    #expect(translator.trigger([mapping]) == nil)
    let query = try PredicateBinder(mapping.layout).bind(
      FetchRequest<Never>(
        entityName: "Tool",
        predicate: .text(.property("name"), .contains(.normalized), .constant("awl"))))
    #expect(
      SelectTranslator(mapping, OtherDialect()).statement(query.shape(.keys)).text == """
        SELECT "Z_PK" FROM "ZTOOL" WHERE copal.text_test("ZNAME", $1) ORDER BY "Z_PK"
        """)
  }
}
