import CopalEssentials
import CopalModel

/// Translates one condition, and collects its constants as parameters.
///
/// What a comparison means for a constant is decided here, once for every store: no value equals NaN, and a decimal with
/// more digits than its attribute is between two values of the attribute. So the text of a statement never depends on a
/// constant.
struct ConditionBinder {
  let layout: EntityLayout
  let schema: StoreSchema?
  let keys: (any ObjectKeySource)?
  /// The constants so far.
  var parameters: [PropertyValue] = []
  /// The groups of a ``ValueQuery``; nil for a condition on objects.
  var grouping: Grouping?
  /// The objects around the one that the condition is about, the nearest one first.
  var outer: [ObjectAround] = []
  /// Whether the object is that of a to-one relationship in a path. An expression then counts its levels from the object that has
  /// the path.
  var isOfPath = false

  init(_ layout: EntityLayout, _ schema: StoreSchema?, _ keys: (any ObjectKeySource)?) {
    self.layout = layout
    self.schema = schema
    self.keys = keys
    parameters.reserveCapacity(4)
  }

  mutating func bind(_ predicate: FetchPredicate) throws -> QueryCondition {
    try bind(Negatable(predicate), depth: 0)
  }

  /// A predicate without the negations around it, and whether it is negated.
  struct Negatable {
    var predicate: FetchPredicate
    var isNegated: Bool

    init(_ predicate: FetchPredicate, isNegated: Bool = false) {
      self.predicate = predicate
      self.isNegated = isNegated
      while true {
        switch self.predicate {
        case .not(let inner):
          self.predicate = inner
          self.isNegated.toggle()
        // A list of one condition is that condition.
        case .and(let parts) where parts.count == 1, .or(let parts) where parts.count == 1:
          self.predicate = parts[0]
        default: return
        }
      }
    }
  }

  mutating func bind(_ part: Negatable, depth: Int) throws -> QueryCondition {
    lift(try self.part(part, depth: depth))
  }

  mutating func part(_ part: Negatable, depth: Int) throws -> BoundPart {
    let isNegated = part.isNegated
    switch part.predicate {
    case .constant(let flag): return .constant(flag != isNegated)
    case .not(let inner):
      return try self.part(Negatable(inner, isNegated: !isNegated), depth: depth)
    case .and: return .condition(try bind(list: part, isAnd: !isNegated, depth: depth))
    case .or: return .condition(try bind(list: part, isAnd: isNegated, depth: depth))
    case .comparison(let left, let comparison, let right):
      if grouping == nil, let (collection, exists) = left.existence(comparison, right) {
        return try bind(existsIn: collection, exists == isNegated, depth: depth)
      }
      return try bind(left, comparison, right, isNegated)
    case .isIn(let expression, let values): return try bind(expression, in: values, isNegated)
    case .text(let first, let test, let second):
      return try bind(first, test, second, isNegated)
    case .isInVariable(_, let name): throw unboundVariable(name)
    case .exists, .quantified, .isKind:
      if grouping != nil {
        throw invalid("a condition on groups asks for relationships or for the entity")
      }
      return try partOfObject(part, depth: depth)
    }
  }

  /// A condition on the relationships, or on the entity, of an object.
  private mutating func partOfObject(_ part: Negatable, depth: Int) throws -> BoundPart {
    let isNegated = part.isNegated
    switch part.predicate {
    case .exists(let collection):
      return try bind(existsIn: collection, isNegated, depth: depth)
    case .quantified(let quantifier, let comparison):
      let expanded = try expand(quantifier, comparison)
      return try self.part(Negatable(expanded, isNegated: isNegated), depth: depth)
    case .isKind(let name):
      guard let kind = try subentity(name) else { return .constant(!isNegated) }
      return .condition(
        .ofKind(kind, .constant(!isNegated), otherwise: .constant(isNegated)))
    default: return .constant(!isNegated)
    }
  }

