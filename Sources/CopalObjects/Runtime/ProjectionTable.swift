import CopalModel
import CopalStore

/// Makes the values of the projections of a container, with its transformers.
final class ProjectionTable: ValueProjector {
  private struct Name: Hashable {
    let entity: Int
    let slot: Int

    init(entity: Int, slot: Int) { (self.entity, self.slot) = (entity, slot) }

    init(_ projection: EntityLayout.Projection) {
      self.init(entity: projection.declaringEntity, slot: projection.slot)
    }
  }

  private let functions: [Name: (transformer: BoundTransformer, projection: BoundProjection)]
  private let schema: StoreSchema
  /// The attributes of which an undecodable value was reported.
  private let reported = Locked<Set<Name>>([])
  /// Takes what is reported; nil for standard error.
  private let handler = Locked<(@Sendable (PersistenceError) -> Void)?>(nil)

  /// - Returns: nil for a schema without projections.
  init?(_ schema: StoreSchema, _ resolution: TransformerResolution) {
    var functions: [Name: (transformer: BoundTransformer, projection: BoundProjection)] = [:]
    for layout in schema.entities {
      for projection in layout.projections where projection.declaringEntity == layout.index {
        guard
          let transformer = layout.attributes[projection.source].transformer
            .flatMap({ resolution.bound($0) }),
          let function = transformer.projections[projection.description.name]
        else { continue }
        functions[Name(projection)] = (transformer, function)
      }
    }
    if functions.isEmpty { return nil }
    self.functions = functions
    self.schema = schema
  }

  /// Sends what is reported from now on to a function.
  func report(to handler: @escaping @Sendable (PersistenceError) -> Void) {
    self.handler.withLock { $0 = handler }
  }

  func value(_ projection: EntityLayout.Projection, of stored: PropertyValue, version: Int64?)
    -> PropertyValue
  {
    guard let (transformer, function) = functions[Name(projection)] else { return .null }
    do {
      return function.value(
        try transformer.decode(
          stored, version: version.map { Int(clamping: $0) },
          isVersioned: projection.versionSlot != nil))
    } catch {
      report(error, projection, stored, transformer)
      return .null
    }
  }

  func version(_ projection: EntityLayout.Projection) -> Int {
    functions[Name(projection)]?.projection.version ?? 0
  }

  func transformerVersion(_ projection: EntityLayout.Projection) -> Int? {
    functions[Name(projection)]?.transformer.version
  }

  /// Reports the first value of an attribute that cannot be decoded.
  private func report(
    _ cause: any Error, _ projection: EntityLayout.Projection, _ stored: PropertyValue,
    _ transformer: BoundTransformer
  ) {
    let attribute = Name(entity: projection.declaringEntity, slot: projection.source)
    guard reported.withLock({ $0.insert(attribute).inserted }) else { return }
    let layout = schema.entities[projection.declaringEntity]
    let error = PersistenceError(
      .decodeFailed, entity: layout.name, property: layout.attributes[projection.source].name,
      found: transformer.name.rawValue, expected: stored.size, causes: [cause])
    guard let handler = handler.withLock({ $0 }) else {
      return StandardError.write("Copal: \(error.logLine)")
    }
    handler(error)
  }
}

extension PropertyValue {
  /// The size of a stored form, for an error.
  fileprivate var size: String {
    switch self {
    case .binary(let data): data.count.counted("byte")
    case .string(let text): text.utf8.count.counted("byte")
    default: "a number"
    }
  }
}
