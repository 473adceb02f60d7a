/// Reads a format by recursive descent, one function for each level of precedence.
///
/// Conditions and values go through the same functions, because a parenthesis can begin both: `(a +
/// b) * c > d` and `(a > b) AND c == d`. Each chain of operators is a loop; only what is nested
/// takes stack, and that has a limit.
struct FormatParser {
  /// The greatest number of parts that contain each other.
  static let maximumDepth = 100
  /// The greatest number of bytes of a text.
  static let maximumLength = 1 << 20

  enum Item {
    case condition(FormatCondition)
    case term(FormatTerm)
  }

  var lexer: FormatLexer
  var token: FormatToken
  /// The number of parts around the token.
  var depth = 0
  /// The number of levels of the term that was read last. A long chain of `+` has as many levels as
  /// signs.
  var height = 0
  /// The names of the variables of the SUBQUERYs around the token, the outermost first.
  var scopes: [String] = []
  /// The places of the placeholders.
  var placeholders: [Int] = []
  /// Whether names have their places: for a check that reports the place of a name. See
  /// ``NamePlace``.
  var marksPlaces = false
  /// Makes the parts without placeholders.
  let filler = FormatFiller(arguments: [])

  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(FormatMistake) {
    guard bytes.count <= Self.maximumLength else {
      throw FormatMistake(
        .tooLong, at: 0, found: "\(bytes.count)", expected: "\(Self.maximumLength)")
    }
    lexer = FormatLexer(bytes)
    token = try lexer.next()
  }

  mutating func parse() throws(FormatMistake) -> FormatCondition {
    let result = try condition()
    guard token.kind == .end else { throw unexpected("AND, OR or the end of the text") }
    return result
  }

  /// A name, with its place if names have places.
  func marked(_ name: String, at place: Int) -> String {
    marksPlaces ? NamePlace.marked(name, at: place) : name
  }

  // MARK: Tokens

  mutating func advance() throws(FormatMistake) { token = try lexer.next() }

  mutating func expect(_ kind: FormatToken.Kind, _ expected: String) throws(FormatMistake) {
    guard token.kind == kind else { throw unexpected(expected) }
    token = try lexer.next()
  }

  func unexpected(_ expected: String, among words: [String] = []) -> FormatMistake {
    if token.kind == .end {
      return FormatMistake(.unexpectedEnd, at: token.start, expected: expected)
    }
    let found = lexer.text(token)
    return FormatMistake(
      .unexpected, at: token.start, found: found, expected: expected,
      suggestion: token.kind == .name ? NearestName.of(found, among: words) : nil)
  }

  mutating func enter() throws(FormatMistake) {
    depth += 1
    try checkDepth(depth)
  }

  func checkDepth(_ depth: Int) throws(FormatMistake) {
    if depth > Self.maximumDepth {
      throw FormatMistake(.tooDeep, at: token.start, expected: "\(Self.maximumDepth)")
    }
  }

  // MARK: Conditions

  // An item is always read in a statement of its own: as an argument of a method of the parser, it
  // would be read after a copy of the parser has been made, and the error would have the place of
  // the copy.

  /// The condition of the item that was read last. A value alone is none: what is missing is its
  /// operator.
  func condition(_ item: Item) throws(FormatMistake) -> FormatCondition {
    if case .condition(let condition) = item { return condition }
    throw unexpected(
      "an operator, such as ==, < or CONTAINS",
      among: FormatWord.operators.map(\.printed) + ["AND", "OR"])
  }

  /// A complete condition.
  mutating func condition() throws(FormatMistake) -> FormatCondition {
    let item = try disjunction()
    return try condition(item)
  }

  static func term(_ item: Item, at offset: Int) throws(FormatMistake) -> FormatTerm {
    guard case .term(let term) = item else {
      throw FormatMistake(.misplacedCondition, at: offset, expected: "a value")
    }
    return term
  }

  /// A complete value.
  mutating func term() throws(FormatMistake) -> FormatTerm {
    let start = token.start
    return try Self.term(try sum(), at: start)
  }

