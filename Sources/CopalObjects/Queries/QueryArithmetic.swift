public import CopalEssentials
public import CopalModel

/// A type of numbers that conditions can calculate with.
public protocol QueryNumber: ValueConvertible, Comparable {
  /// The type of an average: `Decimal` for decimals, and `Double` for other numbers.
  associatedtype QueryAverage: ValueConvertible
}

extension Int: QueryNumber { public typealias QueryAverage = Double }
extension Int16: QueryNumber { public typealias QueryAverage = Double }
extension Int32: QueryNumber { public typealias QueryAverage = Double }
extension Int64: QueryNumber { public typealias QueryAverage = Double }
extension Double: QueryNumber { public typealias QueryAverage = Double }
extension Float: QueryNumber { public typealias QueryAverage = Double }
extension Decimal: QueryNumber { public typealias QueryAverage = Decimal }

/// Arithmetic.
///
/// ```swift
/// try context.fetch(Pigment.self) { $0.price * 2 + 1 > $0.limit }
/// ```
///
/// A result is nil where a part is nil, for a division by zero, and for a number that its type
/// cannot have. So a condition on it never ends the program. No calculation uses an index.
extension QueryExpression where Value: QueryNumber {
  /// The sum of two values.
  public static func + (a: Self, b: Value) -> QueryValue<Value> { a.calculated(.add, b) }
  /// The sum of two values.
  public static func + (a: Value, b: Self) -> QueryValue<Value> { b.calculated(a, .add) }
  /// The sum of two values.
  public static func + (a: Self, b: some QueryExpression<Value>) -> QueryValue<Value> {
    a.calculated(.add, with: b)
  }
  /// The difference of two values.
  public static func - (a: Self, b: Value) -> QueryValue<Value> { a.calculated(.subtract, b) }
  /// The difference of two values.
  public static func - (a: Value, b: Self) -> QueryValue<Value> { b.calculated(a, .subtract) }
  /// The difference of two values.
  public static func - (a: Self, b: some QueryExpression<Value>) -> QueryValue<Value> {
    a.calculated(.subtract, with: b)
  }
  /// The product of two values.
  public static func * (a: Self, b: Value) -> QueryValue<Value> { a.calculated(.multiply, b) }
  /// The product of two values.
  public static func * (a: Value, b: Self) -> QueryValue<Value> { b.calculated(a, .multiply) }
  /// The product of two values.
  public static func * (a: Self, b: some QueryExpression<Value>) -> QueryValue<Value> {
    a.calculated(.multiply, with: b)
  }
  /// The quotient of two values. That of integers is rounded toward zero. Nil for a division by
  /// zero.
  public static func / (a: Self, b: Value) -> QueryValue<Value> { a.calculated(.divide, b) }
  /// The quotient of two values. That of integers is rounded toward zero. Nil for a division by
  /// zero.
  public static func / (a: Value, b: Self) -> QueryValue<Value> { b.calculated(a, .divide) }
  /// The quotient of two values. That of integers is rounded toward zero. Nil for a division by
  /// zero.
  public static func / (a: Self, b: some QueryExpression<Value>) -> QueryValue<Value> {
    a.calculated(.divide, with: b)
  }

  /// The value with the other sign.
  public static prefix func - (a: Self) -> QueryValue<Value> { a.called(.negate) }
  /// The value without its sign.
  public var magnitude: QueryValue<Value> { called(.absolute) }
  /// The value without its digits after the point: the greatest whole number that is not greater,
  /// the least that is not less, or the one next to it toward zero.
  public func rounded(_ rounding: QueryRounding) -> QueryValue<Value> {
    switch rounding {
    case .down: called(.floor)
    case .up: called(.ceiling)
    case .towardZero: called(.truncate)
    }
  }
  /// The square root; nil for a negative number.
  public func squareRoot() -> QueryValue<Double> { called(.squareRoot) }
  /// The number as an integer. Digits after the point are left out.
  public var asInteger: QueryValue<Int> { called(.toInteger) }
  /// The number as a double.
  public var asDouble: QueryValue<Double> { called(.toDouble) }
  /// The number as a decimal.
  public var asDecimal: QueryValue<Decimal> { called(.toDecimal) }
  /// The number as a text.
  public var asString: QueryValue<String> { called(.toString) }
}

