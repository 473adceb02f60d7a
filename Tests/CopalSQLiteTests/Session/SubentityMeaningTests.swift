import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("The meaning of conditions about subentities")
struct SubentityMeaningTests {
  /// Entities of three generations. Two of them have a property of the same name.
  private static let entities = #"""
    "Owner": { "relationships": { "photos": { "type": "[Photo]", "inverse": "owner" } } },
    "Item": { "attributes": { "title": "string?", "rank": "integer64?" } },
    "Media": { "parent": "Item", "attributes": { "bytes": "integer64?" } },
    "Photo": {
      "parent": "Media", "indexes": ["width"],
      "attributes": {
        "width": "integer64?", "depth": "integer64?", "gamma": "float?", "price": { "type": "decimal?", "scale": 2 },
        "exact": "decimal?", "code": "uuid?", "taken": "date?", "isRaw": "boolean?", "data": "binary?", "link": "uri?",
        "size": "integer64"
      },
      "relationships": { "owner": { "type": "Owner?", "inverse": "photos" } }
    },
    "Scan": { "parent": "Photo" },
    "Link": { "parent": "Item", "attributes": { "width": "string?" } }
    """#

  private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  /// The properties of subentities, each with a value that an object has, and another one.
  private static let properties: [(entity: String, name: String, values: [PropertyValue])] = [
    ("Item", "rank", [2, 3]), ("Media", "rank", [2, 3]), ("Media", "bytes", [2, 3]),
    ("Photo", "title", ["b", "c"]), ("Photo", "bytes", [2, 3]), ("Photo", "width", [2, 3]),
    ("Photo", "gamma", [.double(2), .double(2.1), .double(.nan)]),
    (
      "Photo", "price", [.decimal(2), .decimal(Decimal(string: "2.345") ?? 0), .decimal(.nan)]
    ),
    ("Photo", "exact", [.decimal(2), .decimal(11)]), ("Photo", "code", [.uuid(uuid)]),
    ("Photo", "taken", [.date(Date(timeIntervalSinceReferenceDate: 2))]),
    ("Photo", "isRaw", [.boolean(true), .boolean(false)]),
    ("Photo", "data", [.binary(Data([2])), .binary(Data())]), ("Photo", "size", [2, 3]),
    ("Scan", "width", [2, 3]), ("Scan", "size", [2, 3]), ("Link", "width", ["b", "2"]),
  ]

  private static func fill(_ tester: StoreTester) throws {
    try tester.insert([:], into: "Owner")
    for entity in ["Item", "Media", "Photo", "Scan", "Link"] {
      try tester.insert(entity == "Photo" || entity == "Scan" ? ["size": 2] : [:], into: entity)
      for number in 1...3 as ClosedRange<Int64> {
        var values: [String: PropertyValue] = [
          "title": .string(["a", "b", "c"][Int(number) - 1]), "rank": .integer(number),
          "bytes": .integer(number), "width": .integer(number), "depth": 2,
          "gamma": .double(Double(number)),
          "price": .decimal(Decimal(number)), "exact": .decimal(Decimal(number)),
          "code": .uuid(uuid),
          "taken": .date(Date(timeIntervalSinceReferenceDate: Double(number))),
          "isRaw": .boolean(number == 1), "data": .binary(Data([UInt8(number)])),
          "size": .integer(number),
          "owner": 1,
        ]
        if entity == "Link" { values["width"] = values["title"] }
        let layout = try tester.layout(entity)
        try tester.insert(values.filter { layout.slotByName[$0.key] != nil }, into: entity)
      }
    }
  }

  /// Conditions about a property, with a null and with every operator.
  private static func conditions(_ property: FetchExpression, _ values: [PropertyValue])
    -> [FetchPredicate]
  {
    let comparisons = (values + [.null]).flatMap { value in
      [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual].flatMap {
        (comparison: FetchPredicate.Operator) -> [FetchPredicate] in
        [
          .comparison(property, comparison, .constant(value)),
          .comparison(.constant(value), comparison, property),
        ]
      }
    }
    return comparisons + [
      .isIn(property, values), .isIn(property, values + [.null]), .isIn(property, [.null]),
      .isIn(property, []),
    ]
  }

  @Test("a condition finds the same objects in a file and in memory, with values and without")
  func meaning() throws {
    let schema = try FamilyChange.schema(Self.entities)
    let stores = try StoreKind.allCases.map { try TestStore($0) }
    let testers = try stores.map { try $0.storeTester(schema) }
    for tester in testers { try Self.fill(tester) }
    var conditions: [FetchPredicate] = []
    for (entity, name, values) in Self.properties {
      conditions += Self.conditions(.subentityProperty(entity: entity, property: name), values)
    }
    let owner = FetchExpression.subentityProperty(entity: "Photo", property: "owner")
    let id = try testers[0].id(1, of: "Owner")
    for comparison in [FetchPredicate.Operator.equal, .notEqual] {
      conditions.append(.comparison(owner, comparison, .constant(.null)))
    }
    #expect(id.key == 1)
    // Two properties: of one subentity, of it and its parent, of a subentity and the entity, of two
    // lines.
    func width(_ entity: String) -> FetchExpression {
      .subentityProperty(entity: entity, property: "width")
    }
    let others: [FetchExpression] = [
      .subentityProperty(entity: "Photo", property: "depth"),
      .subentityProperty(entity: "Photo", property: "bytes"),
      .subentityProperty(entity: "Media", property: "bytes"), .property("rank"),
    ]
    for other in others {
      for comparison in [
        FetchPredicate.Operator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
      ] {
        conditions.append(.comparison(width("Photo"), comparison, other))
        conditions.append(.comparison(other, comparison, width("Scan")))
      }
    }
    for entity in ["Item", "Media", "Photo", "Scan", "Link"] {
      conditions.append(.isKind(entity))
    }
    #expect(conditions.count > 400)
    var found = 0
    for (number, condition) in conditions.enumerated() {
      let next = conditions[(number * 7 + 11) % conditions.count]
      for predicate in [
        condition, .not(condition), .and([condition, next]), .not(.or([condition, .not(next)])),
      ] {
        for entity in ["Item", "Media", "Photo"] {
          let keys = testers.map { try? $0.keys(predicate, of: entity) }
          let counts = testers.map { try? $0.session.count($0.query(predicate, of: entity)) }
          #expect(keys[0] == keys[1], "\(entity) \(predicate)")
          #expect(counts == keys.map { $0?.count })
          found += keys[0]?.count ?? 0
        }
      }
    }
    #expect(found > 10_000)
  }
}