  /// Binds the parts of an "and" or "or", and flattens nested lists of the same kind, so that a
  /// chain of conditions does not count as nested.
  private mutating func bind(list: Negatable, isAnd: Bool, depth: Int) throws -> QueryCondition {
    guard depth < PredicateBinder.maximumNesting else {
      throw PersistenceError(
        .tooComplex, entity: layout.name,
        found: "'and' and 'or' are nested more than \(PredicateBinder.maximumNesting) levels deep")
    }
    let lists = EqualityLists(isAnd: isAnd)
    var parts: [BoundPart] = []
    var equalityCount = 0
    var rest = [list]
    while let next = rest.popLast() {
      switch next.predicate {
      case .and(let inner) where isAnd != next.isNegated,
        .or(let inner) where isAnd == next.isNegated:
        rest.reserveCapacity(rest.count + inner.count)
        parts.reserveCapacity(parts.count + inner.count)
        for part in inner.reversed() {
          rest.append(Negatable(part, isNegated: next.isNegated))
        }
      default:
        let part = try part(next, depth: depth + 1)
        if lists.isList(part) { equalityCount += 1 }
        switch part {
        case .condition(.and(let inner)) where isAnd, .condition(.or(let inner)) where !isAnd:
          parts += inner.map(BoundPart.condition)
        default: parts.append(part)
        }
      }
    }
    // Most conditions have none that could be joined, and should not pay for the lists.
    if equalityCount > 1 { parts = lists.join(parts) }
    if parts.count == 1 { return lift(parts[0]) }
    let conditions = parts.map { lift($0) }
    return isAnd ? .and(conditions) : .or(conditions)
  }

  /// Makes the constants of a part parameters.
  mutating func lift(_ part: BoundPart) -> QueryCondition {
    switch part {
    case .condition(let condition): return condition
    case .comparison(let term, let comparison, let constant, let resultForNull):
      parameters.append(constant)
      return .holds(
        term, comparison, .parameter(parameters.count - 1), resultForNull: resultForNull)
    case .list(let term, let values, let isNegated, let resultForNull):
      let start = parameters.count
      parameters += values
      return .isIn(
        term, parameters: start..<parameters.count, isNegated: isNegated,
        resultForNull: resultForNull)
    }
  }

  // MARK: Comparisons

  private mutating func bind(
    _ left: FetchExpression, _ comparison: FetchPredicate.Operator, _ right: FetchExpression,
    _ isNegated: Bool
  ) throws -> BoundPart {
    if let constants = try constants(left, right) {
      return try bind(constants.0, comparison, constants.1, isNegated)
    }
    let isCalculated = grouping != nil || left.isCalculated || right.isCalculated
    if try isCalculated || areOfDifferentObjects(left, right) {
      return try bindCalculated(left, comparison, right, isNegated)
    }
    if let hop = try hop(left) ?? hop(right) {
      return try bind(through: hop, isNegated) { binder, inner, isNegated in
        try binder.bind(try inner(left), comparison, try inner(right), isNegated)
      }
    }
    switch (left, right) {
    case (.property(let name), .constant(let value)):
      let slot = try layout.querySlot(name, isNullTest: value.isNull)
      return try bind(slot, comparison, value, isNegated)
    case (.constant(let value), .property(let name)):
      let slot = try layout.querySlot(name, isNullTest: value.isNull)
      return try bind(slot, comparison.mirrored, value, isNegated)
    case (.property(let a), .property(let b)):
      return try bind(
        try layout.querySlot(a), comparison, to: try layout.querySlot(b), isNegated)
    case (.object, .constant(let value)), (.constant(let value), .object):
      return try bindObject(comparison, value, isNegated)
    case (.object, .object):
      try requireEquality(comparison)
      return .constant((comparison == .equal) != isNegated)
    case (.object, .property(let name)), (.property(let name), .object):
      let slot = try layout.querySlot(name)
      guard layout.reference(ofSlot: slot) != nil else {
        throw wrongType(PropertyValue.objectKind, comparedWith: slot)
      }
      return try bindCalculated(left, comparison, right, isNegated)
    case (.subentityProperty(let entity, _), _):
      return try bind(of: entity) { binder, name in
        try binder.bind(try name(left), comparison, try name(right), isNegated)
      }
    case (_, .subentityProperty):
      return try bind(right, comparison.mirrored, left, isNegated)
    case (.constant(let a), .constant(let b)):
      if a.isObject || b.isObject { try requireEquality(comparison) }
      return .constant(ValueOrder.compare(a, comparison, b) != isNegated)
    default: return try bindCalculated(left, comparison, right, isNegated)
    }
  }

