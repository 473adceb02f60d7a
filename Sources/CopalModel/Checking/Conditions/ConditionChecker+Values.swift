/// Expressions and their types.
extension ConditionChecker {
  /// The type of an expression.
  ///
  /// - Parameters:
  ///   - other: the other side of the comparison, which gives a variable its type.
  ///   - inEquality: whether the comparison is `==` or `!=`, where nil has a meaning.
  mutating func typed(
    _ expression: FetchExpression, expecting other: Typed? = nil, inEquality: Bool = false,
    isNullTest: Bool = false
  ) -> Typed {
    switch expression {
    case .constant(let value):
      return Typed(
        form: .constant(value), type: QueryValueType(value),
        variableType: QueryValueType(value)?.attributeType.map { .value($0) },
        isOptional: value == .null,
        text: value == .null ? "nil" : "a value of the type \(value.kind)")
    case .variable(let marked): return typed(variable: marked, other, inEquality)
    case .object:
      return Typed(
        type: .object(root: model.root(ofEntity: entity)), variableType: .object(entity: entity),
        text: "SELF")
    case .property(let path): return typed(path: path, isNullTest: isNullTest)
    case .subentityProperty(let name, let property):
      guard let named = subentity(name) else { return Typed() }
      var value = within(named, outer) { $0.typed(path: property, isNullTest: isNullTest) }
      value.isOptional = true
      return value
    case .outer(let levels, let inner):
      if levels == 0 { return typed(inner, expecting: other, inEquality: inEquality) }
      guard levels <= outer.count else { return Typed() }
      return within(outer[levels - 1], Array(outer.dropFirst(levels))) {
        $0.typed(inner, expecting: other, inEquality: inEquality, isNullTest: isNullTest)
      }
    case .call(let function, let arguments):
      return nested(1, at: expression.place) { $0.call(function, arguments, other) } ?? Typed()
    case .aggregate(let aggregate, let collection, let value):
      return typed(aggregate, collection, value)
    case .conditional(let condition, let first, let second):
      check(condition)
      let (expectedA, expectedB) = (peek(second), peek(first))
      let a = typed(first, expecting: expectedA.type == nil ? other : expectedA)
      let b = typed(second, expecting: expectedB.type == nil ? other : expectedB)
      var result = a.type == nil ? b : a
      result.type = commonType(a, b, at: a.place ?? b.place)
      result.form = .value
      (result.attribute, result.isOptional) = (nil, a.isOptional || b.isOptional)
      return result.calculated()
    }
  }

  private mutating func typed(variable marked: String, _ other: Typed?, _ inEquality: Bool)
    -> Typed
  {
    let name = NamePlace.plain(marked)
    let place = NamePlace.first(in: marked)
    if isSource(marked) { return typed(source: marked) }
    use(
      name,
      Use(
        type: other?.variableType, isList: false,
        acceptsNil: inEquality && other?.isOptional == true, isNullTest: false, place: place))
    return Typed(form: .variable(name), place: place, text: "'$\(name)'")
  }

  private mutating func typed(
    _ aggregate: FetchAggregate, _ collection: FetchCollection, _ value: FetchExpression?
  ) -> Typed {
    let place = collection.relationship.place
    guard let destination = check(collection) else { return Typed(place: place) }
    if aggregate == .count {
      return Typed(type: .integer, place: place, text: "the number").calculated()
    }
    guard let value else { return Typed(place: place) }
    let inner = within(destination, [entity] + outer) { $0.typed(value) }
    guard let type = inner.type else { return Typed(place: place) }
    guard let result = aggregate.result(of: type) else {
      report(
        .conditionType, at: inner.place ?? place,
        "'\(aggregate.rawValue)' is used with \(type.nameWithArticle)",
        expected: aggregate.expectedTypes)
      return Typed(place: place)
    }
    return Typed(
      type: result, isOptional: aggregate != .distinctCount && aggregate != .sum, place: place,
      text: "'\(aggregate.rawValue)'"
    ).calculated()
  }

  // MARK: Functions