/// How a number becomes a whole one in a condition.
public enum QueryRounding: Sendable {
  /// Down, up, or toward zero.
  case down, up, towardZero
}

extension QueryExpression where Value: QueryNumber & FixedWidthInteger {
  /// What a division leaves, with the sign of the first number. Nil for a division by zero.
  public static func % (a: Self, b: Value) -> QueryValue<Value> { a.calculated(.remainder, b) }
  /// What a division leaves, with the sign of the first number. Nil for a division by zero.
  public static func % (a: Self, b: some QueryExpression<Value>) -> QueryValue<Value> {
    a.calculated(.remainder, with: b)
  }
}

/// Arithmetic with dates, in seconds.
///
/// ```swift
/// try context.fetch(Loan.self) { $0.returned - $0.lent > 14 * 86_400 }
/// ```
extension QueryExpression where Value == Date {
  /// The date some seconds later.
  public static func + (a: Self, seconds: Double) -> QueryValue<Date> {
    a.calculated(.add, seconds)
  }
  /// The date some seconds later.
  public static func + (a: Self, seconds: some QueryExpression<Double>) -> QueryValue<Date> {
    a.calculated(.add, with: seconds)
  }
  /// The date some seconds earlier.
  public static func - (a: Self, seconds: Double) -> QueryValue<Date> {
    a.calculated(.subtract, seconds)
  }
  /// The date some seconds earlier.
  public static func - (a: Self, seconds: some QueryExpression<Double>) -> QueryValue<Date> {
    a.calculated(.subtract, with: seconds)
  }
  /// The seconds from the second date to the first one.
  public static func - (a: Self, b: Date) -> QueryValue<Double> { a.calculated(.subtract, b) }
  /// The seconds from the second date to the first one.
  public static func - (a: Date, b: Self) -> QueryValue<Double> { b.calculated(a, .subtract) }
  /// The seconds from the second date to the first one.
  public static func - (a: Self, b: some QueryExpression<Date>) -> QueryValue<Double> {
    a.calculated(.subtract, with: b)
  }
}

/// Texts that are calculated.
extension QueryExpression where Value == String {
  /// The text in lower case, by Unicode's rules that do not depend on a language.
  public func lowercased() -> QueryValue<String> { called(.lowercased) }
  /// The text in upper case, by Unicode's rules that do not depend on a language.
  public func uppercased() -> QueryValue<String> { called(.uppercased) }
  /// The number of characters.
  public var count: QueryValue<Int> { called(.length) }
  /// The number that the text has: digits with a sign and a point. Nil for another text.
  public var asDecimal: QueryValue<Decimal> { called(.toDecimal) }
}

extension QueryExpression {
  /// The value, or another one where it is nil.
  ///
  /// ```swift
  /// try context.fetch(Pigment.self) { ($0.discount ?? 0) < 5 }
  /// ```
  public static func ?? (a: Self, b: Value) -> QueryValue<Value> { a.calculated(.ifNil, b) }
  /// The value, or another one where it is nil.
  // For two attributes of one type, the compiler would prefer Swift's operator, which ignores the
  // second one.
  public static func ?? (a: Self, b: Self) -> QueryValue<Value> { a.calculated(.ifNil, with: b) }
  /// The value, or another one where it is nil.
  public static func ?? (a: Self, b: some QueryExpression<Value>) -> QueryValue<Value> {
    a.calculated(.ifNil, with: b)
  }

  func called<R>(_ function: FetchFunction) -> QueryValue<R> {
    QueryValue(.call(function, [_expression]))
  }

  fileprivate func calculated<R>(_ function: FetchFunction, _ constant: some ValueConvertible)
    -> QueryValue<R>
  {
    QueryValue(.call(function, [_expression, .constant(constant.value)]))
  }

  fileprivate func calculated<R>(_ constant: some ValueConvertible, _ function: FetchFunction)
    -> QueryValue<R>
  {
    QueryValue(.call(function, [.constant(constant.value), _expression]))
  }

  fileprivate func calculated<R>(_ function: FetchFunction, with other: some QueryExpression)
    -> QueryValue<R>
  {
    QueryValue(.call(function, [_expression, other._expression]))
  }
}
