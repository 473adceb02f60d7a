public import Foundation

/// A Swift type that an attribute can have.
///
/// Copal's own conformances are the types of the model file: `Int16`, `Int32`, `Int64`, `Int`,
/// `Float`, `Double`, `Decimal`, `Bool`, `Date`, `Data`, `String`, `UUID` and `URL`. Other types are
/// stored through a transformer.
public protocol ValueConvertible: Sendable {
  /// The value to store.
  var value: PropertyValue { get }

  /// Makes the Swift value from a stored one; `nil` when the kind differs or the number does not fit.
  init?(value: PropertyValue)
}

extension Int64: ValueConvertible {
  @inlinable public var value: PropertyValue { .integer(self) }
  @inlinable public init?(value: PropertyValue) {
    guard case .integer(let number) = value else { return nil }
    self = number
  }
}

extension Int32: ValueConvertible {
  @inlinable public var value: PropertyValue { .integer(Int64(self)) }
  @inlinable public init?(value: PropertyValue) {
    guard case .integer(let number) = value else { return nil }
    self.init(exactly: number)
  }
}

extension Int16: ValueConvertible {
  @inlinable public var value: PropertyValue { .integer(Int64(self)) }
  @inlinable public init?(value: PropertyValue) {
    guard case .integer(let number) = value else { return nil }
    self.init(exactly: number)
  }
}

extension Int: ValueConvertible {
  @inlinable public var value: PropertyValue { .integer(Int64(self)) }
  @inlinable public init?(value: PropertyValue) {
    guard case .integer(let number) = value else { return nil }
    self.init(exactly: number)
  }
}

extension Double: ValueConvertible {
  @inlinable public var value: PropertyValue { .double(self) }
  @inlinable public init?(value: PropertyValue) {
    guard case .double(let number) = value else { return nil }
    self = number
  }
}

extension Float: ValueConvertible {
  @inlinable public var value: PropertyValue { .double(Double(self)) }
  @inlinable public init?(value: PropertyValue) {
    guard case .double(let number) = value else { return nil }
    self = Float(number)
  }
}

extension Decimal: ValueConvertible {
  @inlinable public var value: PropertyValue { .decimal(self) }
  @inlinable public init?(value: PropertyValue) {
    guard case .decimal(let number) = value else { return nil }
    self = number
  }
}

extension Bool: ValueConvertible {
  @inlinable public var value: PropertyValue { .boolean(self) }
  @inlinable public init?(value: PropertyValue) {
    guard case .boolean(let flag) = value else { return nil }
    self = flag
  }
}

extension Date: ValueConvertible {
  @inlinable public var value: PropertyValue { .date(self) }
  @inlinable public init?(value: PropertyValue) {
    guard case .date(let date) = value else { return nil }
    self = date
  }
}

extension Data: ValueConvertible {
  @inlinable public var value: PropertyValue { .binary(self) }
  @inlinable public init?(value: PropertyValue) {
    guard case .binary(let data) = value else { return nil }
    self = data
  }
}

extension String: ValueConvertible {
  @inlinable public var value: PropertyValue { .string(self) }
  @inlinable public init?(value: PropertyValue) {
    guard case .string(let text) = value else { return nil }
    self = text
  }
}

extension UUID: ValueConvertible {
  @inlinable public var value: PropertyValue { .uuid(self) }
  @inlinable public init?(value: PropertyValue) {
    guard case .uuid(let uuid) = value else { return nil }
    self = uuid
  }
}

extension URL: ValueConvertible {
  @inlinable public var value: PropertyValue { .uri(self) }
  @inlinable public init?(value: PropertyValue) {
    guard case .uri(let url) = value else { return nil }
    self = url
  }
}
