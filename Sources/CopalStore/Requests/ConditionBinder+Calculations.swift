import CopalEssentials
import CopalModel

/// Binds expressions that are calculated, and comparisons of them.
extension ConditionBinder {
  /// An expression that has been bound. A constant has no type of its own: a whole number can be
  /// compared with a decimal.
  enum Operand {
    case constant(PropertyValue)
    case value(QueryCalculation)

    var type: QueryValueType? {
      switch self {
      case .constant(let value): value.calculationType
      case .value(let calculation): calculation.type
      }
    }

    /// What the rules of types know about it; nil for null.
    var side: TypeRules.Side? {
      guard let type else { return nil }
      if case .constant(let value) = self { return TypeRules.Side(type, constant: value) }
      return TypeRules.Side(type)
    }

    var isNull: Bool {
      if case .constant(.null) = self { return true }
      return false
    }
  }

  /// The greatest number of calculations inside each other.
  static let maximumDepth = 100

  // MARK: Comparisons

  mutating func bindCalculated(
    _ left: FetchExpression, _ comparison: FetchPredicate.Operator, _ right: FetchExpression,
    isNegated: Bool
  ) throws -> BoundPart {
    let effective = isNegated ? comparison.negated : comparison
    // With a null, every comparison is false, except that a null differs from every value.
    let forNull = (comparison == .notEqual) != isNegated
    switch (try operand(left), try operand(right)) {
    case (.constant(let a), .constant(let b)):
      return .constant(try compare(a, comparison, b) != isNegated)
    case (.value(let a), .constant(let constant)):
      return try bind(a, comparison, constant, isNegated: isNegated)
    case (.constant(let constant), .value(let b)):
      return try bind(b, comparison.mirrored, constant, isNegated: isNegated)
    case (.value(let a), .value(let b)):
      if case .object = try commonType(.value(a), .value(b)) { try requireEquality(comparison) }
      let (first, second) = try comparable(a, b)
      return .condition(
        .holds(.calculated(first), effective, .calculated(second), resultForNull: forNull))
    }
  }

  /// Two calculated values in a form in which they compare exactly. A double compares with any
  /// number as it is.
  private mutating func comparable(_ a: QueryCalculation, _ b: QueryCalculation) throws -> (
    QueryCalculation, QueryCalculation
  ) {
    if a.type == .integer, b.type == .decimal { return (try converted(.value(a), to: .decimal), b) }
    if a.type == .decimal, b.type == .integer { return (a, try converted(.value(b), to: .decimal)) }
    return (a, b)
  }

  private mutating func bind(
    _ calculation: QueryCalculation, _ comparison: FetchPredicate.Operator,
    _ constant: PropertyValue, isNegated: Bool
  ) throws -> BoundPart {
    let isDifferent = (comparison == .notEqual) != isNegated
    if constant.isNull {
      switch comparison {
      case .equal, .notEqual:
        return .condition(.isNull(.calculated(calculation), isNegated: isDifferent))
      default: return .constant(isNegated)
      }
    }
    if case .object(let root) = calculation.type {
      try requireEquality(comparison)
      guard let key = try key(of: constant, root: root) else { return .constant(isDifferent) }
      return .comparison(
        .calculated(calculation), isDifferent ? .notEqual : .equal, key, resultForNull: isDifferent)
    }
    if constant.isNaN { return .constant(isDifferent) }
    guard let fitted = constant.fitted(to: calculation.type) else {
      throw wrongType(constant.kind, comparedWith: calculation.type)
    }
    return compare(
      .calculated(calculation), isNegated ? comparison.negated : comparison, fitted,
      resultForNull: isDifferent)
  }

  private func key(of constant: PropertyValue, root: Int) throws -> PropertyValue? {
    guard case .object(let id) = constant else {
      throw wrongComparison("with a value of type \(constant.kind)")
    }
    return keys?.key(of: id, root: root).map(PropertyValue.integer)
  }

