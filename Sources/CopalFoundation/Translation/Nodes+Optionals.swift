import CopalEssentials
import CopalModel
import CopalObjects

extension PredicateExpressions.ForcedUnwrap: TranslatableNode {
  /// Where there is no value, it is nil. Foundation's evaluation throws.
  func term(_ translation: PredicateTranslation) throws -> Term {
    let term = try translation.term(inner)
    if case .constant(let value) = term, Term.content(of: value) == nil {
      throw translation.unsupported("! on nil", "compute the value before the predicate")
    }
    if case .optional(let present, .condition(let condition)) = term {
      return .condition(condition.implies(present) ? condition : present && condition)
    }
    // A path without its object is nil by itself. A choice is not.
    if case .optional(let present, .value(let value)) = term, value.isChoice {
      return .value(.conditional(present, value, .constant(.null)))
    }
    return term.unwrapped
  }
}

extension FetchExpression {
  /// Whether it can have a value where its parts have none.
  fileprivate var isChoice: Bool {
    switch self {
    case .conditional, .call(.ifNil, _): true
    case .outer(_, let inner): inner.isChoice
    case .call(_, let arguments): arguments.contains(where: \.isChoice)
    default: false
    }
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let (first, second) = (try translation.term(lhs), try translation.term(rhs))
    switch first {
    case .constant(let value):
      return Term.content(of: value) == nil ? second : first.unwrapped
    case .optional(let present, .condition(let condition)):
      return .condition(Self.either(present, condition, try translation.condition(second)))
    case .value(let value):
      if case .constant(let other) = second, Term.content(of: other) == nil { return first }
      return .value(.call(.ifNil, [value, try translation.value(second)]))
    case .optional(let present, let term):
      let value = try translation.value(term)
      // Not `ifNil` with a conditional nil in it, which has no type.
      return .value(
        .conditional(
          value.isNeverNil ? present : present && .hasValue(value), value,
          try translation.value(second)))
    case .condition, .objects, .range: return first
    case .object:
      throw translation.unsupported("?? between objects", "compare each of them")
    }
  }

  private static func either(
    _ present: FetchPredicate, _ first: FetchPredicate, _ second: FetchPredicate
  ) -> FetchPredicate {
    switch second {
    case .constant(false): first.implies(present) ? first : present && first
    case .constant(true): !present || first
    default: (present && first) || (!present && second)
    }
  }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let optional = try translation.term(wrapped)
    let present: FetchPredicate
    switch optional {
    case .constant(let value):
      guard let content = Term.content(of: value) else { return .constant(Result?.none as Any) }
      return try translation.binding(variable, toConstant: content).term(transform)
    case .value(let value): present = .hasValue(value)
    case .object(let object): present = try translation.exists(object)
    case .optional(let condition, _): present = condition
    case .condition, .objects, .range: present = .constant(true)
    }
    let result = try translation.binding(variable.key, to: wrapped).term(transform)
    return try nested(result, in: present, of: optional, translation)
  }

  /// The result, which is nil where there is no value.
  private func nested(
    _ result: Term, in present: FetchPredicate, of optional: Term,
    _ translation: PredicateTranslation
  ) throws -> Term {
    if present == .constant(true) { return result }
    switch result {
    case .value(let value) where isNil(value, with: optional, translation): return result
    case .object(let object)
    where isNil(translation.expression(of: object), with: optional, translation):
      return result
    case .optional(let condition, let term):
      return .optional(condition.implies(present) ? condition : present && condition, term)
    default: return .optional(present, result)
    }
  }

  /// Whether a value is nil wherever the Optional is.
  private func isNil(
    _ value: FetchExpression, with optional: Term, _ translation: PredicateTranslation
  ) -> Bool {
    switch optional {
    case .value(let wrapped): return value.isNil(with: wrapped)
    case .object(let object):
      if case .subentity(let entity) = object.base { return value.isNil(withSubentity: entity) }
      return value.isNil(with: translation.expression(of: object))
    default: return false
    }
  }
}

extension FetchExpression {
  fileprivate var isNeverNil: Bool {
    switch self {
    case .constant(let value): !value.isNull
    case .aggregate(.count, _, _): true
    default: false
    }
  }

  /// Whether the expression is nil for an object that is not of a subentity.
  fileprivate func isNil(withSubentity entity: String) -> Bool {
    switch self {
    case .subentityProperty(entity, _): true
    case .call(let function, let arguments):
      function != .ifNil && arguments.contains { $0.isNil(withSubentity: entity) }
    case .outer(_, let inner): inner.isNil(withSubentity: entity)
    default: false
    }
  }
}
