public import CopalModel

/// The condition of a query, evaluated in memory. It has the same result as in every store.
///
/// It is prepared once, and then asked for many objects.
public struct QueryEvaluator: Sendable {
  private let condition: QueryCondition?
  private var sortKeys: [BoundSortKey] = []
  let parameters: [PropertyValue]
  /// The tests of texts with a constant, by the number of the constant.
  private var matchers: [Int: TextMatcher] = [:]
  /// The values of long lists, by the number of the first one: so that a search does not grow with
  /// the list.
  private var lists: [Int: Set<DistinctValue>] = [:]

  /// The number of values from which on a list is a set.
  private static let longList = 16

  /// Prepares the condition of a query.
  public init(_ query: StoreQuery) {
    self.init(query.condition, parameters: query.parameters)
    sortKeys = query.sortKeys
  }

  /// For each key of the order of the query, the sorted form of an object's value.
  /// `[BoundSortKey].order(_:_:)` compares them.
  public func sortedForms(of subject: some ConditionSubject) -> [PropertyValue] {
    sortKeys.map { $0.sortedForm(of: sortValue($0, of: subject)) }
  }

  /// The value of an object by which a key orders.
  func sortValue(_ key: BoundSortKey, of subject: some ConditionSubject) -> PropertyValue {
    key.related.map { value($0, of: subject) } ?? subject.value(key.slot).orNullIfNaN
  }

  /// Prepares a part of a query's condition.
  package init(_ condition: QueryCondition?, parameters: [PropertyValue]) {
    self.condition = condition
    self.parameters = parameters
    condition?.forEachConstant { constant in
      switch constant {
      case .text(let test, let number):
        if case .string(let text) = parameters[number] {
          matchers[number] = try? TextMatcher(test, text)
        }
      case .list(let numbers):
        if numbers.count < Self.longList { return }
        lists[numbers.lowerBound] = Set(parameters[numbers].lazy.map(DistinctValue.init))
      }
    }
  }

  /// Whether the condition is true for an object. Always true for a query without a condition.
  public func matches(_ subject: some ConditionSubject) -> Bool {
    condition.map { isTrue($0, EvaluationScope(subject)) } ?? true
  }

  /// The value of a calculation for an object.
  package func value(_ calculation: QueryCalculation, of subject: some ConditionSubject)
    -> PropertyValue
  {
    value(calculation, EvaluationScope(subject))
  }

  func isTrue<Subject>(_ condition: QueryCondition, _ scope: EvaluationScope<Subject>) -> Bool {
    switch condition {
    case .constant(let flag): return flag
    case .isNull(let term, let isNegated): return value(term, scope).isNull != isNegated
    case .holds(.key, .greater, .parameter(let number), _):
      let order = PropertyValue.integer(StoreQuery.orderOfInsertion(scope.subject.key))
      return ValueOrder.compare(order, .greater, parameters[number])
    case .holds(let a, let comparison, let b, let resultForNull):
      return holds(value(a, scope), comparison, value(b, scope), resultForNull: resultForNull)
    case .isIn(let term, let list, let isNegated, let resultForNull):
      let found = value(term, scope)
      if found.isNull { return resultForNull }
      return contains(list, found) != isNegated
    case .text(let a, let test, let b, let isNegated):
      return isTrue(test, a, b, scope: scope) != isNegated
    case .related(let slot, _, let condition, let isNegated):
      return (scope.related(slot).map { isTrue(condition, $0) } ?? false) != isNegated
    case .exists(let collection, let isNegated):
      return members(of: collection, scope).contains { scope in
        collection.condition.map { isTrue($0, scope) } ?? true
      } != isNegated
    case .ofKind(let kind, let condition, let otherwise):
      return isTrue(kind.entities.contains(scope.subject.entity) ? condition : otherwise, scope)
    case .and(let parts): return parts.allSatisfy { isTrue($0, scope) }
    case .or(let parts): return parts.contains { isTrue($0, scope) }
    }
  }

  private func contains(_ list: Range<Int>, _ value: PropertyValue) -> Bool {
    if let set = lists[list.lowerBound] { return set.contains(DistinctValue(value)) }
    return parameters[list].contains { ValueOrder.compare(value, .equal, $0) }
  }

  private func holds(
    _ a: PropertyValue, _ comparison: FetchPredicate.Operator, _ b: PropertyValue,
    resultForNull: Bool
  ) -> Bool {
    if !a.isNull, !b.isNull { return ValueOrder.compare(a, comparison, b) }
    switch comparison {
    case .equal, .notEqual: return ValueOrder.compare(a, comparison, b)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return resultForNull
    }
  }