  mutating func bindCalculated(
    _ expression: FetchExpression, in values: [PropertyValue], _ isNegated: Bool
  ) throws -> BoundPart {
    switch try operand(expression) {
    case .constant(let constant):
      let isIn = try values.contains { try compare(constant, .equal, $0) }
      return .constant(isIn != isNegated)
    case .value(let calculation):
      var constants: [PropertyValue] = []
      for constant in values where !constant.isNull && !constant.isNaN {
        if case .object(let root) = calculation.type {
          if let key = try key(of: constant, root: root) { constants.append(key) }
          continue
        }
        guard let fitted = constant.fitted(to: calculation.type) else {
          throw wrongType(constant.kind, comparedWith: calculation.type)
        }
        if case .exact(let value) = fitted { constants.append(value) }
      }
      let hasNull = values.contains(.null)
      if constants.isEmpty {
        return hasNull
          ? .condition(.isNull(.calculated(calculation), isNegated: isNegated))
          : .constant(isNegated)
      }
      return .list(
        .calculated(calculation), constants, isNegated: isNegated,
        resultForNull: hasNull != isNegated)
    }
  }

  // MARK: Texts

  mutating func bindCalculated(
    _ first: FetchExpression, _ test: FetchPredicate.TextTest, _ second: FetchExpression,
    isNegated: Bool
  ) throws -> BoundPart {
    let (a, b) = (try text(first), try text(second))
    guard let a, let b else { return .constant(isNegated) }
    if case .parameter(let number) = b {
      let matcher = try matcher(test, .constant(parameters[number]))
      if case .parameter(let other) = a, case .string(let text) = parameters[other] {
        return .constant(matcher?.matches(text) != isNegated)
      }
    } else if test == .matches {
      _ = try matcher(test, second)
    }
    return .condition(.text(a, test, b, isNegated: isNegated))
  }

  /// One side of a test of texts; nil for null.
  private mutating func text(_ expression: FetchExpression) throws -> QueryTerm? {
    switch try operand(expression) {
    case .constant(.null): return nil
    case .constant(.string(let text)):
      parameters.append(.string(text))
      return .parameter(parameters.count - 1)
    case .value(let calculation) where calculation.type == .string: return .calculated(calculation)
    case let other: throw PersistenceError(.notText, entity: layout.name, found: other.type?.name)
    }
  }

  // MARK: Expressions

  /// A constant in place of an expression that has only constants; nil for others, and for a
  /// constant.
  func constants(_ left: FetchExpression, _ right: FetchExpression) throws -> (
    FetchExpression, FetchExpression
  )? {
    let (a, b) = (try constant(left), try constant(right))
    return a == nil && b == nil ? nil : (a ?? left, b ?? right)
  }

  private func constant(_ expression: FetchExpression) throws -> FetchExpression? {
    switch expression {
    case .outer(_, .constant(let value)): return .constant(value)
    // As a whole: what is inside is about an object around this one.
    case .outer(_, let inner) where inner.isCall: fallthrough
    case .call:
      var binder = self
      guard case .constant(let value) = try binder.operand(expression) else { return nil }
      return .constant(value)
    default: return nil
    }
  }

