package import CopalEssentials
package import CopalModel

/// An aggregate of values, one by one. Stores and memory use the same code, so that they agree, in
/// whatever order the values come.
///
/// Nulls are left out. The sum of integers and of decimals is exact. The sum of doubles is the
/// double that is nearest to the exact sum, so that it does not depend on the order.
package struct ValueAggregate: Sendable {
  private let aggregate: FetchAggregate
  private let type: QueryValueType
  private var count: Int64 = 0
  /// The sum of integers, and of decimals with a scale.
  private var whole: Int128 = 0
  private var double = ExactSum()
  private var decimal = ExactDecimalSum()
  /// The different values so far, if they are counted.
  private var different: Set<DistinctValue> = []
  /// The least or the greatest value so far.
  private var extreme = PropertyValue.null

  /// An aggregate of values of a type.
  package init(_ aggregate: FetchAggregate, of type: QueryValueType) {
    self.aggregate = aggregate
    self.type = type
  }

  /// Adds a value of the type.
  package mutating func add(_ value: PropertyValue) {
    if value.isNull { return }
    switch aggregate {
    case .count: count += 1
    case .distinctCount: different.insert(DistinctValue(value))
    case .min:
      if extreme.isNull || ValueOrder.compare(value, .less, extreme) { extreme = value }
    case .max:
      if extreme.isNull || ValueOrder.compare(value, .greater, extreme) { extreme = value }
    case .sum, .average:
      switch value {
      case .integer(let number): add(number)
      case .double(let number): add(number)
      case .decimal(let number): add(number)
      default: return
      }
    }
  }

  /// Adds an integer to a sum or an average.
  @inline(__always)
  package mutating func add(_ number: Int64) {
    count &+= 1
    // Not 2^63 values: the sum of so many integers of 64 bits has no overflow.
    whole &+= Int128(number)
  }

  /// Adds integers of which the sum and the number are known.
  package mutating func add(sum: Int128, count: Int64) {
    self.count &+= count
    whole &+= sum
  }

  /// Adds a double to a sum or an average.
  package mutating func add(_ number: Double) {
    count &+= 1
    double.add(number)
  }

  /// Adds a decimal to a sum or an average.
  package mutating func add(_ number: Decimal) {
    count &+= 1
    decimal.add(number)
  }

  /// Adds a decimal to a sum or an average: an integer times a power of ten.
  @inline(__always)
  package mutating func add(_ mantissa: Int64, exponent: Int) {
    count &+= 1
    decimal.add(UInt128(mantissa.magnitude), exponent, isNegative: mantissa < 0)
  }

  /// The result: null for the least, the greatest and the average of no values, and for a sum that
  /// its type cannot have.
  ///
  /// - Parameter scale: the scale of decimals that were added as integers; nil for others.
  package func result(scale: Int? = nil) -> PropertyValue {
    switch aggregate {
    case .count: return .integer(count)
    case .distinctCount: return .integer(Int64(different.count))
    case .min, .max: return extreme
    case .sum:
      switch type {
      case .integer: return Int64(exactly: whole).map { .integer($0) } ?? .null
      case .double: return double.value.map { .double($0) } ?? .null
      case .decimal: return number(decimals(scale).value)
      default: return .null
      }
    case .average:
      if count == 0 { return .null }
      switch type {
      case .integer: return .double(Double(whole) / Double(count))
      case .double: return double.value.map { .double($0 / Double(count)) } ?? .null
      case .decimal: return number(decimals(scale).average(of: count))
      default: return .null
      }
    }
  }

  /// The sum of decimals; with a scale, the one of integers.
  private func decimals(_ scale: Int?) -> ExactDecimalSum {
    guard let scale else { return decimal }
    var sum = ExactDecimalSum()
    sum.add(whole.magnitude, -scale, isNegative: whole < 0)
    return sum
  }

  private func number(_ decimal: Decimal) -> PropertyValue {
    decimal.isNaN ? .null : .decimal(decimal)
  }
}

/// The sum of doubles without the errors of rounding: the partial sums do not overlap, and their
/// sum is exact.
///
/// Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
/// Predicates", Discrete & Computational Geometry 18 (1997), as in Python's `math.fsum`.
package struct ExactSum: Sendable {
  /// Partial sums that do not overlap, the least first.
  private var parts: [Double] = []
  /// The sum of what is not finite; zero for nothing.
  private var infinite = 0.0

  package init() {}

  package mutating func add(_ number: Double) {
    guard number.isFinite else {
      infinite += number
      return
    }
    var number = number
    var kept = 0
    for part in parts {
      let (great, small) = abs(number) < abs(part) ? (part, number) : (number, part)
      let sum = great + small
      // Beyond the greatest double there are no exact parts.
      guard sum.isFinite else {
        infinite += sum
        return
      }
      let rest = small - (sum - great)
      if rest != 0 {
        parts[kept] = rest
        kept += 1
      }
      number = sum
    }
    parts.removeSubrange(kept...)
    parts.append(number)
  }

  /// The double that is nearest to the sum; nil for a sum that is not a number.
  package var value: Double? {
    if infinite != 0 || infinite.isNaN { return infinite.isNaN ? nil : infinite }
    guard var sum = parts.last else { return 0 }
    var index = parts.count - 1
    var rest = 0.0
    while index > 0 {
      index -= 1
      let (great, part) = (sum, parts[index])
      sum = great + part
      rest = part - (sum - great)
      if rest != 0 { break }
    }
    // Half way between two doubles, the parts that are left decide.
    if index > 0, rest < 0 && parts[index - 1] < 0 || rest > 0 && parts[index - 1] > 0 {
      let doubled = rest * 2
      let other = sum + doubled
      if doubled == other - sum { sum = other }
    }
    return sum + 0
  }
}
