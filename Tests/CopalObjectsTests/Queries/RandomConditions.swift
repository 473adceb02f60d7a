import Copal
import CopalTestSupport
import Foundation

@testable import CopalModel

/// Conditions on the entities of the graph that look random and are the same in every run: with
/// paths, collections, functions and values of objects around a collection.
struct RandomConditions {
  private var random: SplitMix
  /// The entities of the objects around the condition, the nearest one first.
  private var around: [String] = []

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  enum Kind: CaseIterable { case integer, double, decimal, date, string, boolean }

  private struct Entity {
    var attributes: [(name: String, kind: Kind)]
    var toOnes: [(name: String, entity: String)]
    var toManys: [(name: String, entity: String)]
  }

  private static let entities: [String: Entity] = [
    "Maker": Entity(
      attributes: [
        ("label", .integer), ("name", .string), ("budget", .integer), ("rating", .double),
        ("fee", .decimal), ("debt", .decimal), ("founded", .date), ("isOpen", .boolean),
      ],
      toOnes: [("teacher", "Maker")], toManys: [("ware", "Ware"), ("students", "Maker")]),
    "Ware": Entity(
      attributes: [
        ("label", .integer), ("name", .string), ("count", .integer), ("density", .double),
        ("price", .decimal), ("weight", .decimal), ("added", .date), ("isSold", .boolean),
      ],
      toOnes: [("maker", "Maker")], toManys: [("tags", "Mark"), ("list", "Ware")]),
    "Mark": Entity(
      attributes: [("label", .integer), ("name", .string), ("rank", .integer)],
      toOnes: [], toManys: [("ware", "Ware")]),
  ]

  // MARK: Conditions

  mutating func predicate(_ entity: String, depth: Int = 3) -> FetchPredicate {
    switch depth <= 0 ? 0 : number(10) {
    case 0...4: return leaf(entity, depth)
    case 5: return .and(list(entity, depth))
    case 6: return .or(list(entity, depth))
    case 7: return .not(predicate(entity, depth: depth - 1))
    case 8:
      guard let collection = collection(entity, depth) else { return leaf(entity, depth) }
      return .exists(collection)
    default: return quantified(entity) ?? leaf(entity, depth)
    }
  }

  private mutating func list(_ entity: String, _ depth: Int) -> [FetchPredicate] {
    (0..<number(3) + 1).map { _ in predicate(entity, depth: depth - 1) }
  }

  private mutating func leaf(_ entity: String, _ depth: Int) -> FetchPredicate {
    let kind = pick(Kind.allCases)
    let comparison =
      kind == .boolean ? pick([.equal, .notEqual]) : pick(FetchPredicate.Operator.allCases)
    let left = value(kind, entity, depth)
    switch number(8) {
    case 0: return .isIn(left, (0..<number(4)).map { _ in constant(kind) })
    case 1: return .comparison(left, pick([.equal, .notEqual]), .constant(.null))
    case 2 where kind == .string:
      let test = pick([
        FetchPredicate.TextTest.contains([]), .hasPrefix(.caseInsensitive), .equal([]),
        .hasSuffix([.caseInsensitive, .diacriticInsensitive]), .like(.caseInsensitive),
      ])
      return .text(left, test, value(.string, entity, depth - 2))
    case 3, 4: return .comparison(left, comparison, value(kind, entity, depth - 1))
    default: return .comparison(left, comparison, .constant(constant(kind)))
    }
  }

  private mutating func quantified(_ entity: String) -> FetchPredicate? {
    guard let relationship = toMany(entity),
      let attribute = Self.entities[relationship.entity]?.attributes.randomElement(using: &random)
    else { return nil }
    let path = FetchExpression.property("\(relationship.path).\(attribute.name)")
    return .quantified(
      pick([.any, .all]),
      .comparison(path, pick([.equal, .notEqual]), value(attribute.kind, entity, 0)))
  }

  // MARK: Requests for values

