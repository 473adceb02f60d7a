import CopalEssentials
import CopalModel

/// The types of properties and constants.
extension ConditionBinder {
  /// Whether two attributes are stored in one form, so that they are compared as they are.
  func areComparable(_ a: Int, _ b: Int) -> Bool {
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

  /// Whether two attributes are numbers that are stored in different forms.
  func areDifferentNumbers(_ a: Int, _ b: Int) -> Bool {
    guard let first = QueryValueType(layout.types[a]), let second = QueryValueType(layout.types[b])
    else { return false }
    let isOfScale = layout.attributes[a].scale == layout.attributes[b].scale
    return first.isNumber && second.isNumber && (first != second || !isOfScale)
  }

  /// A constant beside the values of an attribute.
  func fit(_ value: PropertyValue, to slot: Int) throws -> FittedConstant {
    if let type = QueryValueType(layout.types[slot]),
      let fitted = value.fitted(to: type, scale: layout.attributes[slot].scale)
    {
      return fitted
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

extension PropertyValue {
  var isObject: Bool {
    if case .object = self { return true }
    return false
  }
}