  private func bind(
    _ slot: Int, _ comparison: FetchPredicate.Operator, _ value: PropertyValue, _ isNegated: Bool
  ) throws -> BoundPart {
    let reference = layout.reference(ofSlot: slot)
    if reference != nil { try requireEquality(comparison, property: layout.attributes[slot].name) }
    if value.isNull {
      switch comparison {
      case .equal: return .isNull(slot, isNegated: isNegated)
      case .notEqual: return .isNull(slot, isNegated: !isNegated)
      default: return .constant(isNegated)
      }
    }
    if let reference {
      let isDifferent = (comparison == .notEqual) != isNegated
      guard let key = try key(of: value, reference) else { return .constant(isDifferent) }
      return .comparison(
        .slot(slot), isDifferent ? .notEqual : .equal, key, resultForNull: isDifferent)
    }
    let constant = try convert(value, for: slot)
    if constant.isNaN { return .constant((comparison == .notEqual) != isNegated) }
    let effective = isNegated ? comparison.negated : comparison
    // With a null, every comparison is false, except that a null differs from every constant.
    let forNull = (comparison == .notEqual) != isNegated
    if case .decimal(let number) = constant, let scale = layout.attributes[slot].scale,
      DecimalText.scaled(number, by: scale) == nil
    {
      return compareFine(slot, effective, number, scale, resultForNull: forNull)
    }
    return .comparison(.slot(slot), effective, constant, resultForNull: forNull)
  }

  /// Compares with a decimal that has more digits than the scale of its attribute. It is between two values of the
  /// attribute, and the comparison with the lower one gives the same result.
  private func compareFine(
    _ slot: Int, _ comparison: FetchPredicate.Operator, _ number: Decimal, _ scale: Int,
    resultForNull: Bool
  ) -> BoundPart {
    switch comparison {
    case .equal: return .constant(false)
    case .notEqual: return .constant(true)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let isAbove = comparison == .greater || comparison == .greaterOrEqual
      if let floor = DecimalText.floor(number, by: scale) {
        return .comparison(
          .slot(slot), isAbove ? .greater : .lessOrEqual,
          .decimal(DecimalText.decimal(scaled: floor, by: scale)), resultForNull: resultForNull)
      }
      // Beyond all values of the attribute: each of them is on the same side.
      let isAll = (number < 0) == isAbove
      return isAll == resultForNull ? .constant(isAll) : .isNull(slot, isNegated: isAll)
    }
  }

  private func bind(
    _ first: Int, _ comparison: FetchPredicate.Operator, to second: Int, _ isNegated: Bool
  ) throws -> BoundPart {
    if layout.reference(ofSlot: first) != nil {
      try requireEquality(comparison, property: layout.attributes[first].name)
    }
    guard areComparable(first, second) else {
      throw wrongType(layout.attributes[second].type.rawValue, comparedWith: first)
    }
    let effective = isNegated ? comparison.negated : comparison
    // NOT (a < b) is also true where one of them is null.
    let forNull = (comparison == .notEqual) != isNegated
    return .condition(
      .holds(.slot(first), effective, .slot(second), resultForNull: forNull))
  }

  private mutating func bind(
    _ expression: FetchExpression, in values: [PropertyValue], _ isNegated: Bool
  ) throws -> BoundPart {
    if grouping != nil || expression.isCalculated {
      return try bindCalculated(expression, in: values, isNegated)
    }
    if let hop = try hop(expression) {
      return try bind(through: hop, isNegated) { binder, inner, isNegated in
        try binder.bind(try inner(expression), in: values, isNegated)
      }
    }
    switch expression {
    case .constant(let value):
      let isIn = values.contains { ValueOrder.compare(value, .equal, $0) }
      return .constant(isIn != isNegated)
    case .property(let name):
      let slot = try layout.querySlot(name)
      let scale = layout.attributes[slot].scale
      let reference = layout.reference(ofSlot: slot)
      var others: [PropertyValue] = []
      others.reserveCapacity(values.count)
      for value in values where !value.isNull {
        if let reference {
          if let key = try key(of: value, reference) { others.append(key) }
          continue
        }
        let constant = try convert(value, for: slot)
        if constant.isNaN { continue }
        // A decimal with more digits than the scale equals no value of the attribute.
        if let scale, case .decimal(let number) = constant,
          DecimalText.scaled(number, by: scale) == nil
        {
          continue
        }
        others.append(constant)
      }
      let hasNull = values.contains(.null)
      if others.isEmpty {
        return hasNull ? .isNull(slot, isNegated: isNegated) : .constant(isNegated)
      }
      return .list(
        .slot(slot), others, isNegated: isNegated, resultForNull: hasNull != isNegated)
    case .subentityProperty(let entity, _):
      return try bind(of: entity) { binder, name in
        try binder.bind(try name(expression), in: values, isNegated)
      }
    case .object:
      let keys = try values.compactMap { try key(of: $0) }
      if keys.isEmpty { return .constant(isNegated) }
      return .list(.key, keys, isNegated: isNegated, resultForNull: isNegated)
    default: return try bindCalculated(expression, in: values, isNegated)
    }
  }

