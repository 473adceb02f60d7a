import Copal
import CopalTestSupport
import Foundation

// The listings of Docs/Concurrency.md that compile, in their order.

@MainActor
func show(_ container: PersistentContainer) throws -> [String] {
  let context = container.viewContext
  return try context.fetch(Pigment.self).map(\.name)
}

actor Storeroom {
  private let context: ManagedObjectContext

  init(_ container: PersistentContainer) { context = container.makeContext() }

  func names() throws -> [String] {
    try context.fetch(Pigment.self, sortedBy: \.name.ascending).map(\.name)
  }
}

func makeFree(_ container: PersistentContainer) async throws -> Int {
  let count = try await container.perform { context in
    let pigments = try context.fetch(Pigment.self) { $0.price < 10 }
    for pigment in pigments { pigment.price = 0 }
    try context.save()
    return pigments.count
  }
  return count
}

actor Archive {
  private let executor: ContextSerialExecutor
  private let context: ManagedObjectContext

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(_ container: PersistentContainer) {
    executor = container.makeSerialExecutor()
    context = container.makeContext()
  }

  func add(_ names: [String]) throws -> Int {
    for name in names { _ = Pigment(context: context, name: name) }
    try context.save()
    return try context.count(Pigment.self)
  }
}

extension Archive {
  func remove(_ name: String) throws {
    for pigment in try context.fetch(Pigment.self, where: { $0.name == name }) {
      context.delete(pigment)
    }
    try context.save()
  }
}

func handOver(_ container: PersistentContainer) -> Task<Int, any Error> {
  let context = container.makeContext()
  return Task { try context.count(Pigment.self) }
}

func rename(_ id: ManagedObjectID, in container: PersistentContainer) async throws {
  try await container.perform { context in
    let pigment = try context.existingObject(with: id, as: Pigment.self)
    pigment.name = "Vermilion, genuine"
    try context.save()
  }
}

func saveOverConflicts(_ context: ManagedObjectContext) throws {
  do {
    try context.save()
  } catch let error as PersistenceError where error.code == .saveFailed {
    for case let conflict as PersistenceError in error.causes where conflict.code == .conflict {
      guard let id = conflict.objectID else { continue }
      try context.refresh(context.object(with: id), mergeChanges: true)
    }
    try context.save()
  }
}
