import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("The registry of transformers")
struct TransformerRegistryTests {
  private func open(_ transformers: [any AttributeTransformer], at store: TestStore) throws
    -> PersistentContainer
  {
    let container = try PersistentContainer(
      model: .studio, store: store.configuration(), transformers: transformers)
    container.readFailureHandler = { _ in }
    return container
  }

  @Test("an unregistered name is refused before anything is written")
  func unregistered() throws {
    struct RecipeTransformr: AttributeTransformer {
      func encode(_ recipe: Recipe) -> Data { Data() }
      func decode(_ stored: Data) -> Recipe { Recipe(text: "") }
    }
    let store = try TestStore()
    let error = #expect(throws: PersistenceError.self) {
      try open(
        [
          FinishTransformer(), GradeTransformer(), WeightTransformer(), CapitalisingTransformer(),
          RecipeTransformr(),
        ], at: store)
    }
    #expect(error?.code == .transformerUnregistered)
    #expect(error?.entity == "Sample" && error?.attribute == "recipe")
    #expect(error?.found == "RecipeTransformer" && error?.suggestion == "RecipeTransformr")
    for name in ["CapitalisingTransformer", "FinishTransformer", "GradeTransformer"] {
      #expect(error?.expected?.contains(name) == true)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path()).isEmpty)
  }

  @Test("every missing one is named")
  func several() throws {
    let error = #expect(throws: PersistenceError.self) {
      try open([FinishTransformer(), GradeTransformer()], at: TestStore(.memory))
    }
    #expect(error?.attribute == "weight" && error?.causes.count == 2)
  }

  @Test("two types under one name are an error that says whose it is")
  func duplicates() throws {
    struct Impostor: AttributeTransformer {
      static var name: TransformerName { "RecipeTransformer" }
      func encode(_ recipe: Recipe) -> Data { Data() }
      func decode(_ stored: Data) -> Recipe { Recipe(text: "") }
    }
    let registry = TransformerRegistry()
    try registry.register(RecipeTransformer())
    try registry.register(RecipeTransformer())
    let error = #expect(throws: PersistenceError.self) { try registry.register(Impostor()) }
    #expect(
      error?.code == .transformerDuplicate
        && error?.expected == "CopalObjectsTests.RecipeTransformer")
    try registry.register(Impostor(), as: "Impostor")
    #expect(registry.names == ["Impostor", "RecipeTransformer"])
    #expect(registry.transformer(named: "Impostor") is Impostor)
    #expect(registry.transformer(named: "Nobody") == nil)
    #expect(throws: PersistenceError.self) {
      try open(TestStore.studioTransformers + [Impostor()], at: TestStore(.memory))
    }
  }

  @Test("one transformer may have two names")
  func twoNames() throws {
    let registry = TransformerRegistry()
    try registry.register(GradeTransformer())
    try registry.register(GradeTransformer(), as: "Mark")
    #expect(registry.names == ["GradeTransformer", "Mark"])
  }

  @Test("a container's own wins over the one of the process", arguments: bothStores)
  func ownWins(_ kind: StoreKind) throws {
    // The name is of this test alone, since the registry is everybody's.
    struct Shouting: ParameterlessTransformer {
      static var name: TransformerName { "OwnWinsTransformer" }
      func encode(_ text: String) -> String { text.uppercased() }
      func decode(_ stored: String) -> String { stored }
    }
    struct Whispering: AttributeTransformer {
      static var name: TransformerName { "OwnWinsTransformer" }
      func encode(_ text: String) -> String { text.lowercased() }
      func decode(_ stored: String) -> String { stored }
    }
    try Shouting.register()
    try Shouting.register()
    let model = try ManagedObjectModel(
      name: "Words",
      entities: [
        EntityDescription(
          "Word",
          attributes: [
            AttributeDescription(
              "text", .transformable, isOptional: true, transformer: "OwnWinsTransformer",
              customClass: "String")
          ])
      ])
    func stored(_ transformers: [any AttributeTransformer]) throws -> String? {
      let container = try PersistentContainer(
        model: ModelBinding(model), store: TestStore(kind).configuration(),
        transformers: transformers)
      let context = container.makeContext()
      let word = try context.insert("Word")
      try word.setValue("Ochre", forKey: "text")
      try context.save()
      return try word.value(of: "text", as: String.self)
    }
    #expect(try stored([]) == "OCHRE")
    #expect(try stored([Whispering()]) == "ochre")
    #expect(throws: PersistenceError.self) {
      try TransformerRegistry.shared.register(Whispering())
    }
  }

  @Test("can be used by many threads at once")
  func concurrent() async throws {
    let registry = TransformerRegistry()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<16 {
        group.addTask {
          for round in 0..<50 {
            try registry.register(GradeTransformer(), as: TransformerName("T\(task)-\(round)"))
            try registry.register(RecipeTransformer())
            _ = registry.names.count
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(registry.names.count == 16 * 50 + 1)
  }

  @Test("generated code has a constant for every name")
  func constants() {
    #expect(StudioModel.TransformerNames.recipeTransformer == RecipeTransformer.name)
  }
}
