public import Copal
import CopalStore

/// The atelier with relationships, as a store sees it: painters with paintings in an order, and
/// paintings with pigments.
extension StoreModels {
  public static func gallery(
    _ change: (inout [EntityDescription]) -> Void = { _ in }
  ) throws -> StoreSchema {
    var entities = [
      EntityDescription(
        "Painter", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription(
            "paintings", to: "Painting", isToMany: true, isOrdered: true, inverse: "painter"),
          RelationshipDescription("friends", to: "Painter", isToMany: true, inverse: "friends"),
        ]),
      EntityDescription(
        "Painting", attributes: [AttributeDescription("title", .string)],
        relationships: [
          RelationshipDescription("painter", to: "Painter", isOptional: true, inverse: "paintings"),
          RelationshipDescription(
            "pigments", to: "Pigment", isToMany: true, isOrdered: true, inverse: "paintings"),
        ]),
      EntityDescription(
        "Pigment", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("paintings", to: "Painting", isToMany: true, inverse: "pigments")
        ]),
    ]
    change(&entities)
    return try schema(entities)
  }
}
