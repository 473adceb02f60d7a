public import CopalEssentials
public import CopalModel

/// A Swift type that is read directly from a packed row: the type of a generated property.
///
/// Only Copal's own attribute types conform to it.
public protocol AttributeValue: ValueConvertible {
  /// The value of a required attribute that has no value: zero, false, empty or the reference date.
  static var zero: Self { get }

  /// The value at a slot of a row; ``zero`` where the slot is null.
  ///
  /// The slot must have the storage type of this type. Nothing checks it.
  ///
  /// - Returns: nil when the stored bytes are not a value of this type.
  static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Self?
}

extension Int64: AttributeValue {
  /// 0.
  @inlinable public static var zero: Int64 { 0 }
  /// The stored number.
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Int64? {
    PackedRowValues.integer(base, slot)
  }
}

extension Int32: AttributeValue {
  /// 0.
  @inlinable public static var zero: Int32 { 0 }
  /// The stored number; nil when it has more than 32 bits.
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Int32? {
    Int32(exactly: PackedRowValues.integer(base, slot))
  }
}

extension Int16: AttributeValue {
  /// 0.
  @inlinable public static var zero: Int16 { 0 }
  /// The stored number; nil when it has more than 16 bits.
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Int16? {
    Int16(exactly: PackedRowValues.integer(base, slot))
  }
}

extension Int: AttributeValue {
  /// 0.
  @inlinable public static var zero: Int { 0 }
  /// The stored number; nil when it does not fit into an `Int`.
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Int? {
    Int(exactly: PackedRowValues.integer(base, slot))
  }
}

extension Double: AttributeValue {
  /// 0.
  @inlinable public static var zero: Double { 0 }
  /// The stored number.
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Double? {
    PackedRowValues.real(base, slot)
  }
}

extension Float: AttributeValue {
  /// 0.
  @inlinable public static var zero: Float { 0 }
  /// The stored number, rounded to the nearest float.
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Float? {
    Float(PackedRowValues.real(base, slot))
  }
}

extension Bool: AttributeValue {
  /// False.
  @inlinable public static var zero: Bool { false }
  /// False for a stored 0, else true.
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Bool? {
    PackedRowValues.integer(base, slot) != 0
  }
}

extension Date: AttributeValue {
  /// The reference date, 2001-01-01T00:00:00Z.
  @inlinable public static var zero: Date { Date(timeIntervalSinceReferenceDate: 0) }
  /// The date at the stored number of seconds after the reference date.
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Date? {
    Date(storedSeconds: PackedRowValues.real(base, slot))
  }
}

extension String: AttributeValue {
  /// The empty string.
  @inlinable public static var zero: String { "" }
  /// The stored text.
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> String? {
    PackedRowValues.text(base, slot)
  }
}

extension Data: AttributeValue {
  /// Empty data.
  @inlinable public static var zero: Data { Data() }
  /// A copy of the stored bytes.
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Data? {
    let bytes = PackedRowValues.bytes(base, slot)
    // Made from address and count, because that takes 10 % less than from a sequence.
    return Data(bytes: bytes.baseAddress.unsafelyUnwrapped, count: bytes.count)
  }
}

extension Decimal: AttributeValue {
  /// 0.
  @inlinable public static var zero: Decimal { 0 }
  /// The decimal of the stored text, 0 for an empty one; nil when the text is not a decimal.
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Decimal? {
    let text = PackedRowValues.bytes(base, slot)
    return text.isEmpty ? 0 : DecimalText.parse(text)
  }
}

extension UUID: AttributeValue {
  /// The uuid of 16 zero bytes.
  @inlinable public static var zero: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  /// The uuid of the 16 stored bytes, ``zero`` for none; nil for another number of bytes.
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> UUID? {
    let bytes = PackedRowValues.bytes(base, slot)
    if bytes.isEmpty { return zero }
    guard bytes.count == 16 else { return nil }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}

extension URL: AttributeValue {
  /// Not used: the property of a uri is Optional or has a placeholder, because no URL means "none".
  public static var zero: URL { URL(filePath: "/") }
  /// The URL of the stored text; nil when Foundation does not read the text as a URL, or changes
  /// it.
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> URL? {
    let text = PackedRowValues.text(base, slot)
    // Foundation repairs an invalid URL, for example by encoding a space. The result would differ
    // from the stored text.
    guard let url = URL(string: text), url.absoluteString.utf8.elementsEqual(text.utf8) else {
      return nil
    }
    return url
  }
}