  mutating func disjunction() throws(FormatMistake) -> Item {
    let first = try conjunction()
    guard token.word == .or || token.kind == .or else { return first }
    var parts = [try condition(first)]
    var deepest = height
    while token.word == .or || token.kind == .or {
      try advance()
      let next = try conjunction()
      parts.append(try condition(next))
      deepest = max(deepest, height)
    }
    height = deepest + 1
    try checkDepth(height)
    if let ready = Self.ready(parts) { return .condition(.ready(.or(ready))) }
    return .condition(.or(parts))
  }

  private mutating func conjunction() throws(FormatMistake) -> Item {
    let first = try negation()
    guard token.word == .and || token.kind == .and else { return first }
    var parts = [try condition(first)]
    var deepest = height
    while token.word == .and || token.kind == .and {
      try advance()
      let next = try negation()
      parts.append(try condition(next))
      deepest = max(deepest, height)
    }
    height = deepest + 1
    try checkDepth(height)
    if let ready = Self.ready(parts) { return .condition(.ready(.and(ready))) }
    return .condition(.and(parts))
  }

  /// The conditions of parts that have no placeholders; nil when one has.
  private static func ready(_ parts: [FormatCondition]) -> [FetchPredicate]? {
    for part in parts where !part.isReady { return nil }
    var predicates: [FetchPredicate] = []
    predicates.reserveCapacity(parts.count)
    for case .ready(let predicate) in parts { predicates.append(predicate) }
    return predicates
  }

  func made(_ condition: FormatCondition, isReady: Bool) throws(FormatMistake) -> Item {
    .condition(isReady ? .ready(try filler.predicate(condition)) : condition)
  }

  private mutating func negation() throws(FormatMistake) -> Item {
    if token.kind == .not || token.word == .not { return try negated() }
    switch token.word {
    case .any, .someOf, .all, .noneOf: return try quantified()
    default: return try comparison()
    }
  }

  // Not inlined, as other functions for a single form: what is nested needs less stack.
  @inline(never)
  private mutating func negated() throws(FormatMistake) -> Item {
    try enter()
    try advance()
    let item = try negation()
    let inner = try condition(item)
    depth -= 1
    height += 1
    try checkDepth(height)
    return try made(.not(inner), isReady: inner.isReady)
  }

  @inline(never)
  private mutating func quantified() throws(FormatMistake) -> Item {
    let start = token.start
    let word = token.word ?? .any
    try advance()
    let item = try comparison()
    let inner = try condition(item)
    height += 1
    try checkDepth(height)
    return try made(.quantified(word, inner, at: start), isReady: inner.isReady)
  }

  private mutating func comparison() throws(FormatMistake) -> Item {
    let start = token.start
    let left = try sum()
    guard let test = FormatOperator(token) else { return left }
    let a = try Self.term(left, at: start)
    let offset = token.start
    let leftHeight = height
    try advance()
    let options = token.kind == .openBracket ? try self.options(test) : FormatOptions()
    let b = try term()
    if FormatOperator(token) != nil {
      throw unexpected("AND or OR: a comparison has two sides")
    }
    height = max(leftHeight, height) + 1
    try checkDepth(height)
    return try made(
      .comparison(a, test, options, b, at: offset), isReady: a.isReady && b.isReady)
  }

  /// The letters in brackets after an operator.
  private mutating func options(_ test: FormatOperator) throws(FormatMistake) -> FormatOptions {
    try advance()
    guard token.kind == .name else { throw unexpected("the options c, d, n or l") }
    let name = lexer.text(token)
    var options = FormatOptions()
    for letter in name.utf8 {
      switch letter | 0x20 {
      case UInt8(ascii: "c"): options.text.insert(.caseInsensitive)
      case UInt8(ascii: "d"): options.text.insert(.diacriticInsensitive)
      case UInt8(ascii: "n"): options.isExact = true
      // The language of the user does not matter for a comparison.
      case UInt8(ascii: "l"): break
      default:
        throw FormatMistake(
          .invalidOption, at: token.start, found: name, expected: "the letters c, d, n and l")
      }
    }
    if options.isExact, !options.text.isEmpty {
      throw FormatMistake(
        .invalidOption, at: token.start, found: name,
        expected: "n without c and d, because n compares bytes")
    }
    if test == .between {
      throw FormatMistake(
        .invalidOption, at: token.start, found: name, expected: "BETWEEN without options")
    }
    try advance()
    try expect(.closeBracket, "]")
    return options
  }
}