  private mutating func call(
    _ function: FetchFunction, _ arguments: [FetchExpression], _ other: Typed?
  ) -> Typed {
    if function == .now { return Typed(type: .date, text: "now()").calculated() }
    let peeks = arguments.map { peek($0) }
    var values: [Typed] = []
    for (index, argument) in arguments.enumerated() {
      let sibling = peeks.count == 2 ? peeks[1 - index] : nil
      values.append(
        typed(argument, expecting: expectation(function, index, sibling, other)))
    }
    let place = values.lazy.compactMap(\.place).first
    let isOptional =
      function == .ifNil
      ? values.allSatisfy(\.isOptional) : values.contains(where: \.isOptional)
    func result(_ type: QueryValueType?) -> Typed {
      Typed(type: type, isOptional: isOptional, place: place, text: "the calculated value")
        .calculated()
    }
    // A variable has the type that it needs.
    let types = zip(values, arguments.indices).map { value, index in
      value.type
        ?? (value.isVariable
          ? expectation(function, index, peeks.count == 2 ? peeks[1 - index] : nil, other)?.type
          : nil)
    }
    if values.contains(where: \.isNull), function != .ifNil { return result(nil) }
    guard let first = types.first ?? nil else { return result(types.compactMap { $0 }.first) }
    let known = types.compactMap { $0 }
    switch function {
    case .add, .subtract:
      if known.count == 2 {
        if first == .date, known[1].isNumber { return result(.date) }
        if function == .add, known[1] == .date, first.isNumber { return result(.date) }
        if function == .subtract, first == .date, known[1] == .date { return result(.double) }
      }
      fallthrough
    case .multiply, .divide:
      guard known.allSatisfy(\.isNumber) else { break }
      guard values.count == 2 else { return result(first) }
      return result(commonType(values[0], values[1], at: place) ?? first)
    case .remainder:
      guard known.allSatisfy({ $0 == .integer }) else { break }
      return result(.integer)
    case .negate, .absolute, .floor, .ceiling, .truncate:
      if first.isNumber { return result(first) }
    case .squareRoot: if first.isNumber { return result(.double) }
    case .lowercased, .uppercased, .foldCase, .foldDiacritics, .fold:
      if first == .string { return result(.string) }
    case .length: if first == .string { return result(.integer) }
    case .ifNil:
      guard values.count == 2 else { return result(first) }
      return result(commonType(values[0], values[1], at: place) ?? first)
    case .toInteger, .toDecimal:
      if first.isNumber || first == .string || first == .boolean {
        return result(function == .toInteger ? .integer : .decimal)
      }
    case .toDouble:
      if first.isNumber || [.string, .boolean, .date].contains(first) { return result(.double) }
    case .toString:
      if first.isNumber || [.string, .boolean, .uuid, .uri].contains(first) {
        return result(.string)
      }
    case .toDate: if first == .date || first.isNumber { return result(.date) }
    case .now: return result(.date)
    }
    report(
      .conditionType, at: place,
      "'\(function.rawValue)' is used with \(known.map(\.name).joined(separator: " and "))",
      expected: "values that '\(function.rawValue)' can have")
    return result(nil)
  }

  /// What a variable as the argument of a function is.
  private func expectation(
    _ function: FetchFunction, _ index: Int, _ sibling: Typed?, _ other: Typed?
  ) -> Typed? {
    func type(_ type: QueryValueType) -> Typed { Typed(type: type).calculated() }
    switch function {
    case .lowercased, .uppercased, .foldCase, .foldDiacritics, .fold, .length: return type(.string)
    case .remainder: return type(.integer)
    case .squareRoot: return type(.double)
    case .add, .subtract:
      // A date and seconds.
      if sibling?.type == .date { return type(.double) }
      if other?.type == .date { return sibling?.type == nil ? nil : type(.date) }
      fallthrough
    case .multiply, .divide, .ifNil:
      let known = sibling?.type == nil ? other : sibling
      return function == .ifNil ? known : known?.calculated()
    case .negate, .absolute, .floor, .ceiling, .truncate: return other?.calculated()
    case .toInteger, .toDouble, .toDecimal, .toString, .toDate, .now: return nil
    }
  }

  // MARK: Types

  /// Whether both sides are attributes of one object, which a store compares without a calculation.
  func arePlain(_ a: FetchExpression, _ b: FetchExpression) -> Bool {
    if a.isConstant || b.isConstant { return a.isPath || b.isPath }
    guard case .property(let first) = a, case .property(let second) = b else { return false }
    let (left, right) = (NamePlace.steps(first).map(\.name), NamePlace.steps(second).map(\.name))
    return left.dropLast() == right.dropLast()
  }

