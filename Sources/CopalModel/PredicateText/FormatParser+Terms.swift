/// Values: arithmetic, literals, lists and placeholders.
extension FormatParser {
  /// A value with `+`, `-` and `??` in it, or a condition in parentheses.
  mutating func sum() throws(FormatMistake) -> Item {
    let start = token.start
    let first = try addition()
    guard token.kind == .coalesce else { return first }
    // `??` is read from the right: a ?? b ?? c is a ?? (b ?? c).
    var operands = [try Self.term(first, at: start)]
    var deepest = height
    while token.kind == .coalesce {
      try advance()
      let place = token.start
      operands.append(try Self.term(try addition(), at: place))
      deepest = max(deepest, height)
    }
    height = deepest + operands.count
    try checkDepth(height)
    var result = operands.removeLast()
    for operand in operands.reversed() {
      result = try call(.ifNil, [operand, result], at: start)
    }
    return .term(result)
  }

  private mutating func addition() throws(FormatMistake) -> Item {
    let start = token.start
    var left = try multiplication()
    while token.kind == .plus || token.kind == .minus {
      let function: FetchFunction = token.kind == .plus ? .add : .subtract
      left = try link(left, function, from: start) { parser throws(FormatMistake) in
        try parser.multiplication()
      }
    }
    return left
  }

  private mutating func multiplication() throws(FormatMistake) -> Item {
    let start = token.start
    var left = try sign()
    while true {
      let function: FetchFunction
      switch token.kind {
      case .star: function = .multiply
      case .slash: function = .divide
      case .remainder: function = .remainder
      case .power:
        throw FormatMistake(
          .unsupported, at: token.start, found: "the operator **",
          expected: "multiply, or calculate the value in the program")
      default: return left
      }
      left = try link(left, function, from: start) { parser throws(FormatMistake) in
        try parser.sign()
      }
    }
  }

  /// One more operand of a chain.
  private mutating func link(
    _ left: Item, _ function: FetchFunction, from start: Int,
    _ next: (inout FormatParser) throws(FormatMistake) -> Item
  ) throws(FormatMistake) -> Item {
    let a = try Self.term(left, at: start)
    let (offset, leftHeight) = (token.start, height)
    try advance()
    let place = token.start
    let b = try Self.term(try next(&self), at: place)
    height = max(leftHeight, height) + 1
    try checkDepth(height)
    return .term(try call(function, [a, b], at: offset))
  }

  func call(_ function: FetchFunction, _ terms: [FormatTerm], at offset: Int)
    throws(FormatMistake) -> FormatTerm
  {
    try made(.call(function, terms, at: offset), isReady: terms.allSatisfy(\.isReady))
  }

  func made(_ term: FormatTerm, isReady: Bool) throws(FormatMistake) -> FormatTerm {
    guard isReady, case .one(let expression) = try filler.operand(term) else { return term }
    return .ready(expression)
  }

  private mutating func sign() throws(FormatMistake) -> Item {
    token.kind == .minus ? try negative() : try primary()
  }

  @inline(never)
  private mutating func negative() throws(FormatMistake) -> Item {
    let start = token.start
    try enter()
    defer { depth -= 1 }
    try advance()
    if token.kind == .integer || token.kind == .floating {
      return .term(.ready(.constant(try number(isNegative: true))))
    }
    let place = token.start
    let operand = try Self.term(try sign(), at: place)
    height += 1
    try checkDepth(height)
    return .term(try call(.negate, [operand], at: start))
  }

  @inline(never)
  private mutating func number(isNegative: Bool) throws(FormatMistake) -> PropertyValue {
    let text = lexer.text(token)
    let value: PropertyValue =
      token.kind == .integer
      ? .integer(try FormatNumber.integer(text, isNegative: isNegative, at: token.start))
      : .double(try FormatNumber.floating(text, isNegative: isNegative, at: token.start))
    try advance()
    height = 0
    return value
  }

  private mutating func primary() throws(FormatMistake) -> Item {
    height = 0
    return token.kind == .openParenthesis ? try parenthesis() : try operand()
  }

  @inline(never)
  private mutating func parenthesis() throws(FormatMistake) -> Item {
    try enter()
    try advance()
    let inner = try disjunction()
    guard token.kind != .comma else {
      throw unexpected("); write a list in braces, such as {1, 2}")
    }
    try expect(.closeParenthesis, ")")
    depth -= 1
    return inner
  }

  @inline(never)
  private mutating func operand() throws(FormatMistake) -> Item {
    let start = token.start
    switch token.kind {
    case .name:
      return try name()
    case .function: return try function()
    case .escapedName, .variable, .key: return .term(try path())
    case .integer, .floating: return .term(.ready(.constant(try number(isNegative: false))))
    case .string:
      let text = try lexer.value(of: token)
      try advance()
      return .term(.ready(.constant(.string(text))))
    case .value, .integerArgument, .floatingArgument:
      let kind = token.kind
      let position = try placeholder()
      return .term(.argument(position, kind, at: start))
    case .openBrace: return .term(try list())
    default: throw unexpected("a name, a value or a parenthesis")
    }
  }

  /// Reads a placeholder: the position of its argument.
  mutating func placeholder() throws(FormatMistake) -> Int {
    placeholders.append(token.start)
    try advance()
    return placeholders.count - 1
  }

  /// A name, a reserved word or a function.
  @inline(never)
  private mutating func name() throws(FormatMistake) -> Item {
    if let word = token.word {
      func constant(_ value: PropertyValue) -> Item { .term(.ready(.constant(value))) }
      switch word {
      case .self: return .term(try path())
      case .true, .yes:
        try advance()
        return constant(.boolean(true))
      case .false, .no:
        try advance()
        return constant(.boolean(false))
      case .null, .nil:
        try advance()
        return constant(.null)
      case .truepredicate:
        try advance()
        return .condition(.ready(.constant(true)))
      case .falsepredicate:
        try advance()
        return .condition(.ready(.constant(false)))
      default:
        throw unexpected("a name or a value; write #name for a property of this name")
      }
    }
    if token.firstEnd == token.end, lexer.isBeforeParenthesis { return try function() }
    return .term(try path())
  }

  /// A list in braces. Lists of constants stay values, because they can be long.
  @inline(never)
  private mutating func list() throws(FormatMistake) -> FormatTerm {
    try enter()
    try advance()
    var values: [PropertyValue] = []
    var terms: [FormatTerm] = []
    var deepest = 0
    while token.kind != .closeBrace {
      let start = token.start
      let term = try self.term()
      deepest = max(deepest, height)
      switch term {
      case .values, .list:
        throw FormatMistake(
          .misplacedList, at: start, expected: "write the values themselves in the list")
      case .ready(.constant(let value)) where terms.isEmpty: values.append(value)
      default:
        if terms.isEmpty {
          terms = values.map { .ready(.constant($0)) }
        }
        terms.append(term)
      }
      guard token.kind == .comma else { break }
      try advance()
      if token.kind == .closeBrace { throw unexpected("a value after the comma") }
    }
    try expect(.closeBrace, "a comma or }")
    depth -= 1
    height = deepest + 1
    return terms.isEmpty ? .values(values) : .list(terms)
  }
}
