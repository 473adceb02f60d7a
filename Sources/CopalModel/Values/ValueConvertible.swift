public import CopalEssentials

/// A Swift type that an attribute can have.
///
/// The types of the model file conform to it: `Int16`, `Int32`, `Int64`, `Int`, `Float`, `Double`,
/// `Decimal`, `Bool`, `Date`, `Data`, `String`, `UUID` and `URL`. Other types are stored through a
/// transformer.
public protocol ValueConvertible: Sendable {
  /// The value as a ``PropertyValue``.
  var value: PropertyValue { get }

  /// The Swift value of a ``PropertyValue``; nil when it has another kind or the number does not
  /// fit.
  init?(value: PropertyValue)
}

extension Int64: ValueConvertible {
  /// The value as `.integer`.
  @inlinable public var value: PropertyValue { .integer(self) }
  /// The content of a `.integer`; nil for another kind.
  @inlinable public init?(value: PropertyValue) {
    guard case .integer(let number) = value else { return nil }
    self = number
  }
}

extension Int32: ValueConvertible {
  /// The value as `.integer`.
  @inlinable public var value: PropertyValue { .integer(Int64(self)) }
  /// The content of a `.integer`; nil for another kind, and for a number that does not fit.
  @inlinable public init?(value: PropertyValue) {
    guard case .integer(let number) = value else { return nil }
    self.init(exactly: number)
  }
}

extension Int16: ValueConvertible {
  /// The value as `.integer`.
  @inlinable public var value: PropertyValue { .integer(Int64(self)) }
  /// The content of a `.integer`; nil for another kind, and for a number that does not fit.
  @inlinable public init?(value: PropertyValue) {
    guard case .integer(let number) = value else { return nil }
    self.init(exactly: number)
  }
}

extension Int: ValueConvertible {
  /// The value as `.integer`.
  @inlinable public var value: PropertyValue { .integer(Int64(self)) }
  /// The content of a `.integer`; nil for another kind, and for a number that does not fit.
  @inlinable public init?(value: PropertyValue) {
    guard case .integer(let number) = value else { return nil }
    self.init(exactly: number)
  }
}

extension Double: ValueConvertible {
  /// The value as `.double`.
  @inlinable public var value: PropertyValue { .double(self) }
  /// The content of a `.double`; nil for another kind.
  @inlinable public init?(value: PropertyValue) {
    guard case .double(let number) = value else { return nil }
    self = number
  }
}

extension Float: ValueConvertible {
  /// The value as `.double`. The number is widened, which is exact.
  @inlinable public var value: PropertyValue { .double(Double(self)) }
  /// The content of a `.double`, rounded to the nearest float; nil for another kind.
  @inlinable public init?(value: PropertyValue) {
    guard case .double(let number) = value else { return nil }
    self = Float(number)
  }
}

extension Decimal: ValueConvertible {
  /// The value as `.decimal`.
  @inlinable public var value: PropertyValue { .decimal(self) }
  /// The content of a `.decimal`; nil for another kind.
  @inlinable public init?(value: PropertyValue) {
    guard case .decimal(let number) = value else { return nil }
    self = number
  }
}

extension Bool: ValueConvertible {
  /// The value as `.boolean`.
  @inlinable public var value: PropertyValue { .boolean(self) }
  /// The content of a `.boolean`; nil for another kind.
  @inlinable public init?(value: PropertyValue) {
    guard case .boolean(let flag) = value else { return nil }
    self = flag
  }
}

extension Date: ValueConvertible {
  /// The value as `.date`.
  @inlinable public var value: PropertyValue { .date(self) }
  /// The content of a `.date`; nil for another kind.
  @inlinable public init?(value: PropertyValue) {
    guard case .date(let date) = value else { return nil }
    self = date
  }
}

extension Data: ValueConvertible {
  /// The value as `.binary`.
  @inlinable public var value: PropertyValue { .binary(self) }
  /// The content of a `.binary`; nil for another kind.
  @inlinable public init?(value: PropertyValue) {
    guard case .binary(let data) = value else { return nil }
    self = data
  }
}

extension String: ValueConvertible {
  /// The value as `.string`.
  @inlinable public var value: PropertyValue { .string(self) }
  /// The content of a `.string`; nil for another kind.
  @inlinable public init?(value: PropertyValue) {
    guard case .string(let text) = value else { return nil }
    self = text
  }
}

extension UUID: ValueConvertible {
  /// The value as `.uuid`.
  @inlinable public var value: PropertyValue { .uuid(self) }
  /// The content of a `.uuid`; nil for another kind.
  @inlinable public init?(value: PropertyValue) {
    guard case .uuid(let uuid) = value else { return nil }
    self = uuid
  }
}

extension URL: ValueConvertible {
  /// The value as `.uri`.
  @inlinable public var value: PropertyValue { .uri(self) }
  /// The content of a `.uri`; nil for another kind.
  @inlinable public init?(value: PropertyValue) {
    guard case .uri(let url) = value else { return nil }
    self = url
  }
}