  // MARK: Texts

  private mutating func bind(
    _ first: FetchExpression, _ test: FetchPredicate.TextTest, _ second: FetchExpression,
    _ isNegated: Bool
  ) throws -> BoundPart {
    let isCalculated = grouping != nil || first.isCalculated || second.isCalculated
    if try isCalculated || areOfDifferentObjects(first, second) {
      return try bindCalculated(first, test, second, isNegated)
    }
    if let hop = try hop(first) ?? hop(second) {
      return try bind(through: hop, isNegated) { binder, inner, isNegated in
        try binder.bind(try inner(first), test, try inner(second), isNegated)
      }
    }
    switch (first, second) {
    case (.subentityProperty(let entity, _), _), (_, .subentityProperty(let entity, _)):
      return try bind(of: entity) { binder, name in
        try binder.bind(try name(first), test, try name(second), isNegated)
      }
    case (.object, _), (_, .object):
      throw wrongComparison("by a test of texts")
    default: break
    }
    // Both terms and the pattern are checked before a nil decides.
    let (a, b) = (try text(first, beside: second), try text(second, beside: first))
    let matcher = try matcher(test, second)
    if case .slot = a, case .constant(let text) = b,
      let simpler = TextSimplification.condition(first, test, text)
    {
      return try part(Negatable(simpler, isNegated: isNegated), depth: 0)
    }
    switch (a, b) {
    case (.null, _), (_, .null): return .constant(isNegated)
    case (.constant(let text), .constant):
      return .constant(matcher?.matches(text) != isNegated)
    default: break
    }
    return .condition(.text(term(a), test, term(b), isNegated: isNegated))
  }

  /// One side of a test of texts.
  private enum BoundText {
    case null
    case constant(String)
    case slot(Int)
  }

  private func text(_ expression: FetchExpression, beside other: FetchExpression) throws
    -> BoundText
  {
    switch expression {
    case .constant(.string(let text)): return .constant(text)
    case .constant(let value):
      // Values of different types are not equal, and a value that is no text has no part that is one.
      guard !value.isNull, case .property(let name) = other else { return .null }
      throw wrongType(value.kind, comparedWith: try layout.querySlot(name))
    case .property(let name):
      let slot = try layout.querySlot(name)
      guard layout.types[slot] == .string else {
        throw PersistenceError(
          .notText, entity: layout.name, property: name,
          found: layout.reference(ofSlot: slot) == nil
            ? layout.types[slot].rawValue : PropertyValue.objectKind)
      }
      return .slot(slot)
    default: return .null
    }
  }

  private mutating func term(_ text: BoundText) -> QueryTerm {
    switch text {
    case .slot(let slot): return .slot(slot)
    case .constant(let text): parameters.append(.string(text))
    case .null: parameters.append(.null)
    }
    return .parameter(parameters.count - 1)
  }

  /// The matcher of a test with a constant; nil when the second text is an attribute.
  func matcher(_ test: FetchPredicate.TextTest, _ second: FetchExpression) throws
    -> TextMatcher?
  {
    guard case .constant(let value) = second else {
      if test == .matches {
        throw PersistenceError(
          .invalidPattern, entity: layout.name, found: "an attribute",
          expected: "a constant, because a pattern is checked before the fetch")
      }
      return nil
    }
    guard case .string(let pattern) = value else { return nil }
    if case .like = test, pattern.utf8.count > LikePattern.maximumLength {
      throw PersistenceError(
        .tooComplex, entity: layout.name,
        found: "a pattern of 'like' has more than \(LikePattern.maximumLength) bytes",
        expected: "use a shorter pattern")
    }
    do {
      return try TextMatcher(test, pattern)
    } catch {
      throw PersistenceError(
        .invalidPattern, entity: layout.name,
        found: "'\(error.found)' at offset \(error.offset) of '\(pattern.prefix(100))'",
        expected: error.expected)
    }
  }

