import CopalEssentials
import CopalModel
public import CopalStore

extension PersistentContainer {
  /// Finds the stored values of a transformable attribute that a transformer cannot decode. It
  /// writes nothing.
  ///
  /// Use it before you replace a transformer by a stricter one, or to find damaged values:
  ///
  /// ```swift
  /// let strict = SecureUnarchiveTransformer<Brush>("BrushTransformer", allowing: [Brush.self])
  /// for error in try await container.scan("brush", of: "Painting", with: strict) {
  ///   print(error.objectID, error.causes)
  /// }
  /// ```
  ///
  /// It reads the stored values of all objects of the entity and its subentities on a background
  /// thread, in batches. NULL is skipped.
  ///
  /// - Parameters:
  ///   - attribute: the name of the attribute. Generated code has a constant for each name.
  ///   - entity: the name of the entity.
  ///   - transformer: the transformer to decode with; nil for the one that the container uses.
  ///   - progress: is called on the background thread after each batch, with the number of objects
  ///     that were read and the number of all.
  /// - Returns: an error for each value that cannot be decoded, with its object:
  ///   `transformer.decodeFailed`, whose causes have the error of the transformer, or
  ///   `object.typeMismatch`.
  /// - Throws: `request.unknownEntity`, `request.unknownProperty`, `request.notTransformable`,
  ///   `transformer.wrongStorage` when the transformer stores another type than the column has; and
  ///   what prevents reading the store.
  public func scan(
    _ attribute: String, of entity: String, with transformer: (any AttributeTransformer)? = nil,
    progress: (@Sendable (_ read: Int, _ all: Int) -> Void)? = nil
  ) async throws -> [PersistenceError] {
    try await perform { context in
      let scan = try TransformableScan(attribute, context.runtime(named: entity), transformer)
      let objects = try context.fetchBatches(FetchRequest<ManagedObject>(entityName: entity))
      var failures: [PersistenceError] = []
      var count = 0
      try objects.forEachBatch { batch in
        failures += batch.compactMap(scan.failure)
        count += batch.count
        progress?(count, objects.count)
      }
      return failures
    }
  }
}

/// Decodes the stored values of one attribute.
private struct TransformableScan {
  private let attribute: String
  private let transformer: BoundTransformer

  init(_ attribute: String, _ runtime: EntityRuntime, _ other: (any AttributeTransformer)?) throws {
    guard let slot = runtime.layout.slotByName[attribute] else {
      throw PersistenceError(
        .unknownProperty, entity: runtime.layout.name, property: attribute,
        suggestion: NearestName.of(attribute, among: runtime.layout.slotByName.keys.inOrder()))
    }
    guard let own = runtime.transformers[slot] else {
      throw PersistenceError(
        .notTransformable, entity: runtime.layout.name, property: attribute)
    }
    self.attribute = attribute
    transformer = other.map { TransformerResolution.bind($0, $0.name) } ?? own
    if transformer.storage != own.storage {
      throw PersistenceError(
        .transformerWrongStorage, entity: runtime.layout.name, property: attribute,
        found: "'\(transformer.name)' stores \(transformer.storage.rawValue.uppercased())",
        expected: own.storage.rawValue.uppercased())
    }
  }

  /// The error of an object's stored value; nil when the transformer can decode it.
  func failure(_ object: ManagedObject) -> PersistenceError? {
    // A subentity may have the attribute at another place.
    guard let slot = object.runtime.layout.slotByName[attribute] else { return nil }
    do {
      _ = try object.decodeRow(slot, transformer)
      return nil
    } catch {
      return error
    }
  }
}
