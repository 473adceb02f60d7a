/// Functions: a name and its arguments in parentheses.
extension FormatParser {
  /// A function; the token is its name.
  mutating func function() throws(FormatMistake) -> Item {
    let start = token.start
    let written = lexer.text(token)
    var name = written.lowercased()
    if name.utf8.last == UInt8(ascii: ":") { name.removeLast() }
    guard let function = FormatFunctionName.all[name] else {
      throw FormatMistake(
        .unknownFunction, at: start, found: written, expected: "a function such as abs: or length:",
        suggestion: NearestName.of(name, among: FormatFunctionName.suggestions))
    }
    if case .unsupported = function {
      throw FormatMistake(
        .unsupported, at: start, found: "the function \(written)",
        expected: name == "count"
          ? "write path.@count" : "calculate the value in the program, and give it as an argument")
    }
    try advance()
    try enter()
    try expect(.openParenthesis, "(")
    let item = try call(function, written, from: start)
    depth -= 1
    try checkDepth(height)
    return item
  }

  private mutating func call(_ function: FormatFunctionName, _ name: String, from start: Int)
    throws(FormatMistake) -> Item
  {
    switch function {
    case .call(let function):
      let arguments = try arguments(name, function.argumentCount)
      return .term(try call(function, arguments, at: start))
    case .cast: return .term(try cast(from: start))
    case .ternary: return .term(try ternary(from: start))
    case .subquery: return .term(try subquery(from: start))
    case .aggregate(let aggregate): return .term(try calculated(aggregate, name, from: start))
    case .exists: return try exists(from: start)
    case .isKind: return try isKind(from: start)
    case .subentity: return .term(try subentity(from: start))
    case .property: return .term(try property(from: start))
    case .variable:
      let place = token.start
      let name = try quoted("the name of a variable in quotes")
      try expect(.closeParenthesis, ")")
      return .term(.ready(.variable(marked(name, at: place))))
    case .unsupported: throw unexpected("another function")
    }
  }

  /// The arguments up to the closing parenthesis.
  private mutating func arguments(_ name: String, _ count: Int) throws(FormatMistake)
    -> [FormatTerm]
  {
    var terms: [FormatTerm] = []
    let start = token.start
    var deepest = 0
    while token.kind != .closeParenthesis {
      let next = try term()
      terms.append(next)
      deepest = max(deepest, height)
      guard token.kind == .comma, terms.count <= count else { break }
      try advance()
    }
    guard terms.count == count else {
      if token.kind == .end { throw unexpected("a comma or )") }
      throw FormatMistake(.argumentCount, at: start, found: name, expected: "\(count)")
    }
    height = deepest + 1
    try expect(.closeParenthesis, "a comma or )")
    return terms
  }

  private mutating func quoted(_ expected: String) throws(FormatMistake) -> String {
    guard token.kind == .string else { throw unexpected(expected) }
    let text = try lexer.value(of: token)
    try advance()
    return text
  }

  private mutating func cast(from start: Int) throws(FormatMistake) -> FormatTerm {
    let operand = try term()
    try expect(.comma, "a comma and the name of a type in quotes")
    let place = token.start
    let name = try quoted("the name of a type in quotes")
    guard let type = FormatCast(name: name) else {
      let names = FormatCast.allCases.map(\.rawValue)
      throw FormatMistake(
        .unknownType, at: place, found: name, expected: names.joined(separator: ", "),
        suggestion: NearestName.of(name, among: names))
    }
    try expect(.closeParenthesis, ")")
    height += 1
    return try made(.cast(operand, type, at: start), isReady: operand.isReady)
  }

  private mutating func ternary(from start: Int) throws(FormatMistake) -> FormatTerm {
    let condition = try condition()
    var deepest = height
    try expect(.comma, "a comma")
    let a = try term()
    deepest = max(deepest, height)
    try expect(.comma, "a comma")
    let b = try term()
    height = max(deepest, height) + 1
    try expect(.closeParenthesis, ")")
    return try made(
      .conditional(condition, a, b, at: start),
      isReady: condition.isReady && a.isReady && b.isReady)
  }

