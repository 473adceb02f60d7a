import CopalEssentials
package import CopalModel

/// What a value becomes when its attribute has another type in a newer model.
///
/// A migration in place and a copy of objects both use it, so that they agree. A conversion is
/// exact for a value if the way back gives the value; for a date, a UUID and a URL, one with the
/// same meaning. A text is read as people write it, but only the text that Copal itself writes is
/// exact: `7` is, and `007` is only the nearest.
package struct ValueConversion: Sendable, Equatable {
  /// The type of an attribute, as far as a conversion depends on it.
  package struct Form: Sendable, Equatable {
    package let type: AttributeType
    /// The scale of a decimal that is kept as an integer.
    package let scale: Int?

    package init(_ type: AttributeType, scale: Int? = nil) {
      self.type = type
      self.scale = scale
    }
  }

  /// Which values a conversion takes.
  package enum Rule: String, Sendable, Hashable {
    /// Only those for which it is exact.
    case exact
    /// All of which the new type has a nearest value within its range; of two, the even one.
    case nearest
    /// A date as a number of seconds or milliseconds, and back: the nearest one.
    case secondsSince1970, secondsSince2001, millisecondsSince1970
  }

  package let old: Form
  package let new: Form
  package let rule: Rule

  package init(from old: Form, to new: Form, _ rule: Rule = .exact) {
    self.old = old
    self.new = new
    self.rule = rule
  }

  /// The new value, `.null` for `.null`; nil for a value that the conversion does not take.
  package func converted(_ value: PropertyValue) -> PropertyValue? {
    switch value {
    case .null: .null
    case .integer(let number): converted(number: .integer(number))
    case .double(let number): converted(number: .double(number))
    case .decimal(let number):
      number.isNaN ? nil : converted(number: .decimal(DecimalParts(number)))
    case .boolean(let flag):
      new.type == .string
        ? .string(flag ? "true" : "false") : converted(number: .integer(flag ? 1 : 0))
    case .date(let date): converted(date)
    case .string(let text): converted(text)
    case .binary(let data): converted(data)
    case .uuid(let uuid): converted(uuid)
    case .uri(let url):
      switch new.type {
      case .uri: value
      case .string: .string(url.absoluteString)
      default: nil
      }
    case .object: nil
    }
  }

  /// Whether a value that is not exact is taken.
  var takesNearest: Bool { rule != .exact }

  /// The fewest digits that give the double or the float; nil for an infinity.
  private func shortestText(_ number: Double) -> String? {
    guard number.isFinite else { return nil }
    return old.type == .float ? Float(number).description : number.description
  }
}

// MARK: Numbers

extension ValueConversion {
  /// A number of one of the old types.
  enum Number {
    case integer(Int64)
    /// A double or a float.
    case double(Double)
    case decimal(DecimalParts)
  }

  func converted(number: Number) -> PropertyValue? {
    switch new.type {
    case .integer16, .integer32, .integer64, .integer: integer(number)
    case .boolean:
      switch integer(number) {
      case .integer(0): .boolean(false)
      case .integer(1): .boolean(true)
      default: nil
      }
    case .float: float(number)
    case .double: double(number)
    case .decimal: new.scale.map { scaled(number, by: $0) } ?? decimal(number)
    case .string: text(of: number).map { .string($0) }
    case .date: date(number)
    case .binary, .uuid, .uri, .transformable: nil
    }
  }

  private func integer(_ number: Number) -> PropertyValue? {
    guard let (whole, isExact) = nearestInteger(number), isExact || takesNearest,
      new.type.integerRange?.contains(whole) ?? (0...1).contains(whole)
    else { return nil }
    return .integer(whole)
  }

  private func nearestInteger(_ number: Number) -> (Int64, isExact: Bool)? {
    switch number {
    case .integer(let number): return (number, true)
    case .double(let number):
      let whole = number.rounded(.toNearestOrEven)
      return Int64(exactly: whole).map { ($0, whole == number) }
    case .decimal(let parts): return parts.nearestInteger
    }
  }

