/// Makes conditions of the parts of a format and its arguments. The meaning of the language is
/// here, and in `FormatFiller+Comparison.swift`.
struct FormatFiller {
  let arguments: [FormatArgument]

  /// What can be on a side of a comparison.
  enum Operand {
    case one(FetchExpression)
    case values([PropertyValue])
    case list([FetchExpression])
  }

  func predicate(_ condition: FormatCondition) throws(FormatMistake) -> FetchPredicate {
    switch condition {
    case .ready(let predicate): return predicate
    case .comparison(let left, let test, let options, let right, let offset):
      // CONTAINS may have a list on its left side.
      let a = test == .contains ? try operand(left) : .one(try expression(left, at: offset))
      let b: Operand
      switch test {
      case .in, .between: b = try list(right, test)
      case .contains: b = try operand(right)
      default: b = .one(try expression(right, at: offset))
      }
      return try compare(a, test, options: options, b, at: offset)
    case .quantified(let word, let inner, let offset):
      return try quantified(word, try predicate(inner), at: offset)
    case .exists(let collection): return .exists(try self.collection(collection))
    case .and(let parts): return .and(try predicates(parts))
    case .or(let parts): return .or(try predicates(parts))
    case .not(let inner): return .not(try predicate(inner))
    }
  }

  private func predicates(_ parts: [FormatCondition]) throws(FormatMistake) -> [FetchPredicate] {
    var predicates: [FetchPredicate] = []
    predicates.reserveCapacity(parts.count)
    for part in parts { predicates.append(try predicate(part)) }
    return predicates
  }

  func operand(_ term: FormatTerm) throws(FormatMistake) -> Operand {
    switch term {
    case .ready(let expression): return .one(expression)
    case .values(let values): return .values(values)
    case .list(let terms):
      var expressions: [FetchExpression] = []
      expressions.reserveCapacity(terms.count)
      for term in terms { expressions.append(try expression(term, at: 0)) }
      return Self.list(expressions)
    case .argument(let position, let kind, let offset):
      return try argument(position, kind, at: offset)
    case .path(let path): return .one(try self.path(path))
    case .call(let function, let terms, let offset):
      var expressions: [FetchExpression] = []
      for term in terms { expressions.append(try expression(term, at: offset)) }
      return .one(.call(function, expressions))
    case .cast(let term, let type, let offset):
      return .one(try type.expression(try expression(term, at: offset), at: offset))
    case .aggregate(let aggregate, let collection, let value):
      var inner: FetchExpression?
      if let value { inner = try expression(value, at: collection.at) }
      return .one(.aggregate(aggregate, try self.collection(collection), of: inner))
    case .conditional(let condition, let first, let second, let offset):
      return .one(
        .conditional(
          try predicate(condition), try expression(first, at: offset),
          try expression(second, at: offset)))
    }
  }

  /// The right side of IN or BETWEEN. An argument must be a list there.
  private func list(_ term: FormatTerm, _ test: FormatOperator) throws(FormatMistake) -> Operand {
    let operand = try operand(term)
    guard case .argument(let position, _, let place) = term else { return operand }
    if case .values(let values) = operand, test == .in || values.count == 2 { return operand }
    throw FormatMistake(
      .argumentKind, at: place,
      found: position < arguments.count ? arguments[position].kind : "missing",
      expected: test == .in
        ? "a list; use == for one value, and CONTAINS for a part of a text"
        : "a list of two values", argument: position + 1)
  }

  /// The list of constants, or of other expressions.
  static func list(_ expressions: [FetchExpression]) -> Operand {
    var values: [PropertyValue] = []
    values.reserveCapacity(expressions.count)
    for expression in expressions {
      guard case .constant(let value) = expression else { return .list(expressions) }
      values.append(value)
    }
    return .values(values)
  }

  /// The expression of a term that may not be a list.
  func expression(_ term: FormatTerm, at offset: Int) throws(FormatMistake) -> FetchExpression {
    guard case .one(let expression) = try operand(term) else {
      if case .argument(let position, _, let place) = term {
        throw FormatMistake(
          .argumentKind, at: place, found: "a list", expected: "one value",
          argument: position + 1)
      }
      throw FormatMistake(
        .misplacedList, at: offset, expected: "write it after IN or BETWEEN")
    }
    return expression
  }

  func collection(_ collection: FormatCollection) throws(FormatMistake) -> FetchCollection {
    var condition: FetchPredicate?
    if let inner = collection.condition { condition = try predicate(inner) }
    return FetchCollection(
      try expression(collection.relationship, at: collection.at), where: condition)
  }

  // MARK: Arguments

  private func argument(_ position: Int, _ kind: FormatToken.Kind, at offset: Int)
    throws(FormatMistake) -> Operand
  {
    guard position < arguments.count else { throw missing(position, at: offset) }
    let argument = arguments[position]
    switch (kind, argument) {
    case (.integerArgument, .value(.integer)), (.integerArgument, .value(.boolean)),
      (.floatingArgument, .value(.double)), (.value, .value):
      guard case .value(let value) = argument else { break }
      return .one(.constant(value))
    case (.value, .list(let values)): return .values(values)
    default: break
    }
    let expected =
      switch kind {
      case .integerArgument: "an integer for this placeholder, or write %@"
      case .floatingArgument: "a Double or Float, or write %@"
      default: "a value; write %K for a key path"
      }
    throw FormatMistake(
      .argumentKind, at: offset, found: argument.kind, expected: expected, argument: position + 1)
  }

  private func missing(_ position: Int, at offset: Int) -> FormatMistake {
    FormatMistake(
      .missingArgument, at: offset, found: "\(arguments.count)", expected: "more arguments",
      argument: position + 1)
  }

  private func path(_ path: FormatPath) throws(FormatMistake) -> FetchExpression {
    var name = ""
    for part in path.parts {
      if !name.isEmpty { name += "." }
      switch part {
      case .text(let text): name += text
      case .key(let position, let offset): name += try key(position, at: offset)
      }
    }
    guard let entity = path.entity else {
      return FetchExpression.property(name).outer(path.levels)
    }
    return FetchExpression.subentityProperty(entity: entity, property: name).outer(path.levels)
  }

  private func key(_ position: Int, at offset: Int) throws(FormatMistake) -> String {
    guard position < arguments.count else { throw missing(position, at: offset) }
    let text: String
    switch arguments[position] {
    case .value(.string(let path)), .keyPath(let path): text = path
    case .value, .list:
      throw FormatMistake(
        .argumentKind, at: offset, found: arguments[position].kind,
        expected: "a key path, as a property of a class or as a String", argument: position + 1)
    }
    guard FormatPath.isValid(text) else {
      throw FormatMistake(
        .argumentKind, at: offset, found: "not a key path",
        expected: "names with points between them, without @; write aggregates in the text",
        argument: position + 1)
    }
    return text
  }
}

extension FormatPath {
  /// Whether a text is one or more names with points between them.
  static func isValid(_ text: String) -> Bool {
    var isAtHead = true
    for byte in text.utf8 {
      if byte >= 0x80 { return SwiftIdentifier.isValidPath(text) }
      if isAtHead {
        guard FormatLexer.isHead(byte) else { return false }
        isAtHead = false
      } else if byte == UInt8(ascii: ".") {
        isAtHead = true
      } else if !FormatLexer.isTail(byte) {
        return false
      }
    }
    return !isAtHead
  }
}