  mutating func operand(_ expression: FetchExpression, depth: Int = 0) throws -> Operand {
    guard depth < Self.maximumDepth else {
      throw PersistenceError(
        .tooComplex, entity: layout.name,
        found: "calculations are nested more than \(Self.maximumDepth) levels deep")
    }
    if grouping != nil, !expression.hasGroupAggregate {
      return try bindGroupKey(expression, depth: depth)
    }
    switch expression {
    case .constant(let value): return .constant(value)
    case .variable(let name): throw unboundVariable(name)
    case .object: return .value(QueryCalculation(.object(root: layout.root), .key))
    case .property(let path): return try property(path, depth: depth)
    case .subentityProperty(let entity, let property):
      guard let kind = try subentity(entity) else {
        return try self.property(property, depth: depth)
      }
      return try within(kind) { binder in
        try binder.operand(.property(property), depth: depth + 1)
      }.map { .ofKind(kind, $0) }
    case .outer(let levels, let inner):
      if levels == 0 { return try operand(inner, depth: depth + 1) }
      let (object, level) = try object(around: levels)
      return try within(object.entity, Array(outer.dropFirst(level)), isOfPath: object.isOfPath) {
        try $0.operand(inner, depth: depth + 1)
      }.map { .outer(level, $0) }
    case .call(let function, let arguments):
      return try call(function, arguments, depth: depth)
    case .aggregate(let aggregate, let collection, let value):
      return try bind(aggregate, of: value, in: collection, depth: depth)
    case .conditional(let condition, let first, let second):
      let condition = try bind(Negatable(condition), depth: depth)
      let (a, b) = (
        try operand(first, depth: depth + 1), try operand(second, depth: depth + 1)
      )
      if case .constant(let flag) = condition { return flag ? a : b }
      if a.isNull && b.isNull { return a }
      let type = try commonType(a, b)
      return .value(
        QueryCalculation(
          type, .conditional(condition, try converted(a, to: type), try converted(b, to: type))))
    }
  }

  private mutating func property(_ path: String, depth: Int) throws -> Operand {
    if let hop = try hop(.property(path)) {
      let reference = hop.reference
      return try within(reference) { binder in
        try binder.operand(.property(String(path.dropFirst(hop.prefix.count))), depth: depth + 1)
      }.map { .related(slot: reference.slot, entity: reference.destination, $0) }
    }
    if let length = length(.property(path)) { return try operand(length, depth: depth + 1) }
    let slot = try layout.querySlot(path)
    if let reference = layout.reference(ofSlot: slot) {
      return .value(QueryCalculation(.object(root: reference.destinationRoot), .slot(slot)))
    }
    guard let type = QueryValueType(layout.types[slot]) else { return .constant(.null) }
    return .value(QueryCalculation(type, .slot(slot)))
  }

  // MARK: Functions

  private mutating func call(
    _ function: FetchFunction, _ arguments: [FetchExpression], depth: Int
  ) throws -> Operand {
    guard arguments.count == function.argumentCount else {
      throw invalid(
        "'\(function.spelling)' has \(arguments.count) arguments, and takes \(function.argumentCount)"
      )
    }
    if function == .now { return .constant(.date(Date())) }
    var operands: [Operand] = []
    for argument in arguments { operands.append(try operand(argument, depth: depth + 1)) }
    if function == .ifNil {
      if operands[0].isNull { return operands[1] }
      if operands[1].isNull { return operands[0] }
    } else if operands.contains(where: \.isNull) {
      return .constant(.null)
    }
    let signature = try signature(function, operands)
    let constants = zip(operands, signature.arguments).compactMap { operand, type in
      if case .constant(let value) = operand { return value.converted(to: type) }
      return nil
    }
    if constants.count == operands.count {
      return .constant(ValueFunction.apply(function, constants))
    }
    var converted: [QueryCalculation] = []
    for (operand, type) in zip(operands, signature.arguments) {
      converted.append(try self.converted(operand, to: type))
    }
    return .value(QueryCalculation(signature.result, .call(function, converted)))
  }

  private func signature(_ function: FetchFunction, _ operands: [Operand]) throws
    -> TypeRules.Signature
  {
    let sides = operands.compactMap(\.side)
    if sides.count == operands.count, let signature = TypeRules.signature(function, sides) {
      return signature
    }
    let types = sides.map(\.type.name).joined(separator: " and ")
    throw invalid("'\(function.spelling)' is used with \(types)")
  }

  // MARK: Types

  /// The type of two values together, as ``TypeRules`` says.
  private func commonType(_ a: Operand, _ b: Operand) throws -> QueryValueType {
    guard let first = a.type, let second = b.type else {
      if let type = a.type ?? b.type { return type }
      throw invalid("two values without a type are compared")
    }
    if let sideA = a.side, let sideB = b.side, let type = TypeRules.common(sideA, sideB) {
      return type
    }
    throw wrongType(second.name, comparedWith: first)
  }