  // MARK: Subentities

  /// The objects of a subentity that a condition names; nil for the entity itself and for an ancestor, because every object
  /// is one of these.
  func subentity(_ name: String) throws -> EntityKind? {
    guard let schema, let named = schema.layout(name) else {
      throw PersistenceError(
        .unknownEntity, entity: name,
        suggestion: NearestName.of(name, among: schema?.entities.map(\.name) ?? []))
    }
    if schema.isEntity(layout.index, kindOf: named.index) { return nil }
    guard schema.isEntity(named.index, kindOf: layout.index) else {
      let subentities = schema.descendants[layout.index].map { schema.entities[$0].name }
      throw PersistenceError(
        .unrelatedEntity, entity: layout.name, found: name,
        expected: subentities.isEmpty ? nil : subentities.joined(separator: ", "))
    }
    return EntityKind(entity: named.index, entities: schema.kinds(of: named.index))
  }

  /// Binds a comparison that names properties of a subentity. They are nil for the other objects.
  ///
  /// - Parameter body: binds the comparison, after a function has replaced its expressions: for objects of the subentity, by
  ///   properties of their entity, and for other objects, by nil.
  private mutating func bind(
    of name: String,
    _ body: (inout ConditionBinder, (FetchExpression) throws -> FetchExpression) throws -> BoundPart
  ) throws -> BoundPart {
    guard let kind = try subentity(name), let schema else {
      let ancestor = schema?.layout(name)
      return try body(&self) { expression in
        try expression.replacing(propertiesOf: name) { property in
          // The entity has the properties of its ancestor, and others that the ancestor does not have.
          _ = try ancestor?.querySlot(property, isNullTest: true)
          return .property(property)
        }
      }
    }
    var binder = ConditionBinder(schema.entities[kind.entity], schema, keys)
    binder.parameters = parameters
    binder.outer = outer
    binder.isOfPath = isOfPath
    let part = try body(&binder) { expression in
      // No object of the subentity is one of an entity beside it.
      if case .subentityProperty(let other, _) = expression, let other = schema.layout(other),
        !schema.isEntity(other.index, kindOf: kind.entity),
        !schema.isEntity(kind.entity, kindOf: other.index)
      {
        return .constant(.null)
      }
      return expression.replacing(propertiesOf: name) { .property($0) }
    }
    let condition = binder.lift(part)
    parameters = binder.parameters
    let forOthers = try body(&self) { $0.replacing(propertiesOf: name) { _ in .constant(.null) } }
    let otherwise = lift(forOthers)
    if case .constant = condition, condition == otherwise { return .condition(condition) }
    return .condition(.ofKind(kind, condition, otherwise: otherwise))
  }

  // MARK: Related objects

  /// The first step of a path: a to-one relationship.
  struct Hop {
    let reference: EntityLayout.Reference
    /// The name of the relationship and a point.
    let prefix: String
  }

  /// The first step of an expression that is a path through a to-one relationship; nil for another expression.
  func hop(_ expression: FetchExpression) throws -> Hop? {
    guard case .property(let path) = expression, let point = path.firstIndex(of: "."),
      let slot = layout.slotByName[String(path[..<point])],
      let reference = layout.reference(ofSlot: slot)
    else { return nil }
    let stepCount = path.utf8.count { $0 == UInt8(ascii: ".") }
    guard stepCount <= PredicateBinder.maximumNesting else {
      throw PersistenceError(
        .tooComplex, entity: layout.name,
        found: "a path has more than \(PredicateBinder.maximumNesting) relationships")
    }
    return Hop(reference: reference, prefix: String(path[...point]))
  }

