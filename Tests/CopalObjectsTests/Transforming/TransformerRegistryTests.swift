import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("TransformerRegistry")
struct TransformerRegistryTests {
  private func open(_ transformers: [any AttributeTransformer], at store: TestStore) throws
    -> PersistentContainer
  {
    let container = try PersistentContainer(
      model: .studio, store: store.configuration(), transformers: transformers)
    container.readFailureHandler = { _ in }
    return container
  }

  @Test(
    "rows 20 and 21: a container with an unregistered transformer does not open and writes nothing")
  func unregistered() throws {
    struct RecipeTransformr: AttributeTransformer {
      func encode(_ recipe: Recipe) -> Data { Data() }
      func decode(_ stored: Data) -> Recipe { Recipe(text: "") }
    }
    let store = try TestStore()
    let thrown = #expect(throws: PersistenceError.self) {
      try open(
        [
          FinishTransformer(), GradeTransformer(), WeightTransformer(), CapitalizingTransformer(),
          RecipeTransformr(),
        ], at: store)
    }
    let error = thrown?.firstCause ?? thrown
    #expect(error?.code == .transformerUnregistered)
    #expect(error?.entity == "Sample" && error?.property == "recipe")
    #expect(error?.found == "RecipeTransformer" && error?.suggestion == "RecipeTransformr")
    for name in ["CapitalizingTransformer", "FinishTransformer", "GradeTransformer"] {
      #expect(error?.expected?.contains(name) == true)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path()).isEmpty)
  }

  @Test("the error of a container names every missing transformer")
  func several() throws {
    let error = #expect(throws: PersistenceError.self) {
      try open([FinishTransformer(), GradeTransformer()], at: TestStore(.memory))
    }
    #expect(error?.code == .multipleProblems)
    #expect(
      error?.causes.map { ($0 as? PersistenceError).map { [$0.entity, $0.property] } } == [
        ["Sample", "weight"], ["Sample", "recipe"], ["Sample", "nickname"], ["Flask", "recipe"],
      ])
  }

  @Test("row 18: two transformer types under one name are an error that names the first one")
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

  /// Stored as TEXT, no longer than its limit.
  private struct Line: AttributeTransformer {
    var limit: Int
    func encode(_ text: String) -> String { String(text.prefix(limit)) }
    func decode(_ stored: String) -> String { stored }
  }

  private struct EquatableLine: AttributeTransformer, Equatable {
    var limit: Int
    func encode(_ text: String) -> String { String(text.prefix(limit)) }
    func decode(_ stored: String) -> String { stored }
  }

  private final class Printer: RegistrableTransformer {
    func encode(_ text: String) -> String { text }
    func decode(_ stored: String) -> String { stored }
  }

  @Test(
    "a second transformer of one type and name with other parameters is refused, and the first stays"
  )
  func parameters() throws {
    let registry = TransformerRegistry()
    try registry.register(Line(limit: 3))
    let error = #expect(throws: PersistenceError.self) { try registry.register(Line(limit: 9)) }
    #expect(error?.code == .transformerDuplicate && error?.found == "Line")
    #expect(error?.expected?.hasPrefix("another CopalObjectsTests.") == true)
    #expect((registry.transformer(named: "Line") as? Line)?.limit == 3)
    // The type is not Equatable, so two instances cannot be compared.
    #expect(throws: PersistenceError.self) { try registry.register(Line(limit: 3)) }
    try registry.register(Line(limit: 9), as: "LongLine")
    try registry.register(Line(limit: 12).named("LongerLine"))
    try registry.register(Line(limit: 15).named("Unheard"), as: "LongestLine")
    #expect(registry.names == ["Line", "LongLine", "LongerLine", "LongestLine"])
    #expect((registry.transformer(named: "LongerLine") as? Line)?.limit == 12)
  }

  @Test(
    "an equal transformer, the same instance, or one without parameters may be registered again"
  )
  func again() throws {
    let registry = TransformerRegistry()
    try registry.register(EquatableLine(limit: 3))
    try registry.register(EquatableLine(limit: 3))
    try registry.register(EquatableLine(limit: 3).named("EquatableLine"))
    #expect(throws: PersistenceError.self) { try registry.register(EquatableLine(limit: 4)) }
    let printer = Printer()
    try registry.register(printer, as: "P")
    try registry.register(printer, as: "P")
    #expect(throws: PersistenceError.self) { try registry.register(Printer(), as: "P") }
    try registry.register(GradeTransformer())
    try registry.register(GradeTransformer())
    // The type makes them, so they are equivalent.
    try Printer.register()
    try Printer.register()
  }

  @Test(
    "row 22: a container can have several transformers of one type under different names",
    arguments: bothStores)
  func named(_ kind: StoreKind) throws {
    func line(_ name: String, _ transformer: TransformerName) -> AttributeDescription {
      AttributeDescription(
        name, .transformable, isOptional: true, transformer: transformer, customClass: "String")
    }
    let note = EntityDescription(
      "Note", attributes: [line("title", "ShortLine"), line("text", "Line")])
    let model = ModelBinding(try ManagedObjectModel(name: "Notes", entities: [note]))
    let store = try TestStore(kind)
    let container = try PersistentContainer(
      model: model, store: store.configuration(),
      transformers: [Line(limit: 9), Line(limit: 3).named("ShortLine")])
    let context = container.makeContext()
    let object = try context.insert("Note")
    for key in ["title", "text"] { try object.setValue("ultramarine", forKey: key) }
    try context.save()
    #expect(try object.value(of: "title", as: String.self) == "ult")
    #expect(try object.value(of: "text", as: String.self) == "ultramari")

    let error = #expect(throws: PersistenceError.self) {
      try PersistentContainer(
        model: model, store: .inMemory,
        transformers: [Line(limit: 9), Line(limit: 3), Line(limit: 3).named("ShortLine")])
    }
    #expect(error?.code == .transformerDuplicate && error?.found == "Line")
    #expect(error?.description.contains("is already used by another CopalObjectsTests.") == true)
  }

  @Test("row 23: a transformer can define its own name")
  func ownName() throws {
    struct Scale: AttributeTransformer {
      let name: TransformerName
      let factor: Double
      func encode(_ number: Double) -> Double { number * factor }
      func decode(_ stored: Double) -> Double { stored / factor }
    }
    let registry = TransformerRegistry()
    try registry.register(Scale(name: "Grams", factor: 1))
    try registry.register(Scale(name: "Kilograms", factor: 1000))
    #expect(registry.names == ["Grams", "Kilograms"])
  }

  @Test("one transformer can be registered under two names")
  func twoNames() throws {
    let registry = TransformerRegistry()
    try registry.register(GradeTransformer())
    try registry.register(GradeTransformer(), as: "Mark")
    #expect(registry.names == ["GradeTransformer", "Mark"])
  }

  @Test(
    "row 22: a container's own transformer takes precedence over a registered one of the process",
    arguments: bothStores)
  func ownWins(_ kind: StoreKind) throws {
    // Only this test uses the name, because all tests share the registry.
    struct Shouting: RegistrableTransformer {
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

  @Test("row 18: the registry of transformers can be used by several threads at once")
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

  @Test("generated code has a constant for every transformer name")
  func constants() {
    #expect(StudioModel.TransformerNames.recipeTransformer == RecipeTransformer.name)
  }
}
