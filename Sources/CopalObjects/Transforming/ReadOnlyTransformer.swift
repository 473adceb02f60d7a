import CopalModel
import CopalStore

/// A transformer that only decodes, for values that another program writes.
///
/// Fetching works. A save of an object whose property was set throws `save.failed` with
/// `transformer.readOnly` among its causes, and writes nothing; the row stays as it is. Other
/// attributes of the object can be saved.
///
/// ```swift
/// struct NumberedFinishTransformer: ReadOnlyTransformer, RegistrableTransformer {
///   func decode(_ stored: Int64) throws -> Finish {
///     guard let finish = Finish(number: stored) else { throw UnknownFinish(number: stored) }
///     return finish
///   }
/// }
/// ```
///
/// A required attribute with such a transformer gives the warning `transformer.readOnlyRequired`,
/// because no new object can be saved.
public protocol ReadOnlyTransformer: AttributeTransformer {}

extension ReadOnlyTransformer {
  /// False.
  public var allowsEncoding: Bool { false }

  /// Always throws. A container does not call it.
  ///
  /// - Throws: `transformer.readOnly`.
  public func encode(_ value: Value) throws -> Stored {
    throw PersistenceError(.transformerReadOnly, found: name.rawValue)
  }
}
