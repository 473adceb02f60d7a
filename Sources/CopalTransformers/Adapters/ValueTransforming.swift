/// The functions of a transformer that was written for Core Data: the class `ValueTransformer` of
/// Foundation, which Linux does not have.
///
/// Use it to move a transformer class to Copal without a change in its functions: replace the
/// superclass by this protocol, remove the words `override`, and plug it in with a
/// ``ValueTransformerAdapter``. For a new transformer, write an `AttributeTransformer`: its
/// functions have types, and their errors are not lost.
///
/// ```swift
/// final class FinishValueTransformer: ValueTransforming {
///   func transformedValue(_ value: Any?) -> Any? {
///     (value as? Finish).map { Data($0.rawValue.utf8) }
///   }
///   func reverseTransformedValue(_ value: Any?) -> Any? {
///     (value as? Data).flatMap { Finish(rawValue: String(decoding: $0, as: UTF8.self)) }
///   }
/// }
/// ```
public protocol ValueTransforming: Sendable {
  /// Whether ``reverseTransformedValue(_:)`` works. Default: true.
  static func allowsReverseTransformation() -> Bool

  /// The forward function: object to data, or data to object. Nil means that the value could not be
  /// transformed.
  func transformedValue(_ value: Any?) -> Any?

  /// The reverse function. Default: nil.
  func reverseTransformedValue(_ value: Any?) -> Any?
}

extension ValueTransforming {
  /// True.
  public static func allowsReverseTransformation() -> Bool { true }
  /// Nil.
  public func reverseTransformedValue(_ value: Any?) -> Any? { nil }
}

/// What the forward function of a transformer that was written for Core Data does.
///
/// Core Data has both conventions. It calls the forward function of a transformer with data when it
/// reads, if the transformer is a subclass of `NSSecureUnarchiveFromDataTransformer`; it calls the
/// forward function of other transformers with the object when it saves.
public enum ForwardDirection: Sendable, Hashable {
  /// The forward function makes data of an object: a subclass of `ValueTransformer`.
  case encodes
  /// The forward function makes an object of data: a subclass of
  /// `NSSecureUnarchiveFromDataTransformer`.
  case decodes
}
