import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("PersistentContainer")
struct ContainerTests {
  private let place: TestStore

  init() throws { place = try TestStore() }

  private func entity(_ change: (inout EntityDescription) -> Void) throws -> ModelBinding {
    var entity = EntityDescription(
      "Note", attributes: [AttributeDescription("text", .string, isOptional: true)])
    change(&entity)
    return ModelBinding(try ManagedObjectModel(name: "Notes", entities: [entity]))
  }

  private var isUntouched: Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: place.folder.path()).isEmpty) == true
  }

  @Test("a container creates the file at its URL")
  func named() throws {
    let container = try PersistentContainer(
      model: .atelier, store: .sqlite(at: place.file), transformers: TestTransformers.atelier)
    let context = container.makeContext()
    _ = Painter(context: context, name: "Rosa")
    try context.save()
    #expect(FileManager.default.fileExists(atPath: place.file.path()))
    #expect(container.storeName == place.file.path() && container.model.name == "Atelier")
    #expect(container.store is SQLiteStore)
    #expect(
      SQLiteStore.defaultURL(named: "Atelier").path().hasSuffix(
        "Atelier/Atelier.sqlite"))
  }

  @Test(
    "a store name that is not a valid file name is refused before any file is created",
    arguments: [
      ("", "a file cannot have the name ''"), (".", "a file cannot have the name '.'"),
      ("..", "a file cannot have the name '..'"), ("a\0b", "the name contains a NUL character"),
      (String(repeating: "n", count: 300), "the name has 300 bytes, and the maximum is 200"),
      (String(repeating: "é", count: 101), "the name has 202 bytes, and the maximum is 200"),
    ])
  func names(name: String, found: String) throws {
    let error = #expect(throws: PersistenceError.self) {
      try PersistentContainer(
        model: .atelier, store: .sqlite(named: name), transformers: TestTransformers.atelier)
    }
    #expect(error?.code == .cannotOpen && error?.found == found)
    let folder = SQLiteStore.defaultURL(named: "x").deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = SQLiteStore.defaultURL(named: name)
    #expect(file.path().hasPrefix(folder.path()) && file.path().hasSuffix("/_/_.sqlite"))
  }

  @Test(
    "a store name cannot lead to another folder",
    arguments: [("a/b", "a_b"), ("../x", ".._x"), ("...", "..."), ("a.b", "a.b")])
  func slashes(name: String, file: String) {
    #expect(
      SQLiteStore.defaultURL(named: name).path().hasSuffix("/\(file)/\(file).sqlite"))
  }

  @Test("a reopened container has the saved objects and the same identifier")
  func reopening() throws {
    let identifier = try {
      let container = try place.atelier()
      let context = container.makeContext()
      _ = Painter(context: context, name: "Rosa 好看的颜色")
      try context.save()
      return container.storeIdentifier
    }()
    let container = try place.atelier()
    #expect(container.storeIdentifier == identifier)
    #expect(try container.makeContext().fetch(Painter.self).map(\.name) == ["Rosa 好看的颜色"])
  }

  @Test("opening a container does not block, for a file and in memory")
  func async() async throws {
    let inFile = try await PersistentContainer.open(
      model: .atelier, store: .sqlite(at: place.file), transformers: TestTransformers.atelier)
    #expect(try inFile.makeContext().count(Painter.self) == 0)
    let inMemory = try await PersistentContainer.open(
      model: .atelier, store: .inMemory, transformers: TestTransformers.atelier)
    #expect(inMemory.storeName == "in memory")
    await #expect(throws: PersistenceError.self) {
      try await PersistentContainer.open(model: .studio, store: .inMemory)
    }
  }

  @Test(
    "a model that differs from the generated code is refused before the file is created, and the error names the entities",
    .modelAsIs
  )
  func layouts() throws {
    let atelier = try ModelBinding.atelier.model
    let entities = atelier.entities.map { entity in
      guard entity.name == "Painter" else { return entity }
      var changed = entity
      changed.attributes.removeLast()
      return changed
    }
    let other = try ManagedObjectModel(
      name: "Atelier", imports: atelier.imports, access: atelier.access, entities: entities)
    let error = #expect(throws: PersistenceError.self) {
      try place.container(ModelBinding(other, classesOf: .atelier))
    }
    #expect(error?.code == .layoutDiffers && error?.entity == "Painter")

    let fewer = try ManagedObjectModel(
      name: "Atelier", imports: atelier.imports,
      entities: [atelier.entities[2]])
    let missing = #expect(throws: PersistenceError.self) {
      try place.container(ModelBinding(fewer, classesOf: .atelier))
    }
    #expect(
      missing?.code == .multipleProblems
        && missing?.causeCodes == [.layoutDiffers, .layoutDiffers])
    #expect(isUntouched)
  }

  @Test("a container opens with the same model from a file as with the embedded one")
  func fromFile() throws {
    let same = try ManagedObjectModel(
      json: ModelBinding.atelier.model.canonicalJSON, file: "Atelier.model.json")
    let container = try place.container(ModelBinding(same, classesOf: .atelier))
    #expect(try container.makeContext().count(Painter.self) == 0)
  }

  @Test("a class cannot belong to two entities")
  func classes() throws {
    let model = try ManagedObjectModel(
      name: "Notes",
      entities: [EntityDescription("Note"), EntityDescription("Remark")].map {
        var entity = $0
        entity.attributes = [AttributeDescription("text", .string, isOptional: true)]
        return entity
      })
    final class Note: ManagedObject {}
    let bindings = ["Note", "Remark"].map { name in
      EntityBinding(name, Note.self, layoutHash: model.layoutHash(of: name))
    }
    let error = #expect(throws: PersistenceError.self) {
      try place.container(ModelBinding(model, classes: bindings))
    }
    #expect(error?.code == .layoutDiffers && error?.found?.contains("Note") == true)
    #expect(isUntouched)
  }

  @Test("an invalid embedded model throws ModelError")
  func broken() throws {
    let binding = ModelBinding(name: "Broken", json: "{ \"copal\": 1, ", classes: [])
    #expect(throws: ModelError.self) { try place.container(binding) }
    #expect(isUntouched)
  }

  @Test("each container in memory is new and empty, and its contexts share the store")
  func memory() throws {
    let binding = try entity { _ in }
    let container = try PersistentContainer(model: binding, store: .inMemory)
    let context = container.makeContext()
    try context.insert("Note").setValue("hello", forKey: "text")
    try context.save()
    let request = FetchRequest<ManagedObject>(entityName: "Note")
    #expect(try container.makeContext().count(request) == 1)
    let other = try PersistentContainer(model: binding, store: .inMemory)
    #expect(try other.makeContext().count(request) == 0)
    #expect(other.storeIdentifier != container.storeIdentifier)
  }

  @Test("a context has the model of its container", .modelAsIs)
  func model() throws {
    let context = try place.atelier().makeContext()
    #expect(context.model.entities.map(\.name) == ["Painter", "Painting", "Pigment"])
    let type = context.model.entity("Pigment")?.attribute("color")?.type
    #expect(type == .transformable)
  }

  /// Stores ink as a text; the other one stores bytes under the same name.
  private struct TextInk: AttributeTransformer {
    static let name: TransformerName = "Ink"
    func encode(_ value: String) throws -> String { value }
    func decode(_ stored: String) throws -> String { stored }
  }

  private struct BytesInk: AttributeTransformer {
    static let name: TransformerName = "Ink"
    func encode(_ value: String) throws -> Data { Data(value.utf8) }
    func decode(_ stored: Data) throws -> String { String(decoding: stored, as: UTF8.self) }
  }

  private func entityWithInk() throws -> ModelBinding {
    try entity {
      $0.attributes.append(
        AttributeDescription(
          "ink", .transformable, isOptional: true, transformer: "Ink", customClass: "String"))
    }
  }

  @Test("containers of one binding share its schema, unless their transformers store other types")
  func sharedSchema() throws {
    let binding = try entityWithInk()
    func open(_ ink: any AttributeTransformer) throws -> PersistentContainer {
      try PersistentContainer(model: binding, store: .inMemory, transformers: [ink])
    }
    let (text, again, bytes, last) = (
      try open(TextInk()), try open(TextInk()), try open(BytesInk()), try open(TextInk())
    )
    #expect(text.store.schema === again.store.schema)
    let storage = [text, bytes, last].map { $0.model.entities[0].attribute("ink")?.storage }
    #expect(storage == [.text, .blob, .text])
  }

  @Test("a binding whose transformer is missing opens as soon as a container has it")
  func missingTransformer() throws {
    let binding = try entityWithInk()
    for _ in 1...2 {
      let error = #expect(throws: PersistenceError.self) {
        try PersistentContainer(model: binding, store: .inMemory)
      }
      #expect(error?.code == .transformerUnregistered)
    }
    let container = try PersistentContainer(
      model: binding, store: .inMemory, transformers: [BytesInk()])
    #expect(container.model.entities[0].attribute("ink")?.storage == .blob)
  }
}