  /// `sum:(path, $x, value)` and `sum:(path, $x, value, condition)`.
  private mutating func calculated(_ aggregate: FetchAggregate, _ name: String, from start: Int)
    throws(FormatMistake) -> FormatTerm
  {
    let relationship = try relationship(orGroup: true)
    if aggregate == .count, !relationship.isObject {
      throw FormatMistake(
        .unsupported, at: start, found: "\(name) of a relationship",
        expected: "write SUBQUERY(path, $x, $x.name != nil).@count")
    }
    guard token.kind == .comma else {
      throw FormatMistake(
        .unsupported, at: start, found: "\(name) of a path",
        expected: "write path.@\(aggregate == .average ? "avg" : aggregate.rawValue).property")
    }
    try advance()
    scopes.append(try scopeName())
    try expect(.comma, "a comma and a value")
    let value = try term()
    var deepest = height
    var condition: FormatCondition?
    if token.kind == .comma {
      try advance()
      condition = try self.condition()
      deepest = max(deepest, height)
    }
    scopes.removeLast()
    try expect(.closeParenthesis, ")")
    height = deepest + 1
    let collection = FormatCollection(relationship: relationship, condition: condition, at: start)
    return try made(
      .aggregate(aggregate, collection, of: value),
      isReady: relationship.isReady && value.isReady && condition?.isReady ?? true)
  }

  /// `exists:(path)` and `exists:(path, $x, condition)`.
  private mutating func exists(from start: Int) throws(FormatMistake) -> Item {
    let relationship = try relationship()
    var condition: FormatCondition?
    if token.kind == .comma {
      try advance()
      scopes.append(try scopeName())
      try expect(.comma, "a comma and a condition")
      condition = try self.condition()
      scopes.removeLast()
    }
    try expect(.closeParenthesis, ")")
    height += 1
    return try made(
      .exists(FormatCollection(relationship: relationship, condition: condition, at: start)),
      isReady: relationship.isReady && condition?.isReady ?? true)
  }

  /// `SELF` or the variable of a collection: the number of collections up to its object.
  private mutating func subject() throws(FormatMistake) -> Int {
    var levels: Int?
    if token.word == .self, token.firstEnd == token.end {
      levels = scopes.count
    } else if token.kind == .variable, token.firstEnd == token.end {
      let name = lexer.text(token.start + 1, token.end)
      levels = scopes.lastIndex(of: name).map { scopes.count - 1 - $0 }
    }
    guard let levels else { throw unexpected("SELF, or the variable of a SUBQUERY") }
    try advance()
    return levels
  }

  private mutating func isKind(from start: Int) throws(FormatMistake) -> Item {
    guard try subject() == 0 else {
      throw FormatMistake(
        .unsupported, at: start, found: "iskind: about an outer object",
        expected: "write it outside of the SUBQUERY")
    }
    try expect(.comma, "a comma and the name of an entity")
    let place = token.start
    let name = try quoted("the name of an entity in quotes")
    try expect(.closeParenthesis, ")")
    return .condition(.ready(.isKind(marked(name, at: place))))
  }

  /// `as:(SELF, "Book")`, up to its closing parenthesis.
  private mutating func subentityHead() throws(FormatMistake) -> (levels: Int, entity: String) {
    let levels = try subject()
    try expect(.comma, "a comma and the name of an entity")
    let place = token.start
    let name = try quoted("the name of an entity in quotes")
    try expect(.closeParenthesis, ")")
    return (levels, marked(name, at: place))
  }

  private mutating func subentity(from start: Int) throws(FormatMistake) -> FormatTerm {
    let (levels, entity) = try subentityHead()
    return try continued(FormatPath(parts: [], entity: entity, levels: levels))
  }

  private mutating func property(from start: Int) throws(FormatMistake) -> FormatTerm {
    var path = FormatPath(parts: [], levels: 0)
    if token.kind == .function || token.kind == .name && token.word == nil,
      lexer.text(token).lowercased().hasPrefix("as")
    {
      try advance()
      try expect(.openParenthesis, "(")
      let head = try subentityHead()
      (path.levels, path.entity) = (head.levels, head.entity)
    } else {
      path.levels = try subject()
    }
    try expect(.comma, "a comma and the name of a property")
    let place = token.start
    path.parts = [.text(marked(try quoted("the name of a property in quotes"), at: place))]
    try expect(.closeParenthesis, ")")
    if token.kind == .dot || token.kind == .openBracket { return try continued(path) }
    return try made(.path(path), isReady: true)
  }
}
