import CopalModel
import CopalPatterns

/// Binds tests of texts.
extension ConditionBinder {
  mutating func bind(
    _ first: FetchExpression, _ test: FetchPredicate.TextTest, _ second: FetchExpression,
    isNegated: Bool
  ) throws -> BoundPart {
    let isCalculated = grouping != nil || first.isCalculated || second.isCalculated
    if try isCalculated || areOfDifferentObjects(first, second) {
      return try bindCalculated(first, test, second, isNegated: isNegated)
    }
    if let hop = try hop(first) ?? hop(second) {
      return try bind(through: hop, isNegated) { binder, inner, isNegated in
        try binder.bind(try inner(first), test, try inner(second), isNegated: isNegated)
      }
    }
    switch (first, second) {
    case (.subentityProperty(let entity, _), _), (_, .subentityProperty(let entity, _)):
      return try bind(of: entity) { binder, name in
        try binder.bind(try name(first), test, try name(second), isNegated: isNegated)
      }
    case (.object, _), (_, .object):
      throw wrongComparison("by a test of texts")
    default: break
    }
    // Both terms and the pattern are checked before a nil decides.
    let (a, b) = (try text(first, beside: second), try text(second, beside: first))
    let matcher = try matcher(test, second)
    if case .slot = a, case .constant(let text) = b,
      let simpler = TextSimplification.condition(first, test, text)
    {
      return try part(Negatable(simpler, isNegated: isNegated), depth: 0)
    }
    switch (a, b) {
    case (.null, _), (_, .null): return .constant(isNegated)
    case (.constant(let text), .constant):
      return .constant(matcher?.matches(text) != isNegated)
    default: break
    }
    return .condition(.text(term(a), test, term(b), isNegated: isNegated))
  }

  /// One side of a test of texts.
  private enum BoundText {
    case null
    case constant(String)
    case slot(Int)
  }

  private func text(_ expression: FetchExpression, beside other: FetchExpression) throws
    -> BoundText
  {
    switch expression {
    case .constant(.string(let text)): return .constant(text)
    case .constant(let value):
      // Values of different types are not equal, and a value that is no text has no part that is
      // one.
      guard !value.isNull, case .property(let name) = other else { return .null }
      throw wrongType(value.kind, comparedWith: try layout.querySlot(name))
    case .property(let name):
      let slot = try layout.querySlot(name)
      guard layout.types[slot] == .string else {
        throw notText(name, slot)
      }
      return .slot(slot)
    default: return .null
    }
  }

  private func notText(_ name: String, _ slot: Int) -> PersistenceError {
    if layout.reference(ofSlot: slot) != nil {
      return PersistenceError(
        .notText, entity: layout.name, property: name, found: PropertyValue.objectKind)
    }
    let type = layout.types[slot]
    let cast = "'CAST(\(name), \"NSString\")' in a text"
    let conversion = type == .boolean ? cast : "'\(name).asString', or \(cast)"
    return PersistenceError(
      .notText, entity: layout.name, property: name, found: type.rawValue,
      expected: QueryValueType(type)?.hasText == true ? conversion : nil)
  }

  private mutating func term(_ text: BoundText) -> QueryTerm {
    switch text {
    case .slot(let slot): return .slot(slot)
    case .constant(let text): parameters.append(.string(text))
    case .null: parameters.append(.null)
    }
    return .parameter(parameters.count - 1)
  }

  /// The matcher of a test with a constant; nil when the second text is an attribute.
  func matcher(_ test: FetchPredicate.TextTest, _ second: FetchExpression) throws
    -> TextMatcher?
  {
    guard case .constant(let value) = second else {
      if test == .matches {
        throw PersistenceError(
          .invalidPattern, entity: layout.name, found: "an attribute",
          expected: "a constant, because a pattern is checked before the fetch")
      }
      return nil
    }
    guard case .string(let pattern) = value else { return nil }
    if case .like = test, pattern.utf8.count > LikePattern.maximumLength {
      throw PersistenceError(
        .tooComplex, entity: layout.name,
        found: "a pattern of 'like' has more than \(LikePattern.maximumLength) bytes",
        expected: "use a shorter pattern")
    }
    do {
      return try TextMatcher(test, pattern)
    } catch {
      throw PersistenceError(
        .invalidPattern, entity: layout.name,
        found: "'\(error.found)' at offset \(error.offset) of '\(pattern.prefix(100))'",
        expected: error.expected)
    }
  }
}

/// `name.length` in a condition: predicates of Foundation ask a text for its length by a path.
extension ConditionBinder {
  /// The length of an attribute, if a path asks for it; nil for another expression.
  func length(_ expression: FetchExpression) -> FetchExpression? {
    guard case .property(let path) = expression, path.hasSuffix(".length") else { return nil }
    let name = String(path.dropLast(".length".count))
    guard let slot = layout.slot(named: name), layout.types[slot] == .string else { return nil }
    return .call(.length, [.property(name)])
  }

  /// Two sides of a comparison of which one at least is such a path; nil for others.
  func lengths(_ left: FetchExpression, _ right: FetchExpression) -> (
    FetchExpression, FetchExpression
  )? {
    let (a, b) = (length(left), length(right))
    return a == nil && b == nil ? nil : (a ?? left, b ?? right)
  }
}
