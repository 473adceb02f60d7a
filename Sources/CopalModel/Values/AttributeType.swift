/// The type of an attribute. The raw value is its name in the model file.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
  /// A whole number of 16, 32 or 64 bits: `Int16`, `Int32` or `Int64`.
  case integer16, integer32, integer64
  /// Swift's `Int`; 64 bits in the store.
  case integer
  /// A floating-point number: `Float` or `Double`. A store keeps both as a 64-bit double, which is
  /// exact.
  case float, double
  /// Foundation's `Decimal`: exact to 38 digits.
  case decimal
  /// `Bool`; stored as 0 or 1.
  case boolean
  /// Foundation's `Date`: seconds since 2001-01-01T00:00:00Z.
  case date
  /// Foundation's `Data`.
  case binary
  /// `String`, compared by its UTF-8 bytes.
  case string
  /// Foundation's `UUID`; stored as 16 bytes.
  case uuid
  /// Foundation's `URL`; stored as its text.
  case uri
  /// A value of any Swift type. The transformer of the given name encodes and decodes it.
  case transformable

  /// The name of the Swift type of the generated property; nil for a transformable, which has the
  /// type of ``AttributeDescription/customClass``.
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

  /// The numbers that an integer attribute can hold; nil for other types.
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
  /// True for transformables and uris: a value that cannot be read is nil, and these types have no
  /// zero value to use instead. An attribute with a ``AttributeDescription/placeholder`` is not.
  public var isAlwaysOptionalInSwift: Bool { self == .transformable || self == .uri }

  /// Whether an attribute of this type can have the value. `.null` is always accepted; a
  /// transformable accepts nothing else.
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

extension AttributeType {
  /// Whether the values are numbers.
  package var isNumber: Bool {
    integerRange != nil || self == .float || self == .double || self == .decimal
  }
}
