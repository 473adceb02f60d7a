/// Expressions and their types.
extension ConditionChecker {
  /// The type of an expression.
  ///
  /// - Parameters:
  ///   - other: the other side of the comparison, which gives a variable its type.
  ///   - inEquality: whether the comparison is `==` or `!=`, where nil has a meaning.
  @inline(never)
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

  @inline(never)
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

  @inline(never)
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

  @inline(never)
  private mutating func call(
    _ function: FetchFunction, _ arguments: [FetchExpression], _ other: Typed?
  ) -> Typed {
    if function == .now { return Typed(type: .date, text: "now()").calculated() }
    let peeks = arguments.map { peek($0) }
    var values: [Typed] = []
    for (index, argument) in arguments.enumerated() {
      let sibling = peeks.count == 2 ? peeks[1 - index] : nil
      values.append(
        typed(argument, expecting: expectation(function, index, sibling: sibling, other: other)))
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
          ? expectation(
            function, index, sibling: peeks.count == 2 ? peeks[1 - index] : nil, other: other)?.type
          : nil)
    }
    if values.contains(where: \.isNull), function != .ifNil { return result(nil) }
    guard let first = types.first ?? nil else { return result(types.compactMap { $0 }.first) }
    let known = types.compactMap { $0 }
    // Beside a value without a type, such as nil, an argument may be of the same type.
    let sides =
      known.count == values.count
      ? zip(known, values).map { TypeRules.Side($0, constant: $1.constant) }
      : values.map { _ in TypeRules.Side(first) }
    if let signature = TypeRules.signature(function, sides) { return result(signature.result) }
    report(
      .conditionType, at: place,
      "'\(function.rawValue)' is used with \(known.map(\.name).joined(separator: " and "))",
      expected: "values that '\(function.rawValue)' can have")
    return result(nil)
  }

  /// What a variable as the argument of a function is.
  @inline(never)
  private func expectation(
    _ function: FetchFunction, _ index: Int, sibling: Typed?, other: Typed?
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

  @inline(never)
  mutating func checkComparable(_ a: Typed, _ b: Typed) {
    let place = a.place ?? b.place
    if a.isNull || b.isNull { return }
    // The constant of an object has no type of its own.
    if a.isConstant || b.isConstant, a.isObject || b.isObject {
      guard a.isObject != b.isObject, a.type != nil || a.isObject, b.type != nil || b.isObject
      else { return }
      return reportComparison(a, b, at: place)
    }
    // A transformable has no type.
    if a.attribute != nil, b.attribute != nil, (a.type == nil) != (b.type == nil) {
      return reportComparison(a, b, at: place)
    }
    _ = commonType(a, b, at: place)
  }

  /// The type of two values together; nil for values without a type, and after a problem.
  @inline(never)
  mutating func commonType(_ a: Typed, _ b: Typed, at place: Int?) -> QueryValueType? {
    guard let first = a.type, let second = b.type else { return a.type ?? b.type }
    if let type = TypeRules.common(
      TypeRules.Side(first, constant: a.constant), TypeRules.Side(second, constant: b.constant))
    {
      return type
    }
    reportComparison(a, b, at: place)
    return nil
  }

  @inline(never)
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

  var constant: PropertyValue? { if case .constant(let value) = form { value } else { nil } }

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
