/// The type of an attribute, as the model file writes it.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
  case integer16, integer32, integer64
  /// Swift's `Int`; 64 bits in the store.
  case integer
  case float, double
  /// Foundation's `Decimal`: exact, 38 digits.
  case decimal
  case boolean
  /// Foundation's `Date`: seconds since 2001-01-01T00:00:00Z.
  case date
  case binary, string, uuid, uri
  /// A value of any Swift type that a named transformer turns into a stored form.
  case transformable

  /// The Swift type of the generated property; `nil` for a transformable, whose class the model names.
  public var swiftType: String? {
    switch self {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int64"
    case .integer: "Int"
    case .float: "Float"
    case .double: "Double"
    case .decimal: "Decimal"
    case .boolean: "Bool"
    case .date: "Date"
    case .binary: "Data"
    case .string: "String"
    case .uuid: "UUID"
    case .uri: "URL"
    case .transformable: nil
    }
  }

  /// Whether the Swift type is Foundation's, so that generated code imports it.
  public var needsFoundation: Bool {
    switch self {
    case .decimal, .date, .binary, .uuid, .uri: true
    default: false
    }
  }

  /// The numbers an integer attribute can hold; `nil` for other types.
  public var integerRange: ClosedRange<Int64>? {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64, .integer: Int64.min...Int64.max
    default: nil
    }
  }

  /// Whether a property of this type is Optional in Swift even when the attribute is required.
  ///
  /// A value that cannot be decoded reads as `nil`, and these two types have no zero to stand for it.
  public var isAlwaysOptionalInSwift: Bool { self == .transformable || self == .uri }

  /// The kind of `PropertyValue` an attribute of this type takes; transformables take their encoded form.
  public func accepts(_ value: PropertyValue) -> Bool {
    switch (self, value) {
    case (_, .null): true
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
      (.integer64, .integer(let number)), (.integer, .integer(let number)):
      integerRange?.contains(number) ?? false
    case (.float, .double(let number)): Double(Float(number)) == number || !number.isFinite
    case (.double, .double), (.decimal, .decimal), (.boolean, .boolean), (.date, .date),
      (.binary, .binary), (.string, .string), (.uuid, .uuid), (.uri, .uri):
      true
    default: false
    }
  }
}
