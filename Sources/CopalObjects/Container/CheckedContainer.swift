import CopalModel
import CopalStore

/// The parts of a container, after all checks that need no store.
struct CheckedContainer {
  let schema: StoreSchema
  let transformers: TransformerResolution
  /// The projections of transformables; nil for a model without any.
  let projections: ProjectionTable?
  let bindings: [String: EntityBinding]
  let warnings: [PersistenceError]

  /// - Throws: ``ModelError``; ``PersistenceError`` with a code of `container.…` or
  ///   `transformer.…`. Several problems are the `causes` of one error.
  init(
    _ model: ModelBinding, _ transformers: [any AttributeTransformer], _ policy: WarningPolicy
  ) throws {
    let checked = try model.checked()
    let resolution = TransformerResolution(own: try Self.registry(of: transformers))
    var problems = checked.problems
    let storage = resolution.storage(checked.transformables, &problems)
    resolution.testSelf(checked.transformables, &problems)
    warnings = resolution.warnings(checked.transformables)
    if policy == .fail { problems += warnings }
    if !problems.isEmpty { throw PersistenceError.combining(problems, as: .multipleProblems) }
    let schema = try model.schema(storage)
    projections = ProjectionTable(schema, resolution)
    self.schema = projections.map { StoreSchema(schema, projector: $0) } ?? schema
    self.transformers = resolution
    bindings = Dictionary(
      model.entities.map { ($0.entityName, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The parts of a container of a tool. A transformer that is missing, or does not fit, is no
  /// problem.
  init(tool model: ManagedObjectModel, _ transformers: [any AttributeTransformer]) throws {
    let binding = ModelBinding(model)
    let transformables = try binding.checked().transformables
    let given = TransformerResolution(own: try Self.registry(of: transformers))
    let registry = TransformerRegistry()
    var storage: [StorageType] = []
    var isComplete = true
    for transformable in transformables {
      var problems: [PersistenceError] = []
      let found = given.storage([transformable], &problems).first
      if problems.isEmpty, let found {
        storage.append(found)
        continue
      }
      storage.append(transformable.storage ?? .blob)
      if !transformable.projections.isEmpty { isComplete = false }
      // Another attribute may have the same transformer.
      try? registry.register(
        StoredFormTransformer.make(storage.last ?? .blob), as: transformable.transformer)
    }
    for transformer in transformers where registry.transformer(named: transformer.name) == nil {
      try Self.register(transformer, in: registry)
    }
    let schema = try binding.schema(storage)
    self.transformers = TransformerResolution(own: registry)
    projections = isComplete ? ProjectionTable(schema, self.transformers) : nil
    self.schema = projections.map { StoreSchema(schema, projector: $0) } ?? schema
    (bindings, warnings) = ([:], [])
  }

  private static func registry(of transformers: [any AttributeTransformer]) throws
    -> TransformerRegistry
  {
    let registry = TransformerRegistry()
    for transformer in transformers { try register(transformer, in: registry) }
    return registry
  }

  private static func register(
    _ transformer: some AttributeTransformer, in registry: TransformerRegistry
  ) throws {
    try registry.register(transformer)
  }
}
