import CopalPatterns

/// Checks a condition with the entities of a model: names, paths, types, and the types of its
/// variables.
///
/// A store checks every condition when it fetches. This check has the same rules, and is done where
/// only the model is known, so that a wrong condition of a model file is a problem of the file. It
/// continues after a problem, and leaves out what it has no type for.
struct ConditionChecker {
  /// A problem of the condition.
  struct Finding: Equatable {
    var code: ModelError.Code
    /// The place in the text of the condition, in bytes; nil for the beginning.
    var place: Int?
    var found: String
    var expected = ""
    /// The names of which one may have been meant.
    var candidates = Candidates.none
  }

  /// The names of which one may have been meant, for a suggestion.
  enum Candidates: Equatable { case none, properties(of: Int), entities(like: String) }

  /// An expression that was checked.
  struct Typed {
    enum Form: Equatable { case value, constant(PropertyValue), variable(String) }

    var form = Form.value
    /// Nil where there is none: for null, for a variable, and after a problem.
    var type: QueryValueType?
    /// The type of a variable that is compared with it.
    var variableType: TemplateValueType?
    /// The attribute, if it is one without a calculation.
    var attribute: AttributeDescription?
    /// Whether it can be nil.
    var isOptional = false
    /// Whether it is a value of the object that has a fetched property.
    var isSource = false
    var place: Int?
    /// The expression in a message.
    var text = "the value"

    var isNull: Bool { form == .constant(.null) }
    var isConstant: Bool { if case .constant = form { true } else { false } }
  }

  /// What a variable is compared with.
  struct Use: Equatable {
    let type: TemplateValueType?
    let isList: Bool
    /// Whether nil has a meaning in this use; nil where the use says nothing about it.
    let acceptsNil: Bool
    /// Whether it is compared with nil itself.
    let isNullTest: Bool
    let place: Int?
  }

  let model: ManagedObjectModel
  /// Whether the type of a property is known. What the file says badly is reported elsewhere.
  let isKnown: (_ entity: Int, _ property: String) -> Bool
  /// The position of the entity that the condition is about.
  var entity: Int
  /// The entities of the objects around the collections that the condition is in, the nearest one
  /// first.
  var outer: [Int] = []
  /// The entity of the object that has a fetched property; nil for other conditions.
  var source: Int?

  private(set) var findings: [Finding] = []
  private(set) var uses: [String: [Use]] = [:]
  /// Whether a type is not known, because of what the file says elsewhere.
  private(set) var hasUnknown = false
  /// Whether expressions are only asked for their type.
  var isPeeking = false

  @inline(never)
  init(
    _ model: ManagedObjectModel, entity: Int, source: Int? = nil,
    isKnown: @escaping (_ entity: Int, _ property: String) -> Bool = { _, _ in true }
  ) {
    self.model = model
    self.entity = entity
    self.source = source
    self.isKnown = isKnown
  }

  @inline(never)
  mutating func report(
    _ code: ModelError.Code, at place: Int?, _ found: String, expected: String = "",
    candidates: Candidates = .none
  ) {
    // More are not shown.
    if isPeeking || findings.count > ProblemList.maximumCount { return }
    let finding = Finding(
      code: code, place: place, found: found, expected: expected, candidates: candidates)
    if !findings.contains(finding) { findings.append(finding) }
  }

  mutating func forgetFindings() { findings = [] }

  mutating func use(_ variable: String, _ use: Use) {
    if !isPeeking { uses[variable, default: []].append(use) }
  }

  /// Remembers that a type is not known, so that a variable without a type is no other problem.
  mutating func skip() { hasUnknown = true }

  /// Runs a check about the objects of another entity.
  mutating func within<R>(
    _ entity: Int, _ outer: [Int], _ body: (inout ConditionChecker) -> R
  ) -> R {
    let around = (self.entity, self.outer)
    (self.entity, self.outer) = (entity, outer)
    defer { (self.entity, self.outer) = around }
    return body(&self)
  }

