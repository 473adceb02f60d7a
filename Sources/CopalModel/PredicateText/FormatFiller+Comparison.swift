/// The meaning of the operators.
extension FormatFiller {
  func compare(
    _ left: Operand, _ test: FormatOperator, options: FormatOptions, _ right: Operand,
    at offset: Int
  ) throws(FormatMistake) -> FetchPredicate {
    switch test {
    case .in: return try isIn(left, options, right, at: offset)
    case .contains:
      // A list contains a value: the same as IN, in the other order.
      if case .one = left {} else { return try isIn(right, options, left, at: offset) }
      let (a, b) = (try single(left, at: offset), try single(right, at: offset))
      if a.isPath, b.isObject || b.isObjectConstant { return Self.isIn(b, path: a) }
      return .text(a, .contains(options.text), b)
    case .between:
      let (low, high) = try limits(right, at: offset)
      let a = try single(left, at: offset)
      return .and([.comparison(a, .greaterOrEqual, low), .comparison(a, .lessOrEqual, high)])
    default: break
    }
    let (a, b) = (try single(left, at: offset), try single(right, at: offset))
    switch test {
    case .comparison(let comparison): return Self.compare(a, comparison, options: options, b)
    case .hasPrefix: return .text(a, .hasPrefix(options.text), b)
    case .hasSuffix: return .text(a, .hasSuffix(options.text), b)
    case .like: return .text(a, .like(options.text), b)
    default: return try matches(a, options, b, at: offset)
    }
  }

  private func single(_ operand: Operand, at offset: Int) throws(FormatMistake) -> FetchExpression {
    guard case .one(let expression) = operand else {
      throw FormatMistake(
        .misplacedList, at: offset, expected: "use IN, or give one value for the placeholder")
    }
    return expression
  }

  static func compare(
    _ a: FetchExpression, _ comparison: FetchPredicate.Operator, options: FormatOptions,
    _ b: FetchExpression
  ) -> FetchPredicate {
    // Nil has no text: nil equals nil, as without options.
    let hasNil = a.isNilConstant || b.isNilConstant
    switch comparison {
    case .equal, .notEqual:
      guard !hasNil, options.isExact || !options.text.isEmpty else {
        return .comparison(a, comparison, b)
      }
      let equal = FetchPredicate.text(a, .equal(options.text), b)
      return comparison == .equal ? equal : .not(equal)
    default:
      guard !hasNil, let fold = options.fold else { return .comparison(a, comparison, b) }
      return .comparison(.call(fold, [a]), comparison, .call(fold, [b]))
    }
  }

  private func matches(
    _ a: FetchExpression, _ options: FormatOptions, _ b: FetchExpression, at offset: Int
  ) throws(FormatMistake) -> FetchPredicate {
    if options.text.isEmpty { return .text(a, .matches, b) }
    guard options.text == .caseInsensitive, case .constant(.string(let pattern)) = b else {
      throw FormatMistake(
        .unsupported, at: offset,
        found: options.text == .caseInsensitive
          ? "MATCHES[c] with a pattern that is not a constant" : "MATCHES[d]",
        expected: "use LIKE, or a constant pattern with the option [c]")
    }
    return .text(a, .matches, .constant(.string("(?i)" + pattern)))
  }

  private func limits(_ operand: Operand, at offset: Int) throws(FormatMistake)
    -> (FetchExpression, FetchExpression)
  {
    switch operand {
    case .values(let values) where values.count == 2:
      return (.constant(values[0]), .constant(values[1]))
    case .list(let list) where list.count == 2: return (list[0], list[1])
    default:
      throw FormatMistake(
        .unexpected, at: offset, found: "BETWEEN",
        expected: "a list of two values after it, such as {1, 10}")
    }
  }

