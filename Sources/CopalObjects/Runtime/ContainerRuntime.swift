import CopalModel
import CopalStore
import Synchronization

/// The shared state of a container's contexts: the store and the entities.
final class ContainerRuntime: Sendable {
  let store: any PersistentStore
  let schema: StoreSchema
  let entities: [EntityRuntime]
  let entityByClass: [ObjectIdentifier: Int]
  /// Whether any class may override hooks.
  let overridesHooks: Bool
  /// Whether any entity has subentities.
  let hasSubentities: Bool
  /// Whether any entity has a relationship.
  let hasRelationships: Bool
  /// Whether a save deletes objects that have lost their owner.
  let deletesOrphans: Bool
  /// Whether a relationship has a least or a greatest number of members.
  let limitsCounts: Bool
  /// Called for values that properties could not read, when the context has no handler.
  let readFailureHandler = Locked<(@Sendable (PersistenceError) -> Void)?>(nil)
  /// The log of the contexts that are made from now on.
  let statementLog = Locked<StatementLog?>(nil)
  /// Runs reads in the background. Its threads are made when they are needed.
  let backgroundReads: ContextExecutor
  /// The policy of the contexts that are made from now on.
  let mergePolicy = Locked<MergePolicy>(.error)
  /// What was committed, for the contexts that merge it.
  let log: CommitLog
  /// The contexts of the main actor.
  let mainContexts: MainContexts
  // One counter for the process, so that new objects of different containers have different ids.
  private static let lastTemporaryKey = Atomic<Int64>(0)

  init(
    _ store: any PersistentStore, _ schema: StoreSchema, bindings: [String: EntityBinding],
    transformers: TransformerResolution
  ) {
    self.store = store
    self.schema = schema
    backgroundReads = ContextExecutor(width: store.maximumBackgroundThreadCount)
    let mainContexts = MainContexts()
    self.mainContexts = mainContexts
    let foreign = store.foreignCommits.map { [backgroundReads] in
      ForeignCommitTask($0, entities: Set(schema.entities.indices), backgroundReads)
    }
    log = CommitLog(
      store.commitOrder, entityCount: schema.entities.count, foreign: foreign
    ) {
      mainContexts.beginTurn()
    }
    let identities = schema.identities(inStore: store.identifier)
    entities = schema.entities.map { layout in
      // The objects of an entity without a class of its own have the class of its nearest ancestor.
      let line = [layout.name] + layout.ancestors.reversed().map { schema.entities[$0].name }
      return EntityRuntime(
        layout, schema, identity: identities[layout.index], binding: bindings[layout.name],
        objectClass: line.lazy.compactMap { bindings[$0]?.objectClass }.first
          ?? ManagedObject.self,
        transformers: transformers, externalFiles: store.externalFiles)
    }
    overridesHooks = entities.contains { $0.overridesHooks }
    hasSubentities = entities.contains { $0.hasSubentities }
    hasRelationships = entities.contains { $0.hasRelationships }
    deletesOrphans = entities.contains { !$0.ownerships.isEmpty }
    limitsCounts = entities.contains { !$0.limitedRelationships.isEmpty }
    entityByClass = Dictionary(
      // An entity without a class of its own has the class of an ancestor.
      entities.filter { $0.objectClass != ManagedObject.self && bindings[$0.layout.name] != nil }
        .map { (ObjectIdentifier($0.objectClass), $0.index) },
      uniquingKeysWith: { first, _ in first })
  }

  deinit { log.end() }

  /// What gives names to what was committed.
  var names: CommitNames { CommitNames(schema: schema, entities: entities) }

  /// The relationship of the objects at an end of a table of links.
  func relationship(ofLinks table: Int, at end: LinkTable.End) -> RelationshipRuntime? {
    names.relationship(ofLinks: table, at: end)
  }

  /// The entity of a row, which may be a subentity of the one that was asked for.
  func runtime(of row: borrowing PackedRow) -> EntityRuntime { entities[row.entity] }

  var classNames: String {
    let names = entities.filter { entityByClass[ObjectIdentifier($0.objectClass)] == $0.index }
      .map { "\($0.objectClass)" }
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }

  /// Reserves a block of temporary keys for one entity of one context.
  func reserveTemporaryKeys() -> Range<Int64> {
    let size: Int64 = 256
    let end = Self.lastTemporaryKey.add(size, ordering: .relaxed).newValue + 1
    return end - size..<end
  }
}

extension ContainerRuntime {
  /// The error of a new object of an abstract entity, with the subentities that can have it.
  func isAbstract(_ runtime: EntityRuntime) -> PersistenceError {
    let names = runtime.entities.map { entities[$0].layout.entity }
      .filter { !$0.isAbstract }.map(\.name)
    return PersistenceError(
      .abstractEntity, entity: runtime.layout.name,
      expected: names.isEmpty ? nil : names.joined(separator: ", "))
  }
}

extension ContainerRuntime {
  /// The names of the generated getters of the model.
  var accessors: Accessors {
    var names: Set<String> = []
    for entity in entities {
      let properties =
        entity.layout.attributes.map(\.name)
        + entity.relationships.map(\.description.name)
        + entity.layout.entity.fetchedProperties.flatMap { [$0.name, "\($0.name)Request"] }
      // An inherited property is that of the class of an ancestor, which is in the list itself.
      for property in properties { names.insert("\(entity.objectClass).\(property)") }
    }
    return Accessors(names)
  }
}
