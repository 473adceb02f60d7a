import CopalModel
import CopalStore
import Synchronization

/// What a container's contexts share: the store, and the entities as the container serves them.
final class ContainerRuntime: Sendable {
  let store: any PersistentStore
  let schema: StoreSchema
  let entities: [EntityRuntime]
  let entityByClass: [ObjectIdentifier: Int]
  /// Whether any class may override hooks.
  let overridesHooks: Bool
  /// Told of what properties could not read, where a context has no handler of its own.
  let readFailureHandler = Locked<(@Sendable (PersistenceError) -> Void)?>(nil)
  // One count for the process, so that no two new objects have the same id, whatever their containers.
  private static let lastTemporaryKey = Atomic<Int64>(0)

  init(
    _ store: any PersistentStore, _ schema: StoreSchema, bindings: [String: EntityBinding],
    transformers: TransformerResolution
  ) {
    self.store = store
    self.schema = schema
    entities = schema.entities.map {
      EntityRuntime(
        $0, store: store, binding: bindings[$0.name], transformers: transformers)
    }
    overridesHooks = entities.contains { $0.overridesHooks }
    entityByClass = Dictionary(
      entities.filter { $0.objectClass != ManagedObject.self }
        .map { (ObjectIdentifier($0.objectClass), $0.index) },
      uniquingKeysWith: { first, _ in first })
  }

  var classNames: String {
    let names = entities.filter { $0.objectClass != ManagedObject.self }
      .map { "\($0.objectClass)" }
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }

  /// Takes a block of temporary keys for one entity of one context.
  func reserveTemporaryKeys() -> Range<Int64> {
    let size: Int64 = 256
    let end = Self.lastTemporaryKey.add(size, ordering: .relaxed).newValue + 1
    return end - size..<end
  }
}
