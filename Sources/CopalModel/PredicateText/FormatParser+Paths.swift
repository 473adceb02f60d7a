/// Key paths, aggregates and SUBQUERY.
extension FormatParser {
  /// A path that begins with a name, `SELF`, `#name`, `$name` or `%K`.
  mutating func path() throws(FormatMistake) -> FormatTerm {
    let token = token
    // A plain path is about the object that is fetched, also in the condition of a SUBQUERY.
    let outermost = scopes.count
    if token.kind == .key {
      let position = try placeholder()
      return try continued(FormatPath(parts: [.key(position, at: token.start)], levels: outermost))
    }
    try advance()
    if token.kind == .variable { return try variable(token) }
    let isEscaped = token.kind == .escapedName
    if token.word == .self, !isEscaped {
      guard token.firstEnd < token.end else {
        if self.token.kind == .dot {
          return try continued(
            FormatPath(parts: [], levels: outermost), orGroup: scopes.isEmpty)
        }
        return .ready(FetchExpression.object.outer(outermost))
      }
      let name = marked(lexer.text(token.firstEnd + 1, token.end), at: token.firstEnd + 1)
      return try continued(name, levels: outermost)
    }
    let start = token.start + (isEscaped ? 1 : 0)
    return try continued(marked(lexer.text(start, token.end), at: start), levels: outermost)
  }

  private mutating func variable(_ token: FormatToken) throws(FormatMistake) -> FormatTerm {
    let name = lexer.text(token.start + 1, token.firstEnd)
    let hasPath = token.firstEnd < token.end
    guard let index = scopes.lastIndex(of: name) else {
      if name == FetchPredicate.sourceVariable, hasPath {
        let path = lexer.text(token.start + 1, token.end)
        return .ready(.variable(marked(path, at: token.start + 1)))
      }
      if hasPath || self.token.kind == .dot || self.token.kind == .openBracket {
        throw FormatMistake(
          .unsupported, at: token.start, found: "a property of the variable $\(name)",
          expected: name == FetchPredicate.sourceVariable
            ? "write a path of names after it, such as $\(name).name"
            : "only the variable of a SUBQUERY has properties")
      }
      return .ready(.variable(marked(name, at: token.start + 1)))
    }
    let levels = scopes.count - 1 - index
    if hasPath {
      let path = lexer.text(token.firstEnd + 1, token.end)
      return try continued(marked(path, at: token.firstEnd + 1), levels: levels)
    }
    if self.token.kind == .dot { return try continued(FormatPath(parts: [], levels: levels)) }
    return .ready(FetchExpression.object.outer(levels))
  }

  private mutating func continued(_ name: String, levels: Int) throws(FormatMistake) -> FormatTerm {
    // The usual path, without anything after it.
    if token.kind != .dot, token.kind != .openBracket {
      return .ready(FetchExpression.property(name).outer(levels))
    }
    return try continued(FormatPath(parts: [.text(name)], levels: levels))
  }

  /// What comes after the beginning of a path: more names, an aggregate or `[SIZE]`.
  ///
  /// - Parameter orGroup: whether an aggregate can come at once, of the objects of a group.
  mutating func continued(_ path: FormatPath, orGroup: Bool = false) throws(FormatMistake)
    -> FormatTerm
  {
    var path = path
    while token.kind == .dot {
      try advance()
      switch token.kind {
      case .name: path.parts.append(.text(marked(lexer.text(token), at: token.start)))
      case .escapedName:
        let name = lexer.text(token.start + 1, token.end)
        path.parts.append(.text(marked(name, at: token.start + 1)))
      case .key:
        let place = token.start
        path.parts.append(.key(try placeholder(), at: place))
        continue
      case .aggregate where !path.parts.isEmpty:
        return try aggregate(of: try made(path), condition: nil)
      case .aggregate where orGroup:
        return try aggregate(of: .ready(.object), condition: nil)
      default: throw unexpected("a name, or an aggregate such as @count")
      }
      try advance()
    }
    guard !path.parts.isEmpty else { throw unexpected("a point and the name of a property") }
    let term = try made(path)
    return token.kind == .openBracket ? try size(of: term) : term
  }

  private func made(_ path: FormatPath) throws(FormatMistake) -> FormatTerm {
    let isReady = path.parts.allSatisfy { if case .text = $0 { true } else { false } }
    return try made(.path(path), isReady: isReady)
  }

