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
    try unwrapping(a) { a in
      try unwrapping(b) { b in
        a.constant == nil
          ? .comparison(try value(a), comparison, try value(b))
          : .comparison(try value(b), comparison.mirrored, try value(a))
      }
    }
  }

  /// A condition about a term, where the term may be an Optional.
  ///
  /// - Parameter whenNil: the condition where there is no value.
  func unwrapping(
    _ term: Term, whenNil: FetchPredicate = .constant(false),
    _ condition: (Term) throws -> FetchPredicate
  ) throws -> FetchPredicate {
    guard case .optional(let present, let term) = term else { return try condition(term) }
    let condition = try unwrapping(term, whenNil: whenNil, condition)
    if whenNil == .constant(false) {
      return condition.implies(present) ? condition : present && condition
    }
    return (present && condition) || (!present && whenNil)
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

  /// Whether a Boolean that is calculated equals another one, or a part of a predicate is nil; nil
  /// for other terms.
  private func equality(of a: Term, with b: Term) throws -> FetchPredicate? {
    switch (a, b) {
    case (.condition(let a), .condition(let b)): return (a && b) || (!a && !b)
    case (.condition(let a), .constant(let b)):
      guard let flag = Term.content(of: b) else { return .constant(false) }
      return (flag as? Bool) == false ? !a : a
    case (.optional, .constant(let b)) where Term.content(of: b) == nil: return !(try exists(a))
    case (.optional, _):
      let isNil: FetchPredicate = b.constant == nil ? !(try exists(b)) : .constant(false)
      return try unwrapping(a, whenNil: isNil) { try equality($0, .equal, b.unwrappedConstant) }
    case (.object(let object), .constant(let value)):
      // `($0 as? Sculpture) == nil`. An object of a path is compared like a value.
      guard case .subentity = object.base, Term.content(of: value) == nil else { return nil }
      return !(try exists(object))
    default: return nil
    }
  }

  /// Whether a term has a value.
  private func exists(_ term: Term) throws -> FetchPredicate {
    switch term {
    case .value(let value): .hasValue(value)
    case .object(let object): try exists(object)
    case .constant(let value): .constant(Term.content(of: value) != nil)
    case .optional(let present, let term): try exists(term, in: present)
    case .condition, .objects, .range: .constant(true)
    }
  }

  private func exists(_ term: Term, in present: FetchPredicate) throws -> FetchPredicate {
    switch try exists(term) {
    case .constant(true): present
    case let exists: exists.implies(present) ? exists : present && exists
    }
  }
}

extension Term {
  /// The value of the program without its Optional; another term as it is.
  fileprivate var unwrappedConstant: Term { constant == nil ? self : unwrapped }
}
