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