  /// How deeply calculations and collections are nested at the place of the check. A collection
  /// counts as four.
  private var nesting = 0
  /// No store accepts deeper ones, and each level takes memory of the stack.
  private static let maximumNesting = 50

  /// Runs a check of something that is inside of a calculation or a collection.
  ///
  /// - Returns: nil after a problem: it is nested too deeply.
  @inline(never)
  mutating func nested<R>(_ levels: Int, at place: Int?, _ body: (inout ConditionChecker) -> R)
    -> R?
  {
    guard nesting + levels <= Self.maximumNesting else {
      skip()
      report(
        .conditionType, at: place, "calculations and collections are nested too deeply",
        expected: "at most \(Self.maximumNesting) levels, of which a collection is four")
      return nil
    }
    nesting += levels
    defer { nesting -= levels }
    return body(&self)
  }

  /// The type of an expression, before the type of its variables is known.
  mutating func peek(_ expression: FetchExpression) -> Typed {
    if isPeeking { return Typed() }
    isPeeking = true
    defer { isPeeking = false }
    return typed(expression)
  }

  // MARK: Conditions

  @inline(never)
  mutating func check(_ predicate: FetchPredicate) {
    switch predicate {
    case .constant: break
    case .and(let parts), .or(let parts): for part in parts { check(part) }
    case .not(let inner): check(inner)
    case .comparison(let a, let comparison, let b): compare(a, comparison, b)
    case .isIn(let a, let values):
      let constants = values.map { typed(.constant($0)) }
      let value = typed(a, expecting: constants.first { !$0.isNull })
      for constant in constants { checkComparable(value, constant) }
    case .isInVariable(let a, let name):
      let value = typed(a)
      useList(name, of: value)
    case .text(let a, let test, let b): checkText(a, test, b)
    case .isKind(let name): _ = subentity(name)
    case .exists(let collection): _ = check(collection)
    case .quantified(let quantifier, let comparison): check(quantifier, comparison)
    }
  }

  @inline(never)
  private mutating func useList(_ variable: String, of value: Typed) {
    let name = NamePlace.plain(variable)
    let place = NamePlace.first(in: variable)
    if isSource(variable) {
      if let list = sourceList(variable) { checkComparable(value, list) }
      return
    }
    let type = value.variableType
    use(
      name, Use(type: type, isList: true, acceptsNil: false, isNullTest: false, place: place))
  }

  @inline(never)
  private mutating func compare(
    _ a: FetchExpression, _ comparison: FetchPredicate.Operator, _ b: FetchExpression
  ) {
    if nullTest(a, b, comparison) || nullTest(b, a, comparison) { return }
    let (expectedA, expectedB) = (peek(b), peek(a))
    let isEquality = comparison == .equal || comparison == .notEqual
    let left = typed(a, expecting: expectedA, inEquality: isEquality)
    let right = typed(b, expecting: expectedB, inEquality: isEquality)
    if !isEquality, let object = [left, right].first(where: \.isObject) {
      return reportOrder(of: object)
    }
    checkComparable(left, right)
  }

  private mutating func reportOrder(of object: Typed) {
    report(
      .conditionType, at: object.place, "\(object.text), an object, is compared by an order",
      expected: "== or !=")
  }

  /// A comparison with nil, which also has a meaning for transformables, for external values and
  /// for variables.
  @inline(never)
  private mutating func nullTest(
    _ a: FetchExpression, _ b: FetchExpression, _ comparison: FetchPredicate.Operator
  ) -> Bool {
    guard case .constant(.null) = b else { return false }
    if case .variable(let marked) = a {
      let name = NamePlace.plain(marked)
      if isSource(marked) {
        _ = typed(a)
      } else {
        use(
          name,
          Use(
            type: nil, isList: false, acceptsNil: true, isNullTest: true,
            place: NamePlace.first(in: marked)))
      }
      return true
    }
    let isEquality = comparison == .equal || comparison == .notEqual
    let value = typed(a, isNullTest: true)
    if !isEquality, value.isObject { reportOrder(of: value) }
    return true
  }