  /// A calculation with the value as another type.
  mutating func converted(_ operand: Operand, to type: QueryValueType) throws
    -> QueryCalculation
  {
    switch operand {
    case .value(let calculation):
      if calculation.type == type { return calculation }
      let function: FetchFunction =
        switch type {
        case .double: .toDouble
        case .decimal: .toDecimal
        case .integer: .toInteger
        default: throw wrongType(calculation.type.name, comparedWith: type)
        }
      return QueryCalculation(type, .call(function, [calculation]))
    case .constant(.null): return QueryCalculation(type, .null)
    case .constant(let value):
      let constant: PropertyValue? =
        if case .object(let root) = type { try key(of: value, root: root) } else {
          value.converted(to: type)
        }
      guard let constant else { throw wrongType(value.kind, comparedWith: type) }
      parameters.append(constant)
      return QueryCalculation(type, .parameter(parameters.count - 1))
    }
  }

  private func wrongType(_ found: String, comparedWith type: QueryValueType) -> PersistenceError {
    // The error of an object is that of any comparison of an object.
    if case .object = type { return wrongComparison("with a value of type \(found)") }
    if found == PropertyValue.objectKind {
      return wrongComparison("with a value of type \(type.name)")
    }
    return PersistenceError(.predicateType, entity: layout.name, found: found, expected: type.name)
  }

  func unboundVariable(_ name: String) -> PersistenceError {
    PersistenceError(.unboundVariable, entity: layout.name, found: name)
  }

  /// The key of an object of the entity; nil for another object.
  func keyOfOwnObject(_ id: ManagedObjectID) -> Int64? { keys?.key(of: id, root: layout.root) }

  /// The error of an expression that has no meaning for the entity.
  ///
  /// - Parameter expected: the remedy; nil for the usual one.
  func invalid(_ found: String, expected: String? = nil) -> PersistenceError {
    PersistenceError(.invalidExpression, entity: layout.name, found: found, expected: expected)
  }
}

extension ConditionBinder.Operand {
  /// The operand as a part of another calculation of its type. A constant stays one.
  func map(_ operation: (QueryCalculation) -> QueryCalculation.Operation) -> Self {
    switch self {
    case .constant: self
    case .value(let calculation):
      .value(QueryCalculation(calculation.type, operation(calculation)))
    }
  }
}

extension FetchExpression {
  /// Whether it is a function of values, also of those of an object around a collection.
  fileprivate var isCall: Bool {
    switch self {
    case .call: true
    case .outer(_, let inner): inner.isCall
    default: false
    }
  }

  /// Whether the expression is more than a property, a constant or the object itself.
  var isCalculated: Bool {
    switch self {
    case .call, .aggregate, .conditional, .variable, .outer: true
    case .property, .subentityProperty, .constant, .object: false
    }
  }
}

extension PropertyValue {
  /// The type of a constant; nil for null.
  fileprivate var calculationType: QueryValueType? {
    // The root of an id is known only where it is compared.
    if case .object = self { return .object(root: -1) }
    return QueryValueType(self)
  }

  /// The constant as another type for a calculation, where a double may be rounded; nil if it
  /// cannot have the type.
  fileprivate func converted(to type: QueryValueType) -> PropertyValue? {
    if calculationType == type { return self }
    switch (self, type) {
    case (.integer(let number), .double): return .double(Double(number))
    case (.integer(let number), .decimal): return .decimal(Decimal(number))
    case (.integer(let number), .boolean): return number == 0 ? false : number == 1 ? true : nil
    case (.double(let number), .decimal):
      return DecimalLiteral("\(number)")?.decimal.map { .decimal($0) }
    case (.decimal(let number), .double):
      return Double(DecimalText.string(number)).map { .double($0) }
    case (.integer, .object): return self
    default: return nil
    }
  }
}
