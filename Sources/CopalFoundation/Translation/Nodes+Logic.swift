import CopalEssentials
import CopalModel
import CopalObjects

extension PredicateExpressions.Variable: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    try translation.term(of: key)
  }
}

extension PredicateExpressions.Value: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term { .constant(value) }
}

extension PredicateExpressions.NilLiteral: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    .constant(Wrapped?.none as Any)
  }
}

extension PredicateExpressions.Conjunction: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let (a, b) = (try translation.condition(lhs), try translation.condition(rhs))
    if a == .constant(true) || b == .constant(false) { return .condition(b) }
    if b == .constant(true) || a == .constant(false) { return .condition(a) }
    return .condition(a && b)
  }
}

extension PredicateExpressions.Disjunction: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let (a, b) = (try translation.condition(lhs), try translation.condition(rhs))
    if a == .constant(false) || b == .constant(true) { return .condition(b) }
    if b == .constant(false) || a == .constant(true) { return .condition(a) }
    return .condition(a || b)
  }
}

extension PredicateExpressions.Negation: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let condition = try translation.condition(wrapped)
    if case .constant(let flag) = condition { return .condition(.constant(!flag)) }
    return .condition(!condition)
  }
}

extension PredicateExpressions.Conditional: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let condition = try translation.condition(test)
    let (first, second) = (try translation.term(trueBranch), try translation.term(falseBranch))
    if case .constant(let flag) = condition { return flag ? first : second }
    guard Output.self == Bool.self else {
      return .value(
        .conditional(condition, try translation.value(first), try translation.value(second)))
    }
    return .condition(
      (condition && (try translation.condition(first)))
        || (!condition && (try translation.condition(second))))
  }
}
