import CopalEssentials
import CopalModel
import CopalObjects
import CopalStore

/// A part of a predicate that has a form in a condition.
protocol TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term
}

/// The translation of a predicate into a condition: what its variables stand for at one place of
/// it.
struct PredicateTranslation {
  /// What a variable stands for, in a collection at some depth.
  typealias Variable = (PredicateTranslation) throws -> Term

  private var variables: [PredicateExpressions.VariableID: Variable]
  /// The values of the variables that stand for a value of the program.
  private var bindings = PredicateBindings()
  /// The number of collections around the place.
  private(set) var depth = 0

  /// The condition of a predicate.
  static func condition<Object>(_ predicate: Predicate<Object>) throws -> FetchPredicate {
    try PredicateTranslation(object: predicate.variable.key).condition(predicate.expression)
  }

  init(object: PredicateExpressions.VariableID) {
    variables = [object: { _ in .object(ObjectTerm(level: 0, base: .itself)) }]
  }

  // MARK: Variables

  func term(of variable: PredicateExpressions.VariableID) throws -> Term {
    guard let found = variables[variable] else {
      throw unsupported("a variable of another predicate", "use the variable of this one")
    }
    return try found(self)
  }

  /// The translation where a variable stands for a part of the predicate, without its Optional.
  ///
  /// The part is translated again at each use of the variable: in the closure of a collection, it
  /// is about an outer object.
  func binding(
    _ variable: PredicateExpressions.VariableID, to node: any PredicateExpression
  ) -> PredicateTranslation {
    binding(variable) { [self] place in
      var outer = self
      outer.depth = place.depth
      return try outer.term(node).unwrapped
    }
  }

  func binding(_ variable: PredicateExpressions.VariableID, to meaning: @escaping Variable)
    -> PredicateTranslation
  {
    var copy = self
    copy.variables[variable] = meaning
    return copy
  }

  /// The translation where a variable stands for a value of the program.
  func binding<Value>(_ variable: PredicateExpressions.Variable<Value>, toConstant value: Any)
    -> PredicateTranslation
  {
    var copy = binding(variable.key) { _ in .constant(value) }
    if let value = value as? Value { copy.bindings[variable] = value }
    return copy
  }

  /// The translation inside the closure of a collection.
  func inside(_ variable: PredicateExpressions.VariableID) -> PredicateTranslation {
    var copy = self
    copy.depth += 1
    let level = copy.depth
    return copy.binding(variable) { _ in .object(ObjectTerm(level: level, base: .itself)) }
  }

  /// The translation at a place that is one collection deeper.
  var deeper: PredicateTranslation {
    var copy = self
    copy.depth += 1
    return copy
  }

  // MARK: Parts

  func term(_ node: any PredicateExpression) throws -> Term {
    guard let node = node as? any TranslatableNode else {
      throw unsupported(name(of: node), "compute it before the predicate")
    }
    return try node.term(self)
  }

  /// A part that is true or false.
  func condition(_ node: any PredicateExpression) throws -> FetchPredicate {
    try condition(term(node))
  }

  func condition(_ term: Term) throws -> FetchPredicate {
    switch term {
    case .condition(let condition): return condition
    case .value(let value): return .comparison(value, .equal, .constant(.boolean(true)))
    case .constant(let value):
      guard let flag = Term.content(of: value) as? Bool else { break }
      return .constant(flag)
    case .optional(let present, let term): return present && (try condition(term))
    default: break
    }
    throw unsupported("a condition that is not a Boolean", "compare it with a value")
  }

  /// A part that is a value.
  func value(_ node: any PredicateExpression) throws -> FetchExpression { try value(term(node)) }

  func value(_ term: Term) throws -> FetchExpression {
    switch term {
    case .constant(let value): return .constant(try ConstantValue.propertyValue(of: value))
    case .value(let value): return value
    case .condition(let condition):
      return .conditional(condition, .constant(.boolean(true)), .constant(.boolean(false)))
    case .object(let object): return expression(of: object)
    case .optional:
      // A conditional nil has no type.
      throw unsupported(
        "the Optional result of flatMap or if as a part of a calculation",
        "give it a value with ??")
    case .objects, .range:
      throw unsupported(
        "a collection or a range as a value", "ask for its count, or use contains(where:)")
    }
  }

  /// The term of a part that can be computed when all of its parts are constants; nil where one of
  /// them is not.
  func constant<Node: PredicateExpression>(_ node: Node, from parts: Term...) -> Term? {
    guard parts.allSatisfy({ $0.constant != nil }),
      let value = try? node.evaluate(bindings)
    else { return nil }
    return .constant(value)
  }

  /// The same for a part that has no other form.
  func computed<Node: PredicateExpression>(
    _ node: Node, from parts: any PredicateExpression...
  ) throws -> Term {
    let terms = try parts.map { try term($0) }
    guard terms.allSatisfy({ $0.constant != nil }), let value = try? node.evaluate(bindings)
    else { throw needsConstants(node) }
    return .constant(value)
  }

  // MARK: Objects

  /// An object in a condition: compared with ids.
  func expression(of object: ObjectTerm) -> FetchExpression {
    let expression: FetchExpression =
      switch object.base {
      case .itself, .subentity: .object
      case .path(let path): .property(path)
      case .reference(let entity, let name): .subentityProperty(entity: entity, property: name)
      }
    return at(object.level, expression)
  }

  /// A property of an object.
  func property(_ name: String, of object: ObjectTerm) throws -> FetchExpression {
    let expression: FetchExpression
    switch object.base {
    case .itself: expression = .property(name)
    case .path(let path): expression = .property("\(path).\(name)")
    case .subentity(let entity): expression = .subentityProperty(entity: entity, property: name)
    case .reference(_, let relationship):
      throw unsupported(
        "a property of the object of '\(relationship)', a relationship of a subentity",
        "fetch the subentity itself")
    }
    return at(object.level, expression)
  }

  /// Whether an object exists.
  func exists(_ object: ObjectTerm) throws -> FetchPredicate {
    switch object.base {
    case .itself: .constant(true)
    case .path, .reference: .hasValue(expression(of: object))
    case .subentity(let entity): try isKind(entity, at: object.level)
    }
  }

  /// Whether the object of a variable is one of an entity.
  func isKind(_ entity: String, at level: Int) throws -> FetchPredicate {
    guard level == depth else {
      throw unsupported(
        "the class of an object outside of a closure", "check it outside of the closure")
    }
    return .isKind(entity)
  }

  /// An expression about the object of a level.
  private func at(_ level: Int, _ expression: FetchExpression) -> FetchExpression {
    level == depth ? expression : .outer(depth - level, expression)
  }

  // MARK: Errors

  /// The error for a part without a form in a condition, with its remedy.
  func unsupported(_ found: String, _ remedy: String) -> PersistenceError {
    PersistenceError(.predicateUnsupported, found: found, expected: remedy)
  }

  /// The error for a part that can only be computed from constants.
  func needsConstants(_ node: any PredicateExpression) -> PersistenceError {
    unsupported("\(name(of: node)) of a property", "compute it before the predicate")
  }

  /// The name of a node, without its parameters.
  func name(of node: any PredicateExpression) -> String {
    let name = String(describing: type(of: node)).prefix { $0 != "<" }
    return String(name.split(separator: ".").last ?? name)
  }
}