  mutating func checkComparable(_ a: Typed, _ b: Typed, isPlain: Bool) {
    let place = a.place ?? b.place
    if a.isNull || b.isNull { return }
    // The constant of an object has no type of its own.
    if let (value, constant) = constantPair(a, b) {
      guard let type = value.type else { return }
      if constant.isObject != value.isObject
        || !value.isObject && !accepts(constant, type, isPlain: isPlain)
      {
        reportComparison(value, constant, at: place)
      }
      return
    }
    if a.isSource != b.isSource {
      let (value, source) = a.isSource ? (b, a) : (a, b)
      if value.attribute != nil, let type = value.type, let own = source.type {
        if !Self.accepts(sourceOf: own, type) { reportComparison(value, source, at: place) }
        return
      }
    }
    guard isPlain, a.attribute != nil, b.attribute != nil else {
      _ = commonType(a, b, at: place)
      return
    }
    if a.type != b.type { reportComparison(a, b, at: place) }
  }

  /// Whether a value of the source, which is a constant when the property is read, can be compared with an attribute of a type,
  /// whatever the value is.
  private static func accepts(sourceOf own: QueryValueType, _ type: QueryValueType) -> Bool {
    switch (type, own) {
    case (.double, .integer), (.decimal, .integer), (.decimal, .double): true
    default: own == type
    }
  }

  private func constantPair(_ a: Typed, _ b: Typed) -> (Typed, Typed)? {
    switch (a.isConstant, b.isConstant) {
    case (true, false): (b, a)
    case (false, true): (a, b)
    default: nil
    }
  }

  /// Whether a constant can be compared with a value of a type.
  private func accepts(_ constant: Typed, _ type: QueryValueType, isPlain: Bool) -> Bool {
    guard let own = constant.type, case .constant(let value) = constant.form else { return false }
    if own == type { return true }
    switch (type, value) {
    case (.double, .integer), (.decimal, .integer), (.decimal, .double): return true
    case (.integer, .double(let number)): return !isPlain || Int64(exactly: number) != nil
    case (.double, .decimal), (.integer, .decimal): return !isPlain
    case (.boolean, .integer(0...1)): return true
    default: return false
    }
  }

  /// The type of two values together; nil for values without a type, and after a problem.
  mutating func commonType(_ a: Typed, _ b: Typed, at place: Int?) -> QueryValueType? {
    guard let first = a.type, let second = b.type else { return a.type ?? b.type }
    if first == second { return first }
    switch (first, second) {
    case (.integer, .double), (.double, .integer): return .double
    case (.integer, .decimal), (.decimal, .integer): return .decimal
    case (.decimal, .double), (.double, .decimal):
      return (first == .double ? a : b).isConstant ? .decimal : .double
    case (.boolean, .integer), (.integer, .boolean):
      if case .constant(.integer(0...1)) = (first == .integer ? a : b).form { return .boolean }
    default: break
    }
    reportComparison(a, b, at: place)
    return nil
  }

  private mutating func reportComparison(_ a: Typed, _ b: Typed, at place: Int?) {
    func text(_ value: Typed) -> String {
      if value.isConstant { return value.text }
      guard let attribute = value.attribute else {
        return "\(value.text), \(value.type?.nameWithArticle ?? "a value")"
      }
      return "\(value.text) of the type \(attribute.type.rawValue)"
    }
    report(
      .conditionType, at: place, "\(text(a)) is compared with \(text(b))",
      expected: a.isConstant
        ? b.type?.nameWithArticle ?? "" : a.type?.nameWithArticle ?? "a value of the same type")
  }
}

extension ConditionChecker.Typed {
  var isVariable: Bool { if case .variable = form { true } else { false } }

  /// The value as a part of a calculation: a variable beside it has the general type.
  func calculated() -> Self {
    var value = self
    if let type = type?.attributeType { value.variableType = .value(type) }
    value.attribute = nil
    return value
  }
}

extension FetchExpression {
  /// The place of the first name in it.
  var place: Int? {
    switch self {
    case .property(let path), .variable(let path), .subentityProperty(_, let path):
      NamePlace.first(in: path)
    case .outer(_, let inner): inner.place
    default: nil
    }
  }
}

extension FetchAggregate {
  var expectedTypes: String {
    self == .min || self == .max ? "numbers, dates or strings" : "numbers"
  }
}
