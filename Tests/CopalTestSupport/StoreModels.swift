public import Copal
import CopalStore

/// The models of tests that work below contexts.
public enum StoreModels {
  /// The atelier as a store sees it.
  public static func atelier() throws -> StoreSchema {
    StoreSchema(try ModelBinding.atelier.model)
  }

  /// The schema that the conformance suite is run with: an optional attribute of every type.
  public static func sampler() throws -> StoreSchema { try StoreConformance.schema() }

  /// The schema of some entities.
  public static func schema(_ entities: [EntityDescription]) throws -> StoreSchema {
    StoreSchema(try ManagedObjectModel(name: "Test", entities: entities))
  }

  /// An entity "Wide" of so many optional attributes, `a0` to `a(count - 1)`, of changing types.
  public static func wide(_ count: Int) throws -> StoreSchema {
    let types: [AttributeType] = [.integer64, .string, .double, .binary, .decimal]
    return try schema([
      EntityDescription(
        "Wide",
        attributes: (0..<count).map {
          AttributeDescription("a\($0)", types[$0 % types.count], isOptional: true)
        })
    ])
  }
}

extension ManagedObjectModel {
  /// The layout hash of the entity of that name; 0 when the model has none.
  package func layoutHash(of name: String) -> UInt64 {
    entityIndex(name).map(layoutHash(ofEntity:)) ?? 0
  }
}
