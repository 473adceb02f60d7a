import CopalModel
import CopalSQL
import CopalSQLite
import CopalStore
import CopalTestSupport
import Testing

/// A question and the condition of its statement.
struct CalculationStatement: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let entity: String
  let condition: FetchPredicate
  let sql: String

  init(_ entity: String, _ condition: FetchPredicate, _ sql: String) {
    testDescription = sql
    self.entity = entity
    self.condition = condition
    self.sql = sql
  }
}

@Suite("SQL of calculations and collections")
struct CalculationSQLTests {
  private static let json = """
    {"copal": 1, "model": "Shop", "entities": {
      "Maker": {"attributes": {"name": "string", "budget": {"type": "decimal?", "scale": 2}},
        "relationships": {"ware": {"type": "[Ware]", "inverse": "maker"}}},
      "Ware": {"attributes": {"name": "string", "count": "integer?", "weight": "double?",
          "price": {"type": "decimal?", "scale": 2}, "code": "string?"}, "indexes": ["code"],
        "relationships": {"maker": {"type": "Maker?", "inverse": "ware"},
          "tags": {"type": "[Tag]", "inverse": "ware"}}},
      "Tag": {"attributes": {"name": "string"},
        "relationships": {"ware": {"type": "[Ware]", "inverse": "tags"}}}
    }}
    """

  @Test(
    "the condition of a statement",
    arguments: [
      CalculationStatement(
        "Ware",
        .comparison(.call(.multiply, [.property("weight"), .constant(2)]), .greater, .constant(1)),
        #"("weight" * ?) > ?"#),
      CalculationStatement(
        "Ware", .comparison(.call(.add, [.property("count"), .constant(2)]), .equal, .constant(3)),
        #"copal_calc_add('ii', "count", ?) = ?"#),
      CalculationStatement(
        "Ware",
        .comparison(.call(.ifNil, [.property("count"), .constant(0)]), .equal, .constant(3)),
        #"ifnull("count", ?) = ?"#),
      CalculationStatement(
        "Maker", .exists(FetchCollection(.property("ware"))),
        #"EXISTS (SELECT 1 FROM "Ware" AS "copal_1" WHERE "copal_1"."maker" = "Maker"."copal_id")"#),
      CalculationStatement(
        "Maker",
        .not(
          .exists(
            FetchCollection(
              .property("ware"), where: .comparison(.property("count"), .greater, .constant(3))))),
        #"NOT EXISTS (SELECT 1 FROM "Ware" AS "copal_1" WHERE "copal_1"."maker" = "Maker"."copal_id" AND "copal_1"."count" > ?)"#
      ),
      // The index of code finds the ware.
      CalculationStatement(
        "Maker",
        .exists(
          FetchCollection(
            .property("ware"), where: .comparison(.property("code"), .equal, .constant("x")))),
        #""copal_id" IN (SELECT "maker" FROM "Ware" WHERE "code" = ?)"#),
      CalculationStatement(
        "Maker",
        .comparison(
          .aggregate(.count, FetchCollection(.property("ware")), of: nil), .greater, .constant(2)),
        #"(SELECT count(*) FROM "Ware" AS "copal_1" WHERE "copal_1"."maker" = "Maker"."copal_id") > ?"#
      ),
      CalculationStatement(
        "Maker",
        .comparison(
          .aggregate(.sum, FetchCollection(.property("ware")), of: .property("price")), .less,
          .property("budget")),
        #"(SELECT copal_calc_sum_decimal("copal_1"."price", ?) FROM "Ware" AS "copal_1" WHERE "copal_1"."maker" = "Maker"."copal_id") COLLATE copal_decimal < copal_calc_decimal_text("budget", ?)"#
      ),
      CalculationStatement(
        "Ware", .exists(FetchCollection(.property("tags"))),
        #"EXISTS (SELECT 1 FROM "copal_links_Tag.ware" AS "copal_1_links" JOIN "Tag" AS "copal_1" ON "copal_1"."copal_id" = "copal_1_links"."owner" WHERE "copal_1_links"."member" = "Ware"."copal_id")"#
      ),
      CalculationStatement(
        "Ware", .comparison(.property("maker.name"), .equal, .property("name")),
        #"(SELECT "copal_1"."name" FROM "Maker" AS "copal_1" WHERE "copal_1"."copal_id" = "Ware"."maker") COLLATE BINARY IS "name""#
      ),
      CalculationStatement(
        "Maker",
        .exists(
          FetchCollection(
            .property("ware"),
            where: .comparison(.property("name"), .equal, .outer(1, .property("name"))))),
        #"EXISTS (SELECT 1 FROM "Ware" AS "copal_1" WHERE "copal_1"."maker" = "Maker"."copal_id" AND "copal_1"."name" COLLATE BINARY IS "Maker"."name")"#
      ),
    ])
  func condition(_ statement: CalculationStatement) throws {
    let schema = StoreSchema(try ManagedObjectModel(json: Self.json, file: "Shop.model.json"))
    let layout = try #require(schema.layout(statement.entity))
    let query = try PredicateBinder(layout, in: schema).bind(
      FetchRequest<CalculationStatement>(predicate: statement.condition))
    let select = SelectTranslator(TableMapping(layout, in: schema), SQLiteDialect())
    let text = select.statement(query.shape(.count)).text
    #expect(text == "SELECT count(*) FROM \"\(statement.entity)\" WHERE " + statement.sql)
  }
}
