import CopalEssentials
package import CopalModel

/// The functions of conditions. Stores and memory use the same code, so that they agree.
///
/// The arguments have the types that the function needs: the binder converts them. A null argument
/// makes the result null, except for ``FetchFunction/ifNil``. A result that its type cannot have is
/// null: an integer of more than 64 bits, a decimal that is not a number, a NaN, and the result of
/// a division by zero.
package enum ValueFunction {
  /// The value of a function. Not of ``FetchFunction/now``, which is a constant of the query.
  package static func apply(_ function: FetchFunction, _ arguments: [PropertyValue])
    -> PropertyValue
  {
    guard let first = arguments.first else { return .null }
    if function == .ifNil, arguments.count == 2 { return first.isNull ? arguments[1] : first }
    if arguments.contains(.null) { return .null }
    return arguments.count == 2
      ? combine(function, first, arguments[1]) : convert(function, first)
  }

  // MARK: Two arguments

  private static func combine(
    _ function: FetchFunction, _ a: PropertyValue, _ b: PropertyValue
  ) -> PropertyValue {
    switch (a, b) {
    case (.integer(let x), .integer(let y)): integer(function, x, y)
    case (.double(let x), .double(let y)): double(function, x, y)
    case (.decimal(let x), .decimal(let y)): decimal(function, x, y)
    case (.date(let x), .double(let y)):
      date(double(function, x.timeIntervalSinceReferenceDate, y))
    case (.date(let x), .date(let y)) where function == .subtract:
      double(
        function, x.timeIntervalSinceReferenceDate, y.timeIntervalSinceReferenceDate)
    default: .null
    }
  }

  private static func integer(_ function: FetchFunction, _ x: Int64, _ y: Int64) -> PropertyValue {
    let (number, overflow) =
      switch function {
      case .add: x.addingReportingOverflow(y)
      case .subtract: x.subtractingReportingOverflow(y)
      case .multiply: x.multipliedReportingOverflow(by: y)
      case .divide: x.dividedReportingOverflow(by: y)
      // The greatest divisor below zero leaves nothing, also where the quotient is too great.
      case .remainder: y == -1 ? (0, false) : x.remainderReportingOverflow(dividingBy: y)
      default: (Int64(0), true)
      }
    return overflow ? .null : .integer(number)
  }

  private static func double(_ function: FetchFunction, _ x: Double, _ y: Double) -> PropertyValue {
    switch function {
    case .add: number(x + y)
    case .subtract: number(x - y)
    case .multiply: number(x * y)
    case .divide: y == 0 ? .null : number(x / y)
    default: .null
    }
  }

  private static func decimal(_ function: FetchFunction, _ x: Decimal, _ y: Decimal)
    -> PropertyValue
  {
    if x.isNaN || y.isNaN { return .null }
    let (a, b) = (DecimalParts(x), DecimalParts(y))
    return switch function {
    case .add: number(a.adding(b))
    case .subtract: number(a.subtracting(b))
    case .multiply: number(a.multiplied(by: b))
    case .divide: number(a.divided(by: b))
    case .remainder: number(a.remainder(dividingBy: b))
    default: .null
    }
  }

  // MARK: One argument

  private static func convert(_ function: FetchFunction, _ value: PropertyValue) -> PropertyValue {
    switch function {
    case .negate, .absolute, .floor, .ceiling, .truncate, .squareRoot: round(function, value)
    case .toInteger: integer(of: value)
    case .toDouble: double(of: value)
    case .toDecimal: decimal(of: value)
    case .toString: string(of: value)
    case .toDate: date(value)
    default: text(function, value)
    }
  }

  private static func round(_ function: FetchFunction, _ value: PropertyValue) -> PropertyValue {
    switch (function, value) {
    case (.negate, .integer(let x)): integer(.subtract, 0, x)
    case (.negate, .double(let x)): number(-x)
    case (.negate, .decimal(let x)): number(x.isNaN ? nil : DecimalParts(x).negated)
    case (.absolute, .integer(let x)): x < 0 ? integer(.subtract, 0, x) : value
    case (.absolute, .double(let x)): number(abs(x))
    case (.absolute, .decimal(let x)): number(x.isNaN ? nil : DecimalParts(x).absolute)
    case (.floor, .double(let x)): number(x.rounded(.down))
    case (.ceiling, .double(let x)): number(x.rounded(.up))
    case (.truncate, .double(let x)): number(x.rounded(.towardZero))
    case (.floor, .decimal(let x)): number(x.isNaN ? nil : DecimalParts(x).rounded(.down))
    case (.ceiling, .decimal(let x)): number(x.isNaN ? nil : DecimalParts(x).rounded(.up))
    case (.truncate, .decimal(let x)):
      number(x.isNaN ? nil : DecimalParts(x).rounded(.towardZero))
    case (.floor, .integer), (.ceiling, .integer), (.truncate, .integer): value
    case (.squareRoot, .double(let x)): number(x.squareRoot())
    default: .null
    }
  }

  private static func text(_ function: FetchFunction, _ value: PropertyValue) -> PropertyValue {
    guard case .string(let text) = value else { return .null }
    switch function {
    case .lowercased: return .string(text.lowercased())
    case .uppercased: return .string(text.uppercased())
    case .length: return .integer(Int64(text.count))
    case .foldCase: return folded(text, .caseInsensitive)
    case .foldDiacritics: return folded(text, .diacriticInsensitive)
    case .fold: return folded(text, [.caseInsensitive, .diacriticInsensitive])
    default: return .null
    }
  }

  private static func folded(_ text: String, _ options: FetchPredicate.TextOptions) -> PropertyValue
  {
    .string(String(decoding: TextFolding(options).folded(text), as: UTF8.self))
  }

  // MARK: Types

  private static func integer(of value: PropertyValue) -> PropertyValue {
    switch value {
    case .integer: value
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .double(let x): Int64(exactly: x.rounded(.towardZero)).map { .integer($0) } ?? .null
    case .decimal(let x):
      x.isNaN
        ? .null
        : DecimalText.scaled(DecimalParts(x).rounded(.towardZero).decimal, by: 0).map {
          .integer($0)
        } ?? .null
    case .string(let text):
      Int64(written: text).map { .integer($0) }
        ?? DecimalText.written(text).map { integer(of: .decimal($0)) } ?? .null
    default: .null
    }
  }

  private static func double(of value: PropertyValue) -> PropertyValue {
    switch value {
    case .double: value
    case .integer(let x): .double(Double(x))
    case .boolean(let flag): .double(flag ? 1 : 0)
    case .decimal(let x): Double(DecimalText.string(x)).map { number($0) } ?? .null
    case .date(let date): number(date.timeIntervalSinceReferenceDate)
    case .string(let text): isNumber(text) ? Double(text).map { number($0) } ?? .null : .null
    default: .null
    }
  }

  /// Whether a text has only what numbers are written with. `Double` also reads "nan", "inf" and
  /// hexadecimal numbers.
  private static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { "+-.eE0123456789".utf8.contains($0) }
  }

  private static func decimal(of value: PropertyValue) -> PropertyValue {
    switch value {
    case .decimal: value
    case .integer(let x): .decimal(Decimal(x))
    case .boolean(let flag): .decimal(flag ? 1 : 0)
    case .double(let x): DecimalLiteral("\(x)")?.decimal.map { number($0) } ?? .null
    case .string(let text): DecimalText.written(text).map { number($0) } ?? .null
    default: .null
    }
  }

  private static func string(of value: PropertyValue) -> PropertyValue {
    switch value {
    case .string: value
    case .integer(let x): .string(String(x))
    case .boolean(let flag): .string(flag ? "true" : "false")
    case .double(let x): .string("\(x)")
    case .decimal(let x): .string(DecimalText.string(x))
    case .uuid(let uuid): .string(uuid.uuidString)
    case .uri(let url): .string(url.absoluteString)
    default: .null
    }
  }

  /// A double in seconds as a date.
  private static func date(_ value: PropertyValue) -> PropertyValue {
    guard case .double(let seconds) = value else { return .null }
    return .date(Date(timeIntervalSinceReferenceDate: seconds))
  }

  /// A double without NaN and without a negative zero, which stores do not have.
  private static func number(_ number: Double) -> PropertyValue {
    number.isNaN ? .null : .double(number + 0)
  }

  private static func number(_ number: Decimal) -> PropertyValue {
    number.isNaN ? .null : .decimal(number)
  }

  private static func number(_ number: DecimalParts?) -> PropertyValue {
    number.map { .decimal($0.decimal) } ?? .null
  }
}