  // MARK: Texts

  @inline(never)
  private mutating func checkText(
    _ a: FetchExpression, _ test: FetchPredicate.TextTest, _ b: FetchExpression
  ) {
    let expected = Typed(type: .string, variableType: .value(.string))
    for side in [typed(a, expecting: expected), typed(b, expecting: expected)] {
      guard !side.isNull, side.type != nil || side.isObject, side.type != .string else { continue }
      report(
        .conditionType, at: side.place,
        "\(side.text), \(side.type?.nameWithArticle ?? "an object"), is compared as a text",
        expected: "a string"
          + (side.type?.hasText == true ? "; CAST(…, \"NSString\") makes one" : ""))
    }
    guard test == .matches else { return }
    switch b {
    case .constant(.string(let pattern)):
      if let problem = TextPattern.problem(in: pattern) {
        report(
          .conditionType, at: typed(a).place, "the pattern has '\(problem.found)'",
          expected: problem.expected)
      }
    case .constant, .variable: break
    default:
      report(
        .conditionType, at: typed(b).place, "the pattern of MATCHES is calculated",
        expected: "a constant or a variable")
    }
  }

  // MARK: Collections

  /// Checks the condition of a collection.
  ///
  /// - Returns: the entity of its objects; nil after a problem.
  mutating func check(_ collection: FetchCollection) -> Int? {
    guard let destination = destination(of: collection.relationship) else { return nil }
    guard let condition = collection.condition else { return destination }
    return nested(4, at: collection.relationship.place) { checker in
      checker.within(destination, [checker.entity] + checker.outer) { $0.check(condition) }
      return destination
    }
  }

  /// Checks a comparison of objects of the to-many relationships in the path of its left side.
  @inline(never)
  private mutating func check(
    _ quantifier: FetchPredicate.Quantifier, _ comparison: FetchPredicate
  ) {
    guard let (left, inner) = comparison.quantifiedParts else { return check(comparison) }
    guard case .property(let path) = left else {
      report(
        .conditionType, at: left.place, "ANY, ALL or NONE is used with a value that is no path",
        expected: "a path through a to-many relationship on the left side")
      return
    }
    let steps = NamePlace.steps(path)
    guard let count = toManyStepCount(steps) else {
      guard case .found = resolve(path) else { return }
      report(
        .conditionType, at: steps.first?.place,
        "ANY, ALL or NONE is used with '\(NamePlace.plain(path))'",
        expected: "a path through a to-many relationship")
      return
    }
    let rest = steps.dropFirst(count)
    let about = inner(rest.isEmpty ? .object : .property(NamePlace.path(rest)))
    let collection = FetchExpression.property(NamePlace.path(steps.prefix(count)))
    guard let destination = destination(of: collection) else { return }
    within(destination, [entity] + outer) { checker in
      let hasMore = checker.toManyStepCount(Array(rest)) != nil
      checker.check(hasMore ? .quantified(quantifier, about) : about)
    }
  }
}

extension FetchPredicate {
  /// The left side of a comparison, and a function that makes the comparison about the objects of a
  /// collection.
  fileprivate var quantifiedParts: (FetchExpression, (FetchExpression) -> FetchPredicate)? {
    func inner(_ right: FetchExpression) -> FetchExpression {
      switch right {
      case .constant, .variable: right
      default: .outer(1, right)
      }
    }
    return switch self {
    case .comparison(let a, let test, let b): (a, { .comparison($0, test, inner(b)) })
    case .isIn(let a, let values): (a, { .isIn($0, values) })
    case .text(let a, let test, let b): (a, { .text($0, test, inner(b)) })
    case .isInVariable(let a, let name): (a, { .isInVariable($0, name) })
    default: nil
    }
  }
}

extension ConditionChecker.Typed {
  var isObject: Bool {
    if case .object = type { return true }
    if case .constant(.object) = form { return true }
    return false
  }
}
