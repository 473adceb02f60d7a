public import CopalModel
public import Foundation

/// A Swift type that is read straight from a packed row: the type of a generated property.
///
/// Conformed to by Copal's own attribute types only.
public protocol AttributeValue: ValueConvertible {
  /// What a required attribute without a value reads as.
  static var zero: Self { get }

  /// The value at a slot that holds this type's storage class and is not NULL. A NULL reads as `zero`.
  ///
  /// - Returns: `nil` when the bytes do not mean a value of this type.
  static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Self?
}

extension Int64: AttributeValue {
  @inlinable public static var zero: Int64 { 0 }
  @inlinable @inline(__always)
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Int64? {
    PackedRowValues.integer(base, slot)
  }
}

extension Int32: AttributeValue {
  @inlinable public static var zero: Int32 { 0 }
  @inlinable @inline(__always)
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Int32? {
    Int32(exactly: PackedRowValues.integer(base, slot))
  }
}

extension Int16: AttributeValue {
  @inlinable public static var zero: Int16 { 0 }
  @inlinable @inline(__always)
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Int16? {
    Int16(exactly: PackedRowValues.integer(base, slot))
  }
}

extension Int: AttributeValue {
  @inlinable public static var zero: Int { 0 }
  @inlinable @inline(__always)
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Int? {
    Int(exactly: PackedRowValues.integer(base, slot))
  }
}

extension Double: AttributeValue {
  @inlinable public static var zero: Double { 0 }
  @inlinable @inline(__always)
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Double? {
    PackedRowValues.real(base, slot)
  }
}

extension Float: AttributeValue {
  @inlinable public static var zero: Float { 0 }
  @inlinable @inline(__always)
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Float? {
    Float(PackedRowValues.real(base, slot))
  }
}

extension Bool: AttributeValue {
  @inlinable public static var zero: Bool { false }
  @inlinable @inline(__always)
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Bool? {
    PackedRowValues.integer(base, slot) != 0
  }
}

extension Date: AttributeValue {
  @inlinable public static var zero: Date { Date(timeIntervalSinceReferenceDate: 0) }
  @inlinable @inline(__always)
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Date? {
    Date(timeIntervalSinceReferenceDate: PackedRowValues.real(base, slot))
  }
}

extension String: AttributeValue {
  @inlinable public static var zero: String { "" }
  @inlinable @inline(__always)
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> String? {
    PackedRowValues.text(base, slot)
  }
}

extension Data: AttributeValue {
  @inlinable public static var zero: Data { Data() }
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Data? {
    let bytes = PackedRowValues.bytes(base, slot)
    // By address and count: a tenth cheaper than as a sequence.
    return Data(bytes: bytes.baseAddress.unsafelyUnwrapped, count: bytes.count)
  }
}

extension Decimal: AttributeValue {
  @inlinable public static var zero: Decimal { 0 }
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Decimal? {
    let text = PackedRowValues.bytes(base, slot)
    return text.isEmpty ? 0 : DecimalText.parse(text)
  }
}

extension UUID: AttributeValue {
  @inlinable public static var zero: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> UUID? {
    let bytes = PackedRowValues.bytes(base, slot)
    if bytes.isEmpty { return zero }
    guard bytes.count == 16 else { return nil }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}

extension URL: AttributeValue {
  /// Never read: a uri's property is Optional, because no URL stands for "none".
  public static var zero: URL { URL(filePath: "/") }
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> URL? {
    let text = PackedRowValues.text(base, slot)
    // Foundation mends what is no URL, by encoding a space, say; that would be another one than is stored.
    guard let url = URL(string: text), url.absoluteString.utf8.elementsEqual(text.utf8) else {
      return nil
    }
    return url
  }
}
