/// A decoded value of a transformable attribute. Only generated code uses it.
public protocol _CopalDecodedValue: AnyObject {
  /// The value without its type.
  var any: Any { get }
}

/// A decoded value that knows its type. Only generated code uses it.
///
/// An object keeps its decoded values. A property finds its type here, and needs no cast from
/// `Any`, which would cost more than the rest of the read.
public final class _CopalTypedValue<Value>: _CopalDecodedValue {
  /// The value.
  public let value: Value
  /// A decoded value.
  @inlinable
  public init(_ value: Value) { self.value = value }
  /// The value without its type.
  public var any: Any { value }
}
