import CopalEssentials
import CopalModel

/// The types of properties and constants.
extension ConditionBinder {
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

  /// Whether two decimals are stored in different forms, which cannot be compared as they are.
  func areDecimalsOfDifferentScales(_ a: Int, _ b: Int) -> Bool {
    let (first, second) = (layout.attributes[a], layout.attributes[b])
    return first.type == .decimal && second.type == .decimal && first.scale != second.scale
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
