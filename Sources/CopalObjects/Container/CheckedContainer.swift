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

  private static func registry(of transformers: [any AttributeTransformer]) throws
    -> TransformerRegistry
  {
    let registry = TransformerRegistry()
    func register<T: AttributeTransformer>(_ transformer: T) throws {
      try registry.register(transformer)
    }
    for transformer in transformers { try register(transformer) }
    return registry
  }
}
