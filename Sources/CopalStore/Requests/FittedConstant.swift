import CopalEssentials
import CopalModel

/// A constant as a value of the type with which a condition compares it.
///
/// A number of another type is often between two values of the type: 36.5 between the integers 36
/// and 37. Comparing with the lower one has the same result: `age > 36.5` is `age > 36`. So every
/// store compares values of one type, and an index of the attribute is used.
enum FittedConstant: Equatable {
  /// The constant is a value of the type.
  case exact(PropertyValue)
  /// The constant is above this value of the type, and below the next one.
  case above(PropertyValue)
  /// The constant is below all values of the type.
  case belowAll
  /// The constant is above all values of the type.
  case aboveAll
}

extension PropertyValue {
  /// The constant as a value of a type; nil if the two types cannot be compared, and for NaN.
  ///
  /// - Parameter scale: the digits after the point that a decimal can have; nil for any number.
  func fitted(to type: QueryValueType, scale: Int? = nil) -> FittedConstant? {
    switch (self, type) {
    case (.integer(let number), .double): .below(Double(number), self)
    case (.decimal(let number), .double):
      Double(DecimalText.string(number)).map { .below($0, self) }
    case (.double(let number), .integer): .integer(number)
    case (.decimal(let number), .integer):
      .wholes(number, by: 0) { .integer($0) }
    case (.integer(let number), .decimal): Decimal(number).fitted(scale)
    case (.decimal(let number), .decimal): number.fitted(scale)
    case (.double(let number), .decimal): .decimal(number, scale)
    case (.integer(0), .boolean): .exact(false)
    case (.integer(1), .boolean): .exact(true)
    default: QueryValueType(self) == type ? .exact(self) : nil
    }
  }
}

extension Decimal {
  fileprivate func fitted(_ scale: Int?) -> FittedConstant? {
    guard let scale else { return .exact(.decimal(self)) }
    return .wholes(self, by: scale) { .decimal(DecimalText.decimal(scaled: $0, by: scale)) }
  }
}

extension FittedConstant {
  /// A number beside doubles. `nearest` is the nearest double.
  fileprivate static func below(_ nearest: Double, _ number: PropertyValue) -> FittedConstant {
    switch NumberOrder.compare(.double(nearest), number) {
    case 0: .exact(.double(nearest + 0))
    case 1: .above(.double(nearest.nextDown))
    default: .above(.double(nearest))
    }
  }

  /// A double beside integers.
  fileprivate static func integer(_ number: Double) -> FittedConstant? {
    if number.isNaN { return nil }
    if number >= 0x1p63 { return .aboveAll }
    guard let floor = Int64(exactly: number.rounded(.down)) else { return .belowAll }
    return number == number.rounded(.down) ? .exact(.integer(floor)) : .above(.integer(floor))
  }

  /// A decimal beside whole numbers of 64 bits, which are values of the type times a power of ten.
  fileprivate static func wholes(
    _ number: Decimal, by scale: Int, _ value: (Int64) -> PropertyValue
  ) -> FittedConstant? {
    if number.isNaN { return nil }
    if let whole = DecimalText.scaled(number, by: scale) { return .exact(value(whole)) }
    if let floor = DecimalText.floor(number, by: scale) { return .above(value(floor)) }
    return DecimalParts(number).isNegative ? .belowAll : .aboveAll
  }

  /// A double beside decimals: the decimal that is written as the double is.
  fileprivate static func decimal(_ number: Double, _ scale: Int?) -> FittedConstant? {
    if let written = DecimalLiteral("\(number)")?.decimal { return written.fitted(scale) }
    if number.isNaN { return nil }
    if abs(number) > 1 { return number < 0 ? .belowAll : .aboveAll }
    // Nearer to zero than every decimal.
    let floor = DecimalParts(
      mantissa: number < 0 ? 1 : 0, exponent: number < 0 ? -128 : 0, isNegative: number < 0)
    return FittedConstant.above(.decimal(floor.decimal)).fitted(scale)
  }

  /// The constant beside decimals with a scale. What is above a value is also above the next lower
  /// one.
  private func fitted(_ scale: Int?) -> FittedConstant? {
    guard case .above(.decimal(let floor)) = self, let fitted = floor.fitted(scale) else {
      return self
    }
    if case .exact(let value) = fitted { return .above(value) }
    return fitted
  }
}

extension ConditionBinder {
  /// Compares a term with a constant of any type that fits.
  ///
  /// - Parameters:
  ///   - comparison: with the negation around it.
  ///   - resultForNull: the result where the term is null.
  func compare(
    _ term: QueryTerm, _ comparison: FetchPredicate.Operator, _ constant: FittedConstant,
    resultForNull: Bool
  ) -> BoundPart {
    if case .exact(let value) = constant {
      return .comparison(term, comparison, value, resultForNull: resultForNull)
    }
    switch comparison {
    case .equal: return .constant(false)
    case .notEqual: return .constant(true)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let isAbove = comparison == .greater || comparison == .greaterOrEqual
      if case .above(let floor) = constant {
        return .comparison(
          term, isAbove ? .greater : .lessOrEqual, floor, resultForNull: resultForNull)
      }
      let isTrue = isAbove == (constant == .belowAll)
      return isTrue == resultForNull
        ? .constant(isTrue) : .condition(.isNull(term, isNegated: isTrue))
    }
  }

  /// Compares two constants. Numbers compare by their exact values; beside a decimal, a double is
  /// the decimal that is written there.
  func compare(
    _ a: PropertyValue, _ comparison: FetchPredicate.Operator, _ b: PropertyValue
  ) throws -> Bool {
    guard let first = QueryValueType(a), let second = QueryValueType(b), first != second else {
      return ValueOrder.compare(a, comparison, b)
    }
    guard TypeRules.areComparable(.init(first, constant: a), .init(second, constant: b)) else {
      throw PersistenceError(
        .predicateType, entity: layout.name, found: second.name, expected: first.name)
    }
    return ValueOrder.compare(
      a.written(beside: second), comparison, b.written(beside: first))
  }
}

extension PropertyValue {
  /// A constant beside a value of a type: a double beside a decimal is the decimal of its text, and
  /// 0 and 1 are booleans beside a boolean.
  fileprivate func written(beside type: QueryValueType) -> PropertyValue {
    switch (self, type) {
    case (.double(let number), .decimal):
      DecimalLiteral("\(number)")?.decimal.map { .decimal($0) } ?? self
    case (.integer(let number), .boolean): .boolean(number == 1)
    default: self
    }
  }
}