  private func isTrue<Subject>(
    _ test: FetchPredicate.TextTest, _ a: QueryTerm, _ b: QueryTerm,
    scope: EvaluationScope<Subject>
  ) -> Bool {
    guard case .string(let text) = value(a, scope) else { return false }
    if case .parameter(let number) = b { return matchers[number]?.matches(text) ?? false }
    guard case .string(let second) = value(b, scope),
      let matcher = try? TextMatcher(test, second)
    else { return false }
    return matcher.matches(text)
  }

  private func value<Subject>(_ term: QueryTerm, _ scope: EvaluationScope<Subject>)
    -> PropertyValue
  {
    switch term {
    case .slot(let slot): scope.subject.value(slot)
    case .key: .integer(scope.subject.key)
    case .parameter(let number): parameters[number]
    case .calculated(let calculation): value(calculation, scope)
    }
  }
}

/// The object that a condition is about, and those around the collections and to-one relationships
/// that it is in.
struct EvaluationScope<Subject: ConditionSubject> {
  let subject: Subject
  private let outer: Box?

  private final class Box {
    let scope: EvaluationScope
    init(_ scope: EvaluationScope) { self.scope = scope }
  }

  init(_ subject: Subject) { (self.subject, outer) = (subject, nil) }

  private init(_ subject: Subject, _ outer: Box?) {
    self.subject = subject
    self.outer = outer
  }

  /// The scope of the object of a to-one relationship.
  func related(_ slot: Int) -> Self? {
    subject.related(slot).map { member($0) }
  }

  /// The scope of an object of a relationship.
  func member(_ subject: Subject) -> Self { EvaluationScope(subject, Box(self)) }

  /// The scope some levels around.
  func outer(_ levels: Int) -> Self {
    levels == 0 ? self : outer?.scope.outer(levels - 1) ?? self
  }
}

/// Constants of a condition that are prepared once.
private enum PreparedConstant {
  /// A test of texts, and the number of the constant.
  case text(FetchPredicate.TextTest, Int)
  /// The numbers of the values of a list.
  case list(Range<Int>)
}

extension QueryCondition {
  /// Visits the constants that are prepared.
  fileprivate func forEachConstant(_ body: (PreparedConstant) -> Void) {
    switch self {
    case .text(let a, let test, let b, isNegated: _):
      if case .parameter(let number) = b { body(.text(test, number)) }
      a.forEachConstant(body)
      b.forEachConstant(body)
    case .related(_, _, let condition, isNegated: _): condition.forEachConstant(body)
    case .exists(let collection, isNegated: _): collection.condition?.forEachConstant(body)
    case .ofKind(_, let condition, let otherwise):
      condition.forEachConstant(body)
      otherwise.forEachConstant(body)
    case .and(let parts), .or(let parts): for part in parts { part.forEachConstant(body) }
    case .holds(let a, _, let b, _):
      a.forEachConstant(body)
      b.forEachConstant(body)
    case .isIn(let term, let parameters, _, _):
      body(.list(parameters))
      term.forEachConstant(body)
    case .isNull(let term, _): term.forEachConstant(body)
    case .constant: return
    }
  }
}

extension QueryTerm {
  fileprivate func forEachConstant(_ body: (PreparedConstant) -> Void) {
    if case .calculated(let calculation) = self { calculation.forEachConstant(body) }
  }
}

extension QueryCalculation {
  fileprivate func forEachConstant(_ body: (PreparedConstant) -> Void) {
    switch operation {
    case .slot, .key, .parameter, .null, .group, .aggregated: return
    case .outer(_, let inner), .related(_, _, let inner), .ofKind(_, let inner):
      inner.forEachConstant(body)
    case .call(_, let arguments): for argument in arguments { argument.forEachConstant(body) }
    case .aggregate(_, let collection, let value):
      collection.condition?.forEachConstant(body)
      value?.forEachConstant(body)
    case .conditional(let condition, let first, let second):
      condition.forEachConstant(body)
      first.forEachConstant(body)
      second.forEachConstant(body)
    }
  }
}

/// An object of which a condition is true or false, in memory. A store that evaluates conditions in
/// memory makes one for each row.
public protocol ConditionSubject {
  /// The key of the object.
  var key: Int64 { get }
  /// The position of the object's entity in the schema.
  var entity: Int { get }
  /// The value at a slot of the object's entity. For a to-one relationship, the key of the other
  /// object.
  func value(_ slot: Int) -> PropertyValue
  /// The object of the to-one relationship at a slot; nil when there is none.
  func related(_ slot: Int) -> Self?
  /// The objects of a to-many relationship, in any order.
  ///
  /// - Parameter relationship: the position of the relationship in ``StoreSchema/relationships`` of
  ///   the object's entity.
  func members(_ relationship: Int) -> [Self]
}