  private func float(_ number: Number) -> PropertyValue? {
    switch number {
    case .integer(let number):
      let float = Float(number)
      return floating(Double(float), isExact: Int64(exactly: float) == number)
    case .double(let number):
      let float = Float(number)
      guard float.isFinite || !number.isFinite else { return nil }
      return floating(Double(float), isExact: Double(float) == number)
    case .decimal(let parts):
      guard let float = Float(DecimalText.string(parts.decimal)), float.isFinite else {
        return nil
      }
      return floating(Double(float), isExact: parts.isWritten("\(float)"))
    }
  }

  private func double(_ number: Number) -> PropertyValue? {
    switch number {
    case .integer(let number):
      return floating(Double(number), isExact: Int64(exactly: Double(number)) == number)
    case .double(let number): return floating(number, isExact: true)
    case .decimal(let parts):
      guard let double = Double(DecimalText.string(parts.decimal)), double.isFinite else {
        return nil
      }
      return floating(double, isExact: parts.isWritten("\(double)"))
    }
  }

  /// A double, without a negative zero, which stores do not have.
  private func floating(_ number: Double, isExact: Bool) -> PropertyValue? {
    isExact || takesNearest ? .double(number + 0) : nil
  }

  private func decimal(_ number: Number) -> PropertyValue? {
    switch number {
    case .integer(let number): return .decimal(DecimalParts(number).decimal)
    case .decimal(let parts): return .decimal(parts.shortest.decimal)
    case .double(let number):
      guard let literal = shortestText(number).flatMap({ DecimalLiteral($0) }) else { return nil }
      if let exact = literal.decimal { return .decimal(exact) }
      return takesNearest ? literal.nearestDecimal.map { .decimal($0) } : nil
    }
  }

  private func scaled(_ number: Number, by scale: Int) -> PropertyValue? {
    let parts: DecimalParts? =
      switch number {
      case .integer(let number): DecimalParts(number)
      case .decimal(let parts): parts
      case .double(let number): shortestText(number).flatMap({ DecimalLiteral($0) })?.parts
      }
    guard var parts else { return nil }
    parts.exponent += Int32(truncatingIfNeeded: scale)
    guard let (whole, isExact) = parts.nearestInteger, isExact || takesNearest else { return nil }
    return .decimal(DecimalText.decimal(scaled: whole, by: scale))
  }

  private func text(of number: Number) -> String? {
    switch number {
    case .integer(let number): number.description
    // Without a negative zero.
    case .double(let number): number == 0 ? "0.0" : shortestText(number)
    case .decimal(let parts): DecimalText.string(parts.decimal)
    }
  }
}

extension DecimalParts {
  /// The nearest 64-bit integer, of two the even one; nil beyond these integers.
  fileprivate var nearestInteger: (Int64, isExact: Bool)? {
    let whole = rounded(.toNearestOrEven)
    guard let number = whole.integer else { return nil }
    return (number, compare(with: whole) == 0)
  }

  /// A whole number as a 64-bit integer.
  private var integer: Int64? {
    var magnitude = mantissa
    if magnitude == 0 { return 0 }
    for _ in 0..<max(0, exponent) {
      guard magnitude <= UInt128(Int64.min.magnitude) else { return nil }
      magnitude *= 10
    }
    return Int128(exactly: magnitude).flatMap { Int64(exactly: isNegative ? -$0 : $0) }
  }

  /// Whether the number is that of a text.
  fileprivate func isWritten(_ text: String) -> Bool {
    DecimalLiteral(text)?.parts.map { compare(with: $0) == 0 } ?? false
  }
}

extension DecimalLiteral {
  /// The number with its own power of ten, which may be beyond those of decimals; nil for more than
  /// 38 digits.
  var parts: DecimalParts? {
    guard digits.count <= 38 else { return nil }
    return DecimalParts(
      mantissa: UInt128(written: digits) ?? 0, exponent: Int32(exponent), isNegative: isNegative)
  }

  /// The nearest decimal; nil beyond all decimals and for more than 38 digits.
  var nearestDecimal: Decimal? {
    guard let parts else { return nil }
    return DecimalParts.rounding(
      WideInteger(parts.mantissa), exponent: exponent, isNegative: isNegative)?.decimal
  }
}