  /// Binds a comparison that names properties of the object of a to-one relationship. They are nil where there is no object.
  ///
  /// - Parameter body: binds the comparison, after a function has replaced its expressions by those of the related object, or
  ///   by nil.
  private mutating func bind(
    through hop: Hop, _ isNegated: Bool,
    _ body: (inout ConditionBinder, (FetchExpression) throws -> FetchExpression, Bool) throws ->
      BoundPart
  ) throws -> BoundPart {
    guard let schema else {
      throw PersistenceError(
        .notQueryable, entity: layout.name, property: hop.prefix + "…", found: "a path")
    }
    // The result where there is no object: that of the comparison with nil.
    var other = self
    let forNone = try body(
      &other, { try expression($0, of: hop) { _ in .constant(.null) } }, isNegated)
    guard case .condition(.constant(let isTrueForNone)) = forNone else {
      throw unrelatedSides(hop)
    }
    // A condition that is true without an object is the negation of one that needs an object.
    var binder = ConditionBinder(schema.entities[hop.reference.destination], schema, keys)
    binder.parameters = parameters
    binder.outer = around
    binder.isOfPath = true
    let part = try body(
      &binder, { try expression($0, of: hop) { .property($0) } }, isNegated != isTrueForNone)
    let condition = binder.lift(part)
    parameters = binder.parameters
    return .condition(
      .related(
        slot: hop.reference.slot, entity: hop.reference.destination, condition,
        isNegated: isTrueForNone))
  }

  /// An expression without the first step of a path. The other side of a comparison is a constant, or a path with the same
  /// first step.
  private func expression(
    _ expression: FetchExpression, of hop: Hop, _ replacement: (String) -> FetchExpression
  ) throws -> FetchExpression {
    switch expression {
    case .constant: return expression
    case .property(let path) where path.hasPrefix(hop.prefix):
      return replacement(String(path.dropFirst(hop.prefix.count)))
    default: throw unrelatedSides(hop)
    }
  }

  private func unrelatedSides(_ hop: Hop) -> PersistenceError {
    PersistenceError(
      .notQueryable, entity: layout.name, property: String(hop.prefix.dropLast()),
      found: "compared with a property of another object")
  }

  // MARK: Objects

  private func bindObject(
    _ comparison: FetchPredicate.Operator, _ value: PropertyValue, _ isNegated: Bool
  ) throws -> BoundPart {
    try requireEquality(comparison)
    let isDifferent = (comparison == .notEqual) != isNegated
    guard let key = try key(of: value) else { return .constant(isDifferent) }
    return .comparison(
      .key, isDifferent ? .notEqual : .equal, key, resultForNull: isDifferent)
  }

  /// The key of an object that a condition names; nil for null, and for an object that the entity cannot have.
  func key(of value: PropertyValue) throws -> PropertyValue? {
    switch value {
    case .null: return nil
    case .object(let id): return keys?.key(of: id, root: layout.root).map(PropertyValue.integer)
    default: throw wrongComparison("with a value of type \(value.kind)")
    }
  }

  /// The key of an object in a relationship; nil for an object that the relationship cannot have.
  func key(of value: PropertyValue, _ reference: EntityLayout.Reference) throws
    -> PropertyValue?
  {
    guard case .object(let id) = value else {
      throw wrongComparison(
        "with a value of type \(value.kind)", property: layout.attributes[reference.slot].name)
    }
    return keys?.key(of: id, root: reference.destinationRoot).map(PropertyValue.integer)
  }

  func requireEquality(_ comparison: FetchPredicate.Operator, property: String? = nil)
    throws
  {
    switch comparison {
    case .equal, .notEqual: return
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      throw wrongComparison("by an order", property: property)
    }
  }

  /// The error of a comparison that an object cannot have.
  func wrongComparison(_ found: String, property: String? = nil) -> PersistenceError {
    PersistenceError(
      .predicateType, entity: layout.name, property: property, found: found,
      expected: PropertyValue.objectKind)
  }

  // MARK: Types

  private func areComparable(_ a: Int, _ b: Int) -> Bool {
    let (first, second) = (layout.attributes[a], layout.attributes[b])
    let roots = [a, b].map { layout.reference(ofSlot: $0)?.destinationRoot }
    if roots != [nil, nil] { return roots[0] == roots[1] }
    func family(_ type: AttributeType) -> String {
      switch type {
      case .integer16, .integer32, .integer64, .integer: "integer"
      case .float, .double: "real"
      default: type.rawValue
      }
    }
    return family(first.type) == family(second.type) && first.scale == second.scale
  }

