import Copal
import CopalColor
import CopalTestSupport
import Testing

@Suite("The types of transformable properties")
struct ValueTypeTests {
  /// Has the name in the model, but another type than the property.
  struct LoneColor: AttributeTransformer {
    static let name: TransformerName = "ColorArrayTransformer"
    func encode(_ color: SerializableColor) throws -> String { color.css }
    func decode(_ stored: String) throws -> SerializableColor { try SerializableColor(css: stored) }
  }

  @Test func aTransformerOfAnotherTypeIsRefusedWhenTheContainerOpens() throws {
    let error = try #require(throws: PersistenceError.self) {
      try PersistentContainer(
        model: .atelier, store: .inMemory,
        transformers: [SerializableColorTransformer(), LoneColor()])
    }
    #expect(error.code == .transformerWrongClass)
    #expect(
      error.description
        == "Painting.palette has the class Array<SerializableColor>, but its transformer decodes to SerializableColor; correct the class or the transformer in the model [transformer.wrongClass]"
    )
  }

  @Test func aStorageThatIsNotTheTransformersIsRefusedWhenTheContainerOpens() throws {
    let model = try ManagedObjectModel(
      name: "Notes",
      entities: [
        EntityDescription(
          "Note",
          attributes: [
            AttributeDescription(
              "ink", .transformable, isOptional: true, transformer: "SerializableColorTransformer",
              customClass: "SerializableColor", storage: .text)
          ])
      ])
    let error = try #require(throws: PersistenceError.self) {
      try PersistentContainer(
        model: ModelBinding(model), store: .inMemory,
        transformers: [SerializableColorTransformer()])
    }
    #expect(error.code == .transformerWrongStorage)
    #expect(
      error.description
        == #"Note.ink has the storage TEXT in the model, but 'SerializableColorTransformer' stores BLOB; correct "storage" in the model, or remove it [transformer.wrongStorage]"#
    )
  }
}
