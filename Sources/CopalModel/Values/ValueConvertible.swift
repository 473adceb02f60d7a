public import Foundation

/// A Swift type that an attribute can have.
///
/// Copal's own conformances are the types of the model file: `Int16`, `Int32`, `Int64`, `Int`,
/// `Float`, `Double`, `Decimal`, `Bool`, `Date`, `Data`, `String`, `UUID` and `URL`. Other types are
/// stored through a transformer.
public protocol ValueConvertible: Sendable {
  /// The value to store.
  var value: Value { get }

  /// Makes the Swift value from a stored one; `nil` when the kind differs or the number does not fit.
  init?(value: Value)
}

extension Int64: ValueConvertible {
  @inlinable public var value: Value { .integer(self) }
  @inlinable public init?(value: Value) {
    guard case .integer(let number) = value else { return nil }
    self = number
  }
}

extension Int32: ValueConvertible {
  @inlinable public var value: Value { .integer(Int64(self)) }
  @inlinable public init?(value: Value) {
    guard case .integer(let number) = value else { return nil }
    self.init(exactly: number)
  }
}

extension Int16: ValueConvertible {
  @inlinable public var value: Value { .integer(Int64(self)) }
  @inlinable public init?(value: Value) {
    guard case .integer(let number) = value else { return nil }
    self.init(exactly: number)
  }
}

extension Int: ValueConvertible {
  @inlinable public var value: Value { .integer(Int64(self)) }
  @inlinable public init?(value: Value) {
    guard case .integer(let number) = value else { return nil }
    self.init(exactly: number)
  }
}

extension Double: ValueConvertible {
  @inlinable public var value: Value { .double(self) }
  @inlinable public init?(value: Value) {
    guard case .double(let number) = value else { return nil }
    self = number
  }
}

extension Float: ValueConvertible {
  @inlinable public var value: Value { .double(Double(self)) }
  @inlinable public init?(value: Value) {
    guard case .double(let number) = value else { return nil }
    self = Float(number)
  }
}

extension Decimal: ValueConvertible {
  @inlinable public var value: Value { .decimal(self) }
  @inlinable public init?(value: Value) {
    guard case .decimal(let number) = value else { return nil }
    self = number
  }
}

extension Bool: ValueConvertible {
  @inlinable public var value: Value { .boolean(self) }
  @inlinable public init?(value: Value) {
    guard case .boolean(let flag) = value else { return nil }
    self = flag
  }
}

extension Date: ValueConvertible {
  @inlinable public var value: Value { .date(self) }
  @inlinable public init?(value: Value) {
    guard case .date(let date) = value else { return nil }
    self = date
  }
}

extension Data: ValueConvertible {
  @inlinable public var value: Value { .binary(self) }
  @inlinable public init?(value: Value) {
    guard case .binary(let data) = value else { return nil }
    self = data
  }
}

extension String: ValueConvertible {
  @inlinable public var value: Value { .string(self) }
  @inlinable public init?(value: Value) {
    guard case .string(let text) = value else { return nil }
    self = text
  }
}

extension UUID: ValueConvertible {
  @inlinable public var value: Value { .uuid(self) }
  @inlinable public init?(value: Value) {
    guard case .uuid(let uuid) = value else { return nil }
    self = uuid
  }
}

extension URL: ValueConvertible {
  @inlinable public var value: Value { .uri(self) }
  @inlinable public init?(value: Value) {
    guard case .uri(let url) = value else { return nil }
    self = url
  }
}