  /// A constant as the attribute's type; integers are converted to reals and decimals.
  func convert(_ value: PropertyValue, for slot: Int) throws -> PropertyValue {
    switch (layout.types[slot], value) {
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer),
      (.integer, .integer), (.float, .double), (.double, .double), (.decimal, .decimal),
      (.boolean, .boolean), (.date, .date), (.string, .string), (.binary, .binary),
      (.uuid, .uuid), (.uri, .uri):
      return value
    case (.float, .integer(let number)), (.double, .integer(let number)):
      guard let exact = Double(exactly: number) else { break }
      return .double(exact)
    case (.decimal, .integer(let number)): return .decimal(Decimal(number))
    case (.decimal, .double(let number)):
      // The decimal that is written as the double is: 12.5 for 12.5.
      guard let exact = DecimalLiteral("\(number)")?.decimal else { break }
      return .decimal(exact)
    case (.integer16, .double(let number)), (.integer32, .double(let number)),
      (.integer64, .double(let number)), (.integer, .double(let number)):
      guard let exact = Int64(exactly: number) else { break }
      return .integer(exact)
    case (.boolean, .integer(0)): return .boolean(false)
    case (.boolean, .integer(1)): return .boolean(true)
    default: break
    }
    throw wrongType(value.kind, comparedWith: slot)
  }

  func wrongType(_ found: String, comparedWith slot: Int) -> PersistenceError {
    let attribute = layout.attributes[slot]
    if layout.reference(ofSlot: slot) != nil {
      return wrongComparison("with a value of type \(found)", property: attribute.name)
    }
    return PersistenceError(
      .predicateType, entity: layout.name, property: attribute.name, found: found,
      expected: attribute.type.rawValue)
  }
}

extension FetchExpression {
  /// The expression, or what stands for the property if it is one of an entity.
  fileprivate func replacing(
    propertiesOf entity: String, by replacement: (String) throws -> FetchExpression
  ) rethrows -> FetchExpression {
    guard case .subentityProperty(entity, let property) = self else { return self }
    return try replacement(property)
  }
}

extension BoundPart {
  static func constant(_ flag: Bool) -> BoundPart { .condition(.constant(flag)) }

  fileprivate static func isNull(_ slot: Int, isNegated: Bool) -> BoundPart {
    .condition(.isNull(.slot(slot), isNegated: isNegated))
  }
}

extension EntityLayout {
  /// The slot of a property in a query.
  ///
  /// - Parameter isNullTest: whether the query only asks for null, which is allowed for every
  ///   stored attribute.
  func querySlot(_ name: String, isNullTest: Bool = false) throws -> Int {
    guard let slot = slotByName[name] else {
      if let kind = relationshipKind(name) {
        throw PersistenceError(
          .notQueryable, entity: self.name, property: name, found: kind, expected: Self.askObjects)
      }
      throw PersistenceError(
        .unknownProperty, entity: self.name, property: name,
        suggestion: NearestName.of(name, among: slotByName.keys))
    }
    guard storedSlots.contains(slot) else {
      throw PersistenceError(
        .notQueryable, entity: self.name, property: name, found: "transient")
    }
    guard types[slot] != .transformable || isNullTest else {
      throw PersistenceError(
        .notQueryable, entity: self.name, property: name, found: "transformable")
    }
    guard isNullTest || !externalSlots.contains(slot) else {
      throw PersistenceError(
        .notQueryable, entity: self.name, property: name, found: "external")
    }
    return slot
  }

  /// The remedy for a condition on a to-many relationship that does not say how its objects are asked.
  package static let askObjects =
    "so it has no single value; ask about its objects, with 'contains', 'allSatisfy' or 'count', or with ANY, ALL or @count in a text"

  /// What a name is that conditions cannot use: a to-many relationship, or a path that begins with a relationship.
  private func relationshipKind(_ name: String) -> String? {
    if toManyNames.contains(name) { return "a to-many relationship" }
    guard let point = name.firstIndex(of: ".") else { return nil }
    let first = String(name[..<point])
    let isToOne = slotByName[first].map { slots[$0].isReference } ?? false
    if toManyNames.contains(first) { return "a path through a to-many relationship" }
    return isToOne ? "a path through a relationship" : nil
  }
}

extension PropertyValue {
  static let objectKind = "object"

  var isObject: Bool {
    if case .object = self { return true }
    return false
  }

  /// Whether the value is not a number: it equals nothing.
  var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    case .decimal(let number): number.isNaN
    default: false
    }
  }
}
