/// Replacing parts of conditions.
extension FetchPredicate {
  /// What takes the place of a variable.
  public enum Replacement: Sendable, Hashable {
    /// A value.
    case value(PropertyValue)
    /// The values of a list, for ``FetchPredicate/isInVariable(_:_:)``.
    case list([PropertyValue])
  }

  /// The condition with constants in place of variables. Variables without a replacement stay; a
  /// fetch refuses them.
  ///
  /// ```swift
  /// let template: FetchPredicate = .comparison(.property("price"), .less, .variable("limit"))
  /// let cheap = template.replacing(variables: ["limit": .value(.decimal(20))])
  /// ```
  ///
  /// A value for the variable of a list is a list of one value. A list stays out of a place for one
  /// value.
  public func replacing(variables: [String: Replacement]) -> FetchPredicate {
    mapped { predicate, _ in
      guard case .isInVariable(let expression, let name) = predicate, let found = variables[name]
      else { return nil }
      let values = if case .list(let values) = found { values } else { found.values }
      return .isIn(expression, values)
    } expression: { expression, _ in
      guard case .variable(let name) = expression, case .value(let value)? = variables[name] else {
        return nil
      }
      return .constant(value)
    }
  }

  /// The condition with other parts.
  ///
  /// - Parameters:
  ///   - predicate: returns what takes the place of a condition; nil to go on with its parts. Its
  ///     second argument is the number of collections around the condition.
  ///   - expression: the same for an expression.
  package func mapped(
    depth: Int = 0, predicate: (FetchPredicate, Int) -> FetchPredicate?,
    expression: (FetchExpression, Int) -> FetchExpression?
  ) -> FetchPredicate {
    func part(_ part: FetchPredicate) -> FetchPredicate {
      part.mapped(depth: depth, predicate: predicate, expression: expression)
    }
    func part(_ part: FetchExpression) -> FetchExpression {
      part.mapped(depth: depth, predicate: predicate, expression: expression)
    }
    let whole = predicate(self, depth)
    switch whole ?? self {
    case .constant, .isKind: return whole ?? self
    case .comparison(let a, let comparison, let b): return .comparison(part(a), comparison, part(b))
    case .isIn(let a, let values): return .isIn(part(a), values)
    case .isInVariable(let a, let name): return .isInVariable(part(a), name)
    case .text(let a, let test, let b): return .text(part(a), test, part(b))
    case .exists(let collection):
      return .exists(collection.mapped(depth: depth, predicate: predicate, expression: expression))
    case .quantified(let quantifier, let inner): return .quantified(quantifier, part(inner))
    case .and(let parts): return .and(parts.map { part($0) })
    case .or(let parts): return .or(parts.map { part($0) })
    case .not(let inner): return .not(part(inner))
    }
  }
}

extension FetchPredicate {
  /// The name of the variable for the object that has a fetched property. A path may follow:
  /// `FETCH_SOURCE.budget`.
  package static let sourceVariable = "FETCH_SOURCE"

  /// The names of the variables, each once.
  package var variableNames: Set<String> {
    var names = listVariableNames
    _ = mapped { _, _ in
      nil
    } expression: { expression, _ in
      if case .variable(let name) = expression { names.insert(name) }
      return nil
    }
    return names
  }

  /// The names of the variables that stand for lists.
  package var listVariableNames: Set<String> {
    var names: Set<String> = []
    _ = mapped { predicate, _ in
      if case .isInVariable(_, let name) = predicate { names.insert(name) }
      return nil
    } expression: { _, _ in
      nil
    }
    return names
  }
}

extension FetchPredicate.Replacement {
  fileprivate var values: [PropertyValue] {
    switch self {
    case .value(let value): [value]
    case .list(let values): values
    }
  }
}

extension FetchCollection {
  package func mapped(
    depth: Int, predicate: (FetchPredicate, Int) -> FetchPredicate?,
    expression: (FetchExpression, Int) -> FetchExpression?
  ) -> FetchCollection {
    FetchCollection(
      relationship.mapped(depth: depth, predicate: predicate, expression: expression),
      where: condition?.mapped(depth: depth + 1, predicate: predicate, expression: expression))
  }
}

extension FetchExpression {
  package func mapped(
    depth: Int, predicate: (FetchPredicate, Int) -> FetchPredicate?,
    expression: (FetchExpression, Int) -> FetchExpression?
  ) -> FetchExpression {
    func part(_ part: FetchExpression) -> FetchExpression {
      part.mapped(depth: depth, predicate: predicate, expression: expression)
    }
    if let replaced = expression(self, depth) { return replaced }
    switch self {
    case .property, .subentityProperty, .constant, .object, .variable: return self
    case .outer(let levels, let inner):
      return .outer(
        levels,
        inner.mapped(depth: depth - levels, predicate: predicate, expression: expression))
    case .call(let function, let arguments): return .call(function, arguments.map(part))
    case .aggregate(let aggregate, let collection, let value):
      return .aggregate(
        aggregate,
        collection.mapped(depth: depth, predicate: predicate, expression: expression),
        of: value?.mapped(depth: depth + 1, predicate: predicate, expression: expression))
    case .conditional(let condition, let first, let second):
      return .conditional(
        condition.mapped(depth: depth, predicate: predicate, expression: expression),
        part(first), part(second))
    }
  }
}
