import CopalEssentials
package import CopalModel
import CopalPatterns

/// The rule for the value of a slot: what a save and a batch check.
package struct ValueRule: Sendable {
  package let slot: Int
  private let isRequired: Bool
  /// What the model says about a value; nil when it only has to be a number, or only to be present.
  private let limits: ValueLimits?
  /// Whether the failure depends on more than the presence of a value.
  package let looksAtValues: Bool

  /// The rule of a slot; nil when every value is valid.
  package init?(_ slot: Int, _ attribute: AttributeDescription) {
    self.slot = slot
    // A transient is not stored, so it may be nil.
    isRequired = !attribute.isOptional && !attribute.isTransient
    // A transformable has none.
    limits = attribute.type == .transformable ? nil : ValueLimits(attribute)
    let canBeNoNumber: Bool
    switch attribute.type {
    case .float, .double, .date, .decimal: canBeNoNumber = true
    default: canBeNoNumber = false
    }
    looksAtValues = limits != nil || canBeNoNumber
    if !isRequired, !looksAtValues { return nil }
  }

  /// Whether a value is valid without a look at its limits, as most values are.
  package func accepts(_ value: PropertyValue) -> Bool {
    switch value {
    case .null: !isRequired
    case .double(let number): !number.isNaN && limits == nil
    case .date(let date): !date.timeIntervalSinceReferenceDate.isNaN && limits == nil
    case .decimal(let number): !number.isNaN && limits == nil
    default: limits == nil
    }
  }

  /// A violated rule: its code, what was found, and what was expected.
  package struct Failure {
    package var code: PersistenceError.Code
    package var found: String?
    package var expected: String?
    package var suggestion: String?
  }

  /// The failure of a value; nil for a valid value.
  package func failure(_ value: PropertyValue) -> Failure? {
    switch value {
    case .null: return isRequired ? Failure(code: .required) : nil
    case .double(let number) where number.isNaN: return Failure(code: .notANumber)
    case .date(let date) where date.timeIntervalSinceReferenceDate.isNaN:
      return Failure(code: .notANumber)
    case .decimal(let number) where number.isNaN: return Failure(code: .notANumber)
    default: return limits?.failure(value)
    }
  }

  /// The stored values that are valid without a look at the model: for a check of many rows.
  package enum QuickTest {
    /// All of them.
    case all
    /// Integers in a range.
    case integers(from: Int64, to: Int64)
    /// Texts and blobs with so many bytes.
    case byteCounts(from: Int, to: Int)
    /// Numbers other than NaN.
    case numbers
    /// None: each has to be read.
    case none
  }

  /// Which stored values of an attribute are valid for sure.
  package func quickTest(_ attribute: AttributeDescription) -> QuickTest {
    limits?.quickTest(attribute.type) ?? (looksAtValues ? .numbers : .all)
  }

  /// The failure of a binary with a number of bytes, which need not be read; nil for a valid one.
  package func failure(byteCount: Int) -> Failure? {
    limits?.lengthFailure(byteCount, "byte")
  }
}

extension ContiguousArray<ValueRule> {
  /// Whether the values of all slots are valid without a look at their limits, as those of most new
  /// objects are.
  // The loop is here, where the compiler inlines `accepts`: a save asks it for each new object.
  package func accept(_ values: UnsafePointer<PropertyValue>) -> Bool {
    allSatisfy { $0.accepts(values[$0.slot]) }
  }
}

/// The limits of the model for the values of one attribute.
private final class ValueLimits: Sendable {
  private let rules: AttributeDescription.Rules
  private let pattern: TextPattern?
  private let scale: Int?
  private let cases: AttributeCases?

  /// The limits of an attribute; nil when it has none.
  init?(_ attribute: AttributeDescription) {
    if attribute.rules.isEmpty, attribute.scale == nil, attribute.cases == nil { return nil }
    rules = attribute.rules
    // The pattern was checked when the model was read.
    pattern = attribute.rules.pattern.flatMap { try? TextPattern($0) }
    scale = attribute.scale
    cases = attribute.cases.map(AttributeCases.init)
  }

  func quickTest(_ type: AttributeType) -> ValueRule.QuickTest {
    if cases != nil || pattern != nil || scale != nil { return .none }
    switch type {
    case .integer16, .integer32, .integer64, .integer:
      var (least, greatest) = (Int64.min, Int64.max)
      if case .integer(let number)? = rules.minimum { least = number }
      if case .integer(let number)? = rules.maximum { greatest = number }
      guard let range = type.integerRange else { return .none }
      return .integers(from: max(least, range.lowerBound), to: min(greatest, range.upperBound))
    // A text that is not empty has at least one character, and at most as many as bytes.
    case .string where rules.minimumLength ?? 0 <= 1, .binary:
      return .byteCounts(from: rules.minimumLength ?? 0, to: rules.maximumLength ?? .max)
    default: return .none
    }
  }

  func failure(_ value: PropertyValue) -> ValueRule.Failure? {
    if let scale, case .decimal(let number) = value,
      DecimalText.scaled(number, by: scale) == nil
    {
      return ValueRule.Failure(code: .scaleExceeded, expected: "\(scale)")
    }
    if let cases { return cases.failure(value) }
    if let minimum = rules.minimum, ValueOrder.compare(value, .less, minimum) {
      return ValueRule.Failure(code: .belowMinimum, expected: minimum.literal)
    }
    if let maximum = rules.maximum, ValueOrder.compare(value, .greater, maximum) {
      return ValueRule.Failure(code: .aboveMaximum, expected: maximum.literal)
    }
    return lengthFailure(value) ?? patternFailure(value)
  }

  private func lengthFailure(_ value: PropertyValue) -> ValueRule.Failure? {
    if rules.minimumLength == nil, rules.maximumLength == nil { return nil }
    return switch value {
    case .string(let text): lengthFailure(text.count, "character")
    case .binary(let data): lengthFailure(data.count, "byte")
    default: nil
    }
  }

  /// The failure of a length.
  func lengthFailure(_ length: Int, _ unit: String) -> ValueRule.Failure? {
    if let minimum = rules.minimumLength, length < minimum {
      return ValueRule.Failure(code: .tooShort, found: length.counted(unit), expected: "\(minimum)")
    }
    if let maximum = rules.maximumLength, length > maximum {
      return ValueRule.Failure(code: .tooLong, found: length.counted(unit), expected: "\(maximum)")
    }
    return nil
  }

  private func patternFailure(_ value: PropertyValue) -> ValueRule.Failure? {
    guard let pattern, case .string(let text) = value, !pattern.matches(text) else { return nil }
    return ValueRule.Failure(code: .patternMismatch, expected: pattern.text)
  }
}

/// The raw values of an attribute with cases.
private struct AttributeCases {
  private let cases: [AttributeCase]
  private let rawValues: Set<PropertyValue>

  init(_ cases: [AttributeCase]) {
    self.cases = cases
    rawValues = Set(cases.map(\.rawValue))
  }

  func failure(_ value: PropertyValue) -> ValueRule.Failure? {
    if rawValues.contains(value) { return nil }
    let found = value.shownCase
    let known = cases.map(\.rawValue.shownCase)
    return ValueRule.Failure(
      code: .unrecognizedCase, expected: known.joined(separator: ", "),
      suggestion: NearestName.of(found, among: known))
  }
}

extension PropertyValue {
  /// A limit of the model as a literal. Only for values of the model, not of users.
  var literal: String {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): DecimalText.string(number)
    case .date(let date): DateText.text(for: date) ?? kind
    default: kind
    }
  }
}
