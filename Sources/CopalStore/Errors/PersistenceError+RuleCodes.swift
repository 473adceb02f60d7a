import CopalModel

/// Rules of the model for values: `ValueRule`.
extension PersistenceError.Code {
  /// A required attribute has no value.
  public static let required = Self("save.required") {
    "\($0.subject) is required and has no value; set it, or make it optional in the model"
  }
  /// A number or date is less than the attribute's minimum.
  public static let belowMinimum = Self("save.belowMinimum") {
    "\($0.subject) is below its minimum of \($0.expectedText); set a greater value"
  }
  /// A number or date is greater than the attribute's maximum.
  public static let aboveMaximum = Self("save.aboveMaximum") {
    "\($0.subject) is above its maximum of \($0.expectedText); set a smaller value"
  }
  /// A string or binary is shorter than the attribute's minimum length.
  public static let tooShort = Self("save.tooShort") {
    "\($0.subject) is too short: its length is \($0.foundText), and the minimum is \($0.expectedText); set a longer value"
  }
  /// A string or binary is longer than the attribute's maximum length.
  public static let tooLong = Self("save.tooLong") {
    "\($0.subject) is too long: its length is \($0.foundText), and the maximum is \($0.expectedText); shorten it"
  }
  /// A string does not match the attribute's pattern.
  public static let patternMismatch = Self("save.patternMismatch") {
    "\($0.subject) does not match the pattern /\($0.expectedText)/; set a value that matches it as a whole"
  }
  /// An attribute with cases was set to a raw value that none of them has.
  public static let unrecognizedCase = Self("save.unrecognizedCase") {
    "\($0.subject) has a raw value that none of its cases has; set one of \($0.expectedText)\($0.hint)"
  }
  /// A floating-point value is NaN, which a store cannot keep.
  public static let notANumber = Self("save.notANumber") {
    "\($0.subject) is NaN, which a database would store as NULL; set a number, or nil where the attribute is optional"
  }
  /// A decimal has more decimal places, or is larger, than the attribute's scale allows.
  public static let scaleExceeded = Self("save.scaleExceeded") {
    "\($0.subject) does not fit its scale of \($0.expectedText): it has more decimal places, or is too large for 64 bits; round it before you set it"
  }
}
