public import CopalModel
import CopalStore

/// The transformers that a container can find by name.
///
/// `shared` serves every container of the process; a container may have its own beside it, which then
/// win. Register before the container is opened.
public final class TransformerRegistry: Sendable {
  /// The registry of the process.
  public static let shared = TransformerRegistry()

  private let transformers = Locked<[TransformerName: any AttributeTransformer]>([:])

  public init() {}

  /// Registers a transformer. Registering the same type under the same name again replaces it.
  ///
  /// - Throws: `transformer.duplicate` when a transformer of another type has the name.
  public func register<T: AttributeTransformer>(
    _ transformer: T, as name: TransformerName = T.name
  ) throws {
    try transformers.withLock { registered in
      if let other = registered[name], !(other is T) {
        throw PersistenceError(
          .transformerDuplicate, found: name.rawValue,
          expected: String(reflecting: type(of: other)))
      }
      registered[name] = transformer
    }
  }

  /// The transformer of that name.
  public func transformer(named name: TransformerName) -> (any AttributeTransformer)? {
    transformers.withLock { $0[name] }
  }

  /// The registered names in alphabetical order.
  public var names: [TransformerName] { transformers.withLock { $0.keys.sorted() } }
}
