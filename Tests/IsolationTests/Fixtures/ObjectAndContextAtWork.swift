// compiles
import Copal
import CopalTestSupport
import Foundation

@MainActor
final class PigmentList {
  let container: PersistentContainer
  var pigments: [Pigment] = []

  init(_ container: PersistentContainer) { self.container = container }

  func load() throws {
    pigments = try container.viewContext.fetch(Pigment.self) { $0.price < 20 }
  }

  func raisePrices() async throws {
    let ids = pigments.map(\.objectID)
    try await container.perform { context in
      for id in ids { try context.existingObject(with: id, as: Pigment.self).price += 1 }
      try context.save()
    }
  }
}

actor Storeroom {
  private let context: ManagedObjectContext

  init(_ container: PersistentContainer) { context = container.makeContext() }

  func names() throws -> [String] { try context.fetch(Pigment.self).map(\.name) }
}

func transfer(_ container: PersistentContainer) {
  let context = container.makeContext()
  Task { _ = try context.count(Pigment.self) }
}
