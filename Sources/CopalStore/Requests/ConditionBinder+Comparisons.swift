import CopalEssentials
import CopalModel

/// Binds comparisons of properties and objects.
extension ConditionBinder {
  mutating func bind(
    _ left: FetchExpression, _ comparison: FetchPredicate.Operator, _ right: FetchExpression,
    isNegated: Bool
  ) throws -> BoundPart {
    // Usually an attribute and a constant, which need no look at what else they could be.
    if grouping == nil, case .property(let name) = left, case .constant(let value) = right,
      let slot = layout.slotByName[name]
    {
      return try bind(
        layout.querySlot(slot, name, isNullTest: value.isNull), comparison, value,
        isNegated: isNegated)
    }
    if let (left, right) = lengths(left, right) {
      return try bind(left, comparison, right, isNegated: isNegated)
    }
    if let constants = try constants(left, right) {
      return try bind(constants.0, comparison, constants.1, isNegated: isNegated)
    }
    let isCalculated = grouping != nil || left.isCalculated || right.isCalculated
    if try isCalculated || areOfDifferentObjects(left, right) {
      return try bindCalculated(left, comparison, right, isNegated: isNegated)
    }
    if let hop = try hop(left) ?? hop(right) {
      return try bind(through: hop, isNegated) { binder, inner, isNegated in
        try binder.bind(try inner(left), comparison, try inner(right), isNegated: isNegated)
      }
    }
    switch (left, right) {
    case (.property(let name), .constant(let value)):
      let slot = try layout.querySlot(name, isNullTest: value.isNull)
      return try bind(slot, comparison, value, isNegated: isNegated)
    case (.constant(let value), .property(let name)):
      let slot = try layout.querySlot(name, isNullTest: value.isNull)
      return try bind(slot, comparison.mirrored, value, isNegated: isNegated)
    case (.property(let a), .property(let b)):
      let (first, second) = (try layout.querySlot(a), try layout.querySlot(b))
      if areDifferentNumbers(first, second) {
        return try bindCalculated(left, comparison, right, isNegated: isNegated)
      }
      return try bind(first, comparison, to: second, isNegated)
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
      return try bindCalculated(left, comparison, right, isNegated: isNegated)
    case (.subentityProperty(let entity, _), _):
      return try bind(of: entity) { binder, name in
        try binder.bind(try name(left), comparison, try name(right), isNegated: isNegated)
      }
    case (_, .subentityProperty):
      return try bind(right, comparison.mirrored, left, isNegated: isNegated)
    case (.constant(let a), .constant(let b)):
      if a.isObject || b.isObject { try requireEquality(comparison) }
      return .constant(try compare(a, comparison, b) != isNegated)
    default: return try bindCalculated(left, comparison, right, isNegated: isNegated)
    }
  }

  func bind(
    _ slot: Int, _ comparison: FetchPredicate.Operator, _ value: PropertyValue, isNegated: Bool
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
    let isDifferent = (comparison == .notEqual) != isNegated
    if value.isNaN { return .constant(isDifferent) }
    // With a null, every comparison is false, except that a null differs from every constant.
    return compare(
      .slot(slot), isNegated ? comparison.negated : comparison, try fit(value, to: slot),
      resultForNull: isDifferent)
  }

  func bind(
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

  mutating func bind(
    _ expression: FetchExpression, in values: [PropertyValue], _ isNegated: Bool
  ) throws -> BoundPart {
    if grouping != nil || expression.isCalculated {
      return try bindCalculated(expression, in: values, isNegated)
    }
    if let length = length(expression) { return try bind(length, in: values, isNegated) }
    if let hop = try hop(expression) {
      return try bind(through: hop, isNegated) { binder, inner, isNegated in
        try binder.bind(try inner(expression), in: values, isNegated)
      }
    }
    switch expression {
    case .constant(let value):
      let isIn = try values.contains { try compare(value, .equal, $0) }
      return .constant(isIn != isNegated)
    case .property(let name):
      let slot = try layout.querySlot(name)
      let reference = layout.reference(ofSlot: slot)
      var others: [PropertyValue] = []
      others.reserveCapacity(values.count)
      for value in values where !value.isNull {
        if let reference {
          if let key = try key(of: value, reference) { others.append(key) }
        } else if !value.isNaN, case .exact(let constant) = try fit(value, to: slot) {
          others.append(constant)
        }
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

  // MARK: Objects

  func bindObject(
    _ comparison: FetchPredicate.Operator, _ value: PropertyValue, _ isNegated: Bool
  ) throws -> BoundPart {
    try requireEquality(comparison)
    let isDifferent = (comparison == .notEqual) != isNegated
    guard let key = try key(of: value) else { return .constant(isDifferent) }
    return .comparison(
      .key, isDifferent ? .notEqual : .equal, key, resultForNull: isDifferent)
  }

  /// The key of an object that a condition names; nil for null, and for an object that the entity
  /// cannot have.
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
}

extension BoundPart {
  static func constant(_ flag: Bool) -> BoundPart { .condition(.constant(flag)) }

  static func isNull(_ slot: Int, isNegated: Bool) -> BoundPart {
    .condition(.isNull(.slot(slot), isNegated: isNegated))
  }
}
