import CopalEssentials
import CopalModel
import CopalStore

/// The rule for the value of a slot when its object is saved.
struct SlotRule: Sendable {
  let slot: Int
  private let type: AttributeType
  private let isRequired: Bool
  private let rules: AttributeDescription.Rules
  private let pattern: TextPattern?
  private let scale: Int?

  /// The rule of a slot; nil when every value is valid.
  init?(_ slot: Int, _ attribute: AttributeDescription) {
    self.slot = slot
    type = attribute.type
    // A transient is not stored, so it may be nil.
    isRequired = !attribute.isOptional && !attribute.isTransient
    rules = attribute.rules
    // The pattern was checked when the model was read.
    pattern = attribute.rules.pattern.flatMap { try? TextPattern($0) }
    scale = attribute.scale
    let canBeNoNumber: Bool
    switch attribute.type {
    case .float, .double, .date, .decimal: canBeNoNumber = true
    default: canBeNoNumber = false
    }
    if !isRequired, rules.isEmpty, !canBeNoNumber { return nil }
  }

  /// The rule as a ``PresenceRule``; nil when it checks more than presence.
  var presenceRule: PresenceRule? {
    guard rules.isEmpty, type != .decimal, type != .transformable else { return nil }
    return PresenceRule(slot: slot, isRequired: isRequired)
  }

  /// A violated rule: its code, what was found, and what was expected.
  struct Failure {
    var code: PersistenceError.Code
    var found: String?
    var expected: String?
  }

  /// The failure of a value; nil for a valid value.
  @inline(__always)
  func failure(_ value: PropertyValue) -> Failure? {
    if case .null = value { return isRequired ? Failure(code: .required) : nil }
    if type == .transformable || (rules.isEmpty && scale == nil && isNumber(value)) { return nil }
    return carefulFailure(value)
  }

  private func isNumber(_ value: PropertyValue) -> Bool {
    switch value {
    case .double(let number): !number.isNaN
    case .date(let date): !date.timeIntervalSinceReferenceDate.isNaN
    case .decimal(let number): !number.isNaN
    default: true
    }
  }

  private func carefulFailure(_ value: PropertyValue) -> Failure? {
    guard isNumber(value) else { return Failure(code: .notANumber) }
    if let scale, case .decimal(let number) = value,
      DecimalText.scaled(number, by: scale) == nil
    {
      return Failure(code: .scaleExceeded, expected: "\(scale)")
    }
    if let minimum = rules.minimum, ValueOrder.compare(value, .less, minimum) {
      return Failure(code: .belowMinimum, expected: minimum.literal)
    }
    if let maximum = rules.maximum, ValueOrder.compare(value, .greater, maximum) {
      return Failure(code: .aboveMaximum, expected: maximum.literal)
    }
    return lengthFailure(value) ?? patternFailure(value)
  }

  private func lengthFailure(_ value: PropertyValue) -> Failure? {
    if rules.minimumLength == nil, rules.maximumLength == nil { return nil }
    let (length, unit): (Int, String)
    switch value {
    case .string(let text): (length, unit) = (text.count, "character")
    case .binary(let data): (length, unit) = (data.count, "byte")
    default: return nil
    }
    if let minimum = rules.minimumLength, length < minimum {
      return Failure(code: .tooShort, found: length.counted(unit), expected: "\(minimum)")
    }
    if let maximum = rules.maximumLength, length > maximum {
      return Failure(code: .tooLong, found: length.counted(unit), expected: "\(maximum)")
    }
    return nil
  }

  private func patternFailure(_ value: PropertyValue) -> Failure? {
    guard let pattern, case .string(let text) = value, !pattern.matches(text) else { return nil }
    return Failure(code: .patternMismatch, expected: pattern.text)
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

/// The rule that a value is present, and is not NaN. It is enough for most attributes, and needs no
/// copy of the value.
struct PresenceRule: Sendable {
  let slot: Int
  let isRequired: Bool

  @inline(__always)
  func failure(_ value: PropertyValue) -> PersistenceError.Code? {
    switch value {
    case .null: isRequired ? .required : nil
    case .double(let number): number.isNaN ? .notANumber : nil
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN ? .notANumber : nil
    default: nil
    }
  }
}
