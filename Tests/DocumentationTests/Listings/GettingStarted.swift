import Copal
import CopalColor
import CopalTestSupport
import Foundation

// The listings of Docs/GettingStarted.md, in their order, inside what they need to compile.

func open() throws -> PersistentContainer {
  try SerializableColorTransformer.register()
  try ColorArrayTransformer.register()

  let container = try PersistentContainer(name: "Atelier", model: .atelier)
  return container
}

func insert(_ context: ManagedObjectContext) throws {
  let vermilion = Pigment(context: context, name: "Vermilion")
  vermilion.code = "PR106"
  vermilion.color = try SerializableColor(hex: "#E34234")
  vermilion.price = 18

  try context.save()
}

func find(_ context: ManagedObjectContext) throws -> (all: [Pigment], some: [Pigment], count: Int) {
  let all = try context.fetch(Pigment.self, sortedBy: \.name.ascending)

  let affordable = try context.fetch(Pigment.self, sortedBy: \.price.descending, limit: 10) {
    $0.price < 20 && ($0.origin != nil || $0.isLightfast == true)
  }

  let count = try context.count(Pigment.self) { $0.name == "Vermilion" }
  return (all, affordable, count)
}

func keep(_ context: ManagedObjectContext) throws -> [Pigment] {
  var request = Pigment.fetchRequest()
    .filter { $0.price.isBetween(5, and: 20) }
    .sorted(by: \.price.ascending, \.name.ascending)
  request.limit = 20

  let pigments = try context.fetch(request)
  return pigments
}

func change(_ context: ManagedObjectContext, _ pigment: Pigment, _ other: Pigment) throws {
  pigment.price += 1
  context.delete(other)

  print(context.hasChanges)  // true
  print(pigment.changedValues())

  try context.save()  // or context.rollback()
}

@MainActor
final class PigmentList {
  let container: PersistentContainer
  private(set) var pigments: [Pigment] = []

  init(_ container: PersistentContainer) { self.container = container }

  func load() throws {
    var request = Pigment.fetchRequest().sorted(by: \.name.ascending)
    request.refreshesObjects = true
    pigments = try container.viewContext.fetch(request)
  }

  func raisePrices() async throws {
    let ids = pigments.map(\.objectID)
    try await container.perform { context in
      for id in ids {
        try context.existingObject(with: id, as: Pigment.self).price += 1
      }
      try context.save()
    }
    try load()
  }
}

struct PigmentRecord: Codable, Sendable {
  var name: String
  var price: Decimal
}

struct PigmentService: Sendable {
  let container: PersistentContainer

  func cheapest(_ count: Int) async throws -> [PigmentRecord] {
    try await container.perform { context in
      try context.fetch(Pigment.self, sortedBy: \.price.ascending, limit: count)
        .map { PigmentRecord(name: $0.name, price: $0.price) }
    }
  }

  func add(_ record: PigmentRecord) async throws -> ManagedObjectID {
    try await container.perform { context in
      let pigment = Pigment(context: context, name: record.name)
      pigment.price = record.price
      try context.save()
      return pigment.objectID
    }
  }
}

func saveOrTell(_ context: ManagedObjectContext) {
  do {
    try context.save()
  } catch let error as PersistenceError where error.code == .saveFailed {
    for case let cause as PersistenceError in error.causes {
      print(cause.code, cause.entity ?? "", cause.property ?? "")
    }
  } catch {
    print(error)
  }
}

func watch(_ container: PersistentContainer) {
  container.readFailureHandler = { error in
    print("could not be read:", error)
  }
}

func withoutClasses() throws -> String? {
  let model = try ManagedObjectModel(
    json: """
      {
        "copal": 1, "model": "Notes",
        "entities": { "Note": { "attributes": { "text": "string" } } }
      }
      """, file: "Notes.model.json")
  let container = try PersistentContainer(model: ModelBinding(model), store: .inMemory)
  let context = container.makeContext()

  let note = try context.insert("Note")
  try note.setValue("buy canvas", forKey: "text")
  try context.save()

  let request = FetchRequest<ManagedObject>(
    entityName: "Note",
    predicate: .comparison(.attribute("text"), .notEqual, .constant(.string(""))))
  let found = try context.fetch(request).first
  return try found?.value(of: "text", as: String.self)
}

func forATest() throws -> PersistentContainer {
  let container = try PersistentContainer(
    model: .atelier, store: .inMemory,
    transformers: [SerializableColorTransformer(), ColorArrayTransformer()])
  return container
}
