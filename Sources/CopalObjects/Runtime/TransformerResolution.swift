import CopalEssentials
import CopalModel
import CopalStore

/// Finds the transformer of every transformable attribute when a container opens. A missing one is
/// an error.
struct TransformerResolution {
  private let own: TransformerRegistry

  init(own: TransformerRegistry) { self.own = own }

  /// The storage types that the transformers chose.
  ///
  /// - Parameter problems: receives every transformer that is missing or does not fit.
  func storage(_ transformables: [StoredTransformable], _ problems: inout [PersistenceError])
    -> [StorageType]
  {
    transformables.compactMap { transformable in
      guard let bound = bound(transformable.transformer) else {
        problems.append(unregistered(transformable))
        return nil
      }
      if let storage = transformable.storage, storage != bound.storage {
        problems.append(
          PersistenceError(
            .transformerWrongStorage, entity: transformable.entity,
            property: transformable.attribute,
            found: "'\(transformable.transformer)' stores \(bound.storage.rawValue.uppercased())",
            expected: storage.rawValue.uppercased()))
      }
      if transformable.isExternal, bound.storage != .blob {
        problems.append(
          PersistenceError(
            .transformerWrongStorage, entity: transformable.entity,
            property: transformable.attribute,
            found:
              "the attribute is external, and '\(transformable.transformer)' stores \(bound.storage.rawValue.uppercased())",
            expected: "BLOB"))
      }
      // A property of another type would always be nil.
      if let type = transformable.valueType, type != bound.valueType {
        problems.append(
          PersistenceError(
            .transformerWrongClass, entity: transformable.entity, property: transformable.attribute,
            found: "\(bound.valueType)", expected: "\(type)"))
      }
      if transformable.isVersioned, bound.version == nil {
        problems.append(
          PersistenceError(
            .transformerNotVersioned, entity: transformable.entity,
            property: transformable.attribute, found: bound.name.rawValue))
      }
      problems += transformable.projections.compactMap {
        Self.problem(of: $0, transformable, bound)
      }
      return bound.storage
    }
  }

  /// Why a store cannot keep a projection; nil where it can.
  private static func problem(
    of projection: ProjectionDescription, _ transformable: StoredTransformable,
    _ bound: BoundTransformer
  ) -> PersistenceError? {
    let property = projection.attribute(of: transformable.attribute).name
    let names = bound.projections.keys.inOrder()
    guard let found = bound.projections[projection.name] else {
      return PersistenceError(
        .transformerUnknownProjection, entity: transformable.entity, property: property,
        found: bound.name.rawValue,
        expected: names.isEmpty ? "none" : names.joined(separator: ", "),
        suggestion: NearestName.of(projection.name, among: names))
    }
    if found.type == projection.type { return nil }
    return PersistenceError(
      .transformerWrongProjection, entity: transformable.entity, property: property,
      found: bound.name.rawValue + " makes \"\(found.type.rawValue)\"",
      expected: projection.type.rawValue)
  }

  /// What is allowed, and is unsafe or probably a mistake.
  func warnings(_ transformables: [StoredTransformable]) -> [PersistenceError] {
    transformables.flatMap { transformable -> [PersistenceError] in
      guard let bound = bound(transformable.transformer) else { return [] }
      func warning(_ code: PersistenceError.Code) -> PersistenceError {
        PersistenceError(
          code, entity: transformable.entity, property: transformable.attribute,
          found: bound.name.rawValue)
      }
      return (bound.isSecure ? [] : [warning(.transformerNotSecure)])
        + (bound.version == nil || transformable.isVersioned
          ? [] : [warning(.transformerVersionNotKept)])
        + (bound.allowsEncoding || transformable.isOptional
          ? [] : [warning(.transformerReadOnlyRequired)])
    }
  }

  /// Tests each transformer with its samples.
  func testSelf(_ transformables: [StoredTransformable], _ problems: inout [PersistenceError]) {
    var tested: Set<TransformerName> = []
    for transformable in transformables where tested.insert(transformable.transformer).inserted {
      do {
        try bound(transformable.transformer)?.selfTest()
      } catch let error as PersistenceError {
        problems.append(
          error.concerning(transformable))
      } catch {
        problems.append(
          PersistenceError(
            .transformerSelfTestFailed, found: transformable.transformer.rawValue, causes: [error]
          ).concerning(transformable))
      }
    }
  }

  /// The transformer of that name for one attribute.
  func bound(_ name: TransformerName) -> BoundTransformer? {
    guard
      let transformer = own.transformer(named: name)
        ?? TransformerRegistry.shared.transformer(named: name)
    else { return nil }
    return Self.bind(transformer, name)
  }

  static func bind<T: AttributeTransformer>(_ transformer: T, _ name: TransformerName)
    -> BoundTransformer
  {
    BoundTransformer(transformer, name: name)
  }

  private func unregistered(_ transformable: StoredTransformable) -> PersistenceError {
    let registered = Set(own.names).union(TransformerRegistry.shared.names).inOrder()
    let name = transformable.transformer.rawValue
    return PersistenceError(
      .transformerUnregistered, entity: transformable.entity, property: transformable.attribute,
      found: name,
      expected: registered.isEmpty
        ? "none" : registered.map(\.rawValue).joined(separator: ", "),
      suggestion: NearestName.of(name, among: registered.map(\.rawValue)))
  }
}

extension PersistenceError {
  /// The same error with the first attribute that uses the transformer.
  fileprivate func concerning(_ transformable: StoredTransformable) -> PersistenceError {
    var error = self
    error.entity = transformable.entity
    error.property = transformable.attribute
    return error
  }
}