  /// A request for columns, or for groups.
  mutating func request(_ entity: String) -> ValueRequest {
    let columns = (0..<number(3) + 1).map { ValueRequest.Column("\($0)", column(entity)) }
    var request = ValueRequest(entityName: entity, columns: columns)
    if number(2) == 0 { request.predicate = predicate(entity, depth: 2) }
    let isGrouped = columns.contains { $0.expression.isGroupAggregate }
    if isGrouped, number(2) == 0 {
      request.having = .comparison(
        .objectCount, pick([.less, .greaterOrEqual, .notEqual]), .constant(.integer(2)))
    }
    request.isDistinct = number(4) == 0
    if number(2) == 0 {
      var key = ValueRequest.SortKey(pick(columns).expression, isAscending: number(2) == 0)
      key.nilOrder = pick([nil, .nilsFirst, .nilsLast])
      request.sortKeys = [key]
    }
    if number(3) == 0 { (request.limit, request.offset) = (number(6), number(3)) }
    return request
  }

  private mutating func column(_ entity: String) -> FetchExpression {
    let kind = pick(Kind.allCases)
    switch number(6) {
    case 0: return .objectCount
    case 1 where kind != .boolean:
      return .aggregate(pick([.min, .max, .distinctCount, .count]), of: value(kind, entity, 1))
    case 2:
      return .aggregate(
        pick([.sum, .average]), of: value(pick([.integer, .double, .decimal]), entity, 1))
    case 3: return value(kind, entity, 2)
    default: return property(kind, entity)
    }
  }

  // MARK: Values

  private mutating func value(_ kind: Kind, _ entity: String, _ depth: Int) -> FetchExpression {
    if depth <= 0 { return number(4) == 0 ? .constant(constant(kind)) : property(kind, entity) }
    switch number(9) {
    case 0: return .constant(constant(kind))
    case 1...3: return property(kind, entity)
    case 4:
      return .call(.ifNil, [value(kind, entity, depth - 1), value(kind, entity, depth - 1)])
    case 5:
      return .conditional(
        predicate(entity, depth: depth - 2), value(kind, entity, depth - 1),
        number(4) == 0 ? .constant(.null) : value(kind, entity, depth - 1))
    case 6: return aggregate(kind, entity, depth) ?? property(kind, entity)
    default: return function(kind, entity, depth)
    }
  }

  /// A property of the object, of a related one, or of one around it.
  private mutating func property(_ kind: Kind, _ entity: String) -> FetchExpression {
    if !around.isEmpty, number(4) == 0 {
      let level = number(around.count)
      return .outer(level + 1, .property(path(kind, around[level], steps: 1)))
    }
    return .property(path(kind, entity, steps: 2))
  }

  private mutating func path(_ kind: Kind, _ entity: String, steps: Int) -> String {
    guard let description = Self.entities[entity] else { return "label" }
    if steps > 0, number(3) == 0, let next = description.toOnes.randomElement(using: &random) {
      return "\(next.name).\(path(kind, next.entity, steps: steps - 1))"
    }
    let names = description.attributes.filter { $0.kind == kind }.map(\.name)
    if let name = names.randomElement(using: &random) { return name }
    // A mark has few attributes: another kind in its place would have another type.
    return kind == .integer ? "label" : "name"
  }

  private mutating func function(_ kind: Kind, _ entity: String, _ depth: Int) -> FetchExpression {
    func other(_ self: inout Self, _ kind: Kind) -> FetchExpression {
      self.value(kind, entity, depth - 1)
    }
    switch kind {
    case .integer:
      switch number(6) {
      case 0: return .call(.length, [other(&self, .string)])
      case 1: return .call(.toInteger, [other(&self, pick([.double, .decimal, .string]))])
      case 2: return .call(pick([.negate, .absolute, .floor]), [other(&self, .integer)])
      default:
        return .call(
          pick([.add, .subtract, .multiply, .divide, .remainder]),
          [other(&self, .integer), other(&self, .integer)])
      }
    case .double:
      switch number(6) {
      case 0: return .call(.subtract, [other(&self, .date), other(&self, .date)])
      case 1: return .call(.toDouble, [other(&self, pick([.integer, .decimal, .string, .date]))])
      case 2: return .call(pick([.squareRoot, .negate, .ceiling]), [other(&self, .double)])
      default:
        return .call(
          pick([.add, .subtract, .multiply, .divide]),
          [other(&self, .double), other(&self, pick([.double, .integer]))])
      }
    case .decimal:
      switch number(5) {
      case 0: return .call(.toDecimal, [other(&self, pick([.integer, .string]))])
      case 1:
        return .call(pick([.negate, .absolute, .floor, .truncate]), [other(&self, .decimal)])
      default:
        return .call(
          pick([.add, .subtract, .multiply]),
          [other(&self, .decimal), other(&self, pick([.decimal, .integer]))])
      }
    case .date:
      return .call(pick([.add, .subtract]), [other(&self, .date), other(&self, .double)])
    case .string:
      switch number(3) {
      case 0: return .call(.toString, [other(&self, pick([.integer, .decimal, .boolean]))])
      default:
        return .call(pick([.lowercased, .uppercased, .fold, .foldCase]), [other(&self, .string)])
      }
    case .boolean: return property(.boolean, entity)
    }
  }

