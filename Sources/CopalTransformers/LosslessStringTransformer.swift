import CopalEssentials
public import CopalModel
public import CopalObjects
import CopalStore

/// Stores a value as its text, for a type that can be made from its text again.
///
/// Use it for a type that conforms to `LosslessStringConvertible`, such as a version number. The
/// column is TEXT.
///
/// ```swift
/// try LosslessStringTransformer<VersionNumber>("VersionTransformer").register()
/// ```
///
/// Decoding throws `transformer.invalidText` for a text that the type does not accept.
public struct LosslessStringTransformer<Value: LosslessStringConvertible>: AttributeTransformer,
  Equatable
{
  /// The name that models use.
  public let name: TransformerName

  /// A transformer with the name that models use.
  public init(_ name: TransformerName) { self.name = name }

  /// The text of the value.
  public func encode(_ value: Value) -> String { value.description }

  /// The value of a text.
  ///
  /// - Throws: `transformer.invalidText` when the type does not accept the text.
  public func decode(_ stored: String) throws -> Value {
    guard let value = Value(stored) else {
      throw PersistenceError(.invalidText, expected: "\(Value.self)")
    }
    return value
  }
}