  private func isIn(
    _ left: Operand, _ options: FormatOptions, _ right: Operand, at offset: Int
  ) throws(FormatMistake) -> FetchPredicate {
    let a = try single(left, at: offset)
    let hasOptions = options.isExact || !options.text.isEmpty
    switch right {
    case .values(let values):
      if !hasOptions || values.isEmpty { return .isIn(a, values) }
      var parts: [FetchPredicate] = []
      parts.reserveCapacity(values.count)
      for value in values {
        parts.append(Self.compare(a, .equal, options: options, .constant(value)))
      }
      return parts.count == 1 ? parts[0] : .or(parts)
    case .list(let list):
      var parts: [FetchPredicate] = []
      parts.reserveCapacity(list.count)
      for element in list { parts.append(Self.compare(a, .equal, options: options, element)) }
      return parts.count == 1 ? parts[0] : .or(parts)
    case .one(let b):
      if hasOptions {
        throw FormatMistake(
          .unsupported, at: offset, found: "IN with an option and without a list",
          expected: "write the list in braces, or give it as an argument for %@")
      }
      if case .variable(let name) = b { return .isInVariable(a, name) }
      if case .constant = a, !a.isObjectConstant, b.isPath {
        throw FormatMistake(
          .unsupported, at: offset, found: "IN with a value and a path",
          expected:
            "write ANY path == value for the objects of a to-many relationship, or exchange the two sides of CONTAINS for a text"
        )
      }
      guard b.isPath else {
        throw FormatMistake(
          .unsupported, at: offset,
          found: !b.isTextConstant
            ? "IN with a single value" : a.isTextConstant ? "a text IN a text" : "IN with a text",
          expected: b.isTextConstant
            ? "use CONTAINS and exchange its two sides" : "use ==, or give a list")
      }
      return Self.isIn(a, path: b)
    }
  }

  /// Whether an object is one of a relationship.
  static func isIn(_ object: FetchExpression, path: FetchExpression) -> FetchPredicate {
    .exists(
      FetchCollection(path, where: .comparison(.object, .equal, object.movedIntoCollection)))
  }

  // MARK: ANY, ALL, NONE

  func quantified(_ word: FormatWord, _ predicate: FetchPredicate, at offset: Int)
    throws(FormatMistake) -> FetchPredicate
  {
    switch word {
    case .noneOf: .not(try Self.quantified(.any, predicate, at: offset))
    case .all: try Self.quantified(.all, predicate, at: offset)
    default: try Self.quantified(.any, predicate, at: offset)
    }
  }

  private static func quantified(
    _ quantifier: FetchPredicate.Quantifier, _ predicate: FetchPredicate, at offset: Int
  ) throws(FormatMistake) -> FetchPredicate {
    switch (quantifier, predicate) {
    case (_, .comparison), (_, .isIn), (_, .isInVariable), (_, .text), (_, .constant):
      return .quantified(quantifier, predicate)
    // Any is not: not all are. All are not: not any is.
    case (_, .not(let inner)):
      return .not(try quantified(quantifier == .any ? .all : .any, inner, at: offset))
    case (.any, .or(let parts)), (.all, .and(let parts)):
      var quantified: [FetchPredicate] = []
      quantified.reserveCapacity(parts.count)
      for part in parts { quantified.append(try Self.quantified(quantifier, part, at: offset)) }
      return quantifier == .any ? .or(quantified) : .and(quantified)
    default:
      throw FormatMistake(
        .unsupported, at: offset, found: "ANY, ALL or NONE before this condition",
        expected: "write SUBQUERY(path, $x, condition).@count > 0")
    }
  }
}

extension FetchExpression {
  var isObjectConstant: Bool {
    if case .constant(.object) = self { return true }
    return false
  }

  var isNilConstant: Bool {
    if case .constant(.null) = self { return true }
    return false
  }

  var isTextConstant: Bool {
    if case .constant(.string) = self { return true }
    return false
  }

  /// The expression in the condition of a collection of its object.
  var movedIntoCollection: FetchExpression {
    mapped(depth: 0) { _, _ in
      nil
    } expression: { expression, depth in
      switch expression {
      case .property, .subentityProperty, .object: depth == 0 ? .outer(1, expression) : nil
      // Some conditions are about an object without a word for it.
      case .conditional: depth == 0 ? .outer(1, expression) : nil
      case .outer(let levels, let inner): levels >= depth ? .outer(levels &+ 1, inner) : nil
      default: nil
      }
    }
  }

  /// The expression outside of the condition of a collection; nil when it is about an object of the
  /// collection.
  var movedOutOfCollection: FetchExpression? {
    var isPossible = true
    let moved = mapped(depth: 0) { predicate, depth in
      if case .isKind = predicate, depth == 0 { isPossible = false }
      return nil
    } expression: { expression, depth in
      switch expression {
      case .property, .subentityProperty, .object:
        if depth == 0 { isPossible = false }
        return nil
      case .outer(let levels, let inner):
        guard 1...1000 ~= levels else {
          isPossible = false
          return expression
        }
        if levels > depth { return levels == 1 ? inner : .outer(levels - 1, inner) }
        if levels == depth { isPossible = false }
        return nil
      default: return nil
      }
    }
    return isPossible ? moved : nil
  }
}
