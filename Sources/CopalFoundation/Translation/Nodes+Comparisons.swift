import CopalEssentials
import CopalModel
import CopalObjects

extension PredicateExpressions.Equal: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let (a, b) = (try translation.term(lhs), try translation.term(rhs))
    return try translation.constant(self, from: a, b)
      ?? .condition(translation.equality(a, .equal, b))
  }
}

extension PredicateExpressions.NotEqual: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let (a, b) = (try translation.term(lhs), try translation.term(rhs))
    return try translation.constant(self, from: a, b)
      ?? .condition(translation.equality(a, .notEqual, b))
  }
}

extension PredicateExpressions.Comparison: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let (a, b) = (try translation.term(lhs), try translation.term(rhs))
    if let constant = translation.constant(self, from: a, b) { return constant }
    let comparison: FetchPredicate.Operator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      }
    return .condition(try translation.comparison(a, comparison, b))
  }
}

extension PredicateTranslation {
  /// Compares two terms, with a constant on the right side.
  func comparison(_ a: Term, _ comparison: FetchPredicate.Operator, _ b: Term) throws
    -> FetchPredicate
  {
    a.constant == nil
      ? .comparison(try value(a), comparison, try value(b))
      : .comparison(try value(b), comparison.mirrored, try value(a))
  }

  /// Compares two terms with `==` or `!=`.
  func equality(_ a: Term, _ comparison: FetchPredicate.Operator, _ b: Term) throws
    -> FetchPredicate
  {
    let isTrue = comparison == .equal
    if let flag = try equality(of: a, with: b) ?? equality(of: b, with: a) {
      return isTrue ? flag : !flag
    }
    return try self.comparison(a, comparison, b)
  }

  /// Whether a Boolean that is calculated equals another one, or nil; nil for other terms.
  private func equality(of a: Term, with b: Term) throws -> FetchPredicate? {
    switch (a, b) {
    case (.condition(let a), .condition(let b)): return (a && b) || (!a && !b)
    case (.condition(let a), .constant(let b)):
      guard let flag = Term.content(of: b) else { return .constant(false) }
      return (flag as? Bool) == false ? !a : a
    case (.optional(let present, let a), .constant(let b)):
      guard Term.content(of: b) != nil else { return !present }
      let equal = try equality(a, .equal, b: Term.constant(b).unwrapped)
      return equal.implies(present) ? equal : present && equal
    default: return nil
    }
  }

  private func equality(_ a: Term, _ comparison: FetchPredicate.Operator, b: Term) throws
    -> FetchPredicate
  {
    try equality(a, comparison, b)
  }
}
