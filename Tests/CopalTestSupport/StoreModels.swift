public import Copal
import CopalStore

/// The models of tests that work below contexts.
public enum StoreModels {
  /// The atelier as a store sees it.
  public static func atelier() throws -> StoreSchema {
    StoreSchema(try ModelBinding.atelier.model)
  }

  /// One entity with an optional attribute of every type, a unique name and a unique pair.
  ///
  /// The columns whose name ends in 2 are there to be compared with their neighbor.
  public static func sampler() throws -> StoreSchema {
    let types: [(String, AttributeType, Int?)] = [
      ("small", .integer16, nil), ("medium", .integer32, nil), ("whole", .integer64, nil),
      ("whole2", .integer, nil), ("single", .float, nil), ("real", .double, nil),
      ("real2", .double, nil), ("amount", .decimal, nil), ("amount2", .decimal, nil),
      ("price", .decimal, 2), ("price2", .decimal, 2), ("flag", .boolean, nil),
      ("flag2", .boolean, nil), ("instant", .date, nil), ("instant2", .date, nil),
      ("text", .string, nil), ("text2", .string, nil), ("bytes", .binary, nil),
      ("bytes2", .binary, nil), ("mark", .uuid, nil), ("mark2", .uuid, nil), ("link", .uri, nil),
      ("link2", .uri, nil), ("code", .string, nil), ("shelf", .string, nil),
      ("place", .integer64, nil),
    ]
    let attributes = types.map {
      AttributeDescription($0.0, $0.1, isOptional: true, scale: $0.2)
    }
    return try schema([
      EntityDescription(
        "Sample", attributes: attributes, uniqueConstraints: [["code"], ["shelf", "place"]])
    ])
  }

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
