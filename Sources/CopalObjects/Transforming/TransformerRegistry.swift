import CopalEssentials
public import CopalModel
import CopalStore

/// The transformers that containers find by name.
///
/// All containers of the process use ``shared``. A container can also have its own transformers,
/// which it uses first. Register transformers before the container is opened. It can be used on any
/// thread.
public final class TransformerRegistry: Sendable {
  /// The registry of the process.
  public static let shared = TransformerRegistry()

  private struct Entry {
    let transformer: any AttributeTransformer
    /// Whether its type made it, so that every instance of the type is equivalent.
    let isParameterless: Bool
  }

  private let entries = Locked<[TransformerName: Entry]>([:])

  /// An empty registry. Containers use ``shared``; another registry is for tests.
  public init() {}

  /// Registers a transformer.
  ///
  /// The first transformer that is registered under a name keeps the name. Registering the same
  /// transformer again has no effect. Two transformers are the same when they have the same type
  /// and one of these is true: the type has no stored properties, both are one instance of a class,
  /// or they are `Equatable` and equal.
  ///
  /// - Parameter name: the name to register it under; nil for the transformer's own name.
  /// - Throws: `transformer.duplicate` when another transformer is registered under the name: one
  ///   of another type, or one of the same type with other parameters. The first one stays
  ///   registered.
  public func register<T: AttributeTransformer>(_ transformer: T, as name: TransformerName? = nil)
    throws
  {
    let name = name ?? transformer.name
    if let renamed = transformer as? any RenamedTransformer {
      return try register(renamed, as: name)
    }
    try register(Entry(transformer: transformer, isParameterless: false), as: name) { other in
      guard let other = other.transformer as? T else { return false }
      return Self.isSame(transformer, other)
    }
  }

  private func register(_ renamed: some RenamedTransformer, as name: TransformerName) throws {
    try register(renamed.base, as: name)
  }

  /// Registers the transformer that a type makes, under its own name.
  func register<T: RegistrableTransformer>(_ type: T.Type) throws {
    let transformer = T()
    try register(
      Entry(transformer: transformer, isParameterless: true), as: transformer.name
    ) { other in
      guard let typed = other.transformer as? T else { return false }
      return other.isParameterless || Self.isSame(transformer, typed)
    }
  }

  private func register(
    _ entry: Entry, as name: TransformerName, unless isSame: (Entry) -> Bool
  ) throws {
    let other = entries.withLock { entries -> Entry? in
      if let other = entries[name] { return other }
      entries[name] = entry
      return nil
    }
    // Outside the lock, because the type's `==` may run. A registered transformer never changes.
    if let other, !isSame(other) {
      throw duplicate(name, other.transformer, entry.transformer)
    }
  }

  private static func isSame<T: AttributeTransformer>(_ a: T, _ b: T) -> Bool {
    if MemoryLayout<T>.size == 0 { return true }
    if T.self is AnyClass, a as AnyObject === b as AnyObject { return true }
    guard let equatable = a as? any Equatable else { return false }
    return isEqual(equatable, b)
  }

  private static func isEqual<E: Equatable>(_ a: E, _ b: Any) -> Bool { a == b as? E }

  private func duplicate(
    _ name: TransformerName, _ taken: any AttributeTransformer, _ new: any AttributeTransformer
  ) -> PersistenceError {
    let type = String(reflecting: type(of: taken))
    let isSameType =
      ObjectIdentifier(Swift.type(of: taken)) == ObjectIdentifier(Swift.type(of: new))
    return PersistenceError(
      .transformerDuplicate, found: name.rawValue,
      expected: isSameType ? "another \(type)" : type)
  }

  /// The transformer of that name; nil when there is none.
  public func transformer(named name: TransformerName) -> (any AttributeTransformer)? {
    entries.withLock { $0[name]?.transformer }
  }

  /// The registered names in alphabetical order.
  public var names: [TransformerName] { entries.withLock { $0.keys.inOrder() } }
}