  private mutating func size(of relationship: FormatTerm) throws(FormatMistake) -> FormatTerm {
    let start = token.start
    try advance()
    guard token.kind == .name, lexer.text(token).lowercased() == "size" else {
      throw FormatMistake(
        .unsupported, at: start, found: "an index of a path other than [SIZE]",
        expected: "write SUBQUERY or ANY for a condition on objects of a relationship")
    }
    try advance()
    try expect(.closeBracket, "]")
    return try made(
      .aggregate(
        .count, FormatCollection(relationship: relationship, condition: nil, at: start), of: nil),
      isReady: relationship.isReady)
  }

  private static let aggregates: [String: FetchAggregate] = [
    "count": .count, "sum": .sum, "min": .min, "max": .max, "avg": .average, "average": .average,
    "distinctcount": .distinctCount,
  ]

  /// An aggregate after its point: `@count`, or `@sum.price`.
  mutating func aggregate(of relationship: FormatTerm, condition: FormatCondition?)
    throws(FormatMistake) -> FormatTerm
  {
    let start = token.start
    let name = lexer.text(token.start + 1, token.end)
    // The number of values, of the objects of a group.
    let isValueCount =
      relationship.isObject && name.lowercased() == FetchAggregate.valueCountName.lowercased()
    guard let aggregate = isValueCount ? .count : Self.aggregates[name.lowercased()] else {
      let names = ["@count", "@sum", "@min", "@max", "@avg"]
      throw FormatMistake(
        .unknownAggregate, at: start, found: "@" + name,
        expected: names.joined(separator: ", "),
        suggestion: NearestName.of("@" + name, among: names))
    }
    try advance()
    let collection = FormatCollection(relationship: relationship, condition: condition, at: start)
    height += 1
    guard aggregate != .count || isValueCount else {
      return try made(
        .aggregate(.count, collection, of: nil),
        isReady: relationship.isReady && condition?.isReady ?? true)
    }
    guard token.kind == .dot else {
      throw unexpected("a point and the property of @\(name), as in pigments.@\(name).price")
    }
    let value = try continued(FormatPath(parts: [], levels: 0))
    guard value.isPath else {
      throw FormatMistake(
        .unsupported, at: start, found: "an aggregate of an aggregate",
        expected: "write \(name):(path, $x, value)")
    }
    return try made(
      .aggregate(aggregate, collection, of: value),
      isReady: relationship.isReady && condition?.isReady ?? true && value.isReady)
  }

  /// `SUBQUERY(path, $x, condition).@count`, after the opening parenthesis.
  mutating func subquery(from start: Int) throws(FormatMistake) -> FormatTerm {
    let relationship = try relationship()
    try expect(.comma, "a comma")
    let name = try scopeName()
    try expect(.comma, "a comma")
    scopes.append(name)
    let condition = try condition()
    scopes.removeLast()
    try expect(.closeParenthesis, ")")
    height += 1
    try checkDepth(height)
    return try aggregate(of: relationship, condition, from: start)
  }

  /// What comes after a SUBQUERY.
  @inline(never)
  private mutating func aggregate(
    of relationship: FormatTerm, _ condition: FormatCondition, from start: Int
  ) throws(FormatMistake) -> FormatTerm {
    guard token.kind == .dot else {
      if token.kind == .openBracket {
        try advance()
        if token.kind == .name, lexer.text(token).lowercased() == "size" {
          try advance()
          try expect(.closeBracket, "]")
          return try made(
            .aggregate(
              .count,
              FormatCollection(relationship: relationship, condition: condition, at: start),
              of: nil),
            isReady: relationship.isReady && condition.isReady)
        }
      }
      throw FormatMistake(
        .unsupported, at: start, found: "SUBQUERY without an aggregate",
        expected: "write .@count > 0 after it, or .@sum and a property")
    }
    try advance()
    guard token.kind == .aggregate else {
      throw unexpected("an aggregate, such as @count or @sum")
    }
    return try aggregate(of: relationship, condition: condition)
  }

  /// A path to a relationship, as the argument of a function.
  ///
  /// - Parameter orGroup: whether `SELF` stands for the objects of a group.
  mutating func relationship(orGroup: Bool = false) throws(FormatMistake) -> FormatTerm {
    let start = token.start
    let term = try self.term()
    if orGroup, scopes.isEmpty, term.isObject { return term }
    guard term.isPath else {
      throw FormatMistake(
        .unsupported, at: start, found: "a collection that is not a key path",
        expected: "write the name of a relationship, or a path to it")
    }
    return term
  }

  /// The variable for the objects of a collection.
  mutating func scopeName() throws(FormatMistake) -> String {
    guard token.kind == .variable, token.firstEnd == token.end else {
      throw unexpected("a variable, such as $x")
    }
    let name = lexer.text(token.start + 1, token.end)
    try advance()
    return name
  }
}