  private mutating func aggregate(_ kind: Kind, _ entity: String, _ depth: Int) -> FetchExpression?
  {
    guard let relationship = toMany(entity) else { return nil }
    let destination = relationship.entity
    let collection = collection(relationship, entity, depth - 1)
    func member(_ self: inout Self, _ kind: Kind) -> FetchExpression {
      self.around.insert(entity, at: 0)
      defer { self.around.removeFirst() }
      return self.value(kind, destination, depth - 2)
    }
    switch kind {
    case .integer where number(2) == 0: return .aggregate(.count, collection, of: nil)
    case .double where number(2) == 0:
      return .aggregate(.average, collection, of: member(&self, pick([.integer, .double])))
    case .integer, .double, .decimal:
      return .aggregate(pick([.sum, .min, .max]), collection, of: member(&self, kind))
    case .date, .string:
      return .aggregate(pick([.min, .max]), collection, of: member(&self, kind))
    case .boolean: return nil
    }
  }

  private mutating func collection(_ entity: String, _ depth: Int) -> FetchCollection? {
    toMany(entity).map { collection($0, entity, depth) }
  }

  private mutating func collection(_ relationship: ToMany, _ entity: String, _ depth: Int)
    -> FetchCollection
  {
    if depth <= 0 || number(4) == 0 { return FetchCollection(.property(relationship.path)) }
    around.insert(entity, at: 0)
    defer { around.removeFirst() }
    return FetchCollection(
      .property(relationship.path), where: predicate(relationship.entity, depth: depth - 1))
  }

  private typealias ToMany = (path: String, entity: String)

  /// A to-many relationship of the object, or of one at the end of to-one relationships.
  private mutating func toMany(_ entity: String, steps: Int = 2) -> ToMany? {
    let description = Self.entities[entity]
    if steps > 0, number(3) == 0, let next = description?.toOnes.randomElement(using: &random),
      let rest = toMany(next.entity, steps: steps - 1)
    {
      return ("\(next.name).\(rest.path)", rest.entity)
    }
    return description?.toManys.randomElement(using: &random).map { ($0.name, $0.entity) }
  }

  private mutating func constant(_ kind: Kind) -> PropertyValue {
    if number(10) == 0 { return .null }
    switch kind {
    case .integer: return .integer(Int64(pick([0, 1, -1, 2, 3, Int.max])))
    case .double: return .double(pick([0, 0.5, -1.5, 2, .infinity]))
    case .decimal:
      return .decimal(Decimal(string: pick(["0", "1.1", "-2.25", "3", "0.001"])) ?? 0)
    case .date: return .date(Date(timeIntervalSinceReferenceDate: pick([0, 1, -1, 86_400])))
    case .string: return .string(pick(["", "a", "A", "e", "\u{E9}", "10"]))
    case .boolean: return .boolean(number(2) == 0)
    }
  }

  private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  private mutating func pick<Element>(_ list: [Element]) -> Element { list[number(list.count)] }
}

extension FetchExpression {
  fileprivate var isGroupAggregate: Bool {
    if case .aggregate(_, let collection, _) = self { return collection.relationship == .object }
    return false
  }
}
