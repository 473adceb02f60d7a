import CopalEssentials
import CopalModel
import CopalObjects

extension PredicateExpressions.SequenceContains: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let (list, member) = (try translation.term(sequence), try translation.term(element))
    if let constant = translation.constant(self, from: list, member) { return constant }
    switch list {
    case .objects(let collection):
      let isObject = FetchPredicate.comparison(
        .object, .equal, try translation.deeper.value(element))
      return .condition(.exists(collection.filtered(isObject)))
    case .constant(let values):
      if let range = Term.content(of: values) as? any ConstantRange {
        return .condition(try translation.isIn(range, member))
      }
      guard let elements = ConstantValue.elements(of: values) else { break }
      return .condition(try translation.isIn(elements, member))
    default: break
    }
    throw translation.unsupported(
      "contains(_:) of a property", "use contains(where:) of a relationship")
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    switch try translation.term(sequence) {
    case .objects(let collection):
      let condition = try translation.inside(variable.key).condition(test)
      return .condition(.exists(collection.filtered(condition)))
    case let list:
      let conditions = try translation.conditions(of: list, variable, test)
      return .condition(.or(conditions))
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    switch try translation.term(sequence) {
    case .objects(let collection):
      let condition = try translation.inside(variable.key).condition(test)
      return .condition(!.exists(collection.filtered(!condition)))
    case let list:
      let conditions = try translation.conditions(of: list, variable, test)
      return .condition(.and(conditions))
    }
  }
}

extension PredicateExpressions.Filter: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let list = try translation.term(sequence)
    if case .objects(let collection) = list {
      let condition = try translation.inside(variable.key).condition(filter)
      return .objects(collection.filtered(condition))
    }
    // Not Foundation's evaluation, which ends the program at a division by zero in the closure.
    guard let values = list.constant, let elements = ConstantValue.elements(of: values) else {
      throw translation.needsConstants(self)
    }
    let members = try elements.filter { element in
      let inner = translation.binding(variable, toConstant: element)
      guard case .constant(let isMember) = try inner.condition(filter) else {
        throw translation.needsConstants(self)
      }
      return isMember
    }
    return .constant(members)
  }
}

// MARK: Ranges

extension PredicateExpressions.Range: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    .range(try translation.value(lower), try translation.value(upper), includesUpper: false)
  }
}

extension PredicateExpressions.ClosedRange: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    .range(try translation.value(lower), try translation.value(upper), includesUpper: true)
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let (range, member) = (try translation.term(range), try translation.term(element))
    if let constant = translation.constant(self, from: range, member) { return constant }
    switch range {
    case .range(let lower, let upper, let includesUpper):
      let value = try translation.value(member)
      return .condition(
        .and([
          .comparison(value, .greaterOrEqual, lower),
          .comparison(value, includesUpper ? .lessOrEqual : .less, upper),
        ]))
    case .constant(let range as any ConstantRange):
      return .condition(try translation.isIn(range, member))
    default: throw translation.needsConstants(self)
    }
  }
}

// MARK: Lists of constants

extension PredicateTranslation {
  /// Whether a term is in a range.
  fileprivate func isIn(_ range: any ConstantRange, _ member: Term) throws -> FetchPredicate {
    try unwrapping(member) { try isIn(range, value($0)) }
  }

  private func isIn(_ range: any ConstantRange, _ value: FetchExpression) throws -> FetchPredicate {
    let bounds = range.bounds
    var conditions: [FetchPredicate] = []
    if let lower = bounds.lower {
      conditions.append(.comparison(value, .greaterOrEqual, try self.value(.constant(lower))))
    }
    if let upper = bounds.upper {
      conditions.append(
        .comparison(
          value, bounds.includesUpper ? .lessOrEqual : .less, try self.value(.constant(upper))))
    }
    return conditions.count == 1 ? conditions[0] : .and(conditions)
  }

  /// Whether a term is one of several values. Swift finds nil in a list with nil; `isIn` does not.
  fileprivate func isIn(_ elements: [Any], _ member: Term) throws -> FetchPredicate {
    let values = try elements.map { try ConstantValue.propertyValue(of: $0) }
    let hasNil = values.contains { $0.isNull }
    return try unwrapping(member, whenNil: .constant(hasNil)) { member in
      let value = try value(member)
      let isIn = FetchPredicate.isIn(value, values.filter { !$0.isNull })
      return hasNil ? isIn || .comparison(value, .equal, .constant(.null)) : isIn
    }
  }

  /// A condition for each value of a list.
  fileprivate func conditions(
    of list: Term, _ variable: PredicateExpressions.Variable<some Any>,
    _ test: any PredicateExpression
  ) throws -> [FetchPredicate] {
    guard let constant = list.constant, let elements = ConstantValue.elements(of: constant) else {
      throw unsupported(
        "a closure for a value that is not a relationship", "use a to-many relationship")
    }
    return try elements.map { element in
      try binding(variable, toConstant: element).condition(test)
    }
  }
}

extension FetchCollection {
  /// The objects that meet one more condition.
  fileprivate func filtered(_ added: FetchPredicate) -> FetchCollection {
    FetchCollection(relationship, where: condition.map { $0 && added } ?? added)
  }
}
