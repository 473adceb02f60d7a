import Copal
import CopalStore
import CopalTestSupport
import Testing

@testable import CopalModel

/// The check of a model's conditions and the binder of a store are two pieces of code for the same
/// rules.
@Suite("The check of conditions of a model")
struct ConditionCheckTests {
  private static let values = [
    "name", "code", "price", "grade", "year", "maker", "maker.name", "maker.town", "owners", "SELF",
    "owners.@count", "owners.@sum.budget", "owners.@max.name", "maker.tubes.@avg.price", "weight",
    "factor", "price * 2", "year + 1", "year + price", "length(name)", "uppercase(name)", "now()",
    "opened", "opened + 60", "opened - opened", "sold", "key", "CAST(year, 'NSDecimalNumber')",
    "CAST(name, 'NSNumber')", "code ?? 'x'", "year ?? 1", "TERNARY(sold == TRUE, price, 1)",
    "TERNARY(sold == TRUE, name, 'a')", "abs(name)", "sqrt(year)", "-price", "floor(weight)",
    "SUBQUERY(owners, $o, $o.budget > price).@count",
    "SUBQUERY(owners, $o, $o.name > price).@count",
    "maker.friends.@count", "name.x", "maker.x", "iskind", "note", "image", "color", "oil",
    "as:(SELF, 'OilTube').oil", "as:(SELF, 'Brand').name",
  ]
  private static let constants = [
    "1", "2", "2.5", "3.0", "'a'", "nil", "TRUE", "CAST('12.5', 'NSDecimalNumber')",
    "CAST('2024-05-17T09:30:00Z', 'NSDate')",
    "CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')",
  ]

  private static var conditions: [String] {
    var conditions: [String] = []
    for a in values {
      for b in values + constants {
        for test in ["==", "<"] { conditions.append("\(a) \(test) \(b)") }
      }
      for b in constants {
        for test in ["==", ">", "BEGINSWITH"] { conditions.append("\(b) \(test) \(a)") }
        conditions.append("\(a) IN {\(b), 1}")
        conditions.append("ANY owners.budget == \(b)")
      }
      conditions += [
        "ANY owners.name < \(a)", "\(a) ==[c] 'a'", "\(a) ==[c] name", "\(a) CONTAINS code",
        "ANY \(a) == 1", "ALL \(a) == 'a'", "\(a) MATCHES 'a.*'", "\(a) MATCHES '('",
        "\(a) BETWEEN {1, 2}", "exists:(\(a), $x, $x.name == 'a')",
        "exists:(owners, $x, $x.budget < \(a))", "\(a).@count > 1",
      ]
    }
    return conditions + [
      "iskind:(SELF, 'OilTube')", "iskind:(SELF, 'Tube')", "iskind:(SELF, 'Brand')",
      "ANY owners == maker", "ANY owners.favorite == maker", "ANY maker.friends.owned.price > 3",
      "maker IN owners",
      "SELF IN owners.owned", "ANY owners.owned.name CONTAINS name",
    ]
  }

  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      json: """
        { "copal": 1, "model": "Check", "entities": {
          "Brand": {
            "attributes": { "name": "string", "town": "string?" },
            "relationships": {
              "tubes": { "type": "[Tube]", "inverse": "maker" },
              "friends": { "type": "[Buyer]", "inverse": "favorite" } } },
          "Tube": {
            "attributes": {
              "name": "string", "code": "string?", "price": { "type": "decimal", "scale": 2 },
              "grade": { "type": "string", "cases": ["artist", "student"], "default": "artist" },
              "year": "integer16", "weight": "double", "factor": { "type": "decimal", "scale": 4 },
              "opened": "date?", "sold": "boolean", "key": "uuid",
              "note": { "type": "string?", "transient": true },
              "image": { "type": "binary?", "external": true },
              "color": { "type": "transformable?", "transformer": "T", "class": "C", "storage": "text" } },
            "relationships": {
              "maker": { "type": "Brand?", "inverse": "tubes" },
              "owners": { "type": "[Buyer]", "inverse": "owned" } } },
          "OilTube": { "parent": "Tube", "attributes": { "oil": "string" } },
          "Buyer": {
            "attributes": { "name": "string", "budget": { "type": "decimal", "scale": 2 } },
            "relationships": {
              "favorite": { "type": "Brand?", "inverse": "friends" },
              "owned": { "type": "[Tube]", "inverse": "owners" } } }
        } }
        """, file: "Check.model.json")
  }

  /// Conditions that a fetch accepts, because it knows the time, and the check does not.
  private static func isOfConstants(_ condition: String) -> Bool {
    let sides = condition.replacing("CAST(", with: "").split(separator: " ")
    return condition.contains("now()")
      && !sides.contains { values.dropLast().contains(String($0)) && $0 != "now()" }
  }

  @Test("the check refuses exactly the conditions that a fetch refuses")
  func agreement() throws {
    let model = try Self.model()
    let schema = StoreSchema(model)
    let layout = try #require(schema.layout("Tube"))
    var differences: [String] = []
    var counts = (accepted: 0, refused: 0)
    for condition in Self.conditions where !Self.isOfConstants(condition) {
      guard let predicate = try? FetchPredicate(format: condition) else { continue }
      var checker = ConditionChecker(model, entity: layout.index)
      checker.check(try ConditionText.parsed(condition).get())
      var refusal: String?
      do {
        _ = try PredicateBinder(layout, in: schema).bind(
          FetchRequest<ManagedObject>(predicate: predicate))
      } catch { refusal = "\(error)" }
      if refusal == nil { counts.accepted += 1 } else { counts.refused += 1 }
      if checker.findings.isEmpty != (refusal == nil) {
        differences.append("\(condition): \(checker.findings); fetch: \(refusal ?? "-")")
      }
    }
    #expect(differences == [])
    #expect(counts.accepted > 500 && counts.refused > 500)
  }
}
