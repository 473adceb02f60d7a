package import CopalModel
package import CopalStore
package import CopalStoreConformance
package import CopalTestTools
import Foundation

/// Painters, collectors and paintings, which look random and are the same in every run, and
/// requests about them.
package struct Guild {
  package let test: TestStore
  package let sqlite: StoreTester

  /// Twenty for `COPAL_ANSWERS=20000`.
  package static let seeds: [UInt64] = Array(
    1...(ProcessInfo.processInfo.environment["COPAL_ANSWERS"].flatMap { UInt64($0) } ?? 2000) / 1000
  )

  /// `mentor` and `buyer` have the same slot of their entities, and so have `style` and `budget`.
  package static let model = """
    {
      "copal": 1,
      "model": "Guild",
      "entities": {
        "Person": {
          "abstract": true,
          "attributes": {
            "name": "string?", "born": "double?", "score": { "type": "decimal?", "scale": 2 }
          },
          "relationships": {
            "friends": { "type": "[Person]", "inverse": "friends" },
            "mentor": { "type": "Person?", "inverse": "pupils" },
            "pupils": { "type": "[Person]", "inverse": "mentor" },
            "bought": { "type": "[Painting]", "inverse": "buyer" }
          }
        },
        "Painter": {
          "parent": "Person",
          "attributes": { "style": "string?" },
          "relationships": {
            "works": { "type": "[Painting]", "ordered": true, "inverse": "painter" }
          }
        },
        "Collector": {
          "parent": "Person",
          "attributes": { "budget": "integer?" },
          "relationships": { "wishes": { "type": "[Painting]" } }
        },
        "Painting": {
          "attributes": { "title": "string?", "year": "integer16?", "note": "string?" },
          "relationships": {
            "buyer": { "type": "Person?", "inverse": "bought" },
            "painter": { "type": "Painter?", "inverse": "works" }
          }
        }
      }
    }
    """

  package init(seed: UInt64, people: Int = 24, paintings: Int = 30) throws {
    test = try TestStore(.sqlite)
    let schema = StoreSchema(try ManagedObjectModel(json: Self.model, file: "Guild.model.json"))
    sqlite = try test.storeTester(schema)
    var random = SplitMix(seed: seed)
    let keys = (1...Int64(people)).map { $0 }
    func other(_ keys: [Int64]) -> PropertyValue {
      Bool.random(using: &random)
        ? keys.randomElement(using: &random).map { .integer($0) } ?? .null : .null
    }
    func one(of values: [PropertyValue]) -> PropertyValue {
      values.randomElement(using: &random) ?? .null
    }
    try sqlite.commit { changes in
      for key in keys {
        var values: [String: PropertyValue] = [
          "name": one(of: Self.texts),
          "born": one(of: [.null, .double(1), .double(2.5), .double(4)]),
          "score": one(of: [.null, .decimal(0), .decimal(1.25), .decimal(3)]),
          "mentor": other(keys),
        ]
        if Self.isPainter(key) {
          values["style"] = one(of: Self.texts)
        } else {
          values["budget"] = one(of: [.null, 0, 1, 7])
        }
        try changes.insert(
          Self.isPainter(key) ? "Painter" : "Collector", values, key: key)
      }
      for key in 1...Int64(paintings) {
        try changes.insert(
          "Painting",
          [
            "title": one(of: Self.texts), "year": one(of: [.null, 1, 2, 3, 4]),
            "painter": other(keys.filter(Self.isPainter)), "buyer": other(keys),
          ], key: key)
      }
      try changes.link(
        "Person", "friends",
        added: Set(
          (0..<people).compactMap { _ in
            let pair = [keys.randomElement(using: &random), keys.randomElement(using: &random)]
              .compactMap { $0 }.sorted()
            return pair.count == 2 ? pair : nil
          }
        ).map { Link(owner: $0[0], member: $0[1]) })
      try changes.link(
        "Collector", "wishes",
        added: Set(
          (0..<people).compactMap { _ -> [Int64]? in
            guard let owner = keys.filter({ !Self.isPainter($0) }).randomElement(using: &random)
            else { return nil }
            return [owner, Int64.random(in: 1...Int64(paintings), using: &random)]
          }
        ).map { Link(owner: $0[0], member: $0[1]) })
    }
  }

  private static func isPainter(_ key: Int64) -> Bool { key % 3 > 0 }

  private static let texts: [PropertyValue] =
    [.null]
    + ["", "Eve", "eve", "Éve", "e\u{301}", "Otto", "otto 2", "otto 10", "Zoë", "zoe"]
    .map { .string($0) }

  /// The same store, whose requests are decided by a ``RowDecider``.
  package func decided(limit: Int = 100_000) throws -> StoreTester {
    try StoreTester(DecidedStore(sqlite.store, limit: limit))
  }

  // MARK: Requests

  private static let people = [
    "name CONTAINS[cd] 'e'", "name == nil", "name MATCHES '.tto.*'", "length(name) > 3", "born > 2",
    "score >= 1.25", "born + score > 4", "mentor == nil", "mentor.name BEGINSWITH[c] 'o'",
    "mentor.mentor.born == born", "friends.@count > 1", "ANY friends.name == 'Eve'",
    "NONE friends.friends.born > 3", "ALL pupils.born < 3", "pupils.@sum.score > 1",
    "bought.@count > 1", "ANY bought.year > 2",
    "friends.@avg.born < born", "SUBQUERY(friends, $f, $f.born < born).@count > 0",
    "SUBQUERY(pupils, $p, SUBQUERY($p.friends, $f, $f.name == $p.name).@count > 0).@count == 0",
  ]

  private static let leaves = [
    "Person": people,
    "Painter": people + [
      "style LIKE[c] 'o*'", "works.@max.year > 2", "ANY works.buyer.name == name",
      "ANY works.title == style", "SUBQUERY(works, $w, $w.buyer == SELF).@count > 0",
    ],
    "Collector": people + [
      "budget > 0", "ANY wishes.painter.name CONTAINS 'é'", "wishes.@avg.year > 2",
      "SUBQUERY(wishes, $w, $w.painter.mentor == SELF).@count > 0",
    ],
    "Painting": [
      "title CONTAINS[c] 'O'", "year IN {1, 3}", "painter == nil", "painter.name < title",
      "buyer.mentor.name == painter.name", "painter.works.@count > 2", "buyer.born == year",
      "ANY painter.friends.born == year", "TERNARY(buyer == nil, 1, year) == 1",
      "painter.style ENDSWITH[d] 'e' AND year < painter.works.@max.year",
    ],
  ]

  package func condition(_ entity: String, depth: Int, _ random: inout SplitMix) throws
    -> FetchPredicate
  {
    func list() throws -> [FetchPredicate] {
      try (0..<Int.random(in: 1...3, using: &random)).map { _ in
        try condition(entity, depth: depth - 1, &random)
      }
    }
    switch depth == 0 ? 0 : Int.random(in: 0..<9, using: &random) {
    case 0...3:
      return try FetchPredicate(format: Self.leaves[entity]?.randomElement(using: &random) ?? "")
    case 4, 5: return .and(try list())
    case 6: return .not(try condition(entity, depth: depth - 1, &random))
    case 7:
      // Those of a few keys, and of one object.
      let keys = try (1...3).map { _ in try id(entity, Int64.random(in: 1...24, using: &random)) }
      let other = try FetchExpression.constant(
        .object(id("Painter", 1 + 3 * Int64.random(in: 0..<8, using: &random))))
      return .and([
        Bool.random(using: &random)
          ? .isIn(.object, keys.map { .object($0) })
          : .comparison(.property(entity == "Painting" ? "painter" : "mentor"), .equal, other),
        try condition(entity, depth: depth - 1, &random),
      ])
    default: return .or(try list())
    }
  }

  private func id(_ entity: String, _ key: Int64) throws -> ManagedObjectID {
    try sqlite.id(key, of: entity)
  }

  package func number(_ random: inout SplitMix) -> Int? {
    Bool.random(using: &random) ? nil : Int.random(in: 0...9, using: &random)
  }

  package func order(_ entity: String, _ random: inout SplitMix) -> [FetchSortKey] {
    let texts = entity == "Painting" ? ["title", "painter.name"] : ["name", "mentor.name"]
    return (0..<Int.random(in: 0...2, using: &random)).map { place in
      if Int.random(in: 0..<4, using: &random) == 0 {
        return FetchSortKey(entity == "Painting" ? "year" : "born", isAscending: place == 0)
      }
      let key = FetchSortKey(texts[place], isAscending: Bool.random(using: &random))
      let orders = [key, key.natural, key.alphabetical, key.caseInsensitive.nilsLast]
      return orders.randomElement(using: &random) ?? key
    }
  }

  /// An expression as the text of conditions has it.
  private func expression(_ text: String) throws -> FetchExpression {
    guard case .comparison(let expression, _, _) = try FetchPredicate(format: "\(text) == 1") else {
      throw ConformanceFailure("no comparison: \(text)")
    }
    return expression
  }

  package func values(_ entity: String, _ condition: FetchPredicate, _ random: inout SplitMix)
    throws
    -> ValueQuery
  {
    let isPainting = entity == "Painting"
    let text = try expression(isPainting ? "title" : "name")
    let number = isPainting ? "year" : "born"
    let isGrouped = Bool.random(using: &random)
    let columns =
      isGrouped
      ? [text]
        + (try ["SELF.@count", "SELF.@sum.\(number)", "SELF.@min.\(number)"].map(expression))
      : [text] + (try [isPainting ? "painter.name" : "mentor.name", number].map(expression))
    var request = ValueRequest(
      entityName: entity,
      columns: columns.enumerated().map { ValueRequest.Column("\($0)", $1) }, predicate: condition)
    if isGrouped, Bool.random(using: &random) {
      request.having = try FetchPredicate(format: "SELF.@count > 1")
    }
    request.isDistinct = Bool.random(using: &random)
    if Bool.random(using: &random) {
      var key = ValueRequest.SortKey(text, isAscending: Bool.random(using: &random))
      key.textOrder = Bool.random(using: &random) ? .natural : .bytes
      request.sortKeys = [key]
    }
    request.limit = self.number(&random)
    let layout = try sqlite.layout(entity)
    return try PredicateBinder(layout, in: sqlite.schema, keys: sqlite).bind(request)
  }
}
