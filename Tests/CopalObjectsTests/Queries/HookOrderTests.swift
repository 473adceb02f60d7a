import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Testing

@Suite("Orders by related objects while a hook changes objects")
struct HookOrderTests {
  /// An object that is changed when it is fetched.
  private final class Viewed: ManagedObject {
    override func awakeFromFetch() {
      let views = (try? value(forKey: "views")) as? Int64
      try? setValue((views ?? 0) + 1, forKey: "views")
    }
  }

  private final class Painter: ManagedObject {}
  private final class Pigment: ManagedObject {}

  private func container(_ kind: StoreKind) throws -> PersistentContainer {
    let model = try ManagedObjectModel(
      name: "Viewed",
      entities: [
        EntityDescription(
          "Painter", attributes: [AttributeDescription("name", .string, isOptional: true)],
          relationships: [
            RelationshipDescription("paintings", to: "Painting", isToMany: true, inverse: "painter")
          ]),
        EntityDescription(
          "Painting",
          attributes: [
            AttributeDescription("title", .string, isOptional: true),
            AttributeDescription("views", .integer, isOptional: true),
          ],
          relationships: [
            RelationshipDescription("painter", to: "Painter", inverse: "paintings"),
            RelationshipDescription("pigments", to: "Pigment", isToMany: true, inverse: "painting"),
          ]),
        EntityDescription(
          "Pigment", attributes: [AttributeDescription("name", .string, isOptional: true)],
          relationships: [
            RelationshipDescription("painting", to: "Painting", inverse: "pigments")
          ]),
      ])
    return try TestStore(kind).container(
      ModelBinding(
        model,
        classes: [
          EntityBinding("Painter", Painter.self, layoutHash: model.layoutHash(ofEntity: 0)),
          EntityBinding("Painting", Viewed.self, layoutHash: model.layoutHash(ofEntity: 1)),
          EntityBinding("Pigment", Pigment.self, layoutHash: model.layoutHash(ofEntity: 2)),
        ]))
  }

  // A hook changed an object after the decision that the store sorts, and the program ended.
  @Test(
    "a hook that changes objects during a fetch does not change who sorts",
    arguments: StoreKind.allCases)
  func changes(kind: StoreKind) throws {
    let container = try container(kind)
    let first = container.makeContext()
    for name in ["b", "a"] {
      let painter = try first.insert("Painter")
      try painter.setValue(name, forKey: "name")
      let painting = try first.insert("Painting")
      try painting.setValue(name, forKey: "title")
      try painting.setValue(painter, forKey: "painter")
      let pigment = try first.insert("Pigment")
      try pigment.setValue(painting, forKey: "painting")
    }
    try first.save()
    let context = container.makeContext()
    for pigment in try context.fetch(FetchRequest<Pigment>(entityName: "Pigment")) {
      try pigment.setValue("red", forKey: "name")
    }
    let request = FetchRequest<Viewed>(
      entityName: "Painting",
      predicate: .comparison(
        .aggregate(.count, FetchCollection(.property("pigments")), of: nil), .greaterOrEqual,
        .property("views")),
      sortKeys: [.ascending("painter.name")])
    let titles = try context.fetch(request).map { try $0.value(forKey: "title") as? String }
    #expect(titles == ["a", "b"])
    let other = container.makeContext()
    for pigment in try other.fetch(FetchRequest<Pigment>(entityName: "Pigment")) {
      try pigment.setValue("red", forKey: "name")
    }
    #expect(try other.fetchIDs(request).count == 2)
  }
}
