public import CopalEssentials
public import CopalObjects

/// A raw value that a column can hold: texts, integers, numbers and bytes.
///
/// `String`, `Data`, `Double`, `Float` and the integer types of Swift up to 64 bits conform to it.
/// Conform a type of your own to use it as the raw value of a ``RawValueTransformer``.
public protocol StorableRawValue {
  /// The stored form: `Data` (a BLOB), `String` (TEXT), `Int64` (INTEGER) or `Double` (REAL).
  associatedtype Stored: TransformerStorage
  /// The stored form of the raw value.
  var stored: Stored { get }
  /// The raw value of a stored form; nil when the type has no such value.
  init?(stored: Stored)
}

extension String: StorableRawValue {
  /// The text itself.
  public var stored: String { self }
  /// The text itself.
  public init?(stored: String) { self = stored }
}

extension Data: StorableRawValue {
  /// The bytes themselves.
  public var stored: Data { self }
  /// The bytes themselves.
  public init?(stored: Data) { self = stored }
}

extension Double: StorableRawValue {
  /// The number itself.
  public var stored: Double { self }
  /// The number itself.
  public init?(stored: Double) { self = stored }
}

extension Float: StorableRawValue {
  /// The number in 64 bits, without a loss.
  public var stored: Double { Double(self) }
  /// The number in 32 bits; nil when 32 bits cannot express it.
  public init?(stored: Double) {
    if stored.isNaN { self = .nan } else { self.init(exactly: stored) }
  }
}

extension FixedWidthInteger where Self: StorableRawValue, Stored == Int64 {
  /// The integer in 64 bits. For an unsigned integer of 64 bits, the integer with the same bits:
  /// above `Int64.max` it is negative.
  public var stored: Int64 { Int64(truncatingIfNeeded: self) }

  /// The integer; nil when it does not fit.
  public init?(stored: Int64) {
    if Self.bitWidth == 64 {
      self.init(truncatingIfNeeded: stored)
    } else {
      self.init(exactly: stored)
    }
  }
}

extension Int: StorableRawValue { public typealias Stored = Int64 }
extension Int8: StorableRawValue { public typealias Stored = Int64 }
extension Int16: StorableRawValue { public typealias Stored = Int64 }
extension Int32: StorableRawValue { public typealias Stored = Int64 }
extension Int64: StorableRawValue { public typealias Stored = Int64 }
extension UInt: StorableRawValue { public typealias Stored = Int64 }
extension UInt8: StorableRawValue { public typealias Stored = Int64 }
extension UInt16: StorableRawValue { public typealias Stored = Int64 }
extension UInt32: StorableRawValue { public typealias Stored = Int64 }
extension UInt64: StorableRawValue { public typealias Stored = Int64 }
